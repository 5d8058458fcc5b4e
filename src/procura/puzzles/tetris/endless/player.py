"""The compiled player: draws a piece, makes its best placement, and goes on until none fits."""

from __future__ import annotations

from typing import Any

from procura.puzzles.tetris.endless.bits import length, ones
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
    KNOWN,
    LANE,
    LOW,
    MOST_KNOWN,
    MOST_PIECES,
    NONE,
    PLACED,
    PLACEMENT,
    QUEUE,
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


def decide(b: Any, t: Any, weights: Any, beam: Any) -> Any:
    """The value of a placement of the piece at hand, and the placement: the best, if nothing else is known."""
    return choose(b, t, weights, b[QUEUE])


def place(b: Any, t: Any, weights: Any, value: Any, placement: Any) -> None:
    """Make a placement whose value is known."""
    form, column = placement >> 4 & 31, placement & 15
    f = form * RECORD
    base = 0
    for i in range(t[f + WIDE]):
        base = max(base, length(b[BOARD + EDGE + column + i]) - t[f + LOW + i])
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
    for at in range(WINDOWS, QUEUE):
        b[at] = 0
    for below_floor in range(1, 5):
        b[WINDOWS - below_floor] = FULL_ROW * EACH_LANE >> 16 * (4 - below_floor)
    for i in range(MOST_KNOWN):
        b[QUEUE + i] = -1
    rng[0] = start
    b[PLACED] = b[CLEARED] = 0
    b[VALUE] = board_value(b, BOARD, weights)


def step(b: Any, t: Any, weights: Any, rng: Any, beam: Any) -> Any:
    """Draw what is to be known and is not yet, and place the piece at hand; whether it fits anywhere."""
    for i in range(b[KNOWN]):
        if b[QUEUE + i] < 0:
            b[QUEUE + i] = below(rng, KINDS)
    value, placement = decide(b, t, weights, beam)
    if placement < 0:
        return False
    place(b, t, weights, value, placement)
    for i in range(MOST_KNOWN):
        b[QUEUE + i] = b[QUEUE + i + 1]
    return True


def play(
    b: Any, t: Any, weights: Any, rng: Any, beam: Any, starts: Any, lines: Any, pieces: Any, lost: Any, most: Any
) -> Any:
    """Play on for ``most`` pieces, one game after the other; whether all games are over.

    Game i begins with the random numbers of ``starts[i]``; ``lines[i]`` and ``pieces[i]`` say how far it came, and
    ``lost[i]`` whether it was lost. Before a game ``b[PLACED]`` is -1.
    """
    for _ in range(most):
        game = b[GAME]
        if game == starts.size:
            break
        if b[PLACED] < 0:
            begin(b, weights, rng, starts[game])
        going = step(b, t, weights, rng, beam)
        lines[game], pieces[game], lost[game] = b[CLEARED], b[PLACED], not going
        if not going or b[PLACED] == b[MOST_PIECES]:
            b[GAME] += 1
            b[PLACED] = -1
    return b[GAME] == starts.size
