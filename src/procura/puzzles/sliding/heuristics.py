"""What a sliding board still costs, at least: distances, conflicts, broken sequences; and the report's estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from procura.problem import Estimate
from procura.puzzles.sliding.lookup import pdb
from procura.puzzles.sliding.patterns import MOST_CELLS
from procura.puzzles.sliding.walking import walking_distance, walking_distance_step


def manhattan(s: Any, data: Any, work: Any) -> Any:
    """Rows plus columns from each tile to its goal; the blank is not counted.

    Consistent: a move takes one tile one step.
    """
    n = len(data.goal)
    total = 0
    for i in range(n):
        total += data.distance[s[i] * n + i]
    return total


def manhattan_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    n = len(data.goal)
    way = s[n] * 4 + move
    return h + data.change[way * n + s[data.target[way]]]


def misplaced(s: Any, data: Any, work: Any) -> Any:
    """Tiles that are not at their goal; the blank is not counted.

    Consistent: a move takes one tile from its place.
    """
    total = 0
    for i in range(len(data.goal)):
        total += s[i] != data.goal[i] and s[i] != 0
    return total


def misplaced_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    tile = s[after]
    return h + (tile != data.goal[blank]) - (tile != data.goal[after])


def sequence(s: Any, data: Any, work: Any) -> Any:
    """Half the broken pairs, rounded up, along the goals of tiles 1, 2, 3 ... in this order.

    The pair of a cell and the next is whole if a tile t stands in the one and t + 1 in the other, else broken; a pair
    with the blank is broken.

    Consistent: let a tile go from a to b. The pairs of b had the blank and were broken; there are at most two of
    them, so at most two are mended. The pairs of a get the blank: none is mended. So the broken pairs fall by at most
    2, their half by at most 1, and so does their half rounded up. At the goal no pair is broken, so it is admissible.

    Never more than ``misplaced``: a broken pair has a cell with a wrong tile, and a cell is in two pairs at most.
    """
    broken = 0
    for k in range(len(data.order) - 1):
        tile = s[data.order[k]]
        broken += tile == 0 or s[data.order[k + 1]] != tile + 1
    return (broken + 1) >> 1


def linear_conflict(s: Any, data: Any, work: Any) -> Any:
    """Manhattan, plus 2 for each tile that must leave the line it belongs to, to let another pass.

    Of the tiles that stand in their goal row some may be in the wrong order. Those that never leave the row keep their
    order, so all but a longest increasing run of them must leave it and come back, 2 moves that Manhattan does not
    count. The same for columns.

    Consistent: a vertical move changes no column's order, since it passes no tile, and one row at most: the one where
    the tile belongs. If the tile enters that row, Manhattan falls by 1 and the tiles that must leave grow by 0 or 1;
    if it leaves it, Manhattan grows by 1 and they fall by 0 or 1; else nothing but Manhattan changes, by 1. So the
    value changes by 1 in each case. Horizontal moves are alike. At the goal it is 0, so it is admissible.
    """
    n = len(data.goal)
    total = manhattan(s, data, work)
    for axis in range(2):
        for line in range(data.shape[axis]):
            total += 2 * _leaving(s, data, work, axis, line, n, 0)
    return total


def linear_conflict_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    """As ``manhattan_step``; and if the tile belongs to the line it enters or leaves, that line with it and without."""
    n = len(data.goal)
    axis = move >> 1
    blank = s[n]
    after = data.target[blank * 4 + move]
    tile = s[after]
    home = data.home[n * axis + tile]
    turn = (home == data.line[n * axis + blank]) - (home == data.line[n * axis + after])
    h = manhattan_step(s, data, work, move, h)
    if turn == 0:
        return h
    cell = blank if turn > 0 else after
    with_tile = _leaving(s, data, work, axis, home, cell, tile)
    return h + 2 * turn * (with_tile - _leaving(s, data, work, axis, home, cell, 0))


def linear_conflict_lookup(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    """The same on boards up to 4x4, whose lines are all in a table."""
    n = len(data.goal)
    blank = s[n]
    way = blank * 4 + move
    after = data.target[way]
    tile = s[after]
    h += data.change[way * n + tile]
    turn = data.turn[way * n + tile]
    if turn == 0:
        return h
    first = (n + 1) * (move >> 1)
    cell = first + (blank if turn > 0 else after)
    code = 0
    for i in range(3):
        other = data.others[3 * cell + i]
        code += data.digit[(first + other) * n + s[other]]
    return h + 2 * turn * (data.leaving[code + data.digit[cell * n + tile]] - data.leaving[code])


def _leaving(s: Any, data: Any, work: Any, axis: int, line: int, cell: int, instead: int) -> Any:
    """Tiles that must leave a row or column, as if ``instead`` stood in ``cell``.

    ``work`` gets, for each tile that belongs to the line, its place there and the longest increasing run it ends.
    """
    n = len(data.goal)
    columns = data.shape[1]
    at = line * columns if axis == 0 else line
    stride = 1 if axis == 0 else columns
    tiles = longest = 0
    for _ in range(data.shape[1 - axis]):
        tile = instead if at == cell else s[at]
        at += stride
        if data.home[n * axis + tile] == line:
            place = data.home[n * (1 - axis) + tile]
            run = 1
            for i in range(tiles):
                if work[2 * i] < place and work[2 * i + 1] >= run:
                    run = work[2 * i + 1] + 1
            work[2 * tiles] = place
            work[2 * tiles + 1] = run
            tiles += 1
            longest = max(longest, run)
    return tiles - longest


def report_h1(s: Any, data: Any, work: Any) -> Any:
    """The report's h1: misplaced tiles, the blank counted as one."""
    return misplaced(s, data, work) + (data.goal[s[len(data.goal)]] != 0)


