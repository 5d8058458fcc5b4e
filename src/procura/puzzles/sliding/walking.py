"""Walking distances of the 4x4 board: the least vertical moves, and horizontal ones, by tables of all line counts.

Forget in which column a tile stands. What is left of a board is how many tiles of each goal row there are in each
row, and the row of the blank; a vertical move swaps the blank with any tile of a neighbouring row. That simpler
puzzle has 24,964 positions, all solved by one breadth-first search from the goal. Columns are treated alike::

     1  2  3  4            4 . . .                       row 0: 5^0 * 4
     5 10  6  8    rows    . 3 1 .    codes, in base 5:  row 1: 5^1 * 3 + 5^2
     9  .  7 12            . 1 2 .                       row 2: 5^1 + 5^2 * 2      row 3 follows from the others
    13 14 11 15            . . 1 3

A position is looked up in two steps: each code is one of 55 kinds of lines, and the kinds of the first three lines
are the digits, in base 55, of its place in the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from typing import Any

from procura.tables import Report, Table

SIDE = 4
CODES = 5**SIDE
KINDS = 55
PLACES = KINDS**3


def walking_fields(goal: tuple[int, ...]) -> dict[str, Any]:
    """The constants of the walking distance to ``goal``; axis 0 are the rows, axis 1 the columns.

    - ``walk_code[16 axis + t]``: what tile t adds to the code of its line; 0 for the blank
    - ``walk_kind[c]``: the kind of a line of code c
    - ``walk``: the distances of rows at their places, then those of columns; then as many entries of which bit
      4 d + g says that the distance grows by 1 if the blank goes up (d = 0) or down (d = 1) past a tile whose goal is
      in row g, else it falls by 1; for columns left or right
    """
    homes = [goal.index(tile) for tile in range(SIDE * SIDE)]
    codes = [0 if tile == 0 else 5 ** (home // SIDE) for tile, home in enumerate(homes)]
    codes += [0 if tile == 0 else 5 ** (home % SIDE) for tile, home in enumerate(homes)]
    row, column = divmod(homes[0], SIDE)
    purpose = f"walking distances of the 4x4 board, the blank's goal in row {row + 1}, column {column + 1}"
    return {
        "walk_code": codes,
        "walk_kind": _kinds(),
        "walk": Table(purpose, "int8", 4 * PLACES, partial(_fill, (row, column))),
    }


def walking_distance(s: Any, data: Any, work: Any) -> Any:
    """The least vertical moves that bring every tile to its goal row, plus the same for columns.

    Consistent: a move is vertical or horizontal, so it changes one of the two, and by one step of its simpler puzzle.
    """
    total = 0
    for axis in range(2):
        total += data.walk[_place(s, data, axis)]
    return total


def walking_distance_step(s: Any, data: Any, work: Any, move: int, h: int) -> Any:
    """Only the lines across the move count, and a bit of the table says which way the distance goes."""
    axis = move >> 1
    tile = s[data.target[4 * s[16] + move]]
    bit = 4 * (move & 1) + data.home[16 * axis + tile]
    return h - 1 + 2 * (data.walk[2 * PLACES + _place(s, data, axis)] >> bit & 1)


def _place(s: Any, data: Any, axis: int) -> Any:
    """Where the table holds the distance of the rows or columns."""
    stride = 1 if axis == 0 else 4
    place = 0
    for line in range(3):
        code = 0
        for i in range(4):
            code += data.walk_code[16 * axis + s[stride * i + (5 - stride) * line]]
        place = KINDS * place + data.walk_kind[code]
    return PLACES * axis + place


@cache
def _kinds() -> list[int]:
    """For each code of a line the number of its kind; 0 for codes that no line has."""
    kinds, number = [0] * CODES, 0
    for counts in product(range(SIDE + 1), repeat=SIDE):
        if sum(counts) in (SIDE - 1, SIDE):
            kinds[_code(counts)] = number
            number += 1
    return kinds


def _code(counts: Sequence[int]) -> int:
    return sum(count * 5**line for line, count in enumerate(counts))


def _fill(homes: tuple[int, int], entries: memoryview, report: Report) -> None:
    """Write the table of the goal whose blank is in this row and column."""
    steps = _steps()
    for axis, home in enumerate(homes):
        report(axis / 2)
        distances = _distances(home, steps)
        for position, (distance, blank) in distances.items():
            place = PLACES * axis
            for line in range(3):
                place += _kind(position >> 12 * line & 0xFFF) * KINDS ** (2 - line)
            turn = 0
            for present, change, _, bit in steps[blank]:
                if position & present and distances[position + change][0] > distance:
                    turn |= bit
            entries[place] = distance
            entries[2 * PLACES + place] = turn - (turn >> 7 << 8)


@cache
def _kind(counts: int) -> int:
    """The kind of a line with these counts, of three bits each."""
    return _kinds()[_code([counts >> 3 * i & 7 for i in range(SIDE)])]


def _steps() -> list[list[tuple[int, int, int, int]]]:
    """The moves of a blank in each line, as (mask of the tiles it needs, change, the blank's line after, its bit).

    A position has three bits for each count, line by line.
    """
    one = [[1 << 3 * (SIDE * line + home) for home in range(SIDE)] for line in range(SIDE)]
    return [
        [
            (7 * one[other][home], one[blank][home] - one[other][home], other, 1 << 4 * (other > blank) + home)
            for other in (blank - 1, blank + 1)
            if 0 <= other < SIDE
            for home in range(SIDE)
        ]
        for blank in range(SIDE)
    ]


def _distances(home: int, steps: list[list[tuple[int, int, int, int]]]) -> dict[int, tuple[int, int]]:
    """(moves to the goal, line of the blank) of every position, by breadth-first search from the goal."""
    goal = sum((SIDE - (line == home)) << 3 * (SIDE + 1) * line for line in range(SIDE))
    distances = {goal: (0, home)}
    queue = [goal]
    for position in queue:
        distance, blank = distances[position]
        for present, change, other, _ in steps[blank]:
            if position & present and position + change not in distances:
                distances[position + change] = (distance + 1, other)
                queue.append(position + change)
    return distances
