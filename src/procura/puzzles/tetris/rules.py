"""The rules of Tetris with a known list of pieces.

A row of integers holds, on a board of R rows:

====== ===========================================================
0..R-1 the rows of the board from the bottom up, bit c is column c
R      how many pieces have been placed
R + 1  payload: the points made so far
R + 2  payload: the filled cells of the board
====== ===========================================================

A move is form * 64 + column, where form = kind * 4 + rotation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, Estimate, kernel
from procura.puzzles.tetris.formats import LETTERS, draw, read_board, read_pieces
from procura.puzzles.tetris.heuristics import most_points_table, opportunity, opportunity_bound, quality_bound

ROTATIONS = {  # the rows of each rotation, the bottom one first
    "i": ("#/#/#/#", "####"),
    "l": ("##/#./#.", "#../###", ".#/.#/##", "###/..#"),
    "j": ("##/.#/.#", "###/#..", "#./#./##", "..#/###"),
    "o": ("##/##",),
    "s": ("##./.##", ".#/##/#."),
    "z": (".##/##.", "#./##/.#"),
    "t": ("###/.#.", "#./##/#.", ".#./###", ".#/##/.#"),
}
CLEARS = {"i": 4, "l": 3, "j": 3, "o": 2, "s": 2, "z": 2, "t": 2}
"""The most rows a piece can complete: no cell of the board lies straight above a cell of the piece."""
POINTS = (0, 100, 300, 500, 800)
"""Points for so many rows at once. More than four (old full rows of the start among them) count as four."""
COLUMN_SPAN = 64


def _forms() -> dict[str, list[int]]:
    """Width, height, row masks and cells a row of every form: four forms a kind, four rows a form."""
    width, height, masks, cells = [], [], [], []
    for letter in LETTERS:
        for rotation in range(4):
            text = ROTATIONS[letter][rotation] if rotation < len(ROTATIONS[letter]) else ""
            lines = text.split("/") if text else []
            width.append(len(lines[0]) if lines else 0)
            height.append(len(lines))
            for line in lines + [""] * (4 - len(lines)):
                masks.append(sum(1 << c for c, cell in enumerate(line) if cell == "#"))
                cells.append(line.count("#"))
    return {"width": width, "height": height, "masks": masks, "cells": cells}


def landing_row(s: Any, data: Any, form: int, column: int) -> int:
    """The row on which the bottom of the piece comes to rest when it falls straight down.

    It falls from above the board, row by row, until the next row down would hit a filled cell or the floor,
    so it never slides below an overhang.
    """
    rows = data.size[0]
    above = rows
    while above > 0 and s[above - 1] == 0:
        above -= 1
    for base in range(above, 0, -1):
        for i in range(data.height[form]):
            row = base - 1 + i
            if row < rows and (s[row] & (data.masks[4 * form + i] << column)) != 0:
                return base
    return 0


def remove_full_rows(s: Any, data: Any) -> int:
    """Take out every full row at once, let the rows above sink, and return how many went."""
    rows = data.size[0]
    full = (1 << data.size[1]) - 1
    kept = 0
    for row in range(rows):
        if s[row] != full:
            s[kept] = s[row]
            kept += 1
    for row in range(kept, rows):
        s[row] = 0
    return rows - kept


class Tetris(ArrayProblem):
    """Place the given pieces in order without filling the top row, at the least cost.

    ``cost="quality"``: a step costs minus the points it gains. ``cost="opportunity"``: a step costs the most
    points its piece could ever gain, less those it gains. The cheapest solutions are the same.

    >>> one_gap = Tetris("#########.", "i")
    >>> upright = one_gap.action_from_json(["i", 0, 9])
    >>> one_gap.points(one_gap.result(one_gap.initial, upright))
    100
    """

    acyclic = True
    auto = "astar:quality_bound"
    heuristics: Mapping[str, Estimate | str] = {
        "opportunity": Estimate(opportunity, about="opportunity lost so far"),
        "quality_bound": Estimate(quality_bound, about="minus the most points still possible"),
        "opportunity_bound": Estimate(opportunity_bound, about="opportunity that must still be lost"),
    }

    def __init__(self, board: Any, pieces: Any, cost: str = "quality", *, rows: int = 18, columns: int = 10) -> None:
        if cost not in ("quality", "opportunity"):
            raise InputError(f"cost {cost!r}: expected quality or opportunity")
        if not 4 <= rows <= 64 or not 4 <= columns <= 31:
            raise InputError(f"a board of {rows} rows and {columns} columns: expected 4 to 64 rows, 4 to 31 columns")
        self.rows, self.columns = rows, columns
        self.board = read_board(board, rows, columns)
        self.filled = sum(mask.bit_count() for mask in self.board)
        kinds = read_pieces(pieces)
        letters = [LETTERS[kind] for kind in kinds]
        old_rows = self.board.count((1 << columns) - 1)
        clears = [CLEARS[letter] for letter in letters]
        clears[0] += old_rows
        points = [POINTS[min(lines, 4)] for lines in range(rows + 1)]
        maxima = [POINTS[CLEARS[letter]] for letter in letters]
        super().__init__(
            size=rows + 3,
            key=rows + 1,
            bits=max(columns, len(kinds).bit_length()),
            dtype="int32",
            max_moves=max(self._placements(letter) for letter in letters),
            data=Data(
                size=[rows, columns],
                opportunity=[int(cost == "opportunity")],
                pieces=kinds,
                rotations=[len(ROTATIONS[letter]) for letter in LETTERS],
                **_forms(),
                points=points,
                maximum=[POINTS[CLEARS[letter]] for letter in LETTERS],
                maxima_left=list(accumulate(reversed(maxima), initial=0))[::-1],
                most=most_points_table(rows, columns, self.filled, clears, points),
            ),
        )
        self.costs = "nonnegative" if cost == "opportunity" and not old_rows else "any"
        bound = f"{cost}_bound"
        proved = Tetris.heuristics[bound]
        assert isinstance(proved, Estimate)
        self.heuristics = {**Tetris.heuristics, bound: replace(proved, admissible=True, consistent=True)}
        self.auto = f"astar:{bound}"

    def _placements(self, letter: str) -> int:
        return sum(self.columns - len(form.split("/")[0]) + 1 for form in ROTATIONS[letter])

    def start(self) -> list[int]:
        return [*self.board, 0, 0, self.filled]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Each rotation in each column, losing ones too; none when the top is filled or no piece is left."""
        rows = data.size[0]
        if s[rows - 1] != 0 or s[rows] >= len(data.pieces):
            return 0
        kind = data.pieces[s[rows]]
        count = 0
        for rotation in range(data.rotations[kind]):
            form = 4 * kind + rotation
            for column in range(data.size[1] - data.width[form] + 1):
                out[count] = form * COLUMN_SPAN + column
                count += 1
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        """Drop the piece; cells above the board are lost. Full rows go only if the top row stayed empty."""
        rows = data.size[0]
        form = move // COLUMN_SPAN
        column = move % COLUMN_SPAN
        base = landing_row(s, data, form, column)
        for i in range(data.height[form]):
            if base + i < rows:
                s[base + i] = s[base + i] | (data.masks[4 * form + i] << column)
                s[rows + 2] += data.cells[4 * form + i]
        s[rows] += 1
        gained = 0
        if s[rows - 1] == 0:
            lines = remove_full_rows(s, data)
            s[rows + 2] -= lines * data.size[1]
            gained = data.points[lines]
            s[rows + 1] += gained
        return data.opportunity[0] * data.maximum[form // 4] - gained

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        """All pieces are placed and the top row is empty."""
        rows = data.size[0]
        return s[rows] == len(data.pieces) and s[rows - 1] == 0

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, *, pieces: Any = "", cost: str = "quality"
    ) -> Tetris:
        return cls(text, pieces, cost)

    def to_text(self, state: Any) -> str:
        return draw(state[: self.rows], self.columns)

    def action_to_json(self, action: int) -> list[Any]:
        form, column = divmod(action, COLUMN_SPAN)
        return [LETTERS[form // 4], form % 4, column]

    def action_from_json(self, value: Any) -> int:
        if not isinstance(value, list | tuple) or len(value) != 3:
            raise InputError(f"action {value!r}: expected [piece, rotation, column]")
        letter, rotation, column = value
        if not isinstance(letter, str) or letter not in ROTATIONS:
            raise InputError(f"action {value!r}: the piece is not one of {' '.join(LETTERS)}")
        if not isinstance(rotation, int) or rotation not in range(len(ROTATIONS[letter])):
            raise InputError(f"action {value!r}: {letter} has rotations 0 to {len(ROTATIONS[letter]) - 1}")
        last = self.columns - len(ROTATIONS[letter][rotation].split("/")[0])
        if not isinstance(column, int) or column not in range(last + 1):
            raise InputError(f"action {value!r}: the left column lies in 0 to {last}")
        return (4 * LETTERS.index(letter) + rotation) * COLUMN_SPAN + column

    def points(self, state: Any) -> int:
        return int(state[self.rows + 1])
