"""Iterative-deepening A*: a depth-first search of one path, cut at a bound on f that rises.

For each depth of the path ``rows`` keeps the row (``words`` is the same memory, to copy it), and ``levels`` a record::

    | moves done | of how many | the one that would only undo the last | g    | h    | moves ... |
      DONE         LISTED        UNDO                                    G_AT   H_AT   MOVES

``gs`` and ``hs`` are the same memory from the first g and h on, as the numbers they are. If EARLY, g is kept
for the root alone: it grows by 1 a depth. What the search begins with stands in the first row and record (UNDO and g):
the initial state, or a subtree's root.

About half of the time goes by in the loads that lead to h, and the loop has more to remember than there are registers.
So all of a depth is one record; a move is fetched before the one ahead of it is tried; most counters wait until a state
is entered. If EARLY and INTEGER there is no f: a move is cut if h exceeds ``room``, what the bound leaves for it, and
``over`` is the least by which one did.
"""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.intrinsics import named, window
from procura.compiled.packed import sized
from procura.compiled.templates.checks import as_estimate, fate, too_large, usual, wrong_cost
from procura.compiled.templates.counts import EXHAUSTED, FULL, INVALID, LARGE, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.estimates import margin
from procura.compiled.templates.rows import LENGTHS, ROW_SIZE, ROW_WORDS, SIZE, check, note
from procura.compiled.templates.rules import apply, estimate, inverse, moves, solved, step

INTEGER = True  # costs and heuristic are whole numbers
STEP = False  # the heuristic has a step kernel
EARLY = False  # so it has, and every step costs 1: a move can be cut before it is made
PARTS = 0  # the numbers that a composition keeps for each depth
INVERSE = False
ROUND_UP = False  # costs are whole, an admissible heuristic is not
FOLLOW_LARGEST = False  # note the greatest magnitude of g

DONE, LISTED, UNDO, G_AT, H_AT, MOVES = 0, 1, 2, 3, 4, 5
FAR = 1 << 62


def counted(raw, program):
    """A usual estimate as the search counts it: rounded up where that is sound, less what rounding can have added."""
    h = as_estimate(raw)
    if ROUND_UP:
        return np.ceil(h - margin(h, program))
    return h


def row_at(depth):
    """Where the row of a depth begins; if every move can be taken back there is only one, changed in place."""
    return 0 if INVERSE else depth * ROW_SIZE


def enter(rows, levels, digest, depth, at, most_moves, data, work):
    """Expand the state at ``depth``, whose record is at ``at``; the number of its moves."""
    s = window(rows, row_at(depth), SIZE)
    note(digest, s)
    return moves(s, data, work, window(levels, at + MOVES, most_moves))


def any_other(levels, start, end, undo):
    """Whether any of these moves is not the one that would only go back."""
    for i in range(start, end):
        if not INVERSE or levels[i] != undo:
            return True
    return False


def begin(rows, levels, gs, hs, digest, counts, data, work, program):
    """Start an iteration at the state in the first row; the first one finds its bound."""
    s = window(rows, 0, SIZE)
    raw = estimate(s, data, work, program)
    if not usual(raw):
        counts.bound = math.inf
        status = fate(raw)
        return EXHAUSTED if status == RUNNING else status
    hs[0] = counted(raw, program)
    if counts.bound == -math.inf:
        counts.bound = hs[0]
    if counts.expanded >= counts.until:
        return RUNNING
    if solved(s, data, work):
        counts.goal = 0
        counts.g = gs[0]
        return SOLVED
    if counts.depth_limit == 0:
        counts.pruned_depth = 1
        return EXHAUSTED
    levels[DONE] = 0
    levels[LISTED] = enter(rows, levels, digest, 0, 0, counts.most_moves, data, work)
    if levels[LISTED] > counts.most_moves or levels[LISTED] < 0:
        return TOO_MANY
    counts.expanded += 1
    counts.head = 0
    return RUNNING


