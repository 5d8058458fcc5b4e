"""The forms of the pieces as the player reads them; see ``layout``."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.pieces import LETTERS, POINTS, ROTATIONS, shape


@cache
def form_tables() -> Any:
    """The records of all forms, form = kind * 4 + rotation, and what follows them."""
    import numpy as np

    tables = np.zeros(layout.TABLES, dtype=np.int64)
    for kind, letter in enumerate(LETTERS):
        tables[layout.ROTATIONS_OF + kind] = len(ROTATIONS[letter])
        for rotation in range(len(ROTATIONS[letter])):
            first = (4 * kind + rotation) * layout.RECORD
            for place, value in _record(shape(letter, rotation)).items():
                tables[first + place] = value
    tables[layout.POINTS_FOR : layout.POINTS_FOR + len(POINTS)] = POINTS
    return tables


def _record(rows: tuple[str, ...]) -> dict[int, int]:
    """The record of a form whose rows are given from the bottom: place and value."""
    columns = [[r for r, row in enumerate(rows) if row[c] == "#"] for c in range(len(rows[0]))]
    low, top = [min(cells) for cells in columns], [max(cells) + 1 for cells in columns]
    steps = [left - right for left, right in pairwise(top)]
    record = {
        layout.WIDE: len(columns),
        layout.TALL: len(rows),
        layout.WINDOW: sum(1 << (16 * r + c) for c, cells in enumerate(columns) for r in cells),
        layout.LOWS: sum(low),
        layout.TOPS: sum(top),
        layout.INNER_BUMPS: sum(map(abs, steps)),
        layout.INNER_STEPS: sum({1 << (step + 32) for step in steps}),
        layout.UNDER: sum(bottom * len(cells) for bottom, cells in zip(low, columns, strict=True)),
    }
    for c, cells in enumerate(columns):
        record |= {layout.LOW + c: low[c], layout.TOP + c: top[c], layout.CELLS + c: sum(1 << r for r in cells)}
    return record
