"""The face of Tetris: the piece in hand is turned and moved, and shown where it would land."""

from __future__ import annotations

import re
from typing import Any

from procura.errors import InputError
from procura.play.attempt import counted
from procura.play.face import Face, Line, Step, numbers
from procura.puzzles.tetris.pieces import ROTATIONS, shape, width
from procura.puzzles.tetris.play import TetrisAttempt

NEXT = 3
"""Pieces to come that are drawn."""


class TetrisFace(Face):
    """The board between its walls, beside it the points and the pieces to come."""

    game: TetrisAttempt
    numbered = False
    keys = {" ": "drop", "enter": "drop"}
    help = (
        ("left right", "move the piece"),
        ("up", "turn it; down turns it back"),
        ("space enter", "drop it where it is shown"),
        ("1 3", "typed: drop it in rotation 1 with its left side in column 3, both from 0"),
    )

    def title(self) -> str:
        return "Tetris: place all pieces and keep the top row empty"

    def changed(self) -> None:
        """Hold the next piece in its first rotation, in the middle."""
        self.rotation = 0
        self.column = (self.game.problem.columns - self._width()) // 2

    def _width(self) -> int:
        return width(self.game.upcoming[0], self.rotation) if self.game.upcoming else 0

    @property
    def _holding(self) -> bool:
        return bool(self.game.upcoming) and not self.game.lost

    def picture(self) -> list[Line]:
        problem = self.game.problem
        ghost = set(self.game.landing(self.rotation, self.column)) if self._holding else set()
        style = self.game.upcoming[:1]
        side = self._side()
        lines: list[Line] = []
        for row in range(problem.rows - 1, -1, -1):
            spans: Line = [("│", "frame")]
            for column in range(problem.columns):
                filled = self.game.state[row] >> column & 1
                here = ("██", "heap") if filled else ("▒▒", style) if (row, column) in ghost else (" ·", "dim")
                spans.append(here)
            lines.append([*spans, ("│", "frame")])
        lines.append([("└" + "──" * problem.columns + "┘", "frame")])
        lines.append([(" " + "".join(f"{column % 10:>2}" for column in range(problem.columns)) + " ", "dim")])
        return [[*line, ("  ", ""), *beside] for line, beside in zip(lines, [*side, *[[]] * len(lines)], strict=False)]

    def _side(self) -> list[Line]:
        """The points, the piece in hand and those to come."""
        game = self.game
        lines: list[Line] = [[(counted(game.points, "point"), "title")], []]
        if self._holding:
            letter = game.upcoming[0]
            lines.append([(f"in hand: {letter}", letter)])
            lines.append([(f"rotation {self.rotation} of 0-{len(ROTATIONS[letter]) - 1}", "dim")])
            lines += [[(f"column {self.column}", "dim")], []]
        coming = game.upcoming[1:] if self._holding else ""
        for number, letter in enumerate(coming[:NEXT]):
            lines.append([(f"{'then' if number else 'next'}: {letter}", "dim")])
            for row in reversed(shape(letter, 0)):
                lines.append([("".join("██" if cell == "#" else "  " for cell in row), letter)])
        if len(coming) > NEXT:
            more = coming[NEXT : NEXT + 10]
            lines.append([(f"then: {' '.join(more)}{' ...' if len(coming) > NEXT + 10 else ''}", "dim")])
        return lines

    def focus(self) -> tuple[int, int]:
        rows = self.game.problem.rows
        if not self._holding:
            return rows, 0
        return rows - 1 - min(row for row, _ in self.game.landing(self.rotation, self.column)), 2 * self.column

    def status(self) -> str:
        return f"pieces placed: {len(self.game.moves)} of {len(self.game.problem.pieces)}, points: {self.game.points}"

    def command(self, text: str) -> Step | None:
        if text in ("left", "right", "up", "down", "rotate", "drop") and self._holding:
            return self._steered(text)
        match = re.fullmatch(r"([iljoszt])?\s*(\d)\s*[@ ,]\s*(\d{1,2})", text)
        if match is None:
            return None
        letter = match[1] or self.game.upcoming[:1] or "i"
        rotation, column = numbers(f"{match[2]} {match[3]}", 2) or (0, 0)
        return Step(([letter, rotation, column],))

    def _steered(self, text: str) -> Step:
        letter, columns = self.game.upcoming[0], self.game.problem.columns
        if text == "drop":
            return Step(([letter, self.rotation, self.column],))
        if text in ("left", "right"):
            column = self.column + (1 if text == "right" else -1)
            if not 0 <= column <= columns - self._width():
                raise InputError(f"the piece stands at the {text} wall")
            self.column = column
            return Step()
        self.rotation = (self.rotation + (-1 if text == "down" else 1)) % len(ROTATIONS[letter])
        self.column = min(self.column, columns - self._width())
        return Step()

    def point_at(self, move: Any) -> None:
        _, self.rotation, self.column = move

    def words(self, move: Any) -> str:
        return f"{move[0]} in rotation {move[1]} at column {move[2]}"
