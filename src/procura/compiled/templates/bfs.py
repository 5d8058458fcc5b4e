"""Breadth-first search over a store of nodes, which is the queue as well: nodes are taken in the order stored.

A node is ``| key | payload | parent << 32 | move << 16 |``; depths follow from where each level ends. If the last word
of the payload has no more than 16 bits, it and what follows share one (``SHARED``).
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import named, prefetch
from procura.compiled.packed import new_row, sized
from procura.compiled.templates.checks import wrong_cost
from procura.compiled.templates.counts import EXHAUSTED, FULL, GROW, INVALID, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.rows import LENGTHS, ROW, WORDS, copy_row, hand_back, note, pack, unpack, write_row
from procura.compiled.templates.rules import apply, moves, solved
from procura.compiled.templates.table import STRIDE, enter, fetch, find, hash_of, slot_of

Kids = namedtuple("Kids", "row words hashes moves counts")
"""The children of a batch of nodes, and how many each node has (-1 if the depth limit keeps it from having any)."""

SHARED = False
LINK_BIT = 16


def set_link(nodes, base, parent, move):
    """Note how a node was reached, whose row is stored."""
    link = (parent << 32) | ((move & 0xFFFF) << LINK_BIT)
    nodes[base + STRIDE - 1] = link | nodes[base + STRIDE - 1] if SHARED else link


def begin(nodes, table, s, counts):
    """Store the initial state."""
    pack(s, nodes, 0)
    set_link(nodes, 0, 0, 0)
    key_hash = hash_of(nodes, 0)
    enter(table, slot_of(key_hash, counts.table_shift), key_hash, 0)
    counts.nodes = counts.frontier = counts.level_end = 1


def run(nodes, table, array, kids, out, digest, counts, data, work):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over.

    Nodes of one level are expanded in batches, so that the memory their children need is asked for early.
    """
    counts = named(counts)
    s, child, spare = new_row(array, ROW), new_row(kids.row, ROW), new_row(array, ROW)
    data = sized(data, LENGTHS)
    if counts.nodes == 0:
        write_row(array, spare)
        begin(nodes, table, spare, counts)
    early_goal = counts.early_goal != 0
    graph = counts.graph != 0
    head = counts.head
    node_count = counts.nodes
    level = counts.level
    level_end = counts.level_end
    expanded = counts.expanded
    generated = counts.generated
    max_frontier = counts.max_frontier
    shift = counts.table_shift
    room = min(counts.node_capacity, counts.table_capacity) if graph else counts.node_capacity
    takes = counts.takes
    status = RUNNING
    while True:
        if node_count - head > max_frontier:
            max_frontier = node_count - head
        if node_count == head:
            status = EXHAUSTED
            break
        if expanded >= counts.until or takes <= 0:
            break
        if node_count + kids.hashes.size > room:
            status = GROW if room < counts.node_capacity else FULL
            break
        if head == level_end:
            level += 1
            level_end = node_count
        batch = min(1 if early_goal else kids.counts.size, level_end - head, counts.until - expanded)
        kid = 0
        taken = 0
        while taken < batch:
            unpack(nodes, (head + taken) * STRIDE, s)
            if solved(s, data, work):
                counts.goal = head + taken
                status = SOLVED
                break
            if level >= counts.depth_limit:
                counts.pruned_depth = 1
                kids.counts[taken] = -1
                taken += 1
                continue
            note(digest, s)
            count = moves(s, data, work, out)
            if count > out.size or count < 0:
                return TOO_MANY
            for i in range(count):
                copy_row(s, child)
                if wrong_cost(apply(child, data, work, np.int64(out[i]))):
                    hand_back(s, spare, array)
                    return INVALID
                pack(child, kids.words, kid * WORDS)
                kids.moves[kid] = out[i]
                if graph:
                    kids.hashes[kid] = hash_of(kids.words, kid * WORDS)
                    prefetch(table, slot_of(kids.hashes[kid], shift))
                kid += 1
            kids.counts[taken] = count
            taken += 1
        takes -= taken
        if graph:
            for i in range(kid):
                fetch(table, shift, kids.hashes[i], nodes)
        kid = 0
        for k in range(taken):
            if node_count - head > max_frontier:
                max_frontier = node_count - head
            node = head
            head += 1
            if kids.counts[k] < 0:
                continue
            expanded += 1
            if kids.counts[k] > 0 and level >= counts.depth:
                counts.depth = level + 1
            for _ in range(kids.counts[k]):
                at = kid * WORDS
                kid += 1
                generated += 1
                if graph:
                    slot = find(table, shift, kids.hashes[kid - 1], kids.words, at, nodes)
                    if table[slot] != 0:
                        continue
                    enter(table, slot, kids.hashes[kid - 1], node_count)
                base = node_count * STRIDE
                for w in range(WORDS):
                    nodes[base + w] = kids.words[at + w]
                set_link(nodes, base, node, kids.moves[kid - 1])
                node_count += 1
                if early_goal:
                    unpack(nodes, base, s)
                    if solved(s, data, work):
                        counts.goal = node_count - 1
                        status = SOLVED
                        break
        if status != RUNNING:
            if taken < batch:  # the goal was taken, not generated
                max_frontier = max(max_frontier, node_count - head)
            break
    counts.head = head
    counts.nodes = node_count
    counts.level = level
    counts.level_end = level_end
    counts.frontier = node_count - head
    counts.expanded = expanded
    counts.generated = generated
    counts.max_frontier = max_frontier
    return status
