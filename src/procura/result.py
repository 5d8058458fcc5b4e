"""What a run returns and what bounds it: Result, Outcome, Stats, Limits."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from procura.errors import InputError, grouped

if TYPE_CHECKING:
    from procura.configuration import Configuration


class Outcome(enum.StrEnum):
    """How a run ended, whatever stopped it; equal to its text.

    >>> Outcome.SOLVED == "solved"
    True
    """

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


@dataclass(slots=True)
class Stats:
    """What a run did and used: counted while it is under way, then held by its result.

    Whoever shows or keeps figures lists these fields, so that a new one is a field here and the place that counts it.

    >>> stats = Stats(generated=6, solution_depth=2)
    >>> round(stats.penetrance, 3), round(stats.branching_factor, 3)
    (0.333, 2.0)
    """

    generated: int = 0
    """Successors applied: duplicates and all iterations included, the root not."""
    expanded: int = 0
    """Nodes whose moves were listed (local search: candidates accepted)."""
    max_frontier: int = 0
    """The most nodes that waited at one time."""
    depth: int = 0
    """The greatest depth at which a node was generated."""
    stored: int = 0
    """Nodes kept in memory at the end."""
    seconds: float = 0.0
    """Search time."""
    compile_seconds: float = 0.0
    """Time to compile or load kernels, apart from the search."""
    peak_memory: int = 0
    """The most resident bytes of the process seen during the run."""
    started: float = 0.0
    """When the run began, in seconds since 1970."""
    ended: float = 0.0
    """When the search ended, in seconds since 1970."""
    digest: int | None = None
    """In debug: a running hash of the expanded states in order."""
    solution_depth: int | None = None
    """The depth of the solution in the tree that was searched; None without a solution, and without a tree."""

    @property
    def penetrance(self) -> float | None:
        """Actions in the solution over nodes generated."""
        return penetrance(self.solution_depth or 0, self.generated)

    @property
    def branching_factor(self) -> float | None:
        """The b that solves b + b^2 + ... + b^L = T for L actions and T generated nodes."""
        return branching_factor(self.solution_depth or 0, self.generated)


@dataclass(frozen=True, repr=False)
class Result:
    """The answer of a run: an outcome, the solution if there is one, and how it was found.

    >>> from procura import Sliding, solve
    >>> result = solve(Sliding("1 2 3 4 5 6 0 7 8"), "astar:manhattan", engine="python")
    >>> result.outcome.value, result.cost, result.optimal, result.actions, result.stats.expanded
    ('solved', 2, True, ('R', 'R'), 2)
    """

    configuration: Configuration
    """What was run, resolved: an algorithm by name."""
    engine: str
    """``python`` or ``compiled``."""
    seed: int | None
    """Of algorithms that draw random numbers; None for the others."""
    outcome: Outcome
    """How the run ended."""
    stopped_by: str | None = None
    """The limit that ended the run: time, nodes, memory, depth or cancelled; None if none did."""
    path: Sequence[Any] | None = None
    """The solution in the problem's own actions; None without a solution."""
    cost: float | int | None = None
    """The solution's cost; for local search without a solution the least energy seen."""
    optimal: bool | None = None
    """True only when proved; None where the word means nothing."""
    bound: float | int | None = None
    """A proved lower bound on the cost of any solution."""
    unproved: str | None = None
    """What keeps the solution from being proved optimal, in words; None if it is, or where the word means nothing."""
    final: Any = None
    """The last state of the solution; from local search without a solution, the best state of its own view."""
    stats: Stats = field(default_factory=Stats)
    """What the run did and used."""
    problem: Any = None
    """What was searched."""
    solutions: int | None = None
    """How many solutions there are, counted up to what the algorithm's option ``solutions`` says, or to the limit that
    ended the run; None if they were not counted."""
    finals: tuple[Any, ...] = ()
    """The last states of the solutions found, ``final`` first, where they were counted; the first thousand of them."""
    notes: tuple[str, ...] = ()
    """What a reader should know about the run, in sentences."""

    @property
    def algorithm(self) -> str:
        """Its name in the catalog."""
        return self.configuration.algorithm

    @property
    def options(self) -> Mapping[str, Any]:
        """All options of the algorithm, those not given too."""
        return dict(self.configuration.all_options)

    @property
    def heuristic(self) -> str | None:
        """As text; None for algorithms that use none."""
        if not self.configuration.info.uses_heuristic:
            return None
        return "zero" if self.configuration.heuristic is None else self.configuration.heuristic.text

    @property
    def local(self) -> bool:
        """Whether it comes from local search."""
        return self.configuration.info.local

    @property
    def tree(self) -> bool:
        """Whether states were searched step by step, so that there is a frontier and a depth."""
        return self.configuration.info.tree and not self.local

    @cached_property
    def actions(self) -> tuple[Any, ...] | None:
        """The solution's actions in their JSON form; None without a solution."""
        return None if self.path is None else tuple(map(self.problem.action_to_json, self.path))

    @cached_property
    def view(self) -> Any:
        """The problem that ``final`` is a state of, if not ``problem``."""
        return self.problem.local() if self.local and self.path is None and self.final is not None else None

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
        return None if self.path is None else len(self.path)

    @property
    def points(self) -> int | None:
        """The points that the solution makes, for puzzles that count them."""
        if not self.solved or self.final is None:
            return None
        points: int | None = (self.view or self.problem).points(self.final)
        return points

    @property
    def final_text(self) -> str | None:
        """The final state as the puzzle writes it."""
        return None if self.final is None else (self.view or self.problem).to_text(self.final)

    @property
    def final_line(self) -> str | None:
        """The final state on one line, as the puzzle writes it."""
        return None if self.final is None else (self.view or self.problem).to_line(self.final)

    def __repr__(self) -> str:
        cost = "" if self.cost is None or not self.solved else f", cost {grouped(self.cost)}"
        proof = "" if self.optimal is None else ", optimal" if self.optimal else ", not proved optimal"
        stopped = "" if self.stopped_by is None else f", stopped by {self.stopped_by}"
        stats = self.stats
        counts = f"{stats.expanded:,} expanded, {stats.generated:,} generated, {stats.seconds:.3f} s"
        how = f"{self.outcome.value}{cost}{proof}{stopped}"
        return f"<Result: {how}; {self.configuration}, {self.engine}; {counts}>"

    def _repr_html_(self) -> str:
        """The result as notebooks show it."""
        from procura.pictures import result_html

        return result_html(self)

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

    total = _sum_of_powers if length <= 1000 else _long_sum_of_powers
    low, high = 0.5, float(generated)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        if total(middle, length, generated) < generated:
            low = middle
        else:
            high = middle


def _sum_of_powers(b: float, length: int, enough: float) -> float:
    """b + b^2 + ... + b^length, or the first of these sums that is more than enough."""
    total, power = 0.0, 1.0
    for _ in range(length):
        power *= b
        total += power
        if total > enough:
            break
    return total


def _long_sum_of_powers(b: float, length: int, enough: float) -> float:
    """The same at once, b being 0.5 or more: b (b^length - 1) / (b - 1), with no digits lost near 1."""
    if b == 1:
        return length
    try:
        return b * math.expm1(length * math.log1p(b - 1)) / (b - 1)
    except OverflowError:
        return math.inf
