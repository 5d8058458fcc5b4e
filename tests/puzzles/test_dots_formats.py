"""Dots problems as lists: what is read, what is written, and what is refused and how."""

from __future__ import annotations

from typing import Any

import pytest
from dots_reference import boards, closed_boxes, count_boxes, empty
from hypothesis import given, strategies as st

from procura.errors import InputError
from procura.puzzles.dots import Dots, formats
from procura.puzzles.dots.brackets import tokens_of
from procura.puzzles.dots.formats import (
    MOST_ARCS,
    Problem,
    Unreadable,
    choose,
    labels,
    read_items,
    read_problems,
    write_problem,
    write_problems,
)

ONE = "(((1 0) (0 0)) ((0) (1) (0)))"
ARCS = ([[1, 0], [0, 0]], [[0], [1], [0]])


@pytest.mark.parametrize(
    ("text", "names_and_targets"),
    [
        (ONE, [(None, None)]),
        (f"({ONE})", [(None, None)]),
        (f"{ONE}\n{ONE}", [(None, None), (None, None)]),
        (f"({ONE} {ONE})", [(None, None), (None, None)]),
        (f"(A 2 {ONE})", [("A", 2)]),
        (f"((A 2 {ONE}))", [("A", 2)]),
        (f"(1 {ONE})", [(None, 1)]),
        (f"(B {ONE})", [("B", None)]),
        (f"; a file\n((A 2 {ONE}) ; first (\n (2 1 {ONE}))\n", [("A", 2), ("2", 1)]),
        (f"(A 2 {ONE})(B 1 {ONE})", [("A", 2), ("B", 1)]),
        (ONE.replace(" ", "\n\t"), [(None, None)]),
    ],
)
def test_problems_are_read_with_and_without_names_and_targets(text: str, names_and_targets: Any) -> None:
    problems = read_problems(text)
    assert [(name, target) for name, target, _, _ in problems] == names_and_targets
    assert all((horizontals, verticals) == ARCS for _, _, horizontals, verticals in problems)


def test_a_problem_is_chosen_by_name_and_its_target_replaced() -> None:
    text = f"((A 2 {ONE}) (B {ONE}) (0 {ONE}))"
    assert Dots.from_text(text, problem="a").target == 2
    assert Dots.from_text(text, problem="B", boxes=1).target == 1
    assert Dots.from_text(text, problem="A", boxes=1, order="any").data.canonical == [0]
    assert Dots.from_text(text, problem="3").target == 0
    for options, message in [
        ({}, "the text has 3 problems: expected problem to name one of A, B, 3"),
        ({"problem": "Q"}, "problem 'Q': expected one of A, B, 3"),
        ({"problem": "B"}, "the problem has no target: expected boxes"),
        ({"problem": "A", "boxes": 3}, "the target is 3: expected 0 to 2"),
    ]:
        with pytest.raises(InputError, match=message):
            Dots.from_text(text, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text has no board"),
        ("; only this", "the text has no board"),
        ("\n(((0) (0)) ((0) (0))", r"line 2: '\(' is never closed"),
        ("(((0) (0)) ((0) (0))))", r"line 1: '\)' closes nothing"),
        ("board", r"line 1: 'board': expected '\('"),
        ("()", "line 1: an empty list"),
        ("(())", "line 1: an empty list"),
        ("((((((0))))))", "line 1: more than 5 open brackets"),
        ("((0 0) (0 0))", r"line 1: expected \(horizontals verticals\) or \(NAME"),
        ("((((0) (0)) ((0) (0))) (((0 0))))", "line 1: the board: expected two lists"),
        ("((A 1 (((0) (0)) ((0) (0)))) ((0 0)))", r"line 1: expected \(horizontals verticals\) or \(NAME"),
        ("(A 1 2 (((0) (0)) ((0) (0))))", "line 1: expected a name, a target and a board"),
        ("(A 1)", "line 1: expected a name, a target and a board"),
        ("(A x (((0) (0)) ((0) (0))))", "line 1: the target is 'x': expected a number of boxes"),
        ("(A\n 2 (((0) (0)) ((0) (0))))", "line 2: the target is 2: expected 0 to 1, the boxes of the board"),
        ("(A -1 (((0) (0)) ((0) (0))))", "line 1: the target is -1: expected 0 to 1"),
        ("(((0) (0)))", "line 1: the board: expected two lists"),
        ("(((0) (0)) ((0) (0)) ((0) (0)))", "line 1: the board: expected two lists"),
        ("(((0)) ((0) (0)))", "line 1: the horizontals: expected at least two lists"),
        ("(((0) (0)) (0 0))", "line 1: the verticals: expected at least two lists"),
        ("(((0 0)\n(0)) ((0) (0) (0)))", "line 2: horizontal list 1 has 1 entries: expected 2"),
        ("(((0 0) (0 0))\n((0) (0)))", "line 2: 2 vertical lists: expected 3"),
        ("(((0 0) (0 0))\n((0) (0) (0) (0)))", "line 2: 4 vertical lists: expected 3"),
        ("(((0 0) (0 0))\n((0)\n(0 1) (0)))", "line 3: vertical list 1 has 2 entries: expected 1"),
        ("(((0 2) (0 0)) ((0) (0) (0)))", "line 1: horizontal list 0, element 1 is '2': expected 0 or 1"),
        ("(((0 (1)) (0 0)) ((0) (0) (0)))", "line 1: horizontal list 0, element 1 is a list"),
    ],
)
def test_broken_text_is_named_by_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_problems(text)


