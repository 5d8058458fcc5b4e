"""The one list of puzzles and algorithms, with what each requires, guarantees and takes as options."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procura.algorithm import Algorithm as Algorithm, Option as Option, load
from procura.errors import InputError, unknown
from procura.search.annealing import ANNEALING
from procura.search.anytime import ANYTIME
from procura.search.beam import BEAM
from procura.search.best_first import ASTAR, GREEDY, UCS
from procura.search.bfs import BFS
from procura.search.dfs import DFS, IDDFS
from procura.search.game_tree import ALPHABETA, MINIMAX
from procura.search.genetic import GENETIC
from procura.search.hill import HILL
from procura.search.idastar import IDASTAR
from procura.search.mcts import MCTS

if TYPE_CHECKING:
    from procura.game import Game
    from procura.problem import Problem


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that ships with the package.

    >>> PUZZLES["sudoku"].load()
    <class 'procura.puzzles.sudoku.rules.Sudoku'>
    """

    name: str
    about: str
    home: str
    options: tuple[Option, ...]
    """Keyword arguments of its ``from_text``; None as default: not given."""
    generator: tuple[Option, ...] = ()
    """Keyword arguments of its ``generate``, beside the seed."""
    first: str = ""
    """The sample that a page begins with."""
    specialists: tuple[str, ...] = ()
    """The names of the algorithms that serve it alone; its class has them."""
    game: str | None = None
    """Where its game for two is, if there is one, ``module:Class``."""
    players: str | None = None
    """The module of the computers that play it: ``Computer`` and ``play_game``."""
    endless: str | None = None
    """The module of its game without end: ``controllers``, ``Adviser`` and ``Game``."""

    def load(self) -> Any:
        """Its class."""
        return load(self.home)

    @property
    def page(self) -> Path:
        """The file that draws and edits its boards in a page."""
        return Path(__file__).parent.joinpath(*self.home.partition(":")[0].split(".")[1:], "page.js")

    def samples(self) -> dict[str, dict[str, Any]]:
        """The problems that ship with it, by name: the arguments of its class."""
        return dict(self.load().samples())


ALGORITHMS: Mapping[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (BFS, DFS, IDDFS, UCS, GREEDY, ASTAR, IDASTAR, BEAM, ANYTIME, HILL, ANNEALING, GENETIC)
}

GAME_ALGORITHMS: Mapping[str, Algorithm] = {algorithm.name: algorithm for algorithm in (MINIMAX, ALPHABETA, MCTS)}
"""Those for games of two."""

PUZZLES: Mapping[str, Puzzle] = {
    puzzle.name: puzzle
    for puzzle in (
        Puzzle(
            "sliding", "slide tiles into the blank until they stand in order", "procura.puzzles.sliding:Sliding",
            (
                Option("goal", "text", None, "blank-last (default), blank-first, spiral or numbers"),
                Option("size", "text", None, "ROWSxCOLS, if the board is no square"),
            ),
            (
                Option("size", "text", "4x4", "ROWSxCOLS"),
                Option("goal", "text", "blank-last", "blank-last, blank-first, spiral or numbers"),
                Option("moves", "int", None, "random moves from the goal; none: any board", low=0, high=10**6),
            ),
            first="runcodes-1",
            specialists=("pdb",),
        ),
        Puzzle(
            "sudoku", "fill the grid so that rows, columns and blocks hold each digit once",
            "procura.puzzles.sudoku:Sudoku",
            (Option("choice", "choice", None, "the cell to fill: fewest (default) or first", ("first", "fewest")),),
            (
                Option("clues", "int", None, "the clues it has: 30 on 9x9, 6 on 4x4, 130 on 16x16", low=1),
                Option("side", "int", 9, "4, 9 or 16 cells a side", low=4, high=16),
                Option("symmetric", "bool", False, "clues that look the same after half a turn"),
                Option("minimal", "bool", False, "no clue can be spared; of a symmetric board, no pair"),
                Option(
                    "difficulty", "choice", None, "as procura explain rates it", ("easy", "medium", "hard", "diabolic")
                ),
            ),
            first="easy",
            specialists=("bands",),
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
                Option("points", "text", None, "points for 0 to 4 rows at once; 0,100,300,500,800 by default"),
            ),
            (
                Option("p", "float", 1.0, "probability that a cell of the bottom row is filled", low=0),
                Option("d", "float", 0.2, "how much that falls from row to row; the course's own is 0.05", low=0),
                Option("rows", "int", 18, "rows of the board", low=4, high=64),
                Option("columns", "int", 10, "columns of the board", low=4, high=31),
                Option("pieces", "text", "4", "the pieces, or how many random ones"),
                Option("top_empty", "bool", True, "draw again while the top row is filled"),
            ),
            first="test-25",
            specialists=("best",),
            endless="procura.puzzles.tetris.endless",
        ),
        Puzzle(
            "dots", "draw the fewest lines that close a given number of boxes", "procura.puzzles.dots:Dots",
            (
                Option("boxes", "int", None, "the boxes to close, in place of the problem's target", low=0),
                Option("problem", "text", None, "one problem of a file of several"),
                Option("size", "text", None, "an empty board of ROWSxCOLS boxes, in place of BOARD"),
                Option(
                    "order", "choice", None, "draw lines in one order only, in any, or in any as the report lists them",
                    ("canonical", "any", "report"),
                ),
            ),
            (
                Option("size", "text", "4x4", "ROWSxCOLS of boxes"),
                Option("drawn", "float", 0.4, "the lines drawn: how many or, below 1, what part of all", low=0),
                Option("boxes", "int", None, "the boxes to close; none: those closed and half of the rest", low=0),
            ),
            first="small-3x3",
            specialists=("profile",),
            game="procura.puzzles.dots:DotsGame",
            players="procura.puzzles.dots.players",
        ),
    )
}  # fmt: skip
PROBLEM_FILES = "dots"
"""The puzzle of a file of problems, if none is named: its files hold several problems with names and targets."""


