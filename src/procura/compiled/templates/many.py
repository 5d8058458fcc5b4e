"""Many problems that differ by their initial rows alone: one A* after the other in the same memory.

A board that is not solved within ``most`` expansions, or for which anything would have to grow, is left to be searched
by itself; so is one whose solution has more than ``MOST_STEPS`` steps.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.astar import SHARED, run as search
from procura.compiled.templates.counts import SOLVED
from procura.compiled.templates.queues import CONTROL
from procura.compiled.templates.rows import SIZE, WORDS
from procura.compiled.templates.table import STRIDE

Answers = namedtuple("Answers", "rows figures moves")
"""For each board its initial row, its figures, and the moves of its solution."""
Fresh = namedtuple("Fresh", "words control tops")
"""What a search has in its counters and in its queue when it begins."""

LENGTH, COST, LEAST, EXPANDED, GENERATED, FRONTIER, DEPTH, STORED, FIGURES = range(9)
"""The figures of a board: the steps of its solution, ``UNSOLVED`` or ``LEFT_OUT``; what they cost; the bound that the
search got to; and some of its counters."""
UNSOLVED, LEFT_OUT = -1, -2
MOST_STEPS = 63  # of unit cost: then all fit the first buckets of the queue


def forget(fresh, table, q, words, out, work):
    """Be about to begin."""
    for i in range(words.size):
        words[i] = fresh.words[i]
    for i in range(CONTROL):
        q.control[i] = fresh.control[i]
    for i in range(table.size):
        table[i] = 0
    for i in range(q.heads.size):
        q.heads[i] = q.tails[i] = 0
    for i in range(q.tops.size):
        q.tops[i] = fresh.tops[i]
    for i in range(out.size):
        out[i] = 0
    for i in range(work.size):
        work[i] = 0


def write_path(nodes, node, path, at):
    """Write the moves to a node at ``path[at:]``; how many, or -1 if they are too many."""
    length = 0
    above = node
    while above > 0 and length <= MOST_STEPS:  # no cycle of negative costs, which nobody has declared, holds it up
        above = nodes[above * STRIDE + WORDS] & 0xFFFFFFFF
        length += 1
    if length > MOST_STEPS:
        return -1
    for i in range(length - 1, -1, -1):
        base = node * STRIDE
        path[at + i] = (nodes[base + WORDS - 1] >> 32 if SHARED else nodes[base + WORDS + 1]) & 0xFFFF
        node = nodes[base + WORDS] & 0xFFFFFFFF
    return length


def run(
    first, most, nodes_at_once, answers, fresh,
    nodes, reals, table, q, array, kids, out, spare, digest, words, data, work, program,
):  # fmt: skip
    """Search from board ``first`` on, each by ``most`` expansions, until so many nodes are expanded; the board to go on
    with."""
    counts = named(words)
    boards = answers.figures.size // FIGURES
    board = first
    expanded = 0
    while board < boards and expanded < nodes_at_once:
        figures, row, path = board * FIGURES, board * SIZE, board * MOST_STEPS
        board += 1
        if answers.figures[figures + LENGTH] == LEFT_OUT:
            continue
        forget(fresh, table, q, words, out, work)
        counts.until = counts.takes = most
        for i in range(SIZE):
            array[i] = answers.rows[row + i]
        status = search(nodes, reals, table, q, array, kids, out, spare, digest, words, data, work, program)
        expanded += counts.expanded + 1
        length = write_path(nodes, counts.goal, answers.moves, path) if status == SOLVED else -1
        if length >= 0:
            answers.figures[figures + LENGTH] = length
            answers.figures[figures + COST] = np.int64(counts.g)
            answers.figures[figures + LEAST] = np.int64(counts.bound)
            answers.figures[figures + EXPANDED] = counts.expanded
            answers.figures[figures + GENERATED] = counts.generated
            answers.figures[figures + FRONTIER] = counts.max_frontier
            answers.figures[figures + DEPTH] = counts.depth
            answers.figures[figures + STORED] = counts.nodes
    return board
