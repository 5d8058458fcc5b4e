"""Random boards by the course's generator, and random lists of pieces."""

from __future__ import annotations

import math
import re
from typing import Any

from procura.errors import InputError
from procura.puzzles.arguments import plain
from procura.puzzles.tetris.pieces import LETTERS
from procura.rng import below, stream, uniform

MOST_DRAWS = 1000
MOST_PIECES = 10_000
BOARD, PIECES = 0, 1  # the streams of a seed


def random_board(seed: int, p: float, d: float, rows: int, columns: int, top_empty: bool) -> list[int]:
    """Row masks: row r is filled cell by cell with probability p - r d, but for one random column of each row."""
    for name, value in (("p", p), ("d", d)):
        if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            raise InputError(f"{name} is {value!r}: expected a number from 0")
    rng = [stream(seed, BOARD)]
    for _ in range(MOST_DRAWS):
        masks = [_random_row(rng, p - row * d, columns) for row in range(rows)]
        if masks[-1] == 0 or not top_empty:
            return masks
    raise InputError(
        f"p = {p:g} and d = {d:g} filled the top row on {MOST_DRAWS} boards: expected a larger d, or top_empty=false"
    )


def _random_row(rng: list[int], probability: float, columns: int) -> int:
    gap = below(rng, columns)
    return sum(1 << column for column in range(columns) if uniform(rng) < probability and column != gap)


def random_pieces(seed: int, pieces: Any) -> Any:
    """The pieces themselves if they are letters; of a number, so many random ones."""
    digits = re.fullmatch("[0-9]{1,9}", pieces.strip()) if isinstance(pieces, str) else None
    count = int(digits[0]) if digits else plain(pieces)
    if not isinstance(count, int):
        return pieces
    if not 1 <= count <= MOST_PIECES:
        raise InputError(f"{str(pieces).strip()} random pieces: expected 1 to {MOST_PIECES}")
    rng = [stream(seed, PIECES)]
    return "".join(LETTERS[below(rng, len(LETTERS))] for _ in range(count))
