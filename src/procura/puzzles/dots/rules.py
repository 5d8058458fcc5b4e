"""The rules of Dots and Boxes as a puzzle: draw arcs until enough boxes are closed.

A row of integers holds one entry an arc, the horizontal ones first, then the vertical ones, each list after
the other: 0 free, 1 drawn, 2 skipped; and as payload the number of closed boxes. A move is the index of the
arc.

The order of arcs does not matter. In canonical order no one goes back: drawing an arc skips every free arc
before it, so that each set of arcs is reached by one path only, and a box that needs a skipped arc stays open
for good. An arc is not drawn if that would leave fewer boxes than the target.
"""

from __future__ import annotations

from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, kernel
from procura.puzzles.arguments import changed
from procura.puzzles.dots import drawing
from procura.puzzles.dots.formats import (
    Problem,
    check_size,
    check_target,
    choose,
    read_board,
    read_problems,
    write_problem,
)
from procura.puzzles.dots.generator import random_problem
from procura.puzzles.dots.heuristics import BOX, HEURISTICS, SKIPPED, closed_by, least_arcs


def spare_boxes(s: Any, data: Any, work: Any) -> int:
    """How many boxes more than the target are alive; in ``work``, for each arc, how many die when it is skipped.

    A box dies with the first of its free arcs. Its sides stand in the order of arcs.
    """
    for arc in range(data.size[2]):
        work[arc] = 0
    if data.canonical[0] == 0:
        return 0
    spare = -data.target[0]
    for box in range(data.size[3]):
        first = -1
        for side in range(4 * box + 3, 4 * box - 1, -1):
            arc = data.sides[side]
            if s[arc] == SKIPPED:
                spare -= 1
                first = -1
                break
            if s[arc] == 0:
                first = arc
        spare += 1
        if first >= 0:
            work[first] += 1
    return spare


class Dots(ArrayProblem):
    """Close at least ``boxes`` boxes of the board with the fewest arcs.

    ``board`` is text or the two lists of lists; any size from 1x1 to 1,200 arcs (24x24). ``boxes`` can be left out if
    the text has a target. ``order="canonical"`` draws arcs in index order only, which loses no solution;
    ``order="any"`` lets any free arc be drawn at any time.

    >>> corner = Dots("(((1) (0)) ((1) (0)))", boxes=1, order="any")
    >>> [corner.action_to_json(arc) for arc in corner.actions(corner.initial)]
    [['h', 1, 0], ['v', 1, 0]]
    """

    acyclic = True
    auto = "idastar:polyomino"
    heuristics = HEURISTICS

    def __init__(self, board: Any, boxes: int | None = None, order: str = "canonical") -> None:
        if order not in ("canonical", "any"):
            raise InputError(f"order {order!r}: expected canonical or any")
        _, target, horizontals, verticals = read_board(board)
        if boxes is None and target is None:
            raise InputError("the problem has no target: expected boxes, the number of boxes to close")
        rows, columns = len(horizontals) - 1, len(verticals) - 1
        check_size(rows, columns)
        self.rows, self.columns, self.order = rows, columns, order
        self.board = horizontals, verticals
        self.first_vertical = (rows + 1) * columns
        self.arcs = [arc for arcs in (*horizontals, *verticals) for arc in arcs]
        self.target = check_target(target if boxes is None else boxes, rows * columns)
        sides = self._sides()
        beside = [-1] * (2 * len(self.arcs))
        for place, arc in enumerate(sides):
            beside[2 * arc + (beside[2 * arc] >= 0)] = place // 4
        super().__init__(
            size=len(self.arcs) + 1,
            key=len(self.arcs),
            bits=2,
            dtype="int8" if rows * columns <= 127 else "int16",
            max_moves=max(1, self.arcs.count(0)),
            scratch=max(BOX + rows * columns, len(self.arcs)),
            data=Data(
                size=[rows, columns, len(self.arcs), rows * columns],
                target=[self.target],
                canonical=[int(order == "canonical")],
                sides=sides,
                beside=beside,
                least_arcs=[least_arcs(self.target)],
            ),
        )

    def _sides(self) -> list[int]:
        """For each box its top, bottom, left and right arc."""
        sides = []
        for r in range(self.rows):
            for c in range(self.columns):
                top, left = r * self.columns + c, self.first_vertical + c * self.rows + r
                sides += [top, top + self.columns, left, left + self.rows]
        return sides

    def start(self) -> list[int]:
        sides, boxes = self.data.sides, self.rows * self.columns
        closed = sum(all(self.arcs[arc] for arc in sides[4 * box : 4 * box + 4]) for box in range(boxes))
        return [*self.arcs, closed]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Every free arc; in canonical order only while the arcs skipped before it leave boxes enough."""
        spare = spare_boxes(s, data, work)
        count = 0
        for arc in range(data.size[2]):
            if s[arc] == 0:
                if spare < 0:
                    break
                out[count] = arc
                count += 1
                spare -= work[arc]
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> int:
        """Draw the arc and, in canonical order, skip the free ones before it."""
        if data.canonical[0] == 1:
            for arc in range(move):
                if s[arc] == 0:
                    s[arc] = SKIPPED
        s[data.size[2]] += closed_by(s, data, move)
        s[move] = 1
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
        return cls([chosen.horizontals, chosen.verticals], boxes, order)

    @classmethod
    def generate(  # type: ignore[override]
        cls, seed: int, *, size: Any = "4x4", drawn: float = 0.4, boxes: int | None = None
    ) -> Dots:
        """A board of ``size`` with ``drawn`` random arcs: how many or, below 1, what part of them.

        The target is ``boxes``; by default those closed at the start and half of the rest.
        """
        made = random_problem(seed, size, drawn, boxes)
        return cls([made.horizontals, made.verticals], made.target)

    def with_options(self, **options: Any) -> Dots:
        """The same board with another target, ``boxes``, or another ``order``."""
        return type(self)(list(self.board), **changed(options, boxes=self.target, order=self.order))

    def board_text(self) -> str:
        """The target and the board as lists, on one line."""
        return write_problem(Problem(None, self.target, *self.board))

    def to_text(self, state: Any) -> str:
        return drawing.write_drawing(state, self.rows, self.columns)

    def draw(self, state: Any) -> str:
        return drawing.draw(state, self.arcs, self.rows, self.columns)

    def to_svg(self, state: Any) -> str:
        return drawing.to_svg(state, self.arcs, self.rows, self.columns)

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
