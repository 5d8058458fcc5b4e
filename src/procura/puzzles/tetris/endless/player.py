"""The compiled player: draws a piece, makes its best placement, and goes on until none fits."""

from __future__ import annotations

from typing import Any

from procura.puzzles.tetris.endless.bits import ones
from procura.puzzles.tetris.endless.features import LANDING_HEIGHT
from procura.puzzles.tetris.endless.layout import (
    BASE,
    BOARD,
    CLEARED,
    EACH_LANE,
    EDGE,
    END,
    FULL_ROW,
    GAME,
    HEIGHTS,
    LANE,
    LOW,
    MEMORY,
    NONE,
    PIECE,
    PLACED,
    PLACEMENT,
    RECORD,
    ROTATIONS_OF,
    ROWS,
    TALL,
    VALUE,
    WIDE,
    WINDOW,
    WINDOWS,
)
from procura.puzzles.tetris.endless.measures import board_value
from procura.puzzles.tetris.endless.placements import fill_and_clear, full_lanes, prepare, try_form
from procura.rng import below

KINDS = 7
try_form_1 = try_form_2 = try_form_3 = try_form_4 = try_form


def choose(b: Any, t: Any, weights: Any, piece: Any) -> Any:
    """The value of the best placement of a piece, and the placement; -1 if the piece fits nowhere."""
    prepare(b, weights)
    best, chosen = NONE, -1
    first = 4 * (piece & 7)
    for form in range(first, first + t[ROTATIONS_OF + (piece & 7)]):
        width = t[form * RECORD + WIDE]
        if width == 3:
            best, chosen = try_form_3(b, t, weights, form, best, chosen)
        elif width == 2:
            best, chosen = try_form_2(b, t, weights, form, best, chosen)
        elif width == 1:
            best, chosen = try_form_1(b, t, weights, form, best, chosen)
        else:
            best, chosen = try_form_4(b, t, weights, form, best, chosen)
    return best, chosen


def place(b: Any, t: Any, weights: Any, value: Any, placement: Any) -> None:
    """Make a placement whose value is known."""
    form, column = placement >> 4 & 31, placement & 15
    f = form * RECORD
    base = 0
    for i in range(t[f + WIDE]):
        base = max(base, b[HEIGHTS + EDGE + column + i] - t[f + LOW + i])
    cells = t[f + WINDOW] << column
    full = full_lanes(b[WINDOWS + base] | cells)
    fill_and_clear(b, BOARD, t, form, column, base, full)
    for i in range(4):
        b[WINDOWS + base + i] |= cells >> 16 * i
        b[WINDOWS + base - i] |= cells << 16 * i
    if full:
        take_out_rows(b, base, full)
        b[CLEARED] += ones(full)
        b[VALUE] = board_value(b, BOARD, weights)
    else:
        b[VALUE] += value - weights[LANDING_HEIGHT] * (2 * base + t[f + TALL] - 1)
    b[PLACED] += 1
    b[PLACEMENT], b[BASE] = placement, base


def take_out_rows(b: Any, base: Any, full: Any) -> None:
    """Take the rows of the lanes ``full`` out of the windows."""
    for lane in range(3, -1, -1):
        if full >> 16 * lane & 1:
            for at in range(WINDOWS + base + lane, WINDOWS + b[ROWS]):
                b[at] = b[at + 1]
    for at in range(WINDOWS + base + 3, WINDOWS + base - 4, -1):
        b[at] = b[at] & LANE | b[at + 1] << 16


def begin(b: Any, weights: Any, rng: Any, start: Any) -> None:
    """An empty board and the random numbers from ``start``."""
    for at in range(BOARD + EDGE, BOARD + END):
        b[at] = 0
    for at in range(WINDOWS, MEMORY):
        b[at] = 0
    for below_floor in range(1, 5):
        b[WINDOWS - below_floor] = FULL_ROW * EACH_LANE >> 16 * (4 - below_floor)
    rng[0] = start
    b[PLACED] = b[CLEARED] = 0
    b[PIECE] = -1
    b[VALUE] = board_value(b, BOARD, weights)


def step(b: Any, t: Any, weights: Any, rng: Any) -> Any:
    """Make the best placement of the piece at hand, drawn if there is none; whether there is a placement."""
    if b[PIECE] < 0:
        b[PIECE] = below(rng, KINDS)
    value, placement = choose(b, t, weights, b[PIECE])
    if placement < 0:
        return False
    place(b, t, weights, value, placement)
    b[PIECE] = -1
    return True


def play(b: Any, t: Any, weights: Any, rng: Any, starts: Any, lines: Any, pieces: Any, most: Any) -> Any:
    """Play on for ``most`` pieces, one game after the other; whether all games are lost.

    Game i begins with the random numbers of ``starts[i]``; ``lines[i]`` and ``pieces[i]`` say how far it came. Before
    a game ``b[PLACED]`` is -1.
    """
    for _ in range(most):
        game = b[GAME]
        if game == starts.size:
            break
        if b[PLACED] < 0:
            begin(b, weights, rng, starts[game])
        going = step(b, t, weights, rng)
        lines[game], pieces[game] = b[CLEARED], b[PLACED]
        if not going:
            b[GAME] += 1
            b[PLACED] = -1
    return b[GAME] == starts.size
