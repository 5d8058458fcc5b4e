"""The kernels of ``pdb``: a board followed in all its patterns, and one iteration of the search on it.

A board is followed in one or two views: as it is, and reflected, if there is a reflection that leaves the blank's goal
where it is. In each view every pattern has its mask of cells, its rank with the digits of it, and its value; a move
changes those of one pattern. The estimate is the greater of the two sums of values. All of them change by 1 with each
move, so f stays or grows by 2, and so do the bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.templates.counts import (
    BOUND,
    DEPTH,
    ENTRY_CAPACITY,
    EXHAUSTED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    HEAD,
    MAX_FRONTIER,
    NEXT_BOUND,
    RUNNING,
    SOLVED,
    UNTIL,
    G,
)
from procura.puzzles.sliding.databases import hopped, mask_rank, slot_and_hop

i64 = np.int64
CELLS, HALF, VIEWS, PATTERNS, BLANK, COLUMNS = range(6)
"""Indexes into ``maps.sizes``."""
PLACE, PLAIN, MIRRORED, START, UNDO = range(5)
"""Indexes into ``board.now``: the blank's cell, the sums of values in both views, the cost and way back at first."""
FRAME = 8
"""What is kept of each move: its way, and the digits, rank and value before it in both views."""


def block_at(maps: Any, j: Any, mask: Any, blank: Any) -> Any:
    """The block of a position of pattern ``j``."""
    at = maps.first[j] + mask_rank(mask, maps.ranks, maps.sizes[HALF], maps.sizes[CELLS])
    return i64(maps.block[at]) + i64(maps.region[at * maps.sizes[CELLS] + blank])


def bit_at(maps: Any, j: Any, mask: Any, blank: Any, rank: Any) -> Any:
    """The entry of a position of pattern ``j``."""
    entry = maps.offset[j] + block_at(maps, j, mask, blank) * maps.size[j] + rank
    return i64(maps.bits[entry >> 3]) >> (entry & 7) & 1


