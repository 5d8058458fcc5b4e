"""What a search on a board is worth: points, expansions, time, or cost and then expansions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from procura.problem import ArrayProblem, Problem
from procura.result import Limits, Outcome, Result

NO_ANSWER = -500.0
"""The first Tetris report's score of a board without an answer."""
CEILING_NODES = 20_000


@dataclass(frozen=True)
class Scoring:
    """A score of results, by name."""

    about: str
    maximise: bool
    score: Callable[[Result, Limits, int], float]
    """Of a result, under these limits, as one of so many boards."""
    ceiling: Callable[[Problem, str], float] | None = None
    """The most that any weights can score on a board, by a search on this engine; None: less is better, down to 0."""


def _points(result: Result, limits: Limits, boards: int) -> float:
    return float(result.problem.points(result.final)) if result.solved else NO_ANSWER


def _most_points(problem: Problem, engine: str) -> float:
    """The most points that the rules allow on a board, as far as a search proves it."""
    from procura.solving import solve

    made = solve(problem.with_options(cost="quality"), "auto", limits=Limits(nodes=CEILING_NODES), engine=engine)
    if made.outcome is Outcome.NO_SOLUTION:
        return NO_ANSWER
    return math.inf if made.bound is None else float(-made.bound)


def _expansions(result: Result, limits: Limits, boards: int) -> float:
    if result.solved or limits.nodes is None:
        return float(result.stats.expanded)
    return float(limits.nodes)


def _seconds(result: Result, limits: Limits, boards: int) -> float:
    return float(result.stats.seconds if result.solved or limits.seconds is None else limits.seconds)


def _cost(result: Result, limits: Limits, boards: int) -> float:
    """The cost, plus a part below 1 over the boards that grows with the expansions.

    Summed over all boards those parts stay below 1, so where costs are whole numbers the mean cost comes first and
    the expansions after it. Without an answer the cost is that of drawing every arc and one more, or the limit.
    """
    most = float(limits.nodes or 1_000_000)
    spent = math.log1p(min(result.stats.expanded, most)) / (1 + math.log1p(most))
    return (_known_cost(result, most) if not result.solved else float(result.cost or 0)) + spent / boards


def _known_cost(result: Result, most: float) -> float:
    problem: Any = result.problem
    small = isinstance(problem, ArrayProblem) and problem.acyclic and problem.costs == "unit"
    return float(problem.max_moves + 1) if small else most


SCORINGS = {
    "points": Scoring("points, -500 without an answer", True, _points, _most_points),
    "expansions": Scoring("expansions, the limit without an answer", False, _expansions),
    "time": Scoring("seconds of search, the limit without an answer", False, _seconds),
    "cost": Scoring("cost, then the logarithm of the expansions", False, _cost),
}
