"""All placements of a form, valued by what they change; kernels that are bound to a width and to features.

A placement that completes no row changes features only where the piece lies. Its value, less that of the board before,
is ``constant + slope * base row``, plus what stood there before (tabled once a piece by
``prepare``), plus what cannot be told from heights alone. If the window under the piece shows a full row,
``cleared_value`` makes the new board and measures it in full.

Values are exact integers (see ``Controller.integers``), so equal values are true ties: the first in action order is
taken. The landing height counts in halves, so the weights of all other features count twice.
"""

from __future__ import annotations

from typing import Any

from procura.puzzles.tetris.endless.bits import length, ones
from procura.puzzles.tetris.endless.features import (
    BUMPINESS,
    COLUMN_TRANSITIONS,
    DIVERSITY,
    ERODED_CELLS,
    FLAT_STEPS,
    HEIGHT,
    HOLE_DEPTH,
    HOLES,
    LANDING_HEIGHT,
    LINES,
    PEAK,
    POINTS,
    ROW_TRANSITIONS,
    ROWS_WITH_HOLES,
    UNIT_STEPS,
    WELLS,
)
from procura.puzzles.tetris.endless.layout import (
    BOARD,
    BUMPS,
    CARRIES,
    CELLS,
    COLUMNS,
    EACH_LANE,
    EDGE,
    END,
    FILLED,
    FLAT,
    FULL_ROW,
    HEIGHTS,
    HIGHEST,
    HOLED,
    INNER_BUMPS,
    INNER_STEPS,
    LEFT,
    LOW,
    LOWS,
    POINTS_FOR,
    RECORD,
    RIGHT,
    ROWS,
    SPARE,
    STEPS,
    STEPS_LEFT,
    STEPS_RIGHT,
    TALL,
    TOP,
    TOPS,
    UNDER,
    UNITS,
    VALUE,
    VALUED,
    VALUES,
    WELLS_AT,
    WINDOW,
    WINDOWS,
)
from procura.puzzles.tetris.endless.measures import board_value, holed_rows, step_bit

WIDTH = 4


def prepare(b: Any, weights: Any) -> None:
    """Table what the placements of the next piece need to know of the board.

    Height, holes and bumps are sums over columns. What a piece at places j to j + WIDTH - 1 takes away of them,
    weighted, is ``RIGHT[j + WIDTH] - LEFT[j]``.
    """
    by_height = weights[HOLES] + weights[HEIGHT]
    heights, highest = 0, 0
    for j in range(EDGE, END):
        b[HEIGHTS + j] = length(b[BOARD + j])
        highest = max(highest, b[HEIGHTS + j])
    b[HIGHEST] = highest
    for j in range(EDGE, END + 1):
        b[LEFT + j] = b[RIGHT + j] = by_height * heights
        heights += b[HEIGHTS + j]
    table_bumps(b, weights)
    table_wells(b, weights)
    table_filled(b, weights)
    table_holed(b, weights)
    table_steps(b, weights)


def table_none(b: Any, weights: Any) -> None:
    """Stands for the table of a feature that has no weight."""


def table_bumps(b: Any, weights: Any) -> None:
    """The bumps from place j - 1 to place j + WIDTH are taken away."""
    for j in range(EDGE, END - 1):
        b[BUMPS + j + 1] = b[BUMPS + j] + abs(b[HEIGHTS + j] - b[HEIGHTS + j + 1])
    for j in range(EDGE, END + 1):
        b[LEFT + j] += weights[BUMPINESS] * b[BUMPS + max(j - 1, EDGE)]
        b[RIGHT + j] += weights[BUMPINESS] * b[BUMPS + min(j, END - 1)]


def table_wells(b: Any, weights: Any) -> None:
    """The wells of the four rows from each row on which a piece can lie."""
    for row in range(b[HIGHEST] + 1):
        b[WELLS_AT + row] = window_wells(b, row, b[WINDOWS + row], 0)


def table_filled(b: Any, weights: Any) -> None:
    """The filled cells of each column."""
    for j in range(EDGE, END):
        b[FILLED + j] = ones(b[BOARD + j])


def table_holed(b: Any, weights: Any) -> None:
    """The rows with holes."""
    b[HOLED] = holed_rows(b, BOARD)


def table_steps(b: Any, weights: Any) -> None:
    """The differences of height left of each place, and right of it."""
    for j in range(EDGE, END - 1):
        b[STEPS_LEFT + j + 1] = b[STEPS_LEFT + j] | step_bit(b[HEIGHTS + j] - b[HEIGHTS + j + 1])
    for j in range(END - 1, EDGE, -1):
        b[STEPS_RIGHT + j - 1] = b[STEPS_RIGHT + j] | step_bit(b[HEIGHTS + j - 1] - b[HEIGHTS + j])


