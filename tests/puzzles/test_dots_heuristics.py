"""The heuristics of Dots: against their definitions, exhaustive search, and one another."""

from __future__ import annotations

from itertools import combinations
from math import ceil, sqrt
from typing import Any

import pytest
from dots_reference import ORDERS, boxes_of, empty, fewest_arcs, problems
from hypothesis import given, settings, strategies as st

from procura.problem import DEAD
from procura.puzzles.dots import Dots
from procura.puzzles.dots.heuristics import least_arcs

ADMISSIBLE = ("half", "half_sharing", "polyomino")
CONSISTENT = ("half", "half_sharing")


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
    """The heuristics, straight from their definitions, on sets of arcs."""
    alive = [box for box in boxes_of(problem) if all(state[arc] != 2 for arc in box)]
    still_open = [box for box in alive if any(state[arc] == 0 for arc in box)]
    n = problem.target
    missing = n - (len(alive) - len(still_open))
    if missing <= 0:
        return dict.fromkeys(("base", *ADMISSIBLE), 0)
    costs = [sum(1 / sum(arc in other for other in alive) for arc in box if state[arc] == 0) for box in still_open]
    sharing = ceil(sum(sorted(costs)[:missing]))
    useful = {arc for box in alive for arc in box if state[arc] == 1}
    drawn = sorted((sum(state[arc] == 1 for arc in box) for box in alive), reverse=True)
    compact = 2 * n + ceil(2 * sqrt(n)) - min(len(useful), sum(drawn[:n]))
    return {
        "base": missing,
        "half": ceil(missing / 2),
        "half_sharing": sharing,
        "polyomino": max(sharing, compact),
    }


def check_heuristics(problem: Dots, state: Any, known: dict[Any, int]) -> int:
    """The fewest arcs to a goal, checking the heuristics on all states on the way."""
    if state in known:
        return known[state]
    values = {name: problem.estimate(name, state) for name in ADMISSIBLE}
    least = 0 if problem.is_goal(state) else DEAD
    for _, after, cost in problem.successors(state):
        least = min(least, cost + check_heuristics(problem, after, known))
        for name in CONSISTENT:
            assert values[name] <= cost + problem.estimate(name, after), name
    assert least < DEAD, "every state leads to a goal"
    assert values["half"] <= values["half_sharing"] <= values["polyomino"] <= least
    known[state] = least
    return least


@given(problems(), st.data())
def test_heuristics_are_those_of_their_definitions(problem: Dots, data: Any) -> None:
    state = problem.initial
    while moves := problem.actions(state):
        slow = slow_values(problem, state)
        assert {name: problem.estimate(name, state) for name in slow} == slow
        state = problem.result(state, data.draw(st.sampled_from(moves[:3])))


@given(problems(), st.data())
def test_steps_give_the_value_after_the_move(problem: Dots, data: Any) -> None:
    stepped = {name: e for name, e in Dots.heuristics.items() if e.step is not None}
    assert set(stepped) == {"base", "half"}
    state = problem.initial
    while moves := problem.actions(state):
        move = data.draw(st.sampled_from(moves))
        after = problem.result(state, move)
        for name, declared in stepped.items():
            value = problem.estimate(name, state)
            assert declared.step is not None
            given_value = declared.step(problem.row(state), problem.lists, problem.work(), move, value)
            assert given_value == problem.estimate(name, after)
        state = after


@settings(max_examples=100, deadline=None)
@given(problems(2, 2, most_free=9), st.sampled_from(ADMISSIBLE))
def test_heuristics_never_exceed_the_smallest_set_of_arcs_and_idastar_finds_it(problem: Dots, name: str) -> None:
    least = fewest_arcs(problem)
    assert problem.estimate(name, problem.initial) <= least
    assert idastar(problem, name)[0] == least


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("target", [1, 2, 3, 4])
def test_no_admissible_heuristic_overestimates_on_any_state_of_two_by_two(order: str, target: int) -> None:
    problem = Dots(empty(2, 2), target, order)
    known: dict[Any, int] = {}
    assert check_heuristics(problem, problem.initial, known) == least_arcs(target)
    assert len(known) == 2**12 or order == "canonical"


@settings(max_examples=100, deadline=None)
@given(problems(3, 3, most_free=8))
def test_no_admissible_heuristic_overestimates_on_larger_boards(problem: Dots) -> None:
    check_heuristics(problem, problem.initial, {})


def test_declared_facts_are_those_tested() -> None:
    assert set(Dots.heuristics) == {"base", *ADMISSIBLE}
    for name, declared in Dots.heuristics.items():
        assert declared.admissible == (name in ADMISSIBLE)
        assert declared.consistent == (name in CONSISTENT)


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
