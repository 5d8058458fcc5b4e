"""Simulated annealing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from procura.algorithm import Algorithm, Option, Options, Order
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream, uniform

MEASURED_STATES = 200
COLD = 0.1
COLDEST = 1e-9


@dataclass
class Schedule:
    """The temperature from round to round, and when to start anew; both engines follow this one.

    A round is some moves at one temperature. By the rule ``best`` it is stuck if it gave no new best state of this
    attempt, but only once the temperature is low (a tenth of the first) or if it never changes; after ``patience``
    stuck rounds it is heated once. By the rule ``round`` it is stuck if it ended no lower than the one before, at any
    temperature; from ``patience`` stuck rounds on it is heated in every round until one ends lower.
    """

    first: float
    cooling: float
    patience: int
    reheat: float
    rule: str = "best"
    temperature: float = field(init=False, default=COLDEST)
    stuck: int = field(init=False, default=0)
    mark: float = field(init=False, default=math.inf)
    """The energy that the next round has to get below."""

    def begin_attempt(self, energy: float) -> None:
        """Back to the first temperature, from a state of that energy."""
        self.temperature = max(self.first, COLDEST)
        self.stuck = 0
        self.mark = energy if self.rule == "round" else math.inf

    def end_round(self, best: float, last: float) -> bool:
        """Set the temperature of the next round; whether this attempt is to be given up.

        ``best`` is the least energy of the attempt, ``last`` that of the state at hand.
        """
        by_round = self.rule == "round"
        energy = last if by_round else best
        if energy < self.mark:
            self.stuck = 0
        elif by_round or self.cooling == 1 or self.temperature <= COLD * self.first:
            self.stuck += 1
        self.mark = energy
        heat = self.stuck >= self.patience
        if heat and not self.reheat:
            return True
        if heat:
            self.temperature += self.reheat
        if heat and not by_round:
            self.stuck = 0
        else:
            self.temperature = max(self.temperature * self.cooling, COLDEST)
        return False


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
    """Random moves, taken if they lower the energy and with probability exp(-difference/temperature) if not.

    Requires: randomise, propose, change, revert, energy (kernels of the problem's local view).
    Ends at energy 0, or when ``restarts`` new starts have got stuck; None starts anew for ever.
    """
    data, work = problem.lists, problem.work()
    randomise, energy = problem.required("randomise"), problem.required("energy")
    propose, (weigh, take, drop) = problem.required("propose"), trial(problem)
    s = problem.row(problem.initial)
    if temperature is None:
        rng = [stream(seed, 0)]
        total = squares = 0.0
        for _ in range(MEASURED_STATES):
            randomise(s, data, work, rng)
            e = float(energy(s, data, work))
            total += e
            squares += e * e
        mean = total / MEASURED_STATES
        temperature = math.sqrt(max(squares / MEASURED_STATES - mean * mean, 0.0))
    schedule = Schedule(temperature, cooling, patience, reheat, stuck)
    found = Found(cost=math.inf)
    attempt = 0
    while True:
        rng = [stream(seed, 1 + attempt)]
        randomise(s, data, work, rng)
        current = float(energy(s, data, work))
        attempt_best = math.inf
        schedule.begin_attempt(current)
        in_round = 0
        _tell(control, schedule, attempt, current, s)
        while True:
            attempt_best = min(attempt_best, current)
            if current < found.cost:
                found.cost, found.state = current, tuple(s)
                control.progress_value = current
                control.emit("improve", value=current, state=found.state)
            if current <= 0:
                return found
            if in_round >= moves:
                in_round = 0
                if schedule.end_round(attempt_best, current):
                    break
                _tell(control, schedule, attempt, current, s)
                continue
            if stop_local(control):
                return found
            move = propose(s, data, work, rng)
            difference = float(weigh(s, data, work, move))
            control.stats.generated += 1
            in_round += 1
            if difference <= 0 or uniform(rng) < math.exp(-difference / schedule.temperature):
                take(s, data, work, move)
                current += difference
                control.stats.expanded += 1
            else:
                drop(s, data, work, move)
        if restarts is not None and attempt >= restarts:
            return found
        attempt += 1


def trial(problem: ArrayProblem) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """How a move is tried: kernels that tell its difference, then make it, or leave the state as it was.

    Where there is no ``preview`` it is made to see its difference, and taken back if it is not wanted.
    """
    change, revert = problem.required("change"), problem.required("revert")
    return (change, _nothing, revert) if problem.preview is None else (problem.preview, change, _nothing)


def _nothing(s: Any, data: Any, work: Any, move: int) -> None:
    """All is as it should be."""


def _tell(control: Control, schedule: Schedule, attempt: int, energy: float, row: Any) -> None:
    """Report a round that begins."""
    if control.follows_rounds:
        figures = {"temperature": schedule.temperature, "attempt": attempt + 1}
        control.emit("round", value=energy, state=tuple(row), figures=figures)


def stop_local(control: Control, every: int = 256) -> Any:
    """For interpreted local search, before each candidate: whether a limit ends the run; the clock is read at times."""
    if control.limits.nodes is not None and control.stats.generated >= control.limits.nodes:
        control.stopped_by = "nodes"
        return True
    return control.stats.generated % every == 0 and control.stop()


def by_energy(options: Options) -> Order:
    """How any local search is watched: by the energy of the state at hand."""
    return Order("energy")


ANNEALING = Algorithm(
    name="annealing",
    about="simulated annealing: random changes, bad ones taken less and less often",
    requires="whole states to improve: randomise, propose, change, revert, energy",
    guarantees="none; finds energy 0 or goes on until a limit",
    python=annealing,
    compiled="procura.compiled.annealing:annealing",
    options=(
        Option("temperature", "float", None, "the first temperature; none: measured", low=1e-9),
        Option("moves", "int", 2000, "moves at each temperature", low=1),
        Option("cooling", "float", 0.95, "temperature of a round over that of the last", low=1e-9, high=1),
        Option("patience", "int", 20, "stuck rounds that end an attempt", low=1),
        Option("stuck", "choice", "best", "no new best when cold, or not below last round", ("best", "round")),
        Option("reheat", "float", 0.0, "instead of ending an attempt, add this to the temperature", low=0),
        Option("restarts", "int", None, "new starts before it gives up; none: no end", low=0),
    ),
    local=True,
    remedy=lambda options: "another seed, or more restarts",
    order=by_energy,
    progress="energy",
)
