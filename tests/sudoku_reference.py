"""Sudoku the slow and obvious way: every digit in the emptiest cell; and boards to count with none, one or many."""

from __future__ import annotations

from hypothesis import strategies as st

from procura.puzzles.sudoku.formats import units
from procura.rng import below, shuffled

NONE = "12345678." + "." * 8 + "9" + "." * 63
"""Row 1 lacks a 9, and the 9 of row 2 keeps it out of the cell that is left."""
TURNS = ["relabelled", "rotated", "transposed", "bands", "rows"]


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


def plain_count(cells, trail, held, most):
    """Solutions of a 9x9 board up to ``most``: the cell with the fewest digits that its units lack, each in turn.

    It runs compiled as well. ``trail`` has room for 81 cells, ``held`` for the digits of 27 units, as bits; ``cells``
    is left as it was if all are counted.
    """
    for unit in range(27):
        held[unit] = 0
    for cell in range(81):
        if cells[cell] != 0:
            toggle(held, cell, cells[cell])
    found, depth, trying = 0, 0, True
    while depth >= 0:
        if trying:
            trail[depth] = fewest_lacking(cells, held)
            if trail[depth] < 0:
                found += 1
                depth -= 1
                if found == most:
                    return found
        if depth >= 0:
            cell = trail[depth]
            digit = cells[cell] + 1
            if cells[cell] != 0:
                toggle(held, cell, cells[cell])
                cells[cell] = 0
            while digit <= 9 and (lacking(held, cell) >> digit) & 1 == 0:
                digit += 1
            trying = digit <= 9
            if trying:
                cells[cell] = digit
                toggle(held, cell, digit)
            depth += 1 if trying else -1
    return found


def fewest_lacking(cells, held):
    """The empty cell with the fewest digits that its units lack; -1 if no cell is empty."""
    best, fewest = -1, 10
    for cell in range(81):
        if cells[cell] == 0:
            number, left = 0, lacking(held, cell)
            while left != 0:
                number += 1
                left &= left - 1
            if number < fewest:
                best, fewest = cell, number
    return best


def lacking(held, cell):
    """The digits that row, column and block of a cell lack, digit d as bit d."""
    row, column = cell // 9, cell % 9
    return 0b1111111110 & ~(held[row] | held[9 + column] | held[18 + row // 3 * 3 + column // 3])


def toggle(held, cell, digit):
    """Note in row, column and block of a cell that they have a digit, or that they lack it again."""
    row, column = cell // 9, cell % 9
    for unit in (row, 9 + column, 18 + row // 3 * 3 + column // 3):
        held[unit] ^= 1 << digit


def allowed(cells, cell, digit):
    """Whether no row, column or block of a cell has the digit."""
    row, column = cell // 9, cell % 9
    for k in range(9):
        block = (row // 3 * 3 + k // 3) * 9 + column // 3 * 3 + k % 3
        if cells[row * 9 + k] == digit or cells[k * 9 + column] == digit or cells[block] == digit:
            return False
    return True


def emptied(full, source, clues):
    """A full board without all but so many cells; one time in four, if they are not few, one is another digit then.

    That few clues have no solution takes plain backtracking too long to show.
    """
    keep = shuffled(source, range(81))[:clues]
    cells = [0] * 81
    for cell in keep:
        cells[cell] = full[cell]
    if clues >= 28 and below(source, 4) == 0:
        cell = keep[0]
        cells[cell] = 0
        others = [digit for digit in range(1, 10) if digit != full[cell] and allowed(cells, cell, digit)]
        cells[cell] = others[below(source, len(others))] if others else full[cell]
    return cells


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


def swapped_pair(solution):
    """A board with exactly two solutions: a solution without four cells that hold two digits crosswise."""
    for one in range(81):
        for other in range(one + 1, one // 9 * 9 + 9):
            for row in range(one // 9 + 1, 9):
                below_them = (row * 9 + one % 9, row * 9 + other % 9)
                same_band = row // 3 == one // 27
                same_stack = one % 9 // 3 == other % 9 // 3
                crosswise = [solution[c] for c in below_them] == [solution[other], solution[one]]
                if same_band != same_stack and crosswise:
                    return [0 if cell in (one, other, *below_them) else digit for cell, digit in enumerate(solution)]
    raise AssertionError("every solution should have such a pair")
