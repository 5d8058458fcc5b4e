"""The most points that can still be made: bounds for A* that are never too low, and so prove optima.

They come from a simpler game. It forgets columns and keeps of each row only how many cells it lacks. A piece is four
cells, to be dealt out to the rows as one likes. After j pieces the rows completed so far must have lacked no more
than the cells dealt out: 4 for every earlier piece, and of the last one those that can lie in rows it completes,
which its shape decides (an i that completes two rows has two cells in them). Two things of the real game are kept:

- A row with an empty cell below a filled one waits for the row of that filled cell, and for all that one waits for.
  So it takes at least a quarter of the cells they lack together, in pieces, and one piece more than any of them.
- The cells on the board must fit below the top row before each clearing.

Whatever the real game does is a play of the simpler one with the same points, so the most points of the simpler
game, found by dynamic programming over the pieces left and the rows completed, are never too few. Pieces beyond
``HORIZON`` count with their maxima, so that long lists cost no more time than that.
"""

from __future__ import annotations

from typing import Any

from procura.problem import DEAD, Estimate
from procura.puzzles.bits import ones

HORIZON = 64
"""The pieces that the simpler game is played with."""


def scratch(rows: int, columns: int) -> int:
    """The integers that ``most_points`` needs in ``work``.

    One after the other: three of each row (see ``row_prospects``), how many rows lack so many cells, what the
    cheapest rows lack together, and the most points for so many rows completed.
    """
    return 3 * rows + (columns + 1) + 2 * (rows + HORIZON + 1)


def row_prospects(s: Any, data: Any, work: Any, top: int) -> None:
    """For each row below ``top``: the cells it lacks, the pieces it takes at least, and the rows it waits for.

    They stand in ``work`` from 0, ``rows`` and ``2 * rows`` on; the last as a mask of rows.
    """
    rows = data.size[0]
    columns = data.size[1]
    full = (1 << columns) - 1
    for row in range(top - 1, -1, -1):
        gaps = full ^ s[row]
        waits = 0
        for above in range(row + 1, top):
            if (s[above] & gaps) != 0:
                waits = waits | (1 << above) | work[2 * rows + above]
        lacking = ones(gaps)
        needed = lacking
        last = 0
        for above in range(row + 1, top):
            if (waits >> above) & 1 != 0:
                needed += work[above]
                last = max(last, work[rows + above])
        work[row] = lacking
        work[rows + row] = max((needed + 3) // 4, last + 1)
        work[2 * rows + row] = waits


def cheapest_rows(data: Any, work: Any, top: int, after: int) -> int:
    """Write the cells that the 0, 1, 2 ... cheapest rows lack together, of those that ``after`` pieces can complete.

    Returns the most rows that so many pieces can complete. Empty rows are there without end.
    """
    rows = data.size[0]
    columns = data.size[1]
    tally = 3 * rows
    sums = tally + columns + 1
    for row in range(top):
        if work[rows + row] == after and work[row] > 0:
            work[tally + work[row]] += 1
    lines = 0
    work[sums] = 0
    for lacking in range(1, columns + 1):
        count = work[tally + lacking] if lacking < columns else after
        for _ in range(count):
            if work[sums + lines] + lacking > 4 * after:
                return lines
            work[sums + lines + 1] = work[sums + lines] + lacking
            lines += 1
    return lines


def play_piece(data: Any, work: Any, after: int, kind: int, old: int, reached: int, most: int) -> None:
    """Turn the most points for 0 to ``reached`` rows completed before a piece into those for 0 to ``most`` after it.

    It is the piece number ``after``, and the ``old`` full rows of the start go with it.
    """
    rows = data.size[0]
    sums = 3 * rows + data.size[1] + 1
    best = sums + rows + HORIZON + 1
    for lines in range(most, -1, -1):
        points = -1
        if lines <= reached and work[best + lines] >= 0:
            points = work[best + lines] + data.points[old]
        for now in range(max(1, lines - reached), min(lines, 4) + 1):
            own = data.own_cells[5 * kind + now]
            before = work[best + lines - now]
            if own >= 0 and before >= 0 and work[sums + lines] <= 4 * (after - 1) + own:
                points = max(points, before + data.points[old + now])
        work[best + lines] = points


def most_points(s: Any, data: Any, work: Any) -> int:
    """No fewer points than the pieces left can make; -1 if they cannot all be placed."""
    rows = data.size[0]
    if s[rows - 1] != 0:
        return -1
    top = rows - 1
    while top > 0 and s[top - 1] == 0:
        top -= 1
    row_prospects(s, data, work, top)
    return most_points_of(s, data, work, top)


def most_points_of(s: Any, data: Any, work: Any, top: int) -> int:
    """The same for a board whose rows from ``top`` on are empty, and whose prospects stand in ``work``."""
    rows = data.size[0]
    columns = data.size[1]
    placed = s[rows]
    old = 0
    if placed == 0:
        for row in range(top):
            old += work[row] == 0
    for lacking in range(columns + 1):
        work[3 * rows + lacking] = 0
    best = 3 * rows + columns + 1 + rows + HORIZON + 1
    work[best] = 0
    reached = 0
    room = (rows - 1) * columns - s[rows + 2]
    ahead = min(len(data.pieces) - placed, HORIZON)
    for after in range(1, ahead + 1):
        for lines in range(reached + 1):
            if 4 * after - lines * columns > room:
                work[best + lines] = -1
        most = cheapest_rows(data, work, top, after)
        play_piece(data, work, after, data.pieces[placed + after - 1], old, reached, most)
        reached = most
        room += old * columns
        old = 0
    points = -1
    for lines in range(reached + 1):
        points = max(points, work[best + lines])
    return points if points < 0 else points + data.maxima_left[placed + ahead]


def quality_bound(s: Any, data: Any, work: Any) -> int:
    """Minus the most points of the simpler game.

    Admissible and consistent for the quality cost: a step of the real game that gains p points is a step of
    the simpler one, so most(before) >= p + most(after), that is h(before) <= -p + h(after); at a goal h is 0. A
    piece that comes within the horizon gains no more than the maximum it counted with before.
    """
    most = most_points(s, data, work)
    if most < 0:
        return DEAD
    return -most


def opportunity_bound(s: Any, data: Any, work: Any) -> int:
    """The opportunity that must still be lost: the maxima of the pieces left, less the most points possible.

    Admissible and consistent for the opportunity cost, since a step costs its piece's maximum more than under
    the quality cost and takes that maximum from the pieces left.
    """
    most = most_points(s, data, work)
    if most < 0:
        return DEAD
    return data.maxima_left[s[data.size[0]]] - most


def report1_bound(s: Any, data: Any, work: Any) -> float:
    """``quality_bound`` in the units of the first report; admissible and consistent for its cost."""
    most = most_points(s, data, work)
    if most < 0:
        return float(DEAD)
    return -most / 4800.0


BOUNDS = {
    "quality_bound": Estimate(quality_bound, about="minus the most points still possible"),
    "opportunity_bound": Estimate(opportunity_bound, about="opportunity that must still be lost"),
    "report1_bound": Estimate(report1_bound, integer=False, about="minus the most points still possible, over 4800"),
}
"""Each is admissible and consistent for the cost of its name; ``quality_bound`` for the other costs too."""
