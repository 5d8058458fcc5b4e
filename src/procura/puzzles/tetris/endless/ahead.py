"""A search of the known pieces, as kernels: a beam of boards, from the one at hand to those after the last known piece.

What a way to place the pieces is worth is the sum of the values of its placements. Two pieces are searched in full; of
the boards after the second and each later one the best ``BEAM`` go on.
"""

from __future__ import annotations

from typing import Any

from procura.puzzles.tetris.endless.layout import (
    BEAM,
    BOARD,
    COLUMNS,
    END,
    FIRST,
    FIRST_VALUE,
    FLOOR,
    KNOWN,
    NONE,
    PLACES,
    QUEUE,
    ROTATIONS_OF,
    TOTAL,
    TOTALS,
    VALUE,
    VALUED,
    VALUES,
)
from procura.puzzles.tetris.endless.player import choose, place


def look_ahead(b: Any, t: Any, weights: Any, beam: Any) -> Any:
    """The placement that begins the best way to place the known pieces, and its value; -1 if there is none.

    If every way ends before the last known piece, that which is best when the longest end.
    """
    copy_board(b, beam[0])
    beam[0, TOTAL] = 0
    here, count = 0, 1
    for depth in range(b[KNOWN] - 1):
        kept = 0
        for n in range(here, here + count):
            survey(b, beam[n], t, weights, b[QUEUE + depth])
            kept = keep_placements(beam, n, t, b[QUEUE + depth], kept)
        if kept == 0:
            return first_of(beam[here], depth)
        here = BEAM - here
        count = kept
        for i in range(count):
            grow(beam, here + i, i, t, weights, depth)
    best, chosen = NONE, here
    for n in range(here, here + count):
        value = survey(b, beam[n], t, weights, b[QUEUE + b[KNOWN] - 1])
        if value != NONE and beam[n, TOTAL] + value > best:
            best, chosen = beam[n, TOTAL] + value, n
    return first_of(beam[chosen], b[KNOWN] - 1)


def first_of(node: Any, depth: Any) -> Any:
    """The value and the placement that led to a board; none to the board at hand."""
    if depth == 0:
        return NONE, -1
    return node[FIRST_VALUE], node[FIRST]


def copy_board(source: Any, target: Any) -> None:
    """Copy what ``place`` and ``choose`` need to know."""
    target[VALUE] = source[VALUE]
    for j in range(END):
        target[BOARD + j] = source[BOARD + j]
    for at in range(FLOOR, QUEUE):
        target[at] = source[at]


def survey(b: Any, node: Any, t: Any, weights: Any, piece: Any) -> Any:
    """Note the values of all placements of a piece on a board; the greatest of them."""
    for at in range(VALUES, VALUES + 64):
        node[at] = NONE
    node[VALUED] = 0
    value, _ = choose(node, t, weights, piece)
    b[VALUED] += node[VALUED]
    return value


def keep_placements(beam: Any, n: Any, t: Any, piece: Any, kept: Any) -> Any:
    """Put the placements of a piece on board ``n`` among the best; how many there are."""
    for rotation in range(t[ROTATIONS_OF + (piece & 7)]):
        for column in range(COLUMNS):
            value = beam[n, VALUES + (rotation << 4 | column)]
            if value != NONE:
                placement = (4 * piece + rotation) << 4 | column
                kept = keep(beam[TOTALS], beam[PLACES], kept, beam[n, TOTAL] + value, n << 9 | placement)
    return kept


def keep(totals: Any, places: Any, kept: Any, total: Any, place: Any) -> Any:
    """Put a total among the best, the greatest first and of equal ones the first that came; how many there are."""
    if kept == BEAM:
        if total <= totals[BEAM - 1]:
            return kept
        kept -= 1
    i = kept
    while i > 0 and totals[i - 1] < total:
        totals[i], places[i] = totals[i - 1], places[i - 1]
        i -= 1
    totals[i], places[i] = total, place
    return kept + 1


def grow(beam: Any, n: Any, i: Any, t: Any, weights: Any, depth: Any) -> None:
    """Make board ``n`` of the placement that is the i-th of the best."""
    parent, node = beam[beam[PLACES, i] >> 9], beam[n]
    placement = beam[PLACES, i] & 511
    value = parent[VALUES + (placement & 63)]
    copy_board(parent, node)
    place(node, t, weights, value, placement)
    node[TOTAL] = beam[TOTALS, i]
    if depth == 0:
        node[FIRST], node[FIRST_VALUE] = placement, value
    else:
        node[FIRST], node[FIRST_VALUE] = parent[FIRST], parent[FIRST_VALUE]
