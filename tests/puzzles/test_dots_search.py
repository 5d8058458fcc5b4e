"""Dots searched: the samples' proved minima, the report's problems, and boards turned about or drawn further."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from dots_reference import ORDERS, boards, count_boxes, fewest_arcs, problems
from hypothesis import given, settings, strategies as st
from slowly import slow

from procura import Limits, Outcome, solve
from procura.puzzles.dots import Dots
from procura.puzzles.dots.samples import samples

FEWEST = {"small-3x3": 6, "easy-4x4": 3, "hard-4x4": 10, "empty-4x5": 27, "hard-6x6": 19, "sparse-7x7": 79}
REPORT = {"A": 2, "B": 1, "C": 8, "D": 27, "E": 16, "F": 79}
"""The fewest arcs of the course's problems."""
SMALL = ("small-3x3", "easy-4x4", "hard-4x4")


def fewest(board: Any, target: int) -> int:
    result = solve(Dots(board, target), engine="python")
    assert result.optimal
    assert result.cost is not None
    return int(result.cost)


@pytest.mark.parametrize("name", [*list(FEWEST)[:-1], *slow("sparse-7x7")])
def test_idastar_proves_every_sample(name: str) -> None:
    result = solve(Dots(**samples[name]), "idastar:polyomino")
    assert (result.cost, result.optimal) == (FEWEST[name], True)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("configuration", ["bfs", "astar:polyomino"])
@pytest.mark.parametrize("name", SMALL)
def test_compiled_bfs_and_astar_prove_the_small_samples(name: str, configuration: str, order: str) -> None:
    result = solve(Dots(**samples[name], order=order), configuration, engine="compiled")
    assert (result.cost, result.optimal) == (FEWEST[name], True)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", FEWEST)
def test_dfs_with_a_depth_limit_solves_every_sample(name: str, order: str) -> None:
    problem = Dots(**samples[name], order=order)
    result = solve(problem, "dfs", limits=Limits(depth=len(problem.arcs)), engine="python")
    assert result.outcome is Outcome.SOLVED and result.optimal is False
    assert result.cost is not None and result.cost >= FEWEST[name]
    assert result.stats.expanded == result.cost, "never a step back: arcs enough close every box"


def test_dfs_below_the_fewest_arcs_is_stopped_by_depth() -> None:
    problem = Dots(**samples["small-3x3"])
    result = solve(problem, "dfs", limits=Limits(depth=FEWEST["small-3x3"] - 1), engine="python")
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "depth")


@pytest.mark.parametrize("name", SMALL)
def test_astar_with_base_proves_nothing(name: str) -> None:
    result = solve(Dots(**samples[name]), "astar:base", engine="python")
    assert (result.outcome, result.optimal, result.bound) == (Outcome.SOLVED, False, None)


def test_astar_with_base_can_miss_the_fewest_arcs() -> None:
    result = solve(Dots(**samples["hard-6x6"]), "astar:base", engine="python")
    assert (result.cost, result.optimal) == (FEWEST["hard-6x6"] + 1, False)


def transposed(board: Any) -> Any:
    return [board[1], board[0]]


def mirrored(board: Any) -> Any:
    return [[arcs[::-1] for arcs in board[0]], board[1][::-1]]


def rotated(board: Any) -> Any:
    return mirrored(transposed(board))


@settings(max_examples=50, deadline=None)
@given(boards(3, 4, most_free=14), st.data())
def test_boards_turned_about_keep_their_optimum(board: Any, data: Any) -> None:
    target = data.draw(st.integers(0, count_boxes(board)))
    least = fewest(board, target)
    assert rotated(rotated(rotated(rotated(board)))) == board
    for turned in (transposed(board), mirrored(board), rotated(board), rotated(rotated(board))):
        assert fewest(turned, target) == least


@settings(max_examples=50, deadline=None)
@given(boards(3, 3, most_free=12), st.data())
def test_one_more_arc_saves_one_arc_at_most_and_costs_none(board: Any, data: Any) -> None:
    free = [(kind, i, j) for kind in (0, 1) for i, arcs in enumerate(board[kind]) for j, v in enumerate(arcs) if not v]
    target = data.draw(st.integers(0, count_boxes(board)))
    least = fewest(board, target)
    assert least <= len(free)
    if free:
        kind, i, j = data.draw(st.sampled_from(free))
        board[kind][i][j] = 1
        assert least - 1 <= fewest(board, target) <= least


