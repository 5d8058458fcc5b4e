"""Tetris as text and as lists: boards, pieces and the lines that may stand before a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

from procura.errors import InputError, unknown
from procura.puzzles.arguments import plain
from procura.puzzles.tetris.pieces import LETTERS
from procura.texts import Lines, Source, Task, blocks, numbered, one_a_block

HEADINGS = ("pieces", "size")
CELLS = {"t": 1, "1": 1, "true": 1, "#": 1, "nil": 0, "0": 0, "false": 0, ".": 0, "-": 0}
"""The words for a cell in lists."""
_FLOOR = re.compile(r"[└+]?[─=+-]{2,}[┘+]?")
"""The line below a board that is drawn."""
FILLED, EMPTY = "#xX@*█■▓1", ".·_0"
"""How people draw cells; the first of each is how we do. Between two bars an empty cell can be a space too, and any
two cells can have a space between them."""


def read_board(board: Any, rows: int, columns: int) -> list[int]:
    """The row masks of a board, bottom row first; bit c of a mask is column c.

    A board is text (``.`` empty, ``#`` filled, top row first, or the word ``empty``), rows of 0 and 1 or of
    truth values with the bottom row first, or row masks with the bottom row first. Rows that are not given
    are empty. Text in brackets is such a list as Lisp, Prolog, Python or JSON write it, ``#2A((T NIL ...) ...)``.

    >>> read_board('''#..#
    ...               ##.#''', rows=3, columns=4)
    [11, 9, 0]
    """
    board = plain(board)
    if isinstance(board, str) and board.lstrip().startswith(("[", "(", "#2A(", "#2a(")):
        board = _listed(board)
    if isinstance(board, str):
        masks = _from_drawing(board, columns)
    elif isinstance(board, Iterable):
        masks = [_from_row(row, f"board[{r}]", columns) for r, row in enumerate(board)]
    else:
        raise InputError(f"the board is {board!r}: expected text or a list of rows")
    if len(masks) > rows:
        raise InputError(f"the board has {len(masks)} rows: expected at most {rows}")
    return masks + [0] * (rows - len(masks))


def _from_drawing(text: str, columns: int) -> list[int]:
    if text.strip().lower() == "empty":
        return []
    if not text.strip():
        raise InputError("the board is blank: expected rows of '.' and '#', or the word empty")
    masks = []
    for number, line in enumerate(text.strip().splitlines(), 1):
        cells = line.strip()
        if _FLOOR.fullmatch(cells):
            continue
        cells = _drawn_cells(cells, columns)
        for cell in cells:
            if cell not in FILLED + EMPTY:
                raise InputError(f"row {number}: {cell!r} is neither '.' nor '#'")
        if len(cells) != columns:
            raise InputError(f"row {number} has {len(cells)} cells: expected {columns}")
        masks.append(sum(1 << c for c, cell in enumerate(cells) if cell in FILLED))
    return masks[::-1]


def _drawn_cells(line: str, columns: int) -> str:
    """The cells of a row as it is drawn, without bars and without spaces between them.

    >>> _drawn_cells("| # #   . |", columns=4), _drawn_cells("1 1 0 0", columns=4)
    ('##..', '1100')
    """
    barred = len(line) > 2 and line[0] == line[-1] == "|"
    cells = line[1:-1] if barred else line
    if len(cells) == 2 * columns + 1 and cells[0] == cells[-1] == " ":
        cells = cells[1:-1]
    if len(cells) == 2 * columns - 1 and cells[1::2].isspace():
        cells = cells[::2]
    return cells.replace(" ", EMPTY[0]) if barred else cells


def _listed(text: str) -> list[list[Any]]:
    """The rows of a board that is written as lists of cells.

    >>> _listed("#2A((T NIL) (NIL T))")
    [[1, 0], [0, 1]]
    """
    if not re.fullmatch(r"(#2A)?\s*[(\[](\s*,?\s*[(\[][^()\[\]]*[)\]])*\s*[)\]]\s*\.?", text.strip(), re.IGNORECASE):
        raise InputError("the board is no list of rows: expected such as #2A((T NIL ...) ...), the bottom row first")
    rows = re.findall(r"[(\[]([^()\[\]]+)[)\]]", text)
    return [[CELLS.get(word.lower(), word) for word in re.split(r"[\s,]+", row.strip(" ,"))] for row in rows]


def _from_row(row: Any, place: str, columns: int) -> int:
    row = plain(row)
    if isinstance(row, Integral) and not isinstance(row, bool):
        mask = int(row)
        if not 0 <= mask < 1 << columns:
            raise InputError(f"{place} is {mask}: a row mask of {columns} columns lies in 0 to {(1 << columns) - 1}")
        return mask
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise InputError(f"{place} is {row!r}: expected a list of cells (a drawing is one text of several lines)")
    cells = [plain(cell) for cell in row]
    if len(cells) != columns:
        raise InputError(f"{place} has {len(cells)} cells: expected {columns}")
    for c, cell in enumerate(cells):
        if not isinstance(cell, Integral) or cell not in (0, 1):
            raise InputError(f"{place}[{c}] is {cell!r}: expected 0 or 1")
    return sum(1 << c for c, cell in enumerate(cells) if cell)


def read_pieces(pieces: Any) -> list[int]:
    """The kinds of the pieces, in the order of play.

    >>> read_pieces("T, i, l, l") == read_pieces("till") == read_pieces(["T", "i", "l", "l"]) == [6, 0, 1, 1]
    True
    >>> read_pieces("'(t i l l)")
    [6, 0, 1, 1]
    """
    if isinstance(pieces, str):
        pieces = re.sub(r"[\s,]+", "", re.sub(r"^\s*'?\((.*)\)\s*$", r"\1", pieces))
    elif not isinstance(pieces, Iterable):
        raise InputError(f"the pieces are {pieces!r}: expected letters such as 't i l l'")
    kinds = []
    for number, piece in enumerate(pieces, 1):
        if not isinstance(piece, str) or piece.lower() not in tuple(LETTERS):
            raise InputError(f"piece {number}: {piece!r} is not one of {' '.join(LETTERS)}")
        kinds.append(LETTERS.index(piece.lower()))
    if not kinds:
        raise InputError("there are no pieces: expected letters such as 't i l l'")
    return kinds


def read_points(points: Any) -> tuple[int, ...]:
    """The points for 0 to 4 rows at once, from text or a list.

    >>> read_points("0,40,100,300,1200")
    (0, 40, 100, 300, 1200)
    """
    given = re.split(r"[\s,]+", points.strip()) if isinstance(points, str) else points
    try:
        table = tuple(int(value) for value in given)
    except (TypeError, ValueError):
        table = ()
    if len(table) != 5 or table[0] != 0 or list(table) != sorted(table) or table[4] >= 1 << 20:
        expected = "five whole numbers that begin with 0 and never fall, such as 0,40,100,300,1200"
        raise InputError(f"points {points!r}: expected {expected}")
    return table


def split_headings(text: str) -> tuple[dict[str, str], str]:
    """The lines ``pieces: ...`` and ``size: ROWSxCOLUMNS`` before a board, and the board.

    >>> split_headings('''pieces: t i
    ... ####.#####''')
    ({'pieces': 't i'}, '####.#####')
    """
    headings: dict[str, str] = {}
    lines = undrawn(text).strip().splitlines()
    while lines and ":" in lines[0]:
        name, _, value = (part.strip() for part in lines.pop(0).partition(":"))
        if name.lower() not in HEADINGS:
            raise unknown("a board has no line", name, HEADINGS)
        if name.lower() in headings:
            raise InputError(f"the line {name}: stands twice before the board")
        headings[name.lower()] = value
    return headings, "\n".join(lines)


def split_boards(cls: Any, source: Source, options: Mapping[str, Any]) -> list[Task]:
    """The boards between blank lines; a heading such as ``pieces: t i`` begins one too."""

    def read(text: str) -> Any:
        """The board, if it or an option says which pieces come."""
        if not (options.get("pieces") or split_headings(text)[0].get("pieces")):
            by = "by --pieces or a line 'pieces: ...'"
            raise InputError(f"there are no pieces: expected letters such as 't i l l', {by}")
        return cls.from_text(text, **options)

    parts: list[Lines] = []
    waiting = False  # for the rows of a board, after its headings
    for block in blocks(undrawn_lines(numbered(source.text))):
        for at, line in enumerate(block):
            heading = _is_heading(line[1])
            if parts and (waiting or not (heading or at == 0)):
                parts[-1].append(line)
            else:
                parts.append([line])
                waiting = True
            waiting = waiting and heading
    if len(parts) == 1:
        return [Task(lambda: read(source.text), None, source.place)]
    return one_a_block(read, source, parts)


def _is_heading(line: str) -> bool:
    """Whether a line is ``pieces: t i l l`` or another that stands before the rows of a board."""
    return ":" in line


def undrawn(text: str) -> str:
    """The text with boards as procura draws them, which ``next: ...`` may follow, in the form that is read.

    >>> print(undrawn("│ · · ·██│\\n└────────┘\\nnext: t i"))
    pieces: t i
    ...#
    """
    return "\n".join(line for _, line in undrawn_lines(list(enumerate(text.splitlines()))))


def undrawn_lines(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The same for lines with their numbers, which they keep."""
    read: list[tuple[int, str]] = []
    top = 0
    for number, line in lines:
        word = line.strip()
        if word.startswith("│"):
            read.append((number, word.strip("│").replace("██", "#").replace(" ·", ".")))
        elif word.startswith("next:"):
            read.insert(top, (number, f"pieces:{word.removeprefix('next:')}"))
        elif not _FLOOR.fullmatch(word):
            read.append((number, line))
        if not word or ":" in word:
            top = len(read)
    return read


def write_board(masks: Sequence[int], columns: int) -> str:
    """The board as ``read_board`` reads it, all its rows, the top one first."""
    return "\n".join("".join(".#"[mask >> c & 1] for c in range(columns)) for mask in reversed(masks))


def write_heap(masks: Sequence[int], columns: int) -> str:
    """The board from its highest filled row down; ``empty`` if there is none."""
    height = max((row + 1 for row, mask in enumerate(masks) if mask), default=0)
    return write_board(masks[:height], columns) or "empty"
