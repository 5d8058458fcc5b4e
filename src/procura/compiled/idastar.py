"""Iterative-deepening A*, compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem, conclude, new_counts, run_slices
from procura.compiled.templates import counts as c, idastar as template
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.search.idastar import rounds_up

FIRST_DEPTH = 256


def idastar(problem: ArrayProblem, control: Control, h: BoundHeuristic) -> Found:
    """As ``search.idastar``."""
    bound = BoundProblem(problem, control)
    whole = problem.integer_costs and h.integer
    bindings, program = bound.heuristic(h)
    bindings["EARLY"] = whole and bindings["STEP"] and problem.costs == "unit"
    bound.bindings |= bindings | {"INTEGER": whole, "ROUND_UP": rounds_up(problem, h)}
    bound.bindings |= {"INVERSE": problem.inverse is not None}
    if problem.inverse is not None:
        bound.bindings["inverse"] = problem.inverse
    counts = new_counts(control)
    reals = np.zeros(c.REALS)
    number = np.int64 if whole else np.float64
    path = _Path(bound, number)
    counts[c.ENTRY_CAPACITY] = path.depths
    counts[c.MOST_MOVES] = problem.max_moves
    rest = (bound.digest, counts, reals, bound.data, bound.work, program)
    run = bound.compile(template.run, *path.arguments(), *rest)
    control.start()

    def begin() -> None:
        path.words[: bound.row_words] = bound.s_words
        counts[c.HEAD] = -1
        reals[c.NEXT_BOUND] = math.inf

    def note_bound() -> None:
        control.progress_value = _number(reals[c.BOUND], whole)
        control.emit("bound", value=control.progress_value)

    def one_slice() -> int:
        first = reals[c.BOUND] == -math.inf
        status = int(run(*path.arguments(), *rest))
        if first:
            note_bound()
        return status

    def attend(status: int) -> bool:
        """At the end of an iteration the next one, with a higher bound; a longer path when it is full."""
        if status == c.EXHAUSTED and reals[c.NEXT_BOUND] < math.inf and not _beyond(reals, whole):
            reals[c.BOUND] = reals[c.NEXT_BOUND]
            note_bound()
            begin()
            return True
        if status == c.FULL and control.memory_allows(path.bytes()):
            path.double()
            counts[c.ENTRY_CAPACITY] = path.depths
            return True
        return False

    reals[c.BOUND] = -math.inf
    begin()
    status = run_slices(control, counts, one_slice, attend)
    too_large = status == c.EXHAUSTED and _beyond(reals, whole)
    found = conclude(bound, counts, c.LARGE if too_large else status)
    found.bound = _number(reals[c.BOUND], whole)
    if status == c.SOLVED:
        found.path = path.actions(int(counts[c.GOAL]))
        found.cost = _number(reals[c.G], whole)
        control.emit("goal", depth=len(found.path))
    return found


def _beyond(reals: Any, whole: bool) -> bool:
    """Whether the next bound is too large for exact arithmetic."""
    return bool(whole and c.LARGEST_COST < reals[c.NEXT_BOUND] < math.inf)


def _number(value: Any, whole: bool) -> Any:
    if not math.isfinite(value):
        return None
    return int(value) if whole else float(value)


class _Path:
    """The arrays of the path at hand, one record for each depth; the first row is the initial state."""

    def __init__(self, bound: BoundProblem, number: Any) -> None:
        self.dtype = bound.problem.dtype
        self.depths = FIRST_DEPTH
        self.most_moves = bound.problem.max_moves
        self.words = np.zeros(self.depths * bound.row_words, dtype=np.int64)
        self.words[: bound.row_words] = bound.s_words
        self.levels = np.zeros(self.depths * template.LEVEL, dtype=np.int64)
        self.lists = np.zeros(self.depths * self.most_moves, dtype=np.int64)
        self.gs = np.zeros(self.depths, dtype=number)
        self.hs = np.zeros(self.depths, dtype=number)

    def arguments(self) -> tuple[Any, ...]:
        """The arrays as the kernel takes them."""
        return self.words.view(self.dtype), self.words, self.levels, self.lists, self.gs, self.hs

    def bytes(self) -> int:
        """What doubling takes."""
        return self.words.nbytes + self.levels.nbytes + self.lists.nbytes + self.gs.nbytes + self.hs.nbytes

    def double(self) -> None:
        """Room for twice as many depths."""
        self.depths *= 2
        for name in ("words", "levels", "lists", "gs", "hs"):
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)]))

    def actions(self, length: int) -> list[int]:
        """The first ``length`` moves of the path: the last one tried at each depth."""
        done = [int(self.levels[depth * template.LEVEL + template.DONE]) for depth in range(length)]
        return [int(self.lists[depth * self.most_moves + done[depth] - 1]) for depth in range(length)]
