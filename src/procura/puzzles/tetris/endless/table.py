"""The memory of a game, set up and read from Python, and the compiled kernels that play on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from procura.control import Control
from procura.debug import debugging
from procura.errors import InputError
from procura.puzzles.arguments import read_size
from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.tables import form_tables
from procura.puzzles.tetris.pieces import LETTERS

FEWEST_ROWS, MOST_ROWS = 6, 20


def check_rows(rows: int) -> None:
    """Refuse a height that is not played on."""
    if rows not in range(FEWEST_ROWS, MOST_ROWS + 1):
        raise InputError(f"rows={rows!r}: expected {FEWEST_ROWS} to {MOST_ROWS}")


def read_rows(size: str) -> int:
    """The rows of a board of ROWSxCOLUMNS, whose columns are always ten.

    >>> read_rows("20x10")
    20
    """
    expected = f"{FEWEST_ROWS}x{layout.COLUMNS} to {MOST_ROWS}x{layout.COLUMNS}, rows and columns"
    rows, columns = read_size(size, expected)
    if columns != layout.COLUMNS or not FEWEST_ROWS <= rows <= MOST_ROWS:
        raise InputError(f"size {size!r}: expected {expected}")
    return rows


def check_known(known: int) -> None:
    """Refuse a number of pieces that cannot be known."""
    if known not in range(1, layout.MOST_KNOWN + 1):
        raise InputError(f"known={known!r}: expected 1 to {layout.MOST_KNOWN} pieces")


class Table:
    """The memory of one game on a board of ten columns and ``rows`` rows, in which ``known`` pieces are known."""

    def __init__(self, rows: int, known: int = 1) -> None:
        import numpy as np

        check_rows(rows)
        check_known(known)
        self.memory = np.zeros(layout.MEMORY, dtype=np.int64)
        self.rng = np.zeros(1, dtype=np.uint64)
        self.forms = form_tables()
        for board in (layout.BOARD, layout.SPARE):
            for wall in (0, 1, layout.END, layout.END + 1):
                self.memory[board + wall] = (1 << rows) - 1
        self.memory[layout.ROWS], self.memory[layout.KNOWN] = rows, known
        self.memory[layout.QUEUE : layout.VALUES] = self.memory[layout.PLACED] = -1
        self.beam = np.tile(self.memory, (layout.ROWS_OF_BEAM, 1))

    def lay(self, masks: Sequence[int]) -> None:
        """Set the board to rows given as bits, the bottom one first, column 0 the lowest bit; none of them full."""
        memory = self.memory
        for c in range(layout.COLUMNS):
            memory[layout.BOARD + layout.EDGE + c] = sum((mask >> c & 1) << r for r, mask in enumerate(masks))
        memory[layout.WINDOWS : layout.QUEUE] = 0
        for below in range(1, 5):
            memory[layout.WINDOWS - below] = layout.FULL_ROW * layout.EACH_LANE >> 16 * (4 - below)
        for r, mask in enumerate(masks):
            for i in range(4):
                memory[layout.WINDOWS + r - i] |= mask << 16 * i
        memory[layout.PLACED] = memory[layout.CLEARED] = 0

    def rows(self) -> list[int]:
        """The rows as bits, the bottom one first."""
        windows = self.memory[layout.WINDOWS : layout.WINDOWS + self.memory[layout.ROWS]]
        return [int(window) & layout.LANE for window in windows]

    def placement(self) -> tuple[str, int, int]:
        """The placement made last: piece, rotation, column."""
        form, column = divmod(int(self.memory[layout.PLACEMENT]), 16)
        return LETTERS[form // 4], form % 4, column


class Player:
    """A controller at a table; a thread needs one of its own."""

    def __init__(self, controller: Controller, rows: int = 10, known: int = 1) -> None:
        import numpy as np

        self.table = Table(rows, known)
        self._used = controller.used()
        self._kernel = compiled("play" if known == 1 else "play_ahead", self._used)
        self._weights = np.array(controller.integers(), dtype=np.int64)

    def play(self, starts: Any, lines: Any, pieces: Any, lost: Any, most: int) -> bool:
        """Play on for ``most`` pieces; whether all games are over. See ``player.play``."""
        table = self.table
        over: bool = self._kernel(
            table.memory, table.forms, self._weights, table.rng, table.beam, starts, lines, pieces, lost, most
        )
        return over

    def advise(self, masks: Sequence[int], letters: Sequence[str]) -> tuple[int, int] | None:
        """The rotation and column in which to place the first of the known pieces on a board; None if it fits nowhere.

        >>> from procura.puzzles.tetris.endless.controllers import CONTROLLERS
        >>> Player(CONTROLLERS["four"]).advise([0b1111111100], "o")
        (0, 0)
        """
        import numpy as np

        table, memory = self.table, self.table.memory
        table.lay(masks)
        memory[layout.QUEUE : layout.QUEUE + len(letters)] = [LETTERS.index(letter) for letter in letters]
        memory[layout.VALUE] = compiled("board_value", self._used)(memory, layout.BOARD, self._weights)
        memory[layout.GAME] = 0
        counted = np.zeros(1, dtype=np.int64)
        self.play(np.zeros(1, dtype=np.uint64), counted, counted, counted, 1)
        return None if memory[layout.GAME] else table.placement()[1:]


def compiled(name: str, used: int) -> Any:
    """A kernel of ``binding.bound_player`` for the features ``used``, given as bits."""
    return _compiled(name, used, debugging())


@cache
def _compiled(name: str, used: int, debug: bool) -> Any:
    from procura.compiled.engine import compile_for
    from procura.puzzles.tetris.endless.binding import bound_player

    table = Table(FEWEST_ROWS)
    memory, rng = table.memory, table.rng
    arguments: tuple[Any, ...] = (memory, 0, memory)
    if name != "board_value":
        arguments = (memory, table.forms, memory, rng, table.beam, rng, memory, memory, memory, 0)
    kernel: Any = bound_player(used)[name]
    return compile_for(Control(debug=debug), kernel, {}, arguments)
