"""Sudoku as a game: cells are filled, cleared and pencilled in any order, and checked against the rules.

A state is the digits in reading order, 0 empty, and for each cell its pencil marks (digit d is bit d - 1). Moves:

============================  ===========================================================
``[row, column, digit]``      write a digit, in place of the one that is there; 0 clears
``["mark", row, column, d]``  add a pencil mark, or rub it out
============================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from procura.errors import InputError
from procura.play.advice import Cancel, Rest, find_rest
from procura.play.attempt import Attempt, Hint, IllegalMove, clock, counted
from procura.play.face import Face
from procura.problem import Problem
from procura.puzzles.sudoku import Sudoku
from procura.puzzles.sudoku.explaining import hint
from procura.puzzles.sudoku.formats import SYMBOLS, place, units
from procura.result import Outcome


class Grid(NamedTuple):
    """The digits and pencil marks of all cells."""

    digits: tuple[int, ...]
    marks: tuple[int, ...]


class SudokuAttempt(Attempt):
    """Fill the grid; ``strict`` refuses digits that repeat one of their row, column or block."""

    problem: Sudoku
    comparable = False

    def __init__(self, problem: Sudoku, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem)
        self.side = problem.side
        self.strict = True
        self._full: tuple[int, ...] = ()
        """The last full grid that a search found."""
        self._peers = _peers(self.side)

    def face(self) -> Face:
        from procura.puzzles.sudoku.face import SudokuFace

        return SudokuFace(self)

    def begin(self) -> Grid:
        return Grid(tuple(self.problem.givens), (0,) * len(self.problem.givens))

    # Rules

    def legal(self) -> list[Any]:
        """Every digit that a cell can take now; clearing and pencil marks are not listed."""
        if self.won:
            return []
        return [
            [*divmod(cell, self.side), digit]
            for cell, given in enumerate(self.problem.givens)
            if not given
            for digit in range(1, self.side + 1)
            if digit != self.state.digits[cell] and not (self.strict and self.clashes(cell, digit))
        ]

    @property
    def won(self) -> bool:
        digits = self.state.digits
        return 0 not in digits and not self.clashing()

    @property
    def over(self) -> bool:
        """Solved: whatever else was written can be cleared."""
        return self.won

    def clashes(self, cell: int, digit: int) -> list[int]:
        """The cells that hold ``digit`` and share a row, column or block with ``cell``."""
        return [peer for peer in self._peers[cell] if self.state.digits[peer] == digit]

    def clashing(self) -> set[int]:
        """The cells whose digit stands again in their row, column or block."""
        return {cell for cell, digit in enumerate(self.state.digits) if digit and self.clashes(cell, digit)}

    def candidates(self, cell: int) -> list[int]:
        """The digits that the rules allow in ``cell`` as the grid stands."""
        return [digit for digit in range(1, self.side + 1) if not self.clashes(cell, digit)]

    def after(self, move: Any) -> Grid:
        grid = self._checked(move)
        cell, digit = self._cell(move[-3:]), move[-1]
        clashes = self.clashes(cell, digit) if digit and move[0] != "mark" and self.strict else []
        if clashes:
            raise IllegalMove(self._clash(cell, digit, clashes[0]))
        return grid

    def replay(self, moves: Any, undone: Any) -> None:
        """Make the moves of a saved game again; some may have been made when clashes were allowed."""
        strict, self.strict = self.strict, False
        try:
            super().replay(moves, undone)
        finally:
            self.strict = strict

    def _make_again(self) -> None:
        strict, self.strict = self.strict, False
        super()._make_again()
        self.strict = strict

    def _checked(self, move: Any) -> Grid:
        """The grid after a move that is well written and does not touch a given; clashes are not looked at."""
        cell, digit = self._cell(_written(move, self.side)[-3:]), move[-1]
        digits, marks = map(list, self.state)
        if self.problem.givens[cell]:
            raise IllegalMove(f"{place(cell, self.side)} holds {SYMBOLS[digits[cell]]} from the start: it stays")
        if move[0] == "mark":
            if digits[cell]:
                raise IllegalMove(f"{place(cell, self.side)} holds {SYMBOLS[digits[cell]]}: clear it to pencil in it")
            marks[cell] ^= 1 << (digit - 1)
        elif digits[cell] == digit:
            held = f"holds {SYMBOLS[digit]} already" if digit else "is empty already"
            raise IllegalMove(f"{place(cell, self.side)} {held}")
        else:
            digits[cell] = digit
            marks[cell] = 0
        return Grid(tuple(digits), tuple(marks))

    def _cell(self, rest: Any) -> int:
        return int(rest[0]) * self.side + int(rest[1])

    def _clash(self, cell: int, digit: int, peer: int) -> str:
        shared = next(name for name, cells in units(self.side) if cell in cells and peer in cells)
        return f"{SYMBOLS[digit]} stands in {shared} already, at {place(peer, self.side)}"

    # Help

    def from_here(self) -> Problem:
        """The grid as a board; raises ``InputError`` if digits clash."""
        return type(self.problem)(list(self.state.digits), "fewest")

    def rest(self, cancel: Cancel | None = None) -> Rest:
        """Digits for the empty cells that solve the grid as it stands; if none do, first what is wrong is cleared.

        Wrong are the digits that differ from a solution of the givens.
        """
        if not self._agrees():
            rest = Rest(Outcome.NO_SOLUTION) if self.clashing() else find_rest(self.from_here(), cancel=cancel)
            if rest.found:
                self._keep(self.state.digits, rest)
            elif rest.outcome is Outcome.NOT_FOUND:
                return rest
        if not self._agrees():
            rest = self.best(4.0, cancel)
            if not rest.found:
                return rest
            self._keep(self.problem.givens, rest)
        return Rest(Outcome.SOLVED, (*self._wrong(), *self._missing()))

    def remember_from(self, other: Attempt) -> None:
        super().remember_from(other)
        self._full = getattr(other, "_full", ())

    def _agrees(self) -> bool:
        """Whether the full grid that was found last holds all digits of this one."""
        return bool(self._full) and all(d in (0, f) for d, f in zip(self.state.digits, self._full, strict=True))

    def _keep(self, digits: Sequence[int], rest: Rest) -> None:
        full = list(digits)
        for row, column, digit in rest.moves:
            full[row * self.side + column] = digit
        self._full = tuple(full)

    def _wrong(self) -> list[Any]:
        held = enumerate(self.state.digits)
        return [[*divmod(cell, self.side), 0] for cell, digit in held if digit not in (0, self._full[cell])]

    def _missing(self) -> list[Any]:
        held = enumerate(self.state.digits)
        return [[*divmod(cell, self.side), self._full[cell]] for cell, digit in held if digit != self._full[cell]]

    def whole(self) -> Problem:
        return self.problem.with_options(choice="fewest")

    def suggest(self, cancel: Cancel | None = None) -> Hint:
        """A wrong digit to clear, else the next digit that a person would find, with the reason."""
        return self.suggest_at(None, cancel)

    def hint_at(self, cell: int, cancel: Cancel | None = None) -> Hint:
        """A hint for ``cell``, if a look at its row, column and block tells its digit; else for another."""
        hint = self.suggest_at(cell, cancel)
        self.hints += hint.move is not None
        return hint

    def suggest_at(self, cell: int | None, cancel: Cancel | None = None) -> Hint:
        """The next digit that a person would find, that of ``cell`` if it is as good; or a wrong one to clear."""
        if self.over:
            return Hint(None, "the grid is full and right")
        rest = self.rest(cancel)
        if not rest.found:
            return Hint(None, self.no_hint(rest))
        move = rest.moves[0]
        if move[2] == 0:
            return Hint(move, "with that digit the grid cannot be solved")
        move = next((fill for fill in rest.moves if self._cell(fill) == cell), move)
        reasoned = hint(self.state.digits, cell)
        if reasoned is None:
            return Hint(move, "a solution of the grid as it stands has it")
        (at, digit), why = reasoned
        return Hint([*divmod(at, self.side), digit], why)

    def no_hint(self, rest: Rest) -> str:
        if rest.outcome is Outcome.NO_SOLUTION:
            return "the board has no solution, which is proved"
        return super().no_hint(rest)

    def summary(self, best: Rest | None = None) -> str:
        time = f"{clock(self.seconds)}{self.helped()}"
        if self.won:
            return f"solved in {time}, {counted(len(self.moves), 'move')}"
        left = counted(self.state.digits.count(0), "cell")
        return f"{time}, {left} left to fill" if not self.clashing() else f"{time}, {left} empty and digits that clash"

    # Saved games

    def details(self) -> dict[str, Any]:
        return {"strict": self.strict}

    def take_details(self, details: Mapping[str, Any]) -> None:
        strict = details.get("strict", True)
        if not isinstance(strict, bool):
            raise InputError(f"strict {strict!r}: expected true or false")
        self.strict = strict


def _written(move: Any, side: int) -> Any:
    """The move, if it is written as one on a board of ``side``."""
    numbers = move[1:] if isinstance(move, list | tuple) and move and move[0] == "mark" else move
    lowest = 1 if numbers is not move else 0
    if isinstance(numbers, list | tuple) and len(numbers) == 3 and all(type(number) is int for number in numbers):
        row, column, digit = numbers
        if row in range(side) and column in range(side) and lowest <= digit <= side:
            return move
    raise InputError(f"move {move!r}: expected [row, column, digit] on a board of side {side}")


def _peers(side: int) -> list[list[int]]:
    """For each cell those that share a row, column or block with it, in reading order."""
    peers: list[set[int]] = [set() for _ in range(side * side)]
    for _, cells in units(side):
        for cell in cells:
            peers[cell].update(cells)
    return [sorted(found - {cell}) for cell, found in enumerate(peers)]
