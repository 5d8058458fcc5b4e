"""The rules of Dots and Boxes as a puzzle: draw arcs until enough boxes are closed.

A row of integers holds one entry an arc, the horizontal ones first, then the vertical ones, each list after
the other: 0 free, 1 drawn, 2 skipped; and as payload the number of closed boxes. A move is the index of the
arc.

The order of arcs does not matter. In canonical order no one goes back: drawing an arc skips every free arc
before it, so that each set of arcs is reached by one path only, and a box that needs a skipped arc stays open
for good. An arc is not drawn if that would leave fewer boxes than the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from procura.data import Data
from procura.errors import InputError
from procura.problem import ArrayProblem, Tuning, kernel
from procura.puzzles.arguments import changed, read_size
from procura.puzzles.dots import drawing
from procura.puzzles.dots.formats import (
    Problem,
    check_size,
    check_target,
    choose,
    read_board,
    read_items,
    split_problems,
    write_problem,
)
from procura.puzzles.dots.generator import random_problem
from procura.puzzles.dots.heuristics import BOX, HEURISTICS, SKIPPED, closed_by, least_arcs
from procura.puzzles.dots.presets import PRESETS
from procura.puzzles.dots.samples import ALIASES, GROUPS
from procura.puzzles.dots.specialist import PROFILE
from procura.texts import Source, Task


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
    ``order="any"`` lets any free arc be drawn at any time; so does ``order="report"``, which lists the vertical ones
    row by row, as the report's program did.

    >>> corner = Dots("(((1) (0)) ((1) (0)))", boxes=1, order="any")
    >>> [corner.action_to_json(arc) for arc in corner.actions(corner.initial)]
    [['h', 1, 0], ['v', 1, 0]]
    """

    acyclic = True
    auto = "profile"
    heuristics = HEURISTICS
    presets = PRESETS
    compared = ("auto", "report_dfs", "bfs", "astar:half_sharing", "astar:polyomino")
    sample_groups = GROUPS
    sample_aliases = ALIASES
    specialists = (PROFILE,)
    tuning = Tuning(heuristic="0*base + 0*half + 0*half_sharing + polyomino", generator={"size": "3x3", "drawn": 0.3})
    step_noun = "line"
    told_by_text = ("boxes",)
    typing_hint = "In a drawing, a row without bars is a line with a space."
    attempt = "procura.puzzles.dots.play:DotsAttempt"

    def __init__(self, board: Any, boxes: int | None = None, order: str = "canonical") -> None:
        if order not in ("canonical", "any", "report"):
            raise InputError(f"order {order!r}: expected canonical, any or report")
        _, target, horizontals, verticals = read_board(board)
        if boxes is None and target is None:
            raise InputError("the problem has no target: expected boxes (--boxes), the number of boxes to close")
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
                listed=self._listed(),
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

    def _listed(self) -> list[int]:
        """The arcs in the order in which moves lists them."""
        arcs = list(range(len(self.arcs)))
        if self.order == "report":
            first, rows = self.first_vertical, self.rows
            arcs[first:] = [first + c * rows + r for r in range(rows) for c in range(self.columns + 1)]
        return arcs

    def start(self) -> list[int]:
        sides, boxes = self.data.sides, self.rows * self.columns
        closed = sum(all(self.arcs[arc] for arc in sides[4 * box : 4 * box + 4]) for box in range(boxes))
        return [*self.arcs, closed]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Every free arc; in canonical order only while the arcs skipped before it leave boxes enough."""
        spare = spare_boxes(s, data, work)
        count = 0
        for place in range(data.size[2]):
            arc = data.listed[place]
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
        cls,
        text: str,
        *,
        boxes: int | None = None,
        problem: str | None = None,
        order: str = "canonical",
        size: Any = None,
    ) -> Dots:
        """The only problem of the text or the one called ``problem``; ``boxes`` replaces its target.

        Its size is that of the board, whatever is given.
        """
        chosen = choose(read_items(text), problem)
        found = len(chosen.horizontals) - 1, len(chosen.verticals) - 1
        if size is not None and read_size(size) != found:
            raise InputError(f"size {size}: the board has {found[0]}x{found[1]} boxes")
        boxes = chosen.target if boxes is None else boxes
        return cls([chosen.horizontals, chosen.verticals], boxes, order)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Dots | None:
        """An empty board of ``size``, ROWSxCOLS."""
        others = dict(options)
        size = others.pop("size", None)
        if size is None:
            return None
        rows, columns = read_size(size)
        check_size(rows, columns)
        if others.pop("problem", None) is not None:
            raise InputError(f"size {size}: an empty board is no problem of a file")
        return cls([[[0] * columns] * (rows + 1), [[0] * rows] * (columns + 1)], **others)

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        return split_problems(cls, source, options)

    @classmethod
    def beatable(cls, given: Mapping[str, Any], against: str | None = None) -> dict[str, Any]:
        return {"size": "3x3", **({} if against is None else {"drawn": 0})}

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        from procura.puzzles.dots.samples import samples

        return samples

    @classmethod
    def usual_boards(cls) -> Mapping[str, ArrayProblem]:
        return {"4x5": cls([[[0] * 5] * 5, [[0] * 4] * 6], 10)}

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

    @cached_property
    def options(self) -> dict[str, Any]:
        """The target, which the board alone does not show, and the order if it is not canonical."""
        order = {} if self.order == "canonical" else {"order": self.order}
        return {"boxes": self.target, **order}

    def target_text(self) -> str:
        """The boxes to close."""
        return f"{self.target} box" + ("" if self.target == 1 else "es")

    def board_text(self) -> str:
        """The target and the board as lists, on one line."""
        return write_problem(Problem(None, self.target, *self.board))

    def to_text(self, state: Any) -> str:
        return drawing.write_drawing(state, self.rows, self.columns)

    def draw(self, state: Any) -> str:
        return drawing.draw(state, self.arcs, self.rows, self.columns)

    def page_facts(self) -> dict[str, Any]:
        return {"boxes": self.target}

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
            last = f"{kind}{count - 1},{length - 1}"
            raise InputError(f"there is no line {kind}{i!r},{j!r}: expected {kind}0,0 to {last}")
        return i * length + j + (0 if kind == "h" else self.first_vertical)

    def action_text(self, value: Any) -> str:
        """Horizontal or vertical, list and element: ``h0,1``."""
        kind, i, j = value
        return f"{kind}{i},{j}"
