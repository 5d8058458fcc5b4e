"""The face of Sudoku: a cursor on the grid, digits, pencil marks and candidates."""

from __future__ import annotations

import re
from math import isqrt
from typing import Any

from procura.play.advice import Cancel
from procura.play.attempt import Hint
from procura.play.face import ARROWS, Face, Line, Step
from procura.puzzles.sudoku.formats import SYMBOLS, place
from procura.puzzles.sudoku.play import SudokuAttempt

CLEAR = ("0", "clear", ".")


class SudokuFace(Face):
    """The grid with its cursor in brackets; cells with pencil marks show a colon."""

    game: SudokuAttempt
    numbered = False
    keys = {" ": "clear", "backspace": "clear", "delete": "clear"}
    help = (
        ("arrows", "move the cursor"),
        ("1 to 9", "write a digit (16x16: also A to G, capitals)"),
        ("0 space backspace", "clear the cell"),
        ("p", "pencil on or off: while on, digits are marks"),
        ("c", "show the candidates of the cell, or hide them"),
        ("f", "allow digits that break a rule, or refuse them again"),
        ("4 5 7", "typed: write 7 in row 4, column 5; 4 5 0 clears it; 4 5 moves there; mark 4 5 7 pencils"),
    )

    def __init__(self, game: SudokuAttempt) -> None:
        self.cell = next((cell for cell, given in enumerate(game.problem.givens) if not given), 0)
        self.pencil = self.shows_candidates = False
        super().__init__(game)

    def title(self) -> str:
        return "Sudoku: every row, column and block holds each digit once"

    def picture(self) -> list[Line]:
        side = self.game.side
        b = isqrt(side)
        labels = [f"{column + 1:>2}" for column in range(side)]
        heads = "  ".join("".join(labels[i : i + b]) for i in range(0, side, b))
        clashing = self.game.clashing()
        lines: list[Line] = [[("    " + heads, "dim")], self._rule("┏", "┳", "┓")]
        for row in range(side):
            if row and row % b == 0:
                lines.append(self._rule("┣", "╋", "┫"))
            lines.append([(f"{row + 1:>2} ", "dim"), *self._row(row, b, clashing)])
        return [*lines, self._rule("┗", "┻", "┛")]

    def view(self) -> dict[str, Any]:
        digits, marks = self.game.state
        return {
            "text": self.game.problem.to_text(digits),
            "marks": [self._marks(cell) for cell in range(len(marks))],
            "clashing": sorted(self.game.clashing()),
            "strict": self.game.strict,
        }

    def _rule(self, left: str, cross: str, right: str) -> Line:
        b = isqrt(self.game.side)
        return [("   " + left + cross.join(["━" * (2 * b + 1)] * b) + right, "frame")]

    def _row(self, row: int, b: int, clashing: set[int]) -> Line:
        spans: Line = []
        for column in range(self.game.side):
            cell = row * self.game.side + column
            if column % b == 0:
                spans.append(("┃", "frame"))
            before = "]" if column % b and self.cell == cell - 1 else "[" if self.cell == cell else " "
            spans += [(before, "cursor" if before != " " else ""), (self._symbol(cell), self._style(cell, clashing))]
            if column % b == b - 1:
                spans.append(("]", "cursor") if self.cell == cell else (" ", ""))
        return [*spans, ("┃", "frame")]

    def _symbol(self, cell: int) -> str:
        digit = self.game.state.digits[cell]
        return SYMBOLS[digit] if digit else ":" if self.game.state.marks[cell] else "·"

    def _style(self, cell: int, clashing: set[int]) -> str:
        digits = self.game.state.digits
        if cell in clashing:
            return "wrong"
        if not digits[cell]:
            return "dim"
        if digits[cell] == digits[self.cell]:
            return "same"
        return "given" if self.game.problem.givens[cell] else "filled"

    def focus(self) -> tuple[int, int]:
        row, column = divmod(self.cell, self.game.side)
        b = isqrt(self.game.side)
        return 2 + row + row // b, 4 + 2 * column + 2 * (column // b)

    def status(self) -> str:
        parts = [place(self.cell, self.game.side)]
        if self.game.state.marks[self.cell]:
            parts.append("pencil " + " ".join(SYMBOLS[d] for d in self._marks(self.cell)))
        if self.shows_candidates:
            parts.append(self._candidates(self.cell))
        parts += ["pencil on"] if self.pencil else []
        parts += [] if self.game.strict else ["clashes allowed"]
        return ", ".join([*parts, f"{self.game.state.digits.count(0)} empty"])

    def _marks(self, cell: int) -> list[int]:
        return [digit for digit in range(1, self.game.side + 1) if self.game.state.marks[cell] >> (digit - 1) & 1]

    def _candidates(self, cell: int) -> str:
        if self.game.state.digits[cell]:
            return "no candidates: the cell is filled"
        return "candidates " + (" ".join(SYMBOLS[d] for d in self.game.candidates(cell)) or "none")

    def command(self, text: str) -> Step | None:
        row, column = divmod(self.cell, self.game.side)
        if text in ARROWS:
            return self._go(text)
        if text in CLEAR:
            return Step(([row, column, 0],))
        if len(text) == 1 and text in SYMBOLS[1 : self.game.side + 1]:
            digit = SYMBOLS.index(text)
            return Step((["mark", row, column, digit] if self.pencil else [row, column, digit],))
        if text in ("p", "pencil"):
            self.pencil = not self.pencil
            return Step(say=f"pencil {'on: digits are marks' if self.pencil else 'off'}")
        if text in ("c", "candidates"):
            self.shows_candidates = not self.shows_candidates
            return Step(say=self._candidates(self.cell) if self.shows_candidates else "candidates hidden")
        if text in ("f", "free"):
            self.game.strict = not self.game.strict
            kept = "refused" if self.game.strict else "allowed, and shown in red"
            return Step(say=f"digits that break a rule are {kept}")
        return self._typed(text)

    def _go(self, way: str) -> Step:
        side = self.game.side
        row, column = divmod(self.cell, side)
        row += (way == "down") - (way == "up")
        column += (way == "right") - (way == "left")
        self.cell = row % side * side + column % side
        return Step()

    def _typed(self, text: str) -> Step | None:
        """``4 5 7``, ``r4c5=7``, ``4 5``, ``mark 4 5 7``; rows and columns from 1."""
        match = re.fullmatch(r"(mark |m )?\s*r?(\d{1,2})[ ,c]+(\d{1,2})(?:[ ,=]+([0-9A-Ga-g.]))?", text)
        if match is None:
            return None
        mark, row, column, symbol = match[1], int(match[2]), int(match[3]), match[4]
        side = self.game.side
        if not (1 <= row <= side and 1 <= column <= side):
            return Step(say=f"row {row}, column {column} is not on the board: expected 1 to {side}")
        self.cell = (row - 1) * side + column - 1
        if symbol is None:
            return Step()
        digit = 0 if symbol in "0." else SYMBOLS.index(symbol.upper())
        if digit > side:
            return Step(say=f"{symbol} is not a digit of this board: expected 1 to {SYMBOLS[side]}")
        return Step((["mark", row - 1, column - 1, digit] if mark else [row - 1, column - 1, digit],))

    def hint(self, cancel: Cancel | None = None) -> Hint:
        hint = self.game.hint_at(self.cell, cancel)
        if hint.move is not None:
            self.point_at(hint.move)
        return hint

    def point_at(self, move: Any) -> None:
        self.cell = move[-3] * self.game.side + move[-2]

    def words(self, move: Any) -> str:
        where = place(move[-3] * self.game.side + move[-2], self.game.side)
        return f"{SYMBOLS[move[-1]]} at {where}" if move[-1] else f"clear {where}"