def try_form(b: Any, t: Any, weights: Any, form: Any, best: Any, chosen: Any) -> Any:
    """Value all placements of a form that is ``WIDTH`` wide; the best value and placement so far."""
    f = (form & 31) * RECORD
    room, shape = b[ROWS] - t[f + TALL], t[f + WINDOW]
    constant, slope = form_constant(b, t, weights, f), form_slope(weights)
    unfit, clearing = 0, 0
    for column in range(COLUMNS - WIDTH + 1):
        j = column + EDGE
        base = base_row(b, t, j, f) & 31
        if base > room:
            unfit += 1
            continue
        before = b[WINDOWS + base]
        after = before | shape << column
        if after + EACH_LANE & CARRIES:
            clearing |= 1 << column
            continue
        value = (
            constant
            + slope * base
            + b[LEFT + j]
            - b[RIGHT + j + WIDTH]
            + weights[ROW_TRANSITIONS] * row_transitions_made(before, after)
            + weights[COLUMN_TRANSITIONS] * column_transitions_made(b, t, j, f, base)
            + weights[WELLS] * wells_made(b, t, j, f, base)
            - weights[HOLE_DEPTH] * filled_below(b, t, j, f, base)
            + weights[ROWS_WITH_HOLES] * rows_with_holes_made(b, t, j, f, base)
            + steps_value(weights, steps_around(b, t, j, f, base))
            + weights[PEAK] * peak_made(b, t, j, f, base)
            + weights[BUMPINESS] * bumps_around(b, t, j, f, base)
        )
        note(b, form, column, value)
        if value > best:
            best, chosen = value, form << 4 | column
    b[VALUED] += COLUMNS - WIDTH + 1 - unfit
    while clearing != 0:  # later, so that nothing is stored in the loop above
        column = ones((clearing & -clearing) - 1)
        clearing &= clearing - 1
        value = cleared_value(b, t, weights, form, column, base_row(b, t, column + EDGE, f) & 31)
        note(b, form, column, value)
        if value > best or (value == best and (form << 4 | column) < chosen):
            best, chosen = value, form << 4 | column
    return best, chosen


def note(b: Any, form: Any, column: Any, value: Any) -> None:
    """Note the value of a placement."""
    b[VALUES + ((form & 3) << 4 | column)] = value


def note_none(b: Any, form: Any, column: Any, value: Any) -> None:
    """Stands for ``note`` where only the best placement matters."""


def form_constant(b: Any, t: Any, weights: Any, f: Any) -> Any:
    """What all placements of a form add, wherever they are."""
    return (
        weights[LANDING_HEIGHT] * (t[f + TALL] - 1)
        + weights[HOLES] * t[f + LOWS]
        + weights[HEIGHT] * t[f + TOPS]
        + weights[BUMPINESS] * t[f + INNER_BUMPS]
        + weights[HOLE_DEPTH] * t[f + UNDER]
        - steps_value(weights, b[STEPS_LEFT + END - 1])
    )


def form_slope(weights: Any) -> Any:
    """What a placement adds for each row that it lies higher; every cell of it is then above one more of its column."""
    return 2 * weights[LANDING_HEIGHT] + WIDTH * (weights[HOLES] + weights[HEIGHT]) + 4 * weights[HOLE_DEPTH]


def steps_value(weights: Any, steps: Any) -> Any:
    """What the differences of height are worth, given as bits."""
    unlike = weights[DIVERSITY] * ones(steps & STEPS) + weights[UNIT_STEPS] * ones(steps & UNITS)
    return unlike + weights[FLAT_STEPS] * ones(steps & FLAT)


def base_row(b: Any, t: Any, j: Any, f: Any) -> Any:
    """The row of the piece's lowest cell when it has come down."""
    base = b[HEIGHTS + j] - t[f + LOW]
    for i in range(1, WIDTH):
        base = max(base, b[HEIGHTS + j + i] - t[f + LOW + i])
    return base


