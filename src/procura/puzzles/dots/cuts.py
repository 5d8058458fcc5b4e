"""A lower bound on the arcs for any number of boxes: the lower hull of all that can be closed, by minimum cuts.

Let every closed box be worth r arcs. Which boxes are then best closed, by arcs drawn less what they are worth, is a
minimum cut in the grid of boxes: a box pays for its free arcs, and two neighbours that are both closed get the arc
between them once instead of twice. Whatever r is, closing ``target`` boxes takes at least that least value plus
``r * target`` arcs. The best r is found by going from chord to chord: between a set with too few boxes and one with too
many, r is their exchange rate, and a cut either finds a set below the chord, or proves that there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from procura.puzzles.dots.scan import AFTER, BEFORE, BOTTOM, NONE, TOP, beside


class Closing(NamedTuple):
    """A set of boxes, how many they are and how many arcs they need."""

    boxes: tuple[bool, ...]
    number: int
    arcs: int


class Hull(NamedTuple):
    """What is known of closing a number of boxes: a lower bound, and the sets on the hull beside it."""

    bound: int
    below: Closing
    above: Closing


def hull(line: int, free: list[int], target: int, stop: Callable[[], bool] = lambda: False) -> Hull:
    """The lower hull at ``target`` boxes, of a board with so many boxes a line; no bound if it is stopped."""
    boxes = len(free) // 4
    below = _closing(line, free, [not any(free[4 * box : 4 * box + 4]) for box in range(boxes)])
    above = _closing(line, free, [True] * boxes)
    while below.number < target < above.number and not stop():
        arcs, number = above.arcs - below.arcs, above.number - below.number
        found = _closing(line, free, cheapest_set(line, free, arcs, number))
        if number * found.arcs - arcs * found.number >= number * below.arcs - arcs * below.number:
            return Hull(-((number * below.arcs + arcs * (target - below.number)) // -number), below, above)
        below, above = (found, above) if found.number <= target else (below, found)
    exact = below if below.number >= target else above
    return Hull(exact.arcs if exact.number == target else 0, below, above)


def filled(line: int, free: list[int], start: Closing, target: int) -> Closing:
    """More boxes closed, one after the other, each time one that takes fewest arcs; those beside others first."""
    closed = list(start.boxes)
    while sum(closed) < target:
        costs = [(_more(line, free, closed, box), box) for box in range(len(closed)) if not closed[box]]
        closed[min(costs)[1]] = True
    return _closing(line, free, closed)


def _more(line: int, free: list[int], closed: list[bool], box: int) -> int:
    """The arcs that one more box takes."""
    return sum(
        free[4 * box + side] and not (other >= 0 and closed[other])
        for side, other in enumerate(beside(line, len(closed), box))
    )


def _closing(line: int, free: list[int], closed: list[bool]) -> Closing:
    arcs = 0
    for box, inside in enumerate(closed):
        if inside:
            _, _, after, bottom = beside(line, len(closed), box)
            arcs += sum(free[4 * box : 4 * box + 4])
            arcs -= (after >= 0 and closed[after]) * free[4 * box + AFTER]
            arcs -= (bottom >= 0 and closed[bottom]) * free[4 * box + BOTTOM]
    return Closing(tuple(closed), sum(closed), arcs)


def cheapest_set(line: int, free: list[int], worth: int, per: int) -> list[bool]:
    """The boxes to close if each is worth ``worth / per`` arcs: a minimum cut, by shortest augmenting paths.

    In units of 1 / per arcs. A box a with its neighbour after or below, b, that share a free arc: closing both saves
    ``per``. So a is taken to save it by itself, and the edge from a to b costs it again if only a is closed.
    """
    boxes = len(free) // 4
    spare = [per * sum(free[4 * box : 4 * box + 4]) - worth for box in range(boxes)]
    room: list[list[int]] = [[0] * 4 for _ in range(boxes)]
    sides = [beside(line, boxes, box) for box in range(boxes)]
    for box in range(boxes):
        for side in (AFTER, BOTTOM):
            if sides[box][side] >= 0 and free[4 * box + side]:
                spare[box] -= per
                room[box][side] = per
    # spare < 0: so much flows in from the source; spare > 0: so much can flow out to the sink
    supply = [max(0, -value) for value in spare]
    drain = [max(0, value) for value in spare]
    opposite = {TOP: BOTTOM, BOTTOM: TOP, BEFORE: AFTER, AFTER: BEFORE}
    while True:
        came: list[Any] = [None] * boxes
        queue = [box for box in range(boxes) if supply[box]]
        for box in queue:
            came[box] = (NONE, 0)
        end = NONE
        for box in queue:
            if drain[box]:
                end = box
                break
            for side, other in enumerate(sides[box]):
                if other >= 0 and room[box][side] and came[other] is None:
                    came[other] = (box, side)
                    queue.append(other)
        if end == NONE:
            return [came[box] is not None for box in range(boxes)]
        path, at = [], end
        while came[at][0] != NONE:
            path.append(came[at])
            at = came[at][0]
        flow = min([drain[end], supply[at], *(room[box][side] for box, side in path)])
        supply[at] -= flow
        drain[end] -= flow
        for box, side in path:
            room[box][side] -= flow
            room[sides[box][side]][opposite[side]] += flow
