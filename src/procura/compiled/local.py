"""A local search made ready: a row that changes in place, the best one seen, and attempts that start anew."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem
from procura.compiled.templates import local as template
from procura.compiled.templates.counts import Counters
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream
from procura.search.annealing import trial

KERNELS = ("randomise", "propose", "change", "revert", "energy")


class Climb:
    """The buffers of one run over the local view of a problem."""

    def __init__(self, problem: ArrayProblem, control: Control, seed: int) -> None:
        self.control, self.seed = control, seed
        self.bound = bound = BoundProblem(problem, control)
        names = KERNELS if problem.preview is None else (*KERNELS, "preview")
        bound.bindings |= {name: problem.required(name) for name in names}
        bound.bindings |= zip(("weigh", "take", "drop"), trial(problem), strict=True)
        self.s, self.data, self.work = bound.s, bound.data, bound.work
        self.best, _ = bound.new_row()
        self.rng = np.zeros(1, dtype=np.uint64)
        self.counts = Counters()
        self.counts.energy = self.counts.best = self.counts.attempt_best = math.inf
        self._restart = bound.compile(template.restart, self.s, self.rng, self.counts.words, self.data, self.work)
        self._told = math.inf

    def begin(self, attempt: int) -> None:
        """A new random state from the attempt's own stream."""
        self.rng[0] = stream(self.seed, 1 + attempt)
        self._restart(self.s, self.rng, self.counts.words, self.data, self.work)

    def tell(self) -> None:
        """Report the best state if it is a new one."""
        if self.counts.best < self._told:
            self.control.progress_value = self._told = self.counts.best
            if self.control.on_event is not None:
                self.control.emit("improve", value=self._told, state=self._state())

    def found(self) -> Found:
        """The best state seen."""
        return Found(cost=self.counts.best, state=self._state())

    def _state(self) -> tuple[Any, ...]:
        return tuple(self.best.tolist())
