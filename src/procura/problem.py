"""What a puzzle must say: ``Problem`` for any Python objects, ``ArrayProblem`` for rows of integers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MethodType
from typing import Any, Literal, ParamSpec, TypeVar

from procura.data import Data, integers
from procura.debug import CheckedConstants, CheckedRow, debugging
from procura.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

DEAD = 1 << 30
"""A heuristic that returns ``DEAD`` (or more) has proved that no goal can be reached from the state."""


def kernel(function: Callable[P, R]) -> staticmethod[P, R]:
    """Mark a plain function over integers as a rule that runs interpreted and compiled alike.

    A kernel reads and writes the sequences it is given, in place, and allocates nothing. It may call other
    module-level functions and read module-level constants. In a class body it takes no ``self``.
    """
    return staticmethod(function)


@dataclass(frozen=True)
class Estimate:
    """A heuristic as a problem declares it, with the facts that algorithms rely on.

    ``function(state)`` for a ``Problem``; for an ``ArrayProblem`` a kernel ``function(s, data, work)``, with an
    optional kernel ``step(s, data, work, move, h)`` that returns the value after ``move`` in ``s``, whose own value
    is ``h``; ``s`` has not made the move yet and stays as it is.
    """

    function: Callable[..., Any]
    admissible: bool = False
    """Never more than the least cost to a goal of this problem."""
    consistent: bool = False
    """Never more than a step's cost plus the value after it; implies admissible if 0 at goals."""
    step: Callable[..., Any] | None = None
    integer: bool = True
    """Returns whole numbers only."""
    about: str = ""
    """One line for lists and menus."""


@dataclass(frozen=True)
class Preset:
    """A whole search under a name: ``solve(problem, "report2_best")``."""

    configuration: str
    """As ``solve`` takes it, such as ``"astar:misplaced,ties=fifo"``."""
    about: str
    """One line for lists and menus."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the puzzle that belong to it, such as its cost; ``with_options`` sets them."""


class Problem:
    """A state space on any Python objects: states are hashable, actions opaque.

    A subclass sets ``initial`` and defines ``actions``, ``result`` and ``is_goal``; ``cost`` if a step does not
    cost 1. It declares the facts that algorithms rely on.
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
    initial: Any

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
        for action in self.actions(state):
            if after is not None and self.undoes(action, after):
                continue
            next_state = self.result(state, action)
            yield action, next_state, self.cost(state, action, next_state)

    def identity(self, state: Any) -> Hashable:
        """What makes two states the same; the state itself unless part of it is payload."""
        return state

    def undoes(self, action: Any, last: Any) -> bool:
        """Whether ``action`` only takes back ``last``, the action just before it."""
        return False

    def estimate(self, name: str, state: Any) -> Any:
        """The value of the declared heuristic ``name`` at ``state``."""
        return self._declared(name).function(state)

    def prepare(self, name: str) -> None:
        """Make ready for the declared heuristic ``name``, which is about to be used: the place to build its tables."""

    def _declared(self, name: str) -> Estimate:
        self.prepare(name)
        declared = self.heuristics[name]
        assert isinstance(declared, Estimate), f"{name} is a composition"
        return declared

    def proved_unsolvable(self) -> bool:
        """Whether a quick argument, such as parity, proves that there is no solution."""
        return False

    def local(self) -> ArrayProblem | None:
        """The problem on which local search (annealing, genetic, hill) works; None if there is none."""
        return None

    @classmethod
    def from_text(cls, text: str, **options: Any) -> Problem:
        """The problem written as ``text``; raises ``InputError`` that names the place."""
        raise InputError(f"{cls.__name__} reads no text: it defines no from_text")

    @classmethod
    def generate(cls, seed: int, **options: Any) -> Problem:
        """A random problem, the same for the same seed and options."""
        raise InputError(f"{cls.__name__} makes no random problems: it defines no generate")

    def with_options(self, **options: Any) -> Problem:
        """The same board with other options of the puzzle."""
        raise InputError(f"{self.name} has no options to set: it defines no with_options")

    def board_text(self) -> str:
        """The problem as ``from_text`` reads it, on one line where its format has one; ASCII."""
        return self.to_text(self.initial)

    def count_solutions(self, most: int) -> int | None:
        """How many goals can be reached, counted up to ``most``; None where nobody counts them."""
        return None

    def to_text(self, state: Any) -> str:
        """The state as ASCII text, one line or several."""
        return str(state)

    def draw(self, state: Any) -> str:
        """The state as a picture of Unicode characters, for people; ``to_text`` unless the puzzle draws better."""
        return self.to_text(state)

    def to_svg(self, state: Any) -> str | None:
        """The state as an SVG picture; None if the puzzle draws none."""
        return None

    def action_to_json(self, action: Any) -> Any:
        """The action as JSON holds it; the action itself by default."""
        return action

    def action_from_json(self, value: Any) -> Any:
        """The inverse of ``action_to_json``."""
        return value

    def points(self, state: Any) -> int | None:
        """The points made so far, for puzzles that count points."""
        return None

    @cached_property
    def name(self) -> str:
        """The puzzle's name in results and messages."""
        return type(self).__name__


