"""Sudoku boards as pictures: a frame of Unicode characters, and SVG."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from procura.puzzles.sudoku.formats import SYMBOLS, units

CELL, MARGIN = 40, 12
GIVEN, FILLED, CLASH, PAPER, INK = "#1b2430", "#2563ab", "#c2372e", "#ffffff", "#39424e"


def draw_board(digits: Sequence[int]) -> str:
    """The digits in a frame around every block; ``read_board`` reads it back.

    >>> print(draw_board([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]))
    ┏━━━━━┳━━━━━┓
    ┃ 1 · ┃ · · ┃
    ┃ · · ┃ 2 · ┃
    ┣━━━━━╋━━━━━┫
    ┃ · 3 ┃ · · ┃
    ┃ · · ┃ · 4 ┃
    ┗━━━━━┻━━━━━┛
    """
    side = isqrt(len(digits))
    b = isqrt(side)

    def rule(left: str, cross: str, right: str) -> str:
        return left + cross.join(["━" * (2 * b + 1)] * b) + right

    lines = [rule("┏", "┳", "┓")]
    for row in range(side):
        if row and row % b == 0:
            lines.append(rule("┣", "╋", "┫"))
        symbols = [SYMBOLS[digit] if digit else "·" for digit in digits[row * side : (row + 1) * side]]
        blocks = [" ".join(symbols[i : i + b]) for i in range(0, side, b)]
        lines.append(f"┃ {' ┃ '.join(blocks)} ┃")
    return "\n".join([*lines, rule("┗", "┻", "┛")])


def svg_board(digits: Sequence[int], givens: Sequence[int]) -> str:
    """The digits as SVG: givens bold, fills in blue, in red where they repeat a digit of their unit."""
    side = isqrt(len(digits))
    b, span = isqrt(side), side * CELL
    total = span + 2 * MARGIN
    filled = sum(1 for digit, given in zip(digits, givens, strict=True) if digit and not given)
    open_cells = sum(1 for given in givens if not given)
    title = f"Sudoku {side}x{side}: {side * side - open_cells} givens, {filled} of {open_cells} empty cells filled"
    clashes = _repeated(digits, side)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{total}" viewBox="0 0 {total} {total}" '
        'role="img">',
        f"<title>{title}</title>",
        f'<rect width="{total}" height="{total}" rx="8" fill="{PAPER}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *_shades(side, b),
        f'<path d="{_grid(side, 1, span)}" stroke="{INK}" stroke-opacity=".35"/>',
        f'<path d="{_grid(side, b, span)}" stroke="{INK}" stroke-width="2.5" stroke-linecap="square"/>',
        '<g font-family="ui-sans-serif, Helvetica, Arial, sans-serif" font-size="22" text-anchor="middle">',
    ]
    for cell, (digit, given) in enumerate(zip(digits, givens, strict=True)):
        if digit:
            x, y = cell % side * CELL + CELL / 2, cell // side * CELL + CELL / 2 + 8
            colour = GIVEN if given else CLASH if cell in clashes else FILLED
            weight = ' font-weight="700"' if given else ""
            lines.append(f'<text x="{x:g}" y="{y:g}" fill="{colour}"{weight}>{SYMBOLS[digit]}</text>')
    return "\n".join([*lines, "</g>", "</g>", "</svg>"]) + "\n"


def _shades(side: int, b: int) -> list[str]:
    """Every other block a little darker."""
    size = b * CELL
    corners = [(row, column) for row in range(b) for column in range(b) if (row + column) % 2]
    return [
        f'<rect x="{column * size}" y="{row * size}" width="{size}" height="{size}" fill="#f2f5f9"/>'
        for row, column in corners
    ]


def _grid(side: int, step: int, span: int) -> str:
    """A path of all horizontal and vertical lines, one every ``step`` cells."""
    places = [i * CELL for i in range(0, side + 1, step)]
    return "".join(f"M0 {p}H{span}M{p} 0V{span}" for p in places)


def _repeated(digits: Sequence[int], side: int) -> set[int]:
    """The cells whose digit stands again in their row, column or block."""
    found = set()
    for _, cells in units(side):
        held = [digits[cell] for cell in cells]
        found |= {cell for cell, digit in zip(cells, held, strict=True) if digit and held.count(digit) > 1}
    return found
