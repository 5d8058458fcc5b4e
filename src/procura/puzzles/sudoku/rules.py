"""The rules of Sudoku: fill the empty cells so that no row, column or block holds a digit twice.

A row of a board of side N holds N*N cells (0 empty), then as payload the digits used in each row, column and
block (digit d is bit d - 1) and the number of empty cells::

    cells: N*N | rows: N | columns: N | blocks: N | empty: 1
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isqrt
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, Estimate, kernel
from procura.puzzles.arguments import changed
from procura.puzzles.bits import ones
from procura.puzzles.sudoku.complete import SudokuFill
from procura.puzzles.sudoku.counting import candidates, count_solutions
from procura.puzzles.sudoku.drawing import draw_board, svg_board
from procura.puzzles.sudoku.formats import blocks, read_board, write_board, write_line
from procura.puzzles.sudoku.generator import generate
from procura.puzzles.sudoku.presets import PRESETS

CHOICES = ("first", "fewest")


def empty(s: Any, data: Any, work: Any) -> Any:
    """The cells still to fill: each takes one step."""
    return s[data.empty_at[0]]


def empty_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    return h - 1


def first_empty(s: Any, data: Any) -> int:
    """The first empty cell in reading order; the board has one."""
    for cell in range(len(data.row)):
        if s[cell] == 0:
            return cell
    return 0


def fewest_candidates(s: Any, data: Any) -> int:
    """The empty cell with the fewest candidates, the first among equals; the board has one."""
    best, least = 0, 99
    for cell in range(len(data.row)):
        if s[cell] == 0:
            count = ones(candidates(s, data, cell))
            if count < least:
                best, least = cell, count
                if count == 0:
                    break
    return best


HEURISTICS = {
    "empty": Estimate(empty, admissible=True, consistent=True, step=empty_step, about="the number of empty cells"),
}


class Sudoku(ArrayProblem):
    """Fill a board one cell a step: all digits the rules allow in one empty cell, in ascending order.

    - ``board``: text of 16, 81 or 256 cells, or a list; see ``formats.read_board``
    - ``choice``: the cell to fill, the one with the ``"fewest"`` candidates (the first among equals) or the
      ``"first"`` empty one in reading order

    >>> puzzle = Sudoku("1234 3412 2143 43..")
    >>> [puzzle.action_to_json(move) for move in puzzle.actions(puzzle.initial)]
    [[3, 2, 2]]
    """

    acyclic = True
    any_solution_will_do = True
    auto = "dfs"
    heuristics = HEURISTICS
    presets = PRESETS

    def __init__(self, board: Any, choice: str = "fewest") -> None:
        if choice not in CHOICES:
            raise InputError(f"choice {choice!r}: expected {' or '.join(CHOICES)}")
        self.givens, self.choice = read_board(board), choice
        self.side = isqrt(len(self.givens))
        super().__init__(
            size=len(self.givens) + 3 * self.side + 1,
            key=len(self.givens),
            bits=self.side.bit_length(),
            dtype="int32" if self.side == 16 else "int16",
            max_moves=self.side,
            data=_tables(self.side, int(choice == "fewest")),
        )

    def start(self) -> Sequence[int]:
        row = [*self.givens, *[0] * (3 * self.side), self.givens.count(0)]
        for cell, digit in enumerate(self.givens):
            if digit:
                for unit in (self.data.row, self.data.column, self.data.block):
                    row[unit[cell]] |= 1 << (digit - 1)
        return row

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        if s[data.empty_at[0]] == 0:
            return 0
        cell = fewest_candidates(s, data) if data.fewest[0] else first_empty(s, data)
        digits = candidates(s, data, cell)
        side = data.side[0]
        count = 0
        for digit in range(side):
            if (digits >> digit) & 1:
                out[count] = cell * side + digit
                count += 1
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        cell = move // data.side[0]
        digit = move % data.side[0]
        s[cell] = digit + 1
        s[data.row[cell]] |= 1 << digit
        s[data.column[cell]] |= 1 << digit
        s[data.block[cell]] |= 1 << digit
        s[data.empty_at[0]] -= 1
        return 1

    @kernel
    def solved(s: Any, data: Any, work: Any) -> Any:
        """No cell is empty, and no row, column or block lacks a digit."""
        if s[data.empty_at[0]] != 0:
            return False
        every = data.every[0]
        for cell in range(len(data.row)):
            if s[data.row[cell]] != every or s[data.column[cell]] != every or s[data.block[cell]] != every:
                return False
        return True

    def local(self) -> SudokuFill:
        """The same board filled at once, for annealing, genetic and hill."""
        return SudokuFill(self)

    def fills(self, full: Sequence[int]) -> list[list[int]]:
        """The actions, in their JSON form and in an order that ``choice`` allows, that lead to a full board."""
        state, fills = self.initial, []
        while moves := self.actions(state):
            cell = moves[0] // self.side
            move = cell * self.side + int(full[cell]) - 1
            fills.append(self.action_to_json(move))
            state = self.result(state, move)
        return fills

    def count_solutions(self, most: int) -> int:
        """How many solutions the board has, counted up to ``most``.

        >>> Sudoku("1234 3412 2143 ....").count_solutions(10), Sudoku("123. ...4 .... ....").count_solutions(10)
        (1, 0)
        """
        return count_solutions(self.givens, most)

    @classmethod
    def generate(  # type: ignore[override]
        cls, seed: int, *, clues: int | None = None, side: int = 9, symmetric: bool = False
    ) -> Sudoku:
        """A random board with exactly one solution; see ``generator.generate``."""
        return cls(generate(seed, clues, side, symmetric))

    @classmethod
    def from_text(cls, text: str, *, choice: str = "fewest") -> Sudoku:  # type: ignore[override]
        return cls(text, choice)

    def with_options(self, **options: Any) -> Sudoku:
        """The same board with another ``choice``."""
        return type(self)(self.givens, **changed(options, choice=self.choice))

    def board_text(self) -> str:
        return write_line(self.givens)

    def to_text(self, state: Any) -> str:
        return write_board(state[: self.key])

    def draw(self, state: Any) -> str:
        return draw_board(state[: self.key])

    def to_svg(self, state: Any) -> str:
        return svg_board(state[: self.key], self.givens)

    def action_to_json(self, action: int) -> list[int]:
        cell, digit = divmod(action, self.side)
        return [cell // self.side, cell % self.side, digit + 1]

    def action_from_json(self, value: Any) -> int:
        try:
            row, column, digit = value
            if row in range(self.side) and column in range(self.side) and digit - 1 in range(self.side):
                return (int(row) * self.side + int(column)) * self.side + int(digit) - 1
        except (TypeError, ValueError):
            pass
        raise InputError(f"fill {value!r}: expected [row, column, digit] on a board of side {self.side}")


@cache
def _tables(side: int, fewest: int) -> Any:
    """The constants of all boards of a side; ``row``, ``column``, ``block``: where a cell's masks stand."""
    cells = side * side
    return Data(
        side=[side],
        fewest=[fewest],
        every=[(1 << side) - 1],
        empty_at=[cells + 3 * side],
        row=[cells + cell // side for cell in range(cells)],
        column=[cells + side + cell % side for cell in range(cells)],
        block=[cells + 2 * side + block for block in blocks(side)],
    )
