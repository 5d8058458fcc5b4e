"""Sliding boards, goals and sizes as people write them: text or lists in, a tuple in reading order out."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import isqrt
from typing import Any

from procura.errors import InputError
from procura.puzzles.arguments import read_size
from procura.texts import Source, Task, blocks, joined, numbered, one_a_block, one_a_line, written_lines

MOST_CELLS = 1024
"""The largest board: its table of distances holds the square of this."""
BLANKS = (".", "_", "-")
"""What stands for the blank in text, beside 0."""
_RULE = re.compile("[┌┬┐├┼┤└┴┘─]{2,}|[+][+-]+")
"""A line of a drawing that holds no tiles."""


def read_board(board: Any, size: Any = None, place: str = "board") -> tuple[int, int, tuple[int, ...]]:
    """Rows, columns and cells of a board: text or a flat or nested list, 0 (in text also ``. _ -``) the blank.

    >>> read_board("1 2 3\\n4 5 0")
    (2, 3, (1, 2, 3, 4, 5, 0))
    >>> read_board("123/450") == read_board("1 2 3\\n4 5 _")
    True
    >>> read_board([3, 1, 2, 0])
    (2, 2, (3, 1, 2, 0))
    """
    lines = _lines(board, place)
    entries = [entry for line in lines for entry in line]
    if len(entries) == 1:
        raise InputError(f"{place}: expected numbers such as 1 2 3 0, not {str(entries[0])[:20]!r}")
    rows, columns = _shape([len(line) for line in lines], size, place)
    seen: dict[int, str] = {}
    for i, entry in enumerate(entries):
        where = f"row {i // columns + 1}, column {i % columns + 1}"
        tile = _tile(entry, len(entries), f"{place}, {where}")
        if tile in seen:
            raise InputError(f"{place}, {where}: {tile} is already at {seen[tile]}")
        seen[tile] = where
    return rows, columns, tuple(seen)


def read_goal(goal: Any, rows: int, columns: int) -> tuple[int, ...]:
    """The cells of a goal: one of the names in ``GOALS``, or numbers written as a board is."""
    if isinstance(goal, str):
        if goal.strip().lower() in GOALS:
            return GOALS[goal.strip().lower()](rows, columns)
        if re.search("[A-Za-z]", goal):
            raise InputError(f"goal {goal[:20]!r}: expected {', '.join(GOALS)} or numbers")
    return read_board(goal, (rows, columns), "goal")[2]


def read_shape(size: Any) -> tuple[int, int]:
    """Rows and columns of a board of that size."""
    rows, columns = read_size(size)
    if rows < 2 or columns < 2:
        raise InputError(f"size {rows}x{columns}: expected at least 2x2")
    if rows * columns > MOST_CELLS:
        raise InputError(f"size {rows}x{columns}: expected at most {MOST_CELLS} cells")
    return rows, columns


def split_boards(cls: Any, source: Source, options: Mapping[str, Any]) -> list[Task]:
    """One board a line, or one of several lines between blank ones, if all together are none and one of them is.

    Lines may have a number before the board and its fewest moves after it, as Korf's hundred have.
    """
    size = {"size": options["size"]} if "size" in options else {}

    def is_board(text: str) -> bool:
        try:
            return cls.from_text(text, **size) is not None
        except InputError:
            return False

    def read(text: str) -> Any:
        return cls.from_text(text, **options)

    lines = written_lines(source.text)
    whole = is_board(joined(lines))
    numbered_boards = [] if whole else [_unnumbered(line) for _, line in lines]
    alike = len({len(line.split()) for _, line in lines}) == 1
    if alike and 2 * sum(name is not None and is_board(board) for name, board in numbered_boards) > len(lines):
        places = [source.at(f"line {number}") for number, _ in lines]
        return [
            Task(partial(read, board), name, place)
            for (name, board), place in zip(numbered_boards, places, strict=True)
        ]
    apart = blocks([line for line in numbered(source.text) if not line[1].lstrip().startswith("#")])
    if not whole and len(apart) > 1 and any(len(block) > 1 and is_board(joined(block)) for block in apart):
        return one_a_block(read, source, apart)
    return one_a_line(read, source, batch=not whole and any(is_board(line) for _, line in lines))


def _unnumbered(line: str) -> tuple[str | None, str]:
    """The number and the board of a line that has a number before the board and perhaps another after it.

    >>> _unnumbered("7  1 3 2 0  4")  # a board of five cells would be no square
    ('7', '1 3 2 0')
    >>> _unnumbered("1 3 2 0")
    (None, '1 3 2 0')
    """
    words = re.split(r"[\s,]+", line.strip())
    boards = [words[1 : len(words) - after] for after in (0, 1)]
    whole = [board for board in boards if len(board) >= 4 and sorted(board) == sorted(map(str, range(len(board))))]
    if not whole:
        return None, line
    board = next((board for board in whole if isqrt(len(board)) ** 2 == len(board)), whole[0])
    return words[0], " ".join(board)


def write_board(cells: Sequence[int], columns: int) -> str:
    """The cells as an aligned grid, ``.`` for the blank; ``read_board`` reads it back.

    >>> print(write_board([1, 2, 3, 4, 0, 5], 3))
    1 2 3
    4 . 5
    """
    width = len(str(len(cells) - 1))
    words = [(str(tile) if tile else ".").rjust(width) for tile in cells]
    return "\n".join(" ".join(words[i : i + columns]) for i in range(0, len(words), columns))


def _blank_last(rows: int, columns: int) -> tuple[int, ...]:
    return (*range(1, rows * columns), 0)


def _blank_first(rows: int, columns: int) -> tuple[int, ...]:
    return tuple(range(rows * columns))


def _spiral(rows: int, columns: int) -> tuple[int, ...]:
    """1, 2, 3 ... clockwise and inwards from the top left, the blank at the end of the spiral."""
    cells = [0] * (rows * columns)
    row, column, down, right = 0, 0, 0, 1
    for tile in range(1, rows * columns):
        cells[row * columns + column] = tile
        r, c = row + down, column + right
        if not (0 <= r < rows and 0 <= c < columns) or cells[r * columns + c]:
            down, right = right, -down
        row, column = row + down, column + right
    return tuple(cells)


GOALS = {"blank-last": _blank_last, "blank-first": _blank_first, "spiral": _spiral}


def goal_name(goal: Sequence[int], rows: int, columns: int) -> str:
    """The name of a goal, or its numbers.

    >>> goal_name([1, 2, 4, 0], 2, 2), goal_name([1, 2, 0, 3], 2, 2)
    ('1 2 4 0', 'spiral')
    """
    names = (name for name, make in GOALS.items() if make(rows, columns) == tuple(goal))
    return next(names, " ".join(map(str, goal)))


def _lines(board: Any, place: str) -> list[list[Any]]:
    """The entries of a board line by line; a flat list is one line."""
    if isinstance(board, str):
        return _written_lines(board)
    if not isinstance(board, Iterable):
        raise InputError(f"{place}: expected text or a list of numbers, not {board!r}")
    entries = list(board)
    nested = [not isinstance(entry, str) and isinstance(entry, Iterable) for entry in entries]
    if not any(nested):
        return [entries]
    if not all(nested):
        raise InputError(f"{place}, row {nested.index(False) + 1}: expected a list of numbers as in the other rows")
    lines = [list(entry) for entry in entries]
    for i, line in enumerate(lines):
        if len(line) != len(lines[0]):
            raise InputError(f"{place}, row {i + 1} has {len(line)} numbers: expected {len(lines[0])} as in row 1")
    return lines


def _written_lines(text: str) -> list[list[str]]:
    """The entries of a text line by line; the lines of a drawing are left out, and digits may run together.

    >>> _written_lines("123/45.")
    [['1', '2', '3'], ['4', '5', '.']]
    >>> _written_lines("│ 1 │ 12 │   │")
    [['1', '12', '0']]
    >>> _written_lines("[[1,2],[3,-]].")
    [['1', '2'], ['3', '-']]
    """
    if text.lstrip().startswith("["):  # lists, as Prolog, Python and JSON write them
        text = "\n".join(re.findall(r"\[([^\[\]]+)\]", text))
    lines = [line.strip(" \t,") for line in re.split(r"[\n\r/]", text)]
    split = [_cells(line) for line in lines if line and not _RULE.fullmatch(line)]
    words = [word for line in split for word in line]
    digits = re.fullmatch("[0-9._-]{2,10}", "".join(words))
    together = digits and len({len(word) for word in words}) == 1 and len(words[0]) > 1
    return [list(word) for word in words] if together else split


def _cells(line: str) -> list[str]:
    """The entries of a line, or the cells between the bars of a drawing, of which the blank's is empty."""
    if line[0] in "│|" and line[-1] in "│|" and len(line) > 1:
        return [cell.strip() or "0" for cell in re.split("[│|]", line[1:-1])]
    return re.split(r"[\s,]+", line)


