"""The seven pieces: their rotations, what they can gain, and both as tables for kernels."""

from __future__ import annotations

from itertools import combinations

LETTERS = "iljoszt"
"""The seven pieces; a piece's kind is its place here."""

ROTATIONS = {  # the rows of each rotation, the bottom one first
    "i": ("#/#/#/#", "####"),
    "l": ("##/#./#.", "#../###", ".#/.#/##", "###/..#"),
    "j": ("##/.#/.#", "###/#..", "#./#./##", "..#/###"),
    "o": ("##/##",),
    "s": ("##./.##", ".#/##/#."),
    "z": (".##/##.", "#./##/.#"),
    "t": ("###/.#.", "#./##/#.", ".#./###", ".#/##/.#"),
}
POINTS = (0, 100, 300, 500, 800)
"""Points for so many rows at once. More than four (old full rows of the start among them) count as four."""


def shape(letter: str, rotation: int) -> tuple[str, ...]:
    """The rows of a rotation, the bottom one first.

    >>> shape("l", 1)
    ('#..', '###')
    """
    return tuple(ROTATIONS[letter][rotation].split("/"))


def width(letter: str, rotation: int) -> int:
    """The columns that a rotation takes."""
    return len(shape(letter, rotation)[0])


def cells_in_completed_rows(letter: str, lines: int) -> int:
    """The most cells a piece can have in the rows it completes, if it completes so many; -1 if it cannot.

    A row of the piece cannot get full if it leaves a cell free straight above a cell of the piece: the board has
    nothing there, or the piece could not have come down.

    >>> [cells_in_completed_rows("i", lines) for lines in range(5)]
    [0, 4, 2, 3, 4]
    """
    most = -1
    for rotation in range(len(ROTATIONS[letter])):
        rows = shape(letter, rotation)
        open_rows = [
            row.count("#")
            for r, row in enumerate(rows)
            if not any(cell == "." and any(below[c] == "#" for below in rows[:r]) for c, cell in enumerate(row))
        ]
        most = max([most, *(sum(chosen) for chosen in combinations(open_rows, lines))])
    return most


def most_lines(letter: str) -> int:
    """The most rows that a piece can complete."""
    return max(lines for lines in range(5) if cells_in_completed_rows(letter, lines) >= 0)


def form_tables() -> dict[str, list[int]]:
    """Width, height, row masks and cells a row of every form, form = kind * 4 + rotation; four rows a form."""
    widths, heights, masks, cells = [], [], [], []
    for letter in LETTERS:
        for rotation in range(4):
            rows = shape(letter, rotation) if rotation < len(ROTATIONS[letter]) else ()
            widths.append(len(rows[0]) if rows else 0)
            heights.append(len(rows))
            for row in (*rows, *[""] * (4 - len(rows))):
                masks.append(sum(1 << c for c, cell in enumerate(row) if cell == "#"))
                cells.append(row.count("#"))
    return {"width": widths, "height": heights, "masks": masks, "cells": cells}
