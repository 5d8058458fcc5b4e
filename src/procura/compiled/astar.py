"""Uniform-cost search, greedy search and A*, compiled."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, exactness, new_counts, run_slices
from procura.compiled.reuse import search_of
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import astar as template, counts as c, queues
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.search.best_first import keeps_versions, queues_backwards
from procura.search.node import deepest_f, upwards

TIES = {"lifo": queues.LIFO, "fifo": queues.FIFO, "high_g": queues.HIGH_G, "low_g": queues.LOW_G}
FIRST_BUCKETS = 64
MOST_F = 1 << 16
MOST_BUCKETS = 1 << 22


def astar(problem: ArrayProblem, control: Control, h: BoundHeuristic, **options: Any) -> Found:
    """As ``search.best_first.astar``."""
    with astar_search(problem, control, h, **options) as search:
        return search.run()


def ucs(problem: ArrayProblem, control: Control, h: BoundHeuristic, **options: Any) -> Found:
    """As ``search.best_first.ucs``."""
    with ucs_search(problem, control, h, **options) as search:
        return search.run()


def greedy(problem: ArrayProblem, control: Control, h: BoundHeuristic, **options: Any) -> Found:
    """As ``search.best_first.greedy``."""
    with greedy_search(problem, control, h, **options) as search:
        return search.run()


@contextmanager
def astar_search(
    problem: ArrayProblem,
    control: Control,
    h: BoundHeuristic,
    *,
    tree: bool,
    ties: str,
    reopen: bool,
    weight: float,
    cut: float | None,
    prune_dead: bool,
    successors: str | None = None,
) -> Iterator[Search]:
    """A* that is about to begin."""
    deepest = deepest_f(problem, control, h) if weight == 1 else math.inf
    with search_of(Search, problem, control, h, tree, ties, reopen, weight, prune_dead, successors) as search:
        search.counts.cut = math.inf if cut is None else cut
        if deepest < search.counts.cut:
            search.counts.cut, search.cut_by = deepest, "depth"
        yield search


def ucs_search(
    problem: ArrayProblem, control: Control, h: BoundHeuristic, *, ties: str, successors: str | None = None
) -> AbstractContextManager[Search]:
    """Uniform-cost search that is about to begin."""
    return astar_search(
        problem, control, h, tree=False, ties=ties, reopen=True, weight=1.0, cut=None, prune_dead=False,
        successors=successors,
    )  # fmt: skip


@contextmanager
def greedy_search(
    problem: ArrayProblem, control: Control, h: BoundHeuristic, *, ties: str, successors: str | None = None
) -> Iterator[Search]:
    """Greedy search that is about to begin."""
    with search_of(Search, problem, control, h, False, ties, False, 1.0, False, successors, False) as search:
        search.counts.greedy = 1
        yield search


class Search:
    """The stores, queue and kernels of one run."""

    def __init__(
        self, problem: ArrayProblem, control: Control, h: BoundHeuristic, tree: bool, ties: str, reopen: bool,
        weight: float, prune_dead: bool, successors: str | None = None, improve: bool = True,
    ) -> None:  # fmt: skip
        self.bound = bound = BoundProblem(problem, control)
        self.whole = problem.integer_costs and h.integer and weight == 1
        bindings, self.program = bound.heuristic(h)
        bound.pack_rows(("moves", "apply", "solved", "heuristic", "step"))
        versions = improve and keeps_versions(problem, control, tree)
        unit = self.whole and problem.costs == "unit" and not versions
        self.shared = unit and 0 < bound.bindings["PAYLOAD_END"] <= 32
        self.stride = bound.words + (1 if self.shared else 2 if self.whole else 3) + versions
        bindings["STEP"] = bindings["STEP"] and (self.whole or h.single is None)
        bound.bindings |= bindings | exactness(self.whole)
        bound.bindings |= {"STRIDE": self.stride, "BUCKETS": self.whole, "VERSIONS": versions, "SHARED": self.shared}
        self.tree, self.reopen, self.weight, self.prune_dead = tree, reopen, weight, prune_dead
        self.backwards, self.ties = queues_backwards(ties, successors), TIES[ties]
        self.nodes, self.node_capacity = reserve(control, self.stride)
        self.entries, self.entry_capacity = reserve(control, 1)
        self.table = Table(bound, new_counts(control), self.nodes)
        self.spare = np.zeros_like(bound.out)
        most = problem.max_moves
        self.kids = template.Kids(
            row=bound.new_row()[0],
            words=np.zeros(most * bound.words, dtype=np.int64),
            hashes=np.zeros(most, dtype=np.int64),
            g=np.zeros(most, dtype=np.int64 if self.whole else np.float64),
        )
        self.begin()
        self.kernel = bound.compile(template.run, *self.arguments())

    def begin(self) -> None:
        """Forget what was searched, and be about to search the problem that ``bound`` serves now."""
        self.control, self.cut_by = self.bound.control, "cut"
        self.counts = counts = new_counts(self.control)
        counts.bound, counts.weight, counts.cut = -math.inf, self.weight, math.inf
        counts.graph, counts.reopen, counts.prune_dead = not self.tree, self.reopen, self.prune_dead
        counts.backwards, counts.node_capacity = self.backwards, self.node_capacity
        counts.entry_capacity = self.entry_capacity
        self.table.begin(counts)
        grid = FIRST_BUCKETS if self.ties >= queues.HIGH_G else 1
        self.q = self._queue(FIRST_BUCKETS, grid) if self.whole else self._heap(self._queue(1, 1))

    @property
    def filled(self) -> int:
        """The bytes of its stores that it has used."""
        return 8 * (self.counts.nodes * self.stride + self.counts.serial * (1 if self.whole else 4))

    def _queue(self, rows: int, columns: int) -> Any:
        """An empty queue with buckets for ``rows`` values of f and ``columns`` of g."""
        number = np.int64 if self.whole else np.float64
        control = np.zeros(queues.CONTROL, dtype=np.int64)
        control[queues.TIES] = self.ties
        control[queues.F_COUNT], control[queues.G_COUNT] = rows, columns
        heap = np.zeros(3, dtype=np.int64)
        return queues.Queue(
            entries=self.entries,
            heads=np.zeros(rows * columns, dtype=np.uint32),
            tails=np.zeros(rows * columns, dtype=np.uint32),
            tops=np.full(rows, columns if self.ties == queues.LOW_G else -1, dtype=np.int64),
            aside=np.zeros(3 * max(self.bound.problem.max_moves, 1), dtype=number),
            control=control,
            heap=heap,
            numbers=heap.view(number),
        )

    def _heap(self, q: Any) -> Any:
        """The queue with its heap in use."""
        heap, room = reserve(self.control, 3, self.counts.entry_capacity)
        self.counts.entry_capacity = room
        q.control[queues.HEAPED] = 1
        return q._replace(heap=heap, numbers=heap.view(q.numbers.dtype))

    def arguments(self) -> tuple[Any, ...]:
        """What the kernel takes."""
        b = self.bound
        reals = self.nodes.view(np.float64)
        return (
            self.nodes, reals, self.table.slots, self.q, b.s, self.kids, b.out, self.spare, b.digest,
            self.counts.words, b.data, b.work, self.program,
        )  # fmt: skip

    def run(self) -> Found:
        """Search to the end."""
        self.control.start()
        return self.conclude(self.slices())

    def slices(self) -> int:
        """Search until it ends, a limit ends it or its turn is over; the last status."""
        return run_slices(self.control, self.counts, self.kernel, self._slice, self._attend)

    def conclude(self, status: int) -> Found:
        """What a search that ended with ``status`` has found."""
        counts, control = self.counts, self.control
        found = conclude(self.bound, counts, status)
        if found.pruned == "cut":
            found.pruned = self.cut_by
        found.bound = self.least
        if found.exhausted and self.counts.next_bound < math.inf:
            found.bound = self._number(max(self.counts.bound, self.counts.next_bound))
        found.largest = self.counts.largest_g
        if status == c.SOLVED:
            found.path = self._path(counts.goal)
            found.cost = self._number(self.counts.g)
            control.emit("goal", depth=len(found.path))
        return found

    @property
    def least(self) -> Any:
        """The bound on f so far."""
        return self._number(self.counts.bound)

    def _number(self, value: float) -> Any:
        if not math.isfinite(value):
            return None
        return int(value) if self.whole else float(value)

    def _slice(self) -> int:
        status = int(self.kernel(*self.arguments()))
        self.control.progress_value = self.least
        return status

    def _attend(self, status: int) -> bool:
        if status == c.GROW:
            return self.table.grow(self.counts.nodes)
        if status != c.REQUEUE:
            return False
        return self._make_room()

    def _path(self, node: int) -> list[int]:
        words = self.bound.words

        def parent(node: int) -> int | None:
            return int(self.nodes[node * self.stride + words]) & 0xFFFFFFFF if node else None

        steps, bit = (words - 1, 32) if self.shared else (words + 1, 0)
        moves = [(int(self.nodes[at * self.stride + steps]) >> bit) & 0xFFFF for at in upwards(node, parent)]
        return moves[-2::-1]

    def _make_room(self) -> bool:
        """Widen the buckets to take what was set aside, or take the heap into use if they would be too many.

        False if the heap has no room for what it would have to take over.
        """
        q = self.q
        count = int(q.control[queues.ASIDE])
        aside = q.aside[: 3 * count].reshape(count, 3)
        old_f0, old_rows = int(q.control[queues.F0]), int(q.control[queues.F_COUNT])
        old_g0, old_columns = int(q.control[queues.G0]), int(q.control[queues.G_COUNT])
        f0, rows = _widened(old_f0, old_rows, aside[:, 0])
        g0, columns = _widened(old_g0, old_columns, aside[:, 1]) if self.ties >= queues.HIGH_G else (old_g0, 1)
        if rows > MOST_F or rows * columns > MOST_BUCKETS:
            self.q = self._heap(q)
            return self.counts.serial <= self.counts.entry_capacity
        wider = self._queue(rows, columns)
        down, right = old_f0 - f0, old_g0 - g0
        for name in ("heads", "tails"):
            grid = getattr(wider, name).reshape(rows, columns)
            grid[down : down + old_rows, right : right + old_columns] = getattr(q, name).reshape(old_rows, old_columns)
        in_use = (q.tops >= 0) & (q.tops < old_columns)
        wider.tops[down : down + old_rows][in_use] = q.tops[in_use] + right
        wider.control[:] = q.control
        wider.control[queues.F0], wider.control[queues.F_COUNT] = f0, rows
        wider.control[queues.G0], wider.control[queues.G_COUNT] = g0, columns
        wider.control[queues.CURRENT] += down
        wider.aside[:] = q.aside
        self.q = wider
        return True


def _widened(first: int, count: int, values: Any) -> tuple[int, int]:
    """A range from ``first`` that takes all values as well, with room to spare on the side where it grew."""
    low, high = int(values.min()), int(values.max())
    end = first + count
    if high >= end:
        end = max(high + 1, first + 2 * count)
    if low < first:
        first = min(low, end - 2 * (end - first))
    return first, end - first