def _shape(lengths: list[int], size: Any, place: str) -> tuple[int, int]:
    """Rows and columns: the size if given, else the lines if they form a rectangle, else a square."""
    count = sum(lengths)
    if size is not None:
        rows, columns = read_shape(size)
        if rows * columns != count:
            raise InputError(f"{place} has {count} numbers: expected {rows * columns} for size {rows}x{columns}")
    elif len(lengths) > 1 and lengths[0] > 1 and min(lengths) == max(lengths):
        rows, columns = len(lengths), lengths[0]
    else:
        rows = columns = isqrt(count)
        if rows < 2 or rows * rows != count:
            raise InputError(f"{place} has {count} numbers: expected a square such as 9 or 16, equal lines or a size")
    if count > MOST_CELLS:
        raise InputError(f"{place} has {count} numbers: expected at most {MOST_CELLS}")
    return rows, columns


def _tile(entry: Any, count: int, where: str) -> int:
    try:
        if isinstance(entry, str):
            tile = 0 if entry in BLANKS else int(entry) if re.fullmatch("[0-9]{1,9}", entry) else -1
        else:
            tile = operator.index(entry)
    except TypeError:
        tile = -1
    if not 0 <= tile < count:
        raise InputError(f"{where}: {str(entry)[:20]!r} is not one of 0 to {count - 1}")
    return tile
