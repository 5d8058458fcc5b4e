"""Breadth-first search over a store of nodes, which is the queue as well: nodes are taken in the order stored.

A node is ``| key | payload | move << 32 | parent |``; depths follow from where each level ends.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import prefetch, window
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
    GROW,
    HEAD,
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
from procura.compiled.templates.rows import SIZE, WORDS, copy_row, note, pack, unpack
from procura.compiled.templates.rules import apply, moves, solved
from procura.compiled.templates.table import STRIDE, entry_for, fetch, find, tag_of

Kids = namedtuple("Kids", "rows words tags moves counts")
"""The children of a batch of nodes, and how many each node has (-1 if the depth limit keeps it from having any)."""


def begin(nodes, table, s, counts):
    """Store the initial state."""
    pack(s, nodes, 0)
    nodes[WORDS] = 0
    tag = tag_of(nodes, 0)
    table[tag >> counts[TABLE_SHIFT]] = entry_for(tag, 0)
    counts[NODES] = counts[FRONTIER] = counts[LEVEL_END] = 1


def run(nodes, table, s, kids, out, digest, counts, data, work):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over.

    Nodes of one level are expanded in batches, so that the memory their children need is asked for early.
    """
    if counts[NODES] == 0:
        begin(nodes, table, s, counts)
    early_goal = counts[EARLY_GOAL] != 0
    head = counts[HEAD]
    node_count = counts[NODES]
    level = counts[LEVEL]
    level_end = counts[LEVEL_END]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    max_frontier = counts[MAX_FRONTIER]
    shift = counts[TABLE_SHIFT]
    room = min(counts[NODE_CAPACITY], counts[TABLE_CAPACITY])
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
        if node_count + kids.tags.size > room:
            status = GROW if counts[TABLE_CAPACITY] < counts[NODE_CAPACITY] else FULL
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
                child = window(kids.rows, 0, SIZE)
                copy_row(s, child)
                apply(child, data, work, np.int64(out[i]))
                pack(child, kids.words, kid * WORDS)
                kids.moves[kid] = out[i]
                kids.tags[kid] = tag_of(kids.words, kid * WORDS)
                prefetch(table, kids.tags[kid] >> shift)
                kid += 1
            kids.counts[taken] = count
            taken += 1
        takes -= taken
        for i in range(kid):
            fetch(table, shift, kids.tags[i], nodes)
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
                slot = find(table, shift, kids.tags[kid - 1], kids.words, at, nodes)
                if table[slot] != 0:
                    continue
                table[slot] = entry_for(kids.tags[kid - 1], node_count)
                base = node_count * STRIDE
                for w in range(WORDS):
                    nodes[base + w] = kids.words[at + w]
                nodes[base + WORDS] = (kids.moves[kid - 1] << 32) | node
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