def report_h1_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    return misplaced_step(s, data, work, move, h) + (data.goal[after] != 0) - (data.goal[blank] != 0)


def report_h2(s: Any, data: Any, work: Any) -> Any:
    """The report's h2: the broken pairs of ``sequence``, all of them; the blank and then 1 are a whole pair.

    A move can mend three pairs: two where the tile arrives and one of the blank and 1 where it left.
    """
    broken = 0
    for k in range(len(data.order) - 1):
        broken += s[data.order[k + 1]] != s[data.order[k]] + 1
    return broken


def report_h3(s: Any, data: Any, work: Any) -> Any:
    """The report's h3: Manhattan distances, the blank's own included."""
    return manhattan(s, data, work) + data.blank_distance[s[len(data.goal)]]


def report_h3_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    blank = s[len(data.goal)]
    after = data.target[blank * 4 + move]
    return manhattan_step(s, data, work, move, h) + data.blank_distance[after] - data.blank_distance[blank]


def _sound(function: Any, about: str, step: Any = None) -> Estimate:
    return Estimate(function, admissible=True, consistent=True, step=step, about=about)


LINEAR_CONFLICT = _sound(
    linear_conflict, "Manhattan, plus 2 for each tile that must let others of its line pass", linear_conflict_lookup
)

HEURISTICS: Mapping[str, Estimate | str] = {
    "manhattan": _sound(manhattan, "rows plus columns from each tile to its goal", manhattan_step),
    "misplaced": _sound(misplaced, "tiles that are not at their goal", misplaced_step),
    "sequence": _sound(sequence, "half the pairs of neighbours in the goal's order that are broken, rounded up"),
    "linear_conflict": LINEAR_CONFLICT,
    "walking_distance": _sound(
        walking_distance,
        "least moves when rows forget their columns, plus columns their rows (4x4 only)",
        walking_distance_step,
    ),
    "pdb": _sound(pdb, "moves of the tiles of a few patterns, by pattern databases (boards of up to 25 cells)"),
    "mean": "0.05*misplaced + 0.01*sequence + 0.94*manhattan",
    "largest": "max(misplaced, sequence, manhattan)",
    "report_h1": Estimate(report_h1, step=report_h1_step, about="the report's h1: misplaced, the blank counted too"),
    "report_h2": Estimate(report_h2, about="the report's h2: pairs that are broken in the goal's order"),
    "report_h3": Estimate(report_h3, step=report_h3_step, about="the report's h3: Manhattan, the blank counted too"),
    "report_h4": "0.05*report_h1 + 0.01*report_h2 + 0.94*report_h3",
    "report_h5": "max(report_h1, report_h2, report_h3)",
}
"""``mean`` and ``largest`` are the report's h4 and h5 made admissible. Since sequence <= misplaced <= manhattan,
``largest`` is always ``manhattan`` and ``mean`` a little less."""


@cache
def heuristics_of(rows: int, columns: int) -> Mapping[str, Estimate | str]:
    """The heuristics of boards of one size: walking_distance is for 4x4, pdb for boards of up to 25 cells, a table of
    lines for boards up to 4x4."""
    if (rows, columns) == (4, 4):
        return HEURISTICS
    absent = {"walking_distance"} | ({"pdb"} if rows * columns > MOST_CELLS else set())
    found = {name: declared for name, declared in HEURISTICS.items() if name not in absent}
    if max(rows, columns) > 4:
        found["linear_conflict"] = replace(LINEAR_CONFLICT, step=linear_conflict_step)
    return found
