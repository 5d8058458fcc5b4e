"""Many 9x9 boards at once: texts in, columns out; every answer is made again by the compiled rules of the puzzle."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from procura.block import Block
from procura.compiled.engine import BoundProblem
from procura.control import Control, resident_bytes
from procura.errors import ReplayError
from procura.problem import Problem
from procura.puzzles.sudoku import bands
from procura.puzzles.sudoku.counts import MORE, UNREADABLE, ZERO
from procura.puzzles.sudoku.rules import Sudoku
from procura.puzzles.sudoku.solver import Solver, compiled_kernel
from procura.puzzles.sudoku.specialist import KEPT, other_fills
from procura.result import Stats

SLICE = 20_000
"""Boards and guesses after which it is asked whether to go on: some 50 ms."""
EMPTY, DOT, NEWLINE, UNUSED = ord("0"), ord("."), ord("\n"), "0" * bands.CELLS


apply, solved = Sudoku.apply, Sudoku.solved


def solve_texts(boards: Sequence[Any], cancelled: Callable[[], bool], *, solutions: int) -> Block:
    """Solve the boards that are texts of 81 characters; whatever else stands there is left to be read by itself."""
    stats = Stats(started=time.time())
    text, usable = _read(boards)
    number = len(boards)
    board = bands.new_board(number)
    board.counts[ZERO] = EMPTY
    found, guesses = np.full(number, UNREADABLE, dtype=np.int64), np.zeros(number, dtype=np.int64)
    arguments = (board, text, found, guesses, solutions, SLICE)
    started = time.perf_counter()
    kernel, check = compiled_kernel(bands.solve_block, *arguments), _Rules(text, board.solutions, found)
    began = time.perf_counter()
    while kernel(*arguments) == MORE and not cancelled():
        pass
    check()
    stats.compile_seconds, stats.seconds = began - started, time.perf_counter() - began
    stats.ended, stats.peak_memory = time.time(), resident_bytes()
    columns = {
        "cost": lambda: _empty_cells(text, number).tolist(),
        "expanded": guesses.tolist,
        "generated": (2 * guesses).tolist,
        "solutions": found.tolist,
    }
    if solutions == 1:
        del columns["solutions"]
    answered = found >= 0 if usable is None else (found >= 0) & usable
    return Block(
        answered.tolist(), (found > 0).tolist(), columns,
        path=lambda at, problem: _path(board.solutions[at * bands.CELLS : (at + 1) * bands.CELLS], problem),
        final=lambda at: _state(board.solutions[at * bands.CELLS : (at + 1) * bands.CELLS]),
        lines=lambda: _lines(board.solutions),
        others=lambda at, problem: _others(problem, solutions),
        stats=stats,
    )  # fmt: skip


def _read(boards: Sequence[Any]) -> tuple[Any, Any]:
    """The characters of all boards, and which of them have 81; None if all have."""
    try:
        lines = _rows("\n".join(boards).encode("ascii") + b"\n", len(boards))
    except (TypeError, UnicodeEncodeError):
        lines = None
    if lines is not None:
        return lines, None
    fits = [type(board) is str and len(board) == bands.CELLS and board.isascii() for board in boards]
    boards = [board if fit else UNUSED for board, fit in zip(boards, fits, strict=True)]
    return np.frombuffer("".join(boards).encode("ascii"), dtype=np.uint8).copy(), np.array(fits, dtype=bool)


def _rows(text: bytes, number: int) -> Any:
    """The characters of so many lines, if each has 81 of them; else None. It is a copy: kernels take no other types."""
    width = bands.CELLS + 1
    if len(text) != number * width or text.count(b"\n") != number:
        return None
    lines = np.frombuffer(text, dtype=np.uint8).reshape(number, width)
    return lines[:, :-1].flatten() if (lines[:, -1] == NEWLINE).all() else None


def _empty_cells(text: Any, boards: int) -> Any:
    """How many cells each board has to fill."""
    cells = text.reshape(boards, bands.CELLS)
    return ((cells == EMPTY) | (cells == DOT)).sum(axis=1)


def _path(cells: Any, problem: Problem) -> list[Any]:
    """The fills that lead to a full board, in an order that the rules allow."""
    assert isinstance(problem, Sudoku)
    return [problem.action_from_json(fill) for fill in problem.fills([int(cell) - EMPTY for cell in cells])]


def _others(problem: Problem, most: int) -> list[list[int]]:
    """The fills of a board that lead to its other solutions."""
    assert isinstance(problem, Sudoku)
    kept = min(most, KEPT)
    solver = Solver(problem.side, compiled=True, room=kept)
    solver.begin(problem.givens)
    while not solver.run(kept, solver.guesses + SLICE):
        pass
    return other_fills(problem, solver)


def _state(cells: Any) -> tuple[int, ...]:
    """The row of a full board: its digits, every digit in every row, column and block, and no cell empty."""
    return (*(int(cell) - EMPTY for cell in cells), *[0o777] * 27, 0)


def _lines(solutions: Any) -> list[str]:
    text = solutions.tobytes().decode("ascii")
    return [text[at : at + bands.CELLS] for at in range(0, len(text), bands.CELLS)]


class _Rules:
    """The rules of the puzzle, compiled, to replay the answers of a block."""

    def __init__(self, text: Any, solutions: Any, found: Any) -> None:
        blank, data, work = _blank_board()
        self.arguments = (solutions, found, blank.copy(), blank, data, work)
        self.kernel = compiled_kernel(first_wrong, *self.arguments)
        self.text, self.solutions, self.found = text, solutions, found

    def __call__(self) -> None:
        """Raise if they refuse one."""
        wrong = self._given_otherwise()
        if wrong < 0:
            wrong = int(self.kernel(*self.arguments))
        if wrong >= 0:
            board = bytes(self.text[wrong * bands.CELLS : (wrong + 1) * bands.CELLS]).decode("ascii")
            raise ReplayError(f"Sudoku: the rules refuse the solution that was found of {board}")

    def _given_otherwise(self) -> int:
        """The first board whose answer has something else where a digit was given; -1 if none has."""
        fine = (self.text == self.solutions) | (self.text <= EMPTY)
        if fine.all():
            return -1
        wrong = np.flatnonzero((self.found > 0) & ~fine.reshape(-1, bands.CELLS).all(axis=1))
        return int(wrong[0]) if len(wrong) else -1


@cache
def _blank_board() -> tuple[Any, Any, Any]:
    """The row of a board without givens, and what the rules are called with beside it.

    Places are unsigned, which Numba does not check for being negative.
    """
    bound = BoundProblem(Sudoku(UNUSED), Control())
    places = {name: getattr(bound.data, name).astype(np.uint32) for name in ("cell", "row", "column", "block")}
    return np.array(bound.s), bound.data._replace(**places), bound.work


def first_wrong(solutions: Any, found: Any, s: Any, blank: Any, data: Any, work: Any) -> int:
    """The first board whose answer the rules do not lead to; -1 if they lead to all.

    Every cell of a ``blank`` board is filled in reading order. The rules count the digits of each row, column and
    block, and a board is solved only if none of these lacks a digit; so none can have been filled with one twice.
    """
    for board in range(len(found)):
        if found[board] > 0:
            for i in range(len(s)):
                s[i] = blank[i]
            for cell in range(81):
                digit = solutions[board * 81 + cell] - 49
                if digit < 0 or digit > 8:
                    return board
                apply(s, data, work, cell * 9 + digit)
            if not solved(s, data, work):
                return board
    return -1
