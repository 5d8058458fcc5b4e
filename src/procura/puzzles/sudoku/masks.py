"""The solver for boards of any side: candidates as bitmasks, the same conclusions as ``bands``, cell by cell.

The kernels run interpreted (lists) and compiled (arrays) and search node for node alike. Digit d is bit d - 1. What
they work on is ``new_board(side)``; of its fields these change::

    stack      the candidates of every cell, a level of all cells for each guess
    tried      the cell guessed at on each level
    dirty      the lines to look at: 1 where a cell has lost candidates
    counts     see ``counts``               solutions   the digits of the first solutions, one after the other

A line is a row, a column or a block, with its cells in an order that keeps those together that it shares with one
other unit; so a block is two lines, by rows and by columns. Each line of N cells has sqrt(N) such segments. For all
digits at once, a few operations on masks tell which digits a line has in one cell only (hidden singles), and which in
one segment only (locked candidates: the unit that crosses there has them nowhere else).
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Any

from procura.data import Data
from procura.puzzles.sudoku.counts import (
    ALL,
    BASE,
    COUNTERS,
    DEPTH,
    FOUND,
    GUESSES,
    MORE,
    REPEATED,
    ROOM,
    UNREADABLE,
)


@cache
def tables(side: int) -> dict[str, list[int]]:
    """The lines of a board, the lines of each cell, and for each segment the cells of its other unit outside it."""
    b = isqrt(side)
    inside = [(i, k) for i in range(b) for k in range(b)]
    rows = [[side * row + column for column in range(side)] for row in range(side)]
    columns = [[side * row + column for row in range(side)] for column in range(side)]
    corners = [side * b * i + b * k for i, k in inside]
    by_rows = [[corner + side * i + k for i, k in inside] for corner in corners]
    by_columns = [[corner + side * k + i for i, k in inside] for corner in corners]
    lines = [*rows, *columns, *by_rows, *by_columns]
    crossing = [*[by_rows] * (2 * side), *[rows] * side, *[columns] * side]
    outside = []
    for line, units in zip(lines, crossing, strict=True):
        for k in range(0, side, b):
            segment = line[k : k + b]
            unit = next(unit for unit in units if set(segment) <= set(unit))
            outside += [cell for cell in unit if cell not in segment]
    lines_of = [[number for number, line in enumerate(lines) if cell in line] for cell in range(side * side)]
    return {
        "side": [side, b],
        "lines": [cell for line in lines for cell in line],
        "lines_of": [number for numbers in lines_of for number in numbers],
        "outside": outside,
    }


def new_board(side: int, room: int = 1) -> Any:
    """What the kernels work on, with room for as many solutions."""
    cells = side * side
    return Data(
        stack=[0] * (cells * (cells + 1)),
        tried=[0] * (cells + 1),
        dirty=[0] * (4 * side),
        counts=[0] * COUNTERS,
        solutions=[0] * (cells * room),
        **tables(side),
    )


def set_candidates(b: Any, at: int, cell: int, bits: int) -> None:
    """Give a cell fewer candidates than it had."""
    b.stack[at + cell] = bits
    for i in range(4 * cell, 4 * cell + 4):
        b.dirty[b.lines_of[i]] = 1


def look_at_cells(b: Any, at: int, line: int) -> int:
    """Naked and hidden singles of a line; the digits that have their cell now, -1 at a contradiction."""
    side = b.side[0]
    first = line * side
    once, twice, fixed = 0, 0, 0
    for i in range(first, first + side):
        bits = b.stack[at + b.lines[i]]
        twice |= once & bits
        once |= bits
        if bits & (bits - 1) == 0:
            if bits & fixed != 0:
                return -1
            fixed |= bits
    if once != (1 << side) - 1:
        return -1
    alone = once & ~twice & ~fixed
    if alone != 0 or twice & fixed != 0:
        for i in range(first, first + side):
            bits = b.stack[at + b.lines[i]]
            if bits & (bits - 1) != 0:
                left = bits & ~fixed
                if left & alone != 0:
                    left &= alone
                    if left & (left - 1) != 0:
                        return -1
                if left == 0:
                    return -1
                if left != bits:
                    set_candidates(b, at, b.lines[i], left)
    return fixed | alone


def segment_digits(b: Any, at: int, line: int, segment: int) -> Any:
    """The candidates of all cells of a segment together."""
    width = b.side[1]
    first = line * b.side[0] + segment * width
    bits = 0
    for i in range(first, first + width):
        bits |= b.stack[at + b.lines[i]]
    return bits


def look_at_segments(b: Any, at: int, line: int, fixed: int) -> bool:
    """Locked candidates of a line, its ``fixed`` digits apart; False at a contradiction."""
    width = b.side[1]
    outside = b.side[0] - width
    once, twice = 0, 0
    for segment in range(width):
        bits = segment_digits(b, at, line, segment)
        twice |= once & bits
        once |= bits
    locked = once & ~twice & ~fixed
    if locked == 0:
        return True
    for segment in range(width):
        here = segment_digits(b, at, line, segment) & locked
        if here != 0:
            first = (line * width + segment) * outside
            for i in range(first, first + outside):
                bits = b.stack[at + b.outside[i]]
                if bits & here != 0:
                    if bits & ~here == 0:
                        return False
                    set_candidates(b, at, b.outside[i], bits & ~here)
    return True


def propagate(b: Any, at: int) -> bool:
    """Draw every conclusion from the dirty lines; False at a contradiction."""
    again = True
    while again:
        again = False
        for line in range(len(b.dirty)):
            if b.dirty[line] != 0:
                b.dirty[line] = 0
                fixed = look_at_cells(b, at, line)
                if fixed < 0 or not look_at_segments(b, at, line, fixed):
                    for i in range(len(b.dirty)):
                        b.dirty[i] = 0
                    return False
                again = True
    return True


def branching_place(b: Any, at: int) -> Any:
    """What to guess, ``32 * cell + digit``: a cell with two candidates, a digit with two places in a line, or the
    cell with the fewest candidates; -1 if every cell has its digit.
    """
    side = b.side[0]
    best, fewest = -1, 99
    for cell in range(side * side):
        bits = b.stack[at + cell]
        if bits & (bits - 1) != 0:
            number = 0
            left = bits
            while left != 0:
                number += 1
                left &= left - 1
            if number < fewest:
                best, fewest = 32 * cell + lowest(bits), number
                if number == 2:
                    return best
    return best if best < 0 else digit_of_two_places(b, at, best)


def digit_of_two_places(b: Any, at: int, otherwise: int) -> Any:
    """The first place of a digit that has two in a line, as ``branching_place`` writes it."""
    side = b.side[0]
    for line in range(len(b.dirty)):
        once, twice, thrice = 0, 0, 0
        for i in range(line * side, line * side + side):
            bits = b.stack[at + b.lines[i]]
            thrice |= twice & bits
            twice |= once & bits
            once |= bits
        pair = twice & ~thrice
        if pair != 0:
            digit = lowest(pair)
            for i in range(line * side, line * side + side):
                if (b.stack[at + b.lines[i]] >> digit) & 1 != 0:
                    return 32 * b.lines[i] + digit
    return otherwise


def lowest(bits: int) -> int:
    """The number of the lowest bit."""
    number = 0
    while (bits >> number) & 1 == 0:
        number += 1
    return number


def guess(b: Any, depth: int, place: int) -> None:
    """Try a digit on the next level, and leave the cell's others for this one."""
    cells = b.side[0] * b.side[0]
    at = depth * cells
    cell, bit = place // 32, 1 << (place % 32)
    for i in range(at, at + cells):
        b.stack[i + cells] = b.stack[i]
    b.stack[at + cell] &= ~bit
    b.tried[depth] = cell
    set_candidates(b, at + cells, cell, bit)


