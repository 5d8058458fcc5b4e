"""Depth-first search and iterative deepening, compiled."""

from __future__ import annotations

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, new_reals, run_slices
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import counts as c, dfs as template
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem

LONGEST_PATH = (1 << 31) - 1


def dfs(
    problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool, successors: str, early_goal: bool
) -> Found:
    """As ``search.dfs``."""
    return _depth_first(problem, control, tree, successors, early_goal, deepening=False)


def iddfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool, successors: str) -> Found:
    """As ``search.iddfs``."""
    return _depth_first(problem, control, tree, successors, False, deepening=True)


def _depth_first(
    problem: ArrayProblem, control: Control, tree: bool, successors: str, early_goal: bool, deepening: bool
) -> Found:
    """One search under the run's depth limit, or several with limits that rise to it from 0."""
    bound = BoundProblem(problem, control)
    bound.bindings |= {"STRIDE": bound.key_words + 1}
    counts = new_counts(control)
    last = int(counts[c.DEPTH_LIMIT])
    reals = new_reals()
    counts[c.DEPTH_LIMIT] = 0 if deepening else last
    counts[c.GRAPH], counts[c.BACKWARDS], counts[c.EARLY_GOAL] = not tree, successors == "first", early_goal
    counts[c.HEAD] = -1
    nodes, counts[c.NODE_CAPACITY] = reserve(control, bound.key_words + 1)
    stack, counts[c.ENTRY_CAPACITY] = reserve(control, bound.words + 2)
    path, _ = reserve(control, 1, LONGEST_PATH)
    stack_reals = stack.view(np.float64)
    table = Table(bound, counts, nodes)
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
            return table.grow(int(counts[c.NODES]))
        if status != c.EXHAUSTED or not counts[c.PRUNED_DEPTH] or counts[c.DEPTH_LIMIT] == last:
            return False
        counts[c.DEPTH_LIMIT] += 1
        counts[c.HEAD], counts[c.NODES], counts[c.PRUNED_DEPTH] = -1, 0, 0
        table.clear()
        bound.s[:] = problem.initial
        note_limit()
        return True

    note_limit()
    status = run_slices(control, counts, run, lambda: int(run(nodes, table.slots, *rest)), attend)
    found = conclude(bound, counts, status)
    found.bound = int(counts[c.DEPTH_LIMIT]) if deepening else None
    if status == c.SOLVED:
        found.path = path[: counts[c.GOAL]].tolist()
        found.cost = float(reals[c.G])
        control.emit("goal", depth=len(found.path))
    return found
