"""The genetic algorithm, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from procura.compiled.engine import run_slices
from procura.compiled.local import Climb
from procura.compiled.templates import genetic as template
from procura.control import Control, Found
from procura.problem import ArrayProblem
from procura.rng import stream
from procura.search.genetic import Generations, check_shares, chosen_crossover, wheel_top


def genetic(
    problem: ArrayProblem,
    control: Control,
    seed: int,
    *,
    population: int,
    rounds: int | None,
    selection: str,
    tournament: int,
    elitism: int,
    crossover: str | None,
    mutation: float,
    newcomers: int,
    early_stop: bool,
    patience: int | None,
    restarts: int | None,
) -> Found:
    """As ``search.genetic``."""
    check_shares(population, elitism, newcomers, tournament)
    climb = Climb(problem, control, seed)
    counts = climb.counts
    climb.bound.bindings["cross"] = chosen_crossover(problem, crossover)
    counts.mutation, counts.tournament, counts.roulette = mutation, tournament, selection == "roulette"
    counts.early_goal = early_stop
    people, following = _population(climb, population), _population(climb, population)
    sums = np.zeros(population)
    rest = (sums, climb.s, climb.best, climb.rng, counts.words, climb.data, climb.work)
    run = climb.bound.compile(template.run, people, following, *rest)
    generations = Generations(rounds, patience, early_stop)
    control.start()
    attempt = 0

    def one_slice() -> int:
        status = int(run(people, following, *rest))
        climb.tell()
        return status

    def attend(status: int) -> bool:
        """After a round: the next population, a new start, or the end."""
        nonlocal people, following, attempt
        if status != template.ROUND:
            return False
        people, following = following, people
        if not generations.over(float(people.energies.min())):
            prepare()
            return True
        if restarts is not None and attempt >= restarts:
            return False
        attempt += 1
        begin()
        return True

    def prepare() -> None:
        """Let the elite pass, and say who is to be made."""
        ranked = _best(people.energies, elitism)
        for target, source in ((following.rows, people.rows), (following.energies, people.energies)):
            target.reshape(population, -1)[:elitism] = source.reshape(population, -1)[ranked]
        counts.made, counts.children_until = elitism, population - newcomers
        if selection == "roulette":
            np.cumsum(wheel_top(problem, float(people.energies.max())) - people.energies, out=sums)

    def begin() -> None:
        climb.rng[0] = stream(seed, 1 + attempt)
        generations.begin_attempt()
        counts.made = counts.children_until = 0

    begin()
    run_slices(control, counts, run, one_slice, attend, "generated")
    return climb.found()


def _best(energies: Any, count: int) -> Any:
    """The numbers of the ``count`` least energies, in order, the first among equals before the others."""
    if not count:
        return np.zeros(0, dtype=np.int64)
    low = np.flatnonzero(energies <= np.partition(energies, count - 1)[count - 1])
    return low[np.argsort(energies[low], kind="stable")[:count]]


def _population(climb: Climb, size: int) -> Any:
    words = np.zeros(size * climb.bound.row_words, dtype=np.int64)
    return template.People(words.view(climb.bound.dtype), np.zeros(size))