def flag(name: str) -> str:
    """How an option is written on the command line.

    >>> flag("early_goal")
    '--early-goal'
    """
    return "--" + name.replace("_", "-")


def algorithm(name: str) -> Algorithm:
    """The algorithm of that name, or an ``InputError`` with the nearest one.

    >>> algorithm("idastar").uses_heuristic
    True
    """
    if name not in ALGORITHMS:
        raise no_algorithm(name, ALGORITHMS)
    return ALGORITHMS[name]


def algorithms(problem: Problem | type[Problem]) -> dict[str, Algorithm]:
    """All that can search a problem, or the problems of a class: the generic ones and the specialists that serve it.

    A class inherits specialists as it inherits rules: one that changes the rules has none but those it says itself.

    >>> from procura import Sliding, Sudoku
    >>> [name for name in algorithms(Sudoku) if name not in algorithms(Sliding)]
    ['bands']
    """
    found = dict(ALGORITHMS)
    for specialist in problem.specialists if keeps_rules(problem) else ():
        if specialist.name in found:
            kind = problem if isinstance(problem, type) else type(problem)
            raise InputError(f"{kind.__name__}.specialists: there is an algorithm {specialist.name!r} already")
        found[specialist.name] = specialist
    return found


def game_algorithms(game: Game | type[Game]) -> dict[str, Algorithm]:
    """All that can analyse a game: the generic ones and its own.

    >>> from procura.puzzles.dots import DotsGame
    >>> list(game_algorithms(DotsGame))
    ['minimax', 'alphabeta', 'mcts', 'chains']
    """
    return {**GAME_ALGORITHMS, **{specialist.name: specialist for specialist in game.specialists}}


_RULES = ("start", "actions", "result", "is_goal", "cost", "moves", "apply", "solved")


def keeps_rules(problem: Problem | type[Problem]) -> bool:
    """Whether a problem has the rules of the class that says which specialists it has.

    >>> from procura import Sudoku
    >>> class Longer(Sudoku):
    ...     def start(self):
    ...         return [*super().start(), 0]
    >>> keeps_rules(Sudoku), keeps_rules(Longer)
    (True, False)
    """
    kind = problem if isinstance(problem, type) else type(problem)
    home = next(cls for cls in kind.__mro__ if "specialists" in vars(cls))
    own = () if isinstance(problem, type) else vars(problem)
    return all(getattr(kind, rule, None) is getattr(home, rule, None) and rule not in own for rule in _RULES)


def no_algorithm(name: str, known: Iterable[str], puzzle: str | None = None) -> InputError:
    """The error for a name that is not among the algorithms known, or known for a puzzle; says whom it serves.

    >>> str(no_algorithm("bands", ALGORITHMS, "sliding"))
    'bands solves sudoku only, not sliding'
    """
    for served in PUZZLES.values():
        if name in served.specialists:
            if puzzle == served.name:
                return InputError(f"{name} does not solve {puzzle} with these rules")
            return InputError(f"{name} solves {served.name} only" + ("" if puzzle is None else f", not {puzzle}"))
    return unknown("there is no algorithm", name, known)


def puzzle(name: str) -> Puzzle:
    """The puzzle of that name, or an ``InputError`` with the nearest one.

    >>> puzzle("slidng")
    Traceback (most recent call last):
    procura.errors.InputError: there is no puzzle 'slidng': did you mean 'sliding'?
    """
    if name not in PUZZLES:
        raise unknown("there is no puzzle", name, PUZZLES)
    return PUZZLES[name]


def entry_of(kind: type) -> Puzzle | None:
    """The entry of a class that ships with the package; None for any other.

    >>> from procura import Problem, Tetris
    >>> entry_of(Tetris).name, entry_of(Problem)
    ('tetris', None)
    """
    for entry in PUZZLES.values():
        module, _, name = entry.home.partition(":")
        if getattr(sys.modules.get(module), name, None) is kind:
            return entry
    return None
