"""How pattern databases are built: a breadth-first search from the goal over the blocks of a pattern, compiled.

A move takes a tile to a neighbouring cell past the tiles of the pattern that stand between the two in the order of
cells, none if the move goes along a row. So it leads from all positions of a block to one other block, and from rank to
rank by a table that depends only on which tile moves past how many: ``turns``. The search goes through the blocks level
by level and works in memory that fits the cache. While it lasts an entry holds its value plus 1, or 0.

A rank is a number in the factorial system: the digit of a slot says how many tiles in later slots have a lower number.
Two neighbours that change places change only their own two digits.

What is kept on disk is told by ``patterns``, whose tables these functions fill: a change of what they write must change
the purpose there.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial
from typing import Any

import numpy as np

from procura.compiled.engine import compile_for
from procura.compiled.intrinsics import bit_count, lowest_bit
from procura.control import Control
from procura.debug import debugging
from procura.errors import InputError
from procura.puzzles.sliding.patterns import Cells, Layout
from procura.tables import Report

i64, u64 = np.int64, np.uint64
STEP = 2_000_000
"""Entries between two reports."""
LOW_BITS = u64(0x0101010101010101)
HIGH_BITS = u64(0x8080808080808080)


def ones(mask: Any) -> Any:
    """How many cells a mask has."""
    return i64(bit_count(u64(mask)))


def mask_rank(mask: Any, ranks: Any, half: Any, cells: Any) -> Any:
    """The number of a set of cells among those of its size: what its low cells count, and the others above them."""
    low = mask & ((1 << half) - 1)
    return i64(ranks[low]) + i64(ranks[(1 << half) + (ones(low) << (cells - half)) + (mask >> half)])


def slots(mask: Any, start: Any, end: Any) -> Any:
    """The slots of a pattern's tile before and after it moves from a cell to an empty one."""
    return ones(mask & ((1 << start) - 1)), ones((mask ^ (i64(1) << start)) & ((1 << end) - 1))


def swapped(rank: Any, slot: Any, tiles: Any, weights: Any, base: Any) -> Any:
    """The rank after the tiles in a slot and the next one have changed places."""
    weight, next_weight = weights[base + slot], weights[base + slot + 1]
    a, b = rank // weight % (tiles - slot), rank // next_weight % (tiles - slot - 1)
    less = i64(b < a)
    return rank + (b + 1 - less - a) * weight + (a - less - b) * next_weight


def fill_ranks(ranks: Any, half: int, cells: int, choose: Any) -> None:
    """The parts that ``mask_rank`` adds up."""
    for low in range(1 << half):
        ranks[low] = _part(low, 0, 0, choose)
    for below in range(half + 1):
        for high in range(1 << (cells - half)):
            ranks[(1 << half) + (below << (cells - half)) + high] = _part(high, half, below, choose)


def _part(mask: Any, first: Any, below: Any, choose: Any) -> Any:
    total, cell = i64(0), first
    while mask != 0:
        if mask & 1:
            below += 1
            total += choose[32 * cell + below]
        mask >>= 1
        cell += 1
    return total


