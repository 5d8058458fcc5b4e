"""How many arcs a Dots board still needs.

A box is dead if it needs a skipped arc, else alive; an alive box is closed if its four arcs are drawn, else
open. With N the target, k = N - closed boxes are missing. At least N boxes are alive: the rules see to that.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from procura.problem import DEAD, Estimate

SKIPPED = 2
USEFUL = 0
DRAWN = 1
COST = DRAWN + 5
BOX = COST + 9
"""In ``work``: at ``USEFUL`` the drawn arcs that border a box alive; from ``DRAWN`` the boxes alive counted by
their drawn arcs, 0 to 4; from ``COST`` counted by their cost in halves, 0 to 8; from ``BOX`` each one's cost, or
``DEAD``."""


def least_arcs(boxes: int) -> int:
    """The fewest arcs that n boxes have in all: 2n + ceil(2 sqrt(n)), those of the most compact shape.

    >>> [least_arcs(n) for n in range(7)]
    [0, 4, 7, 10, 12, 15, 17]
    """
    return 2 * boxes + isqrt(4 * boxes - 1) + 1 if boxes else 0


def survey(s: Any, data: Any, work: Any) -> None:
    """Fill ``work`` with what the heuristics need to know of each box.

    A free arc costs each box that needs it 2 halves, but 1 if the box across it is alive too. Boxes are visited in
    reading order, so that those across the top and the left are known. The arc above a box has the box's number.
    """
    rows, columns = data.size[0], data.size[1]
    for place in range(BOX):
        work[place] = 0
    for row in range(rows):
        for column in range(columns):
            box = row * columns + column
            left = (rows + 1) * columns + column * rows + row
            at_top, at_bottom = s[box], s[box + columns]
            at_left, at_right = s[left], s[left + rows]
            if (at_top | at_bottom | at_left | at_right) & SKIPPED:
                work[BOX + box] = DEAD
                continue
            drawn = at_top + at_bottom + at_left + at_right
            shared = 0
            cost = 8 - 2 * drawn
            if row > 0 and work[BOX + box - columns] < DEAD:
                work[BOX + box - columns] -= 1 - at_top
                cost -= 1 - at_top
                shared += at_top
            if column > 0 and work[BOX + box - 1] < DEAD:
                work[BOX + box - 1] -= 1 - at_left
                cost -= 1 - at_left
                shared += at_left
            work[BOX + box] = cost
            work[DRAWN + drawn] += 1
            work[USEFUL] += drawn - shared
    for box in range(rows * columns):
        if work[BOX + box] < DEAD:
            work[COST + work[BOX + box]] += 1


def cheapest(work: Any, missing: int) -> int:
    """What so many of the cheapest open boxes of a survey cost, rounded up."""
    halves = 0
    for cost in range(1, 9):
        taken = min(work[COST + cost], missing)
        halves += taken * cost
        missing -= taken
    return (halves + 1) // 2


def held_arcs(work: Any, boxes: int) -> int:
    """How many arcs of ``boxes`` closed boxes can be drawn already: no more than border a box alive, and no more
    than the boxes alive with most drawn arcs have."""
    held = 0
    for drawn in range(4, 0, -1):
        taken = min(work[DRAWN + drawn], boxes)
        held += taken * drawn
        boxes -= taken
    return min(work[USEFUL], held)


def closed_by(s: Any, data: Any, move: int) -> int:
    """How many boxes the arc closes, 0 to 2."""
    count = 0
    for place in range(2 * move, 2 * move + 2):
        if data.beside[place] >= 0:
            drawn = 0
            for side in range(4 * data.beside[place], 4 * data.beside[place] + 4):
                drawn += s[data.sides[side]] == 1
            count += drawn == 3
    return count


def base(s: Any, data: Any, work: Any) -> int:
    """The missing boxes. Not admissible: one arc can close two."""
    return max(0, data.target[0] - s[data.size[2]])


def base_step(s: Any, data: Any, work: Any, move: int, h: int) -> int:
    return max(0, h - closed_by(s, data, move))


def half(s: Any, data: Any, work: Any) -> int:
    """Half the missing boxes, rounded up: an arc closes at most two, so admissible and consistent."""
    return (base(s, data, work) + 1) // 2


def half_step(s: Any, data: Any, work: Any, move: int, h: int) -> int:
    return (max(0, base(s, data, work) - closed_by(s, data, move)) + 1) // 2


def half_sharing(s: Any, data: Any, work: Any) -> int:
    """The k cheapest open boxes, rounded up: a free arc costs half if the box across it is alive, else 1.

    Admissible: an arc of the k boxes that get closed is shared by two of them at most, never with a dead one.
    Consistent: an arc lowers the costs of any boxes by 1 in all, and skipping an arc lowers none.
    """
    missing = base(s, data, work)
    if missing == 0:
        return 0
    survey(s, data, work)
    return cheapest(work, missing)


def polyomino(s: Any, data: Any, work: Any) -> int:
    """The larger of ``half_sharing`` and the arcs of N boxes at their most compact, less those drawn already.

    Admissible: N closed boxes have at least ``least_arcs(N)`` arcs, of which at most ``held_arcs`` are drawn.
    Not consistent: an arc between two boxes can raise what both hold, and so lower the bound by 2.
    """
    sharing = half_sharing(s, data, work)
    if sharing == 0:
        return 0
    return max(sharing, data.least_arcs[0] - held_arcs(work, data.target[0]))


HEURISTICS = {
    "base": Estimate(base, step=base_step, about="boxes missing: the course's base"),
    "half": Estimate(half, admissible=True, consistent=True, step=half_step, about="half the boxes missing"),
    "half_sharing": Estimate(
        half_sharing,
        admissible=True,
        consistent=True,
        about="lines of the cheapest boxes, shared ones half",
    ),
    "polyomino": Estimate(polyomino, admissible=True, about="lines of the most compact boxes, or half_sharing"),
}
