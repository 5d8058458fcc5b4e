"""The rules of Dots and Boxes as a puzzle: draw arcs until enough boxes are closed.

A row of integers holds one entry an arc, the horizontal ones first, then the vertical ones, each list after
the other: 0 free, 1 drawn, 2 skipped; and as payload the number of closed boxes. A move is the index of the
arc.

The order of arcs does not matter. In canonical order no one goes back: drawing an arc skips every free arc
before it, so that each set of arcs is reached by one path only, and a box that needs a skipped arc stays open
for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, Estimate, kernel
from procura.puzzles.dots.formats import check_target, choose, draw, read_board, read_problems
from procura.puzzles.dots.heuristics import (
    ALIVE,
    SKIPPED,
    base,
    half,
    half_sharing,
    least_arcs,
    polyomino,
)

MOST_BOXES = 32767


def is_closed(s: Any, data: Any, box: int) -> bool:
    """Whether the four arcs of the box are drawn."""
    for side in range(4 * box, 4 * box + 4):
        if s[data.sides[side]] != 1:
            return False
    return True


class Dots(ArrayProblem):
    """Close at least ``boxes`` boxes of the board with the fewest arcs.

    ``order="canonical"`` draws arcs in index order only, which loses no solution; ``order="any"`` lets any
    free arc be drawn at any time.

    >>> corner = Dots("(((1) (0)) ((1) (0)))", boxes=1)
    >>> [corner.action_to_json(arc) for arc in corner.actions(corner.initial)]
    [['h', 1, 0], ['v', 1, 0]]
    """

    acyclic = True
    auto = "idastar:polyomino"
    heuristics: Mapping[str, Estimate | str] = {
        "base": Estimate(base, about="boxes missing"),
        "half": Estimate(half, admissible=True, consistent=True, about="half the boxes missing"),
        "half_sharing": Estimate(
            half_sharing,
            admissible=True,
            consistent=True,
            about="arcs of the cheapest boxes, shared ones half",
        ),
        "polyomino": Estimate(polyomino, admissible=True, about="arcs of the most compact boxes, or half_sharing"),
    }

    def __init__(self, board: Any, boxes: int, order: str = "canonical") -> None:
        if order not in ("canonical", "any"):
            raise InputError(f"order {order!r}: expected canonical or any")
        horizontals, verticals = read_board(board)
        rows, columns = len(horizontals) - 1, len(verticals) - 1
        if rows * columns > MOST_BOXES:
            raise InputError(f"a board of {rows * columns} boxes: expected at most {MOST_BOXES}")
        self.rows, self.columns = rows, columns
        self.first_vertical = (rows + 1) * columns
        self.arcs = [arc for arcs in (*horizontals, *verticals) for arc in arcs]
        self.target = check_target(boxes, rows * columns)
        sides, across = self._sides()
        beside = [-1] * (2 * len(self.arcs))
        for place, arc in enumerate(sides):
            beside[2 * arc + (beside[2 * arc] >= 0)] = place // 4
        super().__init__(
            size=len(self.arcs) + 1,
            key=len(self.arcs),
            bits=2,
            dtype="int8" if rows * columns <= 127 else "int16",
            max_moves=max(1, self.arcs.count(0)),
            scratch=ALIVE + rows * columns,
            data=Data(
                size=[rows, columns, len(self.arcs), rows * columns],
                target=[self.target],
                canonical=[int(order == "canonical")],
                sides=sides,
                across=across,
                beside=beside,
                least_arcs=[least_arcs(self.target)],
            ),
        )

    def _sides(self) -> tuple[list[int], list[int]]:
        """For each box its top, bottom, left and right arc, and the box across each (-1 for none)."""
        rows, columns = self.rows, self.columns
        sides, across = [], []
        for r in range(rows):
            for c in range(columns):
                box = r * columns + c
                top, left = r * columns + c, self.first_vertical + c * rows + r
                sides += [top, top + columns, left, left + rows]
                across += [
                    box - columns if r > 0 else -1,
                    box + columns if r < rows - 1 else -1,
                    box - 1 if c > 0 else -1,
                    box + 1 if c < columns - 1 else -1,
                ]
        return sides, across

    def start(self) -> list[int]:
        sides, boxes = self.data.sides, self.rows * self.columns
        closed = sum(all(self.arcs[arc] for arc in sides[4 * box : 4 * box + 4]) for box in range(boxes))
        return [*self.arcs, closed]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Every free arc."""
        count = 0
        for arc in range(data.size[2]):
            if s[arc] == 0:
                out[count] = arc
                count += 1
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        """Draw the arc and, in canonical order, skip the free ones before it."""
        if data.canonical[0] == 1:
            for arc in range(move):
                if s[arc] == 0:
                    s[arc] = SKIPPED
        s[move] = 1
        for place in range(2 * move, 2 * move + 2):
            if data.beside[place] >= 0 and is_closed(s, data, data.beside[place]):
                s[data.size[2]] += 1
        return 1

    @kernel
    def solved(s: Any, data: Any, work: Any) -> bool:
        """Enough boxes are closed."""
        return s[data.size[2]] >= data.target[0]

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, *, boxes: int | None = None, problem: str | None = None, order: str = "canonical"
    ) -> Dots:
        """The only problem of the text or the one called ``problem``; ``boxes`` replaces its target."""
        chosen = choose(read_problems(text), problem)
        boxes = chosen.target if boxes is None else boxes
        if boxes is None:
            raise InputError("the problem has no target: expected boxes, the number of boxes to close")
        return cls([chosen.horizontals, chosen.verticals], boxes, order)

    def to_text(self, state: Any) -> str:
        return draw(state, self.rows, self.columns)

    def action_to_json(self, action: int) -> list[Any]:
        if action < self.first_vertical:
            return ["h", *divmod(action, self.columns)]
        return ["v", *divmod(action - self.first_vertical, self.rows)]

    def action_from_json(self, value: Any) -> int:
        if not isinstance(value, list | tuple) or len(value) != 3 or value[0] not in ("h", "v"):
            raise InputError(f"action {value!r}: expected ['h', i, j] or ['v', i, j]")
        kind, i, j = value
        count, length = (self.rows + 1, self.columns) if kind == "h" else (self.columns + 1, self.rows)
        if not isinstance(i, int) or not isinstance(j, int) or i not in range(count) or j not in range(length):
            raise InputError(f"action {value!r}: expected list 0 to {count - 1}, element 0 to {length - 1}")
        return i * length + j + (0 if kind == "h" else self.first_vertical)
