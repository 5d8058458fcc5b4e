"""Kernels of exact runs, which place a piece on many boards at once: a layer of distinct boards makes the next.

A board is kept as ``words`` integers, as many whole rows in each as fit. Of two ways to the same board only the one
with more points counts. Boards of a layer stand in ``keys``, their points, parents and moves beside them, and
``table`` finds them by a hash of their words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.intrinsics import bit_count
from procura.puzzles.tetris.bounds import most_points_of, row_prospects

u64 = np.uint64
NEXT, LAST, MADE, CHILDREN, TO_BEAT, WORDS, PER_WORD, PLACED, BEST = range(9)
"""In ``counts``: the next board to expand and the one to stop before; boards made; children made; points to beat; how
many integers a board takes, and rows in each; the number of the piece; the most points that any board can come to."""


def expand(
    data: Any, work: Any, bottoms: Any, board: Any, heights: Any, s: Any, counts: Any, keys: Any, points: Any,
    new_keys: Any, new_points: Any, parents: Any, moves: Any, most: Any, table: Any,
) -> None:  # fmt: skip
    """Place the next piece on boards ``counts[NEXT]`` and on, while there is room for all that one board can make."""
    rows, columns = data.size[0], data.size[1]
    words, per = counts[WORDS], counts[PER_WORD]
    placed = s[rows] = counts[PLACED]
    kind = data.pieces[placed - 1]
    while counts[NEXT] < counts[LAST]:
        if counts[MADE] + 4 * columns > len(new_points):
            return
        at = counts[NEXT]
        unpack(keys, at * words, per, rows, columns, board)
        column_heights(board, rows, columns, heights)
        for rotation in range(data.rotations[kind]):
            form = 4 * kind + rotation
            for column in range(columns - data.width[form] + 1):
                base = 0
                for c in range(data.width[form]):
                    base = max(base, heights[column + c] - bottoms[4 * form + c])
                if base + data.height[form] > rows - 1:
                    continue
                counts[CHILDREN] += 1
                for row in range(rows):
                    s[row] = board[row]
                gained = points[at] + settle(s, data, form, column, base, placed == 1)
                enter(
                    data, work, s, counts, gained, at, form * 64 + column,
                    new_keys, new_points, parents, moves, most, table,
                )  # fmt: skip
        counts[NEXT] += 1


def settle(s: Any, data: Any, form: int, column: int, base: int, all_rows: bool) -> int:
    """Put a piece into the board, take out the rows that are full, and return the points."""
    rows = data.size[0]
    full = (1 << data.size[1]) - 1
    top = base + data.height[form]
    lines = 0
    for row in range(base, top):
        s[row] = s[row] | (data.masks[4 * form + row - base] << column)
        lines += s[row] == full
    first = base
    if all_rows:
        first = lines = 0
        for row in range(rows):
            lines += s[row] == full
    if lines:
        kept = first
        for row in range(first, rows):
            if s[row] != full:
                s[kept] = s[row]
                kept += 1
        for row in range(kept, rows):
            s[row] = 0
    return data.points[lines]


def enter(
    data: Any, work: Any, s: Any, counts: Any, gained: int, parent: int, move: int,
    new_keys: Any, new_points: Any, parents: Any, moves: Any, most: Any, table: Any,
) -> None:  # fmt: skip
    """Keep the board in ``s`` if it is new, or reached with more points than before, and can beat what is to be beaten.

    ``most`` are the points that a board can come to.
    """
    rows = data.size[0]
    words = counts[WORDS]
    top = rows - 1
    while top > 0 and s[top - 1] == 0:
        top -= 1
    row_prospects(s, data, work, top)
    forget(s, work, rows, top, len(data.pieces) - s[rows])
    made = counts[MADE]
    pack(s, rows, data.size[1], counts[PER_WORD], words, new_keys, made * words)
    slot = hashed(new_keys, made * words, words) & (len(table) - 1)
    while table[slot] != 0:
        other = table[slot] - 1
        if equal(new_keys, other * words, made * words, words):
            if gained > new_points[other]:
                most[other] += gained - new_points[other]
                new_points[other], parents[other], moves[other] = gained, parent, move
                counts[BEST] = max(counts[BEST], most[other])
            return
        slot = (slot + 1) & (len(table) - 1)
    s[rows + 2] = 0
    for row in range(top):
        s[rows + 2] += int(bit_count(u64(s[row])))
    more = most_points_of(s, data, work, top)
    if more < 0 or gained + more <= counts[TO_BEAT]:
        return
    most[made] = gained + more
    counts[BEST] = max(counts[BEST], most[made])
    table[slot] = made + 1
    new_points[made], parents[made], moves[made] = gained, parent, move
    counts[MADE] = made + 1


def forget(s: Any, work: Any, rows: int, top: int, left: int) -> None:
    """Empty the cells that can never matter again, so that boards which differ in them only become one.

    A row that takes more pieces than are left is never completed, and what is below one of its cells never comes to
    light. So of such rows only the cells count that have none of them above.
    """
    shade = 0
    for row in range(top - 1, -1, -1):
        if work[rows + row] > left:
            lit = s[row] & ~shade
            shade = shade | s[row]
            s[row] = lit


def column_heights(board: Any, rows: int, columns: int, heights: Any) -> None:
    """The height of each column."""
    for column in range(columns):
        heights[column] = 0
    seen = 0
    for row in range(rows - 1, -1, -1):
        new = board[row] & ~seen
        if new:
            for column in range(columns):
                if new >> column & 1:
                    heights[column] = row + 1
            seen = seen | new


def pack(s: Any, rows: int, columns: int, per: int, words: int, keys: Any, at: int) -> None:
    """Write a board as integers."""
    for word in range(words):
        value = 0
        for i in range(per):
            row = word * per + i
            if row < rows:
                value = value | (s[row] << (columns * i))
        keys[at + word] = value


def unpack(keys: Any, at: int, per: int, rows: int, columns: int, board: Any) -> None:
    """Read a board."""
    full = (1 << columns) - 1
    for row in range(rows):
        board[row] = keys[at + row // per] >> (columns * (row % per)) & full


def hashed(keys: Any, at: int, words: int) -> int:
    """A hash of a board."""
    value = u64(0x9E3779B97F4A7C15)
    for word in range(words):
        value = (value ^ u64(keys[at + word])) * u64(0xC2B2AE3D27D4EB4F)
        value = value ^ (value >> u64(29))
    return int(value >> u64(2))


def equal(keys: Any, one: int, other: int, words: int) -> bool:
    """Whether the boards that begin there are the same."""
    for i in range(words):
        if keys[one + i] != keys[other + i]:
            return False
    return True


def refill(keys: Any, made: int, words: int, table: Any) -> None:
    """Enter all boards into a larger table."""
    for board in range(made):
        slot = hashed(keys, board * words, words) & (len(table) - 1)
        while table[slot] != 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = board + 1
