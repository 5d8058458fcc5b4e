"""The one list of puzzles and algorithms, with what each requires, guarantees and takes as options."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError, unknown


@dataclass(frozen=True)
class Option:
    """An option of an algorithm or puzzle: its kind (bool, int, float, choice or text), default and what it does."""

    name: str
    kind: str
    default: Any
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf

    def read(self, value: Any) -> Any:
        """The value, from text if need be; raises ``InputError`` that says what was expected."""
        if value is None or (isinstance(value, str) and value.lower() == "none"):
            if self.default is None:
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
            number = int(value) if self.kind == "int" and not isinstance(value, float) else float(value)
        except (TypeError, ValueError):
            raise self._error(value) from None
        if isinstance(value, bool) or not math.isfinite(number) or not self.low <= number <= self.high:
            raise self._error(value)
        if self.kind == "int" and number != int(number):
            raise self._error(value)
        return int(number) if self.kind == "int" else number

    def _error(self, value: Any) -> InputError:
        return InputError(f"option {self.name}={value!r}: expected {self.expected()}")

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
            words += f" from {self.low:g}"
        if self.high < math.inf:
            words += f" to {self.high:g}"
        return words + (" or none" if self.default is None else "")


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: where it lives in each engine, what it needs and what it promises."""

    name: str
    about: str
    requires: str
    guarantees: str
    python: str
    compiled: str
    options: tuple[Option, ...] = ()
    uses_heuristic: bool = False
    local: bool = False

    def function(self, engine: str) -> Callable[..., Any]:
        """The function that runs it on ``engine``."""
        return _load(self.python if engine == "python" else self.compiled)

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, defaults where none is given."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise unknown(f"{self.name} has no option", name, known)
        return {name: option.read(given.get(name, option.default)) for name, option in known.items()}


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that ships with the package."""

    name: str
    about: str
    home: str
    options: tuple[Option, ...]
    """Keyword arguments of its ``from_text``; None as default: not given."""
    samples_home: str | None = None
    generator: tuple[Option, ...] = ()
    """Keyword arguments of its ``generate``, beside the seed."""

    def load(self) -> Any:
        """Its class."""
        return _load(self.home)

    def samples(self) -> dict[str, dict[str, Any]]:
        """The problems that ship with it, by name: the arguments of its class."""
        return {} if self.samples_home is None else dict(_load(self.samples_home))


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


_TIES = Option("ties", "choice", "lifo", "which of equal f goes first", ("lifo", "fifo", "high_g", "low_g"))
_TREE = Option("tree", "bool", False, "search a tree: keep no states, recognise none")

ALGORITHMS: Mapping[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "bfs",
            "breadth-first search: the oldest node first",
            "nothing beyond the rules",
            "complete on finite spaces; optimal when every step costs 1",
            "procura.search.bfs:bfs",
            "procura.compiled.bfs:bfs",
            (Option("early_goal", "bool", False, "test for the goal when a state is generated, not when taken"),),
        ),
        Algorithm(
            "dfs",
            "depth-first search: the newest node first, the last successor before the others",
            "nothing beyond the rules",
            "complete on finite spaces unless tree=true or a depth limit cuts; not optimal",
            "procura.search.dfs:dfs",
            "procura.compiled.dfs:dfs",
            (_TREE,),
        ),
        Algorithm(
            "iddfs",
            "iterative deepening: depth-first searches under a depth limit that rises",
            "nothing beyond the rules",
            "finds a shortest solution if there is one; optimal when every step costs 1",
            "procura.search.dfs:iddfs",
            "procura.compiled.dfs:iddfs",
            (Option("tree", "bool", True, "keep no states, recognise none"),),
        ),
        Algorithm(
            "ucs",
            "uniform-cost search: the least cost so far first",
            "no negative costs",
            "complete and optimal",
            "procura.search.best_first:ucs",
            "procura.compiled.astar:ucs",
            (_TIES,),
        ),
        Algorithm(
            "greedy",
            "greedy best-first search: the least h first, whatever it cost",
            "nothing beyond the rules",
            "complete on finite spaces; not optimal",
            "procura.search.best_first:greedy",
            "procura.compiled.astar:greedy",
            (_TIES,),
            uses_heuristic=True,
        ),
        Algorithm(
            "astar",
            "A*: the least f = g + h first",
            "negative costs only on acyclic problems, or with tree=true",
            "optimal when the heuristic is admissible and the weight is 1",
            "procura.search.best_first:astar",
            "procura.compiled.astar:astar",
            (
                _TREE,
                _TIES,
                Option("reopen", "bool", True, "queue a closed state again when reached at less cost"),
                Option("weight", "float", 1.0, "what h counts in f = g + weight h", low=0),
                Option("cut", "float", None, "drop nodes whose f is above this"),
                Option("prune_dead", "bool", False, "do not queue states without moves that are no goals"),
            ),
            uses_heuristic=True,
        ),
        Algorithm(
            "idastar",
            "iterative-deepening A*: depth-first within a bound on f that rises",
            "a heuristic that is worth it; states that recur cost time",
            "optimal when the heuristic is admissible; memory for one path only",
            "procura.search.idastar:idastar",
            "procura.compiled.idastar:idastar",
            uses_heuristic=True,
        ),
        Algorithm(
            "annealing",
            "simulated annealing: random changes, bad ones taken less and less often",
            "a complete-state view: randomise, propose, change, revert, energy",
            "none; finds energy 0 or goes on until a limit",
            "procura.search.annealing:annealing",
            "procura.compiled.annealing:annealing",
            (
                Option("temperature", "float", None, "the first temperature; none: measured", low=1e-9),
                Option("moves", "int", 2000, "moves at each temperature", low=1),
                Option("cooling", "float", 0.95, "temperature of a round over that of the last", low=1e-9, high=1),
                Option("patience", "int", 20, "rounds without a better state, when cold, that end an attempt", low=1),
                Option("reheat", "float", 0.0, "instead of ending an attempt, add this to the temperature", low=0),
                Option("restarts", "int", None, "new starts before it gives up; none: no end", low=0),
            ),
            local=True,
        ),
    )
}

PUZZLES: Mapping[str, Puzzle] = {
    puzzle.name: puzzle
    for puzzle in (
        Puzzle(
            "sliding", "slide tiles into the blank until they stand in order", "procura.puzzles.sliding:Sliding",
            (
                Option("goal", "text", None, "blank-last (default), blank-first, spiral or numbers"),
                Option("size", "text", None, "ROWSxCOLS, if the board is no square"),
            ),
            "procura.puzzles.sliding.samples:samples",
        ),
        Puzzle(
            "sudoku", "fill the grid so that rows, columns and blocks hold each digit once",
            "procura.puzzles.sudoku:Sudoku",
            (Option("choice", "choice", None, "the cell to fill next", ("first", "fewest")),),
            "procura.puzzles.sudoku.samples:samples",
        ),
        Puzzle(
            "tetris", "place a known list of pieces on an 18x10 board", "procura.puzzles.tetris:Tetris",
            (
                Option("pieces", "text", None, 'the pieces in order, such as "t i l l"'),
                Option("cost", "text", None, "what a step costs: quality (default) or opportunity"),
            ),
        ),
        Puzzle(
            "dots", "draw the fewest lines that close so many boxes", "procura.puzzles.dots:Dots",
            (
                Option("boxes", "int", None, "the boxes to close, in place of the problem's target", low=0),
                Option("problem", "text", None, "one problem of a file of several"),
                Option("order", "choice", None, "draw arcs in one order only, or in any", ("canonical", "any")),
            ),
        ),
    )
}  # fmt: skip


def algorithm(name: str) -> Algorithm:
    """The algorithm of that name, or an ``InputError`` with the nearest one."""
    if name not in ALGORITHMS:
        raise unknown("there is no algorithm", name, ALGORITHMS)
    return ALGORITHMS[name]


def puzzle(name: str) -> Puzzle:
    """The puzzle of that name, or an ``InputError`` with the nearest one."""
    if name not in PUZZLES:
        raise unknown("there is no puzzle", name, PUZZLES)
    return PUZZLES[name]


def parse_configuration(text: str) -> tuple[str, str | None, dict[str, str]]:
    """Split ``ALGORITHM[:HEURISTIC][,option=value...]`` into its three parts.

    >>> parse_configuration("astar:max(misplaced, manhattan),ties=fifo")
    ('astar', 'max(misplaced, manhattan)', {'ties': 'fifo'})
    """
    parts = [""]
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    name, colon, heuristic = (part.strip() for part in parts[0].partition(":"))
    if not name or (colon and not heuristic):
        raise InputError(f"configuration {text!r}: expected ALGORITHM[:HEURISTIC][,option=value...]")
    options = {}
    for part in parts[1:]:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or not value:
            raise InputError(f"configuration {text!r}: expected option=value, got {part.strip()!r}")
        options[key] = value
    return name, heuristic or None, options
