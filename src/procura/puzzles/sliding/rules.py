"""The rules of the sliding puzzle: the blank changes places with a neighbour until the goal is reached.

A row of a board with n cells holds the n tiles in reading order, 0 the blank, then the blank's position::

    1 2 3
    4 . 5    is    1 2 3 4 0 5 | 4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from procura.errors import InputError
from procura.problem import ArrayProblem, Problem, Tuning, kernel
from procura.puzzles.arguments import changed, whole
from procura.puzzles.sliding.drawing import draw_board, svg_board
from procura.puzzles.sliding.formats import goal_name, read_board, read_goal, read_shape, split_boards, write_board
from procura.puzzles.sliding.generator import swapped, walked
from procura.puzzles.sliding.heuristics import HEURISTICS, heuristics_of
from procura.puzzles.sliding.lookup import MOST_TILES
from procura.puzzles.sliding.presets import PRESETS
from procura.puzzles.sliding.samples import ALIASES, GROUPS, samples
from procura.puzzles.sliding.specialist import PDB
from procura.puzzles.sliding.tables import tables
from procura.rng import shuffled, stream
from procura.texts import Source, Task

BEATABLE_MOVES = 40
"""Random moves from the goal on boards larger than 3x3 that somebody is to solve by hand."""
DIRECTIONS = "UDLR"
"""The blank's moves by number; ``move ^ 1`` takes ``move`` back."""


