"""Many 3x3 boards at once by ``pdb``: one search after the other in the same memory, columns out.

Every answer is made again by the compiled rules of the puzzle.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from procura.block import Block
from procura.compiled.engine import BoundProblem, compile_for
from procura.compiled.templates.counts import EXHAUSTED, SOLVED
from procura.control import Control, resident_bytes
from procura.errors import ReplayError
from procura.puzzles.sliding.pdb import Search, new_search
from procura.puzzles.sliding.rules import Sliding, swaps
from procura.result import Stats

GOAL_BOARD = (1, 2, 3, 4, 5, 6, 7, 8, 0)
CELLS, ROW = 9, 10
TILES = {str(tile): tile for tile in range(CELLS)}
ALL = set(TILES.values())
LONGEST = 31
"""No 3x3 board needs more moves."""
NO_END = 1 << 62

list_moves, apply, solved = Sliding.moves, Sliding.apply, Sliding.solved


def solve_boards(boards: Sequence[Any], cancelled: Callable[[], bool], *, partition: str, jobs: int) -> Block:
    """Solve the boards that are nine numbers, in a row or in a line of text, and lead to the usual goal; whatever else
    stands there is left to be read, or found unsolvable, by itself."""
    stats, started, number = Stats(started=time.time()), time.perf_counter(), len(boards)
    problem, control = Sliding(GOAL_BOARD), Control()
    search = new_search(problem, control, partition)
    check = _Rules(problem, control, number)
    began = time.perf_counter()
    columns = {name: [0] * number for name in ("cost", "expanded", "generated", "depth")}
    for at, board in enumerate(boards):
        cells = _cells(board, problem)
        if cells is not None and not cancelled() and len(moves := _solved(search, cells)) <= LONGEST:
            check.keep(at, cells, moves)
            columns["cost"][at] = len(moves)
            for name in ("expanded", "generated", "depth"):
                columns[name][at] = getattr(search.counts, name)
    check()
    stats.compile_seconds, stats.seconds = began - started, time.perf_counter() - began
    stats.ended, stats.peak_memory = time.time(), resident_bytes()
    answered, final = [length >= 0 for length in check.lengths.tolist()], (*GOAL_BOARD, CELLS - 1)
    line = problem.to_line(final)
    made = {"bound": columns["cost"], "max_frontier": columns["depth"], **columns}  # of one path, all of it waits
    return Block(
        answered, answered, {name: values.copy for name, values in made.items()},
        path=lambda at, problem: check.path(at),
        final=lambda at: final,
        lines=lambda: [line] * number,
        stats=stats,
    )  # fmt: skip


def _cells(board: Any, goal: Sliding) -> tuple[int, ...] | None:
    """The nine numbers of a board that can be solved; None if it is anything else."""
    cells: Any = tuple(map(TILES.get, board.split(" "))) if type(board) is str else board
    if type(cells) not in (tuple, list) or len(cells) != CELLS or not all(type(tile) is int for tile in cells):
        return None
    solvable = set(cells) == ALL and swaps(cells, goal.goal) % 2 == goal.data.blank_distance[cells.index(0)] % 2
    return tuple(cells) if solvable else None


def _solved(search: Search, cells: tuple[int, ...]) -> list[int]:
    """The moves that solve a board, as ``pdb`` finds them."""
    counts = search.counts
    counts.expanded = counts.generated = counts.depth = 0
    counts.until = NO_END
    counts.bound = search.begin_at((*cells, cells.index(0)))
    while (status := search.slice()) == EXHAUSTED:
        counts.bound, counts.next_bound = counts.next_bound, math.inf
    assert status == SOLVED
    return search.actions()


class _Rules:
    """The rules of the puzzle, compiled, to replay the answers of a block."""

    def __init__(self, problem: Sliding, control: Control, number: int) -> None:
        bound = BoundProblem(problem, control)
        self.rows, self.moves = (np.zeros(number * width, dtype=np.int64) for width in (ROW, LONGEST))
        self.lengths = np.full(number, -1, dtype=np.int64)
        """The moves of each answer; -1 without one."""
        self._arguments = (self.rows, self.moves, self.lengths, np.array(bound.s), bound.out, bound.data, bound.work)
        self._kernel = compile_for(control, first_wrong, {}, self._arguments)

    def keep(self, at: int, cells: tuple[int, ...], moves: list[int]) -> None:
        """Note the answer to a board."""
        self.rows[at * ROW : (at + 1) * ROW] = (*cells, cells.index(0))
        self.moves[at * LONGEST : at * LONGEST + len(moves)] = moves
        self.lengths[at] = len(moves)

    def path(self, at: int) -> list[int]:
        """The answer to a board."""
        path: list[int] = self.moves[at * LONGEST : at * LONGEST + int(self.lengths[at])].tolist()
        return path

    def __call__(self) -> None:
        """Raise if the rules refuse an answer."""
        wrong = int(self._kernel(*self._arguments))
        if wrong >= 0:
            board = " ".join(map(str, self.rows[wrong * ROW : wrong * ROW + CELLS]))
            raise ReplayError(f"Sliding: the rules refuse the solution that was found of {board}")


def first_wrong(rows: Any, moves: Any, lengths: Any, s: Any, out: Any, data: Any, work: Any) -> int:
    """The first board whose answer has an illegal move or does not lead to the goal; -1 if there is none."""
    for board in range(len(lengths)):
        if lengths[board] < 0:
            continue
        for i in range(10):
            s[i] = rows[10 * board + i]
        for step in range(lengths[board]):
            move = moves[31 * board + step]
            legal = False
            for k in range(list_moves(s, data, work, out)):
                legal = legal or out[k] == move
            if not legal:
                return board
            apply(s, data, work, move)
        if not solved(s, data, work):
            return board
    return -1
