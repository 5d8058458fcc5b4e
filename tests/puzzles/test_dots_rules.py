"""Dots keeps the rules: against counting by hand, all subsets of arcs, and exhaustive search."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil, sqrt
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from procura.errors import InputError
from procura.problem import DEAD
from procura.puzzles.dots import Dots
from procura.puzzles.dots.formats import read_problems
from procura.puzzles.dots.heuristics import least_arcs

ADMISSIBLE = ("half", "half_sharing", "polyomino")
CONSISTENT = ("half", "half_sharing")
ORDERS = ("canonical", "any")

Lists = list[list[list[int]]]


def empty(rows: int, columns: int) -> Lists:
    return [[[0] * columns for _ in range(rows + 1)], [[0] * rows for _ in range(columns + 1)]]


@st.composite
def boards(draw: Any, most_rows: int = 3, most_columns: int = 3, most_free: int = 99) -> Lists:
    rows, columns = draw(st.integers(1, most_rows)), draw(st.integers(1, most_columns))
    horizontals, verticals = empty(rows, columns)
    places = [(arcs, j) for arcs in horizontals + verticals for j in range(len(arcs))]
    free = draw(st.sets(st.integers(0, len(places) - 1), max_size=most_free))
    for number, (arcs, j) in enumerate(places):
        arcs[j] = int(number not in free)
    return [horizontals, verticals]


def lists_of(problem: Dots, state: Any) -> Lists:
    """The drawn arcs of a state as lists, put there by the JSON form of each arc."""
    lists = empty(problem.rows, problem.columns)
    for arc in range(len(state) - 1):
        kind, i, j = problem.action_to_json(arc)
        lists["hv".index(kind)][i][j] = int(state[arc] == 1)
    return lists


def closed_boxes(horizontals: list[list[int]], verticals: list[list[int]]) -> int:
    return sum(
        horizontals[r][c] and horizontals[r + 1][c] and verticals[c][r] and verticals[c + 1][r]
        for r in range(len(horizontals) - 1)
        for c in range(len(verticals) - 1)
    )


def fewest_arcs(problem: Dots) -> int:
    """The smallest set of free arcs that meets the target, by trying all sets."""
    free = [arc for arc, drawn in enumerate(problem.initial[:-1]) if not drawn]
    for count in range(len(free) + 1):
        for chosen in combinations(free, count):
            state = list(problem.initial)
            for arc in chosen:
                state[arc] = 1
            if closed_boxes(*lists_of(problem, state)) >= problem.target:
                return count
    raise AssertionError("all arcs close all boxes")


def idastar(problem: Dots, heuristic: str) -> tuple[int, int]:
    """The length of a shortest solution, and the nodes visited to prove it."""
    visited = 0

    def visit(state: Any, g: int, bound: int) -> tuple[bool, int]:
        nonlocal visited
        visited += 1
        if problem.is_goal(state):
            return True, g
        above = DEAD
        for _, after, cost in problem.successors(state):
            f = g + cost + problem.estimate(heuristic, after)
            if f <= bound:
                found, f = visit(after, g + cost, bound)
                if found:
                    return True, f
            above = min(above, f)
        return False, above

    found, bound = False, problem.estimate(heuristic, problem.initial)
    while not found:
        assert bound < DEAD
        found, bound = visit(problem.initial, 0, bound)
    return bound, visited


def slow_values(problem: Dots, state: Any) -> dict[str, int]:
    """The admissible heuristics, straight from their definitions, on sets of arcs by their JSON form."""
    values: dict[Any, int] = {}
    for arc, value in enumerate(state[:-1]):
        values[tuple(problem.action_to_json(arc))] = value
    boxes = [
        {("h", r, c), ("h", r + 1, c), ("v", c, r), ("v", c + 1, r)}
        for r in range(problem.rows)
        for c in range(problem.columns)
    ]
    alive = [box for box in boxes if all(values[arc] != 2 for arc in box)]
    still_open = [box for box in alive if any(values[arc] == 0 for arc in box)]
    n = problem.target
    missing = n - (len(alive) - len(still_open))
    if missing <= 0:
        return dict.fromkeys(ADMISSIBLE, 0)
    if missing > len(still_open):
        return dict.fromkeys(ADMISSIBLE, DEAD)
    costs = [sum(1 / sum(arc in other for other in alive) for arc in box if values[arc] == 0) for box in still_open]
    sharing = ceil(sum(sorted(costs)[:missing]))
    useful = {arc for box in alive for arc in box if values[arc] == 1}
    drawn = sorted((sum(values[arc] == 1 for arc in box) for box in alive), reverse=True)
    compact = 2 * n + ceil(2 * sqrt(n)) - min(len(useful), sum(drawn[:n]))
    return {"half": ceil(missing / 2), "half_sharing": sharing, "polyomino": max(sharing, compact)}


def check_heuristics(problem: Dots, state: Any, known: dict[Any, int]) -> int:
    """The fewest arcs to a goal (DEAD for none), checking the heuristics on all states on the way."""
    if state in known:
        return known[state]
    values = {name: problem.estimate(name, state) for name in ADMISSIBLE}
    least = 0 if problem.is_goal(state) else DEAD
    for _, after, cost in problem.successors(state):
        least = min(least, cost + check_heuristics(problem, after, known))
        for name in CONSISTENT:
            assert values[name] >= DEAD or values[name] <= cost + problem.estimate(name, after), name
    least = min(least, DEAD)
    for name, value in values.items():
        assert value <= least, name
        assert (value >= DEAD) == (least >= DEAD), f"{name} knows exactly what is dead"
    assert values["half"] <= values["half_sharing"] <= values["polyomino"]
    known[state] = least
    return least


@given(boards(), st.sampled_from(ORDERS), st.data())
def test_every_play_keeps_the_rules(board: Lists, order: str, data: Any) -> None:
    target = data.draw(st.integers(0, (len(board[0]) - 1) * (len(board[1]) - 1)))
    problem = Dots(board, target, order)
    state = problem.initial
    assert lists_of(problem, state) == board
    while True:
        assert state[-1] == closed_boxes(*lists_of(problem, state))
        assert problem.is_goal(state) == (state[-1] >= target)
        moves = problem.actions(state)
        assert moves == [arc for arc, value in enumerate(state[:-1]) if value == 0]
        if not moves:
            return
        move = data.draw(st.sampled_from(moves))
        after, cost = problem.step(state, move)
        assert cost == 1
        for arc, (old, new) in enumerate(zip(state[:-1], after[:-1], strict=True)):
            skipped = order == "canonical" and old == 0 and arc < move
            assert new == (1 if arc == move else 2 if skipped else old)
        state = after


def test_arcs_are_numbered_list_by_list_and_the_horizontal_ones_come_first() -> None:
    problem = Dots(empty(2, 3), 1)
    actions = [problem.action_to_json(arc) for arc in problem.actions(problem.initial)]
    assert actions[:4] == [["h", 0, 0], ["h", 0, 1], ["h", 0, 2], ["h", 1, 0]]
    assert actions[9:12] == [["v", 0, 0], ["v", 0, 1], ["v", 1, 0]]
    assert [problem.action_from_json(action) for action in actions] == list(range(17))


def test_canonical_order_reaches_each_set_of_arcs_by_one_path() -> None:
    def walk(state: Any) -> None:
        reached[frozenset(arc for arc in range(7) if state[arc] == 1)] += 1
        for _, after, _ in problem.successors(state):
            walk(after)

    problem, reached = Dots(empty(1, 2), 2), Counter[frozenset[int]]()
    walk(problem.initial)
    assert len(reached) == 2**7 and set(reached.values()) == {1}


@given(boards(), st.sampled_from(ORDERS), st.data())
def test_heuristics_are_those_of_their_definitions(board: Lists, order: str, data: Any) -> None:
    boxes = (len(board[0]) - 1) * (len(board[1]) - 1)
    problem = Dots(board, data.draw(st.integers(1, boxes)), order)
    state = problem.initial
    while moves := problem.actions(state):
        assert {name: problem.estimate(name, state) for name in ADMISSIBLE} == slow_values(problem, state)
        assert problem.estimate("base", state) == max(0, problem.target - state[-1])
        state = problem.result(state, data.draw(st.sampled_from(moves[:3])))


@settings(max_examples=100, deadline=None)
@given(boards(2, 2, most_free=9), st.sampled_from(ORDERS), st.sampled_from(ADMISSIBLE), st.data())
def test_idastar_finds_the_fewest_arcs(board: Lists, order: str, heuristic: str, data: Any) -> None:
    target = data.draw(st.integers(0, (len(board[0]) - 1) * (len(board[1]) - 1)))
    problem = Dots(board, target, order)
    assert idastar(problem, heuristic)[0] == fewest_arcs(problem)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("target", [1, 2, 3, 4])
def test_no_admissible_heuristic_overestimates_on_any_state_of_two_by_two(order: str, target: int) -> None:
    problem = Dots(empty(2, 2), target, order)
    known: dict[Any, int] = {}
    assert check_heuristics(problem, problem.initial, known) == least_arcs(target)
    assert len(known) == 2**12


@settings(max_examples=100, deadline=None)
@given(boards(3, 3, most_free=8), st.sampled_from(ORDERS), st.data())
def test_no_admissible_heuristic_overestimates_on_larger_boards(board: Lists, order: str, data: Any) -> None:
    target = data.draw(st.integers(0, (len(board[0]) - 1) * (len(board[1]) - 1)))
    problem = Dots(board, target, order)
    check_heuristics(problem, problem.initial, {})


def test_declared_facts_are_those_tested() -> None:
    for name, declared in Dots.heuristics.items():
        assert declared.admissible == (name in ADMISSIBLE)  # type: ignore[union-attr]
        assert declared.consistent == (name in CONSISTENT)  # type: ignore[union-attr]


def test_base_overestimates_where_one_arc_closes_two_boxes() -> None:
    problem = Dots([[[1, 1], [1, 1]], [[1], [0], [1]]], 2)
    assert problem.estimate("base", problem.initial) == 2
    assert fewest_arcs(problem) == problem.estimate("half", problem.initial) == 1


def test_polyomino_may_fall_by_more_than_a_step_costs() -> None:
    horizontals = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    verticals = [[0, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 1]]
    problem = Dots([horizontals, verticals], 3, "any")
    after = problem.result(problem.initial, problem.action_from_json(["h", 2, 0]))
    assert problem.estimate("polyomino", problem.initial) == 7
    assert problem.estimate("polyomino", after) == 5


@pytest.mark.parametrize("boxes", range(1, 10))
def test_least_arcs_are_those_of_the_most_compact_boxes(boxes: int) -> None:
    problem = Dots(empty(3, 3), 1)
    sides = [problem.data.sides[4 * box : 4 * box + 4] for box in range(9)]
    assert least_arcs(boxes) == min(
        len({arc for box in chosen for arc in sides[box]}) for chosen in combinations(range(9), boxes)
    )


def test_the_empty_board_of_four_by_five_is_proved_at_once() -> None:
    assert idastar(Dots(empty(4, 5), 10), "polyomino") == (27, 28)


def test_a_better_heuristic_proves_in_fewer_nodes() -> None:
    horizontals = [[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]]
    verticals = [[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 1, 1]]
    problem = Dots([horizontals, verticals], 8)
    lengths, visited = zip(*(idastar(problem, name) for name in reversed(ADMISSIBLE)), strict=True)
    assert set(lengths) == {8}
    assert list(visited) == sorted(visited) and visited[0] < 100 < visited[2]


def test_large_boards_count_their_boxes_in_more_bits() -> None:
    problem = Dots([[[1] * 12] * 13, [[1] * 12] * 13], 144)
    assert problem.dtype == "int16" and problem.initial[-1] == 144 and problem.is_goal(problem.initial)
    assert problem.actions(problem.initial) == []
    assert Dots(empty(11, 11), 1).dtype == "int8"


def test_drawing_shows_drawn_arcs_only() -> None:
    problem = Dots([[[1, 0], [0, 0]], [[0], [0], [1]]], 1)
    state = problem.result(problem.initial, problem.action_from_json(["v", 1, 0]))
    assert problem.to_text(state).splitlines() == [".---.   .", "    |   |", ".   .   ."]


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
        ("((0 0) (0 0))", "line 1: expected a name, a target and a board"),
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
    with pytest.raises(InputError, match="order 'random': expected canonical or any"):
        Dots(ONE, 1, "random")
    problem = Dots(ONE, 1)
    for action in (["x", 0, 0], ["h", 0], "h00"):
        with pytest.raises(InputError, match="expected \\['h', i, j\\] or \\['v', i, j\\]"):
            problem.action_from_json(action)
    for action in (["h", 2, 0], ["h", 0, 2], ["v", 0, 1], ["v", -1, 0], ["v", "0", 0]):
        with pytest.raises(InputError, match="expected list 0 to"):
            problem.action_from_json(action)
