"""Dots boards as pictures: ASCII and Unicode, which can be read back, and SVG.

Dots stand at the corners, dashes between them for horizontal arcs and bars for vertical ones::

    .---.   .
    |   |
    .---.---.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from procura.errors import InputError

DOTS = ".+*•"
DASHES = "-─━"
BARS = "|│┃"
INSIDE = " #░"
"""What may stand inside a box: nothing, or a mark that it is closed."""

Arcs = list[list[int]]
Lines = Sequence[tuple[int, str]]


def write_drawing(arcs: Sequence[int], rows: int, columns: int) -> str:
    """The drawn arcs of a row of arcs, in ASCII.

    >>> print(write_drawing([1, 0, 1, 1, 1, 1, 0], 1, 2))
    .---.   .
    |   |
    .---.---.
    """
    board = _Board(arcs, rows, columns)
    return _picture(board, board, ".", ("-", "-"), ("|", "|"), " ")


def draw(arcs: Sequence[int], given: Sequence[int], rows: int, columns: int) -> str:
    """The drawn arcs in Unicode: thin if ``given``, else thick; closed boxes are shaded."""
    board, start = _Board(arcs, rows, columns), _Board(given, rows, columns)
    return _picture(board, start, "•", ("─", "━"), ("│", "┃"), "░")


class _Board:
    """A row of arcs seen by rows and columns; 1 is a drawn arc."""

    def __init__(self, arcs: Sequence[int], rows: int, columns: int) -> None:
        self.arcs, self.rows, self.columns = arcs, rows, columns

    def horizontal(self, row: int, column: int) -> bool:
        return self.arcs[row * self.columns + column] == 1

    def vertical(self, row: int, column: int) -> bool:
        return self.arcs[(self.rows + 1) * self.columns + column * self.rows + row] == 1

    def closed(self, row: int, column: int) -> bool:
        across = self.horizontal(row, column) and self.horizontal(row + 1, column)
        return across and self.vertical(row, column) and self.vertical(row, column + 1)

    def boxes(self) -> Iterator[tuple[int, int]]:
        return ((row, column) for row in range(self.rows) for column in range(self.columns))


def _picture(board: _Board, start: _Board, dot: str, dashes: Sequence[str], bars: Sequence[str], mark: str) -> str:
    """The board in characters; of ``dashes`` and ``bars`` the first for arcs of ``start``, the second for others."""
    lines = []
    for row in range(board.rows + 1):
        line = dot
        for column in range(board.columns):
            dash = dashes[not start.horizontal(row, column)] if board.horizontal(row, column) else " "
            line += dash * 3 + dot
        lines.append(line)
        if row == board.rows:
            break
        line = ""
        for column in range(board.columns + 1):
            line += bars[not start.vertical(row, column)] if board.vertical(row, column) else " "
            if column < board.columns:
                line += (mark if board.closed(row, column) else " ") * 3
        lines.append(line.rstrip())
    return "\n".join(lines)


def read_drawing(lines: Lines) -> tuple[Arcs, Arcs]:
    """The horizontal and vertical arcs of a drawing, given line by line with the number of each.

    The dots of all lines stand in the same columns, at any distance. A line of bars may be empty or missing if
    there are none in it. Marks that boxes are closed must be true.
    """
    lines = _without_blank_ends([(number, line.expandtabs().rstrip()) for number, line in lines])
    if not lines or not is_dotted(lines[0][1]):
        place = f"line {lines[0][0]}: " if lines else ""
        raise InputError(f"{place}the drawing begins without dots: expected a line of dots and dashes")
    first_number, first = lines[0]
    columns = _dot_columns(first)
    if len(columns) < 2 or any(right - left < 2 for left, right in pairwise(columns)):
        raise InputError(f"line {first_number}: expected at least two dots, with room for a dash between them")
    horizontals: Arcs = []
    bars: Arcs = []
    marked: list[tuple[int, int, int]] = []  # line, row and column of boxes that are said to be closed
    for number, line in lines:
        if is_dotted(line):
            if len(bars) < len(horizontals):
                bars.append([0] * len(columns))
            if _dot_columns(line) != columns:
                raise InputError(f"line {number}: expected dots below those of line {first_number}, and no others")
            horizontals.append(_read_dashes(line, number, columns))
        else:
            if len(bars) == len(horizontals):
                raise InputError(f"line {number}: expected a line of dots, since the line before it has the bars")
            bars.append(_read_bars(line, number, columns))
            boxes = enumerate(pairwise(columns))
            marked += [(number, len(bars) - 1, box) for box, (a, b) in boxes if line[a + 1 : b].strip()]
    if len(horizontals) < 2 or len(bars) == len(horizontals):
        raise InputError(f"line {lines[-1][0]}: the drawing ends here: expected one more line of dots")
    for number, row, box in marked:
        if not (horizontals[row][box] and horizontals[row + 1][box] and bars[row][box] and bars[row][box + 1]):
            raise InputError(f"line {number}: box {box + 1} is marked as closed: expected all its four lines")
    return horizontals, [list(column) for column in zip(*bars, strict=True)]


def is_dotted(line: str) -> bool:
    """Whether a line has the dots of a drawing."""
    return any(dot in line for dot in DOTS)


def is_drawn(line: str) -> bool:
    """Whether a line has dots and nothing but what drawings consist of."""
    return is_dotted(line) and all(character in DOTS + DASHES + BARS + INSIDE + "\t" for character in line.rstrip())


def _without_blank_ends(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    filled = [i for i, (_, line) in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _dot_columns(line: str) -> list[int]:
    return [i for i, character in enumerate(line) if character in DOTS]


def _read_dashes(line: str, number: int, columns: list[int]) -> list[int]:
    """Which pairs of neighbouring dots are joined."""
    arcs = []
    ends = zip([-1, *columns], [*columns, len(line)], strict=True)
    for j, (left, right) in enumerate(ends):
        gap = line[left + 1 : right]
        drawn = bool(gap) and all(character in DASHES for character in gap)
        if gap.strip() and (not drawn or j in (0, len(columns))):
            column = left + 2 + len(gap) - len(gap.lstrip())
            raise InputError(f"line {number}, column {column}: {gap.strip()!r}: expected dashes from dot to dot")
        arcs.append(int(drawn))
    return arcs[1:-1]


def _read_bars(line: str, number: int, columns: list[int]) -> list[int]:
    """Below which dots a bar stands."""
    for i, character in enumerate(line):
        if character not in (BARS + " " if i in columns else INSIDE if columns[0] < i < columns[-1] else " "):
            raise InputError(f"line {number}, column {i + 1}: {character!r}: expected bars below dots")
    return [int(i < len(line) and line[i] in BARS) for i in columns]


CELL, MARGIN = 40, 24


def to_svg(arcs: Sequence[int], given: Sequence[int], rows: int, columns: int) -> str:
    """The board as an SVG picture: arcs dark if ``given``, else thick and coloured; closed boxes are filled."""
    board, start = _Board(arcs, rows, columns), _Board(given, rows, columns)
    closed = [box for box in board.boxes() if board.closed(*box)]
    free, dark, bright = _sorted_lines(board, start)
    width, height = columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN
    squares = [
        f'<rect x="{MARGIN + column * CELL}" y="{MARGIN + row * CELL}" width="{CELL}" height="{CELL}"/>'
        for row, column in closed
    ]
    circles = [
        f'<circle cx="{MARGIN + column * CELL}" cy="{MARGIN + row * CELL}" r="4"/>'
        for row in range(rows + 1)
        for column in range(columns + 1)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img">',
            f"<title>Dots and Boxes, {rows}x{columns}: {len(closed)} of {rows * columns} boxes closed</title>",
            f'<rect width="{width}" height="{height}" rx="10" fill="#fbfaf7"/>',
            *_group('class="closed" fill="#f3d9b1"', squares),
            *_group('class="free" stroke="#d8d4cc" stroke-width="1.5" stroke-dasharray="2 5"', free),
            *_group('class="given" stroke="#39424e" stroke-width="4" stroke-linecap="round"', dark),
            *_group('class="drawn" stroke="#c8501e" stroke-width="5" stroke-linecap="round"', bright),
            *_group('class="dots" fill="#1f262e"', circles),
            "</svg>",
        ]
    )


def _sorted_lines(board: _Board, start: _Board) -> tuple[list[str], list[str], list[str]]:
    """The arcs as SVG lines: those not drawn, those given and those drawn since."""
    kinds: tuple[list[str], list[str], list[str]] = ([], [], [])

    def add(drawn: bool, was_given: bool, row: int, column: int, down: int, right: int) -> None:
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        line = f'<line x1="{x}" y1="{y}" x2="{x + right * CELL}" y2="{y + down * CELL}"/>'
        kinds[0 if not drawn else 1 if was_given else 2].append(line)

    for row in range(board.rows + 1):
        for column in range(board.columns):
            add(board.horizontal(row, column), start.horizontal(row, column), row, column, 0, 1)
    for column in range(board.columns + 1):
        for row in range(board.rows):
            add(board.vertical(row, column), start.vertical(row, column), row, column, 1, 0)
    return kinds


def _group(attributes: str, shapes: list[str]) -> list[str]:
    return [f"<g {attributes}>", *shapes, "</g>"] if shapes else []