class Sliding(ArrayProblem):
    """Bring the tiles of ``board`` into the order of ``goal``; 0 is the blank.

    - ``board``: text (numbers between spaces, commas, newlines or ``/`` between rows) or a flat or nested list;
    - ``goal``: ``"blank-last"``, ``"blank-first"``, ``"spiral"`` or numbers like those of a board;
    - ``size``: ``(rows, columns)`` or ``"3x4"``; by default the lines of the board if it has several of equal
      length, else a square.

    >>> puzzle = Sliding("1 2 3 4 0 6 7 5 8")
    >>> [puzzle.action_to_json(move) for move in puzzle.actions(puzzle.initial)]
    ['U', 'D', 'L', 'R']
    >>> print(puzzle.to_text(puzzle.result(puzzle.initial, 1)))
    1 2 3
    4 5 6
    7 . 8
    """

    auto = "pdb"
    heuristics = HEURISTICS
    presets = PRESETS
    compared = ("auto", "astar:manhattan", "astar:linear_conflict", "idastar:manhattan", "greedy:manhattan")
    sample_groups = GROUPS
    sample_aliases = ALIASES
    tuning = Tuning("astar,ties=high_g", "report_h4", "expansions", "shares", generator={"goal": "spiral", "moves": 24})
    specialists = (PDB,)
    attempt = "procura.puzzles.sliding.play:SlidingAttempt"

    def __init__(self, board: Any, goal: Any = "blank-last", size: Any = None) -> None:
        self.rows, self.columns, self.board = read_board(board, size)
        self.goal = read_goal(goal, self.rows, self.columns)
        n = len(self.board)
        super().__init__(
            size=n + 1,
            key=n,
            bits=(n - 1).bit_length(),
            dtype="int8" if n <= 127 else "int16",
            max_moves=4,
            scratch=max(2 * self.rows, 2 * self.columns, MOST_TILES),
            data=tables(self.rows, self.columns, self.goal),
        )
        self.heuristics = heuristics_of(self.rows, self.columns)

    def start(self) -> Sequence[int]:
        return [*self.board, self.board.index(0)]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        blank = s[len(data.goal)]
        for i in range(4):
            out[i] = data.legal[blank * 4 + i]
        return data.legal_count[blank]

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        n = len(data.goal)
        blank = s[n]
        target = data.target[blank * 4 + move]
        s[blank] = s[target]
        s[target] = 0
        s[n] = target
        return 1

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        for i in range(len(data.goal)):
            if s[i] != data.goal[i]:
                return False
        return True

    @kernel
    def inverse(data: Any, move: int) -> int:
        return move ^ 1

    def solvable(self) -> bool:
        """Whether the goal can be reached, told by parity.

        A move is one swap and takes the blank one step, so the swaps that turn the board into the goal must
        be odd in number if and only if the blank's steps are. On grids from 2x2 that is also enough.
        """
        distance = self.data.blank_distance[self.board.index(0)]
        return bool(swaps(self.board, self.goal) % 2 == distance % 2)

    def why_unsolvable(self) -> str | None:
        if self.solvable():
            return None
        cells, size = [int(tile) for tile in self.board], (self.rows, self.columns)
        others = [name for name in ("blank-last", "blank-first") if Sliding(cells, name, size).solvable()]
        which = f"; this one can reach {others[0]}" if others else ""
        return f"by parity: half of all boards cannot reach this goal{which}"

    @classmethod
    def generate(  # type: ignore[override]
        cls, seed: int, *, size: Any = "4x4", goal: Any = "blank-last", moves: int | None = None
    ) -> Sliding:
        """A random board: any that can be solved, each as likely, or the one so many random moves from the goal.

        None of those moves takes the last one back.

        >>> Sliding.generate(1, size="2x3", moves=2).board_text()
        '1 2 3 / 0 4 5'
        """
        rng = [stream(whole("seed", seed))]
        shape = read_shape(size)
        target = read_goal(goal, *shape)
        if moves is not None:
            solved = cls(target, target, shape)
            return cls(walked(solved, moves, rng)[: solved.key], target, shape)
        board = cls(shuffled(rng, target), target, shape)
        return board if board.solvable() else cls(swapped(board.board), target, shape)

    @classmethod
    def beatable(cls, given: Mapping[str, Any], against: str | None = None) -> dict[str, Any]:
        larger = given.get("size", "3x3") != "3x3"
        return {"size": "3x3", **({"moves": BEATABLE_MOVES} if larger else {})}

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        return samples

    @classmethod
    def usual_boards(cls) -> Mapping[str, Problem]:
        return {"3x3": cls([1, 2, 3, 4, 5, 6, 7, 0, 8]), "4x4": cls([*range(1, 15), 0, 15])}

    def with_options(self, **options: Any) -> Sliding:
        """The same board with another ``goal``, or its numbers on a board of another ``size``."""
        return type(self)(self.board, **changed(options, goal=self.goal, size=(self.rows, self.columns)))

    @cached_property
    def options(self) -> dict[str, Any]:
        """The goal, by name if it has one, and the size of a board that is no square."""
        goal = goal_name(self.goal, self.rows, self.columns)
        size = {} if self.rows == self.columns else {"size": f"{self.rows}x{self.columns}"}
        return size if goal == "blank-last" else {"goal": goal, **size}

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, *, goal: Any = "blank-last", size: Any = None
    ) -> Sliding:
        return cls(text, goal, size)

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        return split_boards(cls, source, options)

    def to_text(self, state: Any) -> str:
        return write_board(state[: self.key], self.columns)

    def board_text(self) -> str:
        """The numbers on one line, with ``/`` between the rows of a board that is no square."""
        rows = [self.board[i : i + self.columns] for i in range(0, len(self.board), self.columns)]
        between = " " if self.rows == self.columns else " / "
        return between.join(" ".join(map(str, row)) for row in rows)

    def draw(self, state: Any) -> str:
        return draw_board(state[: self.key], self.columns)

    def page_facts(self) -> dict[str, Any]:
        return {"goal": list(self.goal)}

    def to_svg(self, state: Any) -> str:
        return svg_board(state[: self.key], self.goal, self.columns)

    def action_to_json(self, action: int) -> str:
        return DIRECTIONS[action]

    def action_from_json(self, value: Any) -> int:
        if value not in tuple(DIRECTIONS):
            raise InputError(f"move {value!r}: expected one of U, D, L, R")
        return DIRECTIONS.index(value)


def swaps(board: Sequence[int], goal: Sequence[int]) -> int:
    """How many swaps of two cells turn ``board`` into ``goal``."""
    cells, count = list(board), 0
    place = {tile: i for i, tile in enumerate(cells)}
    for i, tile in enumerate(goal):
        other = cells[i]
        if other != tile:
            cells[place[tile]], place[other] = other, place[tile]
            count += 1
    return count
