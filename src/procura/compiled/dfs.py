"""Depth-first search and iterative deepening, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.reuse import search_of
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
    with search_of(Search, problem, control, h, tree, successors, early_goal, False) as search:
        return search.run()


def iddfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, tree: bool, successors: str) -> Found:
    """As ``search.iddfs``."""
    with search_of(Search, problem, control, h, tree, successors, False, True) as search:
        return search.run()


class Search:
    """One search under the run's depth limit or, ``deepening``, several with limits that rise to it from 0."""

    def __init__(
        self, problem: ArrayProblem, control: Control, h: BoundHeuristic, tree: bool, successors: str,
        early_goal: bool, deepening: bool,
    ) -> None:  # fmt: skip
        self.bound = bound = BoundProblem(problem, control)
        self.graph, self.backwards = not tree, successors == "first"
        self.early_goal, self.deepening = early_goal, deepening
        bound.bindings |= {"STRIDE": bound.key_words + 1}
        self.nodes, self.node_capacity = reserve(control, bound.key_words + 1)
        self.stack, self.entry_capacity = reserve(control, bound.words + 2)
        self.path, _ = reserve(control, 1, LONGEST_PATH)
        self.table = Table(bound, new_counts(control), self.nodes)
        self.child, self.packed = bound.new_row()[0], np.zeros(bound.words, dtype=np.int64)
        self.begin()
        self.kernel = bound.compile(template.run, *self._arguments())

    def begin(self) -> None:
        """Forget what was searched, and be about to search the problem that ``bound`` serves now."""
        self.control = self.bound.control
        self.counts = counts = new_counts(self.control)
        self.last = counts.depth_limit
        counts.depth_limit = 0 if self.deepening else self.last
        counts.graph, counts.backwards, counts.early_goal = self.graph, self.backwards, self.early_goal
        counts.head, counts.node_capacity = -1, self.node_capacity
        counts.entry_capacity = self.entry_capacity
        self.table.begin(counts)

    @property
    def filled(self) -> int:
        """The bytes of its stores that it has used, at most."""
        return 8 * (self.counts.expanded + self.counts.max_frontier) * (self.bound.key_words + self.bound.words + 4)

    def _arguments(self) -> tuple[Any, ...]:
        b = self.bound
        return (
            self.nodes, self.table.slots, self.stack, self.stack.view(np.float64), self.path, b.s, self.child,
            self.packed, b.out, b.digest, self.counts.words, b.data, b.work,
        )  # fmt: skip

    def run(self) -> Found:
        """Search to the end."""
        control, counts = self.control, self.counts
        control.start()
        self._note_limit()
        status = run_slices(control, counts, self.kernel, lambda: int(self.kernel(*self._arguments())), self._attend)
        found = conclude(self.bound, counts, status)
        found.bound = counts.depth_limit if self.deepening else None
        if status == c.SOLVED:
            found.path = self.path[: counts.goal].tolist()
            found.cost = self.counts.g
            control.emit("goal", depth=len(found.path))
        return found

    def _note_limit(self) -> None:
        if self.deepening:
            self.control.progress_value = self.counts.depth_limit
            self.control.emit("bound", value=self.control.progress_value)

    def _attend(self, status: int) -> bool:
        """A larger table, or the next search, if this one left something out."""
        counts = self.counts
        if status == c.GROW:
            return self.table.grow(counts.nodes)
        if status != c.EXHAUSTED or not counts.pruned_depth or counts.depth_limit == self.last:
            return False
        counts.depth_limit += 1
        counts.head, counts.nodes, counts.pruned_depth = -1, 0, 0
        self.table.clear()
        self.bound.s[:] = self.bound.problem.initial
        self._note_limit()
        return True
