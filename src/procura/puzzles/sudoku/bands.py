"""The 9x9 solver on bitboards: locked candidates and singles by table, branching on pairs. Compiled only.

A board is cut into three bands of three rows. For each band and digit one word says where the digit can still stand,
bit ``9 * row + column`` of 27::

    words of a level:  0..8 band 0, digits 1..9 | 9..17 band 1 | 18..26 band 2 | 27..29 cells without a digit, by band
                       | 30 the digit last tried here

One table does most of the work. Where a digit can stand in a band is, seen from afar, a 3x3 matrix of rows against
blocks, and it will stand in each row and in each block once: entries that lie on no permutation of the matrix can be
struck out (locked candidates, and at the fixpoint hidden singles too). The same table serves bands against columns
within each of the three stacks. Cells with one or two candidates come from adding up the nine words of a band bit by
bit. All arithmetic is in unsigned words, which Numba neither checks for negative indices nor turns into floats.

A search is depth first over ``stack``, one level of words a guess, and can be left and gone on with at any guess.
``board`` is ``new_board()``; see ``begin``, ``step`` and ``solve_block``.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from procura.compiled.intrinsics import bit_count, lowest_bit
from procura.data import Data
from procura.puzzles.sudoku.counts import (
    ALL,
    BASE,
    BEGUN,
    COUNTERS,
    DEPTH,
    DIRTY,
    FOUND,
    GUESSES,
    MORE,
    NEXT,
    REPEATED,
    ROOM,
    UNREADABLE,
    ZERO,
)

u64 = np.uint64

CELLS, LEVELS = 81, 82
WIDTH = u64(32)
"""Words a level; a power of two, so that a level begins on a cache line."""
_WORDS = 32

_NONE, _ONE, _TWO, _THREE, _SIX, _NINE, _EIGHTEEN, _BAND = (u64(k) for k in (0, 1, 2, 3, 6, 9, 18, 27))
_ROW = u64(0o777)
_FULL = u64((1 << 27) - 1)
_EVERY_DIGIT = u64(0o777)
_ROWS_ALIKE = u64(0x40201)
"""Times nine bits of a row: the same bits in all three rows of a band."""
_IMPOSSIBLE = u64(1 << 63)
_TRIED = u64(30)
_DOT = u64(ord("."))

BROKEN, SETTLED, SOLVED = range(3)
"""What ``propagate`` returns: no solution from here, nothing more follows, every cell has its digit."""


def _table(of: Any, size: int = 512) -> Any:
    return np.array([of(v) for v in range(size)], dtype=np.uint32)


def _on_permutations(matrix: int) -> int:
    """The entries of a 3x3 matrix (bit ``3 * i + j``) that lie on a permutation all of which is set."""
    masks = [sum(1 << (3 * i + j) for i, j in enumerate(order)) for order in permutations(range(3))]
    return sum(1 << bit for bit in range(9) if any(mask >> bit & 1 and mask & matrix == mask for mask in masks))


def _spread(matrix: int, bit_of: Any) -> int:
    """The union of ``bit_of(i, j)`` over the entries of a 3x3 matrix."""
    return sum(bit_of(i, j) for i in range(3) for j in range(3) if matrix >> (3 * i + j) & 1)


# nine bits of a row: in which of its three blocks there is any
_BLOCKS_OF_ROW = _table(lambda v: sum(1 << k for k in range(3) if v >> (3 * k) & 7))
# the same bits if there is one, else none
_LONE = _table(lambda v: v if v.bit_count() == 1 else 0)
# rows against blocks of a band: the 27 cells that are left
_ROWS_LEFT = _table(lambda v: _spread(_on_permutations(v), lambda row, block: 7 << (9 * row + 3 * block)))
# nine bits of columns: those of stack s at 9 * s
_BY_STACK = _table(lambda v: sum((v >> (3 * s) & 7) << (9 * s) for s in range(3)))
# bands against columns of a stack: the columns that are left, those of band b at 9 * b
_COLUMNS_LEFT_0 = _table(lambda v: _spread(_on_permutations(v), lambda band, column: 1 << (9 * band + column)))
_COLUMNS_LEFT_1 = _COLUMNS_LEFT_0 << 3
_COLUMNS_LEFT_2 = _COLUMNS_LEFT_0 << 6


def _seen_in_band(cell: int) -> int:
    """The other cells of the band in the row, column or block of ``cell``."""
    row, column = divmod(cell, 9)
    places = [divmod(other, 9) for other in range(27)]
    return sum(
        1 << (9 * r + c) for r, c in places if (r, c) != (row, column) and (r == row or c // 3 == column // 3)
    ) | sum(1 << (9 * r + column) for r in range(3) if r != row)


_OTHERS_SEEN = _table(_seen_in_band, 27)
# what a digit keeps in its own band and in the other two once it stands in a cell
_OWN_BAND = np.uint32(_FULL) & ~_OTHERS_SEEN
_OTHER_BANDS = _table(lambda cell: int(_FULL) & ~(int(_ROWS_ALIKE) << cell % 9), 27)


def new_board(boards: int = 1) -> Any:
    """What the kernels work on, with room for as many solutions."""
    return Data(
        stack=np.zeros(LEVELS * _WORDS, dtype=np.uint32),
        counts=np.zeros(COUNTERS, dtype=np.int64),
        solutions=np.zeros(boards * CELLS, dtype=np.uint8),
    )


def rows_locked(word: Any) -> Any:
    """A digit in a band without the places that no way of standing once in each row and block can use."""
    matrix = (
        _BLOCKS_OF_ROW[word & _ROW]
        | (_BLOCKS_OF_ROW[(word >> _NINE) & _ROW] << _THREE)
        | (_BLOCKS_OF_ROW[word >> _EIGHTEEN] << _SIX)
    )
    return word & u64(_ROWS_LEFT[u64(matrix)])


def place_digit(c: Any, at: Any, band: Any, digit: Any, cell: Any) -> None:
    """Take ``digit`` from all cells that see ``cell`` of ``band``."""
    c[at + band * _NINE + digit] &= _OWN_BAND[cell]
    for other in range(u64(3)):
        if other != band:
            c[at + other * _NINE + digit] &= _OTHER_BANDS[cell]


def propagate(c: Any, at: Any, dirty: Any) -> int:
    """Draw every conclusion for the digits of ``dirty``, and those that follow: BROKEN, SETTLED or SOLVED.

    Digits take turns, so that much has changed for each when its turn comes again. Rows and columns are looked at in
    turns until one of them strikes nothing out. That loop is here and not in a function of its own, which LLVM would
    not inline.
    """
    digit = _NONE
    while True:
        while dirty != _NONE:
            later = (dirty >> digit) << digit
            digit = lowest_bit(later if later != _NONE else dirty)
            dirty &= ~(_ONE << digit)
            first = at + digit
            x, y, z = u64(c[first]), u64(c[first + _NINE]), u64(c[first + _EIGHTEEN])
            x, y, z = rows_locked(x), rows_locked(y), rows_locked(z)
            while x != _NONE and y != _NONE and z != _NONE:
                left = columns_left(x, y, z)
                fewer_x = x & ((left & _ROW) * _ROWS_ALIKE)
                fewer_y = y & (((left >> _NINE) & _ROW) * _ROWS_ALIKE)
                fewer_z = z & ((left >> _EIGHTEEN) * _ROWS_ALIKE)
                if fewer_x == x and fewer_y == y and fewer_z == z:
                    break
                x, y, z = rows_locked(fewer_x), rows_locked(fewer_y), rows_locked(fewer_z)
                if fewer_x == x and fewer_y == y and fewer_z == z:
                    break
            if x == _NONE or y == _NONE or z == _NONE:
                return BROKEN
            c[first], c[first + _NINE], c[first + _EIGHTEEN] = x, y, z
            for band in range(u64(3)):
                lone = lone_places(x if band == _NONE else (y if band == _ONE else z)) & u64(c[at + _BAND + band])
                if lone != _NONE:
                    c[at + _BAND + band] ^= lone
                    first = at + band * _NINE
                    for other in range(u64(9)):  # its own digit too, which it gets back: no branch to guess wrong
                        word = u64(c[first + other])
                        c[first + other] = word & ~lone
                        dirty |= u64((word & lone) != _NONE) << other
                    c[first + digit] |= lone
                    dirty &= ~(_ONE << digit)
        if (c[at + _BAND] | c[at + _BAND + _ONE] | c[at + _BAND + _TWO]) == 0:
            return SOLVED
        dirty = place_single_candidates(c, at)
        if dirty == _NONE:
            return SETTLED
        if dirty == _IMPOSSIBLE:
            return BROKEN


def columns_left(x: Any, y: Any, z: Any) -> Any:
    """The columns in which a digit can stand in each band, so that it stands once in each column and block."""
    stacks = (
        u64(_BY_STACK[(x | (x >> _NINE) | (x >> _EIGHTEEN)) & _ROW])
        | (u64(_BY_STACK[(y | (y >> _NINE) | (y >> _EIGHTEEN)) & _ROW]) << _THREE)
        | (u64(_BY_STACK[(z | (z >> _NINE) | (z >> _EIGHTEEN)) & _ROW]) << _SIX)
    )
    return (
        u64(_COLUMNS_LEFT_0[stacks & _ROW])
        | u64(_COLUMNS_LEFT_1[(stacks >> _NINE) & _ROW])
        | u64(_COLUMNS_LEFT_2[stacks >> _EIGHTEEN])
    )


def lone_places(word: Any) -> Any:
    """The places of a digit in a band that are the only ones in their row."""
    return (
        u64(_LONE[word & _ROW])
        | (u64(_LONE[(word >> _NINE) & _ROW]) << _NINE)
        | (u64(_LONE[word >> _EIGHTEEN]) << _EIGHTEEN)
    )


def place_single_candidates(c: Any, at: Any) -> Any:
    """Place the digit of every cell with one candidate; the digits placed, or _IMPOSSIBLE if a cell has none."""
    dirty = _NONE
    for band in range(u64(3)):
        first = at + band * _NINE
        once, twice = _NONE, _NONE
        for digit in range(u64(9)):
            word = u64(c[first + digit])
            twice |= once & word
            once |= word
        if once != _FULL:
            return _IMPOSSIBLE
        single = (once & ~twice) & u64(c[at + _BAND + band])
        if single != _NONE:
            for digit in range(u64(9)):
                here = u64(c[first + digit]) & single
                while here != _NONE:
                    cell = lowest_bit(here)
                    here &= here - _ONE
                    if (u64(c[first + digit]) >> cell) & _ONE == _NONE:
                        return _IMPOSSIBLE
                    place_digit(c, at, band, digit, cell)
                    dirty |= _ONE << digit
    return dirty


def branching_cell(c: Any, at: Any) -> Any:
    """The cell to guess at, ``32 * band + cell``: a pair whose digits are seen most in its band, else fewest digits."""
    most, best = _NONE, _NONE
    for band in range(u64(3)):
        first = at + band * _NINE
        once, twice, thrice = _NONE, _NONE, _NONE
        for digit in range(u64(9)):
            word = u64(c[first + digit])
            thrice |= twice & word
            twice |= once & word
            once |= word
        pairs = twice & ~thrice
        left = pairs
        while left != _NONE:
            cell = lowest_bit(left)
            left &= left - _ONE
            seen = u64(_OTHERS_SEEN[cell])
            score = bit_count(pairs & seen) + _ONE
            for digit in range(u64(9)):
                word = u64(c[first + digit])
                score += bit_count(word & seen) * ((word >> cell) & _ONE)
            if score > most:
                most, best = score, band * WIDTH + cell
    return best if most != _NONE else cell_with_fewest(c, at)


def cell_with_fewest(c: Any, at: Any) -> Any:
    """The cell with the fewest candidates, where all without a digit have three or more."""
    fewest, best = u64(10), _NONE
    for band in range(u64(3)):
        left = u64(c[at + _BAND + band])
        while left != _NONE:
            cell = lowest_bit(left)
            left &= left - _ONE
            number = _NONE
            for digit in range(u64(9)):
                number += (u64(c[at + band * _NINE + digit]) >> cell) & _ONE
            if number < fewest:
                fewest, best = number, band * WIDTH + cell
        if fewest == _THREE:
            break
    return best


def guess(c: Any, at: Any) -> Any:
    """Try the first digit of a cell on the next level, and leave its other digits for this one; the digit tried."""
    place = branching_cell(c, at)
    band, cell = place >> u64(5), place & u64(31)
    digit = _NONE
    while (u64(c[at + band * _NINE + digit]) >> cell) & _ONE == _NONE:
        digit += _ONE
    for i in range(WIDTH):
        c[at + WIDTH + i] = c[at + i]
    c[at + band * _NINE + digit] &= ~(_ONE << cell)
    c[at + _TRIED] = digit
    place_digit(c, at + WIDTH, band, digit, cell)
    return digit


def begin(board: Any, text: Any, start: int) -> int:
    """Set up the 81 cells that begin at ``start``; MORE, or UNREADABLE or REPEATED for givens that make no board.

    A cell is ``counts[ZERO]`` plus its digit, and empty if that is 0 or a dot.
    """
    c, zero = board.stack, u64(board.counts[ZERO])
    first = u64(start)
    board.counts[DEPTH] = -1
    for i in range(_BAND):
        c[i] = _FULL
    for band in range(u64(3)):
        given = _NONE
        for cell in range(_BAND):
            value = u64(text[first + band * _BAND + cell])
            digit = value - zero - _ONE
            if digit < _NINE:
                if (u64(c[band * _NINE + digit]) >> cell) & _ONE == _NONE:
                    return REPEATED
                given |= _ONE << cell
                place_digit(c, _NONE, band, digit, cell)
            elif value != zero and value != _DOT:
                return UNREADABLE
        c[_BAND + band] = given
    keep_givens(c, text, first, zero)
    board.counts[DEPTH] = 0
    board.counts[DIRTY] = _EVERY_DIGIT
    board.counts[FOUND] = 0
    board.counts[GUESSES] = 0
    return MORE


def keep_givens(c: Any, text: Any, first: Any, zero: Any) -> None:
    """Leave a given cell its own digit only; the words of cells without a digit hold the givens until now."""
    for band in range(u64(3)):
        given = u64(c[_BAND + band])
        for digit in range(u64(9)):
            c[band * _NINE + digit] &= ~given
        left = given
        while left != _NONE:
            cell = lowest_bit(left)
            left &= left - _ONE
            digit = u64(text[first + band * _BAND + cell]) - zero - _ONE
            c[band * _NINE + digit] |= _ONE << cell
        c[_BAND + band] = _FULL & ~given


def write_solution(board: Any, at: Any, start: int) -> None:
    """The digits of a solved level as they were given, from ``solutions[start]`` on."""
    c, first, zero = board.stack, u64(start), u64(board.counts[ZERO])
    for band in range(u64(3)):
        for digit in range(u64(9)):
            word = u64(c[at + band * _NINE + digit])
            while word != _NONE:
                board.solutions[first + band * _BAND + lowest_bit(word)] = digit + zero + _ONE
                word &= word - _ONE


def step(board: Any, most: int, until: int) -> int:
    """Search on up to ``most`` solutions or ``until`` guesses: ALL if every solution has been seen, else MORE.

    The first ``counts[ROOM]`` solutions are written, from the row ``counts[BASE]`` of ``solutions`` on.
    """
    c, counts = board.stack, board.counts
    depth, dirty = counts[DEPTH], u64(counts[DIRTY])
    found, guesses = counts[FOUND], counts[GUESSES]
    while depth >= 0 and found < most and guesses < until:
        at = u64(depth) * WIDTH
        state = propagate(c, at, dirty)
        if state == SETTLED:
            dirty = _ONE << guess(c, at)
            depth += 1
            guesses += 1
        else:
            if state == SOLVED:
                if found < counts[ROOM]:
                    write_solution(board, at, (counts[BASE] + found) * CELLS)
                found += 1
            depth -= 1
            if depth >= 0:
                dirty = _ONE << u64(c[at - WIDTH + _TRIED])
    counts[DEPTH], counts[DIRTY] = depth, dirty
    counts[FOUND], counts[GUESSES] = found, guesses
    return ALL if depth < 0 else MORE


def solve_block(board: Any, text: Any, found: Any, guesses: Any, most: int, budget: int) -> int:
    """Solve boards of 81 cells that follow each other in ``text``; ALL when the last is done, MORE after ``budget``.

    ``text`` is of uint8, ``found`` and ``guesses`` of int64, one for each board, and ``board`` has room for as many.
    ``found[i]`` becomes the solutions of board i up to ``most``, or UNREADABLE or REPEATED, and the first of them is
    row i of ``solutions``; ``guesses[i]`` what it took. A board costs one of the budget and each of its guesses one.
    The block begins where ``counts[NEXT]`` and ``counts[BEGUN]`` are 0.
    """
    counts = board.counts
    counts[ROOM] = 1
    while counts[NEXT] < len(found):
        number = counts[NEXT]
        if counts[BEGUN] == 0:
            state = begin(board, text, number * CELLS)
            if state != MORE:
                found[number], guesses[number] = state, 0
                counts[NEXT] += 1
                continue
            counts[BEGUN], counts[BASE] = 1, number
            budget -= 1
        before = counts[GUESSES]
        state = step(board, most, before + max(budget, 1))
        budget -= counts[GUESSES] - before
        if state == ALL or counts[FOUND] >= most:
            found[number], guesses[number] = counts[FOUND], counts[GUESSES]
            counts[BEGUN] = 0
            counts[NEXT] += 1
        if budget <= 0:
            break
    return ALL if counts[NEXT] == len(found) else MORE
