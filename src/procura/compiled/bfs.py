"""Breadth-first search, compiled."""

from __future__ import annotations

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import bfs as template, counts as c
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem

MOST_KIDS = 64
MOST_BATCH = 16


def bfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, early_goal: bool = False) -> Found:
    """As ``search.bfs``."""
    bound = BoundProblem(problem, control)
    stride = bound.words + 1
    bound.bindings |= {"STRIDE": stride}
    counts = new_counts(control)
    counts[c.EARLY_GOAL] = early_goal
    nodes, counts[c.NODE_CAPACITY] = reserve(control, stride)
    table = Table(control, counts)
    batch = max(min(MOST_KIDS // problem.max_moves, MOST_BATCH), 1)
    most = batch * problem.max_moves
    kids = template.Kids(
        rows=bound.new_row()[0],
        words=np.zeros(most * bound.words, dtype=np.int64),
        tags=np.zeros(most, dtype=np.int64),
        moves=np.zeros(most, dtype=np.int64),
        counts=np.zeros(batch, dtype=np.int64),
    )
    rest = (bound.s, kids, bound.out, bound.digest, counts, bound.data, bound.work)
    run = bound.compile(template.run, nodes, table.slots, *rest)
    control.start()
    status = run_slices(
        control,
        counts,
        lambda: int(run(nodes, table.slots, *rest)),
        lambda status: status == c.GROW and table.grow(),
    )
    found = conclude(bound, counts, status)
    if status == c.SOLVED:
        found.path = []
        node = int(counts[c.GOAL])
        while node:
            link = int(nodes[node * stride + bound.words])
            found.path.append(link >> 32)
            node = link & 0xFFFFFFFF
        found.path.reverse()
        control.emit("goal", depth=len(found.path))
    return found