def distance(maps: Any, j: Any, mask: Any, digits: Any, rank: Any, blank: Any, parity: Any) -> Any:
    """The value of a position: how many moves of its tiles lead down to the goal."""
    cells = maps.sizes[CELLS]
    value, count = 2 * bit_at(maps, j, mask, blank, rank) + parity, i64(0)
    region = block_at(maps, j, mask, blank)
    while mask != maps.goal_mask[j] or rank != 0 or region != maps.goal_block[j]:
        value = (value - 1) & 3
        descended = False
        for start in range(cells):
            if descended or not mask >> start & 1:
                continue
            for way in range(4):
                end = maps.near[4 * start + way]
                if end < 0 or mask >> end & 1 or block_at(maps, j, mask, end) != region:
                    continue
                slot, hop = slot_and_hop(mask, start, end)
                after, new_rank = hopped(digits, rank, slot, hop, maps.weights, 16 * j)
                moved = mask ^ (i64(1) << start) ^ (i64(1) << end)
                if bit_at(maps, j, moved, start, new_rank) == value >> 1:
                    mask, digits, rank = moved, after, new_rank
                    region = block_at(maps, j, mask, start)
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
            at = maps.mirror[cell] if view else cell
            label = board.cells[cell]
            board.seen[at] = maps.mirror[label] if view else label
        blank = maps.mirror[board.now[PLACE]] if view else board.now[PLACE]
        for j in range(patterns):
            mask, digits, rank, slot, parity = i64(0), i64(0), i64(0), i64(0), i64(0)
            for cell in range(cells):
                label = board.seen[cell]
                if maps.pattern[label] != j:
                    continue
                mask |= i64(1) << cell
                digit = i64(0)
                for later in range(cell + 1, cells):
                    digit += maps.pattern[board.seen[later]] == j and board.seen[later] < label
                digits |= digit << (4 * slot)
                rank += digit * maps.weights[16 * j + slot]
                slot += 1
                columns = maps.sizes[COLUMNS]
                parity ^= (cell // columns + cell % columns + label // columns + label % columns) & 1
            value = distance(maps, j, mask, digits, rank, blank, parity)
            at = view * patterns + j
            board.masks[at], board.digits[at], board.rank[at], board.values[at] = mask, digits, rank, value
            board.now[PLAIN + view] += value
    return max(board.now[PLAIN], board.now[MIRRORED])


def look(board: Any, maps: Any, j: Any, at: Any, start: Any, end: Any) -> Any:
    """The digits, rank and value of pattern ``j``, followed in place ``at``, after a tile goes to the blank's cell."""
    mask, digits, rank = board.masks[at], board.digits[at], board.rank[at]
    if abs(end - start) > 1:  # along a row no tile is passed
        slot, hop = slot_and_hop(mask, start, end)
        digits, rank = hopped(digits, rank, slot, hop, maps.weights, 16 * j)
    bit = bit_at(maps, j, mask ^ (i64(1) << start) ^ (i64(1) << end), start, rank)
    value = board.values[at] - 1
    if (value >> 1 & 1) != bit:
        value += 2
    return digits, rank, value


def run(board: Any, maps: Any, counts: Any, reals: Any) -> int:
    """Search within the bound until a goal is found, all is searched or so many nodes are expanded."""
    masks, all_digits, ranks, values, frames = board.masks, board.digits, board.rank, board.values, board.frames
    cells, near, reflection, now = board.cells, maps.near, maps.mirror, board.now
    patterns, two, home = maps.sizes[PATTERNS], maps.sizes[VIEWS] == 2, maps.sizes[BLANK]
    depth, expanded, generated, until = counts[HEAD], counts[EXPANDED], counts[GENERATED], counts[UNTIL]
    place, h0, h1 = now[PLACE], now[PLAIN], now[MIRRORED]
    room = i64(reals[BOUND]) - now[START]
    if room >= counts[ENTRY_CAPACITY]:
        return FULL
    way, undo = i64(0), i64(-1)
    if depth < 0:
        if max(h0, h1) > room:
            reals[NEXT_BOUND] = min(reals[NEXT_BOUND], float(now[START] + max(h0, h1)))
            return EXHAUSTED
        if h0 == 0:
            counts[GOAL], reals[G] = 0, float(now[START])
            return SOLVED
        depth, undo = i64(0), now[UNDO]
        expanded += 1
    elif depth > 0:
        undo = frames[FRAME * (depth - 1)] ^ 1
    else:
        undo = now[UNDO]
    status, deepest = RUNNING, counts[DEPTH]
    while True:
        pushed = False
        while way < 4:
            beside = near[4 * place + way]
            if way == undo or beside < 0:
                way += 1
                continue
            generated += 1
            label = cells[beside]
            j = maps.pattern[label]
            digits0, rank0, value0 = look(board, maps, j, j, beside, place)
            if depth + 1 + h0 - values[j] + value0 <= room:
                if not two:
                    pushed = True
                    break
                k = maps.pattern[reflection[label]]
                at = patterns + k
                digits1, rank1, value1 = look(board, maps, k, at, reflection[beside], reflection[place])
                if depth + 1 + h1 - values[at] + value1 <= room:
                    pushed = True
                    break
            way += 1
        if pushed:
            frame = FRAME * depth
            frames[frame] = way
            frames[frame + 1], frames[frame + 2], frames[frame + 3] = all_digits[j], ranks[j], values[j]
            masks[j] ^= (i64(1) << beside) ^ (i64(1) << place)
            h0 += value0 - values[j]
            all_digits[j], ranks[j], values[j] = digits0, rank0, value0
            if two:
                frames[frame + 4], frames[frame + 5], frames[frame + 6] = all_digits[at], ranks[at], values[at]
                masks[at] ^= (i64(1) << reflection[beside]) ^ (i64(1) << reflection[place])
                h1 += value1 - values[at]
                all_digits[at], ranks[at], values[at] = digits1, rank1, value1
            cells[place], cells[beside] = label, home
            place = beside
            depth += 1
            deepest = max(deepest, depth)
            if h0 == 0:
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
            way = frames[frame]
            beside = near[4 * place + (way ^ 1)]
            label = cells[beside]
            j = maps.pattern[label]
            masks[j] ^= (i64(1) << beside) ^ (i64(1) << place)
            h0 += frames[frame + 3] - values[j]
            all_digits[j], ranks[j], values[j] = frames[frame + 1], frames[frame + 2], frames[frame + 3]
            if two:
                at = patterns + maps.pattern[reflection[label]]
                masks[at] ^= (i64(1) << reflection[beside]) ^ (i64(1) << reflection[place])
                h1 += frames[frame + 6] - values[at]
                all_digits[at], ranks[at], values[at] = frames[frame + 4], frames[frame + 5], frames[frame + 6]
            cells[place], cells[beside] = label, home
            place = beside
            undo = frames[frame - FRAME] ^ 1 if depth > 0 else now[UNDO]
            way += 1
    counts[EXPANDED], counts[GENERATED], counts[HEAD], counts[DEPTH] = expanded, generated, depth, deepest
    counts[MAX_FRONTIER] = deepest
    now[PLACE], now[PLAIN], now[MIRRORED] = place, h0, h1
    if status == SOLVED:
        counts[GOAL], reals[G] = depth, float(now[START] + depth)
    elif status == EXHAUSTED:
        counts[HEAD] = -1
        reals[NEXT_BOUND] = min(reals[NEXT_BOUND], reals[BOUND] + 2.0)
    return status
