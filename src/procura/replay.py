"""Replay: a solution made again by the problem's own rules, every action legal, every cost as declared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from procura.errors import InputError, ReplayError, never_equal
from procura.problem import COST_RANGE, ArrayProblem, Problem, checked_cost

INTERPRETED_STEPS = 20_000
"""So many steps of a solution are always replayed interpreted, more of them compiled if the search was."""


def replayed(
    problem: Problem, path: Sequence[Any], claimed: Any, *, legal: bool = True, compiled: bool = False
) -> tuple[Any, Any]:
    """(final state, cost) of a solution; raises ``ReplayError`` if the rules refuse it or it does not cost ``claimed``.

    ``legal``: the order of the actions counts, so each must be legal in its turn.
    """
    steps = _Rows(problem) if _has_rows(problem) else _States(problem)
    for number, action in enumerate(path):
        if compiled and number == INTERPRETED_STEPS and isinstance(steps, _Rows) and legal:
            break
        steps.make(number, action, legal)
    else:
        number = len(path)
    if number < len(path):
        assert isinstance(steps, _Rows)
        for at in range(number + steps.make_compiled(path[number:]), len(path)):
            steps.make(at, path[at], legal)
    state, cost = steps.state, steps.cost
    if not problem.is_goal(state):
        raise ReplayError(f"{problem.name}: the solution's last state is no goal")
    if isinstance(cost, float) and not math.isfinite(cost):
        raise InputError(f"{problem.name}: what the steps of the solution cost adds up to {cost}")
    if claimed is not None and not _same(claimed, cost, len(path), steps.magnitude):
        raise ReplayError(f"{problem.name}: the search says that the solution costs {claimed}, the rules say {cost}")
    return state, cost


def _same(claimed: Any, cost: Any, steps: int, magnitude: Any) -> bool:
    """Whether two sums of the same costs differ by no more than their rounding."""
    if isinstance(claimed, int) and isinstance(cost, int):
        return claimed == cost
    if not -math.inf < claimed < math.inf:
        return False
    return abs(Fraction(claimed) - Fraction(cost)) <= Fraction(magnitude) * (steps + 1) / 2**53


class _States:
    """Steps from state to state, for any problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.state = problem.initial
        self.cost: Any = 0
        self.magnitude: Any = 0

    def make(self, number: int, action: Any, legal: bool) -> None:
        """Make the action, the solution's ``number``-th from 0."""
        problem, state = self.problem, self.state
        if legal and action not in problem.actions(state):
            if (why := never_equal(action)) is not None:
                raise InputError(f"{problem.name}: {why}")
            raise _illegal(problem, number, action)
        self.state = problem.result(state, action)
        cost = checked_cost(problem, state, action, problem.cost(state, action, self.state))
        self.cost += cost
        self.magnitude += abs(cost)


class _Rows:
    """Steps in one row, in place, for the rules of an ``ArrayProblem``."""

    def __init__(self, problem: Any) -> None:
        self.problem: ArrayProblem = problem
        self.row, self.lists, self.work = problem.row(problem.initial), problem.lists, problem.work()
        self.out = [0] * problem.max_moves
        self.cost: Any = 0
        self.magnitude: Any = 0
        self._range = COST_RANGE[problem.costs]

    @property
    def state(self) -> tuple[int, ...]:
        """Where the steps so far lead."""
        return tuple(self.row)

    def make(self, number: int, action: Any, legal: bool) -> None:
        """Make the action, the solution's ``number``-th from 0."""
        problem, row, (low, high) = self.problem, self.row, self._range
        if legal and action not in self.out[: problem.moves(row, self.lists, self.work, self.out)]:
            raise _illegal(problem, number, action)
        before = tuple(row)
        cost = problem.apply(row, self.lists, self.work, action)
        if type(cost) is not int or not low <= cost <= high:
            cost = checked_cost(problem, before, action, cost)
        self.cost += cost
        self.magnitude += abs(cost)

    def make_compiled(self, path: Sequence[int]) -> int:
        """Make as many of the actions as compiled rules find nothing to say against; how many."""
        from procura.compiled.replay import replay

        made, row, self.cost, magnitude = replay(self.problem, self.state, path, self.cost)
        self.row = self.problem.row(row)
        self.magnitude += magnitude
        return made


def _has_rows(problem: Problem) -> bool:
    """Whether a problem's states and costs are made by its kernels and nothing else."""
    kind = type(problem)
    own = ("actions", "step", "result", "cost", "row")
    return isinstance(problem, ArrayProblem) and all(getattr(kind, name) is getattr(ArrayProblem, name) for name in own)


def _illegal(problem: Problem, number: int, action: Any) -> ReplayError:
    return ReplayError(f"{problem.name}: action {number + 1} of the solution, {action!r}, is not legal there")
