"""Sudoku boards as pictures: a frame of Unicode characters, and SVG; and a step of reasoning as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import isqrt

from procura.puzzles.sudoku.candidates import Grid, Step
from procura.puzzles.sudoku.formats import SYMBOLS, units

CELL, MARGIN = 40, 12
GIVEN, FILLED, CLASH, PAPER, INK = "#1b2430", "#2563ab", "#c2372e", "#ffffff", "#39424e"
GROUPS = ("#fdeab2", "#cfe4fb")
"""The shades of the marked cells of a step, group by group."""
PLACED = "#1d7a3e"


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
    filled = sum(1 for digit, given in zip(digits, givens, strict=True) if digit and not given)
    open_cells = sum(1 for given in givens if not given)
    title = f"Sudoku {side}x{side}: {side * side - open_cells} givens, {filled} of {open_cells} empty cells filled"
    return _svg(side, title, [], _digits(digits, givens, _repeated(digits, side)))


def svg_step(step: Step, before: Grid, givens: Sequence[int]) -> str:
    """A step of reasoning as SVG: the grid before it with candidates, the cells it speaks of shaded, what it writes in
    green and what it strikes out in red.
    """
    side = before.side
    shades = [
        f'<rect x="{cell % side * CELL}" y="{cell // side * CELL}" width="{CELL}" height="{CELL}" fill="{shade}"/>'
        for cells, shade in zip(step.marked, GROUPS, strict=False)
        for cell in cells
    ]
    marks = []
    for cell, bits in enumerate(before.candidates):
        placed = next((digit for at, digit in step.placed if at == cell), 0)
        if placed:
            marks.append(_text(cell, side, SYMBOLS[placed], f'fill="{PLACED}" font-weight="700"'))
        else:
            marks += _candidates(cell, bits, side, [digit for at, digit in step.removed if at == cell])
    title = f"{step.technique}: {step.reason}"
    return _svg(side, title, shades, [*_digits(before.digits, givens, set()), *marks])


def _svg(side: int, title: str, shades: Iterable[str], inside: Iterable[str]) -> str:
    """A board of a side with what stands in its cells."""
    b, span = isqrt(side), side * CELL
    total = span + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{total}" viewBox="0 0 {total} {total}" '
        'role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{total}" height="{total}" rx="8" fill="{PAPER}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *_shades(side, b),
        *shades,
        f'<path d="{_grid(side, 1, span)}" stroke="{INK}" stroke-opacity=".35"/>',
        f'<path d="{_grid(side, b, span)}" stroke="{INK}" stroke-width="2.5" stroke-linecap="square"/>',
        '<g font-family="ui-sans-serif, Helvetica, Arial, sans-serif" font-size="22" text-anchor="middle">',
    ]
    return "\n".join([*lines, *inside, "</g>", "</g>", "</svg>"]) + "\n"


def _digits(digits: Sequence[int], givens: Sequence[int], clashes: set[int]) -> list[str]:
    side = isqrt(len(digits))
    lines = []
    for cell, (digit, given) in enumerate(zip(digits, givens, strict=True)):
        if digit:
            colour = GIVEN if given else CLASH if cell in clashes else FILLED
            weight = ' font-weight="700"' if given else ""
            lines.append(_text(cell, side, SYMBOLS[digit], f'fill="{colour}"{weight}'))
    return lines


def _text(cell: int, side: int, text: str, style: str) -> str:
    """A digit in the middle of a cell."""
    x, y = cell % side * CELL + CELL / 2, cell // side * CELL + CELL / 2 + 8
    return f'<text x="{x:g}" y="{y:g}" {style}>{text}</text>'


def _candidates(cell: int, bits: int, side: int, struck: Sequence[int]) -> list[str]:
    """The candidates of a cell as pencil marks, each at its own place, those struck out in red with a line through."""
    b = isqrt(side)
    step = CELL / b
    lines = []
    for digit in range(1, side + 1):
        if bits >> (digit - 1) & 1:
            x = cell % side * CELL + ((digit - 1) % b + 0.5) * step
            y = cell // side * CELL + ((digit - 1) // b + 0.5) * step + step / 4
            style = f'fill="{CLASH}" font-weight="700" text-decoration="line-through"'
            style = style if digit in struck else f'fill="{INK}" fill-opacity=".7"'
            lines.append(f'<text x="{x:g}" y="{y:g}" font-size="{step * 0.8:.3g}" {style}>{SYMBOLS[digit]}</text>')
    return lines


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
