"""What a puzzle must say: ``Problem`` for any Python objects, ``ArrayProblem`` for rows of integers."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from procura.errors import InputError, shown
from procura.presentation import Presentation
from procura.rows import Rows as Rows, kernel as kernel

if TYPE_CHECKING:
    from procura.algorithm import Algorithm

DEAD = 0x3DEAD << 44
"""A heuristic that returns ``DEAD`` has proved that no goal can be reached from the state; so has one that returns
infinity. It is about 4.4e18, whole and exact as a float too. Every other value lies below it."""


@dataclass(frozen=True)
class Estimate:
    """A heuristic as a problem declares it, with the facts that algorithms rely on.

    ``function(state)`` for a ``Problem``; for an ``ArrayProblem`` a kernel ``function(s, data, work)``, with an
    optional kernel ``step(s, data, work, move, h)`` that returns the value after ``move`` in ``s``, whose own value
    is ``h``; ``s`` has not made the move yet and stays as it is.

    >>> Estimate(abs, admissible=True, about="the way to 0").function(-3)
    3
    """

    function: Callable[..., Any]
    admissible: bool = False
    """Never more than the least cost to a goal of this problem."""
    consistent: bool = False
    """Never more than a step's cost plus the value after it; implies admissible if 0 at goals."""
    step: Callable[..., Any] | None = None
    integer: bool = True
    """Returns whole numbers only."""
    additive: bool = False
    """Counts a share of each step's cost, such that those of all heuristics so declared are no more than the whole."""
    about: str = ""
    """One line for lists and menus."""


@dataclass(frozen=True)
class Preset:
    """A whole search under a name: ``solve(problem, "report2_best")``.

    >>> Preset("astar:manhattan,weight=2", "quick, at most twice as long as need be").options
    {}
    """

    configuration: str
    """As ``solve`` takes it, such as ``"astar:misplaced,ties=fifo"``."""
    about: str
    """One line for lists and menus."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the puzzle that belong to it, such as its cost; ``with_options`` sets them."""


@dataclass(frozen=True)
class Tuning:
    """What ``procura tune`` does for a puzzle if nothing else is said.

    >>> from procura import Sliding
    >>> isinstance(Sliding.tuning, Tuning)
    True
    """

    configuration: str = "astar"
    heuristic: str | None = None
    """A weighted sum; its own weights are what the result is compared with."""
    scoring: str = "cost"
    space: str = "box"
    nodes: int = 20_000
    """The limit of a search."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the puzzle."""
    generator: Mapping[str, Any] = field(default_factory=dict)
    types: tuple[Mapping[str, Any], ...] = ({},)
    """Kinds of random boards, taken in turn; an option that is given goes before theirs."""


