"""The rules and formats of the sliding puzzle against a plain board of lists."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st
from sliding_boards import plain_distances, plain_moves

from procura import InputError, Sliding
from procura.puzzles.sliding.samples import samples

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (3, 5)]
GOALS = ["blank-last", "blank-first", "spiral"]


def state_of(cells):
    return (*cells, cells.index(0))


@st.composite
def walks(draw):
    """A puzzle of any shape and goal, and a random walk through it."""
    rows, columns = draw(st.sampled_from(SHAPES))
    board = draw(st.permutations(range(rows * columns)))
    goal = draw(st.sampled_from(GOALS) | st.permutations(range(rows * columns)))
    return Sliding(board, goal, (rows, columns)), draw(st.lists(st.integers(0, 3), max_size=20))


def steps(problem, choices):
    """(before, move, after) along a walk."""
    state = problem.initial
    for choice in choices:
        actions = problem.actions(state)
        move = actions[choice % len(actions)]
        after = problem.result(state, move)
        yield state, move, after
        state = after


@settings(max_examples=60, deadline=None)
@given(walks())
def test_moves_are_those_of_a_plain_board(walk):
    problem, choices = walk
    for before, _, _ in steps(problem, [*choices, 0]):
        plain = plain_moves(before[:-1], problem.rows, problem.columns)
        ours = {problem.action_to_json(move): after for move, after, _ in problem.successors(before)}
        assert list(ours) == list(plain)
        assert all(ours[name] == state_of(plain[name]) for name in plain)
        assert {cost for _, _, cost in problem.successors(before)} == {1}
        assert problem.is_goal(before) == (before[:-1] == problem.goal)


@settings(max_examples=60, deadline=None)
@given(walks())
def test_inverse_takes_a_move_back_and_is_the_only_one_to_do_so(walk):
    problem, choices = walk
    for before, move, after in steps(problem, choices):
        back = [action for action in problem.actions(after) if problem.undoes(action, move)]
        assert [problem.result(after, action) for action in back] == [before]


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("goal", [*GOALS, "scrambled"])
def test_parity_tells_exactly_which_boards_reach_the_goal(rows, columns, goal):
    cells = [*range(rows * columns)]
    if goal == "scrambled":
        random.Random(5).shuffle(cells)
        goal = cells
    target = Sliding(range(rows * columns), goal, (rows, columns)).goal
    reachable = plain_distances(target, rows, columns)
    for board in permutations(range(rows * columns)):
        problem = Sliding(board, goal, (rows, columns))
        assert problem.solvable() == (board in reachable)
        assert problem.proved_unsolvable() != problem.solvable()


@settings(max_examples=60, deadline=None)
@given(walks())
def test_no_move_changes_solvability_and_a_swap_of_two_tiles_does(walk):
    problem, choices = walk
    size = (problem.rows, problem.columns)
    for _, _, after in steps(problem, choices):
        assert Sliding(after[:-1], problem.goal, size).solvable() == problem.solvable()
    swap = {1: 2, 2: 1}
    other = Sliding([swap.get(tile, tile) for tile in problem.board], problem.goal, size)
    assert other.solvable() != problem.solvable()


def test_named_goals():
    spiral = (1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7)
    assert Sliding(range(16), "spiral").goal == spiral
    assert Sliding(range(12), "spiral", "3x4").goal == (1, 2, 3, 4, 10, 11, 0, 5, 9, 8, 7, 6)
    assert Sliding(range(6), "spiral", "3x2").goal == (1, 2, 0, 3, 5, 4)
    assert Sliding(range(4), "spiral").goal == (1, 2, 0, 3)
    assert Sliding(range(9)).goal == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    assert Sliding(range(9), "blank-first").goal == tuple(range(9))
    assert Sliding(range(4), "3 2\n1 0").goal == (3, 2, 1, 0)
    assert Sliding(range(4), [[3, 2], [1, 0]]).goal == (3, 2, 1, 0)


OPTIMAL = {"runcodes-1": 9, "runcodes-3": 38, "moodle-1": 8, "moodle-2": 36, "moodle-3": 41, "moodle-4": 13}
OPTIMAL |= {"moodle-5": 28, "moodle-6": 46, "moodle-7": 48, "moodle-8": 54, "moodle-9": 52, "moodle-10": 42}


def test_the_reports_boards_are_solvable_and_manhattan_stays_below_their_known_optimum():
    assert set(samples) == set(OPTIMAL)
    for name, sample in samples.items():
        problem = Sliding(**sample)
        h = problem.estimate("manhattan", problem.initial)
        assert problem.solvable()
        assert h <= OPTIMAL[name] and (OPTIMAL[name] - h) % 2 == 0


def test_the_reports_short_boards_have_their_known_optimum():
    distance = plain_distances(Sliding(**samples["moodle-1"]).goal, 4, 4, depth=13)
    for name in ("runcodes-1", "moodle-1", "moodle-4"):
        assert distance[Sliding(**samples[name]).board] == OPTIMAL[name]


def test_a_row_is_the_tiles_then_the_blanks_place():
    problem = Sliding("1 2 3 4 0 5 6 7 8")
    assert problem.initial == (1, 2, 3, 4, 0, 5, 6, 7, 8, 4)
    assert (problem.size, problem.key, problem.bits, problem.dtype) == (10, 9, 4, "int8")
    assert problem.identity(problem.initial) == problem.board


@pytest.mark.parametrize(("size", "dtype"), [("10x10", "int8"), ("12x12", "int16"), ("32x32", "int16")])
def test_large_boards_fit_their_rows(size, dtype):
    side = int(size.split("x")[0])
    problem = Sliding([*range(1, side * side), 0], size=size)
    assert problem.dtype == dtype and problem.is_goal(problem.initial)
    state = problem.result(problem.initial, 0)
    assert state[-1] == side * (side - 1) - 1 and problem.estimate("manhattan", state) == 1


FLAT = ["1 2 3 4 5 0", "1,2,3, 4 5,0", [1, 2, 3, 4, 5, 0], (1, 2, 3, 4, 5, 0), ["1", "2", "3", "4", "5", "."]]
LINES = ["1 2 3\n4 5 0\n", "\n 1, 2, 3,\n\n 4, 5, 0\n", "1 2 3\n4 5 .", [[1, 2, 3], [4, 5, 0]]]


@pytest.mark.parametrize(("board", "size"), [(board, "2x3") for board in FLAT] + [(b, None) for b in LINES])
def test_one_board_written_in_many_ways(board, size):
    problem = Sliding(board, size=size)
    assert (problem.rows, problem.columns, problem.board) == (2, 3, (1, 2, 3, 4, 5, 0))


def test_shape_comes_from_size_then_lines_then_square():
    twelve = "1 2 3 4\n5 6 7 8\n9 10 11 0"
    assert (Sliding(twelve).rows, Sliding(twelve).columns) == (3, 4)
    assert (Sliding(twelve, size="4x3").rows, Sliding(twelve, size=(2, 6)).columns) == (4, 6)
    assert Sliding("1 2 3 4 5 6\n7 8 0").rows == 3
    assert Sliding("1\n2\n3\n0").rows == 2


@settings(max_examples=60, deadline=None)
@given(walks())
def test_text_is_read_back(walk):
    problem, _ = walk
    again = Sliding.from_text(problem.to_text(problem.initial), goal=problem.goal)
    assert again.initial == problem.initial and again.data == problem.data


def test_text_is_an_aligned_grid():
    problem = Sliding("1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7")
    assert problem.to_text(problem.initial) == " 1  2  3  4\n12 13 14  5\n11  . 15  6\n10  9  8  7"


def test_actions_have_a_json_form():
    problem = Sliding(range(9))
    assert [problem.action_from_json(name) for name in "UDLR"] == [0, 1, 2, 3]
    assert [problem.action_to_json(move) for move in range(4)] == ["U", "D", "L", "R"]
    for bad in ("X", "", "UD", 0, None, ["U"]):
        with pytest.raises(InputError, match="expected one of U, D, L, R"):
            problem.action_from_json(bad)


BAD = [
    (("1 2 3 4 5 6 7 8 8",), "board, row 3, column 3: 8 is already at row 3, column 2"),
    (("1 2 3 4 x 6 7 8 0",), "board, row 2, column 2: 'x' is not one of 0 to 8"),
    (("1 2 3 4 9 6 7 8 0",), "board, row 2, column 2: '9' is not one of 0 to 8"),
    (("1 2 3 4 -5 6 7 8 0",), "board, row 2, column 2: '-5' is not one of 0 to 8"),
    ((f"1 2 3 {'9' * 5000}",), f"board, row 2, column 2: '{'9' * 20}' is not one of 0 to 3"),
    (("1 2 3 4 5 6 7 8",), "board has 8 numbers: expected a square"),
    (("",), "board has 0 numbers: expected a square"),
    (("0",), "board: expected numbers such as 1 2 3 0, not"),
    ((range(33 * 33),), "board has 1089 numbers: expected at most 1024"),
    (([1, 2, 3, 0.0],), "board, row 2, column 2: '0.0' is not one of 0 to 3"),
    (([1, 2, 3, None],), "board, row 2, column 2: 'None' is not one of 0 to 3"),
    (([[1, 2], [3]],), "board, row 2 has 1 numbers: expected 2 as in row 1"),
    (([[1, 2], 3, 0],), "board, row 2: expected a list of numbers"),
    ((5,), "board: expected text or a list of numbers, not 5"),
    (("1 2 3 0", "sprial"), "goal 'sprial': expected blank-last, blank-first, spiral or numbers"),
    (("1 2 3 0", "1 2 0"), "goal has 3 numbers: expected 4 for size 2x2"),
    (("1 2 3 0", "1 2 0 0"), "goal, row 2, column 2: 0 is already at row 2, column 1"),
    (("1 2 3 0", None), "goal: expected text or a list of numbers, not None"),
    (("1 2 3 0", "spiral", "2x3"), "board has 4 numbers: expected 6 for size 2x3"),
    (("1 2 3 0", "spiral", "1x4"), "size 1x4: expected at least 2x2"),
    (("1 2 3 0", "spiral", "99x99"), "size 99x99: expected at most 1024 cells"),
    (("1 2 3 0", "spiral", "four"), "size 'four': expected rows and columns, such as 3x4"),
    (("1 2 3 0", "spiral", 4), "size 4: expected rows and columns, such as 3x4"),
    (("1 2 3 0", "spiral", (2, 2, 1)), r"size \(2, 2, 1\): expected rows and columns, such as 3x4"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_told_with_its_place(arguments, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Sliding(*arguments)
