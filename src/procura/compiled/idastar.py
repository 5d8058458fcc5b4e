"""Iterative-deepening A*, compiled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.templates import counts as c, idastar as template
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.search.idastar import rounds_up
from procura.search.node import deepest_f

FIRST_DEPTH = 256
SERIAL_SECONDS = 0.05
"""What a search on several threads does on one first: most boards need no more."""
_SPLIT = -1


def idastar(problem: ArrayProblem, control: Control, h: BoundHeuristic, *, jobs: int = 1) -> Found:
    """As ``search.idastar``; with several ``jobs``, long searches go on in ``subtrees``."""
    bound = BoundProblem(problem, control)
    whole = problem.integer_costs and h.integer
    bindings, program = bound.heuristic(h)
    bindings["EARLY"] = whole and bindings["STEP"] and problem.costs == "unit"
    bound.bindings |= bindings | {"INTEGER": whole, "ROUND_UP": rounds_up(problem, h)}
    bound.bindings |= {"INVERSE": problem.inverse is not None}
    if problem.inverse is not None:
        bound.bindings["inverse"] = problem.inverse
    search = Search(bound, program, whole, bound.digest, bound.work)
    search.kernel = bound.compile(template.run, *search.arguments())
    counts, reals = search.counts, search.reals
    control.start()

    def note_bound() -> None:
        control.progress_value = number(reals[c.BOUND], whole)
        control.emit("bound", value=control.progress_value)

    def one_slice() -> int:
        first = reals[c.BOUND] == -math.inf
        status = search.slice()
        if first:
            note_bound()
        return _SPLIT if jobs > 1 and status == c.RUNNING and control.seconds >= SERIAL_SECONDS else status

    def attend(status: int) -> bool:
        """At the end of an iteration the next one, with a higher bound; a longer path when it is full."""
        rises = reals[c.NEXT_BOUND] < math.inf and reals[c.NEXT_BOUND] <= deepest
        if status == c.EXHAUSTED and rises and not beyond(reals[c.NEXT_BOUND], whole):
            reals[c.BOUND] = reals[c.NEXT_BOUND]
            note_bound()
            search.begin(bound.s_words)
            return True
        return status == c.FULL and search.lengthen()

    deepest = deepest_f(problem, control, h)
    reals[c.BOUND] = -math.inf
    search.begin(bound.s_words)
    status = run_slices(control, counts, one_slice, attend)
    if status == _SPLIT and math.isfinite(reals[c.BOUND]):
        from procura.compiled.subtrees import search_subtrees

        return search_subtrees(search, h, jobs)
    too_deep = status == c.EXHAUSTED and deepest < reals[c.NEXT_BOUND] < math.inf
    too_large = status == c.EXHAUSTED and not too_deep and beyond(reals[c.NEXT_BOUND], whole)
    found = conclude(bound, counts, c.LARGE if too_large else status)
    found.pruned = "depth" if too_deep else found.pruned
    found.bound = number(reals[c.BOUND], whole)
    if status == c.SOLVED:
        found.path = search.actions()
        found.cost = number(reals[c.G], whole)
        control.emit("goal", depth=len(found.path))
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

    kernel: Callable[..., int]

    def __init__(self, bound: BoundProblem, program: Any, whole: bool, digest: Any, work: Any) -> None:
        self.bound, self.program, self.whole = bound, program, whole
        self.counts = new_counts(bound.control)
        self.reals = np.zeros(c.REALS)
        self.most_moves = bound.problem.max_moves
        self.depths = FIRST_DEPTH
        kind = np.int64 if whole else np.float64
        self.words = np.zeros(self.depths * bound.row_words, dtype=np.int64)
        self.levels = np.zeros(self.depths * template.LEVEL, dtype=np.int64)
        self.lists = np.zeros(self.depths * self.most_moves, dtype=np.int64)
        self.gs = np.zeros(self.depths, dtype=kind)
        self.hs = np.zeros(self.depths, dtype=kind)
        self.counts[c.ENTRY_CAPACITY] = self.depths
        self.counts[c.MOST_MOVES] = self.most_moves
        self._rest = (digest, self.counts, self.reals, bound.data, work, program)

    def arguments(self) -> tuple[Any, ...]:
        """What the kernel takes."""
        rows = self.words.view(self.bound.problem.dtype)
        return rows, self.words, self.levels, self.lists, self.gs, self.hs, *self._rest

    def another(self) -> Search:
        """One more search of the same problem, with arrays of its own, to run beside this one."""
        program = self.program._replace(stack=np.zeros_like(self.program.stack))
        work, digest = np.zeros_like(self.bound.work), np.zeros_like(self.bound.digest)
        search = Search(self.bound, program, self.whole, digest, work)
        search.kernel = self.kernel
        return search

    def begin(self, words: Any, g: Any = 0, undo: int = -1) -> None:
        """Be about to search from a row, reached at cost ``g``; ``undo`` is the move that would only go back."""
        self.words[: self.bound.row_words] = words
        self.levels[template.UNDO] = undo
        self.gs[0] = g
        self.counts[c.HEAD] = -1
        self.reals[c.NEXT_BOUND] = math.inf

    def slice(self) -> int:
        """Search until something needs Python."""
        return int(self.kernel(*self.arguments()))

    def lengthen(self) -> bool:
        """Room for twice as many depths; False if memory does not allow it."""
        names = ("words", "levels", "lists", "gs", "hs")
        if not self.bound.control.memory_allows(sum(getattr(self, name).nbytes for name in names)):
            return False
        self.depths *= 2
        for name in names:
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)]))
        self.counts[c.ENTRY_CAPACITY] = self.depths
        return True

    def actions(self) -> list[int]:
        """The moves to the goal: the last one tried at each depth."""
        length = int(self.counts[c.GOAL])
        done = [int(self.levels[depth * template.LEVEL + template.DONE]) for depth in range(length)]
        return [int(self.lists[depth * self.most_moves + done[depth] - 1]) for depth in range(length)]
