"""The kernels of ``pdb``: a board followed in all its patterns, and one iteration of the search on it.

A board is followed in one or two views: as it is, and reflected, if there is a reflection that leaves the blank's goal
where it is. In each view every pattern has its mask of cells, its rank and its value; a move changes those of one
pattern. The estimate is the greater of the two sums of values. All of them change by 1 with each move, so f stays or
grows by 2, and so do the bounds. What is left of the bound in a view, ``room - depth - sum``, is its slack: a move that
adds 1 to a value takes 2 of it. The view with less slack is looked at first, as it is the one that refuses most moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.counts import EXHAUSTED, FULL, RUNNING, SOLVED
from procura.puzzles.sliding.databases import mask_rank, slots, swapped, turn_row

i64 = np.int64
CELLS, HALF, VIEWS, PATTERNS, BLANK, COLUMNS = range(6)
"""Indexes into ``maps.sizes``."""
PLACE, PLAIN, MIRRORED, START, UNDO = range(5)
"""Indexes into ``board.now``: the blank's cell, the sums of values in both views, the cost and way back at first."""
FRAME = 8
"""What is kept of each move: its way, the slack in both views, and the rank and value before it in both."""
NO_END = 1 << 30
"""The slack in a view that there is not."""
INLINED = ("block_at", "bit_at", "turned", "look")
"""Not called in the loop: each call would hand on all arrays."""


def block_at(maps: Any, at: Any, mask: Any, blank: Any) -> Any:
    """The block of a position of the pattern followed in place ``at``."""
    row = maps.first[at] + mask_rank(mask, maps.ranks, maps.sizes[HALF], maps.sizes[CELLS])
    return i64(maps.block[row]) + i64(maps.region[row * maps.sizes[CELLS] + blank])


def bit_at(maps: Any, at: Any, mask: Any, blank: Any, rank: Any) -> Any:
    """The entry of a position."""
    entry = maps.offset[at] + block_at(maps, at, mask, blank) * maps.size[at] + rank
    return i64(maps.bits[entry >> 3]) >> (entry & 7) & 1


def turned(maps: Any, at: Any, rank: Any, mask: Any, start: Any, end: Any) -> Any:
    """The rank after a tile of the pattern goes from a cell to an empty one in the same column."""
    slot, new = slots(mask, start, end)
    if maps.turn[at] >= 0:
        return i64(maps.turns[maps.turn[at] + turn_row(slot, new, maps.sizes[COLUMNS] - 1) * maps.size[at] + rank])
    while slot < new:
        rank = swapped(rank, slot, maps.tiles[at], maps.weights, 16 * at)
        slot += 1
    while slot > new:
        slot -= 1
        rank = swapped(rank, slot, maps.tiles[at], maps.weights, 16 * at)
    return rank


def distance(maps: Any, at: Any, mask: Any, rank: Any, blank: Any, parity: Any) -> Any:
    """The value of a position: how many moves of its tiles lead down to the goal."""
    cells = maps.sizes[CELLS]
    value, count = 2 * bit_at(maps, at, mask, blank, rank) + parity, i64(0)
    region = block_at(maps, at, mask, blank)
    while mask != maps.goal_mask[at] or rank != 0 or region != maps.goal_block[at]:
        value = (value - 1) & 3
        descended = False
        for start in range(cells):
            if descended or not mask >> start & 1:
                continue
            for way in range(4):
                end = maps.near[4 * start + way]
                if end < 0 or mask >> end & 1 or block_at(maps, at, mask, end) != region:
                    continue
                after = turned(maps, at, rank, mask, start, end)
                moved = mask ^ (i64(1) << start) ^ (i64(1) << end)
                if bit_at(maps, at, moved, start, after) == value >> 1:
                    mask, rank = moved, after
                    region = block_at(maps, at, mask, start)
                    descended = True
                    break
        if not descended:
            return -1
        count += 1
    return count


