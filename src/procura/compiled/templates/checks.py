"""What a search looks at in every number that a kernel returns: a cost that is no number, or not as declared; an
estimate that means a dead end, or nothing. Of whole numbers as cheap as a comparison, of a constant cost free."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.templates.counts import DEAD, INVALID, LARGE, RUNNING

WHOLE_COSTS = True  # as the problem declares them
LOWEST = HIGHEST = 1  # what a step may cost
INTEGER = True  # costs and heuristic are whole numbers
CEILING = 1 << 52  # estimates beyond it need a closer look
LARGEST = 1 << 30  # the greatest cost of a path that is exact, if costs are whole


def wrong_cost(cost):
    """Whether what a step costs is no number, or not as the problem declares."""
    return not LOWEST <= cost <= HIGHEST or (WHOLE_COSTS and cost % 1 != 0)


def too_large(g):
    """Whether the cost of a path is beyond exact arithmetic."""
    return WHOLE_COSTS and (g > LARGEST or g < -LARGEST)


def usual(h):
    """Whether what a heuristic returned is an ordinary number."""
    return -CEILING < h < CEILING and not (INTEGER and h % 1 != 0)


def as_estimate(h):
    """A usual estimate as the search counts it."""
    return np.int64(h) if INTEGER else np.float64(h)


def fate(h):
    """What an estimate that is not usual does to a search: RUNNING for a dead end, LARGE, or INVALID."""
    if h == DEAD or h == math.inf:
        return RUNNING
    return LARGE if -DEAD < h < DEAD and not (INTEGER and h % 1 != 0) else INVALID
