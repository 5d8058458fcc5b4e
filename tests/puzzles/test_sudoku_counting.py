"""Counting solutions and making boards, against plain backtracking and by turning boards about."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings, strategies as st

from procura import InputError, Sudoku, rng
from procura.puzzles.sudoku import counting, generator
from procura.puzzles.sudoku.counting import ALL, FOUND, NODES, Counter, begin, count, count_solutions
from procura.puzzles.sudoku.formats import units
from procura.puzzles.sudoku.samples import samples

NONE = "12345678." + "." * 8 + "9" + "." * 63
"""Row 1 lacks a 9, and the 9 of row 2 keeps it out of the cell that is left."""


def swapped_pair(solution):
    """A board with exactly two solutions: a solution without four cells that hold two digits crosswise."""
    for one in range(81):
        for other in range(one + 1, one // 9 * 9 + 9):
            for row in range(one // 9 + 1, 9):
                below = (row * 9 + one % 9, row * 9 + other % 9)
                same_band = row // 3 == one // 27
                same_stack = one % 9 // 3 == other % 9 // 3
                if same_band != same_stack and [solution[c] for c in below] == [solution[other], solution[one]]:
                    return [0 if cell in (one, other, *below) else digit for cell, digit in enumerate(solution)]
    raise AssertionError("every solution should have such a pair")


def naive_count(cells, side):
    """All solutions, by trying every digit in the first empty cell."""
    for _, unit in units(side):
        held = [cells[cell] for cell in unit if cells[cell]]
        if len(held) != len(set(held)):
            return 0
    if 0 not in cells:
        return 1
    cell = cells.index(0)
    return sum(naive_count([*cells[:cell], digit, *cells[cell + 1 :]], side) for digit in range(1, side + 1))


@st.composite
def small_boards(draw):
    """Boards of 4x4 without a contradiction among their givens, often without a solution."""
    cells = [0] * 16
    for cell in draw(st.lists(st.integers(0, 15), min_size=3, max_size=10, unique=True)):
        seen = {cells[k] for _, unit in units(4) if cell in unit for k in unit}
        free = [digit for digit in range(1, 5) if digit not in seen]
        if free:
            cells[cell] = draw(st.sampled_from(free))
    return cells


@settings(max_examples=60, deadline=None)
@given(small_boards())
def test_counts_are_those_of_plain_backtracking(cells):
    expected = naive_count(cells, 4)
    assert count_solutions(cells, 1000) == expected
    assert count_solutions(cells, 2) == min(expected, 2)


@pytest.mark.parametrize("name", samples)
def test_every_sample_has_one_solution(name):
    assert Sudoku(**samples[name]).count_solutions(2) == 1


def test_one_two_and_no_solution_are_told_apart():
    easy = Counter(9, compiled=False)
    easy.begin(Sudoku(**samples["easy"]).givens)
    assert easy.count(2, 1000) == 1
    assert [Sudoku(board).count_solutions(9) for board in (easy.solution, swapped_pair(easy.solution), NONE)] == [
        1, 2, 0,
    ]  # fmt: skip


def test_counting_stops_at_the_bound():
    empty = Sudoku("." * 81)
    assert [empty.count_solutions(most) for most in (1, 2, 500)] == [1, 2, 500]
    with pytest.raises(InputError, match="most=0: expected a whole number from 1"):
        empty.count_solutions(0)


def test_a_count_that_takes_too_long_says_so():
    with pytest.raises(InputError, match=r"^board: gave up counting its solutions after 1,500 nodes and [\d,]+ sol"):
        count_solutions([0] * 81, 10**9, most_nodes=1500)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["medium", "diabolic"]), st.integers(0, 80), st.integers(1, 40))
def test_interpreted_and_compiled_count_node_for_node(name, dropped, nodes):
    givens = list(Sudoku(**samples[name]).givens)
    givens[dropped] = 0
    seen = []
    for compiled in (False, True):
        counter = Counter(9, compiled)
        counter.begin(givens)
        counter.count(50, nodes)
        seen.append([[int(v) for v in field] for field in (counter.board.counts, counter.board.cells)])
    assert seen[0] == seen[1]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=8))
def test_a_count_left_and_gone_on_with_is_the_same_count(stops):
    board, tables = counting.new_board(4), counting.tables(4)
    begin(board, tables, [0] * 16)
    for until in sorted(stops):
        count(board, tables, 1000, until)
    assert count(board, tables, 1000, 10**6) == ALL
    assert board.counts[FOUND] == 288
    whole = counting.new_board(4)
    begin(whole, tables, [0] * 16)
    count(whole, tables, 1000, 10**6)
    assert board.counts[NODES] == whole.counts[NODES]


def turned(cells, side, how, draw):
    """The same board seen otherwise."""
    b = {4: 2, 9: 3, 16: 4}[side]
    rows = [cells[i * side : (i + 1) * side] for i in range(side)]
    if how == "relabelled":
        names = [0, *draw(st.permutations(range(1, side + 1)))]
        return [names[digit] for digit in cells]
    if how == "rotated":
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    elif how == "transposed":
        rows = [list(column) for column in zip(*rows, strict=True)]
    elif how == "bands":
        rows = [rows[band * b + i] for band in draw(st.permutations(range(b))) for i in range(b)]
    else:
        rows = [rows[band * b + i] for band in range(b) for i in draw(st.permutations(range(b)))]
    return [digit for row in rows for digit in row]


TURNS = ["relabelled", "rotated", "transposed", "bands", "rows"]


@settings(max_examples=40, deadline=None)
@given(small_boards(), st.sampled_from(TURNS), st.data())
def test_a_board_turned_about_keeps_its_number_of_solutions(cells, how, data):
    assert count_solutions(turned(cells, 4, how, data.draw), 1000) == count_solutions(cells, 1000)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["easy", "medium", "diabolic"]), st.sampled_from(TURNS), st.integers(0, 80), st.data())
def test_a_large_board_turned_about_keeps_its_number_of_solutions(name, how, dropped, data):
    cells = list(Sudoku(**samples[name]).givens)
    cells[dropped] = 0
    assert count_solutions(turned(cells, 9, how, data.draw), 40) == count_solutions(cells, 40)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**40), st.integers(26, 81))
def test_a_generated_board_has_the_clues_asked_for_and_one_solution(seed, clues):
    problem = Sudoku.generate(seed, clues=clues)
    assert 81 - problem.givens.count(0) == clues
    assert problem.count_solutions(2) == 1
    assert Sudoku.generate(seed, clues=clues).givens == problem.givens


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.integers(5, 16))
def test_small_generated_boards_have_one_solution_by_plain_backtracking(seed, clues):
    givens = list(Sudoku.generate(seed, clues=clues, side=4).givens)
    assert 16 - givens.count(0) == clues
    assert naive_count(givens, 4) == 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([(9, 30), (9, 31), (4, 8)]))
def test_symmetric_boards_look_the_same_after_half_a_turn(seed, asked):
    side, clues = asked
    problem = Sudoku.generate(seed, clues=clues, side=side, symmetric=True)
    clued = [digit > 0 for digit in problem.givens]
    assert clued == clued[::-1] and sum(clued) == clues
    assert problem.count_solutions(2) == 1


@pytest.mark.parametrize("clues", [30, 31])
def test_symmetric_digging_empties_the_middle_cell_when_the_clues_are_even(clues):
    for seed in range(10):
        counter, source = Counter(9, compiled=False), [rng.stream(seed)]
        board = generator.full_board(source, counter, 9)
        dug, left = generator.dug(source, counter, board, clues, 1000, symmetric=True)
        assert left % 2 == clues % 2 and (dug[40] == 0) == (clues % 2 == 0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9, 16]))
def test_a_random_full_board_holds_every_digit_once_in_every_unit(seed, side):
    board = generator.full_board([rng.stream(seed)], Counter(side, compiled=False), side)
    assume(board is not None)
    for _, unit in units(side):
        assert sorted(board[cell] for cell in unit) == list(range(1, side + 1))


def test_other_seeds_give_other_boards():
    assert len({Sudoku.generate(seed).givens for seed in range(20)}) == 20


def test_few_clues_take_many_boards_and_are_reached():
    problem = Sudoku.generate(1, clues=22)
    assert 81 - problem.givens.count(0) == 22
    assert problem.count_solutions(2) == 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9]), st.booleans())
def test_interpreted_and_compiled_dig_the_same_holes(seed, side, symmetric):
    dug = []
    for compiled in (False, True):
        counter, source = Counter(side, compiled), [rng.stream(seed)]
        board = generator.full_board(source, counter, side)
        assume(board is not None)
        dug.append(generator.dug(source, counter, board, clues=4, patience=1000, symmetric=symmetric))
    assert dug[0] == dug[1]


def test_a_board_of_16_can_be_generated():
    problem = Sudoku.generate(3, side=16)
    assert 256 - problem.givens.count(0) == 130
    assert problem.count_solutions(2) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": 16}, "clues=16: expected 17 to 81 on a board of 9x9"),
        ({"clues": 82}, "clues=82: expected 17 to 81 on a board of 9x9"),
        ({"clues": 3, "side": 4}, "clues=3: expected 4 to 16 on a board of 4x4"),
        ({"side": 6}, "side=6: expected 4, 9 or 16"),
        ({"side": 4, "clues": 7, "symmetric": True}, "clues=7: expected an even number"),
    ],
)
def test_boards_that_cannot_be_are_refused(options, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Sudoku.generate(1, **options)


def test_clues_out_of_reach_are_told_with_what_was_reached(monkeypatch):
    monkeypatch.setitem(generator.SIZES, 9, generator.Size(30, 17, attempts=2, patience=1000, interpreted=2))
    with pytest.raises(InputError, match=r"^clues=17: 2 boards were tried, and none got below 2\d clues$"):
        Sudoku.generate(1, clues=17)
