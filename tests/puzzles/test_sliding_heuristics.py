"""The sliding puzzle's heuristics against plain definitions, and what they declare against the true distances."""

from __future__ import annotations

import random
from collections import deque
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sliding_boards import all_distances, plain_distances
from slowly import quick

from procura import Sliding
from procura.compiled.build import Part, Specialised
from procura.heuristics import BoundHeuristic, heuristic
from procura.problem import Estimate

GOALS = ["blank-last", "blank-first", "spiral"]
SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (3, 5), (5, 5)]
SOUND = ["manhattan", "misplaced", "sequence", "linear_conflict"]
REPORTS = ["report_h1", "report_h2", "report_h3", "report_h4", "report_h5"]


@st.composite
def boards(draw, shapes=SHAPES):
    """A board of any shape and goal; half of them can be solved."""
    rows, columns = draw(st.sampled_from(shapes))
    board = draw(st.permutations(range(rows * columns)))
    goal = draw(st.sampled_from(GOALS) | st.permutations(range(rows * columns)))
    return Sliding(board, goal, (rows, columns))


@st.composite
def near_goals(draw):
    """A board in which most tiles are in their lines, so that many conflict."""
    rows, columns = draw(st.sampled_from(SHAPES))
    goal = draw(st.permutations(range(rows * columns)))
    lines = [goal[r * columns : (r + 1) * columns] for r in range(rows)]
    board = [tile for line in lines for tile in draw(st.permutations(line))]
    if draw(st.booleans()):
        turned = [[goal[r * columns + c] for r in range(rows)] for c in range(columns)]
        turned = [draw(st.permutations(line)) for line in turned]
        board = [turned[c][r] for r in range(rows) for c in range(columns)]
    return Sliding(board, goal, (rows, columns))


def value(problem, name, state=None):
    return BoundHeuristic(heuristic(name), problem)(problem.initial if state is None else state)


def plain_manhattan(problem, tiles):
    board, goal, columns = problem.board, problem.goal, problem.columns
    ways = [(divmod(board.index(tile), columns), divmod(goal.index(tile), columns)) for tile in tiles]
    return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in ways)


def plain_pairs(problem):
    """What stands on the goals of 1 and 2, of 2 and 3, and so on."""
    values = [problem.board[problem.goal.index(tile)] for tile in range(1, len(problem.board))]
    return list(pairwise(values))


def plain_conflicts(problem):
    """For each line the fewest tiles without which all that belong to it are in order, by trying all subsets."""
    rows, columns = problem.rows, problem.columns
    total = 0
    for line in [[(r, c) for c in range(columns)] for r in range(rows)] + [
        [(r, c) for r in range(rows)] for c in range(columns)
    ]:
        board = [problem.board[r * columns + c] for r, c in line]
        goal = [problem.goal[r * columns + c] for r, c in line]
        wanted = [goal.index(tile) for tile in board if tile and tile in goal]
        most = max(k for k in range(len(wanted) + 1) for run in combinations(wanted, k) if list(run) == sorted(run))
        total += len(wanted) - most
    return total