def begin(s: Any, board: Any, maps: Any) -> int:
    """Set up a row; its estimate."""
    cells, patterns = maps.sizes[CELLS], maps.sizes[PATTERNS]
    for i in range(cells):
        board.cells[maps.number[i]] = maps.home[s[i]]
    board.now[PLACE] = maps.number[s[cells]]
    board.now[PLAIN] = board.now[MIRRORED] = 0
    for view in range(maps.sizes[VIEWS]):
        for cell in range(cells):
            board.seen[maps.seen_at[view * cells + cell]] = maps.seen_at[view * cells + board.cells[cell]]
        blank = maps.seen_at[view * cells + board.now[PLACE]]
        for j in range(patterns):
            at = view * patterns + j
            mask, rank, slot, parity = i64(0), i64(0), i64(0), i64(0)
            for cell in range(cells):
                label = board.seen[cell]
                if maps.pattern[label] != j:
                    continue
                mask |= i64(1) << cell
                digit = i64(0)
                for later in range(cell + 1, cells):
                    digit += maps.pattern[board.seen[later]] == j and board.seen[later] < label
                rank += digit * maps.weights[16 * at + slot]
                slot += 1
                columns = maps.sizes[COLUMNS]
                parity ^= (cell // columns + cell % columns + label // columns + label % columns) & 1
            board.masks[at], board.rank[at] = mask, rank
            board.values[at] = distance(maps, at, mask, rank, blank, parity)
            board.now[PLAIN + view] += board.values[at]
    return max(board.now[PLAIN], board.now[MIRRORED])


def look(board: Any, maps: Any, view: Any, label: Any, start: Any, end: Any) -> Any:
    """A tile goes to the blank's cell: where its pattern is followed in a view, its mask and rank then, and whether
    its value grows.
    """
    of = view * maps.sizes[CELLS]
    at, start, end = maps.followed[of + label], maps.seen_at[of + start], maps.seen_at[of + end]
    mask, rank = board.masks[at], board.rank[at]
    if abs(end - start) > 1:  # along a row no tile is passed
        rank = turned(maps, at, rank, mask, start, end)
    mask ^= (i64(1) << start) ^ (i64(1) << end)
    return at, mask, rank, ((board.values[at] - 1) >> 1 ^ bit_at(maps, at, mask, start, rank)) & 1


def run(board: Any, maps: Any, counts: Any) -> int:
    """Search within the bound until a goal is found, all is searched or so many nodes are expanded."""
    counts = named(counts)
    masks, ranks, values, frames = board.masks, board.rank, board.values, board.frames
    cells, near, now, followed, seen_at = board.cells, maps.near, board.now, maps.followed, maps.seen_at
    size, two, home = maps.sizes[CELLS], maps.sizes[VIEWS] == 2, maps.sizes[BLANK]
    depth, expanded, generated, until = counts.head, counts.expanded, counts.generated, counts.until
    place = now[PLACE]
    room = i64(counts.bound) - now[START]
    if room >= counts.entry_capacity:
        return FULL
    if depth < 0:
        most = max(now[PLAIN], now[MIRRORED])
        if most > room:
            counts.next_bound = min(counts.next_bound, float(now[START] + most))
            return EXHAUSTED
        if now[PLAIN] == 0:
            counts.goal, counts.g = 0, float(now[START])
            return SOLVED
        depth = i64(0)
        expanded += 1
    slack0 = room - depth - now[PLAIN]
    slack1 = room - depth - now[MIRRORED] if two else i64(NO_END)
    way, undo = i64(0), frames[FRAME * (depth - 1)] ^ 1 if depth > 0 else now[UNDO]
    status, deepest = RUNNING, counts.depth
    while True:
        pushed = False
        first = i64(slack1 < slack0)
        least, most = min(slack0, slack1), max(slack0, slack1)
        while way < 4:
            beside = near[4 * place + way]
            if way == undo or beside < 0:
                way += 1
                continue
            generated += 1
            label = cells[beside]
            at_a, mask_a, rank_a, grows_a = look(board, maps, first, label, beside, place)
            if 2 * grows_a <= least:
                if not two:
                    pushed = True
                    break
                at_b, mask_b, rank_b, grows_b = look(board, maps, 1 - first, label, beside, place)
                if 2 * grows_b <= most:
                    pushed = True
                    break
            way += 1
        if pushed:
            frame = FRAME * depth
            frames[frame], frames[frame + 1], frames[frame + 2] = way, slack0, slack1
            frames[frame + 3], frames[frame + 4] = ranks[at_a], values[at_a]
            masks[at_a], ranks[at_a] = mask_a, rank_a
            values[at_a] += 2 * grows_a - 1
            if two:
                frames[frame + 5], frames[frame + 6] = ranks[at_b], values[at_b]
                masks[at_b], ranks[at_b] = mask_b, rank_b
                values[at_b] += 2 * grows_b - 1
                slack1 -= 2 * (grows_a if first else grows_b)
                slack0 -= 2 * (grows_b if first else grows_a)
            else:
                slack0 -= 2 * grows_a
            cells[place], cells[beside] = label, home
            place = beside
            depth += 1
            deepest = max(deepest, depth)
            if slack0 + depth == room:
                status = SOLVED
                break
            expanded += 1
            undo, way = way ^ 1, i64(0)
            if expanded >= until:
                break
        else:
            if depth == 0:
                status = EXHAUSTED
                break
            depth -= 1
            frame = FRAME * depth
            way, slack0, slack1 = frames[frame], frames[frame + 1], frames[frame + 2]
            beside = near[4 * place + (way ^ 1)]
            label = cells[beside]
            of = size if slack1 < slack0 else 0
            at = followed[of + label]
            masks[at] ^= (i64(1) << seen_at[of + beside]) ^ (i64(1) << seen_at[of + place])
            ranks[at], values[at] = frames[frame + 3], frames[frame + 4]
            if two:
                of = size - of
                at = followed[of + label]
                masks[at] ^= (i64(1) << seen_at[of + beside]) ^ (i64(1) << seen_at[of + place])
                ranks[at], values[at] = frames[frame + 5], frames[frame + 6]
            cells[place], cells[beside] = label, home
            place = beside
            undo = frames[frame - FRAME] ^ 1 if depth > 0 else now[UNDO]
            way += 1
    counts.expanded, counts.generated, counts.head, counts.depth = expanded, generated, depth, deepest
    counts.max_frontier = deepest
    now[PLACE], now[PLAIN] = place, room - depth - slack0
    if two:
        now[MIRRORED] = room - depth - slack1
    if status == SOLVED:
        counts.goal, counts.g = depth, float(now[START] + depth)
    elif status == EXHAUSTED:
        counts.head = -1
        counts.next_bound = min(counts.next_bound, counts.bound + 2.0)
    return status


FROM_THE_START = (run, look, turned, bit_at, block_at, mask_rank, slots, swapped, turn_row)
"""None of these indexes from the end of an array."""
