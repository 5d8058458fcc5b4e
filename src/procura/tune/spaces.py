"""Where weights live: a box, shares that sum to one, or directions on the unit sphere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError, unknown
from procura.rng import uniform

DIGITS = 9
"""Digits of a weight behind the point: a file gives it back exactly."""
KINDS = {
    "box": "weights from 0 to 1",
    "shares": "weights from 0 to 1 that sum to one",
    "sphere": "weights whose squares sum to one",
}
NEAR = 1e-6
Weights = tuple[float, ...]


@dataclass(frozen=True)
class Space:
    """Weights by name: each from 0 to 1 (``box``), such that they sum to one (``shares``), or a direction (``sphere``).

    >>> Space("shares", ("a", "b")).onto([3, 1])
    (0.75, 0.25)
    >>> Space("sphere", ("a", "b")).onto([3, -4])
    (0.6, -0.8)
    """

    kind: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown("there is no space", self.kind, KINDS)
        if not self.names or len(set(self.names)) < len(self.names):
            raise InputError(f"weights of {' '.join(self.names) or 'nothing'}: expected some names, each once")

    @property
    def low(self) -> float:
        """The least that a weight can be."""
        return -1.0 if self.kind == "sphere" else 0.0

    def holds(self, weights: Sequence[float]) -> bool:
        """Whether the weights lie in the space."""
        return all(abs(a - b) <= NEAR for a, b in zip(self.onto(weights), weights, strict=True))

    @property
    def centre(self) -> Weights:
        """Where a search that knows nothing begins."""
        return self.onto([0.5] * len(self.names))

    def onto(self, point: Sequence[float]) -> Weights:
        """The weights of the space that a point stands for, to nine digits."""
        values = [float(value) for value in point]
        if self.kind == "sphere":
            size = math.hypot(*values) or 1.0
            return tuple(round(value / size, DIGITS) + 0.0 for value in values)
        values = [max(value, 0.0) for value in values]
        if self.kind == "box":
            return tuple(round(min(value, 1.0), DIGITS) for value in values)
        return _shares(values)

    def random(self, rng: list[int]) -> Weights:
        """Weights drawn at random, everywhere as likely."""
        count = range(len(self.names))
        if self.kind == "box":
            return self.onto([uniform(rng) for _ in count])
        if self.kind == "shares":
            return self.onto([-math.log(1 - uniform(rng)) for _ in count])
        return self.onto([normal(rng) for _ in count])


def _shares(values: list[float]) -> Weights:
    """The values over their sum; the largest makes up for the rounding of the others."""
    total = sum(values)
    if total <= 0:
        values, total = [1.0] * len(values), float(len(values))
    shares = [round(value / total, DIGITS) for value in values]
    largest = max(range(len(shares)), key=lambda i: (shares[i], -i))
    rest = math.fsum(share for i, share in enumerate(shares) if i != largest)
    shares[largest] = round(1.0 - rest, DIGITS)
    return tuple(shares)


def normal(rng: Any) -> float:
    """A normal random number, by Box and Muller."""
    return math.sqrt(-2 * math.log(1 - uniform(rng))) * math.cos(2 * math.pi * uniform(rng))
