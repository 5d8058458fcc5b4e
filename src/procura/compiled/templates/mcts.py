"""Monte Carlo tree search: each game goes down the tree, adds a node, and goes on at random to its end.

A node is ``visits, total, its first child, how many, the move that led to it``; the children of a node are made
together and stand side by side. Positions are not kept: each game makes its moves again from the initial row.
"""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.counts import FULL, INVALID, RUNNING, TOO_MANY
from procura.compiled.templates.rows import ROW_WORDS, check
from procura.compiled.templates.rules import apply, estimate_kernel, moves, over, score_kernel, turn
from procura.rng import below

VISITS, TOTAL, CHILD, CHILDREN, MOVE, NODE = 0, 1, 2, 3, 4, 5
LONGEST = 1000
LARGEST = 0  # in ``search``: the most that any game ended with


def select(nodes, node, maximises, exploration, scale):
    """The first child without a game, else the one with the greatest upper bound."""
    first = nodes[node * NODE + CHILD]
    best = first
    best_bound = -math.inf
    visits = nodes[node * NODE + VISITS]
    log = math.log(visits) if visits > 0 else 0.0
    for child in range(first, first + nodes[node * NODE + CHILDREN]):
        games = nodes[child * NODE + VISITS]
        if games == 0:
            return child
        mean = nodes[child * NODE + TOTAL] / games / scale
        bound = (mean if maximises else -mean) + exploration * math.sqrt(log / games)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


def run(s, words, start, nodes, path, out, rng, exploration, search, counts, data, work):
    """Play games until the slice ends; the first row stands in ``start``, the game is played in ``s``."""
    counts = named(counts)
    most_moves = counts.most_moves
    while counts.expanded < counts.until:
        if counts.nodes + most_moves > counts.node_capacity:
            return FULL
        for w in range(ROW_WORDS):
            words[w] = start[w]
        node = np.int64(0)
        length = np.int64(0)
        path[0] = 0
        while not over(s, data, work) and (nodes[node * NODE + VISITS] > 0 or node == 0) and length < path.size - 1:
            if nodes[node * NODE + CHILDREN] == 0:
                listed = np.int64(moves(s, data, work, out))
                if listed < 0 or listed > most_moves:
                    return TOO_MANY
                if listed == 0:
                    return INVALID
                nodes[node * NODE + CHILD] = counts.nodes
                nodes[node * NODE + CHILDREN] = listed
                for i in range(listed):
                    nodes[(counts.nodes + i) * NODE + MOVE] = out[i]
                counts.nodes += listed
            whose = np.int64(turn(s, data, work))
            if whose < 0 or whose > 1:
                return INVALID
            node = select(nodes, node, whose == 0, exploration, max(search[LARGEST], 1))
            apply(s, data, work, nodes[node * NODE + MOVE])
            check(s)
            counts.generated += 1
            length += 1
            path[length] = node
        counts.depth = max(counts.depth, length)
        counts.expanded += 1
        ended = False
        for _ in range(LONGEST):
            if over(s, data, work):
                ended = True
                break
            listed = np.int64(moves(s, data, work, out))
            if listed < 0 or listed > most_moves:
                return TOO_MANY
            if listed == 0:
                return INVALID
            apply(s, data, work, out[below(rng, listed)])
            check(s)
            counts.generated += 1
        end = np.int64(score_kernel(s, data, work) if ended else estimate_kernel(s, data, work))
        search[LARGEST] = max(search[LARGEST], abs(end))
        for i in range(length + 1):
            nodes[path[i] * NODE + VISITS] += 1
            nodes[path[i] * NODE + TOTAL] += end
    return RUNNING
