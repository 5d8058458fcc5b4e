"""``profile``: the fewest arcs by dynamic programming, equal to slow references, and bounds that hold."""

import random
from itertools import product

import numpy as np
import pytest
from dots_reference import boards, count_boxes, empty, fewest_arcs, problems
from hypothesis import HealthCheck, given, settings, strategies as st
from slowly import quick

from procura import Dots, Limits, Outcome, solve
from procura.control import Control, resident_bytes
from procura.puzzles.dots import profile_search
from procura.puzzles.dots.cuts import filled, hull
from procura.puzzles.dots.heuristics import least_arcs
from procura.puzzles.dots.samples import samples
from procura.puzzles.dots.scan import AFTER, BOTTOM, Scan, beside

relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))


def needs(scan, closed):
    """The arcs that a set of boxes needs, counted one by one."""
    return len(scan.path(closed))


def fewest_by_sets(scan):
    """The fewest arcs for every number of boxes, by trying all sets of boxes."""
    best = {}
    for closed in product([False, True], repeat=scan.boxes):
        number = sum(closed)
        best[number] = min(best.get(number, 10**9), needs(scan, closed))
    return best


def fewest_by_lines(problem):
    """The fewest arcs, by every set of closed boxes of a row after every set of the row before."""
    rows, columns, target = problem.rows, problem.columns, problem.target
    horizontals, verticals = problem.board
    lines = np.array(list(product([0, 1], repeat=columns)))
    known = np.full((len(lines), target + 1), 10**6)
    known[0, 0] = 0
    for row in range(rows):
        alone = lines @ [1 - horizontals[row + 1][c] + 1 - verticals[c + 1][row] for c in range(columns)]
        for c in range(columns):
            left = lines[:, c - 1] if c else 0
            alone = alone + lines[:, c] * (1 - left) * (1 - verticals[c][row])
        missing_tops = [1 - arc for arc in horizontals[row]]
        tops = (1 - lines) @ (lines * missing_tops).T  # by (set of the row before, set of this row)
        after = np.full_like(known, 10**6)
        for number, line in enumerate(lines):
            arcs = (known + (tops[:, number] + alone[number])[:, None]).min(axis=0)
            for count, value in enumerate(arcs):
                total = min(target, count + line.sum())
                after[number, total] = min(after[number, total], value)
        known = after
    return int(known[:, target].min())


def answer(problem, **keywords):
    return solve(problem, "profile", engine="compiled", **keywords)


@given(problems(most_rows=3, most_columns=3, most_free=9))
@relaxed
def test_it_finds_the_smallest_set_of_arcs(problem):
    result = answer(problem)
    assert (result.cost, result.optimal, result.bound) == (fewest_arcs(problem), True, result.cost)


@given(boards(most_rows=4, most_columns=4), st.data())
@settings(relaxed, max_examples=200)
def test_it_equals_a_slow_reference_up_to_4x4(board, data):
    problem = Dots(board, data.draw(st.integers(0, count_boxes(board))))
    assert answer(problem).cost == fewest_by_lines(problem)


def random_problem(rng, most_rows, most_columns):
    rows, columns = rng.randint(1, most_rows), rng.randint(1, most_columns)
    part = rng.random()
    lists = [[[int(rng.random() < part) for _ in arcs] for arcs in kind] for kind in empty(rows, columns)]
    return Dots(lists, rng.randint(0, rows * columns))


@pytest.mark.slow
def test_it_equals_a_slow_reference_on_two_thousand_boards_up_to_4x4():
    rng = random.Random(20)
    for _ in range(2000):
        problem = random_problem(rng, 4, 4)
        assert answer(problem).cost == fewest_by_lines(problem), problem.board_text()


@pytest.mark.slow
def test_it_equals_a_slow_reference_on_two_hundred_boards_up_to_8x8():
    rng = random.Random(8)
    for _ in range(200):
        problem = random_problem(rng, 8, 8)
        assert answer(problem).cost == fewest_by_lines(problem), problem.board_text()


def mirrored(board):
    return [[arcs[::-1] for arcs in board[0]], board[1][::-1]]


def turned(board):
    horizontals, verticals = board
    return [[arcs[::-1] for arcs in verticals], horizontals[::-1]]


@given(boards(most_rows=7, most_columns=7), st.data())
@settings(relaxed, max_examples=30)
def test_mirrored_and_turned_boards_need_as_many(board, data):
    target = data.draw(st.integers(0, count_boxes(board)))
    assert len({answer(Dots(one, target)).cost for one in (board, mirrored(board), turned(board))}) == 1


@pytest.mark.parametrize("target", [1, 37, 72, 143, 144])
def test_an_empty_board_of_12x12_needs_the_arcs_of_the_most_compact_shape(target):
    result = answer(Dots(empty(12, 12), target))
    assert (result.cost, result.optimal) == (least_arcs(target), True)


