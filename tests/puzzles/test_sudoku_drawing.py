"""Sudoku boards as text and pictures: what is drawn can be read again, and pictures are sound XML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from procura import InputError, Sudoku
from procura.puzzles.sudoku.samples import samples

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = [*(sample["board"] for sample in samples.values()), "." * 16, "." * 256]


@pytest.mark.parametrize("board", BOARDS)
def test_all_that_is_written_is_read_back(board):
    problem = Sudoku(board)
    texts = [problem.board_text(), problem.to_text(problem.initial), problem.draw(problem.initial)]
    assert [Sudoku.from_text(text).givens for text in texts] == [problem.givens] * 3
    assert problem.board_text() == board
    assert texts[0].isascii() and texts[1].isascii()


@pytest.mark.parametrize(
    "text",
    [
        "1.|..\n..|2.\n--+--\n.3|..\n..|.4",
        "+-----+-----+\n| 1 . | . . |\n| . . | 2 . |\n+-----+-----+\n| . 3 | . . |\n| . . | . 4 |\n+-----+-----+",
        "10 00\n00 20\n=====\n03 00\n00 04",
        "┏━━━━━┳━━━━━┓\n┃ 1 · ┃ · · ┃\n┃ · · ┃ 2 · ┃\n┣━━━━━╋━━━━━┫\n┃ · 3 ┃ · · ┃\n┃ · · ┃ · 4 ┃\n┗━━━━━┻━━━━━┛",
        "\n1...\r\n..2.\r\n\r\n.3..\r\n...4\r\n",
    ],
)
def test_drawings_with_separators_are_read(text):
    assert Sudoku.from_text(text).board_text() == "1.....2..3.....4"


def test_a_dash_among_digits_is_no_cell():
    with pytest.raises(InputError, match=r"^row 1, column 2: '-' is not one of 1 to 4, nor '.' or '0' for empty"):
        Sudoku.from_text("1---\n..2.\n.3..\n...4")


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=100),
        st.text("0123456789.", min_size=81, max_size=81),
        st.text("12.|-+ \n", max_size=60),
        st.text("1234.", min_size=16, max_size=16),
    )
)
def test_any_text_is_a_board_or_bad_input_of_one_line(text):
    try:
        problem = Sudoku.from_text(text)
    except InputError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert Sudoku.from_text(problem.board_text()).givens == problem.givens


@pytest.mark.parametrize("name", samples)
def test_the_picture_shows_givens_bold_and_fills_tinted(name):
    problem = Sudoku(**samples[name])
    state = problem.initial
    for _ in range(3):
        state = problem.result(state, problem.actions(state)[0])
    root = ElementTree.fromstring(problem.to_svg(state))
    givens = problem.key - problem.givens.count(0)
    title = root.find(f"{SVG}title").text
    assert title.startswith(f"Sudoku {problem.side}x{problem.side}: {givens} givens, 3 of ")
    texts = list(root.iter(f"{SVG}text"))
    bold = [text for text in texts if text.get("font-weight") == "700"]
    assert (len(bold), len(texts)) == (givens, givens + 3)
    assert len({text.get("fill") for text in bold}) == 1
    assert {text.get("fill") for text in texts if text not in bold}.isdisjoint({bold[0].get("fill")})


def test_the_picture_of_a_fill_marks_digits_that_repeat():
    fill = Sudoku("." * 16).local()
    solved = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1, *[1] * 32)

    def colours(state):
        return {text.get("fill") for text in ElementTree.fromstring(fill.to_svg(state)).iter(f"{SVG}text")}

    assert len(colours(solved)) == 1
    assert colours(fill.initial).isdisjoint(colours(solved))
    assert fill.draw(solved).splitlines()[1] == "┃ 1 2 ┃ 3 4 ┃"
