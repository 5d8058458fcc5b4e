"""The genetic algorithm."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from procura.algorithm import Algorithm, Option
from procura.control import Control, Found
from procura.errors import InputError
from procura.problem import ArrayProblem
from procura.rng import below, stream, uniform
from procura.search.annealing import by_energy, stop_local

Individual = tuple[float, Any]
"""The energy of a state and its row."""


@dataclass
class Generations:
    """When an attempt ends; both engines follow this one."""

    rounds: int | None
    patience: int | None
    early_stop: bool
    done: int = field(init=False, default=0)
    waited: int = field(init=False, default=0)
    best: float = field(init=False, default=math.inf)

    def begin_attempt(self) -> None:
        """A new population."""
        self.done = self.waited = 0
        self.best = math.inf

    def solved(self, least: float) -> bool:
        """Whether an energy ends the run at once."""
        return self.early_stop and least <= 0

    def over(self, least: float) -> bool:
        """Whether this attempt ends with the population at hand, whose least energy is given."""
        if least < self.best:
            self.best, self.waited = least, 0
        else:
            self.waited += 1
        if self.rounds is not None and self.done >= self.rounds:
            return True
        self.done += 1
        return self.patience is not None and self.waited >= self.patience


def chosen_crossover(problem: ArrayProblem, name: str | None) -> Callable[..., Any]:
    """The kernel ``cross``, or the one of that name among the problem's ``crossovers``."""
    if name is None:
        return problem.required("cross")
    if not isinstance(name, str) or name not in problem.crossovers:
        known = ", ".join(problem.crossovers) or "none of them has a name"
        raise InputError(f"option crossover={name!r}: {problem.name} has {known}")
    return problem.crossovers[name]


def check_shares(population: int, elitism: int, newcomers: int, tournament: int) -> None:
    """Refuse a population that leaves no room for children, and tournaments of more than everybody."""
    if tournament > population:
        raise InputError(f"option tournament={tournament}: expected no more than the population, {population}")
    if elitism + newcomers >= population:
        raise InputError(f"option population={population}: expected more than elitism and newcomers, of which there "
                         f"are {elitism + newcomers}")  # fmt: skip


def wheel_top(problem: ArrayProblem, worst: float) -> float:
    """What everyone's energy is taken from to give a share of the roulette wheel: more for a lower energy."""
    return max(float(problem.perfect_score), worst + 1.0)


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
    """A population of states; in each round the next one is made of the best, of newcomers and of children.

    A child is the crossover of two parents, then with probability ``mutation`` one random move. Parents are the
    best of ``tournament`` drawn at random, or drawn by ``roulette``, better ones more often.

    Requires: randomise, propose, change, energy, cross (kernels of the problem's local view).
    Ends at energy 0 (with ``early_stop``), or after ``rounds`` rounds, or ``patience`` rounds without a better state,
    and then starts anew ``restarts`` times; None starts anew for ever.
    """
    check_shares(population, elitism, newcomers, tournament)
    generations = Generations(rounds, patience, early_stop)
    breeding = _Breeding(problem, control, generations, crossover, mutation, tournament)
    attempt = 0
    while True:
        generations.begin_attempt()
        breeding.rng = [stream(seed, 1 + attempt)]
        people: list[Individual] = []
        if breeding.fill(people, population, breeding.newcomer):
            return breeding.found
        breeding.tell(people, attempt)
        while not generations.over(min(energy for energy, _ in people)):
            breeding.choose_parents(people, selection)
            following = sorted(people, key=lambda individual: individual[0])[:elitism]
            if breeding.fill(following, population - newcomers, breeding.child):
                return breeding.found
            if breeding.fill(following, population, breeding.newcomer):
                return breeding.found
            people = following
            breeding.tell(people, attempt)
        if restarts is not None and attempt >= restarts:
            return breeding.found
        attempt += 1


