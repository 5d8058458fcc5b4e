"""Sudoku for local search: every block holds its digits, and swaps inside blocks repair rows and columns.

A row of a board of side N holds N*N cells, then as payload the count of each digit in each row and column::

    cells: N*N | row 0: digits 1..N | row 1 ... | column 0: digits 1..N | column 1 ...

The energy of a fill is the number of repeated digits in its rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import isqrt
from typing import TYPE_CHECKING, Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, kernel
from procura.puzzles.sudoku.formats import blocks as blocks_of
from procura.rng import below

if TYPE_CHECKING:
    from procura.puzzles.sudoku.rules import Sudoku


def recount(s: Any, data: Any) -> None:
    """Count the digits of every row and column afresh."""
    cells = len(data.row)
    for i in range(cells, 3 * cells):
        s[i] = 0
    for cell in range(cells):
        s[data.row[cell] + s[cell]] += 1
        s[data.column[cell] + s[cell]] += 1


def exchange(s: Any, base: int, out: int, into: int) -> Any:
    """Replace one digit by another in the counts that follow ``base``; return the change of repeats."""
    s[base + out] -= 1
    difference = (s[base + into] >= 1) - (s[base + out] >= 1)
    s[base + into] += 1
    return difference


def swap(s: Any, data: Any, move: int) -> Any:
    """Swap the two cells of pair ``move``; return the change of energy.

    In a row or column that the cells share, the second exchange takes the first one back.
    """
    first = data.first[move]
    second = data.second[move]
    a = s[first]
    b = s[second]
    s[first] = b
    s[second] = a
    rows = exchange(s, data.row[first], a, b) + exchange(s, data.row[second], b, a)
    columns = exchange(s, data.column[first], a, b) + exchange(s, data.column[second], b, a)
    return rows + columns


def foreseen(s: Any, one: int, other: int, a: int, b: int) -> Any:
    """By how much the repeats change if ``a`` of one row or column and ``b`` of another change places."""
    gained = (s[one + b] >= 1) + (s[other + a] >= 1)
    lost = (s[one + a] >= 2) + (s[other + b] >= 2)
    return (one != other) * (gained - lost)


def repeats(s: Any, data: Any) -> Any:
    """The energy, from the counts."""
    cells = len(data.row)
    total = 0
    for i in range(cells, 3 * cells):
        if s[i] > 1:
            total += s[i] - 1
    return total


def cross_blocks(a: Any, b: Any, child: Any, data: Any, work: Any, rng: Any) -> None:
    """The first n blocks of one parent and the rest of the other, n from 1 to all but one."""
    n = 1 + below(rng, len(data.blocks) - 2)
    for cell in range(len(data.block)):
        child[cell] = a[cell] if data.block[cell] < n else b[cell]
    recount(child, data)


def cross_bands(a: Any, b: Any, child: Any, data: Any, work: Any, rng: Any) -> None:
    """Every band from the parent whose rows repeat fewer digits in it, or every stack by its columns.

    A coin says whether bands or stacks, and which parent if both are as good.
    """
    cells = len(data.row)
    side = len(data.blocks) - 1
    width = data.width[0]
    stacks = below(rng, 2)
    from_a = 0
    for k in range(width):
        begin = (1 + stacks) * cells + k * width * side
        better = 0
        for i in range(begin, begin + width * side):
            better += (b[i] - 1 if b[i] > 1 else 0) - (a[i] - 1 if a[i] > 1 else 0)
        if better > 0 or (better == 0 and below(rng, 2) == 0):
            from_a |= 1 << k
    for cell in range(cells):
        k = data.stack[cell] if stacks else data.band[cell]
        child[cell] = a[cell] if (from_a >> k) & 1 else b[cell]
    recount(child, data)


class SudokuFill(ArrayProblem):
    """A Sudoku whose blocks are filled with their missing digits; a move swaps two free cells of a block.

    A move is the number of a pair of cells, ``data.first`` and ``data.second``. The pairs of one block follow
    each other, and ``data.pairs`` tells where those of each block with two free cells or more begin.
    """

    cross = kernel(cross_blocks)
    crossovers = {"blocks": cross_blocks, "bands": cross_bands}
    name = "Sudoku"  # messages speak of the puzzle

    def __init__(self, sudoku: Sudoku) -> None:
        self.sudoku = sudoku
        self.perfect_score = len(sudoku.givens)
        side, cells = sudoku.side, len(sudoku.givens)
        self._fill = list(sudoku.givens)
        free: list[int] = []
        blocks, pairs = [0], [0]
        first: list[int] = []
        second: list[int] = []
        for inside in _cells_of_blocks(side):
            missing = sorted(set(range(1, side + 1)).difference(sudoku.givens[cell] for cell in inside))
            empty = [cell for cell in inside if sudoku.givens[cell] == 0]
            for cell, digit in zip(empty, missing, strict=True):
                self._fill[cell] = digit
            free += empty
            blocks.append(len(free))
            for one, other in combinations(empty, 2):
                first.append(one)
                second.append(other)
            if len(empty) > 1:
                pairs.append(len(first))
        self._pairs = list(zip(first, second, strict=True))
        super().__init__(
            size=3 * cells,
            key=cells,
            bits=side.bit_length(),
            max_moves=max(1, len(first)),
            data=Data(
                first=first or [0],  # a board with nothing to swap gets one pair that changes nothing
                second=second or [0],
                pairs=pairs,
                fill=self._fill,
                free=free,
                blocks=blocks,
                **_tables(side),
            ),
        )

    def start(self) -> Sequence[int]:
        row = [*self._fill, *[0] * (2 * len(self._fill))]
        recount(row, self.data)
        return row

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> Any:
        count = data.pairs[len(data.pairs) - 1]
        for move in range(count):
            out[move] = move
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        swap(s, data, move)
        return 1

    @kernel
    def inverse(data: Any, move: int) -> int:
        return move

    @kernel
    def solved(s: Any, data: Any, work: Any) -> Any:
        return repeats(s, data) == 0

    @kernel
    def randomise(s: Any, data: Any, work: Any, rng: Any) -> None:
        """Shuffle the missing digits of every block."""
        for cell in range(len(data.fill)):
            s[cell] = data.fill[cell]
        for k in range(len(data.blocks) - 1):
            begin = data.blocks[k]
            for i in range(data.blocks[k + 1] - 1, begin, -1):
                one = data.free[i]
                other = data.free[begin + below(rng, i - begin + 1)]
                digit = s[one]
                s[one] = s[other]
                s[other] = digit
        recount(s, data)

    @kernel
    def propose(s: Any, data: Any, work: Any, rng: Any) -> Any:
        """Any block with two free cells or more, then any two of them."""
        blocks = len(data.pairs) - 1
        if blocks == 0:
            return 0
        k = below(rng, blocks)
        return data.pairs[k] + below(rng, data.pairs[k + 1] - data.pairs[k])

    @kernel
    def change(s: Any, data: Any, work: Any, move: int) -> Any:
        return swap(s, data, move)

    @kernel
    def revert(s: Any, data: Any, work: Any, move: int) -> None:
        swap(s, data, move)

    @kernel
    def preview(s: Any, data: Any, work: Any, move: int) -> Any:
        first = data.first[move]
        second = data.second[move]
        a = s[first]
        b = s[second]
        return foreseen(s, data.row[first], data.row[second], a, b) + foreseen(
            s, data.column[first], data.column[second], a, b
        )

    @kernel
    def energy(s: Any, data: Any, work: Any) -> Any:
        return repeats(s, data)

    def solution_actions(self, state: Sequence[int]) -> list[list[int]]:
        """A solution as actions of the original Sudoku in their JSON form, in reading order."""
        empty = [cell for cell, digit in enumerate(self.sudoku.givens) if not digit]
        return [[*divmod(cell, self.sudoku.side), int(state[cell])] for cell in empty]

    def to_text(self, state: Any) -> str:
        return self.sudoku.to_text(state)

    def draw(self, state: Any) -> str:
        return self.sudoku.draw(state)

    def to_svg(self, state: Any) -> str:
        return self.sudoku.to_svg(state)

    def action_to_json(self, action: int) -> list[int]:
        """The two cells swapped, as ``[row, column, row, column]``."""
        first, second = self._pairs[action]
        return [*divmod(first, self.sudoku.side), *divmod(second, self.sudoku.side)]

    def action_from_json(self, value: Any) -> int:
        for move in range(len(self._pairs)):
            if self.action_to_json(move) == value:
                return move
        raise InputError(f"swap {value!r}: expected [row, column, row, column] of two free cells of a block")


@cache
def _tables(side: int) -> dict[str, list[int]]:
    """The constants of all boards of a side: of each cell its block, band and stack, and where the counts of its row
    and column begin.
    """
    cells, width = side * side, isqrt(side)
    return {
        "width": [width],
        "block": blocks_of(side),
        "band": [block // width for block in blocks_of(side)],
        "stack": [block % width for block in blocks_of(side)],
        "row": [cells + cell // side * side - 1 for cell in range(cells)],
        "column": [2 * cells + cell % side * side - 1 for cell in range(cells)],
    }


@cache
def _cells_of_blocks(side: int) -> list[list[int]]:
    """The cells of each block."""
    return [[cell for cell, block in enumerate(blocks_of(side)) if block == k] for k in range(side)]
