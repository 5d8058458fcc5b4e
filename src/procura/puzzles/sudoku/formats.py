"""Sudoku boards as people write them: text or lists in, a tuple of digits in reading order out (0 empty)."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import Any

from procura.errors import InputError
from procura.texts import Source, Task, one_a_line, written_lines

SYMBOLS = ".123456789ABCDEFG"
SIDES = {16: 4, 81: 9, 256: 16}
EMPTY = ("", "-", "_", "null", "None")
"""What is an empty cell in lists, beside 0 and a full stop."""
FRAME = dict.fromkeys([ord("|"), *range(0x2500, 0x2580)])
"""Characters that frame a board's lines, as ``str.translate`` drops them: bars and box drawing."""


def read_board(board: Any) -> tuple[int, ...]:
    """The digits of a board: text, a list of lines, or a flat or nested list of integers; 0 is empty.

    In text ``.`` is empty (up to 9x9 also ``0``), 16x16 boards write 10 to 16 as A to G, and white space does
    not matter; nor do bars between blocks and lines of ``-``, ``=`` and ``+``. Lists are read as Prolog, Python and
    JSON write them, ``[[1,-,3,4],[3,4,1,-],...]``. Givens that contradict each other are refused.

    >>> read_board("1... ..2. .3.. ...4")
    (1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4)
    """
    entries = _entries(board)
    side = SIDES[len(entries)]
    symbols = {symbol: digit for digit, symbol in enumerate(SYMBOLS[: side + 1])}
    symbols |= {symbol.lower(): digit for symbol, digit in symbols.items()} if side == 16 else {"0": 0}
    symbols["\N{MIDDLE DOT}"] = 0
    digits = tuple(_digit(entry, symbols, place(cell, side)) for cell, entry in enumerate(entries))
    _refuse_repeats(digits, side)
    return digits


def split_boards(cls: Any, source: Source, options: Mapping[str, Any]) -> list[Task]:
    """One board a line if a line has the cells of a whole one; sixteen lines of sixteen cells are one board."""
    lines = written_lines(source.text)
    if lines and all(line.startswith("[") for _, line in lines):
        whole = [line.count("[") > 2 and line.count("[") == line.count("]") for _, line in lines]
        return one_a_line(lambda text: cls.from_text(text, **options), source, batch=all(whole))
    counts = {len("".join(line.split())) for _, line in lines}
    batch = bool(counts & {81, 256}) or (16 in counts and len(lines) != 16)
    return one_a_line(lambda text: cls.from_text(text, **options), source, batch)


def write_board(digits: Sequence[int]) -> str:
    """The digits as a grid, blocks apart; ``read_board`` reads it back.

    >>> print(write_board(read_board("1... ..2. .3.. ...4")))
    1. ..
    .. 2.
    <BLANKLINE>
    .3 ..
    .. .4
    """
    side = isqrt(len(digits))
    b = isqrt(side)
    lines = []
    for row in range(side):
        text = write_line(digits[row * side : (row + 1) * side])
        gap = [""] if row and row % b == 0 else []
        lines += [*gap, " ".join(text[i : i + b] for i in range(0, side, b))]
    return "\n".join(lines)


def write_line(digits: Sequence[int]) -> str:
    """The digits on one line, without gaps.

    >>> write_line(read_board("1... ..2. .3.. ...4"))
    '1.....2..3.....4'
    """
    return "".join(SYMBOLS[digit] for digit in digits)


def place(cell: int, side: int) -> str:
    """The cell's name in messages, counted from 1."""
    return f"row {cell // side + 1}, column {cell % side + 1}"


def units(side: int) -> Iterator[tuple[str, list[int]]]:
    """Every row, column and block: its name in messages and its cells."""
    b = isqrt(side)
    for i in range(side):
        corner = i // b * b * side + i % b * b
        yield f"row {i + 1}", [i * side + k for k in range(side)]
        yield f"column {i + 1}", [k * side + i for k in range(side)]
        yield f"block {i + 1}", [corner + k // b * side + k % b for k in range(side)]


def blocks(side: int) -> list[int]:
    """The block of every cell, counted from 0 in reading order."""
    b = isqrt(side)
    return [cell // side // b * b + cell % side // b for cell in range(side * side)]


def _entries(board: Any) -> list[Any]:
    """The entries of a board in reading order, as many as a board has."""
    if not isinstance(board, Iterable):
        raise InputError(f"board: expected text or a list, not {board!r}")
    if isinstance(board, str):
        lines: list[Any] = _listed(board) if board.lstrip().startswith("[") else _unframed(board)
    else:
        lines = list(board)
    rows = ["".join(line.split()) if isinstance(line, str) else line for line in lines]
    rows = [list(row) if isinstance(row, Iterable) else [row] for row in rows if not isinstance(row, str) or row]
    entries = [entry for row in rows for entry in row]
    if len(entries) in SIDES:
        return entries
    if len(rows) in SIDES.values():
        for i, row in enumerate(rows):
            if len(row) != len(rows):
                raise InputError(f"row {i + 1} has {len(row)} cells: expected {len(rows)}")
    raise InputError(f"board has {len(entries)} cells: expected 16, 81 or 256")


def _listed(text: str) -> list[list[Any]]:
    """The rows of a board that is written as lists; ``-``, ``_`` and nothing between two commas are empty.

    >>> _listed("[[1,-],[_,12]].")
    [[1, '.'], ['.', 12]]
    """
    rows = [row.split(",") for row in re.findall(r"\[([^\[\]]+)\]", text)]
    words = [[word.strip().strip("'\"") for word in row] for row in rows]
    return [["." if word in EMPTY else int(word) if word.isdecimal() else word for word in row] for row in words]


def _unframed(text: str) -> list[str]:
    """The lines of a text without what only separates blocks."""
    lines = [line.translate(FRAME) for line in text.splitlines()]
    return ["" if set("".join(line.split())) <= set("-=+") else line for line in lines]


def _digit(entry: Any, symbols: dict[str, int], where: str) -> int:
    side = max(symbols.values())
    if isinstance(entry, str) and entry in symbols:
        return symbols[entry]
    try:
        if 0 <= operator.index(entry) <= side:
            return operator.index(entry)
    except TypeError:
        pass
    empty = "'.'" if side == 16 else "'.' or '0'"
    raise InputError(f"{where}: {str(entry)[:20]!r} is not one of 1 to {SYMBOLS[side]}, nor {empty} for empty")


def _refuse_repeats(digits: Sequence[int], side: int) -> None:
    for unit, cells in units(side):
        seen: dict[int, int] = {}
        for cell in cells:
            digit = digits[cell]
            if digit and digit in seen:
                first, second = place(seen[digit], side), place(cell, side)
                raise InputError(f"{first} and {second}: {SYMBOLS[digit]} is given twice in {unit}")
            seen[digit] = cell
