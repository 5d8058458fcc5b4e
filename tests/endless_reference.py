"""Endless Tetris on lists, cell by cell: slow and obvious, beside which the compiled player is tested."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from procura.puzzles.tetris.pieces import LETTERS, ROTATIONS, shape
from procura.rng import below, stream

COLUMNS = 10


def empty_board(rows):
    """The rows of a board, the bottom one first; True is filled."""
    return [[False] * COLUMNS for _ in range(rows)]


def placements(letter):
    """Every (rotation, column) in action order."""
    for rotation in range(len(ROTATIONS[letter])):
        for column in range(COLUMNS - len(shape(letter, rotation)[0]) + 1):
            yield rotation, column


def drop(board, letter, rotation, column):
    """The board after a placement, its base row, its lines and its cells in them; None if it sticks out."""
    cells = [
        (r, column + c) for r, row in enumerate(shape(letter, rotation)) for c, cell in enumerate(row) if cell == "#"
    ]
    rows = len(board)
    for base in range(rows, -1, -1):
        if any(base + r < rows and board[base + r][c] for r, c in cells):
            base += 1
            break
    if any(base + r >= rows for r, _ in cells):
        return None
    after = [row[:] for row in board]
    for r, c in cells:
        after[base + r][c] = True
    full = [r for r, row in enumerate(after) if all(row)]
    kept = [row for r, row in enumerate(after) if r not in full]
    eroded = sum(base + r in full for r, _ in cells)
    return kept + empty_board(len(full)), base, len(full), eroded


def column_of(board, c):
    return [row[c] for row in board]


def heights(board):
    return [max((r + 1 for r, row in enumerate(board) if row[c]), default=0) for c in range(COLUMNS)]


def hole_cells(board):
    return [(r, c) for c, h in enumerate(heights(board)) for r in range(h) if not board[r][c]]


def row_transitions(board):
    return sum(a != b for row in board for a, b in zip([True, *row], [*row, True], strict=True))


def column_transitions(board):
    columns = [[True, *column_of(board, c), False] for c in range(COLUMNS)]
    return sum(a != b for column in columns for a, b in pairwise(column))


def wells(board):
    total = 0
    for row in range(len(board)):
        for c in range(COLUMNS):
            left = c == 0 or board[row][c - 1]
            right = c == COLUMNS - 1 or board[row][c + 1]
            if left and right:
                r = row
                while r >= 0 and not board[r][c]:
                    total += 1
                    r -= 1
    return total


def board_features(board):
    """The features of a board by itself."""
    h, holes = heights(board), hole_cells(board)
    steps = [h[c] - h[c + 1] for c in range(COLUMNS - 1)]
    return {
        "row_transitions": row_transitions(board),
        "column_transitions": column_transitions(board),
        "holes": len(holes),
        "wells": wells(board),
        "hole_depth": sum(sum(column_of(board, c)[r:]) for r, c in holes),
        "rows_with_holes": len({r for r, _ in holes}),
        "diversity": len({step for step in steps if -2 <= step <= 2}),
        "unit_steps": len({-1, 1} & set(steps)),
        "flat_steps": int(0 in steps),
        "height": sum(h),
        "peak": max(h),
        "bumpiness": sum(map(abs, steps)),
    }


def features(board, letter, rotation, column):
    """The board after a placement and all features of it, or None if the piece sticks out."""
    dropped = drop(board, letter, rotation, column)
    if dropped is None:
        return None
    after, base, lines, eroded = dropped
    found = board_features(after)
    found["landing_height"] = base + Fraction(len(shape(letter, rotation)) - 1, 2)
    found["eroded_cells"] = lines * eroded
    found["lines"] = lines
    found["points"] = (0, 100, 300, 500, 800)[lines]
    return after, found


def best_placement(board, letter, weights):
    """The value, (rotation, column), board after and lines of the best placement, or None; weights are exact."""
    best = None
    for rotation, column in placements(letter):
        placed = features(board, letter, rotation, column)
        if placed is None:
            continue
        after, found = placed
        value = sum(weight * found[name] for name, weight in weights.items())
        if best is None or value > best[0]:
            best = value, (rotation, column), after, found["lines"]
    return best


def best_way(board, letters, weights, beam=34):
    """(rotation, column) of the first piece in the best way to place all, of the ``beam`` best after each; or None."""
    layer = [(0, board, None)]
    for letter in letters:
        ways = []
        for total, before, first in layer:
            stood = board_features(before)
            for placement in placements(letter):
                placed = features(before, letter, *placement)
                if placed is not None:
                    after, found = placed
                    gain = sum(weight * (found[name] - stood.get(name, 0)) for name, weight in weights.items())
                    ways.append((total + gain, after, first or placement))
        if not ways:
            break
        layer = sorted(ways, key=lambda way: -way[0])[:beam]
    return layer[0][2]


def play(weights, rows, seed, number, most, known=1):
    """Up to ``most`` placements of a game as (letter, rotation, column, lines so far); whether it was lost."""
    rng = [stream(seed, number)]
    board, lines, made, queue = empty_board(rows), 0, [], []
    for _ in range(most):
        while len(queue) < known:
            queue.append(LETTERS[below(rng, len(LETTERS))])
        way = best_way(board, queue, weights)
        if way is None:
            return made, board, True
        letter = queue.pop(0)
        board, _, more, _ = drop(board, letter, *way)
        lines += more
        made.append((letter, *way, lines))
    return made, board, False
