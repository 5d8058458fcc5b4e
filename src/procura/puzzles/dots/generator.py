"""Random Dots problems."""

from __future__ import annotations

from typing import Any

from procura.errors import InputError
from procura.puzzles.arguments import read_size, whole
from procura.puzzles.dots.formats import Problem, check_size, check_target
from procura.rng import shuffled, stream


def random_problem(seed: int, size: Any, drawn: float, boxes: int | None) -> Problem:
    """A board with ``drawn`` arcs, every set of so many as likely as any other."""
    rng = [stream(whole("seed", seed))]
    rows, columns = read_size(size, "rows and columns of boxes, such as 3x4")
    check_size(rows, columns)
    across = (rows + 1) * columns
    count = across + (columns + 1) * rows
    arcs = shuffled(rng, [int(arc < _how_many(drawn, count)) for arc in range(count)])
    horizontals = [arcs[i : i + columns] for i in range(0, across, columns)]
    verticals = [arcs[i : i + rows] for i in range(across, count, rows)]
    made = Problem(None, None, horizontals, verticals)
    target = made.closed + (made.boxes - made.closed + 1) // 2 if boxes is None else check_target(boxes, made.boxes)
    return made._replace(target=target)


def _how_many(drawn: float, arcs: int) -> int:
    """The number of arcs meant by ``drawn``: itself, or below 1 the part of all arcs, rounded."""
    if isinstance(drawn, int | float) and 0 <= drawn <= arcs and (drawn < 1 or drawn == int(drawn)):
        return round(drawn * arcs) if drawn < 1 else int(drawn)
    raise InputError(f"drawn {drawn!r}: expected a part below 1, or a number of lines up to {arcs}")
