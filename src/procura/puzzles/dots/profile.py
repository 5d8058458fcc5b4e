"""Kernels of dynamic programming over the profile of a Dots board: which of the last boxes are closed.

Boxes are taken one after the other along the shorter side, w of them a line, and each is closed or left open. What
closing a box costs depends only on whether the box before it and the one a line back are closed too, for they share an
arc with it. So all that matters of what was done is the *mask* of the last w boxes, a bit each, and how many boxes were
closed in all::

    . # # .        the mask after the box marked x is bits  # . x .    (bit j: the last box of place j in its line)
    # . x            3 boxes closed before it

A layer holds, for every mask and every number of closed boxes, the fewest arcs that lead there. Exactly ``target``
boxes are counted: who closes more has closed so many of them.

``layers`` is flat: layer ``slot`` has a row for each of its masks, of ``target + 1`` numbers; behind all layers there
is a row of ``NEVER``. ``masks``, ``first_parent`` and ``second_parent`` say, by set and row, which mask it is and in
which row of the layer before stand the masks without and with the bit that the box replaces, -1 if nowhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.intrinsics import bit_count
from procura.puzzles.dots.scan import AFTER, BEFORE, BOTTOM, TOP

u64 = np.uint64
NEVER = 30_000
"""More arcs than any board has; it may grow by 4 a box."""
W, BOXES, TARGET, ROOM = range(4)
"""In ``shape``: boxes a line, all boxes, boxes to close, rows of a layer."""


def dense_parents(shape: Any, masks: Any, first_parent: Any, second_parent: Any) -> None:
    """Set up a set of all masks for each place in a line."""
    room = shape[ROOM]
    for place in range(shape[W]):
        for mask in range(room):
            masks[place * room + mask] = mask
            first_parent[place * room + mask] = mask & ~(1 << place)
            second_parent[place * room + mask] = mask | 1 << place


def begin(shape: Any, layers: Any, rows: int) -> None:
    """The first layer: no box is closed, for no arcs."""
    width = shape[TARGET] + 1
    for row in range(rows):
        for count in range(min(width, 2)):
            layers[row * width + count] = NEVER
    layers[0] = 0
    for count in range(width):
        layers[len(layers) - width + count] = NEVER


def fill(
    shape: Any, free: Any, layers: Any, slots: Any, sets: Any, rows: Any,
    masks: Any, first_parent: Any, second_parent: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Make the layers after boxes ``first`` to ``last - 1``, each from the one before.

    Of a layer only the numbers of closed boxes count that can be and can still lead to the target; beside them stands
    ``NEVER``, since those of the next layer reach one farther.
    """
    boxes, target, room = shape[BOXES], shape[TARGET], shape[ROOM]
    width = u64(target + 1)
    never = u64(len(layers)) - width
    for box in range(first, last):
        place = box % shape[W]
        low, high = max(0, target - (boxes - box - 1)), min(target, box + 1)
        least = free[4 * box + AFTER] + free[4 * box + BOTTOM]
        known = sets[box] * room
        old, new = u64(slots[box] * room), u64(slots[box + 1] * room)
        for row in range(rows[box]):
            mask = masks[known + row]
            one, two = first_parent[known + row], second_parent[known + row]
            a = never if one < 0 else (old + u64(one)) * width
            b = never if two < 0 else (old + u64(two)) * width
            to = (new + u64(row)) * width
            if mask >> place & 1:
                cost = least
                if place == 0 or mask >> (place - 1) & 1 == 0:
                    cost += free[4 * box + BEFORE]
                close(layers, to, a, b, cost + free[4 * box + TOP], cost, u64(max(low, 1)), u64(high + 1))
                if low == 0:
                    layers[to] = NEVER
            else:
                leave(layers, to, a, b, u64(low), u64(high + 1))
            if low > 0:
                layers[to + u64(low - 1)] = NEVER
            if high < target:
                layers[to + u64(high + 1)] = NEVER


def close(layers: Any, to: Any, a: Any, b: Any, cost_a: int, cost_b: int, low: Any, high: Any) -> None:
    """One row of a layer, of a mask in which the box is closed."""
    more_a, more_b = np.int16(cost_a), np.int16(cost_b)
    one = u64(1)
    for count in range(low, high):
        by_a = np.int16(layers[a + count - one] + more_a)
        by_b = np.int16(layers[b + count - one] + more_b)
        layers[to + count] = by_a if by_a < by_b else by_b


