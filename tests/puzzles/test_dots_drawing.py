"""Dots boards as drawings: what is drawn can be read back, and SVG is well formed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from dots_reference import boards, closed_boxes, lists_of, problems
from hypothesis import given, strategies as st

from procura.errors import InputError
from procura.puzzles.dots import Dots
from procura.puzzles.dots.formats import Problem, read_problems

SVG = "{http://www.w3.org/2000/svg}"


def played(problem: Dots, data: Any) -> Any:
    """A state some moves after the start."""
    state = problem.initial
    for _ in range(data.draw(st.integers(0, 5))):
        if moves := problem.actions(state):
            state = problem.result(state, data.draw(st.sampled_from(moves)))
    return state


@given(problems(4, 4), st.data())
def test_ascii_and_unicode_pictures_are_read_back(problem: Dots, data: Any) -> None:
    state = played(problem, data)
    board = tuple(lists_of(problem, state))
    for picture in (problem.to_text(state), problem.draw(state)):
        assert Dots(picture, 0).board == board
    assert problem.to_text(state).isascii()
    assert problem.draw(state).count("░░░") == closed_boxes(list(board))


@given(boards(4, 4), st.integers(0, 4), st.sampled_from(".+*"), st.integers(1, 6), st.booleans())
def test_drawings_of_any_width_place_and_dot_are_read(
    board: Any, indent: int, dot: str, width: int, trailing: bool
) -> None:
    horizontals, verticals = board
    lines = []
    for r, arcs in enumerate(horizontals):
        lines.append(dot + "".join((" -"[arc] * width) + dot for arc in arcs))
        if r < len(horizontals) - 1:
            lines.append((" " * width).join(" |"[arcs[r]] for arcs in verticals))
    lines = [" " * indent + line for line in lines]
    text = "\n".join(lines if trailing else [line.rstrip() for line in lines])
    expected = [Problem(None, None, horizontals, verticals)]
    assert read_problems(text) == expected
    assert read_problems(f"\n\n{text}\n\n") == expected
    assert read_problems("; a board\n" + text.replace("\n", " ; seen\n")) == expected


def test_the_picture_shows_dots_dashes_and_bars() -> None:
    problem = Dots([[[1, 0], [0, 0]], [[0], [0], [1]]], 1)
    state = problem.result(problem.initial, problem.action_from_json(["v", 1, 0]))
    assert problem.to_text(state).splitlines() == [".---.   .", "    |   |", ".   .   ."]


def test_the_unicode_picture_tells_given_arcs_drawn_arcs_and_closed_boxes_apart() -> None:
    problem = Dots([[[1, 0], [1, 0]], [[1], [0], [1]]], 1)
    state = problem.result(problem.initial, problem.action_from_json(["v", 1, 0]))
    assert problem.draw(state).splitlines() == ["•───•   •", "│░░░┃   │", "•───•   •"]


def test_lines_of_bars_may_be_missing_where_there_are_none() -> None:
    assert Dots(". .-.\n. . .\n| |\n.-. .", 0).board == ([[0, 1], [0, 0], [1, 0]], [[0, 1], [0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("head", "name", "target"), [("", None, None), ("A 1\n", "A", 1), ("A\n", "A", None), ("1\n", None, 1)]
)
def test_a_line_above_a_drawing_names_it_and_sets_the_target(head: str, name: str | None, target: int | None) -> None:
    assert read_problems(head + ".-.\n|\n. .") == [Problem(name, target, [[1], [0]], [[1], [0]])]


def test_several_drawings_each_have_a_line_above() -> None:
    found = read_problems("; two\nA 1\n.-.\n\n. .\n\nB-2 ; the second\n. .\n  |\n.-.\n")
    assert found == [Problem("A", 1, [[1], [0]], [[0], [0]]), Problem("B-2", None, [[0], [1]], [[0], [1]])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".", "line 1: expected at least two dots"),
        ("..\n..", "line 1: expected at least two dots, with room for a dash between them"),
        (". .", "line 1: the drawing ends here: expected one more line of dots"),
        (". .\n| |", "line 2: the drawing ends here: expected one more line of dots"),
        ("| |\n. .", "line 1: the drawing begins without dots"),
        (". . .\n\n. .", "line 3: expected dots below those of line 1, and no others"),
        (".  .\n\n. .", "line 3: expected dots below those of line 1, and no others"),
        (".  .\n\n.- .", "line 3, column 2: '-': expected dashes from dot to dot"),
        (". .-\n\n. .", "line 1, column 4: '-': expected dashes from dot to dot"),
        (". .\n\n.x.", "line 3, column 2: 'x': expected dashes from dot to dot"),
        (". .\n |\n. .", r"line 2, column 2: '\|': expected bars below dots"),
        (". .\n| | |\n. .", r"line 2, column 5: '\|': expected bars below dots"),
        (". .\n- |\n. .", "line 2, column 1: '-': expected bars below dots"),
        (". .\n| |\n| |\n. .", "line 3: expected a line of dots, since the line before it has the bars"),
        (".-.\n|#\n.-.", "line 2: box 1 is marked as closed: expected all its four lines"),
        ("A 2\n. .\n\n. .", "line 1: the target is 2: expected 0 to 1"),
        ("A x\n. .\n\n. .", "line 1: the target is 'x': expected a number of boxes"),
        ("A 1 2\n. .\n\n. .", "line 1: 3 words: expected NAME TARGET above a drawing"),
        ("A\nB\n. .\n\n. .", "problem A, line 1: expected a drawing below 'A'"),
        ("A\n. .\n\n. .\nB 7\n. .\n\n. .", "problem B, line 5: the target is 7: expected 0 to 1"),
    ],
)
def test_broken_drawings_are_named_by_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        read_problems(text)


@given(
    st.text(alphabet=".+- |\n;A1•─│░\t", max_size=60)
    | st.lists(st.sampled_from([". .", ".-.", "| |", "|", "", "A 1", ". . .", "x"])).map("\n".join)
    | st.text()
)
def test_any_drawing_is_read_or_refused(text: str) -> None:
    try:
        found = read_problems(text)
    except InputError:
        return
    for problem in found:
        assert {len(arcs) for arcs in problem.horizontals} == {problem.columns}
        assert {len(arcs) for arcs in problem.verticals} == {problem.rows}


@given(problems(), st.data())
def test_svg_is_well_formed_and_shows_every_arc_dot_and_closed_box(problem: Dots, data: Any) -> None:
    state = played(problem, data)
    picture = problem.to_svg(state)
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    shown = {group.get("class"): len(group) for group in root.iter(f"{SVG}g")}
    drawn = sum(value == 1 for value in state[:-1])
    given_arcs = sum(problem.arcs)
    counts = {
        "closed": state[-1],
        "given": given_arcs,
        "drawn": drawn - given_arcs,
        "free": len(problem.arcs) - drawn,
        "dots": (problem.rows + 1) * (problem.columns + 1),
    }
    assert shown == {kind: count for kind, count in counts.items() if count}
    boxes = problem.rows * problem.columns
    title = f"Dots and Boxes, {problem.rows}x{problem.columns}: {state[-1]} of {boxes} boxes closed"
    assert root.findtext(f"{SVG}title") == title


def test_svg_needs_nothing_from_outside() -> None:
    problem = Dots.generate(1)
    picture = problem.to_svg(problem.initial)
    for what in ("<script", "<style", "<image", "href", "url(", "font"):
        assert what not in picture
    assert picture.count("http") == 1


def test_svg_lines_stay_inside_the_picture() -> None:
    problem = Dots.generate(2, size="3x5")
    root = ElementTree.fromstring(problem.to_svg(problem.initial))
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    assert width > height
    for line in root.iter(f"{SVG}line"):
        assert 0 < float(line.attrib["x1"]) <= float(line.attrib["x2"]) < width
        assert 0 < float(line.attrib["y1"]) <= float(line.attrib["y2"]) < height
