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
    if isinstance(value, float):
        return value
    return float(value) if isinstance(value, str) and "e" in value.lower() else int(value)


def _plain(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else f"{bound:g}"


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
            (Option("jobs", "int", 1, "threads to search on, if compiled", low=1, high=1024),),
            uses_heuristic=True,
        ),
        Algorithm(
            "beam",
            "beam search: level by level, only the best nodes of each level are kept",
            "negative costs only on acyclic problems",
            "memory for width nodes a level; optimal when nothing it dropped could have been better, which it tells",
            "procura.search.beam:beam",
            "procura.compiled.beam:beam",
            (
                Option("width", "int", 1000, "nodes kept of each level", low=1, high=1 << 24),
                Option("order", "choice", "f", "what the best have least of: f = g + h, or h alone", ("f", "h")),
                _TIES,
                Option("widen", "bool", False, "start anew with twice the width until the answer is proved"),
            ),
            uses_heuristic=True,
        ),
        Algorithm(
            "hill",
            "hill climbing: random changes, taken if they are no worse, and new starts",
            "a complete-state view: randomise, propose, change, revert, energy",
            "none; finds energy 0 or goes on until a limit",
            "procura.search.hill:hill",
            "procura.compiled.hill:hill",
            (
                Option("patience", "int", 2000, "moves without a lower energy that end an attempt", low=1),
                Option("sideways", "bool", True, "take moves that keep the energy"),
                Option("restarts", "int", None, "new starts before it gives up; none: no end", low=0),
            ),
            local=True,
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
                Option("patience", "int", 20, "stuck rounds that end an attempt", low=1),
                Option("stuck", "choice", "best", "no new best when cold, or not below last round", ("best", "round")),
                Option("reheat", "float", 0.0, "instead of ending an attempt, add this to the temperature", low=0),
                Option("restarts", "int", None, "new starts before it gives up; none: no end", low=0),
            ),
            local=True,
        ),
        Algorithm(
            "genetic",
            "genetic algorithm: a population of states that are selected, crossed and mutated",
            "a complete-state view: randomise, propose, change, energy, cross",
            "none; ends at energy 0, after its rounds or at a limit",
            "procura.search.genetic:genetic",
            "procura.compiled.genetic:genetic",
            (
                Option("population", "int", 500, "individuals", low=2, high=1_000_000),
                Option("rounds", "int", None, "rounds of an attempt; none: no end", low=0),
                Option("selection", "choice", "tournament", "how parents are chosen", ("tournament", "roulette")),
                Option("tournament", "int", 3, "individuals of whom a tournament takes the best", low=1, high=1000),
                Option("elitism", "int", 1, "individuals, the best, that live on", low=0),
                Option("crossover", "text", None, "one of the puzzle's crossovers by name; none: its first"),
                Option("mutation", "float", 0.5, "probability that a child is mutated", low=0, high=1),
                Option("newcomers", "int", 0, "random individuals that join in each round", low=0),
                Option("early_stop", "bool", True, "end at energy 0, not after the rounds"),
                Option("patience", "int", None, "rounds without a better state that end an attempt", low=1),
                Option("restarts", "int", 0, "new starts before it gives up; none: no end", low=0, optional=True),
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
            (
                Option("size", "text", "4x4", "ROWSxCOLS"),
                Option("goal", "text", "blank-last", "blank-last, blank-first, spiral or numbers"),
                Option("moves", "int", None, "random moves from the goal; none: any board", low=0, high=10**6),
            ),
        ),
        Puzzle(
            "sudoku", "fill the grid so that rows, columns and blocks hold each digit once",
            "procura.puzzles.sudoku:Sudoku",
            (Option("choice", "choice", None, "the cell to fill: fewest (default) or first", ("first", "fewest")),),
            "procura.puzzles.sudoku.samples:samples",
            (
                Option("clues", "int", None, "the clues it has: 30 on 9x9, 6 on 4x4, 130 on 16x16", low=1),
                Option("side", "int", 9, "4, 9 or 16 cells a side", low=4, high=16),
                Option("symmetric", "bool", False, "clues that look the same after half a turn"),
            ),
        ),
        Puzzle(
            "tetris", "place a known list of pieces without reaching the top", "procura.puzzles.tetris:Tetris",
            (
                Option("pieces", "text", None, 'the pieces in order, such as "t i l l", if the board does not say'),
                Option(
                    "cost", "choice", None, "what a step costs; quality by default",
                    ("quality", "opportunity", "report1"),
                ),
                Option("rows", "int", None, "rows of the board, 18 by default", low=4, high=64),
                Option("columns", "int", None, "columns of the board, 10 by default", low=4, high=31),
            ),
            "procura.puzzles.tetris.samples:samples",
            (
                Option("p", "float", 1.0, "probability that a cell of the bottom row is filled", low=0),
                Option("d", "float", 0.2, "how much that falls from row to row; the course's own is 0.05", low=0),
                Option("rows", "int", 18, "rows of the board", low=4, high=64),
                Option("columns", "int", 10, "columns of the board", low=4, high=31),
                Option("pieces", "text", "4", "the pieces, or how many random ones"),
                Option("top_empty", "bool", True, "draw again while the top row is filled"),
            ),
        ),
        Puzzle(
            "dots", "draw the fewest arcs that close so many boxes", "procura.puzzles.dots:Dots",
            (
                Option("boxes", "int", None, "the boxes to close, in place of the problem's target", low=0),
                Option("problem", "text", None, "one problem of a file of several"),
                Option("order", "choice", None, "draw arcs in one order only, or in any", ("canonical", "any")),
            ),
            "procura.puzzles.dots.samples:samples",
            (
                Option("size", "text", "4x4", "ROWSxCOLS of boxes"),
                Option("drawn", "float", 0.4, "the arcs drawn: how many or, below 1, what part of all", low=0),
                Option("boxes", "int", None, "the boxes to close; none: those closed and half of the rest", low=0),
            ),
        ),
    )
}  # fmt: skip


def flag(name: str) -> str:
    """How an option is written on the command line."""
    return "--" + name.replace("_", "-")


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
