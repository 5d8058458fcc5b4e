"""What a search says of itself: its options, what it needs and promises, how it proves, and how it is watched."""

from __future__ import annotations

import importlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from procura.errors import InputError, shown, unknown

if TYPE_CHECKING:
    from procura.block import Block
    from procura.control import Control, Found
    from procura.heuristics import BoundHeuristic
    from procura.problem import Problem

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """An option of an algorithm or puzzle: its kind (bool, int, float, choice or text), default and what it does.

    >>> Option("width", "int", 1000, "nodes kept of each level", low=1).read("1e3")
    1000
    """

    name: str
    kind: str
    default: Any
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    optional: bool = False
    """Takes none as well, though that is not the default."""

    def read(self, value: Any) -> Any:
        """The value, from text if need be; raises ``InputError`` that says what was expected."""
        if value is None or (isinstance(value, str) and value.lower() == "none"):
            if self.takes_none:
                return None
            raise self._error(value)
        if self.kind == "choice":
            if value not in self.choices:
                raise self._error(value)
            return value
        if self.kind == "text":
            return value
        if self.kind == "bool":
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            read = words.get(value.lower()) if isinstance(value, str) else value
            if not isinstance(read, bool):
                raise self._error(value)
            return read
        try:
            number = _whole(value) if self.kind == "int" else float(value)
            finite = math.isfinite(number)
        except (TypeError, ValueError, OverflowError):
            raise self._error(value) from None
        if isinstance(value, bool) or not finite or not self.low <= number <= self.high:
            raise self._error(value)
        if self.kind == "int" and number != int(number):
            raise self._error(value)
        if self.kind == "int" and abs(number) >= 1 << 62:  # kernels count in 64 bits
            raise InputError(f"option {self.name}={value!r}: expected a whole number below 2^62")
        return int(number) if self.kind == "int" else number

    def _error(self, value: Any) -> InputError:
        return InputError(f"option {self.name}={shown(value)}: expected {self.expected()}")

    def expected(self) -> str:
        """What the option takes, in words."""
        if self.kind == "choice":
            return " or ".join(self.choices)
        if self.kind == "text":
            return "text"
        if self.kind == "bool":
            return "true or false"
        words = "a whole number" if self.kind == "int" else "a number"
        if self.low > -math.inf:
            words += f" from {_plain(self.low)}"
        if self.high < math.inf:
            words += f" to {_plain(self.high)}"
        return words + (" or none" if self.takes_none else "")

    @property
    def takes_none(self) -> bool:
        """Whether it can be left without a value."""
        return self.optional or self.default is None


def _whole(value: Any) -> float:
    """The number meant where a whole one is expected; text may have an exponent, as in 1e3."""
    if isinstance(value, str):
        return float(value) if "e" in value.lower() else int(value)
    return operator.index(value) if hasattr(value, "__index__") else float(value)


