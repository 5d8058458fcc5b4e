"""Pattern databases of sliding boards: which tiles make a pattern, how its positions are numbered, and the tables.

A pattern is a set of tiles, named by their goal cells. Its database holds, for every position of these tiles, how many
moves *of these tiles* bring them home, the others counting nothing; so the values of patterns that share no tile add
up. The blank matters too: of its place only the region counts, the connected cells without a tile of the pattern. In
a region the blank moves about at no cost, and no move of another tile takes it out. A position is numbered by

    block   the cells that the pattern's tiles stand on, in colexicographic order, and the region of the blank
    rank    the order in which the tiles stand on these cells, as a permutation, in lexicographic order

and its number is ``block * k! + rank``. A move of a tile of the pattern changes its value by 1, up or down: the parity
of the value is that of the Manhattan distances, so that one bit, ``value >> 1 & 1``, tells the value after a move from
the one before.

Boards are turned, and cells numbered, so that there are no fewer rows than columns and the blank's goal comes as early
as it can: goals whose blank lies in like places share their tables, whatever the tiles are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import combinations, product
from math import comb, factorial
from typing import Any

from procura.errors import InputError
from procura.tables import Report, Table

MOST_CELLS = 25
SMALL = 15_000_000
"""The positions, regions apart, of a pattern whose database is built in a fraction of a second."""
MOST_POSITIONS = 1_900_000_000
"""Of a pattern; building its database takes a byte for each."""
LARGE_SIZES = {(4, 4): (7, 8), (5, 3): (7, 7), (5, 5): (6, 6, 6, 6)}
"""Partitions worth more than a second, which are built only if asked for."""
KNOWN_BLOCKS = {
    (4, 4, 6): 16412, (4, 4, 7): 27748, (4, 4, 8): 35347, (5, 3, 6): 11007, (5, 3, 7): 16371,
    (5, 4, 4): 5826, (5, 4, 5): 21968, (5, 5, 4): 14127, (5, 5, 5): 65594, (5, 5, 6): 251400,
    (6, 3, 5): 14038, (6, 3, 6): 37133, (6, 4, 5): 54348, (7, 2, 6): 7728, (7, 3, 5): 30607,
    (8, 2, 6): 20482, (8, 3, 5): 59728, (9, 2, 5): 18200, (9, 2, 6): 46592, (10, 2, 4): 8220,
    (10, 2, 5): 31968, (11, 2, 5): 52734, (12, 2, 5): 82764,
}  # fmt: skip
"""What ``counted_blocks`` comes to for the larger patterns in use."""
_DRAWN = {
    (4, 4, (6, 6, 3)): ((0, 1, 4, 5, 8, 9, 12), (6, 7, 10, 11, 14, 15), (2, 3, 13)),
    (5, 5, (6, 6, 6, 6)): (
        (0, 1, 2, 5, 6, 7, 12), (3, 4, 8, 9, 13, 14), (10, 11, 15, 16, 20, 21), (17, 18, 19, 22, 23, 24),
    ),
}  # fmt: skip
"""Partitions drawn by hand, for blanks whose goal is in the first part."""

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """A board turned to where its tables are: ``rows`` is no less than ``columns``."""

    rows: int
    columns: int
    blank: int
    """The blank's goal."""
    number: Cells
    """By the cells of the board in reading order: the cell it becomes."""

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns


@lru_cache(maxsize=64)
def layout(rows: int, columns: int, blank: int) -> Layout:
    """How a board is turned whose blank belongs at a cell.

    >>> layout(2, 3, 5)
    Layout(rows=3, columns=2, blank=0, number=(5, 3, 1, 4, 2, 0))
    """
    tall = [(shape, number) for shape, number in _turns(rows, columns) if shape[0] >= shape[1]]
    shape, number = min(tall, key=lambda turn: turn[1][blank])
    return Layout(*shape, number[blank], number)


def _turns(rows: int, columns: int) -> Iterator[tuple[tuple[int, int], Cells]]:
    """All ways to turn or reflect a board: its shape then, and the new cell of each."""
    places = list(product(range(rows), range(columns)))
    for flip, flop, transposed in product((False, True), repeat=3):
        shape = (columns, rows) if transposed else (rows, columns)
        number = []
        for row, column in places:
            row, column = rows - 1 - row if flip else row, columns - 1 - column if flop else column
            row, column = (column, row) if transposed else (row, column)
            number.append(row * shape[1] + column)
        yield shape, tuple(number)


@lru_cache(maxsize=64)
def mirror(frame: Layout, patterns: tuple[Cells, ...]) -> Cells | None:
    """A reflection of the board that leaves the blank's goal where it is and makes other patterns; None without one."""
    for shape, number in _turns(*frame.shape):
        if shape == frame.shape and number[frame.blank] == frame.blank:
            reflected = {tuple(sorted(number[cell] for cell in pattern)) for pattern in patterns}
            if reflected != set(patterns):
                return number
    return None


def read_sizes(text: Any, cells: int) -> tuple[int, ...]:
    """The sizes of a partition such as ``6-6-3``; raises ``InputError``.

    >>> read_sizes("6-6-3", 16)
    (6, 6, 3)
    """
    words = str(text).split("-")
    sizes = tuple(int(word) for word in words if word.isdecimal() and int(word) > 0)
    if len(sizes) != len(words) or sum(sizes) != cells - 1:
        example = "-".join(map(str, small_sizes(cells)))
        raise InputError(f"partition {text!r}: expected patterns of {cells - 1} tiles in all, such as {example}")
    return sizes