def rounded_up(problem: Problem, bound: Any) -> Any:
    """A lower bound on the cost of solutions, rounded up where costs are whole; the margin is for its own rounding."""
    return math.ceil(bound - 1e-6) if problem.integer_costs and bound is not None else bound


DTYPES = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
MOST_MOVES = 1 << 16
KERNELS = (
    "moves", "apply", "solved", "inverse", "randomise", "propose", "change", "revert", "energy", "cross",
)  # fmt: skip


class ArrayProblem(Problem):
    """A problem whose state is a row of integers and whose rules are kernels.

    The same definition runs interpreted (rows are lists) and compiled (rows are NumPy buffers). A subclass calls
    ``super().__init__`` with

    - ``size``: the integers in a row; ``dtype``: the signed type that holds each of them;
    - ``max_moves``: the most legal moves in any state; a move is an integer from 0 to 65535;
    - ``data``: the constants of this instance, ``Data(name=[...], ...)``;
    - ``scratch``: the integers in ``work``, a row any kernel may overwrite, with no promise of what it finds there;
    - ``key``: only the first ``key`` integers identify a state (default: all); the rest is payload, which must not
      change moves or goal;
    - ``bits``: if given, every integer of the key lies in 0 .. 2**bits - 1 and is stored in so many bits.

    and defines ``start`` and the kernels ``moves``, ``apply`` and ``solved``. Optional kernels:

    - ``inverse(data, move)`` returns the move that takes ``move`` back and leaves the whole row as it was; to be
      defined only if every move has one.

    Local search uses these:

    - ``randomise(s, data, work, rng)`` makes ``s`` a random candidate;
    - ``propose(s, data, work, rng)`` returns a random move;
    - ``change(s, data, work, move)`` makes it in place and returns the energy difference;
    - ``revert(s, data, work, move)`` takes it back;
    - ``energy(s, data, work)`` is 0 at a solution;
    - ``cross(a, b, child, data, work, rng)`` makes ``child`` of two candidates.
    """

    inverse: Callable[..., int] | None = None
    randomise: Callable[..., None] | None = None
    propose: Callable[..., int] | None = None
    change: Callable[..., Any] | None = None
    revert: Callable[..., None] | None = None
    energy: Callable[..., Any] | None = None
    cross: Callable[..., None] | None = None
    crossovers: Mapping[str, Callable[..., None]] = {}
    """Kernels like ``cross`` by name, for the genetic algorithm's option ``crossover``."""
    perfect_score: float = 0
    """The score of energy 0, for roulette: shares follow this less the energy, as long as that leaves everyone one."""

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
    ) -> None:
        if dtype not in DTYPES:
            raise InputError(f"dtype {dtype!r}: expected one of {', '.join(DTYPES)}")
        if not 1 <= max_moves <= MOST_MOVES:
            raise InputError(f"max_moves {max_moves}: expected 1 to {MOST_MOVES}")
        key = size if key is None else key
        if not 1 <= key <= size:
            raise InputError(f"key {key}: expected 1 to the size of the row, {size}")
        if bits is not None and not 1 <= bits < DTYPES[dtype]:
            raise InputError(f"bits {bits}: expected 1 to {DTYPES[dtype] - 1} in rows of {dtype}")
        self.size, self.key, self.max_moves = size, key, max_moves
        self.dtype, self.bits, self.scratch = dtype, bits, max(scratch, 1)
        self.data = Data() if data is None else data
        if not isinstance(self.data, tuple):
            raise InputError(f"data {type(data).__name__}: expected Data(name=[...], ...)")
        for name in ("moves", "apply", "solved"):
            if getattr(type(self), name) is getattr(ArrayProblem, name) and self.energy is None:
                raise InputError(f"{self.name} defines no kernel {name}")
        for name in KERNELS:
            if isinstance(getattr(self, name), MethodType):
                raise InputError(f"{self.name}.{name} is a method: mark it @kernel, without self")

    def start(self) -> Sequence[int]:
        """The initial row."""
        raise NotImplementedError(f"{self.name} must define start, which gives the initial row")

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Write the legal moves of ``s`` into ``out`` in a fixed order; return how many."""
        raise NotImplementedError

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> Any:
        """Change ``s`` in place by a legal ``move``; return the step's cost."""
        raise NotImplementedError

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        """Whether ``s`` is a goal."""
        raise NotImplementedError

    def required(self, name: str) -> Callable[..., Any]:
        """The kernel ``name``, or an ``InputError`` that says it is missing."""
        function = getattr(self, name)
        if function is None:
            raise InputError(f"{self.name} defines no kernel {name}, which this algorithm requires")
        return function

    # What follows derives the interface of Problem from the kernels; states are tuples.

    @cached_property
    def initial(self) -> tuple[int, ...]:
        row = tuple(int(v) for v in self.start())
        if len(row) != self.size:
            raise InputError(f"{self.name}.start gives {len(row)} integers: expected size, {self.size}")
        limit = 1 << (DTYPES[self.dtype] - 1)
        for i, v in enumerate(row):
            if not -limit <= v < limit or (self.bits and i < self.key and not 0 <= v < 1 << self.bits):
                kind = f"{self.bits} bits" if self.bits and i < self.key else self.dtype
                raise InputError(f"{self.name}.start: entry {i} is {v}, which {kind} cannot hold")
        return row

    def row(self, state: Sequence[int]) -> list[int]:
        """A fresh row for interpreted kernels; in debug one that checks every index and value."""
        if debugging():
            return CheckedRow(state, DTYPES[self.dtype], self.bits, self.key)
        return list(state)

    def work(self) -> list[int]:
        """A fresh scratch row; in debug filled with rubbish, since kernels may not rely on what is in it."""
        return [-77 if debugging() else 0] * self.scratch

    @property
    def lists(self) -> Any:
        """``data`` with a list in each field, as interpreted kernels get it; in debug lists that cannot be changed."""
        return self._checked_lists if debugging() else self._plain_lists

    @cached_property
    def _plain_lists(self) -> Any:
        return type(self.data)(*map(integers, self.data))

    @cached_property
    def _checked_lists(self) -> Any:
        return type(self.data)(*(CheckedConstants(field) for field in self._plain_lists))

    def fill_data(self, **fields: Any) -> None:
        """Put ``fields`` in place of those that ``data`` has under these names."""
        self.data = self.data._replace(**fields)
        for lists in ("_plain_lists", "_checked_lists"):
            vars(self).pop(lists, None)

    def actions(self, state: Any) -> list[int]:
        out = [0] * self.max_moves
        count = self.moves(self.row(state), self.lists, self.work(), out)
        if not 0 <= count <= self.max_moves:
            raise InputError(f"{self.name}.moves lists {count} moves: max_moves is {self.max_moves}")
        return out[:count]

    def step(self, state: Any, move: int) -> tuple[tuple[int, ...], Any]:
        """The state after ``move`` and what the step costs."""
        row = self.row(state)
        cost = self.apply(row, self.lists, self.work(), move)
        if cost is None:
            raise InputError(f"{self.name}.apply returns nothing: expected the step's cost")
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

    def identity(self, state: Any) -> tuple[int, ...]:
        return state[: self.key]

    def undoes(self, action: int, last: int) -> bool:
        return self.inverse is not None and self.inverse(self.lists, last) == action

    def estimate(self, name: str, state: Any) -> Any:
        return self._declared(name).function(self.row(state), self.lists, self.work())

    def solution_actions(self, state: Any) -> list[Any] | None:
        """For the local view of another problem: that problem's actions (JSON form) that lead to ``state``."""
        return None

    def local(self) -> ArrayProblem | None:
        return self if self.energy is not None else None