def _plain(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else f"{bound:g}"


@dataclass(frozen=True)
class Order:
    """How a search orders its nodes, as far as who watches it must know."""

    level: str
    """What shows that a new iteration has begun: ``bound``, ``depth``, ``f``, ``h``, ``turns`` or ``energy``; on a game
    ``bound``, ``move`` (of the initial state) or ``favourite`` (the move with the most random games)."""
    f: Callable[[Any, Any], Any] | None = None
    """f of (g, h); None if the search has none."""
    place: Callable[[int, Any, Any, int], Any] = lambda depth, g, h, serial: serial
    """What (depth, g, h, serial) of a node are sorted by; the least is taken next. By default the oldest is."""
    path_only: bool = False
    """Nothing waits: the search keeps the path to the node at hand."""


class Proof(NamedTuple):
    """What a search has proved."""

    optimal: bool | None = None
    """Whether its solution costs the least; None without one."""
    bound: Any = None
    """The least that any solution can cost; None if nothing is known."""
    why: str | None = None
    """What keeps a solution from being proved optimal, in words."""


@dataclass(frozen=True)
class Ended:
    """A search that has ended, as its algorithm needs it to say what is proved."""

    problem: Problem
    control: Control
    h: BoundHeuristic
    options: Options
    found: Found
    cost: Any
    """Of the solution, as the rules add it up; None without one."""

    def unproved(self, why: str) -> Proof:
        """Nothing is proved, and why."""
        return Proof(None if self.cost is None else False, None, why)


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """A search: the functions that run it, and all that the rest of the package knows of it.

    >>> from procura import catalog
    >>> catalog.ALGORITHMS["bfs"].guarantees
    'complete on finite spaces; optimal when every step costs 1'
    """

    name: str
    about: str
    requires: str
    guarantees: str
    python: Callable[..., Any] | str | None = None
    """Runs it interpreted, on any ``Problem``; local search on an ``ArrayProblem``. The function, or where it lives,
    ``module:name``, to be imported when first needed; None: only a specialist can do without."""
    compiled: Callable[..., Any] | str | None = None
    """Runs it compiled; as ``python``."""
    many: Callable[..., Block] | str | None = None
    """Solves many boards at once, compiled; as ``python``. It gets a list of what ``solve_many`` takes as boards, a
    function that says whether to give up, and the options. Boards under limits are solved one by one."""
    many_rows: Callable[..., Block | None] | str | None = None
    """The same for array problems that differ by their initial rows alone: it gets problems (None where there is none),
    the heuristic on one that they are to be like, and the rest. None: it answers none. What it answers is replayed."""
    stand_in: str | None = None
    """Of a specialist: the generic configuration that is run where the specialist itself cannot be, such as
    ``"dfs"``; None: then it is refused."""
    options: tuple[Option, ...] = ()
    uses_heuristic: bool = False
    local: bool = False
    """It changes complete states, on the problem's local view."""
    random: bool = False
    """On a game: it draws random numbers, so that its seed counts."""
    tree: bool = True
    """Its nodes are states, one step apart, so that depth, penetrance and branching factor mean something."""
    proof: Callable[[Ended], Proof] | None = None
    """What it proves of the least cost; None: it does not look for that."""
    refusal: Callable[[Any, Options], str | None] | None = None
    """Why it cannot search a problem, after the problem's name; None if it can."""
    warning: Callable[[Problem, BoundHeuristic], str | None] | None = None
    """What who reads a result should know of a search of this problem, in a sentence."""
    remedy: Callable[[Options], str] | None = None
    """What to try if it gave up without a limit, in words; None: it never does."""
    order: Callable[[Options], Order] | None = None
    """How it orders its nodes, for who watches; None: its steps cannot be followed."""
    bound: str = "bound"
    """What the value of its events of kind ``bound`` is, in words."""
    progress: str = "bound"
    """What the value of its events of kind ``progress`` is, in a word."""
    energy: str = "energy"
    """What the value of its events of kind ``round`` is, in words."""

    def __post_init__(self) -> None:
        if self.python is None and self.compiled is None:
            raise InputError(f"algorithm {self.name}: expected a function to run it, python or compiled")

    def runs_on(self, engine: str) -> bool:
        """Whether it can be run interpreted, or compiled."""
        return (self.python if engine == "python" else self.compiled) is not None

    def function(self, engine: str) -> Callable[..., Any]:
        """The function that runs it on ``engine``; it takes the problem, the control, the heuristic and its options."""
        return _loaded(self.python if engine == "python" else self.compiled)

    def solve_many(self, boards: Sequence[Any], cancelled: Callable[[], bool], options: Options) -> Block:
        """Solve many boards at once, if there is a function that does."""
        block: Block = _loaded(self.many)(boards, cancelled, **options)
        return block

    def solve_rows(
        self, problems: Sequence[Any], h: BoundHeuristic, cancelled: Callable[[], bool], options: Options
    ) -> Block | None:
        """Solve many array problems at once, if there is a function that does."""
        block: Block | None = _loaded(self.many_rows)(problems, h, cancelled, **options)
        return block

    @cached_property
    def defaults(self) -> Options:
        """Every option with its default."""
        return {option.name: option.default for option in self.options}

    def read_options(self, given: Options) -> dict[str, Any]:
        """The options given, with their values, in the order of the algorithm's own."""
        for name in given:
            if name not in self.defaults:
                raise unknown(f"{self.name} has no option", name, self.defaults)
        return {option.name: option.read(given[option.name]) for option in self.options if option.name in given}


def _loaded(function: Callable[..., Any] | str | None) -> Callable[..., Any]:
    return load(function) if isinstance(function, str) else cast(Callable[..., Any], function)


def load(place: str) -> Any:
    """What lives at ``module:name``."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
