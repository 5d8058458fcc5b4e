"""Computers that play Dots and Boxes for two: easy, strong and perfect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from procura.control import Control, Event
from procura.errors import KernelError, unknown
from procura.preparing import Stopped, open_table
from procura.puzzles.dots.game import MOST, DotsGame
from procura.puzzles.dots.greedy import greedy_arc
from procura.puzzles.dots.positions import best_line, has_table, table_of
from procura.puzzles.dots.rules import Dots
from procura.result import Limits

if TYPE_CHECKING:
    from procura.puzzles.dots.chains_search import Solver

LEVELS = {"easy": "easy", "greedy": "easy", "strong": "strong", "perfect": "perfect"}
"""What players are called, and what they play like."""
STRONG = Limits(nodes=1_000_000, seconds=2.0)
PATIENT = Limits(seconds=60)
SMALL_TABLE = 1 << 20
FEW_LINES, FEW_SAFE = 31, 16
"""With no more free lines, or no more lines that give nothing away, a search is worth its time."""


class Choice(NamedTuple):
    """A line to draw, and what it is worth to who draws it, if that is proved."""

    line: int
    value: int | None = None


class Computer:
    """A player: ``easy`` takes what it can and gives away as little as it can; ``strong`` looks for a proof as soon as
    one can be had in two seconds, and plays like ``easy`` before that; ``perfect`` has a table of all positions of
    boards of up to 3x3 boxes, and on others looks for up to a minute where 31 lines or fewer are free, and so is
    perfect on 3x4 as well.

    >>> Computer(Dots("(((1) (0)) ((1) (0)))", 0), "easy").choice([1, 0, 1, 0]).line in (1, 3)
    True
    """

    def __init__(self, puzzle: Dots, level: str, seed: int = 0) -> None:
        if level not in LEVELS:
            raise unknown("there is no player", level, LEVELS)
        self.puzzle, self.level, self.seed = puzzle, LEVELS[level], seed
        self._solver: Solver | None = None

    def choice(self, arcs: Sequence[int], cancel: Callable[[], bool] | None = None) -> Choice:
        """What it draws where these lines are drawn; one of them is free."""
        free = [line for line, drawn in enumerate(arcs) if not drawn]
        proved = self._proved(arcs, free, cancel) if self.searches(arcs) else None
        if proved is not None:
            return proved
        data = self.puzzle.data
        return Choice(greedy_arc(arcs, data.sides, data.beside, (self.seed, len(arcs) - len(free))))

    def patient(self, arcs: Sequence[int]) -> bool:
        """Whether it may look for up to a minute where these lines are drawn."""
        return self.level == "perfect" and sum(not drawn for drawn in arcs) <= FEW_LINES

    def searches(self, arcs: Sequence[int]) -> bool:
        """Whether it looks for a proof where these lines are drawn."""
        free = [line for line, drawn in enumerate(arcs) if not drawn]
        few = len(free) <= FEW_LINES or (len(free) <= MOST and self._safe(arcs, free) <= FEW_SAFE)
        return few and self.level != "easy"

    def _proved(self, arcs: Sequence[int], free: list[int], cancel: Callable[[], bool] | None) -> Choice | None:
        """A best line, if it is found in time."""
        control = Control(PATIENT if self.patient(arcs) else STRONG, cancel=cancel)
        if self.level == "perfect" and has_table(self.puzzle):
            with suppress(Stopped, KernelError):
                values = open_table(table_of(self.puzzle.rows, self.puzzle.columns), control)
                return Choice(*best_line(self.puzzle, values, arcs, self._likely(arcs, free)))
        try:
            from procura.puzzles.dots import chains_search
        except ImportError:
            return None
        try:
            solver = self._ready(arcs, control)
            if solver is None:
                return None
            position = solver.position(arcs)
            value = solver.value(position)
            return Choice(solver.best(self._likely(arcs, free), value, position), value)
        except (chains_search.Stopped, KernelError):
            return None

    def _ready(self, arcs: Sequence[int], control: Control) -> Solver | None:
        """The solver of this game, made when the board is small enough for it."""
        from procura.puzzles.dots.chains_search import Solver

        known = self._solver
        if known is not None and all(drawn or line in known.number for line, drawn in enumerate(arcs)):
            known.begin(control)
            return known
        across, down, first = self.puzzle.columns, self.puzzle.rows, self.puzzle.first_vertical
        horizontals = [list(arcs[i : i + across]) for i in range(0, first, across)]
        game = DotsGame([horizontals, [list(arcs[i : i + down]) for i in range(first, len(arcs), down)]])
        if game.auto != "chains":
            return None
        self._solver = Solver(game, game.initial, control, None if self.level == "perfect" else SMALL_TABLE)
        return self._solver

    def _safe(self, arcs: Sequence[int], free: list[int]) -> int:
        """How many free lines give nothing away."""
        return sum(not self._touches(arcs, line, (2, 3)) for line in free)

    def _likely(self, arcs: Sequence[int], free: list[int]) -> list[int]:
        """The free lines, those that close a box first, then those that give nothing away."""
        return sorted(free, key=lambda line: (not self._touches(arcs, line, (3,)), self._touches(arcs, line, (2,))))

    def _touches(self, arcs: Sequence[int], line: int, counts: tuple[int, ...]) -> bool:
        """Whether a box beside a line has so many lines drawn."""
        data = self.puzzle.data
        boxes = [box for box in data.beside[2 * line : 2 * line + 2] if box >= 0]
        return any(sum(arcs[side] for side in data.sides[4 * box : 4 * box + 4]) in counts for box in boxes)


def compile_solver(tell: Callable[[Event], None] | None = None) -> None:
    """Compile what players search with, or find it compiled; it is the same for all boards."""
    from procura.puzzles.dots.chains_search import Solver

    game = DotsGame([[[0], [0]], [[0], [0]]])
    Solver(game, game.initial, Control(on_event=tell, events=["progress"]), SMALL_TABLE)


class Played(NamedTuple):
    """A game of two computers: the boxes of each."""

    first: int
    second: int


def play_game(puzzle: Dots, first: Computer, second: Computer) -> Played:
    """Let two computers play a board to its end.

    >>> board = Dots([[[0], [0]], [[0], [0]]], 0)
    >>> play_game(board, Computer(board, "easy"), Computer(board, "greedy"))
    Played(first=0, second=1)
    """
    game: Any = DotsGame(list(puzzle.board))
    state = game.initial
    while not game.is_over(state):
        player = second if game.to_move(state) else first
        state = game.result(state, player.choice(state[: game.lines]).line)
    closed, ahead = game.most, game.score(state)
    return Played((closed + ahead) // 2, (closed - ahead) // 2)
