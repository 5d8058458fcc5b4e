"""Genetic search for weights: a proper one, and the first Tetris report's scheme, as it ran and as it was meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from procura.rng import below, stream, uniform
from procura.tune.methods import read_population
from procura.tune.spaces import Space, Weights, normal

Ranked = list[tuple[float, Weights]]


def best_of(told: Ranked, count: int) -> Ranked:
    """The best so many, each set of weights once; of equal scores those that came first."""
    seen: dict[Weights, float] = {}
    for score, weights in sorted(told, key=lambda one: -one[0]):
        seen.setdefault(weights, score)
    return [(score, weights) for weights, score in list(seen.items())[:count]]


class Genetic:
    """The best quarter of all so far are parents; children are blends of two of them with single weights mutated.

    A parent is the better of two drawn at random. Each weight of a child lies between those of its parents or up to
    ``BLEND`` of their distance beyond; on average one weight is then moved by a normal step. One candidate in ten is a
    newcomer.
    """

    BLEND = 0.3
    STEP = 0.15
    NEWCOMERS = 0.1

    def __init__(self, space: Space, seed: int, population: int | None, start: Sequence[Weights]) -> None:
        self.space, self.seed = space, seed
        self.population = read_population(population, 20, 4)
        self._kept = max(self.population // 4, 2)
        self._start = list(start)
        self._pool: Ranked = []
        self._generation = 0

    def ask(self) -> list[Weights]:
        base = stream(self.seed, self._generation)
        return [self._candidate(place, [stream(base, place)]) for place in range(self.population)]

    def _candidate(self, place: int, rng: list[int]) -> Weights:
        if self._generation == 0:
            return self._start[place] if place < len(self._start) else self.space.random(rng)
        if uniform(rng) < self.NEWCOMERS:
            return self.space.random(rng)
        one, other = self._parent(rng), self._parent(rng)
        return self.space.onto([self._mutated(self._blended(a, b, rng), rng) for a, b in zip(one, other, strict=True)])

    def _parent(self, rng: list[int]) -> Weights:
        """The better of two members of the pool, which is sorted."""
        return self._pool[min(below(rng, len(self._pool)), below(rng, len(self._pool)))][1]

    def _blended(self, a: float, b: float, rng: list[int]) -> float:
        return a + (b - a) * ((1 + 2 * self.BLEND) * uniform(rng) - self.BLEND)

    def _mutated(self, weight: float, rng: list[int]) -> float:
        return weight + self.STEP * normal(rng) if uniform(rng) * len(self.space.names) < 1 else weight

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        self._pool = best_of([*self._pool, *zip(scores, candidates, strict=True)], self._kept)
        self._generation += 1

    def bar(self) -> float | None:
        """The score of the worst parent."""
        return self._pool[-1][0] if len(self._pool) == self._kept else None

    def centre(self) -> None:
        return None


class Report:
    """The first Tetris report's scheme: after the first population each round makes nine children and a newcomer.

    Five to start from are the first population; fewer are filled up.
    The best five are kept. A child takes each weight from a random one of the parents: the best five as the report
    meant it, always the first five as its program ran (``as_run``).
    """

    FIRST = 41
    KEPT = 5
    CHILDREN = 9

    def __init__(
        self, space: Space, seed: int, population: int | None, start: Sequence[Weights], *, as_run: bool
    ) -> None:
        self.space, self.seed, self.as_run = space, seed, as_run
        self.population = read_population(population, self.FIRST, self.KEPT)
        self._start = list(start)[: self.KEPT]
        self._pool: Ranked = []
        self._parents: list[Weights] = []
        self._generation = 0

    def ask(self) -> list[Weights]:
        base = stream(self.seed, self._generation)
        if self._generation == 0:
            some = len(self._start)
            count = some if some == self.KEPT else self.population
            return [*self._start, *(self.space.random([stream(base, place)]) for place in range(some, count))]
        made = [self._child([stream(base, place)]) for place in range(self.CHILDREN)]
        return [*made, self.space.random([stream(base, self.CHILDREN)])]

    def _child(self, rng: list[int]) -> Weights:
        parents = [self._parents[below(rng, len(self._parents))] for _ in self.space.names]
        return self.space.onto([parent[place] for place, parent in enumerate(parents)])

    def tell(self, candidates: Sequence[Weights], scores: Sequence[float]) -> None:
        self._pool = best_of([*self._pool, *zip(scores, candidates, strict=True)], self.KEPT)
        if self._generation == 0 or not self.as_run:
            self._parents = [weights for _, weights in self._pool]
        self._generation += 1

    def bar(self) -> float | None:
        """The score of the worst of the five that are kept."""
        return self._pool[-1][0] if len(self._pool) == self.KEPT else None

    def centre(self) -> None:
        return None


PRESETS = {"report": partial(Report, as_run=True), "report-as-meant": partial(Report, as_run=False)}
"""The schemes of the first report."""
