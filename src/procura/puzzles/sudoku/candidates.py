"""A Sudoku as a person works on it: digits, pencilled candidates, and one step of reasoning about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt

from procura.puzzles.sudoku.formats import SYMBOLS, units

Mark = tuple[int, int]
"""A cell and a digit."""


@dataclass(frozen=True)
class Step:
    """One conclusion: digits to write or candidates to strike out, and why."""

    technique: str
    reason: str
    placed: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    marked: tuple[tuple[int, ...], ...] = ()
    """The cells that the reason speaks of, in groups: those of a pattern, of the two colours of a colouring."""


@dataclass(frozen=True)
class Unit:
    """A row, column or block: its name and its cells."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """What all boards of a side have in common."""

    side: int
    blocks: tuple[Unit, ...]
    rows: tuple[Unit, ...]
    columns: tuple[Unit, ...]
    peers: tuple[frozenset[int], ...]
    """For each cell those that share a unit with it."""
    units_of: tuple[tuple[Unit, ...], ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """All of them, blocks first: that is where people look."""
        return self.blocks + self.rows + self.columns


@cache
def geometry(side: int) -> Geometry:
    """The units and peers of boards of a side."""
    every = [Unit(name, tuple(cells)) for name, cells in units(side)]
    blocks, rows, columns = (
        tuple(unit for unit in every if unit.name.startswith(kind)) for kind in ("block", "row", "column")
    )
    units_of = tuple(
        tuple(unit for unit in (*blocks, *rows, *columns) if cell in unit.cells) for cell in range(side * side)
    )
    peers = tuple(
        frozenset(other for unit in own for other in unit.cells if other != cell) for cell, own in enumerate(units_of)
    )
    return Geometry(side, blocks, rows, columns, peers, units_of)


class Grid:
    """Digits (0 empty) and for each empty cell its candidates, digit d as bit d - 1; 0 where there is a digit."""

    def __init__(self, digits: Sequence[int]) -> None:
        self.side = isqrt(len(digits))
        self.geometry = geometry(self.side)
        self.digits = [0] * len(digits)
        self.candidates = [(1 << self.side) - 1] * len(digits)
        for cell, digit in enumerate(digits):
            if digit:
                self.place(cell, digit)

    def copy(self) -> Grid:
        """The same, to try something on."""
        other = object.__new__(Grid)
        other.side, other.geometry = self.side, self.geometry
        other.digits, other.candidates = self.digits.copy(), self.candidates.copy()
        return other

    def place(self, cell: int, digit: int) -> None:
        """Write a digit, and strike it out in all cells that see it."""
        self.digits[cell] = digit
        self.candidates[cell] = 0
        others = ~(1 << (digit - 1))
        for peer in self.geometry.peers[cell]:
            self.candidates[peer] &= others

    def apply(self, step: Step) -> None:
        """Do what a step says."""
        for cell, digit in step.placed:
            self.place(cell, digit)
        for cell, digit in step.removed:
            self.candidates[cell] &= ~(1 << (digit - 1))

    def has(self, cell: int, digit: int) -> bool:
        """Whether a digit is among the candidates of a cell."""
        return bool(self.candidates[cell] >> (digit - 1) & 1)

    def places(self, unit: Unit, digit: int) -> tuple[int, ...]:
        """The cells of a unit that can hold a digit which the unit lacks."""
        bit = 1 << (digit - 1)
        return tuple(cell for cell in unit.cells if self.candidates[cell] & bit)

    def holding(self, cells: Iterable[int], bits: int) -> tuple[Mark, ...]:
        """The candidates of ``bits`` that stand in some cells, which a step can strike out."""
        return tuple((cell, digit) for cell in sorted(cells) for digit in digits_of(self.candidates[cell] & bits))


def digits_of(bits: int) -> Iterator[int]:
    """The digits of a mask, in order.

    >>> list(digits_of(0b1010))
    [2, 4]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length()
        bits ^= low


def cell_name(cell: int, side: int) -> str:
    """A cell as people write it.

    >>> cell_name(10, 9)
    'r2c2'
    """
    return f"r{cell // side + 1}c{cell % side + 1}"


def cell_names(cells: Iterable[int], side: int, last: str = "and") -> str:
    """Cells in words.

    >>> cell_names([0, 1, 2], 9)
    'r1c1, r1c2 and r1c3'
    """
    return listed([cell_name(cell, side) for cell in cells], last)


def digit_names(bits: int, last: str = "and") -> str:
    """Digits in words, as the board draws them.

    >>> digit_names(0b101), digit_names(0b11, "or")
    ('1 and 3', '1 or 2')
    """
    return listed([SYMBOLS[digit] for digit in digits_of(bits)], last)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words with commas, and ``last`` before the last."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def struck(removed: Sequence[Mark], side: int) -> str:
    """Candidates to strike out, in words: cells that lose the same digits together.

    >>> struck([(0, 3), (4, 3), (8, 3), (8, 5)], 9)
    '3 goes from r1c1 and r1c5, 3 and 5 go from r1c9'
    """
    lost: dict[int, int] = {}
    for cell, digit in removed:
        lost[cell] = lost.get(cell, 0) | 1 << (digit - 1)
    parts = []
    for bits in dict.fromkeys(lost.values()):
        verb = "goes" if bits.bit_count() == 1 else "go"
        parts.append(f"{digit_names(bits)} {verb} from {cell_names([c for c in lost if lost[c] == bits], side)}")
    return ", ".join(parts)
