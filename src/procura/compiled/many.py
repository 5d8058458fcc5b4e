"""Many problems that differ by their initial rows alone, by A* and its kin: columns out.

Every solution is made again by the compiled rules of the puzzle.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import numpy as np

from procura.block import Block
from procura.compiled.astar import Search, astar_search, greedy_search, ucs_search
from procura.compiled.templates import many as template
from procura.control import Control, next_slice, resident_bytes
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem
from procura.result import Stats

MOST_EXPANSIONS = 2048
"""A board that needs more is searched by itself."""
FIGURES = ("length", "cost", "bound", "expanded", "generated", "max_frontier", "depth", "stored")
"""What is known of each board, as ``template`` orders it."""


def astar(
    problems: Sequence[ArrayProblem | None], h: BoundHeuristic, cancelled: Callable[[], bool], **options: Any
) -> Block:
    """Solve those that are like the problem of ``h``, but for their rows; the others, and None, are left."""
    return _block(astar_search, problems, h, cancelled, options)


def ucs(
    problems: Sequence[ArrayProblem | None], h: BoundHeuristic, cancelled: Callable[[], bool], **options: Any
) -> Block:
    """The same by uniform-cost search."""
    return _block(ucs_search, problems, h, cancelled, options)


def greedy(
    problems: Sequence[ArrayProblem | None], h: BoundHeuristic, cancelled: Callable[[], bool], **options: Any
) -> Block:
    """The same by greedy search."""
    return _block(greedy_search, problems, h, cancelled, options)


def _block(
    begun: Callable[..., AbstractContextManager[Search]],
    problems: Sequence[ArrayProblem | None],
    h: BoundHeuristic,
    cancelled: Callable[[], bool],
    options: dict[str, Any],
) -> Block:
    stats, started, number = Stats(started=time.time()), time.perf_counter(), len(problems)
    with begun(h.problem, Control(), h, **options) as search:
        rows = np.zeros((number, search.bound.rows.size), dtype=search.bound.dtype)
        figures = np.full((number, template.FIGURES), template.UNSOLVED, dtype=np.int64)
        moves = np.zeros((number, template.MOST_STEPS), dtype=np.int64)
        for at, problem in enumerate(problems):
            if problem is not None and search.whole and search.bound.differs_by_row(problem):
                rows[at] = problem.initial
            else:
                figures[at, template.LENGTH] = template.LEFT_OUT
        answers = template.Answers(rows.ravel(), figures.ravel(), moves.ravel())
        began = _search(search, answers, cancelled)
    stats.compile_seconds, stats.seconds = began - started, time.perf_counter() - began
    stats.ended, stats.peak_memory = time.time(), resident_bytes()
    columns = dict(zip(FIGURES, figures.T.tolist(), strict=True))
    answered = [length >= 0 for length in columns["length"]]
    columns["solution_depth"], bounds = columns["length"], columns.pop("bound")
    return Block(
        answered, answered, {name: partial(list, values) for name, values in columns.items()},
        path=lambda at, problem: moves[at, : columns["length"][at]].tolist(),
        final=lambda at: tuple(rows[at].tolist()),
        bound=bounds.__getitem__,
        stats=stats,
    )  # fmt: skip


def _search(search: Search, answers: Any, cancelled: Callable[[], bool]) -> float:
    """Search all boards, some of them at once; when that began."""
    q, pace = search.q, search.kernel.pace
    fresh = template.Fresh(search.counts.words.copy(), q.control.copy(), q.tops.copy())
    arguments = answers, fresh, *search.arguments()
    run = search.bound.compile(template.run, 0, 0, 0, *arguments)
    began, board, boards = time.perf_counter(), 0, len(answers.figures) // template.FIGURES
    while board < boards and not cancelled():
        started = time.perf_counter()
        board = int(run(board, min(pace, MOST_EXPANSIONS), pace, *arguments))
        pace = next_slice(pace, time.perf_counter() - started)
    search.begin()
    return began
