"""The constants of all boards with one goal, as the kernels read them."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Any

from procura.data import Data
from procura.puzzles.sliding.lookup import PATTERN_FIELDS, pattern_fields
from procura.puzzles.sliding.patterns import MOST_CELLS
from procura.puzzles.sliding.walking import walking_fields


@lru_cache(maxsize=16)
def tables(rows: int, columns: int, goal: tuple[int, ...]) -> Any:
    """The constants of all boards with this goal, of n cells; axis 0 are the rows, axis 1 the columns.

    - ``goal[i]``: the tile that belongs at i
    - ``target[4 i + d]``: where direction d leads from i; i itself where it leads off the board
    - ``legal[4 i]`` and on: the directions that stay on the board, ``legal_count[i]`` of them
    - ``distance[n t + i]``: rows plus columns from i to the goal of tile t; 0 for the blank
    - ``blank_distance[i]``: the same for the blank
    - ``change[n (4 i + d) + t]``: how much farther from its goal tile t is at i than beside it in direction d
    - ``order``: the goals of tiles 1, 2, 3 ...
    - ``shape``: rows, columns
    - ``line[n axis + i]``: the row or column of i
    - ``home[n axis + t]``: the row or column where tile t belongs; -1 for the blank, which belongs to no line
    - the fields of ``_line_tables`` on boards up to 4x4, else a 0 in each
    - the fields of ``walking_fields`` on the 4x4 board, else a 0 in each
    - the fields of ``pattern_fields`` on boards of up to 25 cells, else a 0 in each
    """
    n = rows * columns
    places = [(row, column) for row in range(rows) for column in range(columns)]
    number = {place: i for i, place in enumerate(places)}
    target = [
        number.get((row + down, column + right), -1)
        for row, column in places
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    goals = [0] * n
    for i, tile in enumerate(goal):
        goals[tile] = i
    distance = [abs(row - places[i][0]) + abs(column - places[i][1]) for i in goals for row, column in places]
    blank_distance = distance[:n]
    distance[:n] = [0] * n
    legal = [[d for d in range(4) if target[4 * i + d] >= 0] for i in range(n)]
    change = [
        0 if beside < 0 else distance[n * tile + i // 4] - distance[n * tile + beside]
        for i, beside in enumerate(target)
        for tile in range(n)
    ]
    line = [place[axis] for axis in range(2) for place in places]
    home = [line[n * axis + goals[tile]] if tile else -1 for axis in range(2) for tile in range(n)]
    small = max(rows, columns) <= 4
    return Data(
        goal=list(goal),
        target=[way // 4 if beside < 0 else beside for way, beside in enumerate(target)],
        legal=[d for ds in legal for d in (*ds, *[0] * (4 - len(ds)))],
        legal_count=[len(ds) for ds in legal],
        distance=distance,
        blank_distance=blank_distance,
        change=change,
        order=goals[1:],
        shape=[rows, columns],
        line=line,
        home=home,
        **(_line_tables(n, target, line, home) if small else {field: [0] for field in LINE_FIELDS}),
        **(walking_fields(goal) if rows == columns == 4 else {field: [0] for field in WALKING_FIELDS}),
        **(pattern_fields(rows, columns, goal) if n <= MOST_CELLS else {field: [0] for field in PATTERN_FIELDS}),
    )


LINE_FIELDS = ("turn", "others", "digit", "leaving")
WALKING_FIELDS = ("walk_code", "walk_kind", "walk")


def _line_tables(n: int, target: list[int], line: list[int], home: list[int]) -> dict[str, list[int]]:
    """What ``linear_conflict_lookup`` reads; q = (n + 1) axis + i stands for cell i in its row or column.

    - ``turn[n (4 i + d) + t]``: 1 if t, coming to i from its neighbour in direction d, enters the line across the
      move where it belongs, -1 if it leaves it, else 0
    - ``others[3 q]`` and on: the other cells of the line, filled up with n, which is no cell
    - ``digit[n q + t]``: where t belongs in the line (from 1; 0 if elsewhere) times the power of 5 that stands for i
    - ``leaving[c]``: how many tiles must leave a line whose digits sum up to c
    """
    turn, others, digit = [], [], []
    for way, beside in enumerate(target):
        axis, i = n * (way % 4 // 2), way // 4
        for tile in range(n):
            belongs, left = home[axis + tile] == line[axis + i], home[axis + tile] == line[axis + beside]
            turn.append(belongs - left if beside >= 0 else 0)
    for axis, across in ((0, n), (n, 0)):
        for i in range(n):
            cells = [j for j in range(n) if line[axis + j] == line[axis + i]]
            others += [*(j for j in cells if j != i), n, n, n][:3]
            for tile in range(n):
                place = home[across + tile] + 1 if home[axis + tile] == line[axis + i] else 0
                digit.append(place * 5 ** cells.index(i))
        others += [n, n, n]
        digit += [0] * n
    return {"turn": turn, "others": others, "digit": digit, "leaving": _leaving()}


@lru_cache(maxsize=1)
def _leaving() -> list[int]:
    """By the code of a line: the tiles that belong to it without the longest run of them that is in order."""
    leaving = []
    for last_first in product(range(5), repeat=4):
        places = [place for place in reversed(last_first) if place]
        runs = (run for length in range(len(places), -1, -1) for run in combinations(places, length))
        in_order = next(run for run in runs if all(a < b for a, b in pairwise(run)))
        leaving.append(len(places) - len(in_order))
    return leaving
