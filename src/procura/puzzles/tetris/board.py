"""A board to handle cell by cell: the rules of the course one by one, plain rather than fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from procura.errors import InputError
from procura.puzzles.arguments import plain
from procura.puzzles.tetris.formats import read_board, write_board


class Board:
    """A board of ``rows`` x ``columns`` cells, row 0 at the bottom and column 0 at the left.

    ``cells`` is text or a list of rows as ``Tetris`` takes it, and a ``Board`` goes where a board is expected.

    >>> board = Board("##.#\\n####", rows=5, columns=4)
    >>> board.column_height(2), board.is_row_full(0)
    (1, True)
    >>> board.remove_row(0)
    >>> board.fill(0, 2)
    >>> board.is_row_full(0)
    True
    """

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(self, cells: Any = "empty", *, rows: int = 18, columns: int = 10) -> None:
        check_size(rows, columns)
        self.rows, self.columns = rows, columns
        masks = read_board(cells, rows, columns)
        self._cells = [[mask >> column & 1 == 1 for column in range(columns)] for mask in masks]

    @classmethod
    def from_lists(cls, lists: Any) -> Board:
        """The board of these rows of truth values, bottom row first; as many rows and columns as there are."""
        rows = [plain(row) for row in plain(lists)] if isinstance(lists, Iterable) else []
        if not rows or not isinstance(rows[0], list | tuple):
            raise InputError(f"the board is {lists!r}: expected a list of rows")
        return cls(rows, rows=len(rows), columns=len(rows[0]))

    def to_lists(self) -> list[list[bool]]:
        """The rows as lists of truth values, the bottom row first."""
        return [row[:] for row in self._cells]

    def is_filled(self, row: int, column: int) -> bool:
        """Whether the cell is filled; cells outside the board are not."""
        return 0 <= row < self.rows and 0 <= column < self.columns and self._cells[row][column]

    def fill(self, row: int, column: int) -> None:
        """Fill a cell; outside the board nothing happens."""
        if 0 <= row < self.rows and 0 <= column < self.columns:
            self._cells[row][column] = True

    def column_height(self, column: int) -> int:
        """One more than the row of the highest filled cell; holes below it do not matter."""
        self._check("column", column, self.columns)
        return max((row + 1 for row in range(self.rows) if self._cells[row][column]), default=0)

    def is_row_full(self, row: int) -> bool:
        """Whether every cell of the row is filled."""
        self._check("row", row, self.rows)
        return all(self._cells[row])

    def remove_row(self, row: int) -> None:
        """Take a row out: those above come down by one, the top row becomes empty."""
        self._check("row", row, self.rows)
        del self._cells[row]
        self._cells.append([False] * self.columns)

    def is_top_filled(self) -> bool:
        """Whether any cell of the top row is filled, which loses the game."""
        return any(self._cells[-1])

    def copy(self) -> Board:
        """A board of its own with the same cells."""
        return Board(self, rows=self.rows, columns=self.columns)

    def __iter__(self) -> Iterator[list[bool]]:
        return iter(self.to_lists())

    def __eq__(self, other: object) -> bool:
        return self._cells == other._cells if isinstance(other, Board) else NotImplemented

    def __str__(self) -> str:
        """The cells as text, ``#`` filled and ``.`` empty, the top row first."""
        return write_board(read_board(self, self.rows, self.columns), self.columns)

    def __repr__(self) -> str:
        return f"<Board of {self.rows}x{self.columns} cells, {sum(map(sum, self._cells))} filled>"

    def _check(self, what: str, number: int, count: int) -> None:
        if number not in range(count):
            raise InputError(f"{what} {number!r}: expected 0 to {count - 1}")


def check_size(rows: Any, columns: Any) -> None:
    """Refuse boards that the rules do not serve."""
    if not isinstance(rows, int) or not isinstance(columns, int) or not (4 <= rows <= 64 and 4 <= columns <= 31):
        raise InputError(f"a board of {rows} rows and {columns} columns: expected 4 to 64 rows, 4 to 31 columns")
