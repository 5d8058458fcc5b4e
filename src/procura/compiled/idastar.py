"""Iterative-deepening A*, compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from procura.compiled.build import Specialised
from procura.compiled.engine import BoundProblem, conclude, exactness, new_counts, run_slices
from procura.compiled.reuse import search_of
from procura.compiled.templates import counts as c, idastar as template
from procura.compiled.templates.counts import Counters
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.search.idastar import rounds_up
from procura.search.node import deepest_f

FIRST_DEPTH = 256
SERIAL_SECONDS = 0.05
"""What a search on several threads does on one first: most boards need no more."""
_SPLIT = -1


def idastar(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, jobs: int) -> Found:
    """As ``search.idastar``; with several ``jobs``, long searches go on in ``subtrees``."""
    with search_of(Deepening, problem, control, h, jobs) as deepening:
        control.start()
        status = deepening.slices()
        if status == _SPLIT and math.isfinite(deepening.counts.bound):
            from procura.compiled.subtrees import search_subtrees

            return search_subtrees(deepening.search, h, jobs)
        return deepening.conclude(status)


class Deepening:
    """One iteration after the other, on one thread."""

    def __init__(self, problem: ArrayProblem, control: Control, h: BoundHeuristic, jobs: int = 1) -> None:
        self.jobs = jobs
        self.bound = bound = BoundProblem(problem, control)
        whole = problem.integer_costs and h.integer
        bindings, program = bound.heuristic(h)
        bindings["STEP"] = bindings["STEP"] and (whole or h.single is None)
        bindings["EARLY"] = bindings["STEP"] and problem.costs == "unit"
        bound.bindings |= bindings | exactness(whole)
        bound.bindings |= {"ROUND_UP": rounds_up(problem, h), "INVERSE": problem.inverse is not None}
        if problem.inverse is not None:
            bound.bindings["inverse"] = problem.inverse
        self.search = search = Search(bound, program, whole, bound.digest, bound.work)
        self.begin()
        self.kernel = search.kernel = bound.compile(template.run, *search.arguments())

    def begin(self) -> None:
        """Forget what was searched, and be about to search the problem that ``bound`` serves now."""
        self.control = self.bound.control
        self.counts = self.search.new_counts()
        self.counts.bound = -math.inf
        self.deepest = deepest_f(self.bound.problem, self.control, self.bound.h)
        self.search.begin(self.bound.s_words)

    @property
    def filled(self) -> int:
        """The bytes of the arrays of its path."""
        return int(self.search.words.nbytes + self.search.levels.nbytes)

    @property
    def least(self) -> Any:
        """The bound on f so far."""
        return number(self.counts.bound, self.search.whole)

    def slices(self) -> int:
        """Search until it ends, a limit ends it or its turn is over; the last status."""
        return run_slices(self.control, self.counts, self.kernel, self._slice, self._attend)

    def _note_bound(self) -> None:
        self.control.progress_value = self.least
        self.control.emit("bound", value=self.least)

    def _slice(self) -> int:
        first = self.counts.bound == -math.inf
        status = self.search.slice()
        if first and math.isfinite(self.counts.bound):
            self._note_bound()
        split = self.jobs > 1 and status == c.RUNNING and self.control.seconds >= SERIAL_SECONDS
        return _SPLIT if split else status

    def _attend(self, status: int) -> bool:
        """At the end of an iteration the next one, with a higher bound; a longer path when it is full."""
        counts, search = self.counts, self.search
        rises = counts.next_bound < counts.rival and counts.next_bound <= self.deepest
        if status == c.EXHAUSTED and rises and not beyond(counts.next_bound, search.whole):
            counts.bound = counts.next_bound
            self._note_bound()
            search.begin(self.bound.s_words)
            return True
        return status == c.FULL and search.lengthen()

    def conclude(self, status: int) -> Found:
        """What a search that ended with ``status`` has found."""
        bound, counts, search = self.bound, self.counts, self.search
        next_bound, rival = counts.next_bound, counts.rival
        left_out = status == c.EXHAUSTED and next_bound < math.inf
        too_deep = left_out and self.deepest < next_bound < rival
        too_large = left_out and next_bound < rival and not too_deep and beyond(next_bound, search.whole)
        if status == c.INVALID:
            bound.s[:] = search.row()
        found = conclude(bound, self.counts, c.LARGE if too_large else status)
        found.pruned = "depth" if too_deep else found.pruned
        found.bound = number(next_bound, search.whole) if left_out and next_bound >= rival else self.least
        found.largest = counts.largest_g
        if status == c.SOLVED:
            found.path = search.actions()
            found.cost = number(counts.g, search.whole)
            self.control.emit("goal", depth=len(found.path))
        return found


def beyond(bound: float, whole: bool) -> bool:
    """Whether the next bound is too large for exact arithmetic."""
    return bool(whole and c.LARGEST_COST < bound < math.inf)


def number(value: Any, whole: bool) -> Any:
    """A number of the kernel as Python shows it; None if it is infinite."""
    if not math.isfinite(value):
        return None
    return int(value) if whole else float(value)


class Search:
    """A depth-first search under way: its counters, and the arrays of its path, one record for each depth."""

    kernel: Specialised

    def __init__(self, bound: BoundProblem, program: Any, whole: bool, digest: Any, work: Any) -> None:
        self.bound, self.whole, self.digest, self.work = bound, whole, digest, work
        self.most_moves = bound.problem.max_moves
        self.depths = FIRST_DEPTH
        self.words = np.zeros(self.depths * bound.row_words, dtype=np.int64)
        self.stride = template.MOVES + self.most_moves
        self.levels = np.zeros(self.depths * self.stride, dtype=np.int64)
        self.parts_a_depth = len(program.parts) // 2
        self.program = program._replace(parts=np.zeros(self.parts_a_depth * self.depths, dtype=program.parts.dtype))
        self.new_counts()

    def new_counts(self) -> Counters:
        """Its counters, as new."""
        self.counts = new_counts(self.bound.control)
        self.counts.entry_capacity, self.counts.most_moves = self.depths, self.most_moves
        return self.counts

    def arguments(self) -> tuple[Any, ...]:
        """What the kernel takes."""
        rows = self.words.view(self.bound.dtype)
        gs, hs = self._numbers(template.G_AT), self._numbers(template.H_AT)
        rest = self.digest, self.counts.words, self.bound.data, self.work, self.program
        return rows, self.words, self.levels, gs, hs, *rest

    def _numbers(self, field: int) -> Any:
        """The records from a field of the first on, to read costs or estimates."""
        return (self.levels if self.whole else self.levels.view(np.float64))[field:]

    def another(self) -> Search:
        """One more search of the same problem, with arrays of its own, to run beside this one."""
        own = {name: np.zeros_like(getattr(self.program, name)) for name in ("stack", "largest")}
        program = self.bound.program._replace(**own)
        work, digest = np.zeros_like(self.bound.work), np.zeros_like(self.bound.digest)
        search = Search(self.bound, program, self.whole, digest, work)
        search.kernel = self.kernel
        return search

    def begin(self, words: Any, g: Any = 0, undo: int = -1) -> None:
        """Be about to search from a row, reached at cost ``g``; ``undo`` is the move that would only go back."""
        self.words[: self.bound.row_words] = words
        self.levels[template.UNDO] = undo
        self._numbers(template.G_AT)[0] = g
        self.counts.head = -1
        self.counts.next_bound = math.inf

    def row(self) -> Any:
        """The row at the end of the path."""
        depth = 0 if self.bound.problem.inverse is not None else max(self.counts.head, 0)
        rows, start = self.arguments()[0], depth * self.bound.bindings["ROW_SIZE"]
        return rows[start : start + self.bound.problem.size]

    def slice(self) -> int:
        """Search until something needs Python."""
        return int(self.kernel(*self.arguments()))

    def lengthen(self) -> bool:
        """Room for twice as many depths; False if memory does not allow it."""
        names = ("words", "levels")
        if not self.bound.control.memory_allows(sum(getattr(self, name).nbytes for name in names)):
            return False
        self.depths *= 2
        for name in names:
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)]))
        parts = self.program.parts
        self.program = self.program._replace(parts=np.concatenate([parts, np.zeros_like(parts)]))
        self.counts.entry_capacity = self.depths
        return True

    def actions(self) -> list[int]:
        """The moves to the goal: the last one tried at each depth."""
        length = self.counts.goal
        records = [depth * self.stride for depth in range(length)]
        done = [int(self.levels[at + template.DONE]) for at in records]
        return [int(self.levels[at + template.MOVES + count - 1]) for at, count in zip(records, done, strict=True)]
