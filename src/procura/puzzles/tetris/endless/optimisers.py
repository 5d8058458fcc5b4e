"""Two ways to draw candidates on the unit sphere and to learn from their scores; the greater the better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

from procura.errors import InputError
from procura.rng import uniform

DIGITS = 9


class Optimiser(Protocol):
    """Repeatable: what it asks depends on the seed and on what it was told, nothing else."""

    population: int

    def ask(self) -> list[list[float]]:
        """The candidates of the next generation."""

    def tell(self, candidates: Sequence[Sequence[float]], scores: Sequence[float]) -> None:
        """Learn how they did."""

    def centre(self) -> list[float]:
        """The middle of where the next generation is drawn, on the sphere."""


def unit(point: Sequence[float]) -> list[float]:
    """The point's direction, to nine digits, so that a file gives it back exactly.

    >>> unit([3, -4])
    [0.6, -0.8]
    """
    size = math.hypot(*point) or 1.0
    return [round(float(value) / size, DIGITS) for value in point]


class CrossEntropy:
    """The noisy cross-entropy method: a normal distribution of each weight, fitted to the best tenth.

    The variance gets an extra that falls to nothing, so that the distribution does not close too early.
    """

    ELITE = 0.1
    EXTRA = 0.03
    EXTRA_GENERATIONS = 40

    def __init__(self, start: Sequence[float], seed: int, population: int | None) -> None:
        self.population = 60 if population is None else population
        if self.population < 2:
            raise InputError(f"population={population!r}: expected a whole number from 2")
        self._mean = list(start)
        self._deviations = [0.5] * len(start)
        self._rng = [seed]
        self._generation = 0

    def ask(self) -> list[list[float]]:
        spread = list(zip(self._mean, self._deviations, strict=True))
        return [unit([mean + deviation * self._normal() for mean, deviation in spread]) for _ in range(self.population)]

    def tell(self, candidates: Sequence[Sequence[float]], scores: Sequence[float]) -> None:
        order = sorted(range(len(candidates)), key=lambda i: (-scores[i], i))
        elite = [candidates[i] for i in order[: max(round(self.ELITE * len(candidates)), 2)]]
        extra = self.EXTRA * max(1 - self._generation / self.EXTRA_GENERATIONS, 0)
        self._generation += 1
        columns = list(zip(*elite, strict=True))
        self._mean = [sum(column) / len(column) for column in columns]
        self._deviations = [
            math.sqrt(sum((value - mean) ** 2 for value in column) / len(column) + extra)
            for column, mean in zip(columns, self._mean, strict=True)
        ]

    def centre(self) -> list[float]:
        return unit(self._mean)

    def _normal(self) -> float:
        """A normal random number, by Box and Muller."""
        return math.sqrt(-2 * math.log(1 - uniform(self._rng))) * math.cos(2 * math.pi * uniform(self._rng))


class Cmaes:
    """CMA-ES, by the package ``cmaes``; candidates are scored on the sphere and told as they were drawn."""

    SIGMA = 0.3

    def __init__(self, start: Sequence[float], seed: int, population: int | None) -> None:
        try:
            import cmaes
        except ImportError:
            raise InputError("method cmaes needs the package cmaes: pip install 'procura[tune]'") from None
        import numpy as np

        self.population = max(16, 4 + 2 * len(start)) if population is None else population
        if self.population < 4 or len(start) < 2:
            raise InputError("method cmaes: expected a population of 4 or more and two features or more")
        self._cma: Any = cmaes.CMA(
            mean=np.array(start, dtype=float), sigma=self.SIGMA, seed=seed % (1 << 32), population_size=self.population
        )
        self._drawn: list[Any] = []

    def ask(self) -> list[list[float]]:
        self._drawn = [self._cma.ask() for _ in range(self.population)]
        return [unit(point) for point in self._drawn]

    def tell(self, candidates: Sequence[Sequence[float]], scores: Sequence[float]) -> None:
        self._cma.tell([(point, -score) for point, score in zip(self._drawn, scores, strict=True)])

    def centre(self) -> list[float]:
        return unit(self._cma.mean)


METHODS: dict[str, type[CrossEntropy] | type[Cmaes]] = {"cross-entropy": CrossEntropy, "cmaes": Cmaes}
