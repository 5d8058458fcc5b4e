"""A Dots board as its specialist goes through it: box after box along the shorter side, and what is beside each."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procura.puzzles.dots.rules import Dots

TOP, BEFORE, AFTER, BOTTOM = range(4)
"""The sides of a box: shared with the box a line back, with the one before it, with those after it."""
NONE = -1


class Scan:
    """A board as it is gone through: along its shorter side."""

    def __init__(self, problem: Dots) -> None:
        self.problem = problem
        upright = problem.columns <= problem.rows
        self.line = problem.columns if upright else problem.rows
        lines = problem.rows if upright else problem.columns
        self.boxes, self.target = problem.rows * problem.columns, problem.target
        self.arcs: list[int] = []
        """The sides of each box, in the order of the scan: TOP, BEFORE, AFTER, BOTTOM."""
        for i in range(lines):
            for j in range(self.line):
                box = i * problem.columns + j if upright else j * problem.columns + i
                top, bottom, left, right = problem.data.sides[4 * box : 4 * box + 4]
                self.arcs += (top, left, right, bottom) if upright else (left, top, bottom, right)
        self.free = [1 - problem.arcs[arc] for arc in self.arcs]

    def path(self, closed: Any) -> list[int]:
        """The free arcs of closed boxes, in order."""
        sides = (self.arcs[4 * box : 4 * box + 4] for box in range(self.boxes) if closed[box])
        return sorted({arc for arc in chain.from_iterable(sides) if self.problem.arcs[arc] == 0})


def beside(line: int, boxes: int, box: int) -> tuple[int, int, int, int]:
    """The boxes across the sides of a box, ``NONE`` off the board; in the order TOP, BEFORE, AFTER, BOTTOM."""
    place = box % line
    return (
        box - line if box >= line else NONE,
        box - 1 if place else NONE,
        box + 1 if place < line - 1 else NONE,
        box + line if box + line < boxes else NONE,
    )
