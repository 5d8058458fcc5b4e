"""Hill climbing with restarts."""

from __future__ import annotations

import math
from typing import Any

from procura.algorithm import Algorithm, Option
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream
from procura.search.annealing import by_energy, stop_local, trial


def hill(
    problem: ArrayProblem,
    control: Control,
    seed: int,
    *,
    patience: int,
    sideways: bool,
    restarts: int | None,
) -> Found:
    """Random moves, taken if they lower the energy (``sideways``: or keep it); a new start when none helps any more.

    Requires: randomise, propose, change, revert, energy (kernels of the problem's local view).
    Ends at energy 0, or when ``restarts`` new starts have each seen ``patience`` moves without a lower energy; None
    starts anew for ever.
    """
    data, work = problem.lists, problem.work()
    randomise, energy = problem.required("randomise"), problem.required("energy")
    propose, (weigh, take, drop) = problem.required("propose"), trial(problem)
    s = problem.row(problem.initial)
    found = Found(cost=math.inf)
    attempt = 0
    while True:
        rng = [stream(seed, 1 + attempt)]
        randomise(s, data, work, rng)
        current = float(energy(s, data, work))
        waited = 0
        _tell(control, attempt, current, s)
        while True:
            if current < found.cost:
                found.cost, found.state = current, tuple(s)
                control.progress_value = current
                control.emit("improve", value=current, state=found.state)
            if current <= 0:
                return found
            if waited >= patience:
                break
            if stop_local(control):
                return found
            move = propose(s, data, work, rng)
            difference = float(weigh(s, data, work, move))
            control.stats.generated += 1
            waited += 1
            if difference < 0 or (sideways and difference == 0):
                take(s, data, work, move)
                current += difference
                control.stats.expanded += 1
                if difference < 0:
                    waited = 0
                    _tell(control, attempt, current, s)
            else:
                drop(s, data, work, move)
        if restarts is not None and attempt >= restarts:
            return found
        attempt += 1


def _tell(control: Control, attempt: int, energy: float, row: Any) -> None:
    """Report a start, or a step downwards."""
    if control.follows_rounds:
        control.emit("round", value=energy, state=tuple(row), figures={"attempt": attempt + 1})


HILL = Algorithm(
    name="hill",
    about="hill climbing: random changes, taken if they are no worse, and new starts",
    requires="whole states to improve: randomise, propose, change, revert, energy",
    guarantees="none; finds energy 0 or goes on until a limit",
    python=hill,
    compiled="procura.compiled.hill:hill",
    options=(
        Option("patience", "int", 2000, "moves without a lower energy that end an attempt", low=1),
        Option("sideways", "bool", True, "take moves that keep the energy"),
        Option("restarts", "int", None, "new starts before it gives up; none: no end", low=0),
    ),
    local=True,
    remedy=lambda options: "another seed, or more restarts",
    order=by_energy,
    progress="energy",
)
