"""The last resort of a person: suppose a digit, follow what it forces cell by cell, and meet a contradiction."""

from __future__ import annotations

from collections.abc import Sequence

from procura.puzzles.sudoku.candidates import Grid, Mark, Step, cell_name, digit_names, digits_of, struck
from procura.puzzles.sudoku.formats import SYMBOLS

GUESS = "guess"
MOST_SHOWN = 6
"""Forced digits that a reason lists."""


def refuted_guess(grid: Grid) -> Step | None:
    """A candidate that singles alone refute, in a cell with as few candidates as any; None if there is no such one.

    It is bounded: no guess is made within a guess.
    """
    empty = [cell for cell, bits in enumerate(grid.candidates) if bits]
    for cell in sorted(empty, key=lambda cell: grid.candidates[cell].bit_count()):
        for digit in digits_of(grid.candidates[cell]):
            forced, end = consequences(grid, cell, digit)
            if end is not None:
                return _refuted(grid, cell, digit, forced, end)
    return None


def consequences(grid: Grid, cell: int, digit: int) -> tuple[list[Mark], str | None]:
    """The digits that follow by singles if ``cell`` holds ``digit``, and the contradiction met, if any, in words."""
    tried = grid.copy()
    tried.place(cell, digit)
    forced: list[Mark] = []
    while True:
        single, end = _single(tried)
        if single is None:
            return forced, end
        tried.place(*single)
        forced.append(single)


def _single(grid: Grid) -> tuple[Mark | None, str | None]:
    """A cell with one candidate or a digit with one place; else what cannot be, if anything."""
    for cell, bits in enumerate(grid.candidates):
        if not bits & (bits - 1):
            if bits:
                return (cell, bits.bit_length()), None
            if not grid.digits[cell]:
                return None, f"{cell_name(cell, grid.side)} has no candidate"
    for unit in grid.geometry.units:
        once, twice, held = 0, 0, 0
        for cell in unit.cells:
            twice |= once & grid.candidates[cell]
            once |= grid.candidates[cell]
            held |= 1 << grid.digits[cell] >> 1
        missing = ((1 << grid.side) - 1) & ~once & ~held
        if missing:
            return None, f"{unit.name} has no place for {digit_names(missing & -missing)}"
        if once & ~twice:
            digit = (once & ~twice).bit_length()
            return (grid.places(unit, digit)[0], digit), None
    return None, None


def _refuted(grid: Grid, cell: int, digit: int, forced: Sequence[Mark], end: str) -> Step:
    shown = [f"{cell_name(c, grid.side)} {SYMBOLS[d]}" for c, d in forced[:MOST_SHOWN]]
    more = f" and {len(forced) - MOST_SHOWN} more" if len(forced) > MOST_SHOWN else ""
    follows = f"then {', '.join(shown)}{more} follow, and " if forced else "then "
    removed = ((cell, digit),)
    reason = f"suppose {cell_name(cell, grid.side)} is {SYMBOLS[digit]}: {follows}{end}; {struck(removed, grid.side)}"
    return Step(GUESS, reason, removed=removed, marked=((cell,), tuple(c for c, _ in forced)))


def searched_guess(grid: Grid, solution: Sequence[int], guesses: int) -> Step:
    """The digit of a solution in a cell with the fewest candidates, where no candidate is refuted by singles.

    ``guesses``: those that a search needed to prove that there is no other solution.
    """
    empty = [cell for cell, bits in enumerate(grid.candidates) if bits]
    cell = min(empty, key=lambda cell: grid.candidates[cell].bit_count())
    digit = solution[cell]
    others = digit_names(grid.candidates[cell] & ~(1 << (digit - 1)), "or")
    times = "guess" if guesses == 1 else "guesses"
    reason = (
        f"{cell_name(cell, grid.side)} is {SYMBOLS[digit]}: a search of {guesses} {times} finds no solution with "
        f"{others} there, and no shorter reason was found"
    )
    return Step(GUESS, reason, placed=((cell, digit),), marked=((cell,),))
