"""The solvers of Sudoku behind one face: the solutions of a board, found in slices, interpreted or compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any

from procura.compiled.kernels import can_compile
from procura.debug import debugging
from procura.errors import InputError
from procura.puzzles.arguments import whole
from procura.puzzles.sudoku import masks
from procura.puzzles.sudoku.counts import ALL, FOUND, GUESSES, MORE, REPEATED, ROOM

INTERPRETED_GUESSES = 200
"""Boards that take more are searched compiled, which takes longer to begin and is hundreds of times as fast."""
SLICE_GUESSES = 50_000
MOST_GUESSES = 50_000_000

_kernels: dict[tuple[str, str, bool], Callable[..., Any]] = {}
"""Those compiled in this process, by module and name and whether in debug."""


class Solver:
    """The solutions of boards of a side, one board after the other.

    ``compiled``: by ``bands`` on 9x9, else by ``masks``, and there node for node as interpreted. ``room``: how many
    solutions are kept.
    """

    def __init__(self, side: int, compiled: bool, room: int = 1) -> None:
        self.side, self.compiled = side, compiled
        self._banded = compiled and side == 9
        if self._banded:
            from procura.puzzles.sudoku import bands

            self._kernels: Any = bands
            self._board = bands.new_board(room)
        else:
            self._kernels = masks
            self._board = masks.new_board(side, room)
            if compiled:
                self._board = type(self._board)(*map(self._row, self._board))
        self._board.counts[ROOM] = room
        self._finished = True

    def prepare(self) -> None:
        """Compile the kernels, or load them."""
        if self.compiled:
            compiled_kernel(self._kernels.begin, self._board, self._row([0]), 0)
            compiled_kernel(self._kernels.step, self._board, 1, 1)

    def begin(self, givens: Sequence[int]) -> None:
        """Set up a board; givens that contradict each other leave it without a solution."""
        row = self._row(givens) if self.compiled else givens
        state = self._call("begin", row, 0)
        self._board.counts[FOUND] = 0
        if state != MORE:
            self._board.counts[GUESSES] = 0
            if state != REPEATED:
                raise InputError(f"board: expected digits from 0 to {self.side}")
        self._finished = state != MORE

    def run(self, most: int, guesses: int) -> bool:
        """Search on, up to ``most`` solutions or so many guesses in all; whether the number of solutions is known."""
        if not self._finished:
            self._finished = self._call("step", most, guesses) == ALL
        return self._finished or self.found >= most

    @property
    def finished(self) -> bool:
        """Whether every solution has been seen."""
        return self._finished

    @property
    def found(self) -> int:
        """The solutions seen."""
        return int(self._board.counts[FOUND])

    @property
    def guesses(self) -> int:
        """The guesses made."""
        return int(self._board.counts[GUESSES])

    def solution(self, number: int = 0) -> list[int]:
        """One of the solutions found, if there was room for it."""
        cells = self.side * self.side
        return [int(digit) for digit in self._board.solutions[number * cells : (number + 1) * cells]]

    def kept(self) -> list[list[int]]:
        """The solutions found for which there was room."""
        return [self.solution(number) for number in range(min(self.found, int(self._board.counts[ROOM])))]

    def _row(self, values: Any) -> Any:
        import numpy as np

        return np.array(values, dtype=np.uint8 if self._banded else np.int64)

    def _call(self, name: str, *arguments: Any) -> Any:
        function = getattr(self._kernels, name)
        if self.compiled:
            function = compiled_kernel(function, self._board, *arguments)
        return function(self._board, *arguments)


def compiled_kernel(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A kernel compiled for arguments of such types; it serves all boards."""
    key = kernel.__module__, kernel.__name__, debugging()
    if key not in _kernels:
        from procura.compiled.engine import compile_for
        from procura.control import Control

        _kernels[key] = compile_for(Control(debug=debugging()), kernel, {}, arguments)
    return _kernels[key]


def loaded(side: int) -> bool:
    """Whether boards of a side have been searched compiled in this process, so that it costs nothing to do so."""
    module = "bands" if side == 9 else "masks"
    return (f"procura.puzzles.sudoku.{module}", "step", debugging()) in _kernels


def solvers(side: int) -> Iterator[tuple[Solver, int]]:
    """The solvers to try a board with, and the guesses each may make: first interpreted if that begins sooner."""
    if not can_compile():
        yield Solver(side, compiled=False), MOST_GUESSES
        return
    if not loaded(side):
        yield Solver(side, compiled=False), INTERPRETED_GUESSES
    yield Solver(side, compiled=True), MOST_GUESSES


def searched(givens: Sequence[int], most: int, most_guesses: int = MOST_GUESSES) -> Solver:
    """The solver that has seen all solutions of a board, or ``most`` of them; Ctrl-C gets through between slices."""
    for solver, limit in solvers(isqrt(len(givens))):
        solver.begin(givens)
        limit = min(limit, most_guesses)
        slice_guesses = SLICE_GUESSES if solver.compiled else INTERPRETED_GUESSES
        while solver.guesses < limit or solver.guesses == 0:
            if solver.run(most, min(solver.guesses + slice_guesses, limit)):
                return solver
    count = f"{most_guesses:,} guesses and {solver.found:,} solutions"
    raise InputError(f"board: gave up counting its solutions after {count}")


def count_solutions(givens: Sequence[int], most: int, most_guesses: int = MOST_GUESSES) -> int:
    """How many ways there are to fill the board, counted up to ``most``.

    >>> count_solutions([0] * 16, 1000)
    288
    """
    return searched(givens, whole("most", most, low=1), most_guesses=most_guesses).found
