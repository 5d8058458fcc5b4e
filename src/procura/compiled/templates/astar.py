"""A* as one resumable loop over a store of nodes: graph or tree search, every tie rule, buckets or heap.

A node is ``| key | payload | serial << 32 | parent | g ... |``. With whole costs the last word is
``g << 32 | depth << 16 | move``; with real ones it is ``depth << 16 | move`` and g follows in a word of its own,
read through ``reals``, the same memory as floats. If every step costs 1, g is the depth; depth and move then are the
upper half of the last word of the payload, where that is free (``SHARED``). The serial is that of the node's live entry
in the queue, or ``CLOSED``; an entry with any other serial is stale.

Under a depth limit, where steps differ in cost, a state has a node for each way to it that is cheaper than all shorter
ones (``VERSIONS``). A last word links them: 1 + the next node of the same state, 0 at the end; the table has the first.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import named, prefetch
from procura.compiled.packed import new_row, sized
from procura.compiled.templates.checks import as_estimate, fate, too_large, usual, wrong_cost
from procura.compiled.templates.counts import EXHAUSTED, FULL, GROW, INVALID, LARGE, REQUEUE, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.queues import ASIDE, BUCKETS, push, requeue, take
from procura.compiled.templates.rows import (
    LENGTHS,
    ROW,
    WORDS,
    copy_row,
    hand_back,
    note,
    pack,
    reverse,
    unpack,
    write_row,
)
from procura.compiled.templates.rules import apply, estimate, gather, moves, solved, step
from procura.compiled.templates.table import STRIDE, enter, fetch, find, hash_of, node_in, slot_of

Kids = namedtuple("Kids", "row words hashes g")
"""The children of the node at hand, all made before the first is looked up, so that memory is asked for early."""

INTEGER = True  # costs and heuristic are whole numbers, and the weight is 1
STEP = False  # the heuristic has a step kernel
FOLLOW_LARGEST = False  # note the greatest magnitude of g
VERSIONS = False  # a state may have several nodes
SHARED = False  # depth and move are the upper half of the last word of the payload
CLOSED = 0xFFFFFFFF
DEEPEST = 0xFFFF
LOW = 0xFFFFFFFF


def get_g(nodes, reals, base):
    """The cost of the best path known to a node."""
    if SHARED:
        return get_depth(nodes, base)
    if INTEGER:
        return nodes[base + WORDS + 1] >> 32
    return reals[base + WORDS + 2]


def set_path(nodes, reals, base, serial, parent, g, depth, move):
    """Note how a node was reached, whose row is stored."""
    nodes[base + WORDS] = (serial << 32) | parent
    steps = (depth << 16) | (move & 0xFFFF)
    if SHARED:
        nodes[base + WORDS - 1] |= steps << 32
    elif INTEGER:
        nodes[base + WORDS + 1] = (g << 32) | steps
    else:
        nodes[base + WORDS + 1] = steps
        reals[base + WORDS + 2] = g


def get_depth(nodes, base):
    """The number of steps to a node."""
    if SHARED:
        return (nodes[base + WORDS - 1] >> 48) & DEEPEST
    return (nodes[base + WORDS + 1] >> 16) & DEEPEST


def is_closed(nodes, base):
    """Whether a node does not wait."""
    return (nodes[base + WORDS] >> 32) & LOW == CLOSED


def close(nodes, base):
    """Let a node wait no longer."""
    nodes[base + WORDS] = (CLOSED << 32) | (nodes[base + WORDS] & LOW)


def is_surpassed(nodes, reals, node, g, depth, reopen):
    """Whether a way to a state that has nodes, ``node`` the first, is of no use: another is as cheap and as short."""
    while node >= 0:
        base = node * STRIDE
        if get_g(nodes, reals, base) <= g and get_depth(nodes, base) <= depth:
            return True
        if not reopen and is_closed(nodes, base):
            return True
        node = nodes[base + STRIDE - 1] - 1
    return False


def surpass(nodes, reals, node, target, g, depth):
    """Put ``target`` before the nodes of its state, and drop those that are no longer of use; how many of them wait."""
    dropped = 0
    last = target * STRIDE
    while node >= 0:
        base = node * STRIDE
        following = nodes[base + STRIDE - 1] - 1
        if g <= get_g(nodes, reals, base) and depth <= get_depth(nodes, base):
            if not is_closed(nodes, base):
                close(nodes, base)
                dropped += 1
        else:
            nodes[last + STRIDE - 1] = node + 1
            last = base
        node = following
    nodes[last + STRIDE - 1] = 0
    return dropped


def begin(nodes, reals, table, q, s, counts, data, work, program):
    """Store and queue the initial state, unless it is a dead end."""
    raw = estimate(s, data, work, program)
    pack(s, nodes, 0)
    counts.nodes = counts.serial = 1
    if not usual(raw):
        return fate(raw)
    h = as_estimate(raw)
    zero = np.int64(0) if INTEGER else np.float64(0.0)
    set_path(nodes, reals, 0, 0, 0, zero, 0, 0)
    push(q, h if INTEGER else counts.weight * h, zero, 0, 0)
    key_hash = hash_of(nodes, 0)
    enter(table, slot_of(key_hash, counts.table_shift), key_hash, 0)
    counts.frontier = 1
    return RUNNING


def run(nodes, reals, table, q, array, kids, out, spare, digest, counts, data, work, program):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over."""
    counts = named(counts)
    s, child, other = new_row(array, ROW), new_row(kids.row, ROW), new_row(array, ROW)
    data = sized(data, LENGTHS)
    if counts.nodes == 0:
        write_row(array, other)
        begun = begin(nodes, reals, table, q, other, counts, data, work, program)
        if begun != RUNNING:
            return begun
    if BUCKETS:
        requeue(q)
        if q.control[ASIDE] > 0:
            return REQUEUE
    graph = counts.graph != 0
    reopen = counts.reopen != 0
    greedy = counts.greedy != 0
    prune_dead = counts.prune_dead != 0
    backwards = counts.backwards != 0
    node_count = counts.nodes
    serial_count = counts.serial
    frontier = counts.frontier
    max_frontier = counts.max_frontier
    expanded = counts.expanded
    generated = counts.generated
    deepest = counts.depth
    until = counts.until
    node_room = min(counts.node_capacity, counts.table_capacity) if graph else counts.node_capacity
    entry_room = counts.entry_capacity
    shift = counts.table_shift
    bound = counts.bound
    cut = counts.cut
    weight = counts.weight
    rival = counts.rival
    most_moves = out.size
    takes = counts.takes
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
            larger = graph and node_room < counts.node_capacity and serial_count + most_moves <= entry_room
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
        close(nodes, base)
        frontier -= 1
        if f > bound:
            if f >= rival:
                counts.next_bound = min(counts.next_bound, f)
                status = EXHAUSTED
                break
            bound = np.float64(f)
        unpack(nodes, base, s)
        g = get_g(nodes, reals, base)
        if solved(s, data, work):
            counts.goal = node
            counts.g = g
            status = SOLVED
            break
        depth = get_depth(nodes, base)
        if depth >= counts.depth_limit:
            counts.pruned_depth = 1
            continue
        if depth >= DEEPEST - 1:
            status = LARGE
            break
        expanded += 1
        note(digest, s)
        count = moves(s, data, work, out)
        if count > out.size or count < 0:
            return TOO_MANY
        if backwards:
            reverse(out, count)
        if count > 0 and depth >= deepest:
            deepest = depth + 1
        for i in range(count):
            copy_row(s, child)
            cost = apply(child, data, work, np.int64(out[i]))
            if wrong_cost(cost):
                hand_back(s, other, array)
                return INVALID
            kids.g[i] = g + cost
            pack(child, kids.words, i * WORDS)
            if graph:
                key_hash = hash_of(kids.words, i * WORDS)
                kids.hashes[i] = key_hash
                prefetch(table, slot_of(key_hash, shift))
        if graph:
            for i in range(count):
                fetch(table, shift, kids.hashes[i], nodes)
        generated += count
        if STEP:
            gather(s, data, work, program)
        for i in range(count):
            move = np.int64(out[i])
            g2 = kids.g[i]
            target = node_count
            first = np.int64(-1)
            slot = np.int64(0)
            if FOLLOW_LARGEST:
                counts.largest_g = max(counts.largest_g, abs(g2))
            if graph:
                slot = find(table, shift, kids.hashes[i], kids.words, i * WORDS, nodes)
                known = node_in(table, slot)
                if known >= 0 and VERSIONS:
                    first = known
                    if is_surpassed(nodes, reals, first, g2, depth + 1, reopen):
                        continue
                elif known >= 0:
                    target = known
                    if greedy or get_g(nodes, reals, target * STRIDE) <= g2:
                        continue
                    if not reopen and is_closed(nodes, target * STRIDE):
                        continue
            if not STEP or prune_dead:
                unpack(kids.words, i * WORDS, child)
            if STEP:
                raw = step(s, data, work, move, f if greedy else f - g, program, 0)
            else:
                raw = estimate(child, data, work, program)
            if not usual(raw):
                status = fate(raw)
                if status == RUNNING:
                    continue
                hand_back(s, other, array)
                break
            h2 = as_estimate(raw)
            if greedy:
                f2 = h2
            else:
                f2 = g2 + h2 if INTEGER else g2 + weight * h2
            if f2 >= rival:
                counts.next_bound = min(counts.next_bound, f2)
                continue
            if f2 > cut:
                counts.pruned_cut = 1
                counts.next_bound = min(counts.next_bound, f2)
                continue
            if prune_dead and not solved(child, data, work) and moves(child, data, work, spare) <= 0:
                continue
            if too_large(g2):
                status = LARGE
                break
            base2 = target * STRIDE
            if target == node_count:
                node_count += 1
                if VERSIONS:
                    frontier -= surpass(nodes, reals, first, target, g2, depth + 1)
                if graph:
                    enter(table, slot, kids.hashes[i], target)
                frontier += 1
            elif is_closed(nodes, base2):
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
    counts.nodes = node_count
    counts.serial = serial_count
    counts.frontier = frontier
    counts.max_frontier = max_frontier
    counts.expanded = expanded
    counts.generated = generated
    counts.depth = deepest
    counts.bound = bound
    return status