def none_made(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """Stands for what a placement changes of a feature that has no weight."""
    return 0


def no_transitions_made(before: Any, after: Any) -> Any:
    """Stands for ``row_transitions_made``, if they have no weight."""
    return 0


def row_transitions_made(before: Any, after: Any) -> Any:
    """Changes between filled and empty along the four rows of a window, less those before."""
    made = ones((after << 1 | EACH_LANE) ^ (after | CARRIES))
    return made - ones((before << 1 | EACH_LANE) ^ (before | CARRIES))


def column_transitions_made(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """Two for each column in which the piece does not lie on what was there."""
    gaps = 0
    for i in range(WIDTH):
        gaps += int(base + t[f + LOW + i] > b[HEIGHTS + j + i])
    return 2 * gaps


def wells_made(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """The wells of the four rows from the base, less those before; other rows have the same.

    Only a piece one column wide can shorten a well that goes on above it.
    """
    piece = t[f + WINDOW] << (j - EDGE)
    made = window_wells(b, base, b[WINDOWS + base] | piece, piece) - b[WELLS_AT + base]
    if WIDTH == 1:
        made -= 4 * ones((b[BOARD + j - 1] & b[BOARD + j + 1]) >> (base + 4))
    return made


def window_wells(b: Any, base: Any, window: Any, piece: Any) -> Any:
    """For each empty cell between two filled ones in the four rows from the base, the empty cells from it downwards.

    ``window`` are those rows with the piece, ``piece`` is the piece alone. Each cell keeps its bit while the windows
    below come up to meet it.
    """
    total = 0
    at = WINDOWS + base
    cells = (window << 1 | EACH_LANE) & (window >> 1 | EACH_LANE << COLUMNS - 1) & ~window
    while cells != 0:
        total += ones(cells)
        at -= 1
        piece <<= 16
        cells &= ~(b[at] | piece)
    return total


def filled_below(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """The filled cells of the board below each cell of the piece."""
    total = 0
    for i in range(WIDTH):
        total += (t[f + TOP + i] - t[f + LOW + i]) * b[FILLED + j + i]
    return total


def rows_with_holes_made(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """The rows without holes in which the piece covers empty cells."""
    rows = 0
    for i in range(WIDTH):
        rows |= (1 << (base + t[f + LOW + i])) - (1 << b[HEIGHTS + j + i])
    return ones(rows & ~b[HOLED])


def steps_around(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """The differences of height in the piece, at its sides and farther off, as bits."""
    steps = t[f + INNER_STEPS]
    if j > EDGE:
        steps |= b[STEPS_LEFT + j - 1] | step_bit(b[HEIGHTS + j - 1] - base - t[f + TOP])
    if j < END - WIDTH:
        steps |= b[STEPS_RIGHT + j + WIDTH] | step_bit(base + t[f + TOP + WIDTH - 1] - b[HEIGHTS + j + WIDTH])
    return steps


def peak_made(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """By how much the piece stands out above all that was there."""
    return max(base + t[f + TALL] - b[HIGHEST], 0)


def bumps_around(b: Any, t: Any, j: Any, f: Any, base: Any) -> Any:
    """The bumps at the sides of the piece."""
    total = 0
    if j > EDGE:
        total += abs(b[HEIGHTS + j - 1] - base - t[f + TOP])
    if j < END - WIDTH:
        total += abs(b[HEIGHTS + j + WIDTH] - base - t[f + TOP + WIDTH - 1])
    return total


def cleared_value(b: Any, t: Any, weights: Any, form: Any, column: Any, base: Any) -> Any:
    """By how much a placement that completes rows changes the value of the board, with what it gains at once."""
    cells = t[(form & 31) * RECORD + WINDOW] << column
    full = full_lanes(b[WINDOWS + base] | cells)
    lines = ones(full)
    for j in range(EDGE, END):
        b[SPARE + j] = b[BOARD + j]
    fill_and_clear(b, SPARE, t, form, column, base, full)
    value = board_value(b, SPARE, weights) - b[VALUE]
    value += weights[LANDING_HEIGHT] * (2 * base + t[(form & 31) * RECORD + TALL] - 1)
    value += weights[ERODED_CELLS] * lines * ones(cells & full * FULL_ROW)
    return value + weights[LINES] * lines + weights[POINTS] * t[POINTS_FOR + lines]


def full_lanes(window: Any) -> Any:
    """The lowest bit of each lane whose row is full."""
    return (window + EACH_LANE & CARRIES) >> COLUMNS


def fill_and_clear(b: Any, at: Any, t: Any, form: Any, column: Any, base: Any, full: Any) -> None:
    """Put a form on the board that stands at ``at``, and take out the rows of the lanes ``full``."""
    f = (form & 31) * RECORD
    for i in range(4):
        b[at + column + EDGE + i] |= t[f + CELLS + i] << base
    for lane in range(3, -1, -1):
        if full >> 16 * lane & 1:
            lower = (1 << (base + lane)) - 1
            for j in range(EDGE, END):
                b[at + j] = b[at + j] & lower | b[at + j] >> 1 & ~lower
