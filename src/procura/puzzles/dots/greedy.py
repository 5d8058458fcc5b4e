"""A greedy player of Dots and Boxes: takes what it can, gives away nothing if it can, else as little as it can."""

from __future__ import annotations

from collections.abc import Sequence

from procura.rng import below, stream


def greedy_arc(arcs: Sequence[int], sides: Sequence[int], beside: Sequence[int], seed: tuple[int, int]) -> int:
    """The arc to draw: one that closes a box; else one that leaves no box with three sides; else the cheapest.

    ``sides`` holds the four arcs of each box, ``beside`` the two boxes of each arc (-1: none). Some arc is free.
    What an arc costs is the boxes that the other player can close at once, one after the other. Of equal arcs one
    is drawn at random, always the same for the same ``seed``.
    """
    sides_drawn = [sum(map(bool, (arcs[arc] for arc in sides[box : box + 4]))) for box in range(0, len(sides), 4)]
    free = [arc for arc, drawn in enumerate(arcs) if not drawn]

    def touching(arc: int, count: int) -> int:
        return sum(sides_drawn[box] == count for box in beside[2 * arc : 2 * arc + 2] if box >= 0)

    closing = [arc for arc in free if touching(arc, 3)]
    if closing:
        most = max(touching(arc, 3) for arc in closing)
        return _any([arc for arc in closing if touching(arc, 3) == most], seed)
    safe = [arc for arc in free if not touching(arc, 2)]
    if safe:
        return _any(safe, seed)
    costs = {arc: given_away(arc, arcs, sides, beside, sides_drawn) for arc in free}
    least = min(costs.values())
    return _any([arc for arc in free if costs[arc] == least], seed)


def given_away(
    arc: int, arcs: Sequence[int], sides: Sequence[int], beside: Sequence[int], sides_drawn: Sequence[int]
) -> int:
    """The boxes that can be closed one after the other once ``arc`` is drawn; none can be before."""
    drawn, counts, waiting, closed = {arc}, dict(enumerate(sides_drawn)), [arc], 0
    while waiting:
        latest = waiting.pop()
        for box in beside[2 * latest : 2 * latest + 2]:
            if box < 0:
                continue
            counts[box] += 1
            if counts[box] == 4:
                closed += 1
            elif counts[box] == 3:
                last = next((side for side in sides[4 * box : 4 * box + 4] if not arcs[side] and side not in drawn), -1)
                if last >= 0:
                    drawn.add(last)
                    waiting.append(last)
    return closed


def _any(choices: Sequence[int], seed: tuple[int, int]) -> int:
    return choices[below([stream(*seed)], len(choices))]
