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
    is_unsolved: Callable[[float, Problem, Limits], bool]
    """Whether a score is that of a board without an answer, as far as the limits tell."""
    ceiling: Callable[[Problem, str], float] | None = None
    """The most that any weights can score on a board, by a search on this engine; None: less is better, down to 0."""


def _points(result: Result, limits: Limits, boards: int) -> float:
    return float(result.problem.points(result.final)) if result.solved else NO_ANSWER


def _most_points(problem: Problem, engine: str) -> float:
    """The most points that the rules allow on a board, as far as a search proves it."""
    from procura.solving import solve

    board = problem.for_points()
    if board is None:
        return math.inf
    result = solve(board, "auto", limits=Limits(nodes=CEILING_NODES), engine=engine)
    if result.outcome is Outcome.NO_SOLUTION:
        return NO_ANSWER
    return math.inf if result.bound is None else float(-result.bound)


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
    cost = float(result.cost or 0) if result.solved else _cost_without_answer(result.problem, most)
    return cost + spent / boards


def _cost_without_answer(problem: Any, most: float) -> float:
    small = isinstance(problem, ArrayProblem) and problem.acyclic and problem.costs == "unit"
    return float(problem.max_moves + 1) if small else most


def _is_unsolved_cost(score: float, problem: Problem, limits: Limits) -> bool:
    return math.floor(score) == _cost_without_answer(problem, float(limits.nodes or 1_000_000))


SCORINGS = {
    "points": Scoring(
        "points, -500 without an answer", True, _points, lambda score, problem, limits: score == NO_ANSWER, _most_points
    ),
    "expansions": Scoring(
        "expansions, the limit without an answer", False, _expansions,
        lambda score, problem, limits: limits.nodes is not None and score >= limits.nodes,
    ),
    "time": Scoring(
        "seconds of search, the limit without an answer", False, _seconds,
        lambda score, problem, limits: limits.seconds is not None and score >= limits.seconds,
    ),
    "cost": Scoring("cost, then the logarithm of the expansions", False, _cost, _is_unsolved_cost),
}  # fmt: skip
