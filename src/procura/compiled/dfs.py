"""Depth-first search, compiled."""

from __future__ import annotations

import numpy as np

from procura.compiled.engine import BoundProblem, run_slices
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import counts as c, dfs as template
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem


def dfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool = False) -> Found:
    """As ``search.dfs``."""
    bound = BoundProblem(problem, control)
    bound.bindings |= {"STRIDE": bound.key_words + 1}
    counts = np.zeros(c.COUNTERS, dtype=np.int64)
    reals = np.zeros(c.REALS)
    counts[c.DEPTH_LIMIT] = c.NO_DEPTH_LIMIT if control.limits.depth is None else control.limits.depth
    counts[c.GRAPH] = not tree
    counts[c.HEAD] = -1
    nodes, counts[c.NODE_CAPACITY] = reserve(control, bound.key_words + 1)
    stack, counts[c.ENTRY_CAPACITY] = reserve(control, bound.words + 2)
    path, _ = reserve(control, 1, int(counts[c.ENTRY_CAPACITY]))
    stack_reals = stack.view(np.float64)
    table = Table(control, counts)
    rest = (
        stack, stack_reals, path, bound.s, bound.child, bound.packed, bound.out, bound.digest,
        counts, reals, bound.data, bound.work,
    )  # fmt: skip
    run = bound.compile(template.run, nodes, table.slots, *rest)
    control.start()
    status = run_slices(
        control,
        counts,
        lambda: int(run(nodes, table.slots, *rest)),
        lambda status: status == c.GROW and table.grow(),
    )
    control.digest = int(bound.digest[0])
    found = Found(exhausted=status == c.EXHAUSTED, pruned="depth" if counts[c.PRUNED_DEPTH] else None)
    if status == c.FULL:
        control.stopped_by = "memory"
    elif status == c.SOLVED:
        found.path = [int(move) for move in path[: counts[c.GOAL]]]
        found.cost = float(reals[c.G])
        control.emit("goal", depth=len(found.path))
    return found
