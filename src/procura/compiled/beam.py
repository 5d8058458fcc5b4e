"""Beam search, compiled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from procura.compiled.engine import CEILING, BoundProblem, conclude, exactness, new_counts, run_slices
from procura.compiled.stores import Table, reserve
from procura.compiled.templates import beam as template, counts as c
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, ArrayProblem
from procura.search.beam import best_bound, is_proved, rest_bound

KEPT_AT_ONCE = 1 << 16


def beam(
    problem: ArrayProblem,
    control: Control,
    h: BoundHeuristic,
    *,
    width: int,
    order: str,
    ties: str,
    widen: bool,
) -> Found:
    """As ``search.beam``."""
    sweeps = Sweeps(problem, control, h, width, order, ties, widen)
    control.start()
    control.stats.stored = 1
    if problem.is_goal(problem.initial):
        control.emit("goal", depth=0)
        if problem.costs != "any":
            return Found(path=[], cost=0, bound=0, exhausted=True)
        sweeps.found.path, sweeps.found.cost, sweeps.counts.g = [], 0, 0.0
    control.progress_value = width
    control.emit("bound", value=width)
    sweeps.begin(float(h(problem.initial)))
    return sweeps.search()


class Sweeps:
    """The stores and kernels of one run, and its best solution so far."""

    def __init__(
        self, problem: ArrayProblem, control: Control, h: BoundHeuristic, width: int, order: str, ties: str, widen: bool
    ) -> None:
        self.h, self.control, self.width, self.order, self.ties, self.widen = h, control, width, order, ties, widen
        self.bound = bound = BoundProblem(problem, control)
        self.whole = problem.integer_costs and h.integer
        self.counts_h, self.rest = rest_bound(problem, h)
        self.stride = bound.words + template.FIELDS
        bindings, program = bound.heuristic(h)
        bindings["STEP"] = bindings["STEP"] and (self.whole or h.single is None)
        bound.bindings |= bindings | exactness(self.whole) | {"LARGEST": c.EXACT - CEILING}
        bound.bindings |= {
            "STRIDE": self.stride, "COUNT_H": self.counts_h, "UNIT": problem.costs == "unit",
            "GOALS_LEAD_ON": problem.costs == "any",
        }  # fmt: skip
        self.counts = new_counts(control)
        self.counts.g, self.counts.rest = math.inf, self.rest
        self.kept, self.node_capacity = reserve(control, self.stride)
        self.made, self.counts.entry_capacity = reserve(control, self.stride)
        self.node_table = Table(bound, new_counts(control), self.kept)
        self.candidate_table = Table(bound, new_counts(control), self.made)
        rows = template.Rows(bound.s, bound.s_words, *bound.new_row())
        self.rest_of_arguments = (
            rows, bound.out, bound.digest, self.counts.words, bound.data, bound.work, program,
        )  # fmt: skip
        self.first = bound.compile(template.first, bound.s, self._nodes())
        self.keep = bound.compile(template.keep, self._nodes(), 0, 0)
        self.run = bound.compile(template.run, self._nodes(), self._candidates(), *self.rest_of_arguments)
        self.node_count = 0
        self.found = Found()
        self.dropped = False
        self.levels = math.inf
        """How deep a sweep goes at most."""

    def _nodes(self) -> Any:
        table = self.node_table
        return template.Store(self.kept, self.kept.view(np.float64), table.slots, table.counts.words)

    def _candidates(self) -> Any:
        table = self.candidate_table
        return template.Store(self.made, self.made.view(np.float64), table.slots, table.counts.words)

    def begin(self, root_h: float) -> None:
        """Start a sweep from the initial state."""
        counts = self.counts
        self.dropped, self.root_h = False, root_h
        counts.bound = math.inf
        counts.pruned_depth = counts.head = counts.level = counts.candidates = 0
        self.node_table.clear()
        self.candidate_table.clear()
        self.bound.s[:] = self.bound.problem.initial
        self.first(self.bound.s, self._nodes())
        fields = self.kept[self.bound.words : self.stride]
        fields[template.LINK] = fields[template.SERIES] = fields[template.COST] = 0
        (fields if self.whole else fields.view(np.float64))[template.ESTIMATE] = root_h
        self.keep(self._nodes(), 0, 1)
        self.node_count = 1
        counts.level_end = 1 if root_h < DEAD else 0
        if self.whole and CEILING <= abs(root_h) < DEAD:
            conclude(self.bound, counts, c.LARGE)
        counts.serial = counts.nodes = 1

    def search(self) -> Found:
        """Sweep until the answer stands or a limit ends the run."""
        found, status = self.found, self.slices()
        told = conclude(self.bound, self.counts, status)
        found.exhausted = status in (template.LEVEL_DONE, c.SOLVED) and self.control.stopped_by is None
        found.pruned = told.pruned or ("width" if self.dropped else None)
        if not found.exhausted:
            head, end = self.counts.head, self.counts.level_end
            waiting = (self._fields(self.kept, head, end), self._fields(self.made, 0, self.counts.candidates))
            self._note_bound(*(self._least(nodes) for nodes in waiting))
        found.bound = self._best_bound()
        found.largest = self.counts.largest_g
        return found

    def slices(self) -> int:
        """Search until it ends, a limit ends it or its turn is over; the last status."""
        return run_slices(self.control, self.counts, self.run, self._slice, self._attend)

    def _note_bound(self, *costs: Any) -> None:
        """No solution through what was left out costs less than these."""
        self.counts.bound = min([self.counts.bound, *(float(least.min()) for least in costs if least.size)])

    def _best_bound(self) -> Any:
        bound = best_bound(self.found, self.counts.bound)
        return int(bound) if self.whole and bound is not None else bound

    def _slice(self) -> int:
        best = self.counts.g
        status = int(self.run(self._nodes(), self._candidates(), *self.rest_of_arguments))
        if self.counts.g < best:
            self._note_solution()
        return status

    def _note_solution(self) -> None:
        moves, node = [self.counts.goal_move], self.counts.goal
        while node:
            link = int(self.kept[node * self.stride + self.bound.words + template.LINK])
            moves.append(link >> 32)
            node = link & 0xFFFFFFFF
        self.found.path = moves[::-1]
        self.found.cost = int(self.counts.g) if self.bound.problem.integer_costs else self.counts.g
        self.report(len(moves))

    def report(self, length: int) -> None:
        """Report a solution of so many steps."""
        self.control.emit("goal", depth=length, g=self.found.cost)

    def _attend(self, status: int) -> bool:
        """After a level the next one; after a sweep a wider one, if that is wanted and could be better."""
        if status == c.GROW:
            return self.candidate_table.grow(self.counts.candidates)
        if status not in (template.LEVEL_DONE, c.SOLVED):
            return False
        if status == template.LEVEL_DONE and self.counts.candidates:
            if not self._select():
                return False
            if self.counts.level < self.levels:
                return True
            self.dropped = True
        return self.following()

    def following(self) -> bool:
        """After a sweep: begin a wider one, if that is wanted and could be better."""
        if not self.widen or not self.dropped:
            return False
        self.found.bound = self._best_bound()
        self.found.largest = self.counts.largest_g
        self.bound.note_largest(self.bound.program)
        if is_proved(self.bound.problem, self.control, self.h, self.found):
            return False
        self.width *= 2
        self.control.progress_value = self.width
        self.control.emit("bound", value=self.width)
        self.begin(self.root_h)
        return True

    def _fields(self, words: Any, start: int, stop: int) -> Any:
        """Nodes ``start`` to ``stop`` of a store, one a line."""
        return words[start * self.stride : stop * self.stride].reshape(-1, self.stride)

    def _numbers(self, nodes: Any, field: int) -> Any:
        return (nodes if self.whole else nodes.view(np.float64))[:, self.bound.words + field]

    def _least(self, nodes: Any) -> Any:
        """The least cost of any solution through each of the nodes."""
        return self._numbers(nodes, template.COST) + (
            self._numbers(nodes, template.ESTIMATE) if self.counts_h else self.rest
        )

    def _select(self) -> bool:
        """Keep the best candidates as the next level; False if a limit ends the run instead."""
        counts, made = self.counts, self._fields(self.made, 0, self.counts.candidates)
        size = min(self.width, len(made))
        enough = self.control.memory_allows(8 * (6 * len(made) + size * self.stride))
        if not enough or self.node_count + size > self.node_capacity:
            self.control.stopped_by = "memory"
            return False
        while self.node_count + size > self.node_table.counts.table_capacity:
            if not self.node_table.grow(self.node_count):
                return False
        chosen = least_first(self._keys(made), size)
        if size < len(made):
            left = np.ones(len(made), dtype=bool)
            left[chosen] = False
            self.dropped = True
            self._note_bound(self._least(made)[left])
        start, stop = self.node_count, self.node_count + size
        for at in range(0, size, KEPT_AT_ONCE):
            some = chosen[at : at + KEPT_AT_ONCE]
            self._fields(self.kept, start + at, start + at + len(some))[:] = made[some]
            self.keep(self._nodes(), start + at, start + at + len(some))
            if self.control.stop():
                return False
        self.candidate_table.clear()
        self.node_count = stop
        counts.head, counts.level_end, counts.candidates, counts.nodes = start, stop, 0, stop
        counts.level += 1
        return True

    def _keys(self, made: Any) -> list[Any]:
        """What candidates are ordered by, the first first."""
        g, h = self._numbers(made, template.COST), self._numbers(made, template.ESTIMATE)
        serial = made[:, self.bound.words + template.SERIES]
        rank = g + h if self.order == "f" else h
        ties = {"lifo": [-serial], "fifo": [serial], "high_g": [-g, -serial], "low_g": [g, -serial]}
        return [rank, *ties[self.ties]]


def least_first(keys: Sequence[Any], count: int) -> Any:
    """The indexes of the ``count`` least entries in order, by the first key, then the next; the last is unique.

    >>> least_first([np.array([5, 1, 5, 1]), np.array([3, 2, 1, 0])], 3).tolist()
    [3, 1, 2]
    """
    pool = np.arange(len(keys[0]))
    taken = []
    wanted = count
    for key in keys:
        if wanted == len(pool):
            break
        values = key[pool]
        limit = np.partition(values, wanted - 1)[wanted - 1]
        taken.append(pool[values < limit])
        wanted -= len(taken[-1])
        pool = pool[values == limit]
    chosen = np.concatenate([*taken, pool])
    return chosen[np.lexsort([key[chosen] for key in reversed(keys)])]
