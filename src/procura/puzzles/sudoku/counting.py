"""How many solutions a Sudoku has: a depth-first count on bitmasks that also fills boards and digs holes.

The kernels run interpreted (lists) and compiled (arrays) and count node for node alike. A board under way is ``b``::

    cells: the digits, 0 empty            trail: the cells filled, in order
    used: digits used in rows, columns and blocks, digit d as bit d - 1
    marks: three numbers a branch: the length of the trail before it, its cell, the digits left to try
    counts: see FILLED .. NODES           solution: the cells of the last solution found

Between branches every cell with one candidate and every digit with one place in a unit is filled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import isqrt
from typing import Any

from procura.data import Data
from procura.debug import debugging
from procura.errors import InputError
from procura.puzzles.arguments import whole
from procura.puzzles.bits import ones
from procura.puzzles.sudoku.formats import blocks, units

FILLED, BRANCHES, FOUND, NODES = range(4)
MORE, ALL = 0, 1
"""What ``count`` returns: it can go on, or it has seen every solution."""

INTERPRETED_NODES = 1000
"""Boards that take more are counted compiled: it takes longer to begin and is about a hundred times as fast."""
SLICE_NODES = 100_000
MOST_NODES = 10_000_000

_kernels: dict[tuple[str, bool], Callable[..., Any]] = {}
"""Those compiled in this process, by name and whether in debug; they serve boards of every side."""


def candidates(used: Any, t: Any, cell: int) -> Any:
    """The digits that neither row, column nor block of the cell uses, as bits; ``t`` tells where these stand."""
    return t.every[0] & ~(used[t.row[cell]] | used[t.column[cell]] | used[t.block[cell]])


def fill(b: Any, t: Any, cell: int, bit: int) -> None:
    """Put the digit of ``bit`` into an empty cell."""
    b.cells[cell] = ones(bit - 1) + 1
    b.used[t.row[cell]] |= bit
    b.used[t.column[cell]] |= bit
    b.used[t.block[cell]] |= bit
    b.trail[b.counts[FILLED]] = cell
    b.counts[FILLED] += 1


def empty_again(b: Any, t: Any, length: int) -> None:
    """Take back all but the first ``length`` fills."""
    while b.counts[FILLED] > length:
        b.counts[FILLED] -= 1
        cell = b.trail[b.counts[FILLED]]
        other = ~(1 << (b.cells[cell] - 1))
        b.used[t.row[cell]] &= other
        b.used[t.column[cell]] &= other
        b.used[t.block[cell]] &= other
        b.cells[cell] = 0


def begin(b: Any, t: Any, puzzle: Any) -> None:
    """Set up the board of ``puzzle``, whose givens do not contradict each other."""
    for unit in range(len(b.used)):
        b.used[unit] = 0
    for i in range(len(b.counts)):
        b.counts[i] = 0
    for cell in range(len(b.cells)):
        b.cells[cell] = 0
    for cell in range(len(b.cells)):
        if puzzle[cell] != 0:
            fill(b, t, cell, 1 << (puzzle[cell] - 1))


def fill_lone_candidates(b: Any, t: Any) -> int:
    """Fill every cell that has one candidate; return the cell with the fewest of the rest, -1 if a cell has none.

    If nothing is left to fill, the cell returned is the number of cells.
    """
    best, least = len(b.cells), 99
    for cell in range(len(b.cells)):
        if b.cells[cell] == 0:
            bits = candidates(b.used, t, cell)
            if bits == 0:
                return -1
            if bits & (bits - 1) == 0:
                fill(b, t, cell, bits)
            elif least > 2:
                number = ones(bits)
                if number < least:
                    best, least = cell, number
    return best


def fill_lone_places(b: Any, t: Any) -> bool:
    """Fill every digit that has one place in a row, column or block; whether every digit has a place."""
    side = t.side[0]
    for unit in range(len(b.used)):
        if b.used[unit] == t.every[0]:
            continue
        once, twice = 0, 0
        for i in range(unit * side, (unit + 1) * side):
            if b.cells[t.units[i]] == 0:
                bits = candidates(b.used, t, t.units[i])
                twice |= once & bits
                once |= bits
        if once | b.used[unit] != t.every[0]:
            return False
        once &= ~twice
        if once == 0:
            continue
        for i in range(unit * side, (unit + 1) * side):
            cell = t.units[i]
            if b.cells[cell] == 0:
                bits = candidates(b.used, t, cell) & once
                if bits & (bits - 1) != 0:
                    return False
                if bits != 0:
                    fill(b, t, cell, bits)
    return True


def settle(b: Any, t: Any) -> int:
    """Fill all that follows at once; return the cell to branch on, -1 at a contradiction, all cells if full."""
    while True:
        before = b.counts[FILLED]
        cell = fill_lone_candidates(b, t)
        if cell < 0 or b.counts[FILLED] == len(b.cells):
            return cell
        if b.counts[FILLED] == before:
            if not fill_lone_places(b, t):
                return -1
            if b.counts[FILLED] == before:
                return cell


def next_branch(b: Any, t: Any) -> bool:
    """Go back to the last branch with a digit left and try it; False if there is none."""
    while b.counts[BRANCHES] > 0:
        mark = 3 * (b.counts[BRANCHES] - 1)
        empty_again(b, t, b.marks[mark])
        left = b.marks[mark + 2]
        if left != 0:
            bit = left & -left
            b.marks[mark + 2] = left ^ bit
            fill(b, t, b.marks[mark + 1], bit)
            return True
        b.counts[BRANCHES] -= 1
    return False


def count(b: Any, t: Any, most: int, until: int) -> int:
    """Count solutions from where ``b`` stands up to ``most`` or to ``until`` nodes: MORE or ALL.

    A board that has just begun and one that was left at MORE are both gone on with.
    """
    while b.counts[FOUND] < most and b.counts[NODES] < until:
        b.counts[NODES] += 1
        cell = settle(b, t)
        if cell == len(b.cells):
            b.counts[FOUND] += 1
            for i in range(len(b.cells)):
                b.solution[i] = b.cells[i]
        elif cell >= 0:
            mark = 3 * b.counts[BRANCHES]
            b.marks[mark] = b.counts[FILLED]
            b.marks[mark + 1] = cell
            b.marks[mark + 2] = candidates(b.used, t, cell)
            b.counts[BRANCHES] += 1
        if not next_branch(b, t):
            return ALL
    return MORE


def dig(b: Any, t: Any, puzzle: Any, order: Any, mate: Any, clues: int, patience: int) -> Any:
    """Empty cells of ``puzzle``, each with its mate, while it keeps its one solution; return the clues left.

    A cell stays if more than ``patience`` nodes are needed to tell.
    """
    left = 0
    for cell in range(len(puzzle)):
        left += puzzle[cell] != 0
    for k in range(len(order)):
        if left <= clues:
            break
        cell, other = order[k], mate[order[k]]
        step = 1 if cell == other else 2
        if puzzle[cell] == 0 or left - step < clues:
            continue
        digit, its = puzzle[cell], puzzle[other]
        puzzle[cell] = 0
        puzzle[other] = 0
        begin(b, t, puzzle)
        if count(b, t, 2, patience) == ALL and b.counts[FOUND] == 1:
            left -= step
        else:
            puzzle[cell] = digit
            puzzle[other] = its
    return left


@cache
def tables(side: int) -> Any:
    """What every board of a side has in common: where a cell's units stand in ``used``, the cells of each unit."""
    cells = side * side
    kinds = [[cells for name, cells in units(side) if name.startswith(kind)] for kind in ("row", "column", "block")]
    return Data(
        side=[side],
        every=[(1 << side) - 1],
        row=[cell // side for cell in range(cells)],
        column=[side + cell % side for cell in range(cells)],
        block=[2 * side + block for block in blocks(side)],
        units=[cell for kind in kinds for unit in kind for cell in unit],
    )


def new_board(side: int) -> Any:
    """A board for the kernels to work on."""
    cells = side * side
    return Data(
        cells=[0] * cells, used=[0] * (3 * side), trail=[0] * cells, marks=[0] * (3 * cells), counts=[0] * 4,
        solution=[0] * cells,
    )  # fmt: skip


class Counter:
    """A board of a side, with the kernels interpreted or compiled."""

    def __init__(self, side: int, compiled: bool) -> None:
        self.compiled = compiled
        self.tables, self.board = self.row_of(tables(side)), self.row_of(new_board(side))

    def row_of(self, values: Any) -> Any:
        """A list, or all lists of a ``Data``, as the kernels take them."""
        if not self.compiled:
            return values
        import numpy as np

        if isinstance(values, list):
            return np.array(values, dtype=np.int64)
        return type(values)(*(np.array(value, dtype=np.int64) for value in values))

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel on the board."""
        function = _compiled(kernel, self.board, self.tables, *arguments) if self.compiled else kernel
        return function(self.board, self.tables, *arguments)

    def begin(self, puzzle: Sequence[int]) -> None:
        """Set up a board whose givens do not contradict each other."""
        self.call(begin, self.row_of(list(puzzle)))

    def count(self, most: int, until: int) -> int | None:
        """The solutions up to ``most``; None if ``until`` nodes are not enough to tell."""
        status = self.call(count, most, until)
        found = int(self.board.counts[FOUND])
        return found if status == ALL or found >= most else None

    @property
    def solution(self) -> list[int]:
        """The solution found last."""
        return [int(digit) for digit in self.board.solution]


def _compiled(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    key = kernel.__name__, debugging()
    if key not in _kernels:
        from procura.compiled.engine import compile_for
        from procura.control import Control

        _kernels[key] = compile_for(Control(debug=debugging()), kernel, {}, arguments)
    return _kernels[key]


def loaded(kernel: Callable[..., Any]) -> bool:
    """Whether a kernel has been compiled in this process, so that it costs nothing to call it so."""
    return (kernel.__name__, debugging()) in _kernels


def count_solutions(givens: Sequence[int], most: int, most_nodes: int = MOST_NODES) -> int:
    """How many ways there are to fill the board, counted up to ``most``.

    >>> count_solutions([0] * 16, 1000)
    288
    """
    most = whole("most", most, low=1)
    side = isqrt(len(givens))
    if not loaded(count):
        counter = Counter(side, compiled=False)
        counter.begin(givens)
        found = counter.count(most, min(INTERPRETED_NODES, most_nodes))
        if found is not None:
            return found
    counter = Counter(side, compiled=True)
    counter.begin(givens)
    for until in range(SLICE_NODES, most_nodes + SLICE_NODES, SLICE_NODES):  # Ctrl-C gets through between slices
        found = counter.count(most, min(until, most_nodes))
        if found is not None:
            return found
    seen = int(counter.board.counts[FOUND])
    raise InputError(f"board: gave up counting its solutions after {most_nodes:,} nodes and {seen:,} solutions")