class _Breeding:
    """How individuals are made and counted."""

    def __init__(
        self, problem: ArrayProblem, control: Control, generations: Generations, crossover: str | None,
        mutation: float, tournament: int,
    ) -> None:  # fmt: skip
        self.problem, self.control, self.generations = problem, control, generations
        self.mutation, self.tournament = mutation, tournament
        self.cross = chosen_crossover(problem, crossover)
        self.randomise, self.energy = problem.required("randomise"), problem.required("energy")
        self.propose, self.change = problem.required("propose"), problem.required("change")
        self.data, self.work = problem.lists, problem.work()
        self.rng: list[int] = []
        self.people: list[Individual] = []
        self.sums: list[float] | None = None
        self.found = Found(cost=math.inf)

    def fill(self, people: list[Individual], size: int, make: Callable[[], Individual]) -> bool:
        """Make individuals until there are ``size``; whether the run ends, by a solution or a limit."""
        while len(people) < size:
            if stop_local(self.control, every=1):
                return True
            energy, row = make()
            people.append((energy, row))
            self.control.stats.generated += 1
            self.control.stats.expanded += 1
            if energy < self.found.cost:
                self.found.cost, self.found.state = energy, tuple(row)
                self.control.progress_value = energy
                self.control.emit("improve", value=energy, state=self.found.state)
                if self.generations.solved(energy):
                    return True
        return False

    def tell(self, people: list[Individual], attempt: int) -> None:
        """Report a population."""
        if not self.control.follows_rounds:
            return
        best, row = min(people, key=lambda individual: individual[0])
        energies = [energy for energy, _ in people]
        figures = {
            "mean": math.fsum(energies) / len(energies), "worst": max(energies), "population": len(energies),
            "round": self.generations.done, "attempt": attempt + 1,
        }  # fmt: skip
        self.control.emit("round", value=best, state=tuple(row), figures=figures)

    def newcomer(self) -> Individual:
        """A random state."""
        row = self.problem.row(self.problem.initial)
        self.randomise(row, self.data, self.work, self.rng)
        return float(self.energy(row, self.data, self.work)), row

    def child(self) -> Individual:
        """The crossover of two parents, perhaps mutated."""
        row = self.problem.row(self.problem.initial)
        a, b = self.parent(), self.parent()
        self.cross(a, b, row, self.data, self.work, self.rng)
        energy = float(self.energy(row, self.data, self.work))
        if uniform(self.rng) < self.mutation:
            energy += float(self.change(row, self.data, self.work, self.propose(row, self.data, self.work, self.rng)))
        return energy, row

    def choose_parents(self, people: list[Individual], selection: str) -> None:
        """Let parents be chosen among ``people``."""
        self.people = people
        self.sums = None
        if selection == "roulette":
            top = wheel_top(self.problem, max(energy for energy, _ in people))
            self.sums = list(accumulate(top - energy for energy, _ in people))

    def parent(self) -> Any:
        """The row of a parent: by roulette, or the best of a tournament, the first among equals."""
        last = len(self.people) - 1
        if self.sums is not None:
            return self.people[min(bisect_right(self.sums, uniform(self.rng) * self.sums[-1]), last)][1]
        drawn = [below(self.rng, last + 1) for _ in range(self.tournament)]
        return self.people[min(drawn, key=lambda i: (self.people[i][0], i))][1]


GENETIC = Algorithm(
    name="genetic",
    about="genetic algorithm: a population of states that are selected, crossed and mutated",
    requires="whole states to improve: randomise, propose, change, energy, cross",
    guarantees="none; ends at energy 0, after its rounds or at a limit",
    python=genetic,
    compiled="procura.compiled.genetic:genetic",
    options=(
        Option("population", "int", 500, "individuals", low=2, high=1_000_000),
        Option("rounds", "int", None, "rounds of an attempt; none: no end", low=0),
        Option("selection", "choice", "tournament", "how parents are chosen", ("tournament", "roulette")),
        Option("tournament", "int", 3, "individuals of whom a tournament takes the best", low=1, high=1000),
        Option("elitism", "int", 1, "individuals, the best, that live on", low=0),
        Option("crossover", "text", None, "one of the puzzle's crossovers by name; none: its first"),
        Option("mutation", "float", 0.5, "probability that a child is mutated", low=0, high=1),
        Option("newcomers", "int", 0, "random individuals that join in each round", low=0),
        Option("early_stop", "bool", True, "end at energy 0, not after the rounds"),
        Option("patience", "int", None, "rounds without a better state that end an attempt", low=1),
        Option("restarts", "int", 0, "new starts before it gives up; none: no end", low=0, optional=True),
    ),
    local=True,
    remedy=lambda options: "another seed, or more restarts",
    order=by_energy,
    progress="energy",
    energy="best of the population",
)
