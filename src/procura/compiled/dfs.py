"""Depth-first search and iterative deepening, compiled."""

from __future__ import annotations

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import counts as c, dfs as template
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem

LONGEST_PATH = (1 << 31) - 1


def dfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool = False) -> Found:
    """As ``search.dfs``."""
    return _depth_first(problem, control, tree, deepening=False)


def iddfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool = True) -> Found:
    """As ``search.iddfs``."""
    return _depth_first(problem, control, tree, deepening=True)


def _depth_first(problem: ArrayProblem, control: Control, tree: bool, deepening: bool) -> Found:
    """One search under the run's depth limit, or several with limits that rise to it from 0."""
    bound = BoundProblem(problem, control)
    bound.bindings |= {"STRIDE": bound.key_words + 1}
    counts = new_counts(control)
    last = int(counts[c.DEPTH_LIMIT])
    reals = np.zeros(c.REALS)
    counts[c.DEPTH_LIMIT] = 0 if deepening else last
    counts[c.GRAPH] = not tree
    counts[c.HEAD] = -1
    nodes, counts[c.NODE_CAPACITY] = reserve(control, bound.key_words + 1)
    stack, counts[c.ENTRY_CAPACITY] = reserve(control, bound.words + 2)
    path, _ = reserve(control, 1, LONGEST_PATH)
    stack_reals = stack.view(np.float64)
    table = Table(control, counts)
    child, packed = bound.new_row()[0], np.zeros(bound.words, dtype=np.int64)
    rest = (
        stack, stack_reals, path, bound.s, child, packed, bound.out, bound.digest, counts, reals,
        bound.data, bound.work,
    )  # fmt: skip
    run = bound.compile(template.run, nodes, table.slots, *rest)
    control.start()

    def note_limit() -> None:
        if deepening:
            control.progress_value = int(counts[c.DEPTH_LIMIT])
            control.emit("bound", value=control.progress_value)

    def attend(status: int) -> bool:
        """A larger table, or the next search, if this one left something out."""
        if status == c.GROW:
            return table.grow()
        if status != c.EXHAUSTED or not counts[c.PRUNED_DEPTH] or counts[c.DEPTH_LIMIT] == last:
            return False
        counts[c.DEPTH_LIMIT] += 1
        counts[c.HEAD], counts[c.NODES], counts[c.PRUNED_DEPTH] = -1, 0, 0
        table.clear()
        bound.s[:] = problem.initial
        note_limit()
        return True

    note_limit()
    status = run_slices(control, counts, lambda: int(run(nodes, table.slots, *rest)), attend)
    found = conclude(bound, counts, status)
    found.bound = int(counts[c.DEPTH_LIMIT]) if deepening else None
    if status == c.SOLVED:
        found.path = [int(move) for move in path[: counts[c.GOAL]]]
        found.cost = float(reals[c.G])
        control.emit("goal", depth=len(found.path))
    return found
