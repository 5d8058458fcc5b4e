"""Beam search, one level after the other: kept nodes in one store, the candidates of the next level in another.

In both a node is ``| key | payload | move << 32 | parent | serial | g | h |``, g and h read through ``reals``, the
same memory as floats, unless they are whole. Python chooses the candidates that are kept.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import named, window
from procura.compiled.templates.checks import as_estimate, fate, too_large, usual, wrong_cost
from procura.compiled.templates.counts import FULL, GROW, INVALID, LARGE, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.rows import ROW_WORDS, SIZE, WORDS, note, pack, unpack
from procura.compiled.templates.rules import apply, estimate, gather, moves, solved, step
from procura.compiled.templates.table import STRIDE, enter, find, hash_of, node_in, reenter

LEVEL_DONE = 100  # what a slice returns at the end of a level

Store = namedtuple("Store", "words reals table counts")
"""Nodes, the same memory as floats, the table that finds them by key, and that table's figures."""
Rows = namedtuple("Rows", "s s_words child child_words")
"""The row at hand and its child, each with the same memory as words."""

INTEGER = True  # costs and heuristic are whole numbers
STEP = False  # the heuristic has a step kernel
COUNT_H = True  # the heuristic is a bound on what a node costs from there on
FOLLOW_LARGEST = False  # note the greatest magnitude of g
UNIT = True  # every step costs 1: the first goal ends the search
GOALS_LEAD_ON = False  # costs can be negative: the way through a goal may lead to a better one
LINK, SERIES, COST, ESTIMATE, FIELDS = 0, 1, 2, 3, 4  # after a node's words
LOW = 0xFFFFFFFF


def number_at(store, at):
    """A cost or estimate in a store."""
    return store.words[at] if INTEGER else store.reals[at]


def put_number(store, at, value):
    """Note a cost or estimate."""
    if INTEGER:
        store.words[at] = value
    else:
        store.reals[at] = value


def first(s, nodes):
    """Store the initial state."""
    pack(s, nodes.words, 0)


def keep(nodes, start, stop):
    """Enter nodes into the table, each in place of an older one with the same key."""
    reenter(nodes.words, nodes.table, named(nodes.counts).table_shift, start, stop)


def cheaper(store, slot, g):
    """Whether the node in a slot of the table was reached at ``g`` or less."""
    node = node_in(store.table, slot)
    return node >= 0 and number_at(store, node * STRIDE + WORDS + COST) <= g


def least(g, h, counts):
    """The least cost of any solution through a node."""
    return np.float64(g + h) if COUNT_H else g + counts.rest


def run(nodes, candidates, rows, out, digest, counts, data, work, program):
    """Expand the level at hand until it ends, a goal ends the search, a store is full or the slice is over."""
    counts = named(counts)
    s = rows.s
    head = counts.head
    level = counts.level
    level_end = counts.level_end
    made = counts.candidates
    expanded = counts.expanded
    generated = counts.generated
    takes = counts.takes
    shift = named(nodes.counts).table_shift
    candidate_shift = named(candidates.counts).table_shift
    status = RUNNING
    while True:
        counts.max_frontier = max(counts.max_frontier, level_end - head + made)
        if head == level_end:
            status = LEVEL_DONE
            break
        if expanded >= counts.until or takes <= 0:
            break
        if made + out.size + 1 > counts.entry_capacity:
            status = FULL
            break
        if made + out.size > named(candidates.counts).table_capacity:
            status = GROW
            break
        takes -= 1
        base = head * STRIDE
        unpack(nodes.words, base, s)
        node = head
        head += 1
        g = number_at(nodes, base + WORDS + COST)
        h = number_at(nodes, base + WORDS + ESTIMATE)
        if level >= counts.depth_limit:
            counts.pruned_depth = 1
            counts.bound = min(counts.bound, least(g, h, counts))
            continue
        expanded += 1
        note(digest, s)
        count = moves(s, data, work, out)
        if count > out.size or count < 0:
            return TOO_MANY
        if count > 0 and level >= counts.depth:
            counts.depth = level + 1
        if STEP:
            gather(s, data, work, program)
        for i in range(count):
            child = window(rows.child, 0, SIZE)
            for w in range(ROW_WORDS):
                rows.child_words[w] = rows.s_words[w]
            move = np.int64(out[i])
            cost = apply(child, data, work, move)
            if wrong_cost(cost):
                return INVALID
            g2 = g + cost
            generated += 1
            if FOLLOW_LARGEST:
                counts.largest_g = max(counts.largest_g, abs(g2))
            if too_large(g2):
                status = LARGE
                break
            at = made * STRIDE
            pack(child, candidates.words, at)
            key_hash = hash_of(candidates.words, at)
            if cheaper(nodes, find(nodes.table, shift, key_hash, candidates.words, at, nodes.words), g2):
                continue
            slot = find(candidates.table, candidate_shift, key_hash, candidates.words, at, candidates.words)
            if cheaper(candidates, slot, g2):
                continue
            if solved(child, data, work):
                if g2 < counts.g:
                    counts.g = g2
                    counts.goal = node
                    counts.goal_move = move
                if UNIT:
                    status = SOLVED
                    break
                if not GOALS_LEAD_ON:
                    continue
            if STEP:
                raw = step(s, data, work, move, h, program, 0)
            else:
                raw = estimate(child, data, work, program)
            if not usual(raw):
                status = fate(raw)
                if status == RUNNING:
                    continue
                break
            h2 = as_estimate(raw)
            if least(g2, h2, counts) >= counts.g:
                continue
            target = made
            if candidates.table[slot] != 0:
                target = node_in(candidates.table, slot)
                for w in range(WORDS):
                    candidates.words[target * STRIDE + w] = candidates.words[at + w]
            else:
                enter(candidates.table, slot, key_hash, made)
                made += 1
            field = target * STRIDE + WORDS
            candidates.words[field + LINK] = (move << 32) | node
            candidates.words[field + SERIES] = counts.serial
            put_number(candidates, field + COST, g2)
            put_number(candidates, field + ESTIMATE, h2)
            counts.serial += 1
        if status != RUNNING:
            break
    counts.head = head
    counts.candidates = made
    counts.expanded = expanded
    counts.generated = generated
    counts.frontier = level_end - head + made
    return status