@pytest.mark.parametrize("name", quick("hard-6x6", of=samples))
def test_auto_proves_every_sample_as_idastar_does(name):
    problem = Dots(**samples[name])
    result = solve(problem, engine="compiled")
    assert (result.algorithm, result.optimal) == ("profile", True)
    assert result.cost == solve(problem, "idastar:polyomino", engine="compiled").cost


@pytest.fixture
def bounded(monkeypatch):
    """Boards of any width are too wide."""
    monkeypatch.setattr(profile_search, "EXACT", 0)


@given(boards(most_rows=6, most_columns=6), st.data(), st.integers(1, 40))
@settings(relaxed, max_examples=60)
def test_of_a_bounded_run_the_answer_is_never_below_the_optimum_and_the_bound_never_above(bounded, board, data, width):
    problem = Dots(board, data.draw(st.integers(0, count_boxes(board))))
    result = answer(problem, width=width)
    assert result.bound <= fewest_by_lines(problem) <= result.cost
    assert result.optimal == (result.bound == result.cost)


def test_with_enough_masks_a_bounded_run_finds_the_optimum(bounded):
    rng = random.Random(5)
    for _ in range(40):
        problem = random_problem(rng, 6, 4)
        assert answer(problem, width=2048).cost == fewest_by_lines(problem)


@given(boards(most_rows=3, most_columns=3), st.data())
@relaxed
def test_the_hull_is_never_above_the_fewest_arcs_and_exact_at_its_corners(board, data):
    scan = Scan(Dots(board, data.draw(st.integers(0, count_boxes(board)))))
    best = fewest_by_sets(scan)
    known = hull(scan.line, scan.free, scan.target)
    assert known.bound <= best[scan.target]
    for corner in (known.below, known.above):
        assert corner.arcs == needs(scan, corner.boxes) == best[corner.number]
    made = filled(scan.line, scan.free, known.below, scan.target)
    assert made.number >= scan.target and made.arcs == needs(scan, made.boxes)


def test_boxes_beside_each_other_share_an_arc():
    scan = Scan(Dots(empty(3, 5), 1))
    assert scan.line == 3
    for box in range(scan.boxes):
        _, _, after, bottom = beside(scan.line, scan.boxes, box)
        for side, other, across in ((AFTER, after, 1), (BOTTOM, bottom, 0)):
            if other >= 0:
                assert scan.arcs[4 * box + side] == scan.arcs[4 * other + across]


def test_a_board_too_wide_has_an_answer_and_its_gap_whatever_the_limit():
    board = Dots.generate(3, size="20x20", drawn=0.3, boxes=200)
    few, short = (answer(board, limits=limits) for limits in (Limits(nodes=1), Limits(seconds=0.3)))
    for result in (few, short):
        assert result.outcome is Outcome.SOLVED and result.bound <= result.cost
    assert few.gap <= 20


@pytest.mark.parametrize("order", ["canonical", "any"])
@pytest.mark.parametrize(("depth", "outcome"), [(26, Outcome.NOT_FOUND), (27, Outcome.SOLVED)])
def test_a_depth_limit_holds(order, depth, outcome):
    result = answer(Dots(empty(4, 5), 10, order), limits=Limits(depth=depth))
    assert (result.outcome, result.bound) == (outcome, 27)
    assert result.stopped_by == (None if result.solved else "depth")


def test_interpreted_its_stand_in_runs():
    result = solve(Dots(empty(2, 2), 2), engine="python")
    assert (result.algorithm, result.cost, result.optimal) == ("anytime", 7, True)
    assert "profile runs compiled only" in result.notes[0]


@given(problems(most_rows=6, most_columns=6), st.integers(0, 3000))
@settings(relaxed, max_examples=40)
def test_a_limit_on_nodes_holds_and_there_is_an_answer_all_the_same(problem, nodes):
    result = answer(problem, limits=Limits(nodes=nodes))
    assert result.stats.expanded <= nodes
    assert result.solved and result.bound <= fewest_by_lines(problem) <= result.cost


def test_little_memory_leaves_an_answer():
    problem = Dots.generate(1, size="12x12", boxes=72)
    answer(problem)
    result = answer(problem, limits=Limits(memory=resident_bytes() + (20 << 20)))
    assert result.solved and result.bound <= result.cost


@pytest.mark.parametrize("size", [(17, 33), (24, 24), (2, 150)])
def test_every_rank_that_a_row_can_have_is_counted(size):
    problem = Dots(empty(*size), size[0] * size[1])
    layers = profile_search.Layers(Scan(problem), Control(), keep=1, room=4)
    assert 2 * len(problem.arcs) + 32 < len(layers.tally)
