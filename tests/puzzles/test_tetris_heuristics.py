"""Heuristics of Tetris: features against slow counting, bounds against exhaustive search, and counter-examples."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tetris_boards import LOOKS, MAXIMUM, boards, filled, pieces_lists

from procura import Estimate, Tetris
from procura.heuristics import BoundHeuristic, heuristic
from procura.problem import DEAD
from procura.puzzles.bits import ones
from procura.puzzles.tetris import Board, bounds

COSTS = ["quality", "opportunity", "report1"]
MIRROR = str.maketrans("ljsz", "jlzs")


def by_heights(*heights: int) -> list[list[bool]]:
    """A board without holes whose columns have these heights."""
    return [[row < height for height in heights] for row in range(max(heights))]


def value(problem: Tetris, text: str, state: Any = None) -> Any:
    return BoundHeuristic(heuristic(text), problem)(problem.initial if state is None else state)


def slow_features(board: Board) -> dict[str, int]:
    """The features of the reports, cell by cell."""
    cells = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    heights = [board.column_height(column) for column in range(board.columns)]
    slopes = [abs(a - b) for a, b in pairwise(heights)]
    empty = [(row, column) for row, column in cells if not board.is_filled(row, column)]
    return {
        "holes": sum(board.is_filled(row + 1, column) for row, column in empty),
        "covered": sum(any(board.is_filled(r, column) for r in range(row, board.rows)) for row, column in empty),
        "relief": sum(slopes),
        "higher_slope": max(slopes),
        "height": sum(heights),
        "filled": len(cells) - len(empty),
    }


@given(st.integers(0, 2**31 - 1))
def test_ones_are_counted(mask: int) -> None:
    assert ones(mask) == mask.bit_count()


@settings(deadline=None)
@given(st.sampled_from([(18, 10), (6, 4), (9, 31)]), st.sampled_from(COSTS), pieces_lists, st.data())
def test_features_are_those_counted_cell_by_cell(size: tuple[int, int], cost: str, letters: list[str], data: Any):
    rows, columns = size
    problem = Tetris(data.draw(boards(rows, columns)), letters, cost, rows=rows, columns=columns)
    state = problem.initial
    while True:
        expected = slow_features(Board(state[:rows], rows=rows, columns=columns))
        made = problem.points(state)
        expected["quality"] = -made
        expected["opportunity"] = sum(MAXIMUM[letter] for letter in letters[: state[rows]]) - made
        assert {name: problem.estimate(name, state) for name in expected} == expected
        if not (moves := problem.actions(state)):
            return
        state = problem.result(state, data.draw(st.sampled_from(moves)))


def test_the_worked_example_of_the_first_report() -> None:
    problem = Tetris(by_heights(6, 5, 5, 5, 4, 5, 6, 6, 4, 5), "t")
    assert value(problem, "height") == 51
    assert value(problem, "height_share") == 51 / 180
    assert value(problem, "relief_share") == (1 + 1 + 1 + 1 + 2 + 1) / 162


def test_the_worked_example_of_the_second_report() -> None:
    board = by_heights(9, 1, 0, 0, 0, 2, 2, 2, 5, 5)
    board[0][0] = board[1][0] = board[0][9] = False
    problem = Tetris(board, "t")
    assert [value(problem, name) for name in ("higher_slope", "relief", "covered", "filled")] == [8, 14, 3, 23]
    assert value(problem, "holes") == 2  # two of the three lie one on the other
    assert value(problem, "report2_sum") == 500 * 3 + 10 * 8


def test_normalised_features_have_the_divisors_of_the_report_and_fit_other_sizes() -> None:
    assert Tetris.heuristics["holes_share"] == "holes/85"
    assert Tetris.heuristics["relief_share"] == "relief/162"
    assert Tetris.heuristics["height_share"] == "height/180"
    assert Tetris.heuristics["opportunity_share"] == "opportunity/4800"
    small = Tetris("empty", "t", rows=8, columns=5).heuristics
    assert (small["holes_share"], small["relief_share"], small["height_share"]) == (
        "holes/17.5",
        "relief/32",
        "height/40",
    )


def test_the_sums_of_the_first_report_weigh_its_features() -> None:
    problem = Tetris("#..#.#.##.\n.#########", "t i")
    state = problem.result(problem.initial, problem.actions(problem.initial)[3])
    holes, relief, height, lost = (value(problem, name, state) for name in ("holes", "relief", "height", "opportunity"))
    best = 0.17679017 * holes / 85 + 0.99800133 * relief / 162 + 0.47329903 * height / 180 + 0.36889546 * lost / 4800
    assert value(problem, "report1_sum", state) == pytest.approx(best, rel=1e-12)
    second = 0.2537328 * holes / 85 + 0.93107579 * relief / 162 + 0.27038572 * height / 180 + 0.33585559 * lost / 4800
    assert value(problem, "report1_second_sum", state) == pytest.approx(second, rel=1e-12)


def facts(problem: Tetris, name: str) -> Estimate:
    declared = problem.heuristics[name]
    assert isinstance(declared, Estimate)
    return declared


def check_bounds(problem: Tetris, state: Any) -> tuple[Any, dict[str, Any]]:
    """(least cost to a goal, values), checking all that is declared of every heuristic on all states on the way."""
    named = [name for name, declared in problem.heuristics.items() if isinstance(declared, Estimate)]
    h = {name: problem.estimate(name, state) for name in named if facts(problem, name).admissible}
    least = 0 if problem.is_goal(state) else DEAD
    for _, after, cost in problem.successors(state):
        rest, h_after = check_bounds(problem, after)
        least = min(least, DEAD if rest >= DEAD else cost + rest)
        for name in h:
            falls = h[name] < DEAD and h[name] > cost + h_after[name] + 1e-9
            assert not (facts(problem, name).consistent and falls), f"{name} is not consistent"
    for name in h:
        assert h[name] <= least + 1e-9, f"{name} is not admissible"
        assert not (problem.is_goal(state) and facts(problem, name).consistent) or h[name] == 0
    return least, h


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([(4, 3), (4, 3), (5, 2), (6, 2)]), st.integers(5, 9), st.sampled_from(COSTS), st.data())
def test_what_is_called_admissible_and_consistent_is(size: tuple[int, int], rows: int, cost: str, data: Any) -> None:
    columns, most = size
    letters = data.draw(st.lists(st.sampled_from(sorted(LOOKS)), min_size=2, max_size=most))
    problem = Tetris(data.draw(boards(rows, columns)), letters, cost, rows=rows, columns=columns)
    own = facts(problem, f"{cost}_bound")
    assert own.admissible and own.consistent
    check_bounds(problem, problem.initial)


def test_bounds_hold_with_pieces_beyond_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "HORIZON", 1)
    for seed in range(40):
        problem = Tetris.generate(seed, p=1.0, d=0.25, rows=8, columns=4, pieces=3, cost=COSTS[seed % 3])
        check_bounds(problem, problem.initial)


def test_long_lists_count_their_last_pieces_with_their_maxima() -> None:
    assert value(Tetris("empty", "i" * 64), "quality_bound") == value(Tetris("empty", "i" * 65), "quality_bound") + 800


def most_points(problem: Tetris, state: Any) -> int:
    """The most points of any solution by trying all; -1 if there is none."""
    best = problem.points(state) if problem.is_goal(state) else -1
    return max([best, *(most_points(problem, after) for _, after, _ in problem.successors(state))])


@settings(max_examples=40, deadline=None)
@given(boards(8, 4), st.lists(st.sampled_from(sorted(LOOKS)), min_size=2, max_size=3))
def test_a_mirrored_board_with_mirrored_pieces_keeps_its_maximum(masks: list[int], letters: list[str]) -> None:
    problem = Tetris(masks, letters, rows=8, columns=4)
    reflected = [sum((mask >> c & 1) << (3 - c) for c in range(4)) for mask in masks]
    mirrored = Tetris(reflected, "".join(letters).translate(MIRROR), rows=8, columns=4)
    assert most_points(problem, problem.initial) == most_points(mirrored, mirrored.initial)
    for name in ("holes", "covered", "relief", "higher_slope", "height", "filled", "quality_bound"):
        assert problem.estimate(name, problem.initial) == mirrored.estimate(name, mirrored.initial)


def solved_state(problem: Tetris) -> Any:
    """The state after the first placement of every piece; a goal."""
    state = problem.initial
    while moves := problem.actions(state):
        state = problem.result(state, moves[0])
    assert problem.is_goal(state)
    return state


@pytest.mark.parametrize("cost", COSTS)
def test_features_overestimate_where_nothing_is_left_to_pay(cost: str) -> None:
    problem = Tetris("..#.......\n..........\n.#########", "s i", cost)
    goal = solved_state(problem)
    names = ["holes", "covered", "relief", "higher_slope", "height", "filled", "opportunity"]
    names += [f"{name}_share" for name in ("holes", "relief", "height", "opportunity")]
    for name in [*names, "report1_sum", "report1_second_sum", "report2_sum"]:
        assert not BoundHeuristic(heuristic(name), problem).admissible
        assert value(problem, name, goal) > 0


def test_points_made_bound_only_costs_that_are_never_negative() -> None:
    for cost in ("quality", "report1"):
        problem = Tetris(filled(4, 0, 8), "i", cost)
        assert not facts(problem, "quality").admissible
        assert value(problem, "quality") == 0  # and yet 800 points can be made
    lost = Tetris("empty", "i", "opportunity")
    assert facts(lost, "quality").admissible and not facts(lost, "quality").consistent
    old = Tetris([1023] * 4, "o", "opportunity")
    assert not facts(old, "quality").admissible and value(old, "quality") == 0  # a step costs 300 - 800


def test_bounds_of_other_costs_overestimate() -> None:
    for cost in ("quality", "report1"):
        free = Tetris("empty", "t", cost)
        assert not facts(free, "opportunity_bound").admissible
        assert value(free, "opportunity_bound") == 300  # a goal costs nothing
    four = Tetris(filled(4, 0, 8), "i")
    assert not facts(four, "report1_bound").admissible
    assert value(four, "report1_bound") == -800 / 4800 > -800
    old = Tetris([1023] * 4, "o", "opportunity")
    assert not facts(old, "report1_bound").admissible and value(old, "report1_bound") > 300 - 800


def test_points_made_are_not_consistent_with_opportunity() -> None:
    problem = Tetris(filled(4, 0, 8), "i", "opportunity")
    after, cost = problem.step(problem.initial, problem.action_from_json(["i", 0, 9]))
    assert value(problem, "quality") > cost + value(problem, "quality", after)


def test_bounds_count_the_old_full_rows() -> None:
    problem = Tetris([15, 3, 3], "o", columns=4)
    best = problem.result(problem.initial, problem.action_from_json(["o", 0, 2]))
    assert problem.points(best) == 500
    assert value(problem, "quality_bound") == -500


def test_a_covered_row_waits_for_the_row_that_covers_it() -> None:
    open_rows = Tetris([0b1110] * 2, "i", columns=4)
    assert value(open_rows, "quality_bound") == -300
    covered = Tetris([0b1110, 0b0111], "i", columns=4)  # the gap of row 0 lies under row 1
    assert value(covered, "quality_bound") == -100


def test_an_i_that_clears_two_rows_has_two_cells_in_them() -> None:
    assert value(Tetris([0b1110] * 2, "i", columns=4), "quality_bound") == -300
    assert value(Tetris([0b1100] * 2, "i", columns=4), "quality_bound") == -100


def test_dead_boards_are_known_by_the_bounds() -> None:
    lost = Tetris([0] * 17 + [1], "t")
    no_room = Tetris([15, 15, 15, 14], "o", rows=5, columns=4)  # 15 cells of 16 below the top row
    for problem in (lost, no_room):
        for bound in ("quality_bound", "opportunity_bound", "report1_bound"):
            assert value(problem, bound) == DEAD
