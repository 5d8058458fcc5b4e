"""Pancakes and TopSpin of examples/, against plain lists and plain searches."""

from __future__ import annotations

from collections import deque
from itertools import permutations

import pytest
from hypothesis import given, strategies as st
from pancakes import Pancakes
from topspin import TopSpin

from procura import InputError, Limits, Outcome, solve, testing

STACK = [3, 6, 1, 5, 7, 0, 4, 2]


def turned_over(stack):
    """The stacks after each move."""
    return [(*reversed(stack[: k + 1]), *stack[k + 1 :]) for k in range(1, len(stack))]


def turned_round(ring):
    """The rings after each move: the four places that begin at each are read backwards."""
    n, after = len(ring), []
    for k in range(n):
        places = [(k + i) % n for i in range(4)]
        changed = list(ring)
        for place, token in zip(places, [ring[place] for place in reversed(places)], strict=True):
            changed[place] = token
        after.append(tuple(changed))
    return after


def distances(goal, after):
    """The fewest moves from every state to the goal: moves take themselves back."""
    found, waiting = {goal: 0}, deque([goal])
    while waiting:
        state = waiting.popleft()
        for other in after(state):
            if other not in found:
                found[other] = found[state] + 1
                waiting.append(other)
    return found


@pytest.mark.parametrize(("puzzle", "after"), [(Pancakes, turned_over), (TopSpin, turned_round)])
@given(st.permutations(range(7)))
def test_moves_are_those_of_plain_lists(puzzle, after, board):
    problem = puzzle(board)
    assert [state for _, state, _ in problem.successors(problem.initial)] == after(tuple(board))
    assert problem.is_goal(problem.initial) == (board == sorted(board))


@pytest.mark.parametrize(("puzzle", "after"), [(Pancakes, turned_over), (TopSpin, turned_round)])
def test_databases_never_say_more_than_the_true_distance(puzzle, after):
    n = 6
    true = distances(tuple(range(n)), after)
    problem = puzzle(range(n))
    close = 0
    for state, least in true.items():
        value = problem.estimate("pdb", state)
        assert value <= least and (value == 0) == (least == 0)
        close += least - value <= 2
    assert close > len(true) / 2


@pytest.mark.parametrize(("puzzle", "after"), [(Pancakes, turned_over), (TopSpin, turned_round)])
def test_solutions_are_shortest(puzzle, after):
    true = distances(tuple(range(7)), after)
    for board in list(true)[::250]:
        result = solve(puzzle(board), engine="python")
        assert result.optimal and result.cost == true[board]


def test_odd_rings_are_not_searched():
    true = distances(tuple(range(7)), turned_round)
    for board in permutations(range(7)):
        assert (TopSpin(board).why_unsolvable() is None) == (board in true)
    assert solve(TopSpin([1, 0, 2, 3, 4, 5, 6])).outcome is Outcome.NO_SOLUTION


def test_patterns_save_nearly_all_expansions():
    """The figures of the documentation."""
    blind, largest, total = (
        solve(Pancakes(STACK), search, engine="python").stats.expanded
        for search in ("astar", "astar:max(group0, group1)", "astar:pdb")
    )
    assert blind > 10 * largest > 1000 * total


@pytest.mark.parametrize("problem", [Pancakes([3, 1, 4, 0, 2, 5]), TopSpin([3, 1, 4, 0, 2, 5])])
def test_conformance(problem):
    testing.check(problem, walks=3, length=6, engines=False)


@pytest.mark.slow
@pytest.mark.parametrize("problem", [Pancakes([*STACK, 9, 8]), TopSpin([*STACK, 9, 8])])
def test_both_engines_agree(problem):
    testing.check(problem, walks=3, length=6)
    for search in ("astar:pdb", "idastar:pdb"):
        testing.assert_same_on_both_engines(problem, search, limits=Limits(nodes=1000))


@pytest.mark.parametrize(
    ("puzzle", "text", "message"),
    [
        (Pancakes, "2 x", "pancakes '2 x': expected numbers such as 2 0 3 1"),
        (Pancakes, "\n", "expected numbers such as 2 0 3 1"),
        (Pancakes, "1 ²", "pancakes '1 ²': expected numbers such as 2 0 3 1"),
        (Pancakes, "1 2", "expected the sizes 0 to 1, each once"),
        (TopSpin, "", "tokens '': expected numbers such as 1 0 2 3 4 5"),
        (TopSpin, "0 1 2 3", "expected 0 to 3, each once, and more than 4"),
    ],
)
def test_bad_boards_are_refused(puzzle, text, message):
    with pytest.raises(InputError, match=message):
        puzzle.from_text(text)


def test_boards_may_end_with_a_newline_and_stand_on_several_lines():
    for puzzle in (Pancakes, TopSpin):
        assert puzzle.from_text("3 6 1 5\n7 0 4 2\n").initial == tuple(STACK)


def test_a_large_ring_has_databases_of_a_million_rows():
    assert {table.rows for table in TopSpin([1, 0, *range(2, 20)]).data} == {1_000_000}
    assert {table.rows for table in TopSpin(STACK).data} == {8 * 7 * 6 * 5}


def test_boards_are_read_back():
    for puzzle in (Pancakes, TopSpin):
        assert puzzle.from_text(puzzle(STACK).board_text()).initial == tuple(STACK)