class Problem(Presentation):
    """A state space on any Python objects: states are hashable, actions opaque.

    A subclass sets ``initial`` and defines ``actions``, ``result`` and ``is_goal``; ``cost`` if a step does not
    cost 1. It declares the facts that algorithms rely on, and says of itself what ``Presentation`` asks.

    >>> class Countdown(Problem):
    ...     initial = 5
    ...     def actions(self, state):
    ...         return [1, 2]
    ...     def result(self, state, action):
    ...         return state - action
    ...     def is_goal(self, state):
    ...         return state == 0
    >>> from procura import solve
    >>> solve(Countdown(), "bfs").actions
    (1, 2, 2)
    >>> Countdown()
    <Countdown: 5>
    """

    costs: Literal["unit", "nonnegative", "any"] = "unit"
    """What step costs can be; ``unit`` means that every step costs 1."""
    integer_costs: bool = True
    """Step costs are whole numbers."""
    acyclic: bool = False
    """No state can recur on a path."""
    any_solution_will_do: bool = False
    """Every solution costs the same, so that optimal means nothing."""
    heuristics: Mapping[str, Estimate | str] = {}
    """Named heuristics: an ``Estimate``, or the text of a composition of others."""
    auto: str | None = None
    """The configuration that ``algorithm="auto"`` stands for, such as ``"idastar:manhattan"``."""
    presets: Mapping[str, Preset] = {}
    """Named searches of this puzzle, to be used like algorithms."""
    specialists: tuple[Algorithm, ...] = ()
    """Algorithms that serve this puzzle alone; a class that changes its rules does not inherit them."""
    tuning: Tuning = Tuning()
    """What is tuned if nothing else is said."""

    def actions(self, state: Any) -> Iterable[Any]:
        """The legal actions in ``state``, in a fixed order."""
        raise NotImplementedError(f"{self.name} defines no actions")

    def result(self, state: Any, action: Any) -> Any:
        """The state that ``action`` leads to."""
        raise NotImplementedError(f"{self.name} defines no result")

    def is_goal(self, state: Any) -> bool:
        """Whether ``state`` solves the puzzle."""
        raise NotImplementedError(f"{self.name} defines no is_goal")

    def cost(self, state: Any, action: Any, next_state: Any) -> Any:
        """What the step costs; cost is minimised."""
        return 1

    def successors(self, state: Any, after: Any = None) -> Iterator[tuple[Any, Any, Any]]:
        """Each legal step from ``state`` as (action, next state, cost), but those that only undo ``after``."""
        for action in self.legal_actions(state):
            if after is not None and self.undoes(action, after):
                continue
            next_state = self.result(state, action)
            yield action, next_state, self.cost(state, action, next_state)

    def legal_actions(self, state: Any) -> Iterator[Any]:
        """What ``actions`` lists, to be gone through; raises ``InputError`` if that is no list."""
        return gone_through(self, state, self.actions(state))

    def identity(self, state: Any) -> Hashable:
        """What makes two states the same; the state itself unless part of it is payload."""
        return state

    def undoes(self, action: Any, last: Any) -> bool:
        """Whether ``action`` only takes back ``last``, the action just before it."""
        return False

    def estimate(self, heuristic: Any, state: Any = None) -> Any:
        """The value of a heuristic, by name or composed, at ``state`` or, without one, at the initial state.

        >>> from procura import Sliding
        >>> puzzle = Sliding("1 2 3 4 5 6 0 7 8")
        >>> puzzle.estimate("manhattan"), puzzle.estimate("max(misplaced, 0.5*manhattan) + 1")
        (2, 3.0)
        """
        from procura.heuristics import BoundHeuristic, heuristic as parse

        return BoundHeuristic(parse(heuristic), self)(self.initial if state is None else self.checked_state(state))

    def checked_state(self, state: Any) -> Any:
        """A state that somebody has written; raises ``InputError`` if it cannot be one."""
        return state

    def heuristic_value(self, name: str, state: Any) -> Any:
        """The value of the declared heuristic ``name`` at ``state``."""
        return self._declared(name).function(state)

    def _declared(self, name: str) -> Estimate:
        declared = self.heuristics[name]
        assert isinstance(declared, Estimate), f"{name} is a composition"
        return declared

    def same_board(self, other: Problem) -> bool:
        """Whether another problem of the same class starts alike, by the same rules."""
        return bool(self.initial == other.initial)

    def local(self) -> ArrayProblem | None:
        """The problem on which local search (annealing, genetic, hill) works; None if there is none."""
        return None


def gone_through(problem: Problem, state: Any, actions: Any) -> Iterator[Any]:
    """What ``problem.actions`` returned, one after the other; raises ``InputError`` if that cannot be."""
    try:
        return iter(actions)
    except TypeError:
        expected = "expected the legal actions, a list of them for instance"
        raise InputError(f"{problem.name}.actions returns {shown(actions)} in {shown(state)}: {expected}") from None


def as_number(value: Any) -> Any:
    """What a rule or heuristic returned, as an int or else as the nearest float; None if it is no number."""
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, Decimal) and value.is_finite():
        value = Fraction(value)
    try:
        if isinstance(value, numbers.Rational) and value.denominator == 1:
            return int(value.numerator)
        return float(value) if isinstance(value, numbers.Real | Decimal) else None
    except (ValueError, OverflowError):
        return None


