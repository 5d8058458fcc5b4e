"""Simulated annealing, compiled."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.engine import run_slices
from procura.compiled.local import Climb
from procura.compiled.templates import annealing as template
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream
from procura.search.annealing import MEASURED_STATES, Schedule


def annealing(
    problem: ArrayProblem,
    control: Control,
    seed: int,
    *,
    temperature: float | None,
    moves: int,
    cooling: float,
    patience: int,
    stuck: str,
    reheat: float,
    restarts: int | None,
) -> Found:
    """As ``search.annealing``."""
    climb = Climb(problem, control, seed)
    s, rng, data, work, counts = climb.s, climb.rng, climb.data, climb.work, climb.counts
    measure = climb.bound.compile(template.measure, s, rng, data, work, 0)
    arguments = (s, climb.best, rng, counts.words, np.zeros(template.SMALL), data, work)
    run = climb.bound.compile(template.run, *arguments)
    control.start()
    if temperature is None:
        rng[0] = stream(seed, 0)
        temperature = float(measure(s, rng, data, work, MEASURED_STATES))
    schedule = Schedule(temperature, cooling, patience, reheat, stuck)
    counts.round_moves = moves
    attempt = 0

    def one_slice() -> int:
        status = int(run(*arguments))
        climb.tell()
        return status

    def attend(status: int) -> bool:
        """After a round: the next temperature, a new start, or the end."""
        nonlocal attempt
        if status != template.ROUND:
            return False
        counts.in_round = 0
        if not schedule.end_round(counts.attempt_best, counts.energy):
            counts.temperature = schedule.temperature
            return True
        if restarts is not None and attempt >= restarts:
            return False
        attempt += 1
        begin()
        return True

    def begin() -> None:
        climb.begin(attempt)
        schedule.begin_attempt(counts.energy)
        counts.temperature = schedule.temperature
        counts.attempt_best = math.inf

    begin()
    run_slices(control, counts, run, one_slice, attend, "generated")
    return climb.found()
