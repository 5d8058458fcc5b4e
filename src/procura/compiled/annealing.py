"""Simulated annealing, compiled."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.engine import BoundProblem, run_slices
from procura.compiled.templates import annealing as template, counts as c
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream
from procura.search.annealing import MEASURED_STATES, Schedule


def annealing(
    problem: ArrayProblem,
    control: Control,
    seed: int,
    *,
    temperature: float | None = None,
    moves: int = 2000,
    cooling: float = 0.95,
    patience: int = 20,
    reheat: float = 0.0,
    restarts: int | None = None,
) -> Found:
    """As ``search.annealing``."""
    bound = BoundProblem(problem, control)
    names = ("randomise", "propose", "change", "revert", "energy")
    bound.bindings |= {name: problem.required(name) for name in names}
    best, _ = bound.new_row()
    rng = np.zeros(1, dtype=np.uint64)
    counts = np.zeros(c.COUNTERS, dtype=np.int64)
    reals = np.zeros(template.REALS)
    s, data, work = bound.s, bound.data, bound.work
    measure = bound.compile(template.measure, s, rng, data, work, 0)
    restart = bound.compile(template.restart, s, rng, reals, data, work)
    run = bound.compile(template.run, s, best, rng, counts, reals, data, work)
    control.start()
    if temperature is None:
        rng[0] = stream(seed, 0)
        temperature = float(measure(s, rng, data, work, MEASURED_STATES))
    schedule = Schedule(temperature, cooling, patience, reheat)
    counts[template.ROUND_MOVES] = moves
    reals[template.BEST] = found_cost = math.inf
    attempt = 0

    def attend(status: int) -> bool:
        """After a round: the next temperature, a new start, or the end."""
        nonlocal attempt, found_cost
        if reals[template.BEST] < found_cost:
            found_cost = float(reals[template.BEST])
            control.progress_value = found_cost
            control.emit("improve", value=found_cost, state=tuple(int(v) for v in best))
        if status != template.ROUND:
            return False
        counts[template.IN_ROUND] = 0
        if not schedule.end_round(float(reals[template.ATTEMPT_BEST])):
            reals[template.TEMPERATURE] = schedule.temperature
            return True
        if restarts is not None and attempt >= restarts:
            return False
        attempt += 1
        begin()
        return True

    def begin() -> None:
        rng[0] = stream(seed, 1 + attempt)
        restart(s, rng, reals, data, work)
        schedule.begin_attempt()
        reals[template.TEMPERATURE] = schedule.temperature
        reals[template.ATTEMPT_BEST] = math.inf

    begin()
    run_slices(control, counts, lambda: int(run(s, best, rng, counts, reals, data, work)), attend, c.GENERATED)
    return Found(cost=float(reals[template.BEST]), state=tuple(int(v) for v in best))