def run(rows, words, levels, gs, hs, digest, counts, data, work, program):
    """Search until something needs Python: a solution, the end of the iteration or of a slice, a full stack."""
    counts = named(counts)
    data = sized(data, LENGTHS)
    if counts.head < 0:
        begun = begin(rows, levels, gs, hs, digest, counts, data, work, program)
        if begun != RUNNING or counts.head < 0:
            return begun
    most_moves = counts.most_moves
    stride = MOVES + most_moves
    depth = counts.head
    at = depth * stride  # depths that matter in the loop are counted in records, like this one
    deepest = counts.depth * stride
    longest = counts.max_frontier * stride
    last = (counts.entry_capacity - 1) * stride
    beyond = min(counts.depth_limit, counts.entry_capacity) * stride
    left = counts.until - counts.expanded
    generated = counts.generated
    bound = np.int64(counts.bound) if INTEGER else counts.bound
    next_bound = np.int64(min(counts.next_bound, FAR)) if INTEGER else counts.next_bound
    status = RUNNING
    done = levels[at + DONE]
    listed = levels[at + LISTED]
    undo = levels[at + UNDO]
    next_move = levels[at + MOVES + done]
    g = gs[0] + depth if EARLY else gs[at]
    h = hs[at]
    room = bound - g - 1
    over = next_bound - bound
    while True:
        if at >= longest:
            longest = at + stride
        if left <= 0:
            break
        if at >= last:
            status = FULL
            break
        if at >= deepest and any_other(levels, at + MOVES + done, at + MOVES + listed, undo):
            deepest = at + stride
        entered = False
        while done < listed:
            move = next_move
            done += 1
            next_move = levels[at + MOVES + done]
            if INVERSE and move == undo:
                continue
            generated += 1
            if STEP:
                raw = step(window(rows, row_at(depth), SIZE), data, work, move, h, program, depth * PARTS)
            if EARLY:  # what the move leads to is known before it is made
                if INTEGER and raw > room:
                    if raw - room < over:
                        if usual(raw):
                            over = counted(raw, program) - room
                        else:
                            status = fate(raw)
                            if status != RUNNING:
                                break
                    continue
                if not usual(raw):
                    status = fate(raw)
                    if status == RUNNING:
                        continue
                    break
                h2 = counted(raw, program)
                f = g + 1 + h2
                if not INTEGER and f > bound:
                    if f < next_bound:
                        next_bound = f
                    continue
            s = window(rows, row_at(depth + 1), SIZE)
            if not INVERSE:
                for w in range(ROW_WORDS):
                    words[(depth + 1) * ROW_WORDS + w] = words[depth * ROW_WORDS + w]
            cost = apply(s, data, work, move)
            if wrong_cost(cost):
                status = INVALID
                if INVERSE:
                    apply(s, data, work, inverse(data, move))
                break
            check(s)
            g2 = g + cost
            if FOLLOW_LARGEST:
                counts.largest_g = max(counts.largest_g, abs(g2))
            if not EARLY:
                if not STEP:
                    raw = estimate(s, data, work, program)
                sound = usual(raw)
                if sound:
                    h2 = counted(raw, program)
                    f = g2 + h2
                    if f > bound and f < next_bound:
                        next_bound = f
                else:
                    status = fate(raw)
                if not sound or f > bound:
                    if INVERSE:
                        apply(s, data, work, inverse(data, move))
                    if status != RUNNING:
                        break
                    continue
                if too_large(g2):
                    return LARGE
            if solved(s, data, work):
                counts.goal = at // stride + 1
                counts.g = gs[0] + counts.goal if EARLY else g2
                status = SOLVED
                break
            if at + stride >= beyond:
                counts.pruned_depth = 1
                if INVERSE:
                    apply(s, data, work, inverse(data, move))
                continue
            levels[at + DONE] = done
            depth += 1
            at += stride
            done = np.int64(0)
            listed = np.int64(enter(rows, levels, digest, depth, at, most_moves, data, work))
            next_move = levels[at + MOVES]
            if np.uint64(listed) > np.uint64(most_moves):
                return TOO_MANY
            undo = np.int64(inverse(data, move)) if INVERSE else np.int64(-1)
            g = g2
            h = h2
            room -= 1
            levels[at + LISTED] = listed
            levels[at + UNDO] = undo
            if not EARLY:
                gs[at] = g
            hs[at] = h
            left -= 1
            entered = True
            break
        if status != RUNNING:
            break
        if entered:
            continue
        if INVERSE and at > 0:
            apply(window(rows, 0, SIZE), data, work, undo)
        depth -= 1
        at -= stride
        if at < 0:
            status = EXHAUSTED
            break
        done = levels[at + DONE]
        listed = levels[at + LISTED]
        undo = levels[at + UNDO]
        next_move = levels[at + MOVES + done]
        g = g - 1 if EARLY else gs[at]
        h = hs[at]
        room += 1
    if at >= 0:
        levels[at + DONE] = done
    counts.head = at // stride
    counts.expanded = counts.until - left
    counts.generated = generated
    counts.depth = deepest // stride
    counts.max_frontier = longest // stride
    if EARLY and INTEGER:
        next_bound = bound + over
    if not INTEGER or next_bound < FAR:
        counts.next_bound = next_bound
    return status
