"""The rules of the sliding puzzle: the blank changes places with a neighbour until the goal is reached.

A row of a board with n cells holds the n tiles in reading order, 0 the blank, then the blank's position::

    1 2 3
    4 . 5    is    1 2 3 4 0 5 | 4
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, Estimate, kernel
from procura.puzzles.sliding.formats import read_board, read_goal, write_board

DIRECTIONS = "UDLR"
"""The blank's moves by number; ``move ^ 1`` takes ``move`` back."""


def manhattan(s: Any, data: Any, work: Any) -> Any:
    """Rows plus columns from each tile to its goal; the blank is not counted."""
    n = len(data.goal)
    total = 0
    for i in range(n):
        total += data.distance[s[i] * n + i]
    return total


def manhattan_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    n = len(data.goal)
    way = s[n] * 4 + move
    return h + data.change[way * n + s[data.target[way]]]


def misplaced(s: Any, data: Any, work: Any) -> Any:
    """Tiles that are not at their goal; the blank is not counted."""
    total = 0
    for i in range(len(data.goal)):
        total += s[i] != data.goal[i] and s[i] != 0
    return total


def misplaced_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    tile = s[after]
    return h + (tile != data.goal[blank]) - (tile != data.goal[after])


def report_h1(s: Any, data: Any, work: Any) -> Any:
    """The report's h1: misplaced tiles, the blank counted as one."""
    return misplaced(s, data, work) + (data.goal[s[len(data.goal)]] != 0)


def report_h1_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    return misplaced_step(s, data, work, move, h) + (data.goal[after] != 0) - (data.goal[blank] != 0)


def report_h3(s: Any, data: Any, work: Any) -> Any:
    """The report's h3: Manhattan distances, the blank's own included."""
    return manhattan(s, data, work) + data.blank_distance[s[len(data.goal)]]


def report_h3_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    return manhattan_step(s, data, work, move, h) + data.blank_distance[after] - data.blank_distance[blank]


HEURISTICS = {
    "manhattan": Estimate(
        manhattan,
        admissible=True,
        consistent=True,
        step=manhattan_step,
        about="rows plus columns from each tile to its goal",
    ),
    "misplaced": Estimate(
        misplaced,
        admissible=True,
        consistent=True,
        step=misplaced_step,
        about="tiles that are not at their goal",
    ),
    "report_h1": Estimate(report_h1, step=report_h1_step, about="the report's h1: misplaced, the blank counted too"),
    "report_h3": Estimate(report_h3, step=report_h3_step, about="the report's h3: Manhattan, the blank counted too"),
}


class Sliding(ArrayProblem):
    """Bring the tiles of ``board`` into the order of ``goal``; 0 is the blank.

    - ``board``: text (numbers between spaces, commas or newlines) or a flat or nested list;
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

    auto = "idastar:manhattan"
    heuristics = HEURISTICS

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
            data=_tables(self.rows, self.columns, self.goal),
        )

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
        return bool(_swaps(self.board, self.goal) % 2 == distance % 2)

    def proved_unsolvable(self) -> bool:
        """Whether the goal is out of reach; told at once, by parity."""
        return not self.solvable()

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, *, goal: Any = "blank-last", size: Any = None
    ) -> Sliding:
        return cls(text, goal, size)

    def to_text(self, state: Any) -> str:
        return write_board(state[: self.key], self.columns)

    def action_to_json(self, action: int) -> str:
        return DIRECTIONS[action]

    def action_from_json(self, value: Any) -> int:
        if value not in tuple(DIRECTIONS):
            raise InputError(f"move {value!r}: expected one of U, D, L, R")
        return DIRECTIONS.index(value)


@lru_cache(maxsize=16)
def _tables(rows: int, columns: int, goal: tuple[int, ...]) -> Any:
    """The constants of all boards with this goal.

    - ``goal[i]``: the tile that belongs at i
    - ``target[4 i + d]``: where direction d leads from i, -1 off the board
    - ``legal[4 i]`` and on: the directions that stay on the board, ``legal_count[i]`` of them
    - ``distance[n t + i]``: rows plus columns from i to the goal of tile t; 0 for the blank
    - ``blank_distance[i]``: the same for the blank
    - ``change[n (4 i + d) + t]``: how much farther from its goal tile t is at i than beside it in direction d
    """
    n = rows * columns
    places = [(row, column) for row in range(rows) for column in range(columns)]
    number = {place: i for i, place in enumerate(places)}
    target = [
        number.get((row + down, column + right), -1)
        for row, column in places
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    home = [places[goal.index(tile)] for tile in range(len(goal))]
    distance = [abs(row - r) + abs(column - c) for r, c in home for row, column in places]
    blank_distance = distance[:n]
    distance[:n] = [0] * n
    legal = [[d for d in range(4) if target[4 * i + d] >= 0] for i in range(n)]
    change = [
        0 if beside < 0 else distance[n * tile + i // 4] - distance[n * tile + beside]
        for i, beside in enumerate(target)
        for tile in range(n)
    ]
    return Data(
        goal=list(goal),
        target=target,
        legal=[d for ds in legal for d in (*ds, *[0] * (4 - len(ds)))],
        legal_count=[len(ds) for ds in legal],
        distance=distance,
        blank_distance=blank_distance,
        change=change,
    )


def _swaps(board: Sequence[int], goal: Sequence[int]) -> int:
    """How many swaps of two cells turn ``board`` into ``goal``."""
    cells, count = list(board), 0
    place = {tile: i for i, tile in enumerate(cells)}
    for i, tile in enumerate(goal):
        other = cells[i]
        if other != tile:
            cells[place[tile]], place[other] = other, place[tile]
            count += 1
    return count