@given(
    st.text(alphabet="(()) 01A-;\n", max_size=60) | st.lists(st.sampled_from([ONE, "(", ")", "A", "1"])).map(" ".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        problems = read_problems(text)
    except InputError:
        return
    for problem in problems:
        assert len({len(arcs) for arcs in problem.horizontals}) == 1
        assert len(problem.verticals) == len(problem.horizontals[0]) + 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"((A 2 {ONE})\n(B 3 {ONE}))", "problem B, line 2: the target is 3: expected 0 to 2"),
        (f"((A 2 {ONE})\n(1 {ONE})\n(((0 0) (0 0)) ((0) (1))))", "problem 3, line 3: 2 vertical lists: expected 3"),
        (f"{ONE}\n(2 (((0 0)\n(0)) ((0) (0) (0))))", "problem 2, line 3: horizontal list 1 has 1 entries: expected 2"),
        (f"(A 2 {ONE}) (B)", "problem B, line 1: expected a name, a target and a board"),
    ],
)
def test_errors_among_several_problems_name_the_problem_and_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        read_problems(text)


def told(text: str) -> list[str]:
    """What comes out of a text: names of problems, and what is said of those that cannot be read."""
    return [
        f"{item.name}: {item.error}" if isinstance(item, Unreadable) else str(item.name) for item in read_items(text)
    ]


