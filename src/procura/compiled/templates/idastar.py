"""Iterative-deepening A*: a depth-first search of one path, cut at a bound on f that rises.

For each depth of the path ``rows`` keeps the row (``words`` is the same memory, to copy it); ``lists`` the moves,
``levels`` how many of them are done, how many there are and which one would only undo the last; ``gs`` and ``hs``
the numbers. What the search begins with stands in the first record of ``rows``, ``gs`` and ``levels`` (the move that
would only undo the last): the initial state, or the root of a subtree.
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

DONE, LISTED, UNDO, LEVEL = 0, 1, 2, 3
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


def enter(rows, lists, digest, depth, most_moves, data, work):
    """Expand the state at ``depth``; the number of its moves."""
    s = window(rows, row_at(depth), SIZE)
    note(digest, s)
    return moves(s, data, work, window(lists, depth * most_moves, most_moves))


def begin(rows, levels, lists, gs, hs, digest, counts, data, work, program):
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
    levels[LISTED] = enter(rows, lists, digest, 0, counts.most_moves, data, work)
    if levels[LISTED] > counts.most_moves or levels[LISTED] < 0:
        return TOO_MANY
    counts.expanded += 1
    counts.head = 0
    return RUNNING


def run(rows, words, levels, lists, gs, hs, digest, counts, data, work, program):
    """Search until something needs Python: a solution, the end of the iteration or of a slice, a full stack."""
    counts = named(counts)
    data = sized(data, LENGTHS)
    if counts.head < 0:
        begun = begin(rows, levels, lists, gs, hs, digest, counts, data, work, program)
        if begun != RUNNING or counts.head < 0:
            return begun
    depth = counts.head
    expanded = counts.expanded
    generated = counts.generated
    deepest = counts.depth
    longest = counts.max_frontier
    until = counts.until
    depth_limit = counts.depth_limit
    most_moves = counts.most_moves
    room = counts.entry_capacity - 1
    bound = np.int64(counts.bound) if INTEGER else counts.bound
    next_bound = np.int64(min(counts.next_bound, FAR)) if INTEGER else counts.next_bound
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
            if STEP:
                raw = step(window(rows, row_at(depth), SIZE), data, work, move, h, program, depth * PARTS)
            if EARLY:  # what the move leads to is known before it is made
                if INTEGER and g + 1 + raw > bound and g + 1 + raw >= next_bound:
                    continue
                if not usual(raw):
                    status = fate(raw)
                    if status == RUNNING:
                        continue
                    break
                h2 = counted(raw, program)
                f = g + 1 + h2
                if f > bound:
                    if f < next_bound:
                        next_bound = f
                    continue
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
                counts.goal = depth + 1
                counts.g = g2
                status = SOLVED
                break
            if depth + 1 >= depth_limit:
                counts.pruned_depth = 1
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
        if status != RUNNING:
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
    counts.head = depth
    counts.expanded = expanded
    counts.generated = generated
    counts.depth = deepest
    counts.max_frontier = longest
    if not INTEGER or next_bound < FAR:
        counts.next_bound = next_bound
    return status
