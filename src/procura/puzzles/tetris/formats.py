"""Tetris as text and as lists: boards, pieces and the lines that may stand before a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

from procura.errors import InputError, unknown
from procura.puzzles.arguments import plain
from procura.puzzles.tetris.pieces import LETTERS

HEADINGS = ("pieces", "size")


def read_board(board: Any, rows: int, columns: int) -> list[int]:
    """The row masks of a board, bottom row first; bit c of a mask is column c.

    A board is text (``.`` empty, ``#`` filled, top row first, or the word ``empty``), rows of 0 and 1 or of
    truth values with the bottom row first, or row masks with the bottom row first. Rows that are not given
    are empty.

    >>> read_board('''#..#
    ...               ##.#''', rows=3, columns=4)
    [11, 9, 0]
    """
    board = plain(board)
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
        for cell in cells:
            if cell not in ".#":
                raise InputError(f"row {number}: {cell!r} is neither '.' nor '#'")
        if len(cells) != columns:
            raise InputError(f"row {number} has {len(cells)} cells: expected {columns}")
        masks.append(sum(1 << c for c, cell in enumerate(cells) if cell == "#"))
    return masks[::-1]


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
    """
    if isinstance(pieces, str):
        pieces = re.sub(r"[\s,]+", "", pieces)
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


def undrawn(text: str) -> str:
    """The text with boards as procura draws them, which ``next: ...`` may follow, in the form that is read.

    >>> print(undrawn("│ · · ·██│\\n└────────┘\\nnext: t i"))
    pieces: t i
    ...#
    """
    lines: list[str] = []
    top = 0
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("│"):
            lines.append(word.strip("│").replace("██", "#").replace(" ·", "."))
        elif word.startswith("next:"):
            lines.insert(top, f"pieces:{word.removeprefix('next:')}")
        elif not word.startswith("└"):
            lines.append(line)
        if not word or ":" in word:
            top = len(lines)
    return "\n".join(lines)


def write_board(masks: Sequence[int], columns: int) -> str:
    """The board as ``read_board`` reads it, all its rows, the top one first."""
    return "\n".join("".join(".#"[mask >> c & 1] for c in range(columns)) for mask in reversed(masks))


def write_heap(masks: Sequence[int], columns: int) -> str:
    """The board from its highest filled row down; ``empty`` if there is none."""
    height = max((row + 1 for row, mask in enumerate(masks) if mask), default=0)
    return write_board(masks[:height], columns) or "empty"
