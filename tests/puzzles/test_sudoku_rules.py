"""Sudoku against plain sets of digits: the moves, the answers, and the energy of complete fills."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from procura import InputError, Sudoku, rng
from procura.puzzles.sudoku.samples import samples

SOLUTIONS = {
    "easy": "157946832284573196396128745672351984549287613831469257415692378763815429928734561",
    "medium": "538674219162958734479312685254863197913247568687195342345781926726439851891526473",
    "diabolic": "613794258987251364542683791356942817874516932129378546435127689791865423268439175",
}
BOARDS = [
    *(sample["board"] for sample in samples.values()),
    "." * 16,
    "." * 81,
    "." * 256,
    "1234341221434...",
]
boards = st.sampled_from(BOARDS)


def plain_units(side):
    """Rows, columns and blocks as lists of (row, column), worked out from scratch."""
    b = {4: 2, 9: 3, 16: 4}[side]
    rows = [[(r, c) for c in range(side)] for r in range(side)]
    columns = [[(r, c) for r in range(side)] for c in range(side)]
    blocks = [
        [(r, c) for r in range(top, top + b) for c in range(left, left + b)]
        for top in range(0, side, b)
        for left in range(0, side, b)
    ]
    return rows, columns, blocks


def plain_candidates(cells, side, place):
    """The digits not yet in the row, column and block of ``place``."""
    seen = set()
    for kind in plain_units(side):
        for unit in kind:
            if place in unit:
                seen |= {cells[r * side + c] for r, c in unit}
    return [digit for digit in range(1, side + 1) if digit not in seen]


def plain_energy(cells, side):
    """Repeated digits in rows and columns, counted afresh."""
    rows, columns, _ = plain_units(side)
    counts = [Counter(cells[r * side + c] for r, c in unit) for unit in rows + columns]
    return sum(count - 1 for unit in counts for count in unit.values())


def play(problem, seed, most=20):
    """States along a random play, until nothing fits."""
    source, state = random.Random(seed), problem.initial
    for _ in range(most):
        yield state
        actions = problem.actions(state)
        if not actions:
            return
        state = problem.result(state, source.choice(actions))


def descend(problem, state):
    """Every goal below ``state``, depth first."""
    if problem.is_goal(state):
        yield state
    for action in problem.actions(state):
        yield from descend(problem, problem.result(state, action))


@settings(max_examples=25, deadline=None)
@given(boards, st.sampled_from(["first", "fewest"]), st.integers(0, 99))
def test_moves_fill_the_chosen_cell_with_what_the_rules_allow(board, choice, seed):
    problem = Sudoku(board, choice)
    side = problem.side
    for state in play(problem, seed, most=4):
        places = [divmod(cell, side) for cell in range(side * side) if state[cell] == 0]
        if not places:
            assert problem.is_goal(state) and problem.actions(state) == []
            break
        place = places[0]
        if choice == "fewest":
            place = min(places, key=lambda p: (len(plain_candidates(state, side, p)), p))
        expected = [[*place, digit] for digit in plain_candidates(state, side, place)]
        assert [problem.action_to_json(move) for move in problem.actions(state)] == expected


@settings(max_examples=25, deadline=None)
@given(boards, st.sampled_from(["first", "fewest"]), st.integers(0, 99))
def test_payload_is_what_the_cells_say(board, choice, seed):
    problem = Sudoku(board, choice)
    for state in play(problem, seed):
        again = Sudoku(list(problem.identity(state)), choice)
        assert again.initial == state
        assert problem.estimate("empty", state) == state[: problem.key].count(0)


def test_empty_is_the_exact_number_of_steps_left():
    problem = Sudoku(samples["easy"]["board"], "fewest")
    step = problem.heuristics["empty"].step
    for state in play(problem, 1, most=40):
        h = problem.estimate("empty", state)
        assert problem.is_goal(state) == (h == 0)
        for move, after, cost in problem.successors(state):
            assert cost == 1
            assert problem.estimate("empty", after) == h - 1
            assert step(problem.row(state), problem.lists, problem.work(), move, h) == h - 1


@pytest.mark.parametrize("name", SOLUTIONS)
def test_the_reports_boards_have_one_solution_the_known_one(name):
    problem = Sudoku(**samples[name], choice="fewest")
    (goal,) = descend(problem, problem.initial)
    assert "".join(map(str, goal[:81])) == SOLUTIONS[name]
    assert len(problem.fills(goal)) == problem.givens.count(0)
    in_order = problem.with_options(choice="first").fills(goal)
    assert in_order == sorted(problem.fills(goal))


@pytest.mark.parametrize("choice", ["first", "fewest"])
def test_there_are_288_sudokus_of_4x4_however_they_are_built(choice):
    problem = Sudoku("." * 16, choice)
    goals = list(descend(problem, problem.initial))
    assert len(goals) == len(set(goals)) == 288


def test_a_cell_without_candidates_leaves_no_moves():
    board = "123. ...4 .... ...."
    assert Sudoku(board).actions(Sudoku(board).initial) == []
    late = "...4 .... ..3. 12.."
    for choice, stuck in (("fewest", True), ("first", False)):
        problem = Sudoku(late, choice)
        assert (problem.actions(problem.initial) == []) == stuck


@pytest.mark.parametrize("board", BOARDS)
def test_text_is_read_back(board):
    problem = Sudoku(board)
    assert Sudoku.from_text(problem.to_text(problem.initial), choice="fewest").givens == problem.givens


def test_one_board_written_in_many_ways():
    expected = (1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4)
    rows = [expected[i : i + 4] for i in range(0, 16, 4)]
    for board in (
        "1.....2..3.....4",
        "1000 0020\n0300 0004\n",
        ["1...", "..2.", ".3..", "...4"],
        rows,
        expected,
    ):
        assert Sudoku(board).givens == expected
    assert Sudoku(expected).to_text(expected) == "1. ..\n.. 2.\n\n.3 ..\n.. .4"


def test_boards_of_16_write_ten_to_sixteen_as_letters():
    problem = Sudoku("123456789ABCDEFG" + "." * 240)
    assert problem.givens[:16] == tuple(range(1, 17))
    assert Sudoku("123456789abcdefg" + "." * 240).givens == problem.givens
    assert problem.to_text(problem.initial).startswith("1234 5678 9ABC DEFG\n")
    assert [problem.action_to_json(move) for move in problem.actions(problem.initial)][-1] == [1, 0, 16]


BAD = [
    ("1" * 80, "board has 80 cells: expected 16, 81 or 256"),
    ("", "board has 0 cells: expected 16, 81 or 256"),
    ("1...\n..2\n.3..\n...4", "row 2 has 3 cells: expected 4"),
    ([[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0]], "row 4 has 3 cells: expected 4"),
    ("1...x.2..3.....4", "row 2, column 1: 'x' is not one of 1 to 4, nor '.' or '0' for empty"),
    ("1...5.2..3.....4", "row 2, column 1: '5' is not one of 1 to 4"),
    ("." * 255 + "0", "row 16, column 16: '0' is not one of 1 to G, nor '.' for empty"),
    ([*range(16)], "row 2, column 2: '5' is not one of 1 to 4"),
    ([0.5, *[0] * 15], "row 1, column 1: '0.5' is not one of 1 to 4"),
    (7, "board: expected text or a list, not 7"),
    ("1..1............", "row 1, column 1 and row 1, column 4: 1 is given twice in row 1"),
    (".2...........2..", "row 1, column 2 and row 4, column 2: 2 is given twice in column 2"),
    ("..........3....3", "row 3, column 3 and row 4, column 4: 3 is given twice in block 4"),
    ("." * 240 + "G..............G", "row 16, column 1 and row 16, column 16: G is given twice in row 16"),
]


@pytest.mark.parametrize(("board", "message"), BAD)
def test_bad_input_is_told_with_its_place(board, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Sudoku(board)


def test_actions_have_a_json_form():
    problem = Sudoku("." * 81)
    assert all(problem.action_from_json(problem.action_to_json(move)) == move for move in range(729))
    for bad in ([9, 0, 1], [0, 9, 1], [0, 0, 0], [0, 0, 10], [0, 0], "abc", None, [0, 0, "1"], [0.5, 0, 1]):
        with pytest.raises(InputError, match=r"expected \[row, column, digit\]"):
            problem.action_from_json(bad)
    with pytest.raises(InputError, match="choice 'last': expected first or fewest"):
        Sudoku("." * 81, "last")


class Fill:
    """A complete fill and a stream of random numbers, with the kernels as methods."""

    def __init__(self, board, seed):
        self.problem = Sudoku(board).local()
        self.side = self.problem.sudoku.side
        self.rng = [rng.stream(seed)]
        self.row = self.random()

    def call(self, name, *arguments, row=None):
        kernel = getattr(self.problem, name)
        return kernel(self.row if row is None else row, self.problem.lists, self.problem.work(), *arguments)

    def random(self):
        row = self.problem.row([0] * self.problem.size)
        self.call("randomise", self.rng, row=row)
        return row


def assert_sound(row, problem):
    """Givens stand, every block holds every digit once, and the counts are those of the cells."""
    side, givens = problem.sudoku.side, problem.sudoku.givens
    assert all(given in (0, digit) for given, digit in zip(givens, row, strict=False))
    rows, columns, blocks = plain_units(side)
    for block in blocks:
        assert sorted(row[r * side + c] for r, c in block) == list(range(1, side + 1))
    counts = [[row[r * side + c] for r, c in unit].count(d + 1) for unit in rows + columns for d in range(side)]
    assert list(row[side * side :]) == counts


@pytest.mark.parametrize("board", BOARDS)
def test_every_fill_is_sound(board):
    fill = Fill(board, 1)
    assert_sound(fill.problem.initial, fill.problem)
    assert_sound(fill.row, fill.problem)
    assert_sound(fill.random(), fill.problem)


@settings(max_examples=25, deadline=None)
@given(boards, st.integers(0, 99))
def test_change_returns_the_difference_of_a_recount_and_revert_restores(board, seed):
    fill = Fill(board, seed)
    for _ in range(10):
        before, energy = list(fill.row), fill.call("energy")
        assert energy == plain_energy(before[: fill.problem.key], fill.side)
        move = fill.call("propose", fill.rng)
        foreseen = fill.call("preview", move)
        assert fill.row == before
        difference = fill.call("change", move)
        assert foreseen == difference
        assert energy + difference == fill.call("energy") == plain_energy(fill.row[: fill.problem.key], fill.side)
        assert_sound(fill.row, fill.problem)
        fill.call("revert", move)
        assert fill.row == before
        assert fill.problem.inverse(fill.problem.lists, move) == move
        fill.call("change", move)


def test_propose_draws_every_pair_of_free_cells_of_a_block_and_no_other():
    fill = Fill(samples["diabolic"]["board"], 3)
    givens = fill.problem.sudoku.givens
    expected = set()
    for block in plain_units(9)[2]:
        free = [place for place in block if givens[place[0] * 9 + place[1]] == 0]
        expected |= {(*a, *b) for a in free for b in free if a < b}
    drawn = {tuple(fill.problem.action_to_json(fill.call("propose", fill.rng))) for _ in range(4000)}
    listed = {tuple(fill.problem.action_to_json(move)) for move in fill.problem.actions(tuple(fill.row))}
    assert drawn == listed == expected
    assert len(expected) == fill.problem.max_moves


def blocks(row, side):
    """The digits of each block."""
    return [[row[r * side + c] for r, c in block] for block in plain_units(side)[2]]


def child_of(fill, name):
    """Two random parents and their child by the crossover of that name."""
    a, b, child = fill.random(), fill.random(), fill.problem.row(fill.problem.initial)
    fill.problem.crossovers[name](a, b, child, fill.problem.lists, fill.problem.work(), fill.rng)
    return a, b, child


@settings(max_examples=25, deadline=None)
@given(boards, st.integers(0, 99), st.sampled_from(["blocks", "bands"]))
def test_every_crossover_keeps_the_digits_of_every_block(board, seed, name):
    fill = Fill(board, seed)
    a, b, child = child_of(fill, name)
    assert_sound(child, fill.problem)
    for ours, from_a, from_b in zip(*(blocks(row, fill.side) for row in (child, a, b)), strict=True):
        assert ours in (from_a, from_b)


@settings(max_examples=25, deadline=None)
@given(boards, st.integers(0, 99))
def test_block_crossover_takes_the_first_blocks_of_one_parent_and_the_rest_of_the_other(board, seed):
    fill = Fill(board, seed)
    a, b, child = child_of(fill, "blocks")
    from_a, from_b, ours = (blocks(row, fill.side) for row in (a, b, child))
    assert any(ours == from_a[:n] + from_b[n:] for n in range(1, fill.side))
    assert fill.problem.cross is next(iter(fill.problem.crossovers.values()))


def line_repeats(row, side, kind, part):
    """Repeated digits in the rows (kind 0) of a band or in the columns (kind 1) of a stack."""
    b = {4: 2, 9: 3, 16: 4}[side]
    lines = plain_units(side)[kind][part * b : (part + 1) * b]
    return sum(side - len({row[r * side + c] for r, c in line}) for line in lines)


@settings(max_examples=40, deadline=None)
@given(boards, st.integers(0, 99))
def test_band_crossover_takes_every_band_or_every_stack_from_the_better_parent(board, seed):
    fill = Fill(board, seed)
    side, b = fill.side, {4: 2, 9: 3, 16: 4}[fill.side]
    one, other, child = child_of(fill, "bands")
    parents = (one, other)

    def allowed(kind):
        """Whether the child is what bands (0) or stacks (1) can give."""
        for part in range(b):
            cells = [r * side + c for r in range(side) for c in range(side) if (r, c)[kind] // b == part]
            least = min(line_repeats(parent, side, kind, part) for parent in parents)
            best = [parent for parent in parents if line_repeats(parent, side, kind, part) == least]
            if [child[cell] for cell in cells] not in [[parent[cell] for cell in cells] for parent in best]:
                return False
        return True

    assert allowed(0) or allowed(1)


def test_band_crossover_takes_bands_and_stacks_alike():
    fill, kinds = Fill("." * 81, 5), set()
    for _ in range(40):
        a, b, child = child_of(fill, "bands")
        ours, from_a, from_b = (blocks(row, 9) for row in (child, a, b))
        bands = all(ours[k : k + 3] in (from_a[k : k + 3], from_b[k : k + 3]) for k in (0, 3, 6))
        stacks = all(ours[k::3] in (from_a[k::3], from_b[k::3]) for k in range(3))
        kinds.add((bands, stacks))
    assert {(True, False), (False, True)} <= kinds


@pytest.mark.parametrize("choice", ["first", "fewest"])
@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solved_fill_gives_the_actions_of_the_original(name, choice):
    sudoku = Sudoku(**samples[name], choice=choice)
    fill = sudoku.local()
    cells = [int(digit) for digit in SOLUTIONS[name]]
    goal = (*cells, *[1] * 162)
    assert fill.is_goal(goal) and fill.energy(fill.row(goal), fill.lists, fill.work()) == 0
    assert not fill.is_goal(fill.initial)
    actions, state = fill.solution_actions(goal), sudoku.initial
    assert actions == [[*divmod(cell, 9), cells[cell]] for cell in range(81) if not sudoku.givens[cell]]
    for action in actions:
        state = sudoku.result(state, sudoku.action_from_json(action))
    assert sudoku.is_goal(state) and list(state[:81]) == cells
    assert fill.to_text(goal) == sudoku.to_text(state)


def test_most_moves_of_an_empty_board():
    assert [Sudoku("." * n).local().max_moves for n in (16, 81, 256)] == [4 * 6, 9 * 36, 16 * 120]


def test_a_board_with_nothing_to_swap_can_still_be_annealed():
    fill = Fill("1234 3412 2143 432.", 1)
    before = list(fill.row)
    assert fill.problem.actions(tuple(before)) == []
    move = fill.call("propose", fill.rng)
    assert fill.call("change", move) == 0 and fill.row == before
    assert fill.problem.is_goal(tuple(fill.row))


def test_swaps_have_a_json_form():
    problem = Sudoku("." * 16).local()
    assert problem.action_to_json(0) == [0, 0, 0, 1]
    assert all(problem.action_from_json(problem.action_to_json(move)) == move for move in range(24))
    with pytest.raises(InputError, match="of two free cells of a block"):
        problem.action_from_json([0, 0, 3, 3])