@settings(max_examples=100, deadline=None)
@given(boards() | near_goals())
def test_heuristics_are_what_their_names_say(problem):
    tiles = range(1, len(problem.board))
    away = sum(problem.board.index(tile) != problem.goal.index(tile) for tile in tiles)
    blank_away = problem.board.index(0) != problem.goal.index(0)
    broken = sum(b != a + 1 for a, b in plain_pairs(problem))
    broken_too = sum((a, b) == (0, 1) for a, b in plain_pairs(problem))
    way, blank_way = plain_manhattan(problem, tiles), plain_manhattan(problem, [0])
    assert value(problem, "manhattan") == way
    assert value(problem, "misplaced") == away
    assert value(problem, "sequence") == -(-(broken + broken_too) // 2)
    assert value(problem, "linear_conflict") == way + 2 * plain_conflicts(problem)
    h1, h2, h3 = away + blank_away, broken, way + blank_way
    assert [value(problem, name) for name in REPORTS[:3]] == [h1, h2, h3]
    assert value(problem, "report_h4") == pytest.approx(0.05 * h1 + 0.01 * h2 + 0.94 * h3)
    assert value(problem, "report_h5") == max(h1, h2, h3)


@settings(max_examples=60, deadline=None)
@given(boards() | near_goals())
def test_sequence_is_at_most_misplaced_which_is_at_most_manhattan(problem):
    h = {name: value(problem, name) for name in (*SOUND, "mean", "largest")}
    assert h["sequence"] <= h["misplaced"] <= h["manhattan"] <= h["linear_conflict"]
    assert h["mean"] <= h["largest"] == h["manhattan"]


@settings(max_examples=60, deadline=None)
@given(boards() | near_goals(), st.lists(st.integers(0, 3), max_size=15))
def test_step_gives_the_fresh_value(problem, choices):
    state = problem.initial
    for choice in choices:
        moves = problem.actions(state)
        move = moves[choice % len(moves)]
        after = problem.result(state, move)
        for name, declared in problem.heuristics.items():
            if isinstance(declared, Estimate) and declared.step is not None:
                before = problem.estimate(name, state)
                stepped = declared.step(problem.row(state), problem.lists, problem.work(), move, before)
                assert stepped == problem.estimate(name, after), name
        state = after


@cache
def plain_walking_distances(home):
    """Moves to the goal of the puzzle that only counts tiles: entry 4 a + b are those of goal line b in line a."""
    goal = tuple((4 - (a == home)) * (a == b) for a in range(4) for b in range(4))
    distance, queue = {goal: 0}, deque([(goal, home)])
    while queue:
        counts, blank = queue.popleft()
        for other in {blank - 1, blank + 1} & {0, 1, 2, 3}:
            for kind in range(4):
                if counts[4 * other + kind]:
                    changed = list(counts)
                    changed[4 * other + kind] -= 1
                    changed[4 * blank + kind] += 1
                    after = tuple(changed)
                    if after not in distance:
                        distance[after] = distance[counts] + 1
                        queue.append((after, other))
    return distance


@settings(max_examples=60, deadline=None)
@given(boards([(4, 4)]))
def test_walking_distance_is_that_of_the_puzzles_that_count_lines(problem):
    board, goal, total = problem.board, problem.goal, 0
    for line_of in (lambda i: i // 4, lambda i: i % 4):
        counts = [0] * 16
        for tile in range(1, 16):
            counts[4 * line_of(board.index(tile)) + line_of(goal.index(tile))] += 1
        total += plain_walking_distances(line_of(goal.index(0)))[tuple(counts)]
    assert value(problem, "walking_distance") == total


def test_the_puzzle_that_counts_lines_has_24964_positions_and_needs_35_moves_at_most():
    for home in range(4):
        distances = plain_walking_distances(home)
        assert (len(distances), max(distances.values())) == (24964, 35)


def test_walking_distance_is_declared_on_4x4_boards_only_and_built_when_first_used():
    assert "walking_distance" in Sliding.heuristics
    assert "walking_distance" not in Sliding(range(12), size="3x4").heuristics
    problem = Sliding(range(16))
    value(problem, "max(manhattan, linear_conflict)")
    assert len(problem.lists.walk) == 0
    value(problem, "max(manhattan, walking_distance)")
    assert len(problem.lists.walk) == len(problem.data.walk)
    assert Sliding(range(16)).estimate("walking_distance", problem.initial) > 0


# What follows runs the kernels, compiled, on every board of a size.


def same(s, data, work, move, h):
    return h


moves = apply = inverse = heuristic_kernel = step = same  # bound to the puzzle's
STEP = False


def sweep(states, row, work, out, data, values, found):
    """The value at each state; the largest fall by a move, and how often ``step`` is not the fresh value."""
    for k in range(states.shape[0]):
        for i in range(row.size):
            row[i] = states[k, i]
        count = moves(row, data, work, out)
        h = stepped = 0
        for m in range(-1, count):
            if m >= 0:
                stepped = step(row, data, work, out[m], h)
                apply(row, data, work, out[m])
            fresh = heuristic_kernel(row, data, work)
            if m < 0:
                h = values[k] = fresh
                continue
            apply(row, data, work, inverse(data, out[m]))
            found[0] = max(found[0], h - fresh)
            if STEP and stepped != fresh:
                found[1] += 1


def swept(problem, name, boards):
    """(values, largest fall, wrong steps) over all the boards."""
    problem.open_tables(name)
    estimate = problem.heuristics[name]
    bindings = {"heuristic_kernel": estimate.function, "step": estimate.step or same, "STEP": estimate.step is not None}
    bindings |= {kernel: getattr(problem, kernel) for kernel in ("moves", "apply", "inverse")}
    states = np.column_stack([boards, np.argmin(boards, axis=1)]).astype(np.int8)
    values, found = np.zeros(len(boards), dtype=np.int64), np.zeros(2, dtype=np.int64)
    data = type(problem.data)(*(np.asarray(field) for field in problem.lists))
    rest = (np.zeros(problem.size, np.int8), np.zeros(problem.scratch, np.int64), np.zeros(4, np.int64), data)
    function = Specialised(Part(sweep, tuple(bindings.items())), {}, False)
    function.prepare(states, *rest, values, found)
    function(states, *rest, values, found)
    return values, int(found[0]), int(found[1])


def scrambled(rows, columns):
    return random.Random(rows * columns).sample(range(rows * columns), rows * columns)


@pytest.mark.parametrize(("rows", "columns", "count"), [(2, 2, 12), (2, 3, 360), (3, 2, 360)])
def test_all_distances_are_those_of_the_plain_search(rows, columns, count):
    goal = scrambled(rows, columns)
    cells, distances = all_distances(goal, rows, columns)
    plain = plain_distances(goal, rows, columns)
    assert dict(zip(map(tuple, cells.tolist()), distances.tolist(), strict=True)) == plain
    assert len(cells) == count


@pytest.mark.parametrize(
    ("shape", "goal"), [*product([(2, 2), (2, 3), (3, 2), (3, 3)], [*GOALS, "scrambled"])], ids=str
)
def test_declared_bounds_hold_on_all_boards_of_a_size(shape, goal):
    goal = scrambled(*shape) if goal == "scrambled" else goal
    problem = Sliding(range(shape[0] * shape[1]), goal, shape)
    cells, distances = all_distances(problem.goal, *shape)
    for name in SOUND:
        values, fall, wrong_steps = swept(problem, name, cells)
        assert problem.heuristics[name].admissible and problem.heuristics[name].consistent
        assert (values <= distances).all() and values[0] == 0, name
        assert fall <= 1 and wrong_steps == 0, name


@pytest.mark.parametrize("goal", quick("spiral", of=[*GOALS, "scrambled"]))
def test_declared_bounds_hold_on_4x4_boards_near_the_goal_and_anywhere(goal):
    goal = scrambled(4, 4) if goal == "scrambled" else goal
    problem = Sliding(range(16), goal)
    near, distances = all_distances(problem.goal, 4, 4, depth=15)
    anywhere = np.random.default_rng(1).permuted(np.tile(np.arange(16), (50_000, 1)), axis=1)
    for name in [*SOUND, "walking_distance"]:
        values, fall, wrong_steps = swept(problem, name, np.concatenate([near, anywhere]))
        assert (values[: len(near)] <= distances).all() and values[0] == 0, name
        assert fall <= 1 and wrong_steps == 0, name


@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (3, 5)])
def test_tile_distances_have_the_parity_of_the_true_one(shape):
    problem = Sliding(range(shape[0] * shape[1]), "spiral", shape)
    cells, distances = all_distances(problem.goal, *shape, depth=12)
    names = ["manhattan", "linear_conflict"] + ["walking_distance"] * (shape == (4, 4))
    for name in names:
        values, fall, wrong_steps = swept(problem, name, cells)
        assert ((distances - values) % 2 == 0).all() and (values <= distances).all()
        assert fall == 1 and wrong_steps == 0


def test_the_reports_h2_can_fall_by_3():
    problem = Sliding(range(9))
    cells, _ = all_distances(problem.goal, 3, 3)
    assert swept(problem, "report_h2", cells)[1] == 3


@pytest.mark.parametrize("name", REPORTS)
def test_the_reports_own_heuristics_overestimate_one_move_from_the_goal(name):
    problem = Sliding("1 2 3 4 5 0 7 8 6")
    assert problem.is_goal(problem.result(problem.initial, 1))
    assert value(problem, name) > 1.9
    bound = BoundHeuristic(heuristic(name), problem)
    assert not bound.admissible and not bound.consistent


@pytest.mark.parametrize("name", ["mean", "largest"])
def test_the_corrected_compositions_are_known_to_be_admissible(name):
    bound = BoundHeuristic(heuristic(name), Sliding(range(9)))
    assert bound.admissible and bound.consistent
