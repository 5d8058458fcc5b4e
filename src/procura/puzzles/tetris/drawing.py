"""Tetris boards as pictures: Unicode for a terminal, SVG for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from procura.puzzles.tetris.pieces import shape

CELL = 24
MARGIN = 16
SIDE = 104
"""The width of the part to the right of the board, where the next pieces stand."""
NEXT = 64
"""How far down the next pieces begin there."""
SHOWN = 5
COLOURS = {
    "i": "#2aa5b8", "l": "#d9822b", "j": "#3b6fd4", "o": "#c9a516", "s": "#4c9f45", "z": "#cf4a4a", "t": "#8e5bb5",
}  # fmt: skip


def picture(masks: Sequence[int], columns: int, upcoming: str) -> str:
    """The board between its walls, two characters a cell, and the letters of the pieces to come.

    >>> print(picture([0b1011, 0b0001, 0], 4, "ti"))
    │ · · · ·│
    │██ · · ·│
    │████ ·██│
    └────────┘
    next: t i
    """
    lines = ["│" + "".join("██" if mask >> c & 1 else " ·" for c in range(columns)) + "│" for mask in reversed(masks)]
    lines.append("└" + "──" * columns + "┘")
    if upcoming:
        lines.append(f"next: {' '.join(upcoming)}")
    return "\n".join(lines)


def svg(masks: Sequence[int], columns: int, upcoming: str, points: int) -> str:
    """The board as one SVG picture that needs nothing else: filled cells, walls, the points and the next pieces."""
    rows = len(masks)
    wide, high = columns * CELL, rows * CELL
    width, height = wide + SIDE + 3 * MARGIN, max(high, _side_height(upcoming)) + 2 * MARGIN
    left = f"{len(upcoming)} pieces left" if len(upcoming) != 1 else "1 piece left"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(f'Tetris: {points} points, {left}')}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#f4f5f7"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        f'<path d="{_grid(rows, columns)}" stroke="#e3e6ea" fill="none"/>',
        *_filled_cells(masks, columns),
        f'<path d="M-1.5 0V{high + 1.5}H{wide + 1.5}V0" stroke="#3c4654" stroke-width="3" fill="none"/>',
        "</g>",
        f'<g transform="translate({wide + 2 * MARGIN} {MARGIN})" fill="#3c4654">',
        f'<text y="18" font-size="20" font-weight="600">{points}</text><text y="36" font-size="12">points</text>',
        *_next_pieces(upcoming),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _grid(rows: int, columns: int) -> str:
    across = [f"M0 {row * CELL}H{columns * CELL}" for row in range(rows + 1)]
    down = [f"M{column * CELL} 0V{rows * CELL}" for column in range(columns + 1)]
    return "".join(across + down)


def _filled_cells(masks: Sequence[int], columns: int) -> Iterator[str]:
    for row, mask in enumerate(masks):
        for column in range(columns):
            if mask >> column & 1:
                x, y = column * CELL + 1, (len(masks) - 1 - row) * CELL + 1
                yield f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" rx="4" fill="#5b6b82"/>'


def _side_height(upcoming: str) -> int:
    return NEXT + CELL + sum((len(shape(letter, 0)) + 1) * CELL // 2 for letter in upcoming[:SHOWN])


def _next_pieces(upcoming: str) -> Iterator[str]:
    """The first pieces to come in their first rotation, one below the other, and how many more there are."""
    small = CELL // 2
    y = NEXT + small
    if upcoming:
        yield f'<text y="{NEXT}" font-size="12">next</text>'
    for letter in upcoming[:SHOWN]:
        rows = shape(letter, 0)
        for r, line in enumerate(reversed(rows)):
            for c, cell in enumerate(line):
                if cell == "#":
                    yield (
                        f'<rect x="{c * small}" y="{y + r * small}" width="{small - 1}" height="{small - 1}" rx="2" '
                        f'fill="{COLOURS[letter]}"/>'
                    )
        y += len(rows) * small + small
    if len(upcoming) > SHOWN:
        yield f'<text y="{y + small}" font-size="12">and {len(upcoming) - SHOWN} more</text>'
