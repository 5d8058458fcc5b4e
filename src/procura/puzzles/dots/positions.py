"""All positions of the smallest boards of Dots and Boxes for two: a table of what each is worth, kept on disk.

A position is the number whose bit i says whether line i is drawn. Its entry is how many boxes more than the other the
player to move still gets; it follows from the entries of the positions with one line more, which are greater numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from procura.compiled.kernels import can_compile
from procura.puzzles.dots.rules import Dots
from procura.tables import Report, Table

MOST_LINES, MOST_INTERPRETED = 24, 17
"""Of boards that have a table, up to 3x3; where it is not compiled, up to 2x3."""
STEP = 1 << 16
"""Entries between two reports."""


def worth(values: Any, boxes: Any, lines: int, position: int, line: int) -> int:
    """What drawing a line is worth to who draws it, of the entries of all positions with more lines."""
    after = position | 1 << line
    closed = 0
    for side in range(2 * line, 2 * line + 2):
        if boxes[side] != 0 and after & boxes[side] == boxes[side]:
            closed += 1
    return closed + values[after] if closed > 0 else -values[after]


def fill(values: Any, boxes: Any, lines: int, start: int, end: int) -> None:
    """Write the entries of the positions from ``start`` down to ``end``; all greater ones are there."""
    for position in range(start, end - 1, -1):
        best = -100
        for line in range(lines):
            if position >> line & 1 == 0:
                best = max(best, worth(values, boxes, lines, position, line))
        values[position] = best


def has_table(puzzle: Dots) -> bool:
    """Whether a board is so small that there is a table of all its positions."""
    return len(puzzle.arcs) <= (MOST_LINES if can_compile() else MOST_INTERPRETED)


@cache
def table_of(rows: int, columns: int) -> Table:
    """The table of all positions of a board of so many boxes.

    >>> table = table_of(1, 2)
    >>> len(table), table.open()[0]
    (128, 0)
    """
    puzzle = Dots([[[0] * columns] * (rows + 1), [[0] * rows] * (columns + 1)], 0)
    lines = len(puzzle.arcs)
    purpose = f"what all positions of {rows}x{columns} dots and boxes are worth to the player to move"
    return Table(purpose, "int8", 1 << lines, partial(_build, masks(puzzle), lines))


def masks(puzzle: Dots) -> list[int]:
    """Of each line, at twice its number, the lines of its two boxes as a number; 0 for none."""
    data = puzzle.data
    sides = [data.sides[4 * box : 4 * box + 4] for box in range(puzzle.rows * puzzle.columns)]
    return [0 if box < 0 else sum(1 << line for line in sides[box]) for box in data.beside]


def _build(boxes: list[int], lines: int, entries: memoryview, report: Report) -> None:
    run: Any = fill
    values: Any = entries
    packed: Any = boxes
    if lines > MOST_INTERPRETED:
        import numpy as np

        from procura.compiled.engine import compile_for
        from procura.control import Control

        values, packed = np.asarray(entries), np.array(boxes, dtype=np.int64)
        run = compile_for(Control(), fill, {}, (values, packed, lines, 0, 0))
    entries[len(entries) - 1] = 0
    for start in range(len(entries) - 2, -1, -STEP):
        run(values, packed, lines, start, max(start - STEP + 1, 0))
        report(1 - start / len(entries))


def best_line(puzzle: Dots, values: Any, arcs: Sequence[int], likely: Sequence[int]) -> tuple[int, int]:
    """The first of the free lines that is worth the most, and what it is worth."""
    boxes, position = masks(puzzle), sum(1 << line for line, drawn in enumerate(arcs) if drawn)
    found = [(worth(values, boxes, len(arcs), position, line), -i) for i, line in enumerate(likely)]
    value, place = max(found)
    return likely[-place], value
