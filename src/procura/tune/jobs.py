"""What is to be evaluated, and what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from procura.result import Limits
from procura.tune.spaces import Space, Weights


@dataclass(frozen=True)
class Job:
    """Weights to be evaluated: a place in the journal, and what a worker is told beside the weights."""

    slot: str
    """The same for the same place of a run, in whatever process; a slot has one outcome."""
    weights: Weights
    task: Mapping[str, Any]
    generation: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What a job came to."""

    weights: Weights
    scores: tuple[float, ...]
    """One an instance, in their order; fewer if it was stopped early."""
    stopped: bool = False
    """It could not reach the bar any more."""
    failed: str | None = None
    """Why there are no scores: its process ended each time it was tried."""


class Objective(Protocol):
    """What weights are good for. It is made again in each worker from its ``spec``."""

    @property
    def space(self) -> Space:
        """Where the weights live."""

    @property
    def maximise(self) -> bool:
        """Whether greater scores are better."""

    @property
    def limits(self) -> Limits:
        """Of each search."""

    @property
    def code(self) -> str | None:
        """A digest of a user's class, with all that it imports."""

    @property
    def compiled(self) -> bool:
        """Whether it needs Numba."""

    def compile(self) -> None:
        """Have all kernels compiled, or loaded, before anything is evaluated."""

    def spec(self) -> dict[str, Any]:
        """What ``make_objective`` makes it from, as JSON has it."""

    def settings(self) -> dict[str, Any]:
        """What of it a journal remembers: a run that goes on has the same."""

    def evaluate(self, weights: Weights, task: Mapping[str, Any]) -> list[float]:
        """The scores of the task's instances, fewer if the task's bar is out of reach."""


def make_objective(spec: Mapping[str, Any]) -> Objective:
    """The objective that a spec describes."""
    if spec["objective"] == "endless":
        from procura.tune.endless import EndlessObjective

        return EndlessObjective.of(spec)
    from procura.tune.boards import BoardObjective

    return BoardObjective.of(spec)


def digest(weights: Weights) -> str:
    """A short name of weights, for slots that depend on them.

    >>> digest((0.5, 0.5)) == digest((0.5, 0.5)) != digest((0.25, 0.75))
    True
    """
    return hashlib.sha256(repr(weights).encode()).hexdigest()[:12]
