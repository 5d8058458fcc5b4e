"""The beam of ``best``: it places a piece on every board of a layer and keeps the boards that look best.

A board's rank is its points, what the pieces left could make of its cells if they were dealt out freely, and its looks.
The first two belong together: rows are completed out of a fixed number of cells, so points taken row by row cost those
that the same rows would have made two or four at once. A board whose rank is below that of as many others as are kept
is dropped before anything else is done with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.intrinsics import bit_count
from procura.puzzles.tetris.layers import (
    CHILDREN,
    LAST,
    MADE,
    NEXT,
    PER_WORD,
    PLACED,
    TO_BEAT,
    WORDS,
    column_heights,
    equal,
    hashed,
    pack,
    unpack,
)
from procura.puzzles.tetris.pieces import LETTERS, ROTATIONS, shape
from procura.puzzles.tetris.rules import Tetris, remove_full_rows

u64 = np.uint64
COVERED, RELIEF, HEIGHT, WELLS, FULLNESS, PAIRS, READY, CELLS = range(8)
"""In ``weights``: what takes from a board's rank or adds to it."""
WEIGHTS = (26.8, 3.5, 1.44, 3.8, 0.2, 15.3, 0.31, 0.66)
"""Where the search for weights begins."""
SURFACE = (100.0, 5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0)
"""Those of the heuristic ``surface``, cells in full: best on boards where a covered cell costs more than it seems."""
WASTE, WASTED_EACH = 7, 2
"""The most cells of a board that are thought to come to nothing, and so many for each piece left."""
IMPOSSIBLE = -(1 << 60)


def sweep(
    data: Any, bottoms: Any, tops: Any, board: Any, heights: Any, s: Any, outline: Any,
    weights: Any, ready: Any, hopes: Any, most: Any, floor: Any, counts: Any, keys: Any, points: Any,
    new_keys: Any, new_points: Any, parents: Any, moves: Any, ranks: Any, table: Any,
) -> None:  # fmt: skip
    """Place the next piece on boards ``counts[NEXT]`` and on, while there is room for all that one board can make.

    ``hopes`` and ``most`` say of so many cells what a board with them can hope for, and come to at most. Boards that
    cannot beat ``counts[TO_BEAT]``, and those whose rank is not above ``floor[0]``, are dropped.
    """
    rows, columns = data.size[0], data.size[1]
    full = (1 << columns) - 1
    kind = data.pieces[counts[PLACED] - 1]
    while counts[NEXT] < counts[LAST]:
        if counts[MADE] + 4 * columns > len(new_points):
            return
        at = counts[NEXT]
        unpack(keys, at * counts[WORDS], counts[PER_WORD], rows, columns, board)
        column_heights(board, rows, columns, heights)
        top = cells = old = 0
        for row in range(rows):
            cells += int(bit_count(u64(board[row])))
            old += board[row] == full
            if board[row] != 0:
                top = row + 1
        for rotation in range(data.rotations[kind]):
            form = 4 * kind + rotation
            height, width = data.height[form], data.width[form]
            for column in range(columns - width + 1):
                base = 0
                for c in range(width):
                    base = max(base, heights[column + c] - bottoms[4 * form + c])
                if base + height > rows - 1:
                    continue
                counts[CHILDREN] += 1
                lines = old
                for i in range(height):
                    lines += board[base + i] | (data.masks[4 * form + i] << column) == full
                gained = points[at] + data.points[lines]
                left = cells + 4 - lines * columns
                if gained + most[left] <= counts[TO_BEAT]:
                    continue
                for row in range(rows):
                    s[row] = board[row]
                for i in range(height):
                    s[base + i] = s[base + i] | (data.masks[4 * form + i] << column)
                if lines == 0:
                    for c in range(columns):
                        outline[c] = heights[c]
                    for c in range(width):
                        outline[column + c] = base + tops[4 * form + c]
                else:
                    remove_full_rows(s, data)
                    column_heights(s, rows, columns, outline)
                above = max(top, base + height) - lines
                rank = gained + hopes[left] + looks(s, outline, weights, ready, columns, above, left)
                if rank > floor[0]:
                    enter(
                        s, rows, columns, counts, gained, rank, at, form * 64 + column,
                        new_keys, new_points, parents, moves, ranks, table,
                    )  # fmt: skip
        counts[NEXT] += 1


