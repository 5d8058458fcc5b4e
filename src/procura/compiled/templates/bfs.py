"""Breadth-first search over a store of nodes, which is the queue as well: nodes are taken in the order stored.

A node is ``| key | payload | move << 32 | parent |``; depths follow from where each level ends.
"""

from __future__ import annotations

import numpy as np

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
    UNTIL,
)  # fmt: skip
from procura.compiled.templates.rows import WORDS, copy_row, note, pack, unpack
from procura.compiled.templates.rules import apply, moves, solved
from procura.compiled.templates.table import STRIDE, entry_for, find, tag_of


def begin(nodes, table, s, counts):
    """Store the initial state."""
    pack(s, nodes, 0)
    nodes[WORDS] = 0
    tag = tag_of(nodes, 0)
    table[tag >> counts[TABLE_SHIFT]] = entry_for(tag, 0)
    counts[NODES] = counts[FRONTIER] = counts[LEVEL_END] = 1


def run(nodes, table, s, child, packed, out, digest, counts, data, work):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over."""
    if counts[NODES] == 0:
        begin(nodes, table, s, counts)
    head = counts[HEAD]
    node_count = counts[NODES]
    level = counts[LEVEL]
    level_end = counts[LEVEL_END]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    max_frontier = counts[MAX_FRONTIER]
    shift = counts[TABLE_SHIFT]
    room = min(counts[NODE_CAPACITY], counts[TABLE_CAPACITY])
    most_moves = out.size
    status = RUNNING
    while True:
        frontier = node_count - head
        if frontier > max_frontier:
            max_frontier = frontier
        if frontier == 0:
            status = EXHAUSTED
            break
        if expanded >= counts[UNTIL]:
            break
        if node_count + most_moves > room:
            status = GROW if counts[TABLE_CAPACITY] < counts[NODE_CAPACITY] else FULL
            break
        if head == level_end:
            level += 1
            level_end = node_count
        node = head
        head += 1
        unpack(nodes, node * STRIDE, s)
        if solved(s, data, work):
            counts[GOAL] = node
            status = SOLVED
            break
        if level >= counts[DEPTH_LIMIT]:
            counts[PRUNED_DEPTH] = 1
            continue
        expanded += 1
        note(digest, s)
        count = moves(s, data, work, out)
        if count > 0 and level >= counts[DEPTH]:
            counts[DEPTH] = level + 1
        for i in range(count):
            move = np.int64(out[i])
            copy_row(s, child)
            apply(child, data, work, move)
            generated += 1
            pack(child, packed, 0)
            tag = tag_of(packed, 0)
            slot = find(table, shift, tag, packed, nodes)
            if table[slot] != 0:
                continue
            table[slot] = entry_for(tag, node_count)
            base = node_count * STRIDE
            for w in range(WORDS):
                nodes[base + w] = packed[w]
            nodes[base + WORDS] = (move << 32) | node
            node_count += 1
            if counts[EARLY_GOAL] != 0 and solved(child, data, work):
                counts[GOAL] = node_count - 1
                status = SOLVED
                break
        if status != RUNNING:
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