def fill_shape(masks: Any, block: Any, first: Any, tiles: int, rows: int, columns: int) -> int:
    """The sets of so many cells in order, the first block of each, the block of each empty cell; how many blocks."""
    cells = rows * columns
    left = i64(0)
    for row in range(rows):
        left |= i64(1) << (row * columns)
    right = left << (columns - 1)
    mask, count = (i64(1) << tiles) - 1, 0
    for i in range(len(masks)):
        masks[i], first[i] = mask, count
        empty = ((i64(1) << cells) - 1) & ~mask
        while empty != 0:
            region, before = empty & -empty, i64(0)
            while region != before:
                before = region
                beside = (region & ~right) << 1 | (region & ~left) >> 1 | region << columns | region >> columns
                region |= beside & empty
            empty &= ~region
            for cell in range(cells):
                if region >> cell & 1:
                    block[i * cells + cell] = count
            count += 1
        lowest = mask & -mask  # the next mask with as many bits
        carried = mask + lowest
        mask = carried | (((mask ^ carried) >> 2) // lowest)
    return count


def fill_edges(
    edges: Any, target: Any, turn: Any, masks: Any, block: Any, near: Any, ranks: Any, half: int, reach: int
) -> int:
    """For each block, from ``edges[block]`` on: the block that a move leads to, and its row of ``turns`` or -1."""
    cells, number, count = len(near) // 4, 0, 0
    for i in range(len(masks)):
        mask, last = masks[i], -1
        for cell in range(cells):
            last = max(last, block[i * cells + cell])
        while number <= last:
            edges[number] = count
            for start in range(cells):
                if not mask >> start & 1:
                    continue
                for way in range(4):
                    end = near[4 * start + way]
                    if end < 0 or block[i * cells + end] != number:
                        continue
                    slot, new = slots(mask, start, end)
                    after = mask ^ (i64(1) << start) ^ (i64(1) << end)
                    target[count] = block[mask_rank(after, ranks, half, cells) * cells + start]
                    turn[count] = -1 if new == slot else turn_row(slot, new, reach)
                    count += 1
            number += 1
    edges[number] = count
    return count


def turn_row(slot: Any, new: Any, reach: Any) -> Any:
    """The row of ``turns`` for a tile that goes from slot to slot, past ``reach`` others at most."""
    return 2 * reach * slot + new + reach


def fill_turns(turns: Any, tiles: int, reach: int, weights: Any) -> None:
    """For each two slots a row: the rank that a rank becomes. A tile passes one other at a time."""
    size = len(turns) // (tiles * (2 * reach + 1))
    for slot in range(tiles):
        for rank in range(size):
            turns[turn_row(slot, slot, reach) * size + rank] = rank
    for hop in range(1, min(reach + 1, tiles)):
        for low in range(tiles - hop):
            high = low + hop
            for start, end, on in ((low, high, 1), (high, low, -1)):
                row = turn_row(start, end, reach) * size
                before, last = turn_row(start, end - on, reach) * size, turn_row(end - on, end, reach) * size
                for rank in range(size):
                    if hop == 1:
                        turns[row + rank] = swapped(rank, low, tiles, weights, 0)
                    else:
                        turns[row + rank] = turns[last + i64(turns[before + rank])]


def expand_blocks(
    entries: Any,
    words: Any,
    level: int,
    start: int,
    end: int,
    edges: Any,
    target: Any,
    turn: Any,
    turns: Any,
    active: Any,
    ranks: Any,
) -> int:
    """Reach all positions one move on from those of a level in some blocks; how many there are in the level.

    ``active`` says of each block, for this level and the next by turns, whether it has any.
    """
    size, blocks, total = len(ranks), len(edges) - 1, 0
    now, then = (level & 1) * blocks, (1 - (level & 1)) * blocks
    sought, after = LOW_BITS * u64(level), np.int8(level + 1)
    for b in range(start, end):
        if not active[now + b]:
            continue
        active[now + b] = 0
        base, count = b * size, 0
        if size & 7:
            for x in range(size):
                if entries[base + x] == level:
                    ranks[count] = x
                    count += 1
        else:
            for w in range(size >> 3):
                differing = words[(base >> 3) + w] ^ sought
                equal = (differing - LOW_BITS) & ~differing & HIGH_BITS
                while equal != u64(0):
                    found = 8 * w + i64(lowest_bit(equal) >> u64(3))
                    ranks[count] = found
                    count += entries[base + found] == level
                    equal &= equal - u64(1)
        total += count
        for e in range(edges[b], edges[b + 1]):
            there, row, reached = target[e] * size, turn[e] * size, False
            for i in range(count):  # without a branch, which could not be foreseen
                at = there + (ranks[i] if row < 0 else turns[row + ranks[i]])
                value = entries[at]
                reached |= value == 0
                entries[at] = value if value != 0 else after
            if reached:
                active[then + target[e]] = 1
    return total


def pack(entries: Any, bits: Any, start: int, end: int) -> None:
    """The bits of entries, eight to a byte."""
    for i in range(start, end):
        word = i64(0)
        for k in range(min(8, len(entries) - 8 * i)):
            word |= ((i64(entries[8 * i + k]) - 1) >> 1 & 1) << k
        bits[i] = word


def compiled(function: Any, *arguments: Any) -> Any:
    """What a function of this module returns, run compiled."""
    return compile_for(Control(debug=debugging()), function, {}, arguments)(*arguments)


def binomials() -> Any:
    """C(n, k) at ``32 n + k``."""
    return np.array([comb(n, k) for n in range(32) for k in range(32)], dtype=np.int64)


@lru_cache(maxsize=4)
def ranks_of(cells: int) -> tuple[Any, int]:
    """What ``mask_rank`` reads on boards of so many cells: the table, and how many cells are low."""
    half = cells // 2
    ranks = np.zeros((1 << half) + (half + 1 << cells - half), dtype=np.int32)
    compiled(fill_ranks, ranks, half, cells, binomials())
    return ranks, half


def weights_of(tiles: int) -> list[int]:
    """What the digit of each slot counts in a rank."""
    return [factorial(tiles - 1 - slot) for slot in range(tiles)]


def turns_of(tiles: int, reach: int) -> Any:
    """What a rank becomes when a tile goes from slot to slot: see ``turn_row``."""
    kind = np.uint16 if tiles < 9 else np.int32
    turns = np.zeros(tiles * (2 * reach + 1) * factorial(tiles), dtype=kind)
    compiled(fill_turns, turns, tiles, reach, np.array(weights_of(tiles), dtype=np.int64))
    return turns


def neighbours(layout: Layout) -> Any:
    """At ``4 * cell + way``: the cell above, below, left and right; -1 off the board."""
    rows, columns = layout.shape
    near = []
    for cell in range(layout.cells):
        row, column = divmod(cell, columns)
        near += [
            cell - columns if row else -1, cell + columns if row < rows - 1 else -1,
            cell - 1 if column else -1, cell + 1 if column < columns - 1 else -1,
        ]  # fmt: skip
    return np.array(near, dtype=np.int64)


class Shape:
    """The blocks of all patterns of so many tiles on a board."""

    def __init__(self, layout: Layout, tiles: int) -> None:
        self.layout, self.tiles = layout, tiles
        count = comb(layout.cells, tiles)
        self.masks = np.zeros(count, dtype=np.int64)
        self.block = np.full(count * layout.cells, -1, dtype=np.int32)
        self.first = np.zeros(count, dtype=np.int32)
        self.count = compiled(fill_shape, self.masks, self.block, self.first, tiles, *layout.shape)

    def goal(self, pattern: Cells) -> int:
        """The block of the goal."""
        mask = sum(1 << cell for cell in pattern)
        at = int(np.searchsorted(self.masks, mask))
        return int(self.block[at * self.layout.cells + self.layout.blank])


class _Moves:
    """The moves between the blocks of a shape."""

    def __init__(self, shape: Shape) -> None:
        tiles, reach = shape.tiles, shape.layout.columns - 1
        ranks, half = ranks_of(shape.layout.cells)
        self.edges = np.zeros(shape.count + 1, dtype=np.int64)
        self.target = np.zeros(4 * tiles * len(shape.masks), dtype=np.int32)
        self.turn = np.zeros(len(self.target), dtype=np.int32)
        near = neighbours(shape.layout)
        compiled(fill_edges, self.edges, self.target, self.turn, shape.masks, shape.block, near, ranks, half, reach)
        self.size = factorial(tiles)
        self.turns = turns_of(tiles, reach)


class Builder:
    """Builds the databases of several patterns, one after the other, and reports."""

    def __init__(self, layout: Layout, patterns: tuple[Cells, ...], report: Report) -> None:
        self.layout, self.report = layout, report
        self.shapes = {len(pattern): Shape(layout, len(pattern)) for pattern in patterns}
        self.total = sum(self.length(pattern) for pattern in patterns)
        self.done = 0
        self._moves: dict[int, _Moves] = {}

    def length(self, pattern: Cells) -> int:
        """The entries of a pattern's database."""
        return int(self.shapes[len(pattern)].count) * factorial(len(pattern))

    def build(self, pattern: Cells) -> Any:
        """The value of each position plus 1; 0 where the goal is out of reach."""
        shape = self.shapes[len(pattern)]
        length = self.length(pattern)
        try:
            entries = np.zeros(length, dtype=np.int8)
        except MemoryError:
            told = f"{length / 1e6:,.0f} MB of memory are not to be had"
            raise InputError(f"pattern database of {len(pattern)} tiles: {told}") from None
        if len(pattern) not in self._moves:
            self._moves[len(pattern)] = _Moves(shape)
        moves = self._moves[len(pattern)]
        size, blocks = moves.size, int(shape.count)
        words = entries.view(np.uint64) if size % 8 == 0 else np.zeros(1, dtype=np.uint64)
        active = np.zeros(2 * blocks, dtype=np.int8)
        ranks = np.zeros(size, dtype=moves.turns.dtype)
        goal = shape.goal(pattern)
        entries[goal * size] = 1
        level, found = 1, 1
        active[blocks + goal] = 1
        step = max(1, STEP // size)
        while found:
            found = 0
            for start in range(0, blocks, step):
                found += compiled(
                    expand_blocks, entries, words, level, start, min(start + step, blocks),
                    moves.edges, moves.target, moves.turn, moves.turns, active, ranks,
                )  # fmt: skip
                self.report(min((self.done + found) / self.total, 1.0))
            self.done += found
            level += 1
        return entries


def fill_values(layout: Layout, patterns: tuple[Cells, ...], entries: memoryview, report: Report) -> None:
    """Write the databases of patterns, a value each."""
    builder, start, values = Builder(layout, patterns, report), 0, np.asarray(entries)
    for pattern in patterns:
        end = start + builder.length(pattern)
        own = builder.build(pattern)
        np.subtract(own, 1, out=values[start:end])
        start = end


def fill_bits(layout: Layout, patterns: tuple[Cells, ...], entries: memoryview, report: Report) -> None:
    """Write the databases of patterns, a bit each."""
    builder, start, bits = Builder(layout, patterns, report), 0, np.asarray(entries)
    for pattern in patterns:
        own = builder.build(pattern)
        end = start + -(-len(own) // 8)
        for at in range(0, end - start, STEP):
            compiled(pack, own, bits[start:end], at, min(at + STEP, end - start))
            report(min(builder.done / builder.total, 1.0))
        start = end


def fill_blocks(layout: Layout, sizes: tuple[int, ...], entries: memoryview) -> None:
    """Write the blocks of patterns of these sizes, one size after the other."""
    np.asarray(entries)[:] = np.concatenate([Shape(layout, size).block for size in sizes])
