"""Iterative-deepening A*: a depth-first search of one path, cut at a bound on f that rises.

For each depth of the path ``rows`` keeps the row (``words`` is the same memory, to copy it); ``lists`` the moves,
``levels`` how many of them are done, how many there are and which one would only undo the last; ``gs`` and ``hs``
the numbers. What the search begins with stands in the first record of ``rows``, ``gs`` and ``levels`` (the move that
would only undo the last): the initial state, or the root of a subtree.
"""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.intrinsics import window
from procura.compiled.templates.counts import (
    BOUND,
    DEAD,
    DEPTH,
    DEPTH_LIMIT,
    ENTRY_CAPACITY,
    EXHAUSTED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    HEAD,
    LARGE,
    LARGEST_COST,
    MAX_FRONTIER,
    MOST_MOVES,
    NEXT_BOUND,
    PRUNED_DEPTH,
    RUNNING,
    SOLVED,
    TOO_MANY,
    UNTIL,
    G,
)  # fmt: skip
from procura.compiled.templates.rows import ROW_SIZE, ROW_WORDS, SIZE, note
from procura.compiled.templates.rules import apply, estimate, inverse, moves, solved, step

INTEGER = True  # costs and heuristic are whole numbers
EARLY = False  # every step costs 1 and the heuristic has a step kernel
INVERSE = False
ROUND_UP = False  # costs are whole, an admissible heuristic is not

DONE, LISTED, UNDO, LEVEL = 0, 1, 2, 3
FAR = 1 << 62


def value(s, data, work, program):
    """The heuristic, rounded up where that is sound; the margin is for its own rounding."""
    if INTEGER:
        return np.int64(estimate(s, data, work, program))
    h = np.float64(estimate(s, data, work, program))
    return np.float64(math.ceil(h - 1e-6)) if ROUND_UP and h < DEAD else h


def row_at(depth):
    """Where the row of a depth begins; if every move can be taken back there is only one, changed in place."""
    return 0 if INVERSE else depth * ROW_SIZE


def enter(rows, lists, digest, depth, most_moves, data, work):
    """Expand the state at ``depth``; the number of its moves."""
    s = window(rows, row_at(depth), SIZE)
    note(digest, s)
    return moves(s, data, work, window(lists, depth * most_moves, most_moves))


def begin(rows, levels, lists, gs, hs, digest, counts, real_counts, data, work, program):
    """Start an iteration at the state in the first row; the first one finds its bound."""
    s = window(rows, 0, SIZE)
    hs[0] = value(s, data, work, program)
    if real_counts[BOUND] == -math.inf:
        real_counts[BOUND] = hs[0]
        if hs[0] >= DEAD:
            return EXHAUSTED
    if counts[EXPANDED] >= counts[UNTIL]:
        return RUNNING
    if solved(s, data, work):
        counts[GOAL] = 0
        real_counts[G] = gs[0]
        return SOLVED
    if counts[DEPTH_LIMIT] == 0:
        counts[PRUNED_DEPTH] = 1
        return EXHAUSTED
    levels[DONE] = 0
    levels[LISTED] = enter(rows, lists, digest, 0, counts[MOST_MOVES], data, work)
    if levels[LISTED] > counts[MOST_MOVES] or levels[LISTED] < 0:
        return TOO_MANY
    counts[EXPANDED] += 1
    counts[HEAD] = 0
    return RUNNING


def run(rows, words, levels, lists, gs, hs, digest, counts, real_counts, data, work, program):
    """Search until something needs Python: a solution, the end of the iteration or of a slice, a full stack."""
    if counts[HEAD] < 0:
        begun = begin(rows, levels, lists, gs, hs, digest, counts, real_counts, data, work, program)
        if begun != RUNNING or counts[HEAD] < 0:
            return begun
    depth = counts[HEAD]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    deepest = counts[DEPTH]
    longest = counts[MAX_FRONTIER]
    until = counts[UNTIL]
    depth_limit = counts[DEPTH_LIMIT]
    most_moves = counts[MOST_MOVES]
    room = counts[ENTRY_CAPACITY] - 1
    bound = np.int64(real_counts[BOUND]) if INTEGER else real_counts[BOUND]
    next_bound = np.int64(min(real_counts[NEXT_BOUND], FAR)) if INTEGER else real_counts[NEXT_BOUND]
    status = RUNNING
    done = levels[depth * LEVEL + DONE]
    listed = levels[depth * LEVEL + LISTED]
    undo = levels[depth * LEVEL + UNDO]
    g = gs[depth]
    h = hs[depth]
    while True:
        if depth >= longest:
            longest = depth + 1
        if expanded >= until:
            break
        if depth >= room:
            status = FULL
            break
        s = window(rows, row_at(depth + 1), SIZE)
        entered = False
        while done < listed:
            move = np.int64(lists[depth * most_moves + done])
            done += 1
            if INVERSE and move == undo:
                continue
            generated += 1
            if depth >= deepest:
                deepest = depth + 1
            if EARLY:  # what the move leads to is known before it is made
                h2 = np.int64(step(window(rows, row_at(depth), SIZE), data, work, move, h))
                f = g + 1 + h2
                if f > bound or h2 >= DEAD:
                    if f < next_bound and h2 < DEAD:
                        next_bound = f
                    continue
            if not INVERSE:
                for w in range(ROW_WORDS):
                    words[(depth + 1) * ROW_WORDS + w] = words[depth * ROW_WORDS + w]
            g2 = g + apply(s, data, work, move)
            if not EARLY:
                h2 = value(s, data, work, program)
                f = g2 + h2
                if f > bound or h2 >= DEAD:
                    if f < next_bound and h2 < DEAD:
                        next_bound = f
                    if INVERSE:
                        apply(s, data, work, inverse(data, move))
                    continue
                if INTEGER and (g2 > LARGEST_COST or g2 < -LARGEST_COST):
                    return LARGE
            if solved(s, data, work):
                counts[GOAL] = depth + 1
                real_counts[G] = g2
                status = SOLVED
                break
            if depth + 1 >= depth_limit:
                counts[PRUNED_DEPTH] = 1
                if INVERSE:
                    apply(s, data, work, inverse(data, move))
                continue
            levels[depth * LEVEL + DONE] = done
            depth += 1
            done = np.int64(0)
            listed = np.int64(enter(rows, lists, digest, depth, most_moves, data, work))
            if listed > most_moves or listed < 0:
                return TOO_MANY
            undo = np.int64(inverse(data, move)) if INVERSE else np.int64(-1)
            g = g2
            h = h2
            levels[depth * LEVEL + LISTED] = listed
            levels[depth * LEVEL + UNDO] = undo
            gs[depth] = g
            hs[depth] = h
            expanded += 1
            entered = True
            break
        if status == SOLVED:
            break
        if entered:
            continue
        if INVERSE and depth > 0:
            apply(s, data, work, undo)
        depth -= 1
        if depth < 0:
            status = EXHAUSTED
            break
        done = levels[depth * LEVEL + DONE]
        listed = levels[depth * LEVEL + LISTED]
        undo = levels[depth * LEVEL + UNDO]
        g = gs[depth]
        h = hs[depth]
    if depth >= 0:
        levels[depth * LEVEL + DONE] = done
    counts[HEAD] = depth
    counts[EXPANDED] = expanded
    counts[GENERATED] = generated
    counts[DEPTH] = deepest
    counts[MAX_FRONTIER] = longest
    if not INTEGER or next_bound < FAR:
        real_counts[NEXT_BOUND] = next_bound
    return status
