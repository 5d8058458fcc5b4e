"""What a Tetris board looks like: the heuristics of both reports, counted on row masks.

Most of them follow from ``cover``, the columns with a filled cell in this row or above it. With ``#`` for filled
cells and ``o`` for the rest of the cover::

    . # . .     cover has 1 cell here
    . o # .               2
    # # o .               3     heights 1 3 2 0: six cells in all, so the heights sum to 6

A column's height is its number of cover cells; the empty ones are those below a filled cell; and two neighbours
differ in height by as many rows as one of them is in the cover and the other is not.

None of these is admissible: they judge the board at hand, and a goal may have any board.
"""

from __future__ import annotations

from typing import Any

from procura.problem import Estimate
from procura.puzzles.bits import ones


def holes(s: Any, data: Any, work: Any) -> int:
    """Empty cells whose cell straight above is filled: the first report's holes."""
    total = 0
    for row in range(data.size[0] - 1):
        total += ones(s[row + 1] & ~s[row])
    return total


def height(s: Any, data: Any, work: Any) -> int:
    """The sum of the column heights."""
    total = 0
    cover = 0
    for row in range(data.size[0] - 1, -1, -1):
        cover = cover | s[row]
        total += ones(cover)
    return total


def covered(s: Any, data: Any, work: Any) -> int:
    """Empty cells with a filled one anywhere above: the second report's holes."""
    return height(s, data, work) - s[data.size[0] + 2]


def relief(s: Any, data: Any, work: Any) -> int:
    """The differences in height between neighbouring columns, summed."""
    inner = (1 << (data.size[1] - 1)) - 1
    total = 0
    cover = 0
    for row in range(data.size[0] - 1, -1, -1):
        cover = cover | s[row]
        total += ones((cover ^ (cover >> 1)) & inner)
    return total


def higher_slope(s: Any, data: Any, work: Any) -> int:
    """The greatest difference in height between neighbouring columns."""
    columns = data.size[1]
    for column in range(columns):
        work[column] = 0
    seen = 0
    for row in range(data.size[0] - 1, -1, -1):
        new = s[row] & ~seen
        if new != 0:
            for column in range(columns):
                if (new >> column) & 1 != 0:
                    work[column] = row + 1
            seen = seen | new
    highest = 0
    for column in range(columns - 1):
        highest = max(highest, abs(work[column] - work[column + 1]))
    return highest


def filled(s: Any, data: Any, work: Any) -> int:
    """The filled cells of the board."""
    return s[data.size[0] + 2]


def quality(s: Any, data: Any, work: Any) -> int:
    """Minus the points made so far."""
    return -s[data.size[0] + 1]


def opportunity(s: Any, data: Any, work: Any) -> int:
    """The opportunity lost so far: what the pieces placed could have made at most, less the points made."""
    rows = data.size[0]
    return data.maxima_left[0] - data.maxima_left[s[rows]] - s[rows + 1]


FEATURES = {
    "holes": Estimate(holes, about="empty cells with a filled one straight above (report 1)"),
    "covered": Estimate(covered, about="empty cells with a filled one anywhere above (report 2's holes)"),
    "relief": Estimate(relief, about="differences in height of neighbouring columns, summed (report 2's total slope)"),
    "higher_slope": Estimate(higher_slope, about="the greatest difference in height of neighbouring columns"),
    "height": Estimate(height, about="the column heights, summed"),
    "filled": Estimate(filled, about="filled cells of the board"),
    "quality": Estimate(quality, about="minus the points made so far"),
    "opportunity": Estimate(opportunity, about="opportunity lost so far: maxima of the pieces placed, less the points"),
}
"""The features of the reports, raw."""


def compositions(rows: int, columns: int) -> dict[str, str]:
    """The features of the first report from 0 to 1, the weighted sums that the reports settled on, and ``surface``,
    which is cheap and keeps a board playable: what beams go by.

    On a board of 18x10 the divisors are those of the first report: 85, 162, 180 and 4800.
    """
    shares = {
        "holes_share": f"holes/{(rows - 1) * columns / 2:g}",
        "relief_share": f"relief/{rows * (columns - 1)}",
        "height_share": f"height/{rows * columns}",
        "opportunity_share": "opportunity/4800",
    }
    best = zip(("0.17679017", "0.99800133", "0.47329903", "0.36889546"), shares, strict=True)
    second = zip(("0.25373280", "0.93107579", "0.27038572", "0.33585559"), shares, strict=True)
    return {
        **shares,
        "report1_sum": " + ".join(f"{weight}*{share}" for weight, share in best),
        "report1_second_sum": " + ".join(f"{weight}*{share}" for weight, share in second),
        "report2_sum": "500*covered + quality + 10*higher_slope",
        "surface": "100*covered + 5*relief + 2*height",
    }
