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

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from procura.data import Data
from procura.errors import InputError, unknown
from procura.problem import ArrayProblem, Estimate, Problem, Tuning, kernel
from procura.puzzles.arguments import changed, read_size, whole
from procura.puzzles.tetris.board import check_size
from procura.puzzles.tetris.bounds import BOUNDS, scratch
from procura.puzzles.tetris.drawing import picture, svg
from procura.puzzles.tetris.formats import (
    read_board,
    read_pieces,
    read_points,
    split_boards,
    split_headings,
    write_board,
    write_heap,
)
from procura.puzzles.tetris.generator import random_board, random_pieces
from procura.puzzles.tetris.heuristics import FEATURES, compositions
from procura.puzzles.tetris.pieces import (
    LETTERS,
    POINTS,
    ROTATIONS,
    cells_in_completed_rows,
    form_tables,
    most_lines,
    shape,
    width,
)
from procura.puzzles.tetris.presets import PRESETS
from procura.puzzles.tetris.samples import ALIASES, GROUPS, samples
from procura.puzzles.tetris.specialist import BEST
from procura.texts import Source, Task

COLUMN_SPAN = 64
COSTS = ("quality", "opportunity", "report1")


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


def drop(s: Any, data: Any, move: int) -> int:
    """Drop the piece and return the points it gains; cells above the board are lost.

    Full rows go only if the top row stayed empty.
    """
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
    return gained


def apply_report1(s: Any, data: Any, work: Any, move: int) -> float:
    """Drop the piece; the step costs minus the points it gains, over 4800."""
    return -drop(s, data, move) / 4800.0


