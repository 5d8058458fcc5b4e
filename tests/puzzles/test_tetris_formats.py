"""Tetris in and out: headings, board texts, samples, random boards, pictures, and what bad input is told."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings, strategies as st
from tetris_boards import boards

from procura import InputError, Tetris, catalog, solve
from procura.cli import cli
from procura.puzzles.tetris.formats import read_board, read_pieces
from procura.puzzles.tetris.pieces import LETTERS
from procura.reading.boards import tasks_of
from procura.reading.puzzles import choose_puzzle
from procura.texts import Source

SAMPLES = catalog.puzzle("tetris").samples()
SVG = "{http://www.w3.org/2000/svg}"


@given(st.sampled_from([(18, 10), (7, 5)]), st.text(LETTERS, min_size=1, max_size=9), st.data())
def test_problems_come_back_from_their_board_text(size: tuple[int, int], pieces: str, data: Any) -> None:
    rows, columns = size
    problem = Tetris(data.draw(boards(rows, columns)), pieces, rows=rows, columns=columns)
    again = Tetris.from_text(problem.board_text())
    assert (again.board, again.pieces) == (problem.board, pieces)
    assert (again.rows, again.columns) == size


@given(st.text(LETTERS, min_size=1, max_size=9), boards(18, 10))
def test_problems_come_back_from_their_picture(pieces: str, board: Any) -> None:
    problem = Tetris(board, pieces)
    again = Tetris.from_text(problem.draw(problem.initial))
    assert (again.board, again.pieces) == (problem.board, pieces)


def test_pictures_of_several_problems_can_be_solved_again() -> None:
    problems = [Tetris(SAMPLES[name]["board"], "oi") for name in list(SAMPLES)[:2]]
    text = "\n\n".join(problem.draw(problem.initial) for problem in problems)
    tasks = tasks_of(choose_puzzle("tetris"), Source(text), {})
    assert [task.problem().board_text() for task in tasks] == [problem.board_text() for problem in problems]


def test_only_a_floor_is_left_out_of_a_picture() -> None:
    picture = "│ · · ·██│\n└────────┘\nnext: i"
    assert Tetris(picture, columns=4).board[0] == 8
    for words in ("└ and more", "└──┘ next: t", "┌──────┐"):
        with pytest.raises(InputError):
            Tetris(f"{picture}\n{words}", columns=4)


def test_a_board_text_ends_at_the_highest_filled_row() -> None:
    assert Tetris("..........\n.#........\n####..####", "t i").board_text() == "pieces: t i\n.#........\n####..####"
    assert Tetris("empty", "o", rows=5, columns=4).board_text() == "pieces: o\nsize: 5x4\nempty"


def test_what_is_given_goes_before_what_the_text_says() -> None:
    text = "Pieces: t i\nsize: 6x4\n#..#"
    assert Tetris.from_text(text).pieces == "ti"
    given_pieces = Tetris.from_text(text, pieces="l", rows=9, cost="report1")
    assert (given_pieces.pieces, given_pieces.rows, given_pieces.columns) == ("l", 9, 4)
    assert given_pieces.cost_name == "report1"


@settings(max_examples=300)
@given(st.text() | st.text("pieces:tilx .#\n0size", max_size=60), st.none() | st.text(max_size=6))
@example("size: 1x1\n#", "t")
@example("size: ²x4\n#", "t")
@example("pieces: t\npieces: t\n", None)
@example("pieces:", None)
def test_any_text_is_read_or_refused_with_a_sentence(text: str, pieces: str | None) -> None:
    try:
        problem = Tetris.from_text(text, pieces=pieces)
    except InputError as error:
        assert str(error)
    else:
        assert Tetris.from_text(problem.board_text()).initial == problem.initial


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_what_the_facts_say(name: str) -> None:
    problem = Tetris(**SAMPLES[name])
    result = solve(problem, "course_dfs", engine="python")
    assert result.solved is (name != "test-17")


def test_the_same_seed_gives_the_same_board() -> None:
    for seed in range(5):
        one, same, other = (Tetris.generate(s, d=0.1, pieces=7) for s in (seed, seed, seed + 100))
        assert one.initial == same.initial and one.pieces == same.pieces and len(one.pieces) == 7
        assert one.board != other.board


@given(st.integers(0, 10**9), st.floats(0, 1), st.floats(0.06, 1), st.sampled_from([(18, 10), (8, 31), (20, 4)]))
def test_random_boards_have_a_gap_in_every_row_and_an_empty_top(
    seed: int, p: float, d: float, size: tuple[int, int]
) -> None:
    rows, columns = size
    problem = Tetris.generate(seed, p=p, d=max(d, 1.1 / rows), rows=rows, columns=columns)
    assert all(mask != (1 << columns) - 1 for mask in problem.board) and problem.board[-1] == 0
    assert len(problem.pieces) == 4


def test_rows_thin_out_from_the_bottom_as_p_and_d_say() -> None:
    drawn = [Tetris.generate(seed, p=0.8, d=0.1, top_empty=False).board for seed in range(400)]
    for row, expected in ((0, 0.8), (3, 0.5), (7, 0.1), (8, 0.0), (17, 0.0)):
        share = sum(board[row].bit_count() for board in drawn) / (9 * len(drawn))
        assert share == pytest.approx(expected, abs=0.04)
    tops = sum(Tetris.generate(seed, d=0.05, top_empty=False).board[17] != 0 for seed in range(400))
    assert tops / 400 == pytest.approx(0.77, abs=0.06)  # the course's own p and d


def test_generated_pieces_are_letters_or_a_number() -> None:
    assert Tetris.generate(1, d=0.2, pieces="t i l l").pieces == "till"
    assert Tetris.generate(1, d=0.2, pieces="12").pieces == Tetris.generate(1, d=0.5, pieces=12).pieces
    assert Tetris.generate(1, pieces=" " * 20 + "12 ").pieces == Tetris.generate(1, pieces=12).pieces
    assert set(Tetris.generate(3, d=0.2, pieces=300).pieces) == set(LETTERS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d": 0}, "p = 1 and d = 0 filled the top row on 1000 boards: expected a larger d"),
        ({"d": -1}, "d is -1: expected a number from 0"),
        ({"p": float("nan")}, "p is nan: expected a number from 0"),
        ({"p": "much"}, "p is 'much': expected a number from 0"),
        ({"pieces": 0}, "0 random pieces: expected 1 to 10000"),
        ({"pieces": " 99999 "}, "^99999 random pieces: expected 1 to 10000"),
        ({"pieces": "\N{ARABIC-INDIC DIGIT FOUR}"}, "piece 1: '\N{ARABIC-INDIC DIGIT FOUR}' is not one of"),
        ({"pieces": "t x"}, "piece 2: 'x' is not one of"),
        ({"rows": 3}, "3 rows and 10 columns"),
    ],
)
def test_a_generator_says_what_it_cannot_make(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tetris.generate(1, **options)


def test_the_catalog_knows_the_options_of_the_generator() -> None:
    options = {option.name: option.default for option in catalog.puzzle("tetris").generator}
    assert Tetris.generate(5, **options).initial == Tetris.generate(5).initial


def test_a_picture_has_walls_a_floor_and_the_pieces_to_come() -> None:
    problem = Tetris("#...\n##.#", "o t", rows=4, columns=4)
    assert problem.draw(problem.initial).splitlines() == [
        "│ · · · ·│", "│ · · · ·│", "│██ · · ·│", "│████ ·██│", "└────────┘", "next: o t",
    ]  # fmt: skip
    last = Tetris("empty", "o")
    assert "next" not in last.draw(solve(last, "course_dfs", engine="python").final)


@pytest.mark.parametrize("pieces", ["i", "till", "iljoszt"])
def test_a_drawing_is_one_sound_svg_with_a_cell_for_every_filled_one(pieces: str) -> None:
    problem = Tetris("#...\n##.#", pieces, rows=7, columns=4)
    state = problem.result(problem.initial, problem.actions(problem.initial)[0])
    for at in (problem.initial, state):
        root = ET.fromstring(problem.to_svg(at))
        assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title") is not None
        lowest = max(int(rect.get("y", 0)) + int(rect.get("height", 0)) for rect in root.iter(f"{SVG}rect"))
        assert lowest <= int(root.get("height", 0))
        cells = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == "#5b6b82"]
        assert len(cells) == at[problem.rows + 2]
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg",
            "title",
            "rect",
            "g",
            "path",
            "text",
        }
        text = [element.text or "" for element in root.iter(f"{SVG}text")]
        more = len(problem.upcoming(at)) - 5
        assert (f"and {more} more" in text) is (more > 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["empty", "--pieces", "t q"], "piece 2: 'q' is not one of i l j o s z t"),
        (["empty"], "there are no pieces: expected letters"),
        (["pieces:\nempty"], "there are no pieces: expected letters"),
        (["empty", "--pieces", " "], "there are no pieces: expected letters"),
        (["#" * 11, "--pieces", "t"], "row 1 has 11 cells: expected 10"),
        (["\n".join(["." * 10] * 30), "--pieces", "t"], "the board has 30 rows: expected at most 18"),
        ([".........#\n........#", "--pieces", "t"], "row 2 has 9 cells: expected 10"),
        (["colour: red\nempty", "--pieces", "t"], "a board has no line 'colour'"),
        (["size: 9\nempty", "--pieces", "t"], "size '9': expected ROWSxCOLUMNS"),
        (["pieces: t\npieces: i\nempty"], "the line pieces: stands twice before the board"),
        (["empty", "--pieces", "t", "--cost", "gold"], "cost='gold': expected quality or opportunity or report1"),
        (["empty", "--pieces", "t", "--rows", "3"], "rows='3': expected a whole number from 4 to 64"),
    ],
)
def test_bad_boards_end_with_2_and_one_sentence(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["solve", "tetris", *arguments, "--engine", "python"], prog_name="procura")
    assert result.exit_code == 2 and result.stdout == ""
    assert message in result.stderr and result.stderr.count("\n") == 1


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match=r"board\[1\] has 11 cells: expected 10"):
        Tetris([[0] * 10, [0] * 11], "t")


def test_a_text_brings_its_pieces_and_its_size() -> None:
    problem = Tetris("pieces: T, I\nsize: 6 x 4\n#..#")
    assert (problem.pieces, problem.rows, problem.columns) == ("ti", 6, 4)
    assert Tetris("pieces: t\nempty", "O,o").pieces == Tetris("empty", ["O", "o"]).pieces == "oo"
    for board in ("empty", [0]):
        with pytest.raises(InputError, match="there are no pieces"):
            Tetris(board)


def test_boards_and_pieces_in_the_reports_lisp_form():
    board = "#2A((T T NIL T) (T NIL NIL NIL))"
    assert read_board(board, rows=3, columns=4) == read_board("#...\n##.#", rows=3, columns=4)
    assert read_pieces("'(t i l l)") == read_pieces("(t i l l)") == read_pieces("t i l l")


@pytest.mark.parametrize(
    ("board", "told"),
    [
        ("#2A((T T NIL T) (T NIL", "the board is no list of rows"),
        ("#2A((T T NIL))", "board[0] has 3 cells: expected 4"),
        ("#2A((T T NIL X))", "board[0][3] is 'X': expected 0 or 1"),
    ],
)
def test_a_broken_lisp_board_is_told(board, told):
    with pytest.raises(InputError, match=re.escape(told)):
        read_board(board, rows=3, columns=4)


@pytest.mark.parametrize(
    "drawn",
    [
        "|X  x|\n|@@ *|\n+----+", "1001\n1101", "■··■\n██_█\n----", "1 0 0 1\n1 1 0 1",
        "|#     #|\n|# # . #|\n---------", "| #     # |\n| # #   # |\n+---------+",
    ],
)  # fmt: skip
def test_boards_as_people_draw_them(drawn):
    assert read_board(drawn, rows=3, columns=4) == read_board("#..#\n##.#", rows=3, columns=4)


def test_other_points_count_and_are_told():
    problem = Tetris("#########.\n#########.", "i", points="0,40,100,300,1200")
    assert problem.options["points"] == "0,40,100,300,1200"
    assert -solve(problem, "dfs", engine="python").cost in (0, 100)
    assert solve(problem, "astar:quality_bound", engine="python").cost == -100
    assert solve(problem.with_options(points=[0, 1, 2, 3, 4]), "astar:quality_bound", engine="python").cost == -2
    assert Tetris.from_text(problem.board_text(), **problem.options).same_board(problem)


@pytest.mark.parametrize("points", ["0,1,2,3", "1,2,3,4,5", "0,5,4,6,7", "0,a,b,c,d", 7, [0, 1, 2, 3, 10**9]])
def test_points_that_are_no_table_are_refused(points):
    with pytest.raises(InputError, match="expected five whole numbers that begin with 0 and never fall"):
        Tetris("empty", "i", points=points)