def begin(b: Any, givens: Any, start: int) -> int:
    """Set up the cells that begin at ``start`` (0 empty); MORE, or why they make no board."""
    side = b.side[0]
    cells = side * side
    b.counts[DEPTH] = -1
    for cell in range(cells):
        digit = givens[start + cell]
        if digit > side:
            return UNREADABLE
        b.stack[cell] = 1 << (digit - 1) if digit != 0 else (1 << side) - 1
    for line in range(4 * side):
        seen = 0
        for i in range(line * side, line * side + side):
            digit = givens[start + b.lines[i]]
            if digit != 0:
                if (seen >> digit) & 1 != 0:
                    return REPEATED
                seen |= 1 << digit
        b.dirty[line] = 1
    b.counts[DEPTH] = 0
    b.counts[FOUND] = 0
    b.counts[GUESSES] = 0
    return MORE


def write_solution(b: Any, at: int, start: int) -> None:
    """The digits of a solved level, from ``solutions[start]`` on."""
    for cell in range(b.side[0] * b.side[0]):
        b.solutions[start + cell] = lowest(b.stack[at + cell]) + 1


def step(b: Any, most: int, until: int) -> int:
    """Search on up to ``most`` solutions or ``until`` guesses: ALL if every solution has been seen, else MORE.

    The first ``counts[ROOM]`` solutions are written, from the row ``counts[BASE]`` of ``solutions`` on.
    """
    cells = b.side[0] * b.side[0]
    counts = b.counts
    while counts[DEPTH] >= 0 and counts[FOUND] < most and counts[GUESSES] < until:
        at = counts[DEPTH] * cells
        alive = propagate(b, at)
        place = branching_place(b, at) if alive else -1
        if place >= 0:
            guess(b, counts[DEPTH], place)
            counts[DEPTH] += 1
            counts[GUESSES] += 1
        else:
            if alive:
                if counts[FOUND] < counts[ROOM]:
                    write_solution(b, at, (counts[BASE] + counts[FOUND]) * cells)
                counts[FOUND] += 1
            counts[DEPTH] -= 1
            if counts[DEPTH] >= 0:
                cell = b.tried[counts[DEPTH]]
                set_candidates(b, at - cells, cell, b.stack[at - cells + cell])
    return ALL if counts[DEPTH] < 0 else MORE
