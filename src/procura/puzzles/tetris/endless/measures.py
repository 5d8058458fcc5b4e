"""The features of a board, on columns of bits, as kernels; importing this imports Numba.

``b`` is a game and ``at`` where the columns of the board stand in it; see ``layout``.
"""

from __future__ import annotations

from typing import Any

from procura.puzzles.tetris.endless.bits import length, ones
from procura.puzzles.tetris.endless.features import (
    BUMPINESS,
    COLUMN_TRANSITIONS,
    DIVERSITY,
    FLAT_STEPS,
    HEIGHT,
    HOLE_DEPTH,
    HOLES,
    PEAK,
    ROW_TRANSITIONS,
    ROWS_WITH_HOLES,
    UNIT_STEPS,
    WELLS,
)
from procura.puzzles.tetris.endless.layout import EDGE, END, FLAT, STEPS, UNITS


def row_transitions(b: Any, at: Any) -> Any:
    """Changes between filled and empty along the rows, walls filled; an empty row counts 2."""
    total = 0
    for j in range(EDGE, END + 1):
        total += ones(b[at + j - 1] ^ b[at + j])
    return total


def column_transitions(b: Any, at: Any) -> Any:
    """Changes between filled and empty up the columns, floor filled and ceiling empty."""
    total = 0
    for j in range(EDGE, END):
        total += ones(b[at + j] ^ (b[at + j] << 1 | 1))
    return total


def holes(b: Any, at: Any) -> Any:
    """Empty cells with a filled one somewhere above."""
    total = 0
    for j in range(EDGE, END):
        total += length(b[at + j]) - ones(b[at + j])
    return total


def well_sum(left: Any, column: Any, right: Any) -> Any:
    """For each empty cell of a column between two filled ones, the empty cells from it downwards."""
    total = 0
    cells = left & right & ~column
    while cells != 0:
        total += ones(cells)
        cells = (cells >> 1) & ~column
    return total


def wells(b: Any, at: Any) -> Any:
    """The wells of all columns; walls count as filled."""
    total = 0
    for j in range(EDGE, END):
        total += well_sum(b[at + j - 1], b[at + j], b[at + j + 1])
    return total


def hole_depth(b: Any, at: Any) -> Any:
    """Filled cells above each hole, summed: for each filled cell its row, less the filled cells below it."""
    total = 0
    for j in range(EDGE, END):
        filled = ones(b[at + j])
        total += places(b[at + j]) - (filled * (filled - 1) >> 1)
    return total


def places(bits: Any) -> Any:
    """The sum of the places, from 0, of the set bits among the lowest 32."""
    low = ones(bits & 0xAAAAAAAA) + 2 * ones(bits & 0xCCCCCCCC) + 4 * ones(bits & 0xF0F0F0F0)
    return low + 8 * ones(bits & 0xFF00FF00) + 16 * ones(bits & 0xFFFF0000)


def holed_rows(b: Any, at: Any) -> Any:
    """The rows that have a hole, as bits."""
    rows = 0
    for j in range(EDGE, END):
        rows |= ((1 << length(b[at + j])) - 1) & ~b[at + j]
    return rows


def rows_with_holes(b: Any, at: Any) -> Any:
    """How many rows have a hole."""
    return ones(holed_rows(b, at))


def step_bit(difference: Any) -> Any:
    """A bit of its own for each difference of heights; those of -2 to 2 are ``STEPS``."""
    return 1 << (difference + 32)


def steps(b: Any, at: Any) -> Any:
    """The differences between the heights of neighbours, as bits."""
    seen = 0
    for j in range(EDGE, END - 1):
        seen |= step_bit(length(b[at + j]) - length(b[at + j + 1]))
    return seen


def diversity(b: Any, at: Any) -> Any:
    """How many of the differences -2 to 2 occur between the heights of neighbours."""
    return ones(steps(b, at) & STEPS)


def unit_steps(b: Any, at: Any) -> Any:
    """How many of the differences -1 and 1 occur."""
    return ones(steps(b, at) & UNITS)


def flat_steps(b: Any, at: Any) -> Any:
    """Whether the difference 0 occurs, as 1 or 0."""
    return ones(steps(b, at) & FLAT)


def height(b: Any, at: Any) -> Any:
    """The sum of the heights of the columns."""
    total = 0
    for j in range(EDGE, END):
        total += length(b[at + j])
    return total


def peak(b: Any, at: Any) -> Any:
    """The height of the highest column."""
    filled = 0
    for j in range(EDGE, END):
        filled |= b[at + j]
    return length(filled)


def bumpiness(b: Any, at: Any) -> Any:
    """The sum of the differences of height between neighbours."""
    total = 0
    for j in range(EDGE, END - 1):
        total += abs(length(b[at + j]) - length(b[at + j + 1]))
    return total


def none(b: Any, at: Any) -> Any:
    """Stands for a feature that has no weight."""
    return 0


def board_value(b: Any, at: Any, weights: Any) -> Any:
    """The weighted features of a board, without those of the placement that led to it."""
    return (
        weights[ROW_TRANSITIONS] * row_transitions(b, at)
        + weights[COLUMN_TRANSITIONS] * column_transitions(b, at)
        + weights[HOLES] * holes(b, at)
        + weights[WELLS] * wells(b, at)
        + weights[HOLE_DEPTH] * hole_depth(b, at)
        + weights[ROWS_WITH_HOLES] * rows_with_holes(b, at)
        + weights[DIVERSITY] * diversity(b, at)
        + weights[UNIT_STEPS] * unit_steps(b, at)
        + weights[FLAT_STEPS] * flat_steps(b, at)
        + weights[HEIGHT] * height(b, at)
        + weights[PEAK] * peak(b, at)
        + weights[BUMPINESS] * bumpiness(b, at)
    )
