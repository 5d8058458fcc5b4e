"""Depth-first search with a stack of packed rows; graph search keeps the states it has entered, with their depth.

An entry of the stack is ``| key | payload | depth << 32 | move | cost |``. The last one pushed is taken first, so
the moves that lead to it are always ``path[:depth]``. A state entered is ``| key | depth |`` in ``nodes``.
"""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.checks import wrong_cost
from procura.compiled.templates.counts import EXHAUSTED, FULL, GROW, INVALID, NO_DEPTH_LIMIT, RUNNING, SOLVED, TOO_MANY
from procura.compiled.templates.rows import KEY_WORDS, WORDS, copy_row, note, pack, reverse, unpack
from procura.compiled.templates.rules import apply, moves, solved
from procura.compiled.templates.table import STRIDE, enter, find, hash_of, node_in

LOW = 0xFFFFFFFF


def begin(stack, stack_reals, s, counts):
    """Push the initial state."""
    pack(s, stack, 0)
    stack[WORDS] = 0
    stack_reals[WORDS + 1] = 0.0
    counts.head = counts.frontier = 1


def entered(nodes, table, shift, key_hash, words, depth, limited):
    """Whether graph search needs not go into a state at this depth: it did before, with as many moves left."""
    node = node_in(table, find(table, shift, key_hash, words, 0, nodes))
    return node >= 0 and (not limited or nodes[node * STRIDE + KEY_WORDS] <= depth)


def run(nodes, table, stack, stack_reals, path, s, child, packed, out, digest, counts, data, work):
    """Search until something needs Python: a solution, an end, a full store or a slice that is over."""
    counts = named(counts)
    wide = WORDS + 2
    if counts.head < 0:
        begin(stack, stack_reals, s, counts)
    graph = counts.graph != 0
    backwards = counts.backwards != 0
    early_goal = counts.early_goal != 0
    size = counts.head
    node_count = counts.nodes
    expanded = counts.expanded
    generated = counts.generated
    max_frontier = counts.max_frontier
    shift = counts.table_shift
    limited = counts.depth_limit != NO_DEPTH_LIMIT
    most_moves = out.size
    takes = counts.takes
    status = RUNNING
    while True:
        if size > max_frontier:
            max_frontier = size
        if size == 0:
            status = EXHAUSTED
            break
        if expanded >= counts.until or takes <= 0:
            break
        takes -= 1
        if size + most_moves > counts.entry_capacity or (graph and node_count + 1 > counts.node_capacity):
            status = FULL
            break
        if graph and node_count + 1 > counts.table_capacity:
            status = GROW
            break
        size -= 1
        base = size * wide
        depth = stack[base + WORDS] >> 32
        if depth > 0:
            path[depth - 1] = stack[base + WORDS] & LOW
        g = stack_reals[base + WORDS + 1]
        unpack(stack, base, s)
        if graph:
            for w in range(KEY_WORDS):
                packed[w] = stack[base + w]
            key_hash = hash_of(packed, 0)
            slot = find(table, shift, key_hash, packed, 0, nodes)
            node = node_in(table, slot)
            if node < 0:
                for w in range(KEY_WORDS):
                    nodes[node_count * STRIDE + w] = packed[w]
                nodes[node_count * STRIDE + KEY_WORDS] = depth
                enter(table, slot, key_hash, node_count)
                node_count += 1
            else:
                at = node * STRIDE + KEY_WORDS
                if not limited or nodes[at] <= depth:
                    continue
                nodes[at] = depth
        if solved(s, data, work):
            counts.goal = depth
            counts.g = g
            status = SOLVED
            break
        if depth >= counts.depth_limit:
            counts.pruned_depth = 1
            continue
        if depth >= path.size:
            status = FULL
            break
        expanded += 1
        note(digest, s)
        count = moves(s, data, work, out)
        if count > out.size or count < 0:
            return TOO_MANY
        if backwards:
            reverse(out, count)
        if count > 0 and depth >= counts.depth:
            counts.depth = depth + 1
        for i in range(count):
            move = np.int64(out[i])
            copy_row(s, child)
            cost = apply(child, data, work, move)
            if wrong_cost(cost):
                return INVALID
            generated += 1
            pack(child, packed, 0)
            if graph and entered(nodes, table, shift, hash_of(packed, 0), packed, depth + 1, limited):
                continue
            base = size * wide
            for w in range(WORDS):
                stack[base + w] = packed[w]
            stack[base + WORDS] = ((depth + 1) << 32) | (move & LOW)
            stack_reals[base + WORDS + 1] = g + cost
            size += 1
            if early_goal and solved(child, data, work):
                path[depth] = move
                counts.goal = depth + 1
                counts.g = g + cost
                status = SOLVED
        if status == SOLVED:
            break
    counts.head = counts.frontier = size
    counts.nodes = node_count
    counts.expanded = expanded
    counts.generated = generated
    counts.max_frontier = max_frontier
    return status
