"""The techniques people solve Sudokus by: where each applies, where it must not, and that none is ever wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from procura import Sudoku
from procura.puzzles.sudoku.candidates import Grid
from procura.puzzles.sudoku.explaining import HARDNESS, explain, next_step
from procura.puzzles.sudoku.formats import read_board
from procura.puzzles.sudoku.guessing import GUESS, consequences, refuted_guess
from procura.puzzles.sudoku.solver import searched
from procura.puzzles.sudoku.techniques import TECHNIQUES, single_at

ROWS, COLUMNS = range(1, 10), range(1, 10)


def at(row, column):
    return 9 * (row - 1) + column - 1


def grid_where(only=(), never=()):
    """An empty board on which ``only`` says what some cells can be, and ``never`` what some cannot.

    Each is a list of (cells as ``(row, column)``, digits).
    """
    grid = Grid([0] * 81)
    for cells, digits in only:
        for cell in cells:
            grid.candidates[at(*cell)] = sum(1 << (digit - 1) for digit in digits)
    for cells, digits in never:
        for cell in cells:
            grid.candidates[at(*cell)] &= ~sum(1 << (digit - 1) for digit in digits)
    return grid


def row(number, *but):
    """The cells of a row, some columns apart."""
    return [(number, column) for column in COLUMNS if column not in but]


def column(number, *but):
    return [(row, number) for row in ROWS if row not in but]


def block_1(*but):
    return [(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) not in but]


PATTERNS = {
    "hidden single": ([], [(row(4, 7), [5])]),
    "naked single": ([([(4, 7)], [5])], []),
    "locked candidates": ([], [(block_1((2, 1), (2, 3)), [5])]),
    "naked pair": ([([(3, 2), (3, 8)], [4, 6])], []),
    "hidden pair": ([], [(row(3, 2, 8), [4, 6])]),
    "naked triple": ([([(3, 2)], [4, 6]), ([(3, 8)], [6, 9]), ([(3, 5)], [4, 9])], []),
    "hidden triple": ([], [(row(3, 2, 5, 8), [4, 6, 9])]),
    "naked quad": ([([(3, 2), (3, 3)], [1, 4, 6, 9]), ([(3, 5), (3, 8)], [1, 4, 6, 9])], []),
    "hidden quad": ([], [(row(3, 2, 3, 5, 8), [1, 4, 6, 9])]),
    "X-wing": ([], [(row(2, 3, 7), [5]), (row(8, 3, 7), [5])]),
    "swordfish": ([], [(row(1, 3, 5), [5]), (row(5, 3, 9), [5]), (row(8, 5, 9), [5])]),
    "XY-wing": ([([(5, 5)], [1, 2]), ([(5, 9)], [2, 3]), ([(2, 5)], [1, 3])], []),
    "simple colouring": ([], [(row(1, 2, 6), [5]), (column(2, 1, 8), [5]), (row(8, 2, 5), [5])]),
}
"""What each technique needs, on an otherwise empty board."""

NEAR_MISSES = {
    "hidden single": ([], [(row(4, 7, 8), [5])]),
    "naked single": ([([(4, 7)], [5, 6])], []),
    "locked candidates": ([], [(block_1((2, 1), (3, 3)), [5])]),
    "naked pair": ([([(3, 2)], [4, 6]), ([(3, 8)], [4, 7])], []),
    "hidden pair": ([], [(row(3, 2, 8), [4]), (row(3, 2, 9), [6])]),
    "naked triple": ([([(3, 2)], [4, 6]), ([(3, 8)], [6, 9]), ([(3, 5)], [4, 8])], []),
    "hidden triple": ([], [(row(3, 2, 5, 8), [4, 6]), (row(3, 2, 5, 9), [9])]),
    "naked quad": ([([(3, 2), (3, 3)], [1, 4, 6, 9]), ([(3, 5)], [1, 4, 6, 9]), ([(3, 8)], [1, 4, 6, 7])], []),
    "hidden quad": ([], [(row(3, 2, 3, 5, 8), [1, 4, 6]), (row(3, 2, 3, 5, 9), [9])]),
    "X-wing": ([], [(row(2, 3, 7), [5]), (row(8, 3, 6), [5])]),
    "swordfish": ([], [(row(1, 3, 5), [5]), (row(5, 3, 9), [5]), (row(8, 5, 8), [5])]),
    "XY-wing": ([([(5, 5)], [1, 2]), ([(5, 9)], [2, 3]), ([(2, 5)], [1, 4])], []),
    "simple colouring": ([], [(row(1, 2, 6), [5]), (column(2, 1, 4, 8), [5]), (row(8, 2, 5), [5])]),
}
"""The same with one thing that spoils it."""

REMOVED = {
    "locked candidates": {((2, c), 5) for c in range(4, 10)},
    "naked pair": {((3, c), d) for c in (1, 3, 4, 5, 6, 7, 9) for d in (4, 6)},
    "X-wing": {((r, c), 5) for r in ROWS for c in (3, 7) if r not in (2, 8)},
    "swordfish": {((r, c), 5) for r in ROWS for c in (3, 5, 9) if r not in (1, 5, 8)},
    "XY-wing": {((2, 9), 3)},
    "simple colouring": {(cell, 5) for cell in [(2, 5), (3, 5), (7, 6), (9, 6)]},
}


def test_no_technique_applies_to_an_empty_board():
    assert all(technique(Grid([0] * 81)) is None for technique in TECHNIQUES.values())


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_technique_applies_where_its_pattern_is(name):
    step = TECHNIQUES[name](grid_where(*PATTERNS[name]))
    assert step is not None and step.technique == name
    if name in REMOVED:
        assert set(step.removed) == {(at(*cell), digit) for cell, digit in REMOVED[name]}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_technique_does_not_apply_where_its_pattern_is_spoilt(name):
    assert TECHNIQUES[name](grid_where(*NEAR_MISSES[name])) is None


@pytest.mark.parametrize("name", TECHNIQUES)
def test_no_easier_technique_finds_anything_where_the_pattern_is(name):
    assert next_step(grid_where(*PATTERNS[name])).technique == name


def test_a_pattern_that_changes_nothing_is_no_step():
    whole_row = [(3, column) for column in COLUMNS]
    grid = grid_where(only=[(whole_row, [])])
    for cell in ((3, 2), (3, 8)):
        grid.candidates[at(*cell)] = 0b101000
    assert TECHNIQUES["naked pair"](grid) is None and TECHNIQUES["hidden pair"](grid) is None


def test_two_places_of_one_colour_that_see_each_other_are_both_wrong():
    joined = [(row(1, 1, 5), [5]), (column(5, 1, 6), [5]), (row(6, 5, 2), [5]), (column(2, 6, 2), [5])]
    step = TECHNIQUES["simple colouring"](grid_where(never=joined))
    assert set(step.removed) == {(at(1, 1), 5), (at(6, 5), 5), (at(2, 2), 5)}
    assert step.reason == (
        "5 stands either in r1c5 and r6c2 or in r1c1, r2c2 and r6c5; r1c1 and r2c2 of the second see each other: "
        "5 goes from r1c1, r2c2 and r6c5"
    )


def test_a_single_is_found_at_a_cell():
    hidden, naked = grid_where(*PATTERNS["hidden single"]), grid_where(*PATTERNS["naked single"])
    assert single_at(hidden, at(4, 7)).technique == "hidden single" and single_at(hidden, at(4, 8)) is None
    assert single_at(naked, at(4, 7)).technique == "naked single" and single_at(naked, at(4, 8)) is None


def test_reasons_name_cells_and_digits():
    reasons = {name: TECHNIQUES[name](grid_where(*PATTERNS[name])).reason for name in TECHNIQUES}
    assert reasons["hidden single"] == "in row 4 only r4c7 can hold 5"
    assert reasons["naked single"] == "r4c7 has no candidate but 5"
    assert reasons["locked candidates"] == (
        "in block 1 all places for 5 lie in row 2, r2c1 and r2c3: 5 goes from r2c4, r2c5, r2c6, r2c7, r2c8 and r2c9"
    )
    assert reasons["naked pair"].startswith("in row 3, r3c2 and r3c8 hold 4 and 6 between them: 4 and 6 go from r3c1,")
    assert reasons["hidden pair"].startswith("in row 3 the digits 4 and 6 have no places but r3c2 and r3c8: ")
    assert reasons["X-wing"].startswith("5 has no places in rows 2 and 8 but those in columns 3 and 7: 5 goes from ")
    assert reasons["swordfish"].startswith("5 has no places in rows 1, 5 and 8 but those in columns 3, 5 and 9: ")
    assert reasons["XY-wing"] == (
        "r5c5 is 1 or 2, r2c5 1 or 3, r5c9 2 or 3: whichever r5c5 is, r2c5 or r5c9 is 3, and 3 goes from r2c9"
    )


def test_a_guess_follows_what_it_forces_to_a_contradiction():
    grid = grid_where(only=[([(1, 1)], [1, 2]), ([(1, 5)], [1, 3]), ([(1, 9)], [1, 3])])
    forced, end = consequences(grid, at(1, 1), 1)
    assert forced == [(at(1, 5), 3)] and end == "r1c9 has no candidate"
    step = refuted_guess(grid)
    assert step.technique == GUESS and step.removed == ((at(1, 1), 1),)
    assert step.reason.startswith("suppose r1c1 is 1: then ") and step.reason.endswith("; 1 goes from r1c1")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([(9, True), (9, False), (4, True)]))
def test_no_technique_ever_removes_or_contradicts_the_solution(seed, how):
    side, minimal = how
    givens = Sudoku.generate(seed, side=side, minimal=minimal).givens
    solution = searched(givens, 2).solution()
    grid = Grid(givens)
    while 0 in grid.digits:
        found = [step for technique in TECHNIQUES.values() if (step := technique(grid)) is not None]
        for step in found or [refuted_guess(grid)]:
            if step is None:
                return
            assert step.placed or step.removed
            assert all(solution[cell] == digit for cell, digit in step.placed)
            assert all(solution[cell] != digit and grid.has(cell, digit) for cell, digit in step.removed)
        for step in found or [refuted_guess(grid)]:
            grid.apply(step)


NEEDING = {
    "hidden single": [
        "..87..2...1.4.2.5.4.93.1.....7......5.....13...4..579.6.....57....9.7..8........9",
        "....9..4.....829...2.3.1..793.6......6.....3......57......4......5....1.87.5...6.",
    ],
    "naked single": [
        "..8..6.4...648...3.2...1....3....8.5....7.....8..3...6....48.7...5....1..7..2...9",
        ".......4.7....29..4...516..........5.6.87....18..3.....9..4......5.6.3.88.......9",
    ],
    "locked candidates": [
        ".......8...768.....4...5..66.95..3....8.1.26.2...9...14.6.3..................91.5",
        "16....7.......1...8.32.......9..73..57...4.......96......1..8.7.9.....2...2...13.",
    ],
    "naked pair": [
        "...2......2......756..3..1.....8.46.94..5...8........5.94...8.2..7..4......81.5..",
        ".....5.8...8..13.7...73.2142.5...4......5........72...19.....7.8...2..3.....1.5..",
    ],
    "hidden pair": [
        "....67.2.........3...93..4....3.9...23.1.......4..5.19.5......272.5..9.14..7..6..",
        "..8..6....1....9...2.35...7.3..148.5.......34.8..........1...72..59..........34.9",
    ],
    "naked triple": [
        ".6...1.3..1.2.94..9...8....1.....3...4..9..8...564......8..62..6...........41.9..",
        "..6.19........7..9...2..4...7..2.9..38.....1....5......92.8..4...4..5....5..3.8..",
    ],
    "hidden triple": [
        "1.2.58....4.63..2...7.....1.1..6.9.......94..68...4...5.......8......2.....48.19.",
        ".21..6.....5.2.3.9.........8.3.1.2..7.4.3..58.................32...481...7.15.6..",
    ],
    "naked quad": [
        "..5......79...6.5...258..36........2.3.1.9..4...6.4..........75.........218.....3",
    ],
    "X-wing": [
        "8.....2.19..2.6..4..6.........3.......4......1..489..72..1.5.9...3...1.....92.3..",
        ".7....3.......1..2..5.7.........2..39.6.3.....2....4.6..16.4......9...7..48.1.5..",
    ],
    "swordfish": [
        "...6...4.93...8..61.4...9....1...7..........3...5...12.....3.....54.78.1..61....4",
        "...6..3....1.4....3......8.2.54...3......6..41...598...94.3.....2...7..1....9..6.",
    ],
    "XY-wing": [
        "3......2..4..5.1....2.3.74.16.3.......91.........2.3.99.6.....2.....6......7.2.58",
        ".74...9..1..4..........26....3..5.977.....5.2..61..4.......1...2.9.5.....4.8..7..",
    ],
    "simple colouring": [
        "3....6...71....9...2..5.6......1...5..2....34..4.......9314........67.......2..69",
        "35.7.62.....482.........6...3...48.55........1.....7.66..1.8....4....31....5....9",
    ],
    "guess": [
        "3..7.6.4.7...8.9...2.....87....1.8..562....3...42.......31..5......6..1..7.5..4.9",
        "3...9..4...6..2..3....5....93...4.2....8.........3..96...1...72.45.6.3..87.......",
    ],
}
"""Boards whose hardest technique is the one they stand by.

There is none for the hidden quad, which only a unit of nine empty cells needs, as in ``PATTERNS``: where four digits
are hidden among up to eight empty cells, the other four or fewer are a naked subset, which is looked for first.
"""


@pytest.mark.parametrize(("name", "board"), [(name, board) for name, boards in NEEDING.items() for board in boards])
def test_a_board_that_needs_a_technique_is_not_solved_without_it(name, board):
    explanation = explain(read_board(board))
    assert explanation.hardest == name
    grid = Grid(read_board(board))
    easier = [technique for other, technique in TECHNIQUES.items() if HARDNESS[other] < HARDNESS[name]]
    assert explanation.final == tuple(searched(read_board(board), 2).solution())
    while step := next(filter(None, (technique(grid) for technique in easier)), None):
        grid.apply(step)
    assert 0 in grid.digits
