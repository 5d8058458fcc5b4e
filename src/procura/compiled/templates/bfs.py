"""Breadth-first search over a store of nodes, which is the queue as well: nodes are taken in the order stored.

A node is ``| key | payload | parent << 32 | move << 16 |``; depths follow from where each level ends. If the last word
of the payload has no more than 16 bits, it and what follows share one (``SHARED``).
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import prefetch
from procura.compiled.packed import new_row, sized
from procura.compiled.templates.checks import wrong_cost
from procura.compiled.templates.counts import (
    DEPTH,
    DEPTH_LIMIT,
    EARLY_GOAL,
    EXHAUSTED,
    EXPANDED,
    FRONTIER,
    FULL,
    GENERATED,
    GOAL,
    GRAPH,
    GROW,
    HEAD,
    INVALID,
    LEVEL,
    LEVEL_END,
    MAX_FRONTIER,
    NODE_CAPACITY,
    NODES,
    PRUNED_DEPTH,
    RUNNING,
    SOLVED,
    TABLE_CAPACITY,
    TABLE_SHIFT,
    TAKES,
    TOO_MANY,
    UNTIL,
)  # fmt: skip
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
    enter(table, slot_of(key_hash, counts[TABLE_SHIFT]), key_hash, 0)
    counts[NODES] = counts[FRONTIER] = counts[LEVEL_END] = 1


def run(nodes, table, array, kids, out, digest, counts, data, work):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over.

    Nodes of one level are expanded in batches, so that the memory their children need is asked for early.
    """
    s, child, spare = new_row(array, ROW), new_row(kids.row, ROW), new_row(array, ROW)
    data = sized(data, LENGTHS)
    if counts[NODES] == 0:
        write_row(array, spare)
        begin(nodes, table, spare, counts)
    early_goal = counts[EARLY_GOAL] != 0
    graph = counts[GRAPH] != 0
    head = counts[HEAD]
    node_count = counts[NODES]
    level = counts[LEVEL]
    level_end = counts[LEVEL_END]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    max_frontier = counts[MAX_FRONTIER]
    shift = counts[TABLE_SHIFT]
    room = min(counts[NODE_CAPACITY], counts[TABLE_CAPACITY]) if graph else counts[NODE_CAPACITY]
    takes = counts[TAKES]
    status = RUNNING
    while True:
        if node_count - head > max_frontier:
            max_frontier = node_count - head
        if node_count == head:
            status = EXHAUSTED
            break
        if expanded >= counts[UNTIL] or takes <= 0:
            break
        if node_count + kids.hashes.size > room:
            status = GROW if room < counts[NODE_CAPACITY] else FULL
            break
        if head == level_end:
            level += 1
            level_end = node_count
        batch = min(1 if early_goal else kids.counts.size, level_end - head, counts[UNTIL] - expanded)
        kid = 0
        taken = 0
        while taken < batch:
            unpack(nodes, (head + taken) * STRIDE, s)
            if solved(s, data, work):
                counts[GOAL] = head + taken
                status = SOLVED
                break
            if level >= counts[DEPTH_LIMIT]:
                counts[PRUNED_DEPTH] = 1
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
            if kids.counts[k] > 0 and level >= counts[DEPTH]:
                counts[DEPTH] = level + 1
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
                        counts[GOAL] = node_count - 1
                        status = SOLVED
                        break
        if status != RUNNING:
            if taken < batch:  # the goal was taken, not generated
                max_frontier = max(max_frontier, node_count - head)
            break
    counts[HEAD] = head
    counts[NODES] = node_count
    counts[LEVEL] = level
    counts[LEVEL_END] = level_end
    counts[FRONTIER] = node_count - head
    counts[EXPANDED] = expanded
    counts[GENERATED] = generated
    counts[MAX_FRONTIER] = max_frontier
    return status