DRAWN = "D 1\n.-. .\n| |\n. . .\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(A 2 {ONE})\n(B 2 {ONE}\n(C 2 {ONE})\n(D 2 {ONE})", ["A", "B: line 2: '(' is never closed", "C", "D"]),
        (f"((A 2 {ONE})\n(B 2 {ONE}\n(C 2 {ONE}))", ["A", "B: line 2: '(' is never closed", "C"]),
        (f"((A 2 {ONE})\n(B 2 {ONE[:-3]}\n(C 2 {ONE}))", ["A", "B: line 2: '(' is never closed", "C"]),
        (f"((A 2 {ONE})\n(B 2 {ONE})))\n(C 2 {ONE})", ["A", "B", "None: line 2: ')' closes nothing", "C"]),
        (f"((A 2 {ONE})\nB 2 {ONE})\n(C 2 {ONE})", ["A", "None: line 2: 'B': expected", "None", "C"]),
        (f"((A 2 {ONE})\n(B 2 {ONE[1:]})\n(C 2 {ONE}))", ["A", "None: line 2: '(': expected", "C"]),
        (f"((A 2 {ONE})\n({ONE[:-1]}\n(C 2 {ONE}))", ["A", "None: line 2: '('", "None", "C"]),
        (f"(A 2 {ONE})\n{DRAWN}(C 2 {ONE})", ["A", "D", "C"]),
        (f"(A 2 {ONE})\n(B 1 {ONE})\n{DRAWN}", ["A", "B", "D"]),
        (f"{DRAWN}((A 2 {ONE})\n(B 1 {ONE}))", ["D", "A", "B"]),
        (f"((A 2 {ONE})\n{DRAWN}\n(B 1 {ONE}))", ["A", "D", "B"]),
        (
            f"(A 2 {ONE}\n{DRAWN}(B 2 {ONE})",
            ["A: line 1: '(' is never closed: expected ')' before the draw", "D", "B"],
        ),
        (f"{DRAWN}{DRAWN}|\n(B 2 {ONE})", ["D", "D: line 9: the drawing ends here", "B"]),
        (f"((A 2 {ONE})) ((B 2 {ONE}) (C 9 {ONE}))", ["A", "B", "C: line 1: the target is 9"]),
        (f"(A 2 {ONE}) words (B 2 {ONE})", ["A", "None: line 1: 'words': expected", "B"]),
        (f"(A 2 {ONE}\n(B 2 {ONE}", ["A: line 1: '(' is never", "B: line 2: '(' is never"]),
    ],
)
def test_a_slip_costs_its_own_problem_only_and_is_named(text: str, expected: list[str]) -> None:
    found = told(text)
    assert len(found) == len(expected), found
    for one, beginning in zip(found, expected, strict=True):
        assert one.startswith(beginning)


def test_a_long_text_with_a_slip_is_read_no_more_than_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(formats, "tokens_of", lambda lines: looked.extend(lines) or tokens_of(lines))
    problems = [f"(P{number} 2 {ONE})" for number in range(200)]
    for slip in (f"(P100 9 {ONE})", f"(P100 2 {ONE}"):
        looked.clear()
        items = read_items("\n".join([*problems[:100], slip, *problems[101:]]))
        assert [item.name for item in items] == [f"P{number}" for number in range(200)]
        assert [number for number, item in enumerate(items) if isinstance(item, Unreadable)] == [100]
        assert len(looked) <= 2 * 200


def test_a_name_that_two_problems_have_chooses_none_of_them() -> None:
    items = read_items(f"(A 2 {ONE}) (B 1 {ONE}) (A 1 {ONE}) (4 1 {ONE}) (9 {ONE})")
    assert choose(items, "b").target == 1
    for name, message in [
        ("A", "problem 'A': 2 problems go by that name"),
        ("a", "problem 'a': 2 problems go by that name"),
        ("5", "line 1: the target is 9"),
        ("6", "expected one of A, B, A, 4, 5"),
    ]:
        with pytest.raises(InputError, match=message):
            choose(items, name)


def test_a_problem_is_chosen_by_its_number_in_the_text_whatever_became_of_those_before() -> None:
    text = f"({ONE} (9 {ONE}) (1 {ONE}))"
    assert Dots.from_text(text, problem="3").target == 1
    with pytest.raises(InputError, match="the target is 9"):
        Dots.from_text(text, problem="2")


@st.composite
def many_problems(draw: Any) -> list[Problem]:
    problems = []
    for _ in range(draw(st.integers(1, 4))):
        board = draw(boards())
        target = draw(st.none() | st.integers(0, count_boxes(board)))
        words = st.from_regex(r"\A[^\s();]{1,8}\Z" if target is not None else r"\A[A-Za-z][\w-]{0,7}\Z")
        problems.append(Problem(draw(st.none() | words), target, *board))
    return problems


