"""One game, frame by frame, and frames as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.table import Table, compiled
from procura.puzzles.tetris.pieces import shape
from procura.rng import stream


@dataclass(frozen=True)
class Frame:
    """A piece just placed, before full rows go."""

    number: int
    """Of the piece, from 1."""
    letter: str
    rotation: int
    column: int
    base: int
    """The row of the piece's lowest cell."""
    before: tuple[int, ...]
    """The rows before the placement as bits, the bottom one first, column 0 the lowest bit."""
    lines: int
    """Cleared so far, those of this placement included."""

    def cells(self) -> set[tuple[int, int]]:
        """The (row, column) of the piece's cells."""
        return {
            (self.base + r, self.column + c)
            for r, row in enumerate(shape(self.letter, self.rotation))
            for c, cell in enumerate(row)
            if cell == "#"
        }


def replay(controller: Controller, rows: int = 10, seed: int = 0, game: int = 0) -> Iterator[Frame]:
    """Every placement of a game of ``play_games``."""
    import numpy as np

    table = Table(rows)
    memory, counted = table.memory, np.zeros(1, dtype=np.int64)
    kernel, weights = compiled("play", controller.used()), np.array(controller.integers(), dtype=np.int64)
    starts = np.array([stream(seed, game)], dtype=np.uint64)
    before = tuple(table.rows())
    while not kernel(memory, table.forms, weights, table.rng, starts, counted, counted, 1):
        letter, rotation, column = table.placement()
        number, lines, base = (int(memory[place]) for place in (layout.PLACED, layout.CLEARED, layout.BASE))
        yield Frame(number, letter, rotation, column, base, before, lines)
        before = tuple(table.rows())


def draw(frame: Frame, ascii_only: bool = False) -> str:
    """The board between its walls, two characters a cell, the piece just placed apart from the rest.

    >>> print(draw(Frame(3, "o", 0, 1, 1, (0b11, 0b1, 0), 0), ascii_only=True))
    | .[][] . . . . . . .|
    |##[][] . . . . . . .|
    |#### . . . . . . . .|
    +--------------------+
    piece 3 (o), 0 lines
    """
    filled, placed, free = ("##", "[]", " .") if ascii_only else ("██", "▒▒", " ·")
    wall, corners = ("|", "+-+") if ascii_only else ("│", "└─┘")
    cells = frame.cells()
    lines = []
    for r in range(len(frame.before) - 1, -1, -1):
        row = frame.before[r]
        texts = (placed if (r, c) in cells else filled if row >> c & 1 else free for c in range(layout.COLUMNS))
        lines.append(wall + "".join(texts) + wall)
    lines.append(corners[0] + corners[1] * 2 * layout.COLUMNS + corners[2])
    lines.append(f"piece {frame.number:,} ({frame.letter}), {frame.lines:,} lines")
    return "\n".join(lines)
