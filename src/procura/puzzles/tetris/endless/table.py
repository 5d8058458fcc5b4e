"""The memory of a game, set up and read from Python, and the compiled kernels that play on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from procura.control import Control
from procura.debug import debugging
from procura.errors import InputError
from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.tables import form_tables
from procura.puzzles.tetris.pieces import LETTERS

FEWEST_ROWS, MOST_ROWS = 10, 20


class Table:
    """The memory of one game on a board of ten columns and ``rows`` rows; a thread needs one of its own."""

    def __init__(self, rows: int) -> None:
        import numpy as np

        if rows not in range(FEWEST_ROWS, MOST_ROWS + 1):
            raise InputError(f"rows={rows!r}: expected {FEWEST_ROWS} to {MOST_ROWS}")
        self.memory = np.zeros(layout.MEMORY, dtype=np.int64)
        self.rng = np.zeros(1, dtype=np.uint64)
        self.forms = form_tables()
        for board in (layout.BOARD, layout.SPARE):
            for wall in (0, 1, layout.END, layout.END + 1):
                self.memory[board + wall] = (1 << rows) - 1
        self.memory[layout.ROWS] = rows
        self.memory[layout.PLACED] = self.memory[layout.PIECE] = -1

    def lay(self, masks: Sequence[int]) -> None:
        """Set the board to rows given as bits, the bottom one first, column 0 the lowest bit; none of them full."""
        memory = self.memory
        for c in range(layout.COLUMNS):
            memory[layout.BOARD + layout.EDGE + c] = sum((mask >> c & 1) << r for r, mask in enumerate(masks))
        memory[layout.WINDOWS :] = 0
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


def compiled(name: str, used: int) -> Any:
    """A kernel of ``binding.bound_player`` for the features ``used``, given as bits."""
    return _compiled(name, used, debugging())


@cache
def _compiled(name: str, used: int, debug: bool) -> Any:
    from procura.compiled.engine import compile_for
    from procura.puzzles.tetris.endless.binding import bound_player

    table = Table(FEWEST_ROWS)
    memory, rng = table.memory, table.rng
    arguments = {
        "board_value": (memory, 0, memory),
        "play": (memory, table.forms, memory, rng, rng, memory, memory, 0),
    }
    kernel: Any = bound_player(used)[name]
    return compile_for(Control(debug=debug), kernel, {}, arguments[name])
