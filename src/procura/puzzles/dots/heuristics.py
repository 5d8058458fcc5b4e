"""How many arcs a Dots board still needs.

A box is dead if it needs a skipped arc, else alive; an alive box is closed if its four arcs are drawn, else
open. With N the target, k = N - closed boxes are missing. No target can be met with fewer than N boxes alive.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from procura.problem import DEAD

SKIPPED = 2
DRAWN, ALIVE = 9, 14
"""In ``work``: 0..8 open boxes counted by their cost in halves; 9..13 boxes alive counted by their drawn
arcs; from 14 on, for each box, whether it is alive."""


def least_arcs(boxes: int) -> int:
    """The fewest arcs that n boxes have in all: 2n + ceil(2 sqrt(n)), those of the most compact shape.

    >>> [least_arcs(n) for n in range(7)]
    [0, 4, 7, 10, 12, 15, 17]
    """
    return 2 * boxes + isqrt(4 * boxes - 1) + 1 if boxes else 0


def mark_alive(s: Any, data: Any, work: Any) -> int:
    """Note in ``work`` which boxes are alive; return how many."""
    count = 0
    for box in range(data.size[3]):
        alive = 1
        for side in range(4 * box, 4 * box + 4):
            if s[data.sides[side]] == SKIPPED:
                alive = 0
        work[ALIVE + box] = alive
        count += alive
    return count


def missing_boxes(s: Any, data: Any) -> int:
    """How many more boxes must be closed; 0 when the target is met."""
    missing = data.target[0] - s[data.size[2]]
    return max(0, missing)


def base(s: Any, data: Any, work: Any) -> int:
    """The missing boxes. Not admissible: one arc can close two."""
    return missing_boxes(s, data)


def half(s: Any, data: Any, work: Any) -> int:
    """Half the missing boxes, rounded up: an arc closes at most two, so admissible and consistent."""
    missing = missing_boxes(s, data)
    if missing == 0:
        return 0
    if mark_alive(s, data, work) < data.target[0]:
        return DEAD
    return (missing + 1) // 2


def half_sharing(s: Any, data: Any, work: Any) -> int:
    """The k cheapest open boxes, rounded up: a free arc costs half if the box across it is alive, else 1.

    Admissible: an arc of the k boxes that get closed is shared by two of them at most, never with a dead one.
    Consistent: an arc lowers the costs of any boxes by 1 in all, and skipping an arc lowers none.
    """
    missing = missing_boxes(s, data)
    if missing == 0:
        return 0
    if mark_alive(s, data, work) < data.target[0]:
        return DEAD
    for cost in range(DRAWN):
        work[cost] = 0
    for box in range(data.size[3]):
        if work[ALIVE + box] == 1:
            cost = 0
            for side in range(4 * box, 4 * box + 4):
                if s[data.sides[side]] == 0:
                    across = data.across[side]
                    cost += 1 if across >= 0 and work[ALIVE + across] == 1 else 2
            work[cost] += 1
    halves = 0
    for cost in range(1, DRAWN):
        taken = min(work[cost], missing)
        halves += taken * cost
        missing -= taken
    return (halves + 1) // 2


def polyomino(s: Any, data: Any, work: Any) -> int:
    """The larger of ``half_sharing`` and the arcs of N boxes at their most compact, less those drawn already.

    Admissible: N closed boxes have at least ``least_arcs(N)`` arcs. Those of them that are drawn already
    border a box that is alive, and are no more than the N boxes alive with most drawn arcs have.
    """
    sharing = half_sharing(s, data, work)
    if sharing == 0 or sharing >= DEAD:
        return sharing
    for drawn in range(DRAWN, ALIVE):
        work[drawn] = 0
    useful = 0
    for box in range(data.size[3]):
        if work[ALIVE + box] == 1:
            drawn = 0
            for side in range(4 * box, 4 * box + 4):
                if s[data.sides[side]] == 1:
                    drawn += 1
                    across = data.across[side]
                    if across < 0 or across > box or work[ALIVE + across] == 0:
                        useful += 1
            work[DRAWN + drawn] += 1
    boxes = data.target[0]
    held = 0
    for drawn in range(4, 0, -1):
        taken = min(work[DRAWN + drawn], boxes)
        held += taken * drawn
        boxes -= taken
    return max(sharing, data.least_arcs[0] - min(useful, held))