def small_sizes(cells: int) -> tuple[int, ...]:
    """The largest patterns that are built in less than a second.

    >>> small_sizes(9), small_sizes(16), small_sizes(25)
    ((8,), (6, 6, 3), (5, 5, 5, 5, 4))
    """
    most = max(k for k in range(1, cells) if comb(cells, k) * factorial(k) <= SMALL)
    whole, rest = divmod(cells - 1, most)
    return (most,) * whole + ((rest,) if rest else ())


@lru_cache(maxsize=64)
def partition(frame: Layout, sizes: tuple[int, ...]) -> tuple[Cells, ...]:
    """The patterns of these sizes, as goal cells in ascending order."""
    drawn = _DRAWN.get((*frame.shape, sizes))
    if drawn is not None and frame.blank in drawn[0]:
        return tuple(tuple(cell for cell in pattern if cell != frame.blank) for pattern in drawn)
    order = [cell for cell in _winding(*frame.shape) if cell != frame.blank]
    parts, start = [], 0
    for size in sizes:
        parts.append(tuple(sorted(order[start : start + size])))
        start += size
    return tuple(parts)


def _winding(rows: int, columns: int) -> list[int]:
    """All cells, two rows at a time (the last three if there are an odd number), to and fro."""
    order: list[int] = []
    starts = list(range(0, rows - 1, 2)) or [0]
    for strip, start in enumerate(starts):
        end = rows if strip == len(starts) - 1 else start + 2
        across = range(columns) if strip % 2 == 0 else range(columns - 1, -1, -1)
        order += [row * columns + column for column in across for row in range(start, end)]
    return order


@cache
def block_count(rows: int, columns: int, tiles: int) -> int:
    """The blocks of a pattern of so many tiles: regions of all sets of cells that they can stand on.

    >>> block_count(3, 3, 8), block_count(3, 2, 2)
    (9, 20)
    """
    known = KNOWN_BLOCKS.get((rows, columns, tiles))
    return known if known is not None else counted_blocks(rows, columns, tiles)


def counted_blocks(rows: int, columns: int, tiles: int) -> int:
    """The blocks of ``block_count``, counted one by one."""
    cells = rows * columns
    left = sum(1 << row * columns for row in range(rows))
    right, count = left << columns - 1, 0
    for chosen in combinations(range(cells), tiles):
        empty = (1 << cells) - 1 - sum(1 << cell for cell in chosen)
        while empty:
            region, before = empty & -empty, 0
            while region != before:
                before = region
                beside = (region & ~right) << 1 | (region & ~left) >> 1 | region << columns | region >> columns
                region |= beside & empty
            empty &= ~region
            count += 1
    return count


def positions(frame: Layout, pattern: Cells) -> int:
    """The entries of a pattern's database."""
    return block_count(*frame.shape, len(pattern)) * factorial(len(pattern))


def refuse_large(frame: Layout, sizes: Sequence[int]) -> None:
    """Raise ``InputError`` if the databases of patterns of these sizes cannot be built in reasonable memory."""
    for size in sizes:
        least = comb(frame.cells, size) * factorial(size)
        if least > MOST_POSITIONS or block_count(*frame.shape, size) * factorial(size) > MOST_POSITIONS:
            raise InputError(
                f"partition {'-'.join(map(str, sizes))}: a pattern of {size} tiles has {least:,} positions or more: "
                f"expected at most {MOST_POSITIONS:,}"
            )


BUILDER = ("procura.puzzles.sliding.databases",)
"""Where the tables are filled."""


def bit_table(frame: Layout, patterns: tuple[Cells, ...]) -> Table:
    """The databases of patterns, one after the other, each at a whole byte, one bit an entry."""
    length = sum(-(-positions(frame, pattern) // 8) for pattern in patterns)
    return Table(
        f"{_purpose(frame, patterns)}, one bit each", "int8", length, partial(_fill_bits, frame, patterns), BUILDER
    )


def value_table(frame: Layout, patterns: tuple[Cells, ...]) -> Table:
    """The databases of patterns, one after the other, one value an entry; -1 where the goal is out of reach."""
    length = sum(positions(frame, pattern) for pattern in patterns)
    return Table(_purpose(frame, patterns), "int8", length, partial(_fill_values, frame, patterns), BUILDER)


def block_table(frame: Layout, sizes: tuple[int, ...]) -> Table:
    """For each size, set of cells and cell: the block of a blank there; -1 where a tile stands."""
    length = sum(comb(frame.cells, size) * frame.cells for size in sizes)
    told = " and ".join(map(str, sizes))
    purpose = f"regions of a {frame.rows}x{frame.columns} board without {told} tiles"
    return Table(purpose, "int32", length, partial(_fill_blocks, frame, sizes), BUILDER)


def _purpose(frame: Layout, patterns: tuple[Cells, ...]) -> str:
    parts = " | ".join(" ".join(map(str, pattern)) for pattern in patterns)
    board = f"a {frame.rows}x{frame.columns} board, goal of the blank {frame.blank}"
    return f"moves of tiles {parts} of {board}"


def _fill_bits(frame: Layout, patterns: tuple[Cells, ...], entries: memoryview, report: Report) -> None:
    from procura.puzzles.sliding.databases import fill_bits

    fill_bits(frame, patterns, entries, report)


def _fill_values(frame: Layout, patterns: tuple[Cells, ...], entries: memoryview, report: Report) -> None:
    from procura.puzzles.sliding.databases import fill_values

    fill_values(frame, patterns, entries, report)


def _fill_blocks(frame: Layout, sizes: tuple[int, ...], entries: memoryview, report: Report) -> None:
    from procura.puzzles.sliding.databases import fill_blocks

    fill_blocks(frame, sizes, entries)
