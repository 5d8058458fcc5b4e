"""Random Dots problems."""

from __future__ import annotations

import operator
import re
from typing import Any

from procura.errors import InputError
from procura.puzzles.dots.formats import Problem, check_size, check_target
from procura.rng import below, stream


def random_problem(seed: int, size: Any, drawn: float, boxes: int | None) -> Problem:
    """A board with ``drawn`` arcs, every set of so many as likely as any other."""
    rows, columns = read_size(size)
    check_size(rows, columns)
    across = (rows + 1) * columns
    count = across + (columns + 1) * rows
    arcs, places, rng = [0] * count, list(range(count)), [stream(seed)]
    for i in range(_how_many(drawn, count)):
        j = i + below(rng, count - i)
        places[i], places[j] = places[j], places[i]
        arcs[places[i]] = 1
    horizontals = [arcs[i : i + columns] for i in range(0, across, columns)]
    verticals = [arcs[i : i + rows] for i in range(across, count, rows)]
    made = Problem(None, None, horizontals, verticals)
    target = made.closed + (made.boxes - made.closed + 1) // 2 if boxes is None else check_target(boxes, made.boxes)
    return made._replace(target=target)


def read_size(size: Any) -> tuple[int, int]:
    """Rows and columns of boxes from ``(3, 4)`` or ``"3x4"``."""
    match = re.fullmatch(r"\s*([0-9]{1,5})\s*[xX]\s*([0-9]{1,5})\s*", size) if isinstance(size, str) else None
    try:
        rows, columns = (operator.index(v) for v in (map(int, match.groups()) if match else size))
    except (TypeError, ValueError):
        raise InputError(f"size {size!r}: expected rows and columns of boxes, such as 3x4") from None
    if rows < 1 or columns < 1:
        raise InputError(f"size {rows}x{columns}: expected at least 1x1")
    return rows, columns


def _how_many(drawn: float, arcs: int) -> int:
    """The number of arcs meant by ``drawn``: itself, or below 1 the part of all arcs, rounded."""
    if isinstance(drawn, int | float) and 0 <= drawn <= arcs and (drawn < 1 or drawn == int(drawn)):
        return round(drawn * arcs) if drawn < 1 else int(drawn)
    raise InputError(f"drawn {drawn!r}: expected a part below 1, or a number of arcs up to {arcs}")
