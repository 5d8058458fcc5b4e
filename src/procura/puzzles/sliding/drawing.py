"""Pictures of a sliding board: box-drawing characters for terminals, SVG for pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

CELL, GAP, FRAME = 64, 6, 12
"""Sizes in the SVG picture: a tile, the space between two, the frame around all."""

STYLE = {
    "frame": "#5b4a3f",
    "blank": "#493b32",
    "home": ("#cfe8cf", "#1d4d2b"),
    "away": ("#f6e7c8", "#4a3418"),
}
"""Colours; for tiles the ground and the number, at their goal and away from it."""


def draw_board(cells: Sequence[int], columns: int) -> str:
    """The cells in boxes, the blank's box empty.

    >>> print(draw_board([1, 2, 3, 4, 0, 5], 3))
    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │   │ 5 │
    └───┴───┴───┘
    """
    width = len(str(len(cells) - 1))
    words = [(str(tile) if tile else "").rjust(width) for tile in cells]
    lines = ["│ " + " │ ".join(words[i : i + columns]) + " │" for i in range(0, len(words), columns)]

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join(["─" * (width + 2)] * columns) + right

    between = "\n" + rule("├", "┼", "┤") + "\n"
    return "\n".join([rule("┌", "┬", "┐"), between.join(lines), rule("└", "┴", "┘")])


def svg_board(cells: Sequence[int], goal: Sequence[int], columns: int) -> str:
    """The cells as an SVG picture of its own; tiles at their goal have another tint."""
    rows = len(cells) // columns
    width, height = (2 * FRAME + count * (CELL + GAP) - GAP for count in (columns, rows))
    title = f"Sliding puzzle, {rows} by {columns}: {_spoken(cells, columns)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-weight="600"'
        f' font-size="{26 if len(cells) <= 100 else 22}" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="12" fill="{STYLE["frame"]}"/>',
    ]
    for i, tile in enumerate(cells):
        x, y = (FRAME + at * (CELL + GAP) for at in (i % columns, i // columns))
        if tile == 0:
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="8" fill="{STYLE["blank"]}"/>')
            continue
        ground, ink = STYLE["home" if tile == goal[i] else "away"]
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="8" fill="{ground}"/>')
        middle, baseline = x + CELL // 2, y + CELL // 2 + 9
        parts.append(f'<text x="{middle}" y="{baseline}" fill="{ink}">{escape(str(tile))}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _spoken(cells: Sequence[int], columns: int) -> str:
    """The cells for those who do not see the picture."""
    words = [str(tile) if tile else "blank" for tile in cells]
    return " / ".join(" ".join(words[i : i + columns]) for i in range(0, len(words), columns))
