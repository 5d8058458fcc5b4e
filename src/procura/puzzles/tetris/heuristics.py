"""What a Tetris board promises: opportunity lost so far, and the most points that can still be made.

The bounds come from a simpler game that forgets the shapes and only counts cells. A piece adds four cells;
with G cells on the board it can clear any number of rows up to G // columns and up to what its kind can clear
(the first piece also the rows that were full at the start); it is lost if its cells do not fit below the top
row. Whatever the real game does is a play of the simpler one with the same points, so the most points of the
simpler game, found by dynamic programming, are never too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from procura.problem import DEAD


def most_points_table(rows: int, columns: int, filled: int, clears: Sequence[int], points: Sequence[int]) -> list[int]:
    """The most points of the simpler game, from each of its states; -1 where it is lost.

    Entry ``i * (rows + 1) + q`` is the state before piece ``i`` with
    ``q * columns + (filled + 4i) % columns`` cells: every row cleared removes ``columns`` of
    them, so the remainder is known. ``filled`` are the cells at the start and ``clears[i]`` the most rows
    that piece ``i`` can clear.
    """
    later = [0] * (rows + 1)
    tables = [later]
    for i in range(len(clears) - 1, -1, -1):
        table = [-1] * (rows + 1)
        for q in range(rows + 1):
            cells = q * columns + (filled + 4 * i) % columns + 4
            if cells > (rows - 1) * columns:
                continue
            for lines in range(min(clears[i], cells // columns) + 1):
                rest = later[cells // columns - lines]
                if rest >= 0 and points[lines] + rest > table[q]:
                    table[q] = points[lines] + rest
        tables.append(table)
        later = table
    return [entry for table in reversed(tables) for entry in table]


def opportunity(s: Any, data: Any, work: Any) -> int:
    """The opportunity lost so far: what the pieces placed could have made at most, less the points made.

    Not admissible: it looks back, and an old loss says nothing of what is to come.
    """
    rows = data.size[0]
    return data.maxima_left[0] - data.maxima_left[s[rows]] - s[rows + 1]


def most_points(s: Any, data: Any) -> int:
    """No fewer points than the pieces left can make; -1 if they cannot all be placed."""
    rows = data.size[0]
    if s[rows - 1] != 0:
        return -1
    return data.most[s[rows] * (rows + 1) + s[rows + 2] // data.size[1]]


def quality_bound(s: Any, data: Any, work: Any) -> int:
    """Minus the most points of the simpler game.

    Admissible and consistent for the quality cost: a step of the real game that gains p points is a step of
    the simpler one, so most(before) >= p + most(after), that is h(before) <= -p + h(after); at a goal h is 0.
    A board whose top row is filled is no goal and has no moves.
    """
    most = most_points(s, data)
    if most < 0:
        return DEAD
    return -most


def opportunity_bound(s: Any, data: Any, work: Any) -> int:
    """The opportunity that must still be lost: the maxima of the pieces left, less the most points possible.

    Admissible and consistent for the opportunity cost, since a step costs its piece's maximum more than under
    the quality cost and takes that maximum from the pieces left.
    """
    most = most_points(s, data)
    if most < 0:
        return DEAD
    return data.maxima_left[s[data.size[0]]] - most
