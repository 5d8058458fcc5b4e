"""Iterative-deepening A*: a depth-first search of one path, cut at a bound on f that rises.

For each depth of the path ``rows`` keeps the row, copied as words; ``lists`` the moves, ``levels`` how many of
them are done, how many there are and which one would only undo the last; ``gs`` and ``hs`` the numbers.
"""

from __future__ import annotations

import math

import numpy as np

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
    MAX_FRONTIER,
    NEXT_BOUND,
    PRUNED_DEPTH,
    RUNNING,
    SOLVED,
    UNTIL,
    G,
)  # fmt: skip
from procura.compiled.templates.rows import note
from procura.compiled.templates.rules import apply, estimate, inverse, moves, solved, step

INTEGER = True  # costs and heuristic are whole numbers
STEP = False
INVERSE = False
ROUND_UP = False  # costs are whole, an admissible heuristic is not
ROW_WORDS = 1

DONE, LISTED, UNDO, LEVEL = 0, 1, 2, 3


def value(s, data, work, program):
    """The heuristic, rounded up where that is sound; the margin is for its own rounding."""
    if INTEGER:
        return np.int64(estimate(s, data, work, program))
    h = np.float64(estimate(s, data, work, program))
    return np.float64(math.ceil(h - 1e-6)) if ROUND_UP else h


def enter(s, words, rows, levels, lists, out, digest, depth, undo, data, work):
    """Expand the state in ``s`` at ``depth``."""
    note(digest, s)
    for w in range(ROW_WORDS):
        rows[depth * ROW_WORDS + w] = words[w]
    count = moves(s, data, work, out)
    for i in range(count):
        lists[depth * out.size + i] = out[i]
    levels[depth * LEVEL + DONE] = 0
    levels[depth * LEVEL + LISTED] = count
    levels[depth * LEVEL + UNDO] = undo


def begin(s, words, rows, levels, lists, gs, hs, out, digest, counts, real_counts, data, work, program):
    """Start an iteration at the initial state, in ``s``; the first one finds its bound. RUNNING if it has begun."""
    gs[0] = 0
    hs[0] = value(s, data, work, program)
    if real_counts[BOUND] == -math.inf:
        real_counts[BOUND] = hs[0]
        if hs[0] >= DEAD:
            return EXHAUSTED
    if counts[EXPANDED] >= counts[UNTIL]:
        return RUNNING
    if solved(s, data, work):
        counts[GOAL] = 0
        real_counts[G] = 0
        return SOLVED
    if counts[DEPTH_LIMIT] == 0:
        counts[PRUNED_DEPTH] = 1
        return EXHAUSTED
    enter(s, words, rows, levels, lists, out, digest, 0, -1, data, work)
    counts[EXPANDED] += 1
    counts[HEAD] = 0
    return RUNNING


def run(s, words, rows, levels, lists, gs, hs, out, digest, counts, real_counts, data, work, program):
    """Search until something needs Python: a solution, the end of the iteration or of a slice, a full stack."""
    if counts[HEAD] < 0:
        begun = begin(s, words, rows, levels, lists, gs, hs, out, digest, counts, real_counts, data, work, program)
        if begun != RUNNING or counts[HEAD] < 0:
            return begun
    depth = counts[HEAD]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    deepest = counts[DEPTH]
    longest = counts[MAX_FRONTIER]
    until = counts[UNTIL]
    depth_limit = counts[DEPTH_LIMIT]
    room = counts[ENTRY_CAPACITY] - 1
    bound = np.int64(real_counts[BOUND]) if INTEGER else real_counts[BOUND]
    next_bound = real_counts[NEXT_BOUND]
    fresh = False  # whether s already holds the row of this depth
    status = RUNNING
    while True:
        if depth < 0:
            status = EXHAUSTED
            break
        if depth >= longest:
            longest = depth + 1
        if expanded >= until:
            break
        if depth >= room:
            status = FULL
            break
        done = levels[depth * LEVEL + DONE]
        if done == levels[depth * LEVEL + LISTED]:
            depth -= 1
            fresh = False
            continue
        levels[depth * LEVEL + DONE] = done + 1
        move = np.int64(lists[depth * out.size + done])
        if INVERSE and move == levels[depth * LEVEL + UNDO]:
            continue
        if not fresh:
            for w in range(ROW_WORDS):
                words[w] = rows[depth * ROW_WORDS + w]
        fresh = False
        cost = apply(s, data, work, move)
        generated += 1
        if depth >= deepest:
            deepest = depth + 1
        g = gs[depth] + cost
        h = np.int64(step(s, data, work, move, hs[depth])) if STEP else value(s, data, work, program)
        if h >= DEAD:
            continue
        f = g + h
        if f > bound:
            if f < next_bound:
                next_bound = np.float64(f)
            continue
        if solved(s, data, work):
            counts[GOAL] = depth + 1
            real_counts[G] = g
            status = SOLVED
            break
        if depth + 1 >= depth_limit:
            counts[PRUNED_DEPTH] = 1
            continue
        depth += 1
        gs[depth] = g
        hs[depth] = h
        undo = np.int64(inverse(data, move)) if INVERSE else np.int64(-1)
        enter(s, words, rows, levels, lists, out, digest, depth, undo, data, work)
        expanded += 1
        fresh = True
    counts[HEAD] = depth
    counts[EXPANDED] = expanded
    counts[GENERATED] = generated
    counts[DEPTH] = deepest
    counts[MAX_FRONTIER] = longest
    real_counts[NEXT_BOUND] = next_bound
    return status