@settings(max_examples=50, deadline=None)
@given(boards(3, 3, most_free=12))
def test_a_larger_target_never_costs_less(board: Any) -> None:
    costs = [fewest(board, target) for target in range(count_boxes(board) + 1)]
    assert costs == sorted(costs)
    assert costs[-1] == sum(arcs.count(0) for lists in board for arcs in lists)


@settings(max_examples=50, deadline=None)
@given(problems(3, 3, most_free=9))
def test_both_orders_have_the_optimum_of_all_sets_of_arcs(problem: Dots) -> None:
    least = fewest_arcs(problem)
    for order in ORDERS:
        assert solve(problem.with_options(order=order), "bfs", engine="python").cost == least


@pytest.fixture(scope="module")
def report() -> str:
    path = Path(__file__).parents[3] / "shared" / "data" / "dots" / "problems.dat"
    if not path.exists():
        pytest.skip("the course's problems are not here")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORT)
def test_idastar_proves_the_problems_of_the_report(report: str, name: str) -> None:
    result = solve(Dots.from_text(report, problem=name), "idastar:polyomino")
    assert (result.cost, result.optimal) == (REPORT[name], True)


@pytest.mark.slow
@pytest.mark.parametrize("name", "ABC")
@pytest.mark.parametrize("configuration", ["bfs", "astar:polyomino"])
def test_compiled_bfs_and_astar_prove_the_first_problems_of_the_report(
    report: str, name: str, configuration: str
) -> None:
    for order in ORDERS:
        result = solve(Dots.from_text(report, problem=name, order=order), configuration, engine="compiled")
        assert (result.cost, result.optimal) == (REPORT[name], True)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", REPORT)
def test_dfs_with_a_depth_limit_solves_the_problems_of_the_report(report: str, name: str, order: str) -> None:
    problem = Dots.from_text(report, problem=name, order=order)
    result = solve(problem, "dfs", limits=Limits(depth=len(problem.arcs)), engine="python")
    assert result.outcome is Outcome.SOLVED and result.cost is not None and result.cost >= REPORT[name]


@pytest.mark.parametrize("name", "ABC")
def test_astar_with_base_proves_nothing_of_the_report(report: str, name: str) -> None:
    result = solve(Dots.from_text(report, problem=name), "astar:base", engine="python")
    assert (result.outcome, result.optimal) == (Outcome.SOLVED, False)


def report_children(board):
    """The boards after one line more, as the report's program lists them: horizontal lines, then vertical ones."""
    horizontals, verticals = board
    for row, column in product(range(len(horizontals)), range(len(horizontals[0]))):
        if not horizontals[row][column]:
            yield replaced(horizontals, row, column), verticals
    for row, column in product(range(len(verticals[0])), range(len(verticals))):
        if not verticals[column][row]:
            yield horizontals, replaced(verticals, column, row)


def replaced(lists, i, j):
    return [[1 if (a, b) == (i, j) else line for b, line in enumerate(part)] for a, part in enumerate(lists)]


def closed_boxes(board):
    horizontals, verticals = board
    boxes = product(range(len(horizontals) - 1), range(len(verticals) - 1))
    return sum(
        horizontals[r][c] and horizontals[r + 1][c] and verticals[c][r] and verticals[c + 1][r] for r, c in boxes
    )


def report_search(board, target, depth_first):
    """The report's loop over a list of open nodes: the length of its solution and the nodes it expanded."""
    frontier, expanded = [(board, 0)], 0
    while closed_boxes(frontier[0][0]) < target:
        (board, depth), *rest = frontier
        children = [(child, depth + 1) for child in report_children(board)]
        expanded += 1
        if any(closed_boxes(child) >= target for child, _ in children):
            return depth + 1, expanded
        frontier = children + rest if depth_first else rest + children
    return frontier[0][1], expanded


@pytest.mark.parametrize("preset", ["report_dfs", "report_bfs"])
@pytest.mark.parametrize("seed", range(6))
def test_the_reports_presets_search_as_its_program_did(preset, seed):
    problem = Dots.generate(seed, size="2x3", drawn=0.5, boxes=2)
    result = solve(problem, preset, engine="python")
    reference = report_search([list(map(list, lists)) for lists in problem.board], 2, preset == "report_dfs")
    assert (len(result.actions), result.stats.expanded) == reference