def checked_cost(problem: Problem, state: Any, action: Any, cost: Any) -> Any:
    """What a step costs, as an int or a float; raises ``InputError`` if it is no number or not as declared."""
    kind, (low, high) = type(cost), COST_RANGE[problem.costs]
    if (kind is int or (kind is float and not problem.integer_costs)) and low <= cost <= high:
        return cost
    number = as_number(cost)
    if number is None or not -math.inf < number < math.inf:
        raise _wrong_cost(problem, state, action, cost, ": expected the step's cost, a finite number")
    if problem.integer_costs:
        if number != int(number):
            expected = ": expected a whole number, unless integer_costs = False is declared"
            raise _wrong_cost(problem, state, action, cost, expected)
        number = int(number)
    if (problem.costs == "unit" and number != 1) or (problem.costs == "nonnegative" and number < 0):
        declared = "1" if problem.costs == "unit" else "0 or more"
        raise _wrong_cost(problem, state, action, cost, f", but costs = {problem.costs!r} means {declared}")
    return number


COST_RANGE = {"unit": (1, 1), "nonnegative": (0, sys.float_info.max), "any": (-sys.float_info.max, sys.float_info.max)}
"""What step costs can be, by what is declared of them; whole numbers may be larger still."""


def _wrong_cost(problem: Problem, state: Any, action: Any, cost: Any, why: str) -> InputError:
    rule = "apply" if isinstance(problem, ArrayProblem) and type(problem).cost is ArrayProblem.cost else "cost"
    return InputError(f"{problem.name}.{rule} returns {shown(cost)} for action {shown(action)} in {shown(state)}{why}")


KERNELS = (
    "moves", "apply", "solved", "inverse", "blur", "counts",
    "randomise", "propose", "change", "revert", "preview", "energy", "cross",
)  # fmt: skip


