"""Breadth-first search, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.reuse import search_of
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import bfs as template, counts as c
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem

MOST_KIDS = 64
MOST_BATCH = 16


def bfs(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, early_goal: bool, tree: bool) -> Found:
    """As ``search.bfs``."""
    with search_of(Search, problem, control, h, early_goal, tree) as search:
        return search.run()


class Search:
    """The stores and the kernel of one run."""

    def __init__(
        self, problem: ArrayProblem, control: Control, h: BoundHeuristic, early_goal: bool, tree: bool
    ) -> None:  # fmt: skip
        self.bound = bound = BoundProblem(problem, control)
        bound.pack_rows(("moves", "apply", "solved"))
        shared = 0 < bound.bindings["PAYLOAD_END"] <= template.LINK_BIT
        self.stride = bound.words + (not shared)
        bound.bindings |= {"STRIDE": self.stride, "SHARED": shared}
        self.early_goal, self.graph = early_goal, not tree
        self.nodes, self.node_capacity = reserve(control, self.stride)
        self.table = Table(bound, new_counts(control), self.nodes)
        batch = max(min(MOST_KIDS // problem.max_moves, MOST_BATCH), 1)
        most = batch * problem.max_moves
        self.kids = template.Kids(
            row=bound.new_row()[0],
            words=np.zeros(most * bound.words, dtype=np.int64),
            hashes=np.zeros(most, dtype=np.int64),
            moves=np.zeros(most, dtype=np.int64),
            counts=np.zeros(batch, dtype=np.int64),
        )
        self.begin()
        self.kernel = bound.compile(template.run, *self._arguments())

    def begin(self) -> None:
        """Forget what was searched, and be about to search the problem that ``bound`` serves now."""
        self.control = self.bound.control
        self.counts = counts = new_counts(self.control)
        counts.early_goal, counts.graph, counts.node_capacity = self.early_goal, self.graph, self.node_capacity
        self.table.begin(counts)

    @property
    def filled(self) -> int:
        """The bytes of its stores that it has used."""
        return 8 * self.counts.nodes * self.stride

    def _arguments(self) -> tuple[Any, ...]:
        b = self.bound
        return self.nodes, self.table.slots, b.s, self.kids, b.out, b.digest, self.counts.words, b.data, b.work

    def run(self) -> Found:
        """Search to the end."""
        self.control.start()
        status = run_slices(
            self.control,
            self.counts,
            self.kernel,
            lambda: int(self.kernel(*self._arguments())),
            lambda status: status == c.GROW and self.table.grow(self.counts.nodes),
        )
        found = conclude(self.bound, self.counts, status)
        if status == c.SOLVED:
            found.path = self._path(self.counts.goal)
            self.control.emit("goal", depth=len(found.path))
        return found

    def _path(self, node: int) -> list[int]:
        moves = []
        while node:
            link = int(self.nodes[(node + 1) * self.stride - 1])
            moves.append((link >> template.LINK_BIT) & 0xFFFF)
            node = (link >> 32) & 0xFFFFFFFF
        return moves[::-1]
