"""A run that has ended, in few bytes: what a ``Result`` is made of when somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from procura import catalog
from procura.problem import Problem
from procura.result import Outcome, Result, Stats, branching_factor, penetrance


@dataclass(frozen=True, slots=True)
class Settings:
    """What was run; runs of a batch share it."""

    algorithm: str
    options: dict[str, Any]
    heuristic: str | None
    engine: str
    seed: int | None
    notes: tuple[str, ...]


@dataclass(slots=True)
class Run:
    """A run that has ended: all that its ``Result`` is made of, but for the problem."""

    settings: Settings
    outcome: Outcome
    stopped_by: str | None = None
    path: Sequence[Any] | None = None
    """The solution in the problem's own actions."""
    cost: Any = None
    optimal: bool | None = None
    bound: Any = None
    final: Any = None
    generated: int = 0
    expanded: int = 0
    max_frontier: int = 0
    depth: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    peak_memory: int = 0
    stored: int = 0
    digest: int | None = None

    @property
    def length(self) -> int | None:
        """The number of actions in the solution."""
        return None if self.path is None else len(self.path)

    def result(self, problem: Problem) -> Result:
        """The ``Result`` of this run, which was one of ``problem``."""
        what, path = self.settings, self.path
        local = catalog.algorithm(what.algorithm).local
        length = None if local else self.length
        return Result(
            problem=problem,
            algorithm=what.algorithm,
            options=what.options,
            heuristic=what.heuristic,
            engine=what.engine,
            seed=what.seed,
            outcome=self.outcome,
            stopped_by=self.stopped_by,
            actions=None if path is None else tuple(problem.action_to_json(action) for action in path),
            cost=self.cost,
            optimal=self.optimal,
            bound=self.bound,
            final=self.final,
            view=problem.local() if local and path is None and self.final is not None else None,
            stats=Stats(
                penetrance=None if length is None else penetrance(length, self.generated),
                branching_factor=None if length is None else branching_factor(length, self.generated),
                **{name: getattr(self, name) for name in _COUNTED},
            ),
            notes=what.notes,
        )


_COUNTED = (
    "generated", "expanded", "max_frontier", "depth", "seconds", "compile_seconds", "peak_memory", "stored", "digest",
)  # fmt: skip