class ArrayProblem(Rows, Problem):
    """A problem whose state is a row of integers and whose rules are kernels.

    The same definition runs interpreted (rows are lists) and compiled (rows are NumPy buffers). A subclass calls
    ``super().__init__`` with

    - ``size``: the integers in a row; ``dtype``: the signed type that holds each of them;
    - ``max_moves``: the most legal moves in any state; a move is an integer from 0 to 65535;
    - ``data``: the constants of this instance, ``Data(name=[...], ...)``; a large one can be a ``Table``;
    - ``scratch``: the integers in ``work``, a row any kernel may overwrite, with no promise of what it finds there;
    - ``key``: only the first ``key`` integers identify a state (default: all); the rest is payload, which must not
      change moves or goal;
    - ``bits``: if given, every integer of the key lies in 0 .. 2**bits - 1 and is stored in so many bits;
    - ``patterns``: names of pattern databases, each with how many abstract rows it keeps at most.

    and defines ``start`` and the kernels ``moves``, ``apply`` and ``solved``. Optional kernels:

    - ``inverse(data, move)`` returns the move that takes ``move`` back and leaves the whole row as it was; to be
      defined only if every move has one;
    - ``blur(s, data, work, pattern, i)`` returns entry ``i`` of ``s`` as it is seen through a pattern, which is told
      by its number. The abstract row must be one that the other kernels take, have all moves of ``s`` at no more
      cost, and be blurred to itself;
    - ``counts(s, data, work, pattern, move)`` returns what of a step's cost counts for a pattern, in which ``s`` is an
      abstract row. All patterns together count no more than the step costs, so that their values add up.

    Local search uses these:

    - ``randomise(s, data, work, rng)`` makes ``s`` a random candidate;
    - ``propose(s, data, work, rng)`` returns a random move;
    - ``change(s, data, work, move)`` makes it in place and returns the energy difference;
    - ``revert(s, data, work, move)`` takes it back;
    - ``preview(s, data, work, move)``, optional, returns what ``change`` would and changes nothing;
    - ``energy(s, data, work)`` is 0 at a solution;
    - ``cross(a, b, child, data, work, rng)`` makes ``child`` of two candidates.

    >>> from procura import Data
    >>> class Walk(ArrayProblem):
    ...     def __init__(self, goal):
    ...         super().__init__(size=1, max_moves=2, data=Data(goal=[goal]))
    ...     def start(self):
    ...         return [0]
    ...     @kernel
    ...     def moves(s, data, work, out):
    ...         out[0], out[1] = 0, 1
    ...         return 2
    ...     @kernel
    ...     def apply(s, data, work, move):
    ...         s[0] += 2 * move - 1
    ...         return 1
    ...     @kernel
    ...     def solved(s, data, work):
    ...         return s[0] == data.goal[0]
    >>> from procura import solve
    >>> solve(Walk(3), "bfs", engine="python").actions
    (1, 1, 1)
    """

    required_kernels, optional_kernels = KERNELS[:3], KERNELS[3:]
    inverse: Callable[..., int] | None = None
    blur: Callable[..., int] | None = None
    counts: Callable[..., int] | None = None
    randomise: Callable[..., None] | None = None
    propose: Callable[..., int] | None = None
    change: Callable[..., Any] | None = None
    revert: Callable[..., None] | None = None
    preview: Callable[..., Any] | None = None
    energy: Callable[..., Any] | None = None
    cross: Callable[..., None] | None = None
    crossovers: Mapping[str, Callable[..., None]] = {}
    """Kernels like ``cross`` by name, for the genetic algorithm's option ``crossover``."""
    perfect_score: float = 0
    """The score of energy 0, for roulette: shares follow this less the energy, as long as that leaves everyone one."""

    patterns: tuple[str, ...] = ()
    """The names of its patterns, in the order of their numbers."""
    pattern_scratch: int = 0
    """How much of ``work`` is for the kernels of a problem with patterns; their heuristics use the rest."""

    def __init__(
        self,
        *,
        size: int,
        max_moves: int,
        dtype: str = "int8",
        data: Any = None,
        scratch: int = 0,
        key: int | None = None,
        bits: int | None = None,
        patterns: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(size=size, max_moves=max_moves, dtype=dtype, data=data, scratch=scratch, key=key, bits=bits)
        if patterns:
            from procura.patterns import declare

            declare(self, patterns)

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        """Whether ``s`` is a goal."""
        raise NotImplementedError

    def goals(self, pattern: int) -> Iterable[Sequence[int]] | None:
        """The rows, blurred or not, that all goals look like through a pattern; None: they cannot be listed."""
        return None

    # What follows derives the interface of Problem from the kernels; states are tuples.

    @cached_property
    def _ready(self) -> set[str]:
        """The heuristics whose tables are open."""
        return set()

    def checked_state(self, state: Any) -> tuple[int, ...]:
        """The state as a tuple, if it has as many integers as a row."""
        row = tuple(state) if isinstance(state, Iterable) else ()
        if len(row) != self.size or not all(isinstance(entry, numbers.Integral) for entry in row):
            raise InputError(f"state {shown(state)}: {self.name} expected a row of {self.size} integers")
        return tuple(map(int, row))

    def kernels(self) -> list[Callable[..., Any]]:
        return [*super().kernels(), *self.crossovers.values()]

    def readers(self, heuristics: Iterable[str]) -> list[Callable[..., Any]]:
        declared = [self.heuristics[name] for name in heuristics if name != "zero"]
        parts = [part for one in declared if isinstance(one, Estimate) for part in (one.function, one.step)]
        return [*self.kernels(), *(part for part in parts if part is not None)]

    def step(self, state: Any, move: int) -> tuple[tuple[int, ...], Any]:
        """The state after ``move`` and what the step costs."""
        row = self.row(state)
        cost = self.apply(row, self.lists, self.work(), move)
        return tuple(row), cost

    def result(self, state: Any, action: int) -> tuple[int, ...]:
        return self.step(state, action)[0]

    def cost(self, state: Any, action: int, next_state: Any) -> Any:
        return self.step(state, action)[1]

    def successors(self, state: Any, after: Any = None) -> Iterator[tuple[int, tuple[int, ...], Any]]:
        for move in self.actions(state):
            if after is None or not self.undoes(move, after):
                yield move, *self.step(state, move)

    def is_goal(self, state: Any) -> bool:
        return bool(self.solved(self.row(state), self.lists, self.work()))

    def undoes(self, action: int, last: int) -> bool:
        return self.inverse is not None and self.inverse(self.lists, last) == action

    def heuristic_value(self, name: str, state: Any) -> Any:
        if name not in self._ready:
            self.open_tables(name)
            self._ready.add(name)
        return self._declared(name).function(self.row(state), self.lists, self.work())

    def same_board(self, other: Problem) -> bool:
        return (
            isinstance(other, ArrayProblem) and self.initial == other.initial and self.constants() == other.constants()
        )

    def solution_actions(self, state: Any) -> list[Any] | None:
        """For the local view of another problem: that problem's actions (JSON form) that lead to ``state``."""
        return None

    def local(self) -> ArrayProblem | None:
        return self if self.energy is not None else None
