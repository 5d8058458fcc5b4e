"""``bands``, the specialist of Sudoku: the solver of 9x9 by bands and of other sides by masks, as an algorithm."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from procura.algorithm import Algorithm, Option
from procura.control import Control, Found
from procura.puzzles.sudoku.solver import Solver

if TYPE_CHECKING:
    from procura.puzzles.sudoku.rules import Sudoku

KEPT = 1000
"""The most solutions that are handed on; more are counted only."""


def bands(problem: Sudoku, control: Control, h: Any, *, solutions: int) -> Found:
    """Search until ``solutions`` are found or there are no more. A guess is a node, which makes two: yes and no."""
    empty = problem.givens.count(0)
    if control.limits.depth is not None and empty > control.limits.depth:
        return Found(exhausted=True, pruned="depth")
    started = time.perf_counter()
    solver = Solver(problem.side, compiled=True, room=min(solutions, KEPT))
    solver.prepare()
    control.stats.compile_seconds += time.perf_counter() - started
    control.start()
    solver.begin(problem.givens)
    stats = control.stats
    for guesses in control.slices():
        known = solver.run(solutions, solver.guesses + guesses)
        stats.expanded, stats.generated = solver.guesses, 2 * solver.guesses
        control.progress_value = solver.found
        if known:
            break
    found = Found(exhausted=solver.finished and not solver.found, solutions=solver.found if solutions > 1 else None)
    if solver.found:
        found.path = [problem.action_from_json(fill) for fill in problem.fills(solver.solution())]
        found.cost, found.others = empty, other_fills(problem, solver)
        control.emit("goal", depth=empty)
    return found


def other_fills(problem: Sudoku, solver: Solver) -> list[list[int]]:
    """The moves that lead to each solution that a solver has kept, the first apart."""
    empty = [cell for cell, digit in enumerate(problem.givens) if not digit]
    return [[cell * problem.side + full[cell] - 1 for cell in empty] for full in solver.kept()[1:]]


BANDS = Algorithm(
    name="bands",
    about="Sudoku on bitboards: locked candidates and singles by table, guesses at pairs of candidates",
    requires="the rules of Sudoku",
    guarantees="complete; with solutions=2 it proves that a solution is the only one",
    compiled="procura.puzzles.sudoku.specialist:bands",
    many="procura.puzzles.sudoku.batches:solve_texts",
    stand_in="dfs",
    options=(Option("solutions", "int", 1, "solutions to look for; from 2 on they are counted, and listed", low=1),),
    tree=False,
    progress="solutions",
)
