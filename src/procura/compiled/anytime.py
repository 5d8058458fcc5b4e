"""Anytime search, compiled: the beams and the proof are the compiled ones, their turns those of ``search.anytime``."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from procura.compiled import astar, beam, idastar
from procura.compiled.engine import conclude
from procura.compiled.templates import counts as c
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.search import anytime as shared
from procura.search.anytime import take_turns as take_turns
from procura.search.node import deepest_f

_known: set[tuple[Any, ...]] = set()
"""(kernel of the proof, what those of the beams depend on beside) of which all kernels are there."""


def anytime(
    problem: ArrayProblem,
    control: Control,
    h: BoundHeuristic,
    *,
    prove: str,
    guide: str | None,
    share: float,
    width: int,
) -> Found:
    """As ``search.anytime``."""
    answers = Answers(problem, control, shared.guide_of(problem, h, guide), width)
    prover = _Prover(problem, control, h, prove, answers.found)
    kernels = prover.search.kernel, answers.guide.text, answers.guide.admissible, problem.costs
    if kernels not in _known:
        answers.prepare()
        _known.add(kernels)
    control.start()
    return take_turns(problem, control, h, prover, answers, {"prove": prove, "share": share})


def _go_on(control: Control, search: astar.Search | idastar.Deepening | beam.Sweeps) -> int:
    """Let a search go on from what both have counted so far; its last status."""
    stats, counts, bound = control.stats, search.counts, search.bound
    counts.expanded, counts.generated = stats.expanded, stats.generated
    counts.max_frontier, counts.depth = stats.max_frontier, stats.depth
    bound.digest[0] = stats.digest or 0
    bound.program.largest[0] = bound.h.largest
    return search.slices()


class _Prover:
    """A* or IDA*, which leaves out what cannot beat the best answer."""

    def __init__(self, problem: ArrayProblem, control: Control, h: BoundHeuristic, prove: str, best: Found) -> None:
        self.control, self.best, self.found = control, best, Found()
        self.search: astar.Search | idastar.Deepening
        if prove == "idastar":
            self.search = idastar.Deepening(problem, control, h)
        else:
            self.search = astar.Search(problem, control, h, False, "lifo", True, 1.0, False)
            self.search.counts.cut, self.search.cut_by = deepest_f(problem, control, h), "depth"

    def go_on(self) -> bool:
        """Search until the turn is over; whether the search is."""
        if self.best.cost is not None:
            self.search.counts.rival = self.best.cost
        status = _go_on(self.control, self.search)
        so_far = self.search.conclude(status)
        for field in fields(Found):
            setattr(self.found, field.name, getattr(so_far, field.name))
        return status != c.RUNNING or self.control.stopped_by is not None


class Answers:
    """Beams, one after the other; their stores are made when the first begins, for most boards are easy."""

    def __init__(self, problem: ArrayProblem, control: Control, guide: BoundHeuristic, width: int) -> None:
        self.problem, self.control, self.guide, self.width = problem, control, guide, width
        self.found = Found()
        self.sweeps: _Sweeps | None = None

    def prepare(self) -> _Sweeps:
        """The beams, with their kernels."""
        sweeps = _Sweeps(self.problem, self.control, self.guide, self.width, "f", "lifo", True)
        sweeps.found, sweeps.levels = self.found, shared.FIRST_LEVELS
        sweeps.begin(float(self.guide(self.problem.initial)))
        self.sweeps = sweeps
        return sweeps

    def go_on(self) -> bool:
        """Search until the turn is over; whether the search is."""
        sweeps = self.sweeps or self.prepare()
        status = _go_on(self.control, sweeps)
        self.found.largest = sweeps.counts.largest_g
        conclude(sweeps.bound, sweeps.counts, status)
        return status != c.RUNNING or self.control.stopped_by is not None


class _Sweeps(beam.Sweeps):
    """Sweeps that grow until there is nothing left to look for; who takes turns reports what they find."""

    levels: int

    def report(self, length: int) -> None:
        pass

    def following(self) -> bool:
        wider = shared.next_beam(self.width, self.levels, True, self.dropped)
        if wider is not None:
            self.width, self.levels = wider
            self.begin(self.root_h)
        return wider is not None