def looks(s: Any, heights: Any, weights: Any, ready: Any, columns: int, top: int, cells: int) -> float:
    """What the shape of a board with so many rows and cells is worth.

    A pair are two rows, one below the other, that lack four open cells or fewer: one piece may complete both.
    ``ready[n]`` is what n rows, one below the other, that lack the same open cell are worth.
    """
    height = relief = wells = 0
    left = top
    for c in range(columns):
        right = heights[c + 1] if c + 1 < columns else top
        height += heights[c]
        if c + 1 < columns:
            relief += abs(right - heights[c])
        wells += max(0, min(left, right) - heights[c])
        left = heights[c]
    full = (1 << columns) - 1
    fullness = cover = gap = run = longest = pairs = 0
    before = columns
    for row in range(top - 1, -1, -1):
        count = int(bit_count(u64(s[row])))
        fullness += count * count
        empty = full & ~s[row]
        if count == columns - 1 and empty & cover == 0:
            run = run + 1 if empty == gap else 1
            gap = empty
            longest = max(longest, run)
        else:
            run = 0
        lacking = columns - count if empty & cover == 0 else columns
        if lacking + before <= 4:
            pairs += 1
            lacking = columns
        before = lacking
        cover = cover | s[row]
    return (
        weights[FULLNESS] * fullness + weights[PAIRS] * pairs + ready[min(longest, 4)]
        - weights[COVERED] * (height - cells) - weights[RELIEF] * relief
        - weights[HEIGHT] * height - weights[WELLS] * wells
    )  # fmt: skip


def enter(
    s: Any, rows: int, columns: int, counts: Any, gained: int, rank: float, parent: int, move: int,
    new_keys: Any, new_points: Any, parents: Any, moves: Any, ranks: Any, table: Any,
) -> None:  # fmt: skip
    """Keep the board in ``s`` if it is new, or reached with more points than before."""
    words, made = counts[WORDS], counts[MADE]
    pack(s, rows, columns, counts[PER_WORD], words, new_keys, made * words)
    slot = hashed(new_keys, made * words, words) & (len(table) - 1)
    while table[slot] != 0:
        other = table[slot] - 1
        if equal(new_keys, other * words, made * words, words):
            if gained > new_points[other]:
                new_points[other], parents[other], moves[other], ranks[other] = gained, parent, move, rank
            return
        slot = (slot + 1) & (len(table) - 1)
    table[slot] = made + 1
    new_points[made], parents[made], moves[made], ranks[made] = gained, parent, move, rank
    counts[MADE] = made + 1


def ends_of_columns() -> tuple[Any, Any]:
    """Of every form and each of four columns in it: the row of its lowest cell, and the row above its highest."""
    bottoms, tops = np.zeros((len(LETTERS), 4, 4), np.int64), np.zeros((len(LETTERS), 4, 4), np.int64)
    for kind, letter in enumerate(LETTERS):
        for rotation in range(len(ROTATIONS[letter])):
            for column, cells in enumerate(zip(*shape(letter, rotation), strict=True)):
                filled = [row for row, cell in enumerate(cells) if cell == "#"]
                bottoms[kind, rotation, column], tops[kind, rotation, column] = filled[0], filled[-1] + 1
    return bottoms.reshape(-1), tops.reshape(-1)


def most_by_cells(problem: Tetris) -> Any:
    """[pieces placed, cells on the board] -> the most points that can follow if cells may be put anywhere.

    ``IMPOSSIBLE`` if the pieces left do not fit. Never too low once a piece is placed, for then no row is full.
    """
    data, columns = problem.data, problem.columns
    room = (problem.rows - 1) * columns
    most = np.zeros((len(problem.pieces) + 1, problem.rows * columns + 1), np.int64)
    for placed in range(len(problem.pieces) - 1, -1, -1):
        most[placed] = IMPOSSIBLE
        for lines in range(5):
            fewest = max(0, lines * columns - 4)
            if data.own_cells[5 * data.pieces[placed] + lines] >= 0 and fewest <= room - 4:
                after = most[placed + 1, fewest + 4 - lines * columns : room + 1 - lines * columns]
                now = most[placed, fewest : room - 3]
                np.maximum(now, after + data.points[lines], out=now)
    return most


def hopes_of(most: Any, left: int) -> Any:
    """What boards can hope for, by their cells, if some of these come to nothing: the mean over how many may."""
    possible = np.maximum(most, 0)
    wasted = max(1, min(WASTE, WASTED_EACH * left))
    return sum(np.concatenate((np.full(k, possible[0]), possible[: len(possible) - k])) for k in range(wasted)) / wasted