class Tetris(ArrayProblem):
    """Place the given pieces in order without filling the top row, at the least cost.

    - ``board``: text (``.`` and ``#``, the top row first, or ``empty``), rows of truth values with the bottom row
      first, or a ``Board``; rows that are not given are empty. Before a text the lines ``pieces: t i l l`` and
      ``size: 18x10`` may stand; what is given as an argument goes before what they say.
    - ``pieces``: letters out of ``i l j o s z t``.
    - ``points``: the points for 0 to 4 rows at once; 0, 100, 300, 500 and 800 by default.
    - ``cost="quality"``: a step costs minus the points it gains. ``cost="opportunity"``: a step costs the most points
      its piece could ever gain, less those it gains. ``cost="report1"``: as quality, divided by 4800, so that costs
      are no whole numbers. The cheapest solutions are the same.

    >>> one_gap = Tetris("#########.", "i")
    >>> upright = one_gap.action_from_json(["i", 0, 9])
    >>> one_gap.points(one_gap.result(one_gap.initial, upright))
    100
    """

    acyclic = True
    auto = "best"
    presets = PRESETS
    compared = ("auto", "course_dfs", "course_astar", "report1_best", "report2_best", "beam:quality_bound")
    sample_groups = GROUPS
    sample_aliases = ALIASES
    specialists = (BEST,)
    heuristics: Mapping[str, Estimate | str] = {**FEATURES, **BOUNDS, **compositions(18, 10)}
    tuning = Tuning(
        "astar,tree=true,ties=lifo", "report1_sum", "points", "box", 2000, {"cost": "report1"}, {"pieces": "7"},
        ({"d": 0.2}, {"d": 0.5}, {"d": 0.055}),
    )  # fmt: skip
    step_noun = "piece"
    told_by_text = ("pieces", "rows", "columns")
    attempt = "procura.puzzles.tetris.play:TetrisAttempt"

    def __init__(
        self,
        board: Any,
        pieces: Any = None,
        cost: str = "quality",
        *,
        rows: int | None = None,
        columns: int | None = None,
        points: Any = None,
    ) -> None:
        if cost not in COSTS:
            raise unknown("tetris has no cost", str(cost), COSTS)
        headings, board = split_headings(board) if isinstance(board, str) else ({}, board)
        size = read_size(headings.get("size", "18x10"), "ROWSxCOLUMNS, such as 18x10")
        rows, columns = size[0] if rows is None else rows, size[1] if columns is None else columns
        pieces = headings.get("pieces", "") if pieces is None else pieces
        check_size(rows, columns)
        self.rows, self.columns, self.cost_name = rows, columns, cost
        self.point_table = POINTS if points is None else read_points(points)
        self.board = read_board(board, rows, columns)
        self.filled = sum(mask.bit_count() for mask in self.board)
        kinds = read_pieces(pieces)
        self.pieces = "".join(LETTERS[kind] for kind in kinds)
        super().__init__(
            size=rows + 3,
            key=rows + 1,
            bits=max(columns, len(kinds).bit_length()),
            dtype="int32",
            scratch=scratch(rows, columns),
            max_moves=max(self._placements(letter) for letter in self.pieces),
            data=self._constants(kinds),
        )
        self._declare()

    def _constants(self, kinds: list[int]) -> Any:
        """What kernels read; ``maxima_left[i]`` are the maxima of the pieces from the i-th on, summed."""
        maximum = {letter: self.point_table[most_lines(letter)] for letter in LETTERS}
        maxima = [maximum[letter] for letter in self.pieces]
        return Data(
            size=[self.rows, self.columns],
            opportunity=[int(self.cost_name == "opportunity")],
            pieces=kinds,
            rotations=[len(ROTATIONS[letter]) for letter in LETTERS],
            **form_tables(),
            points=[self.point_table[min(lines, 4)] for lines in range(self.rows + 5)],
            maximum=list(maximum.values()),
            maxima_left=list(accumulate(reversed(maxima), initial=0))[::-1],
            own_cells=[cells_in_completed_rows(letter, lines) for letter in LETTERS for lines in range(5)],
        )

    def _declare(self) -> None:
        """State the facts that depend on the cost and on the board."""
        old_rows = self.board.count((1 << self.columns) - 1)
        self.costs = "nonnegative" if self.cost_name == "opportunity" and not old_rows else "any"
        if self.cost_name == "report1":
            self.integer_costs = False
            self.apply = apply_report1
        self.heuristics = {**FEATURES, **BOUNDS, **self._proved(), **compositions(self.rows, self.columns)}
        guide = "surface/4800" if self.cost_name == "report1" else "surface"
        share = max(0.5, len(self.pieces) ** 2 / 100)  # with more pieces a bound takes longer, the guide does not
        by_bound = f"anytime:{self.cost_name}_bound,guide={guide},share={share:.2g}"
        self.specialists = (replace(BEST, stand_in=by_bound),)
        if self.cost_name == "report1":
            self.auto = by_bound

    def _proved(self) -> dict[str, Estimate]:
        """The heuristics that are lower bounds under this cost.

        No cost is below minus the points, so ``quality_bound`` serves all of them. Where costs are not negative,
        whatever is never above 0 is a bound too.
        """
        proved = {
            name: replace(BOUNDS[name], admissible=True, consistent=True)
            for name in {"quality_bound", f"{self.cost_name}_bound"}
        }
        if self.costs == "nonnegative":
            proved["quality"] = replace(FEATURES["quality"], admissible=True)
            proved["report1_bound"] = replace(BOUNDS["report1_bound"], admissible=True, consistent=True)
        return proved

    def _placements(self, letter: str) -> int:
        return sum(self.columns - width(letter, rotation) + 1 for rotation in range(len(ROTATIONS[letter])))

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
    def apply(s: Any, data: Any, work: Any, move: int) -> Any:
        """Drop the piece; the step costs minus the points, under opportunity more by the piece's maximum."""
        return data.opportunity[0] * data.maximum[move // COLUMN_SPAN // 4] - drop(s, data, move)

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        """All pieces are placed and the top row is empty."""
        rows = data.size[0]
        return s[rows] == len(data.pieces) and s[rows - 1] == 0

    @classmethod
    def from_text(  # type: ignore[override]
        cls,
        text: str,
        *,
        pieces: Any = None,
        cost: str = "quality",
        rows: int | None = None,
        columns: int | None = None,
        points: Any = None,
    ) -> Tetris:
        return cls(text, pieces, cost, rows=rows, columns=columns, points=points)

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        return split_boards(cls, source, options)

    @classmethod
    def generate(  # type: ignore[override]
        cls,
        seed: int,
        *,
        p: float = 1.0,
        d: float = 0.2,
        rows: int = 18,
        columns: int = 10,
        pieces: Any = 4,
        top_empty: bool = True,
        cost: str = "quality",
    ) -> Tetris:
        """A random board as the course makes them, with letters or a number of random pieces.

        Row r is filled cell by cell with probability p - r d, but for one random column of each row. The course's own
        d is 0.05, which fills a board of 18 rows nearly to the top: half of its boards have no solution. With
        ``top_empty`` boards whose top row is filled, which have no solution, are drawn again.

        >>> print(Tetris.generate(1, p=0.8, d=0.3, pieces=5).board_text())
        pieces: z i s i l
        .#..##....
        .#.#...###
        """
        seed = whole("seed", seed)
        check_size(rows, columns)
        board = random_board(seed, p, d, rows, columns, top_empty)
        return cls(board, random_pieces(seed, pieces), cost, rows=rows, columns=columns)

    @classmethod
    def beatable(cls, given: Mapping[str, Any], against: str | None = None) -> dict[str, Any]:
        return {"p": 0.9, "d": 0.25, "pieces": "7"}

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        return samples

    @classmethod
    def usual_boards(cls) -> Mapping[str, Problem]:
        return {"": cls("empty", "t")}

    def with_options(self, **options: Any) -> Tetris:
        """The same board with another ``cost``, other ``pieces`` or other ``points``."""
        chosen = changed(options, cost=self.cost_name, pieces=self.pieces, points=self.point_table)
        return type(self)(self.board, **chosen, rows=self.rows, columns=self.columns)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The pieces, which the board alone does not show, and what is not the default."""
        points = ",".join(map(str, self.point_table))
        default = {"cost": "quality", "rows": 18, "columns": 10, "points": "0,100,300,500,800"}
        present = {"cost": self.cost_name, "rows": self.rows, "columns": self.columns, "points": points}
        changed = {name: value for name, value in present.items() if value != default[name]}
        return {"pieces": " ".join(self.pieces), **changed}

    def board_text(self) -> str:
        """The pieces, the size if it is not 18x10, and the board from its highest filled row down."""
        lines = [f"pieces: {' '.join(self.pieces)}"]
        if (self.rows, self.columns) != (18, 10):
            lines.append(f"size: {self.rows}x{self.columns}")
        return "\n".join([*lines, write_heap(self.board, self.columns)])

    def target_text(self) -> str:
        """The pieces to place."""
        return self.pieces

    def to_text(self, state: Any) -> str:
        return write_board(state[: self.rows], self.columns)

    def caption(self) -> str:
        return f"next: {' '.join(self.pieces)}"

    def draw(self, state: Any) -> str:
        return picture(state[: self.rows], self.columns, self.upcoming(state))

    def to_svg(self, state: Any) -> str:
        return svg(state[: self.rows], self.columns, self.upcoming(state), self.points(state))

    def page_facts(self) -> dict[str, Any]:
        rotations = {letter: [shape(letter, r) for r in range(len(forms))] for letter, forms in ROTATIONS.items()}
        return {"rotations": rotations, "columns": self.columns, "rows": self.rows, "pieces": self.pieces}

    def upcoming(self, state: Any) -> str:
        """The letters of the pieces that are still to be placed."""
        return self.pieces[state[self.rows] :]

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
        last = self.columns - width(letter, rotation)
        if not isinstance(column, int) or column not in range(last + 1):
            raise InputError(f"action {value!r}: the left column lies in 0 to {last}")
        return (4 * LETTERS.index(letter) + rotation) * COLUMN_SPAN + column

    def action_text(self, value: Any) -> str:
        """Piece, rotation and column: ``t2@3``."""
        letter, rotation, column = value
        return f"{letter}{rotation}@{column}"

    def for_points(self) -> Tetris:
        return self.with_options(cost="quality")

    def points(self, state: Any) -> int:
        return int(state[self.rows + 1])

    def cost_in_points(self, cost: Any) -> int:
        """The points of a solution: all pieces are placed, so under every cost they follow from it."""
        offset = self.data.maxima_left[0] if self.cost_name == "opportunity" else 0
        return math.floor(offset - cost * (4800 if self.cost_name == "report1" else 1) + 1e-6)