@given(many_problems())
def test_what_is_written_is_read_back(problems: list[Problem]) -> None:
    assert read_problems(write_problems(problems)) == problems
    for problem in problems:
        line = write_problem(problem)
        assert "\n" not in line and read_problems(line) == [problem]


@given(many_problems())
def test_problems_know_what_a_list_of_them_shows(problems: list[Problem]) -> None:
    for number, (problem, label) in enumerate(zip(problems, labels(problems), strict=True), 1):
        board = [problem.horizontals, problem.verticals]
        assert label == (problem.name or str(number))
        assert problem.size == (len(board[0]) - 1, len(board[1]) - 1)
        assert problem.boxes == count_boxes(board)
        assert problem.closed == closed_boxes(board)
        assert problem.missing == str(board).count("0")
        assert read_problems(problem.drawing) == [Problem(None, None, *board)]
    for problem, label in zip(problems, labels(problems), strict=True):
        if labels(problems).count(label) == 1:
            assert choose(problems, label) == problem


@pytest.mark.parametrize("name", ["", "two words", "a(b", "c;", "12"])
def test_names_that_could_not_be_read_back_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="problem name"):
        write_problem(Problem(name, None, *ARCS))


def test_the_board_text_is_one_line_with_the_target() -> None:
    problem = Dots(ONE, 2, "any")
    assert problem.board_text() == f"(2 {ONE})"
    again = Dots.from_text(problem.board_text())
    assert (again.board, again.target) == (problem.board, 2)


def test_boards_have_1200_arcs_at_most() -> None:
    assert len(Dots(empty(24, 24), 1).arcs) == MOST_ARCS
    assert len(Dots(empty(1, 399), 1).arcs) == 1198
    with pytest.raises(InputError, match="24x25 boxes has 1249 lines: expected at most 1200, or one step of a search"):
        Dots(empty(24, 25), 1)


def test_the_target_of_a_text_need_not_be_repeated() -> None:
    assert Dots("(A 2 " + ONE + ")").target == 2
    assert Dots("(A 2 " + ONE + ")", 1).target == 1
    for board in (ONE, [[[0], [0]], [[0], [0]]]):
        with pytest.raises(InputError, match="the problem has no target: expected boxes"):
            Dots(board)


@pytest.mark.parametrize(
    ("board", "boxes", "message"),
    [
        ([[[0], [0]], [[0], [0]]], 2, "the target is 2: expected 0 to 1"),
        ([[[0], [0]], [[0], [0]]], -1, "the target is -1: expected 0 to 1"),
        ([[[0], [0]], [[0], [0]]], "1", "the target is '1': expected a number of boxes"),
        ([[[0], [0]], [[0], [3]]], 1, "vertical list 1, element 0 is 3: expected 0 or 1"),
        ([[[], []], [[0]]], 0, "the verticals: expected at least two lists"),
        ([[[], []], [[0], [0]]], 0, "horizontal list 0 has 0 entries: expected at least 1"),
        (None, 1, "the board: expected two lists"),
        (f"{ONE} {ONE}", 1, "the board is a text of 2 problems: expected one"),
    ],
)
def test_bad_boards_and_targets_are_named(board: Any, boxes: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Dots(board, boxes)


def test_bad_options_and_actions_are_named() -> None:
    with pytest.raises(InputError, match="order 'random': expected canonical, any or report"):
        Dots(ONE, 1, "random")
    problem = Dots(ONE, 1)
    for action in (["x", 0, 0], ["h", 0], "h00"):
        with pytest.raises(InputError, match="expected \\['h', i, j\\] or \\['v', i, j\\]"):
            problem.action_from_json(action)
    for action in (["h", 2, 0], ["h", 0, 2], ["v", 0, 1], ["v", -1, 0], ["v", "0", 0]):
        with pytest.raises(InputError, match="there is no line"):
            problem.action_from_json(action)
