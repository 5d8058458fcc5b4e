"""A* as one resumable loop over a store of nodes: graph or tree search, every tie rule, buckets or heap.

A node is ``| key | payload | serial << 32 | parent | g ... |``. With whole costs the last word is
``g << 32 | depth << 16 | move``; with real ones it is ``depth << 16 | move`` and g follows in a word of its own,
read through ``reals``, the same memory as floats. The serial is that of the node's live entry in the queue, or
``CLOSED``; an entry with any other serial is stale.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import prefetch, window
from procura.compiled.templates.counts import (
    BOUND,
    CUT,
    DEAD,
    DEPTH,
    DEPTH_LIMIT,
    ENTRY_CAPACITY,
    EXHAUSTED,
    EXPANDED,
    FRONTIER,
    FULL,
    GENERATED,
    GOAL,
    GRAPH,
    GREEDY,
    GROW,
    LARGE,
    LARGEST_COST,
    MAX_FRONTIER,
    NODE_CAPACITY,
    NODES,
    PRUNE_DEAD,
    PRUNED_CUT,
    PRUNED_DEPTH,
    REOPEN,
    REQUEUE,
    RUNNING,
    SERIAL,
    SOLVED,
    TABLE_CAPACITY,
    TABLE_SHIFT,
    TAKES,
    TOO_MANY,
    UNTIL,
    WEIGHT,
    G,
)  # fmt: skip
from procura.compiled.templates.queues import ASIDE, BUCKETS, push, requeue, take
from procura.compiled.templates.rows import ROW_SIZE, ROW_WORDS, SIZE, WORDS, note, pack, unpack
from procura.compiled.templates.rules import apply, estimate, moves, solved, step
from procura.compiled.templates.table import STRIDE, entry_for, fetch, find, tag_of

Kids = namedtuple("Kids", "rows row_words words tags g")
"""The children of the node at hand, all made before the first is looked up, so that memory is asked for early."""

INTEGER = True  # costs and heuristic are whole numbers, and the weight is 1
STEP = False  # the heuristic has a step kernel
CLOSED = 0xFFFFFFFF
DEEPEST = 0xFFFF
LOW = 0xFFFFFFFF


def get_g(nodes, reals, base):
    """The cost of the best path known to a node."""
    if INTEGER:
        return nodes[base + WORDS + 1] >> 32
    return reals[base + WORDS + 2]


def set_path(nodes, reals, base, serial, parent, g, depth, move):
    """Note how a node was reached."""
    nodes[base + WORDS] = (serial << 32) | parent
    steps = (depth << 16) | (move & 0xFFFF)
    if INTEGER:
        nodes[base + WORDS + 1] = (g << 32) | steps
    else:
        nodes[base + WORDS + 1] = steps
        reals[base + WORDS + 2] = g


def value(s, data, work, program):
    """The heuristic as the search counts it."""
    return np.int64(estimate(s, data, work, program)) if INTEGER else np.float64(estimate(s, data, work, program))


def begin(nodes, reals, table, q, s, counts, real_counts, data, work, program):
    """Store and queue the initial state, unless it is a dead end."""
    h = value(s, data, work, program)
    pack(s, nodes, 0)
    counts[NODES] = counts[SERIAL] = 1
    if h >= DEAD:
        return
    zero = np.int64(0) if INTEGER else np.float64(0.0)
    set_path(nodes, reals, 0, 0, 0, zero, 0, 0)
    push(q, h if INTEGER else real_counts[WEIGHT] * h, zero, 0, 0)
    tag = tag_of(nodes, 0)
    table[tag >> counts[TABLE_SHIFT]] = entry_for(tag, 0)
    counts[FRONTIER] = 1


def run(nodes, reals, table, q, s, s_words, kids, out, spare, digest, counts, real_counts, data, work, program):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over."""
    if counts[NODES] == 0:
        begin(nodes, reals, table, q, s, counts, real_counts, data, work, program)
    if BUCKETS:
        requeue(q)
        if q.control[ASIDE] > 0:
            return REQUEUE
    graph = counts[GRAPH] != 0
    reopen = counts[REOPEN] != 0
    greedy = counts[GREEDY] != 0
    prune_dead = counts[PRUNE_DEAD] != 0
    node_count = counts[NODES]
    serial_count = counts[SERIAL]
    frontier = counts[FRONTIER]
    max_frontier = counts[MAX_FRONTIER]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    deepest = counts[DEPTH]
    until = counts[UNTIL]
    node_room = min(counts[NODE_CAPACITY], counts[TABLE_CAPACITY]) if graph else counts[NODE_CAPACITY]
    entry_room = counts[ENTRY_CAPACITY]
    shift = counts[TABLE_SHIFT]
    bound = real_counts[BOUND]
    cut = real_counts[CUT]
    weight = real_counts[WEIGHT]
    most_moves = out.size
    takes = counts[TAKES]
    status = RUNNING
    while True:
        if frontier > max_frontier:
            max_frontier = frontier
        if frontier == 0:
            status = EXHAUSTED
            break
        if expanded >= until or takes <= 0:
            break
        takes -= 1
        if node_count + most_moves > node_room or serial_count + most_moves > entry_room:
            larger = graph and node_room < counts[NODE_CAPACITY] and serial_count + most_moves <= entry_room
            status = GROW if larger else FULL
            break
        f, serial, following = take(q)
        if following >= 0:
            prefetch(nodes, (q.entries[following] & LOW) * STRIDE)
        node = q.entries[serial] & LOW
        base = node * STRIDE
        path = nodes[base + WORDS]
        if (path >> 32) & LOW != serial:
            continue
        nodes[base + WORDS] = (CLOSED << 32) | (path & LOW)
        frontier -= 1
        if f > bound:
            bound = np.float64(f)
        unpack(nodes, base, s)
        g = get_g(nodes, reals, base)
        if solved(s, data, work):
            counts[GOAL] = node
            real_counts[G] = g
            status = SOLVED
            break
        depth = (nodes[base + WORDS + 1] >> 16) & DEEPEST
        if depth >= counts[DEPTH_LIMIT]:
            counts[PRUNED_DEPTH] = 1
            continue
        if depth >= DEEPEST - 1:
            status = LARGE
            break
        expanded += 1
        note(digest, s)
        count = moves(s, data, work, out)
        if count > out.size or count < 0:
            return TOO_MANY
        if count > 0 and depth >= deepest:
            deepest = depth + 1
        for i in range(count):
            child = window(kids.rows, i * ROW_SIZE, SIZE)
            for w in range(ROW_WORDS):
                kids.row_words[i * ROW_WORDS + w] = s_words[w]
            kids.g[i] = g + apply(child, data, work, np.int64(out[i]))
            pack(child, kids.words, i * WORDS)
            if graph:
                tag = tag_of(kids.words, i * WORDS)
                kids.tags[i] = tag
                prefetch(table, tag >> shift)
        if graph:
            for i in range(count):
                fetch(table, shift, kids.tags[i], nodes)
        generated += count
        for i in range(count):
            move = np.int64(out[i])
            g2 = kids.g[i]
            target = node_count
            slot = np.int64(0)
            if graph:
                slot = find(table, shift, kids.tags[i], kids.words, i * WORDS, nodes)
                entry = table[slot]
                if entry != 0:
                    target = (entry & LOW) - 1
                    if greedy or get_g(nodes, reals, target * STRIDE) <= g2:
                        continue
                    if not reopen and (nodes[target * STRIDE + WORDS] >> 32) & LOW == CLOSED:
                        continue
            child = window(kids.rows, i * ROW_SIZE, SIZE)
            if INTEGER:
                h2 = (
                    np.int64(step(s, data, work, move, f if greedy else f - g))
                    if STEP
                    else value(child, data, work, program)
                )
                f2 = h2 if greedy else g2 + h2
            else:
                h2 = value(child, data, work, program)
                f2 = h2 if greedy else g2 + weight * h2
            if h2 >= DEAD:
                continue
            if f2 > cut:
                counts[PRUNED_CUT] = 1
                continue
            if prune_dead and not solved(child, data, work) and moves(child, data, work, spare) <= 0:
                continue
            if INTEGER and (g2 > LARGEST_COST or g2 < -LARGEST_COST):
                status = LARGE
                break
            base2 = target * STRIDE
            if target == node_count:
                node_count += 1
                if graph:
                    table[slot] = entry_for(kids.tags[i], target)
                frontier += 1
            elif (nodes[base2 + WORDS] >> 32) & LOW == CLOSED:
                frontier += 1
            for w in range(WORDS):
                nodes[base2 + w] = kids.words[i * WORDS + w]
            set_path(nodes, reals, base2, serial_count, node, g2, depth + 1, move)
            push(q, f2, g2, serial_count, target)
            serial_count += 1
        if status != RUNNING:
            break
        if BUCKETS and q.control[ASIDE] > 0:
            status = REQUEUE
            break
    counts[NODES] = node_count
    counts[SERIAL] = serial_count
    counts[FRONTIER] = frontier
    counts[MAX_FRONTIER] = max_frontier
    counts[EXPANDED] = expanded
    counts[GENERATED] = generated
    counts[DEPTH] = deepest
    real_counts[BOUND] = bound
    return status
