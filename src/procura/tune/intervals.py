"""Means with intervals of 95 %, by the bootstrap: boards are drawn again, and with them all that was seen there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

RESAMPLES = 10_000
SEED = 1


@dataclass(frozen=True)
class Mean:
    """A mean and where the true one lies, with 95 %."""

    mean: float
    low: float
    high: float
    count: int

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def mean_of(values: Sequence[float]) -> Mean:
    """The mean with the interval between the 2.5 % and 97.5 % quantiles of means over values drawn with replacement.

    Of differences, one a board, it is the paired interval.

    >>> mean_of([1.0, 1.0, 1.0])
    Mean(mean=1.0, low=1.0, high=1.0, count=3)
    """
    mean = math.fsum(values) / len(values)
    if len(set(values)) == 1:
        return Mean(mean, mean, mean, len(values))
    import numpy as np

    rng = np.random.Generator(np.random.PCG64(SEED))
    array = np.array(values, dtype=float)
    means = np.concatenate([
        array[rng.integers(0, len(array), (1000, len(array)))].mean(axis=1) for _ in range(RESAMPLES // 1000)
    ])  # fmt: skip
    low, high = (float(value) for value in np.quantile(means, [0.025, 0.975]))
    return Mean(mean, low, high, len(values))
