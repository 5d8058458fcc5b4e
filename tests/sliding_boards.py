"""Sliding boards done plainly: moves on nested lists, and the true distances of all boards of a size."""

from collections import deque

import numpy as np

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def plain_moves(cells, rows, columns):
    """Each move of the blank and the board after it, by swapping in a nested list."""
    grid = [list(cells[r * columns : (r + 1) * columns]) for r in range(rows)]
    row, column = next((r, c) for r in range(rows) for c in range(columns) if grid[r][c] == 0)
    found = {}
    for name, (down, right) in STEPS.items():
        r, c = row + down, column + right
        if 0 <= r < rows and 0 <= c < columns:
            copy = [line[:] for line in grid]
            copy[row][column], copy[r][c] = copy[r][c], 0
            found[name] = tuple(tile for line in copy for tile in line)
    return found


def plain_distances(goal, rows, columns, depth=99):
    """Moves from each board to the goal, by breadth-first search: moves can be taken back."""
    distance, queue = {tuple(goal): 0}, deque([tuple(goal)])
    while queue:
        cells = queue.popleft()
        if distance[cells] < depth:
            for after in plain_moves(cells, rows, columns).values():
                if after not in distance:
                    distance[after] = distance[cells] + 1
                    queue.append(after)
    return distance


def all_distances(goal, rows, columns, depth=99):
    """The same for many boards at a time: an array with a board in each row, and an array of their distances.

    A neighbour of level k is in level k - 1 or k + 1, so what is new need only be compared with the level before.
    """
    level, before, levels = np.array([goal], dtype=np.int8), np.empty(0, dtype=np.int64), []
    while len(level) and len(levels) <= depth:
        levels.append(level)
        reached = np.concatenate([_moved(level, rows, columns, *step) for step in STEPS.values()])
        codes, first = np.unique(_codes(reached), return_index=True)
        fresh = ~np.isin(codes, before)
        before, level = _codes(level), reached[first[fresh]]
    distances = np.concatenate([np.full(len(level), k) for k, level in enumerate(levels)])
    return np.concatenate(levels), distances


def _moved(boards, rows, columns, down, right):
    """The boards on which the blank can go that way, after it went."""
    blank = np.argmin(boards, axis=1)
    row, column = blank // columns + down, blank % columns + right
    can = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    after, old, new = boards[can].copy(), blank[can], (row * columns + column)[can]
    at = np.arange(len(after))
    after[at, old], after[at, new] = after[at, new], 0
    return after


def _codes(boards):
    """One integer for each board; exact, since 16 tiles of 4 bits fill 64 bits."""
    codes = np.zeros(len(boards), dtype=np.int64)
    for tile in boards.T:
        codes = (codes << 4) | tile
    return codes
