"""Many problems that differ by their initial rows alone, by A* and its kin: columns out.

Nothing is replayed here: whoever asks for the answers has the problems.
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


Problems = Sequence[ArrayProblem | None]
"""Boards; None for one that is not to be searched."""


def _block(
    search_about_to_begin: Callable[..., AbstractContextManager[Search]],
    problems: Problems,
    h: BoundHeuristic,
    cancelled: Callable[[], bool],
    **options: Any,
) -> Block | None:
    """Search those that are like the problem of ``h``, but for their rows; the others are left. None: all are."""
    stats, started, number = Stats(started=time.time()), time.perf_counter(), len(problems)
    with search_about_to_begin(h.problem, Control(), h, **options) as search:
        alike = search.bound.differs_by_row
        rows = {at: problem.initial for at, problem in enumerate(problems) if problem is not None and alike(problem)}
        if not rows or not search.whole or cancelled():
            return None
        answers = template.Answers(
            rows=np.zeros((number, search.bound.rows.size), dtype=search.bound.dtype),
            figures=np.full((number, template.FIGURES), template.LEFT_OUT, dtype=np.int64),
            moves=np.zeros((number, template.MOST_STEPS), dtype=np.int64),
        )
        answers.rows[[*rows]] = [*rows.values()]
        answers.figures[[*rows], template.LENGTH] = template.UNSOLVED
        began = _search(search, template.Answers(*map(np.ravel, answers)), cancelled)
    stats.compile_seconds, stats.seconds = began - started, time.perf_counter() - began
    stats.ended, stats.peak_memory = time.time(), resident_bytes()
    columns = dict(zip(FIGURES, answers.figures.T.tolist(), strict=True))
    answered = [length >= 0 for length in columns["length"]]
    columns["solution_depth"], bounds = columns["length"], columns.pop("bound")
    return Block(
        answered, answered, {name: partial(list, values) for name, values in columns.items()},
        path=lambda at, problem: answers.moves[at, : columns["length"][at]].tolist(),
        final=lambda at: None,
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


astar, ucs, greedy = (partial(_block, search) for search in (astar_search, ucs_search, greedy_search))
