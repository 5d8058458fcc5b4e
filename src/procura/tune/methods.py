"""Ways to draw candidates, generation by generation, and to learn from their scores; the greater the better."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

from procura.errors import InputError, unknown
from procura.rng import stream
from procura.tune.spaces import Space, Weights, normal


class Method(Protocol):
    """Repeatable: what it asks depends on the seed and on what it was told, nothing else."""

    population: int
    """Candidates of a generation, or of the first."""

    def ask(self) -> list[Weights]:
        """The candidates of the next generation."""

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        """Learn how they did."""

    def bar(self) -> float | None:
        """A score never above the best so far: a candidate that cannot reach it need not be known better."""

    def centre(self) -> Weights | None:
        """The middle of where the next generation is drawn, for methods that have one."""


class Random:
    """Candidates everywhere in the space; those to start from come first."""

    def __init__(self, space: Space, seed: int, population: int | None, start: Sequence[Weights]) -> None:
        self.space, self.seed = space, seed
        self.population = read_population(population, 10, 1)
        self._start = list(start)
        self._drawn = 0
        self._best: float | None = None

    def ask(self) -> list[Weights]:
        made = []
        for slot in range(self._drawn, self._drawn + self.population):
            given = slot < len(self._start)
            made.append(self._start[slot] if given else self.space.random([stream(self.seed, slot)]))
        return made

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        self._drawn += len(candidates)
        self._best = max([*scores, *([] if self._best is None else [self._best])])

    def bar(self) -> float | None:
        return self._best

    def centre(self) -> None:
        return None


class CrossEntropy:
    """The noisy cross-entropy method: a normal distribution of each weight, fitted to the best tenth.

    The variance gets an extra that falls to nothing, so that the distribution does not close too early.
    """

    ELITE = 0.1
    EXTRA = 0.03
    EXTRA_GENERATIONS = 40
    DEVIATION = 0.5

    def __init__(
        self, space: Space, seed: int, population: int | None, start: Sequence[Weights], centre: Weights | None = None
    ) -> None:
        self.space = space
        self.population = read_population(population, 60, 2)
        self._mean = list(start[0] if start else centre or space.centre)
        self._deviations = [self.DEVIATION] * len(self._mean)
        self._rng = [stream(seed)]
        self._generation = 0
        self._bar: float | None = None

    def ask(self) -> list[Weights]:
        spread = list(zip(self._mean, self._deviations, strict=True))
        drawn = [[mean + deviation * normal(self._rng) for mean, deviation in spread] for _ in range(self.population)]
        return [self.space.onto(point) for point in drawn]

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        order = sorted(range(len(candidates)), key=lambda i: (-scores[i], i))
        elite = order[: max(round(self.ELITE * len(candidates)), 2)]
        extra = self.EXTRA * max(1 - self._generation / self.EXTRA_GENERATIONS, 0)
        self._generation += 1
        columns = list(zip(*(candidates[i] for i in elite), strict=True))
        self._mean = [sum(column) / len(column) for column in columns]
        self._deviations = [
            math.sqrt(sum((value - mean) ** 2 for value in column) / len(column) + extra)
            for column, mean in zip(columns, self._mean, strict=True)
        ]
        self._bar = scores[elite[-1]]

    def bar(self) -> float | None:
        return self._bar

    def centre(self) -> Weights:
        return self.space.onto(self._mean)


class Cmaes:
    """CMA-ES, by the package ``cmaes``; candidates are scored in the space and told as they were drawn."""

    SIGMA = 0.3
    SIGMA_NEAR = 0.1
    """From weights that are known to be good it looks near them first."""

    def __init__(
        self, space: Space, seed: int, population: int | None, start: Sequence[Weights], centre: Weights | None = None
    ) -> None:
        try:
            import cmaes
        except ImportError:
            raise needs("cmaes") from None
        import numpy as np

        names = len(space.names)
        if names < 2:
            raise InputError("method cmaes: expected two weights or more")
        self.space = space
        self.population = read_population(population, max(16, 4 + 2 * names), 4)
        bounds = None if space.kind == "sphere" else np.array([[0.0, 1.0]] * names)
        self._cma: Any = cmaes.CMA(
            mean=np.array(start[0] if start else centre or space.centre, dtype=float),
            sigma=self.SIGMA_NEAR if start else self.SIGMA, bounds=bounds,
            seed=stream(seed) % (1 << 32), population_size=self.population,
        )  # fmt: skip
        self._drawn: list[Any] = []
        self._bar: float | None = None

    def ask(self) -> list[Weights]:
        self._drawn = [self._cma.ask() for _ in range(self.population)]
        return [self.space.onto(point) for point in self._drawn]

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        self._cma.tell([(point, -score) for point, score in zip(self._drawn, scores, strict=True)])
        self._bar = statistics.median_low(scores)

    def bar(self) -> float | None:
        """The median of the last generation: CMA-ES learns most from the better half."""
        return self._bar

    def centre(self) -> Weights:
        return self.space.onto(self._cma.mean)


class Tpe:
    """Optuna's tree-structured Parzen estimator, in a study in memory that holds the generations before.

    Its generations are small, since candidates of one generation learn nothing from each other.
    """

    def __init__(self, space: Space, seed: int, population: int | None, start: Sequence[Weights]) -> None:
        self.space, self.seed = space, seed
        self.population = read_population(population, 4, 1)
        self._start = list(start)
        self._told: list[tuple[Weights, float]] = []
        self._generation = 0

    def ask(self) -> list[Weights]:
        optuna = load_optuna()
        seed = stream(self.seed, self._generation) % (1 << 32)
        sampler = optuna.samplers.TPESampler(seed=seed, constant_liar=True, multivariate=True)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        axis = optuna.distributions.FloatDistribution(self.space.low, 1.0)
        axes = dict.fromkeys(self.space.names, axis)
        for weights, score in self._told:
            params = dict(zip(self.space.names, weights, strict=True))
            study.add_trial(optuna.trial.create_trial(params=params, distributions=axes, value=score))
        drawn = [study.ask(fixed_distributions=axes).params for _ in range(self.population)]
        first = self._start[len(self._told) : len(self._told) + self.population]
        made = [self.space.onto([point[name] for name in self.space.names]) for point in drawn]
        return [*first, *made[len(first) :]]

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        self._told += zip(candidates, scores, strict=True)
        self._generation += 1

    def bar(self) -> float | None:
        """The median of all so far."""
        return statistics.median_low([score for _, score in self._told]) if self._told else None

    def centre(self) -> None:
        return None


def read_population(given: int | None, default: int, least: int) -> int:
    """How many candidates a generation has."""
    if given is not None and (not isinstance(given, int) or given < least):
        raise InputError(f"population={given!r}: expected a whole number from {least}")
    return default if given is None else given


def needs(package: str) -> InputError:
    """The sentence for a package that is not there."""
    return InputError(f"tuning needs the package {package}: pip install 'procura[tune]'")


def load_optuna() -> Any:
    """The package Optuna, quiet; raises ``InputError`` if it is not there."""
    try:
        import optuna
    except ImportError:
        raise needs("optuna") from None
    import warnings

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    return optuna


METHODS = ("random", "genetic", "cmaes", "tpe", "cross-entropy")


def make_method(
    name: str, space: Space, seed: int, population: int | None, start: Sequence[Weights], preset: str | None = None,
    centre: Weights | None = None,
) -> Method:  # fmt: skip
    """The method of that name; ``preset`` is a scheme of the genetic method.

    ``start`` is known to be good; ``centre`` is a guess, where cmaes and cross-entropy begin if nothing is known.
    """
    from procura.tune.genetic import PRESETS, Genetic

    if name not in METHODS:
        raise unknown("there is no method", name, METHODS)
    if preset is not None and preset not in PRESETS:
        raise unknown("the method genetic has no preset", preset, PRESETS)
    if preset is not None and name != "genetic":
        raise InputError(f"preset {preset!r}: only the method genetic has presets, and the method is {name}")
    if name == "genetic":
        made: Method = (
            Genetic(space, seed, population, start)
            if preset is None
            else PRESETS[preset](space, seed, population, start)
        )
        return made
    kinds: dict[str, Any] = {
        "random": Random, "tpe": Tpe, "cmaes": partial(Cmaes, centre=centre),
        "cross-entropy": partial(CrossEntropy, centre=centre),
    }  # fmt: skip
    method: Method = kinds[name](space, seed, population, start)
    return method
