"""What a run returns and what bounds it: Result, Outcome, Stats, Limits."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from procura.errors import InputError


class Outcome(enum.StrEnum):
    """How a run ended, whatever stopped it."""

    SOLVED = "solved"
    """There is an answer."""
    NO_SOLUTION = "no_solution"
    """Proved: there is none."""
    NOT_FOUND = "not_found"
    """An incomplete method or a limit ended the run first."""


@dataclass(frozen=True)
class Limits:
    """What a run may use; None is no limit. A run that meets a limit returns its best so far.

    >>> Limits(seconds=20, memory=500_000_000).seconds
    20
    """

    seconds: float | None = None
    """Search time; compilation does not count."""
    nodes: int | None = None
    """Nodes expanded (local search: candidates tried)."""
    memory: int | None = None
    """Resident bytes of the whole process."""
    depth: int | None = None
    """Nodes this deep are tested but not expanded."""

    def __post_init__(self) -> None:
        for name in ("seconds", "nodes", "memory", "depth"):
            value = getattr(self, name)
            if value is None:
                continue
            if name != "seconds" and isinstance(value, float) and value.is_integer():
                value = int(value)
                object.__setattr__(self, name, value)
            kinds = (int, float) if name == "seconds" else (int,)
            if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < math.inf:
                expected = "a number" if name == "seconds" else "a whole number"
                raise InputError(f"limit {name}={value!r}: expected {expected} from 0")


@dataclass(frozen=True)
class Stats:
    """What a run did and used."""

    generated: int = 0
    """Successors applied: duplicates and all iterations included, the root not."""
    expanded: int = 0
    """Nodes whose moves were listed (local search: candidates accepted)."""
    max_frontier: int = 0
    """The most nodes that waited at one time."""
    depth: int = 0
    """The greatest depth at which a node was generated."""
    seconds: float = 0.0
    """Search time."""
    compile_seconds: float = 0.0
    """Time to compile or load kernels, apart from the search."""
    peak_memory: int = 0
    """The most resident bytes of the process seen during the run."""
    stored: int = 0
    """Nodes kept in memory at the end."""
    digest: int | None = None
    """In debug: a running hash of the expanded states in order."""
    penetrance: float | None = None
    """Actions in the solution over nodes generated."""
    branching_factor: float | None = None
    """The b that solves b + b^2 + ... + b^L = T for L actions and T generated nodes."""


@dataclass(frozen=True)
class Result:
    """The answer of a run: an outcome, the solution if there is one, and how it was found."""

    problem: Any = field(repr=False)
    """What was searched."""
    algorithm: str
    """Its name in the catalog."""
    options: Mapping[str, Any]
    """All options of the algorithm, those not given too."""
    heuristic: str | None
    """As text; None for algorithms that use none."""
    engine: str
    """``python`` or ``compiled``."""
    seed: int | None
    """Of algorithms that draw random numbers; None for the others."""
    outcome: Outcome
    """How the run ended."""
    stopped_by: str | None
    """The limit that ended the run: time, nodes, memory, depth or cancelled; None if none did."""
    actions: tuple[Any, ...] | None
    """The solution's actions in their JSON form; None without a solution."""
    cost: float | int | None
    """The solution's cost; for local search without a solution the least energy seen."""
    optimal: bool | None
    """True only when proved; None where the word means nothing."""
    bound: float | int | None
    """A proved lower bound on the cost of any solution."""
    final: Any
    """The last state of the solution; from local search without a solution, the best state of its own view."""
    stats: Stats
    """What the run did and used."""
    view: Any = field(default=None, repr=False)
    """The problem that ``final`` is a state of, if not ``problem``."""
    notes: tuple[str, ...] = ()
    """What a reader should know about the run, in sentences."""

    @property
    def solved(self) -> bool:
        """Whether a solution was found."""
        return self.outcome is Outcome.SOLVED

    @property
    def gap(self) -> float | int | None:
        """How far the cost can be above the least one, where a bound is known."""
        if not self.solved or self.cost is None or self.bound is None:
            return None
        return self.cost - self.bound

    @property
    def length(self) -> int | None:
        """The number of actions in the solution."""
        return None if self.actions is None else len(self.actions)

    @property
    def final_text(self) -> str | None:
        """The final state as the puzzle writes it."""
        return None if self.final is None else (self.view or self.problem).to_text(self.final)

    def states(self) -> Iterator[Any]:
        """The states of the solution from the initial one on, made by the puzzle's rules."""
        if self.actions is None:
            return
        state = self.problem.initial
        yield state
        for value in self.actions:
            state = self.problem.result(state, self.problem.action_from_json(value))
            yield state


def penetrance(length: int, generated: int) -> float | None:
    """Actions in the solution over nodes generated; None when either is 0."""
    return length / generated if length and generated else None


def branching_factor(length: int, generated: int) -> float | None:
    """The b that solves b + b^2 + ... + b^length = generated; None when either is 0.

    >>> round(branching_factor(2, 6), 9)
    2.0
    """
    if not length or not generated:
        return None

    def excess(b: float) -> float:
        total, power = 0.0, 1.0
        for _ in range(length):
            power *= b
            total += power
            if total > generated:
                return total - generated
        return total - generated

    low, high = 0.0, float(generated)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        if excess(middle) < 0:
            low = middle
        else:
            high = middle
