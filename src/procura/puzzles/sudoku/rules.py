"""The rules of Sudoku: fill the empty cells so that no row, column or block holds a digit twice.

A row of a board of side N holds N*N cells (0 empty), then as payload the digits used in each row, column and
block (digit d is bit d - 1) and the number of empty cells::

    cells: N*N | rows: N | columns: N | blocks: N | empty: 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from math import isqrt
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.explanation import Explanation
from procura.problem import ArrayProblem, Estimate, Problem, kernel
from procura.puzzles.arguments import changed
from procura.puzzles.bits import ones
from procura.puzzles.sudoku.candidates import Grid
from procura.puzzles.sudoku.complete import SudokuFill
from procura.puzzles.sudoku.drawing import draw_board, svg_board
from procura.puzzles.sudoku.formats import SYMBOLS, blocks, read_board, split_boards, write_board, write_line
from procura.puzzles.sudoku.generator import generate
from procura.puzzles.sudoku.presets import PRESETS
from procura.puzzles.sudoku.samples import ALIASES, GROUPS, samples
from procura.puzzles.sudoku.solver import count_solutions
from procura.puzzles.sudoku.specialist import BANDS
from procura.texts import Source, Task

CHOICES = ("first", "fewest")


def empty(s: Any, data: Any, work: Any) -> Any:
    """The cells still to fill: each takes one step."""
    return s[data.empty_at[0]]


def empty_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    return h - 1


def candidates(s: Any, data: Any, cell: int) -> Any:
    """The digits that neither row, column nor block of the cell holds, as bits."""
    return data.every[0] & ~(s[data.row[cell]] | s[data.column[cell]] | s[data.block[cell]])


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
    auto = "bands"
    heuristics = HEURISTICS
    presets = PRESETS
    compared = ("auto", "report_astar", "iddfs", "annealing_constant", "genetic_bands")
    sample_groups = GROUPS
    sample_aliases = ALIASES
    specialists = (BANDS,)
    step_noun = "digit"
    attempt = "procura.puzzles.sudoku.play:SudokuAttempt"

    def __init__(self, board: Any, choice: str = "fewest") -> None:
        if choice not in CHOICES:
            raise InputError(f"choice {choice!r}: expected {' or '.join(CHOICES)}")
        self.givens, self.choice = read_board(board), choice
        self.side = self.rows = self.columns = isqrt(len(self.givens))
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
        cell = data.cell[move]
        digit = move - cell * data.side[0]
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
        for unit in range(data.empty_at[0] - 3 * data.side[0], data.empty_at[0]):
            if s[unit] != data.every[0]:
                return False
        return True

    def local(self) -> SudokuFill:
        """The same board filled at once, for annealing, genetic and hill."""
        return self._filled

    @cached_property
    def _filled(self) -> SudokuFill:
        return SudokuFill(self)

    def fills(self, full: Sequence[int]) -> list[list[int]]:
        """The actions, in their JSON form and in an order that ``choice`` allows, that lead to a full board."""
        grid = Grid(self.givens)
        empty = [cell for cell, digit in enumerate(self.givens) if not digit]
        counts = [bits.bit_count() for bits in grid.candidates]
        fills = []
        while empty:
            cell = min(empty, key=counts.__getitem__) if self.choice == "fewest" else empty[0]
            empty.remove(cell)
            digit = int(full[cell])
            bit = 1 << (digit - 1)
            for peer in grid.geometry.peers[cell]:
                if grid.candidates[peer] & bit:
                    grid.candidates[peer] ^= bit
                    counts[peer] -= 1
            fills.append([*divmod(cell, self.side), digit])
        return fills

    def count_solutions(self, most: int) -> int:
        """How many solutions the board has, counted up to ``most``.

        >>> Sudoku("1234 3412 2143 ....").count_solutions(10), Sudoku("123. ...4 .... ....").count_solutions(10)
        (1, 0)
        """
        return count_solutions(self.givens, most)

    def explain(self) -> Explanation:
        """The steps that a person would take, each with its reason, and how hard the board is.

        >>> explanation = Sudoku("1... ..2. .3.. ...4").explain()
        >>> explanation.steps[0].reason, explanation.rating
        ('in block 1 only r1c2 can hold 2', 'easy')
        """
        from procura.puzzles.sudoku.explaining import explain

        return explain(self.givens)

    @classmethod
    def generate(  # type: ignore[override]
        cls,
        seed: int,
        *,
        clues: int | None = None,
        side: int = 9,
        symmetric: bool = False,
        minimal: bool = False,
        difficulty: str | None = None,
    ) -> Sudoku:
        """A random board with exactly one solution; see ``generator.generate``."""
        return cls(generate(seed, clues, side, symmetric, minimal, difficulty))

    @classmethod
    def beatable(cls, given: Mapping[str, Any], against: str | None = None) -> dict[str, Any]:
        says_clues = given.get("side", 9) != 9 or given.get("minimal") or given.get("difficulty")
        return {} if says_clues else {"clues": 36}

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        return samples

    @classmethod
    def usual_boards(cls) -> Mapping[str, Problem]:
        return {"9x9": cls("." * 81)}

    @classmethod
    def from_text(cls, text: str, *, choice: str = "fewest") -> Sudoku:  # type: ignore[override]
        return cls(text, choice)

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        return split_boards(cls, source, options)

    @classmethod
    def is_line(cls, line: str) -> bool:
        return len("".join(line.split())) in (81, 256)

    def with_options(self, **options: Any) -> Sudoku:
        """The same board with another ``choice``."""
        return type(self)(self.givens, **changed(options, choice=self.choice))

    @cached_property
    def options(self) -> dict[str, Any]:
        return {} if self.choice == "fewest" else {"choice": self.choice}

    def board_text(self) -> str:
        return write_line(self.givens)

    def to_text(self, state: Any) -> str:
        return write_board(state[: self.key])

    def to_line(self, state: Any) -> str:
        return write_line(state[: self.key])

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
        raise InputError(f"digit {value!r}: expected [row, column, digit] on a board of side {self.side}")

    def action_text(self, value: Any) -> str:
        """Row, column and digit, counted from 1 and written as in the board: ``r1c4=5``, on 16x16 ``r1c3=C``."""
        row, column, digit = value
        return f"r{row + 1}c{column + 1}={SYMBOLS[digit]}"


@cache
def _tables(side: int, fewest: int) -> Any:
    """The constants of all boards of a side; ``cell``: of each move; ``row``, ``column``, ``block``: a cell's masks."""
    cells = side * side
    return Data(
        side=[side],
        fewest=[fewest],
        every=[(1 << side) - 1],
        empty_at=[cells + 3 * side],
        cell=[move // side for move in range(cells * side)],
        row=[cells + cell // side for cell in range(cells)],
        column=[cells + side + cell % side for cell in range(cells)],
        block=[cells + 2 * side + block for block in blocks(side)],
    )
