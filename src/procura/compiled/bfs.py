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


def bfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, early_goal: bool, tree: bool) -> Found:
    """As ``search.bfs``."""
    bound = BoundProblem(problem, control)
    bound.pack_rows(("moves", "apply", "solved"))
    shared = 0 < bound.bindings["PAYLOAD_END"] <= template.LINK_BIT
    stride = bound.words + (not shared)
    bound.bindings |= {"STRIDE": stride, "SHARED": shared}
    counts = new_counts(control)
    counts[c.EARLY_GOAL], counts[c.GRAPH] = early_goal, not tree
    nodes, counts[c.NODE_CAPACITY] = reserve(control, stride)
    table = Table(bound, counts, nodes)
    batch = max(min(MOST_KIDS // problem.max_moves, MOST_BATCH), 1)
    most = batch * problem.max_moves
    kids = template.Kids(
        row=bound.new_row()[0],
        words=np.zeros(most * bound.words, dtype=np.int64),
        hashes=np.zeros(most, dtype=np.int64),
        moves=np.zeros(most, dtype=np.int64),
        counts=np.zeros(batch, dtype=np.int64),
    )
    rest = (bound.s, kids, bound.out, bound.digest, counts, bound.data, bound.work)
    run = bound.compile(template.run, nodes, table.slots, *rest)
    control.start()
    status = run_slices(
        control,
        counts,
        run,
        lambda: int(run(nodes, table.slots, *rest)),
        lambda status: status == c.GROW and table.grow(int(counts[c.NODES])),
    )
    found = conclude(bound, counts, status)
    if status == c.SOLVED:
        found.path = []
        node = int(counts[c.GOAL])
        while node:
            link = int(nodes[node * stride + stride - 1])
            found.path.append((link >> template.LINK_BIT) & 0xFFFF)
            node = (link >> 32) & 0xFFFFFFFF
        found.path.reverse()
        control.emit("goal", depth=len(found.path))
    return found
