"""The heuristic ``pdb``: the values of all patterns of a small partition added up, read from their databases."""

from __future__ import annotations

from math import comb, factorial
from typing import Any

from procura.puzzles.sliding.patterns import (
    MOST_CELLS,
    block_table,
    layout,
    mirror,
    partition,
    positions,
    small_sizes,
    value_table,
)

MOST_TILES = 9
"""Of a pattern in a small partition."""
PATTERN_FIELDS = ("pdb", "pdb_block", "pdb_cell", "pdb_label", "pdb_pattern", "pdb_part", "choose")


def pattern_fields(rows: int, columns: int, goal: tuple[int, ...]) -> dict[str, Any]:
    """The constants of the pattern databases of a board of n cells; v is 0, or 1 for the reflected view if any.

    - ``pdb_cell[n v + c]``: the cell that is seen as cell c of the board that the databases are of
    - ``pdb_label[n v + t]``: the goal of tile t there
    - ``pdb_pattern[n v + t]``: the pattern that tile t belongs to; -1 for the blank
    - ``pdb_part[3 j]``: k! of pattern j, of k tiles; where its blocks begin; where its values begin
    - ``choose[26 n + k]``: n over k
    - ``pdb_block`` and ``pdb``: tables of blocks and of values, see ``patterns``
    """
    frame = layout(rows, columns, goal.index(0))
    patterns = partition(frame, small_sizes(frame.cells))
    sizes = tuple(sorted({len(pattern) for pattern in patterns}))
    cells, labels, members = [], [], []
    where = {cell: j for j, pattern in enumerate(patterns) for cell in pattern}
    reflection = mirror(frame, patterns)
    for number in [frame.number] + ([] if reflection is None else [[reflection[cell] for cell in frame.number]]):
        seen = [number[goal.index(tile)] for tile in range(frame.cells)]
        cells += [list(number).index(cell) for cell in range(frame.cells)]
        labels += seen
        members += [where.get(cell, -1) for cell in seen]
    parts, value = [], 0
    for pattern in patterns:
        before = sum(comb(frame.cells, size) * frame.cells for size in sizes if size < len(pattern))
        parts += [factorial(len(pattern)), before, value]
        value += positions(frame, pattern)
    return {
        "pdb": value_table(frame, patterns),
        "pdb_block": block_table(frame, sizes),
        "pdb_cell": cells,
        "pdb_label": labels,
        "pdb_pattern": members,
        "pdb_part": parts,
        "choose": [comb(n, k) for n in range(MOST_CELLS + 1) for k in range(MOST_CELLS + 1)],
    }


def pdb(s: Any, data: Any, work: Any) -> Any:
    """The moves that the tiles of each pattern need at least, added up; the greater sum of the two views.

    Consistent: a move takes a tile of one pattern, whose value changes by 1; the blank stays in its region for the
    others, whose values stay.
    """
    n = len(data.goal)
    most = 0
    for view in range(len(data.pdb_cell) // n):
        total = 0
        for j in range(len(data.pdb_part) // 3):
            total += _value(s, data, work, n * view, j)
        most = max(most, total)
    return most


def _value(s: Any, data: Any, work: Any, view: int, j: int) -> Any:
    """The entry of pattern ``j``; ``work`` gets its tiles in the order of cells."""
    n = len(data.goal)
    tiles = blank = row = 0
    for cell in range(n):
        tile = s[data.pdb_cell[view + cell]]
        if tile == 0:
            blank = cell
        elif data.pdb_pattern[view + tile] == j:
            work[tiles] = data.pdb_label[view + tile]
            tiles += 1
            row += data.choose[(MOST_CELLS + 1) * cell + tiles]
    rank = 0
    for i in range(tiles):
        lower = 0
        for later in range(i + 1, tiles):
            lower += work[later] < work[i]
        rank = rank * (tiles - i) + lower
    block = data.pdb_block[data.pdb_part[3 * j + 1] + n * row + blank]
    return data.pdb[data.pdb_part[3 * j + 2] + data.pdb_part[3 * j] * block + rank]