def leave(layers: Any, to: Any, a: Any, b: Any, low: Any, high: Any) -> None:
    """One row of a layer, of a mask in which the box stays open."""
    for count in range(low, high):
        by_a, by_b = layers[a + count], layers[b + count]
        layers[to + count] = by_a if by_a < by_b else by_b


def trace(
    shape: Any, free: Any, layers: Any, slots: Any, sets: Any,
    masks: Any, first_parent: Any, second_parent: Any, first: int, last: int, row: int, closed: Any,
) -> int:  # fmt: skip
    """From a row of the layer after box ``last - 1`` back to one of that before box ``first``, which is returned.

    ``closed[b]`` becomes 1 for the boxes closed on the way; ``closed[boxes]`` is how many are yet to be closed.
    """
    width, room, boxes = shape[TARGET] + 1, shape[ROOM], shape[BOXES]
    for box in range(last - 1, first - 1, -1):
        place = box % shape[W]
        known = sets[box] * room
        mask = masks[known + row]
        one, two = first_parent[known + row], second_parent[known + row]
        count = closed[boxes]
        value = layers[(slots[box + 1] * room + row) * width + count]
        cost = 0
        if mask >> place & 1:
            closed[box] = 1
            closed[boxes] -= 1
            count -= 1
            cost = free[4 * box + AFTER] + free[4 * box + BOTTOM] + free[4 * box + TOP]
            if place == 0 or mask >> (place - 1) & 1 == 0:
                cost += free[4 * box + BEFORE]
        row = one if one >= 0 and layers[(slots[box] * room + one) * width + count] + cost == value else two
    return row


def children(
    shape: Any, box: int, count: int, before: int, now: int,
    masks: Any, first_parent: Any, second_parent: Any, rows_of: Any,
) -> int:  # fmt: skip
    """Set up set ``now`` of the masks that those of set ``before`` lead to by one box; how many.

    No more than there is room for. ``rows_of[mask]`` is 0 for every mask, before and after.
    """
    room, bit = shape[ROOM], 1 << box % shape[W]
    made = 0
    for row in range(count):
        mask = masks[before * room + row]
        for child in (mask & ~bit, mask | bit):
            at = rows_of[child] - 1
            if at < 0:
                if made == room:
                    break
                at = made
                made += 1
                rows_of[child] = made
                masks[now * room + at] = child
                first_parent[now * room + at] = -1
                second_parent[now * room + at] = -1
            if mask & bit:
                second_parent[now * room + at] = row
            else:
                first_parent[now * room + at] = row
    for row in range(made):
        rows_of[masks[now * room + row]] = 0
    return made


def narrow(
    shape: Any, box: int, count: int, keep: int, paid: int, now: int, slot: int, layers: Any,
    masks: Any, first_parent: Any, second_parent: Any, tally: Any, kept: Any,
) -> int:  # fmt: skip
    """Leave of a layer, for each number of closed boxes, the ``keep`` most promising masks; how many that are in all.

    A row is the more promising the fewer arcs it took, with half an arc for each that it has drawn for boxes to come.
    """
    boxes, target, room = shape[BOXES], shape[TARGET], shape[ROOM]
    width = target + 1
    low, high = max(0, target - (boxes - box - 1)), min(target, box + 1)
    for row in range(count):
        kept[row] = 0
    for closed in range(low, high + 1):
        for rank in range(len(tally)):
            tally[rank] = 0
        for row in range(count):
            value = layers[(slot * room + row) * width + closed]
            if value < NEVER:
                tally[rank_of(value, masks[now * room + row], paid)] += 1
        most, left = 0, keep
        while most < len(tally) and tally[most] <= left:
            left -= tally[most]
            most += 1
        for row in range(count):
            value = layers[(slot * room + row) * width + closed]
            if value < NEVER:
                rank = rank_of(value, masks[now * room + row], paid)
                if rank < most:
                    kept[row] = 1
                elif rank == most and left > 0:
                    kept[row] = 1
                    left -= 1
    made = 0
    for row in range(count):
        if kept[row]:
            if made < row:
                masks[now * room + made] = masks[now * room + row]
                first_parent[now * room + made] = first_parent[now * room + row]
                second_parent[now * room + made] = second_parent[now * room + row]
                for closed in range(width):
                    layers[(slot * room + made) * width + closed] = layers[(slot * room + row) * width + closed]
            made += 1
    return made


def rank_of(value: int, mask: int, paid: int) -> int:
    """How promising a row is: less is better."""
    return max(0, 2 * value - int(bit_count(u64(mask & paid))) + 32)
