"""A Sudoku explained: the easiest technique that applies, again and again, and how hard that makes the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import isqrt

from procura.explanation import ExplainedStep, Explanation
from procura.puzzles.sudoku.candidates import Grid, Mark, Step
from procura.puzzles.sudoku.drawing import svg_step
from procura.puzzles.sudoku.guessing import GUESS, refuted_guess, searched_guess
from procura.puzzles.sudoku.solver import Solver, searched
from procura.puzzles.sudoku.techniques import TECHNIQUES, single_at
from procura.result import Outcome

RATINGS = {
    "easy": ("hidden single", "naked single"),
    "medium": ("locked candidates", "naked pair", "hidden pair", "naked triple", "hidden triple"),
    "hard": ("naked quad", "hidden quad", "X-wing", "swordfish", "XY-wing", "simple colouring"),
    "diabolic": (GUESS,),
}
"""Each rating with the techniques that a board of it may need, beside those of the ratings before."""

MOST_REASONS = 2
"""What is struck out before a digit can be written is told in a hint up to so many steps."""
HARDNESS = {technique: number for number, technique in enumerate((*TECHNIQUES, GUESS))}


@dataclass(frozen=True)
class Taken:
    """A step and the grid before it."""

    step: Step
    before: Grid


def next_step(grid: Grid) -> Step | None:
    """The easiest step that any technique finds, a guess apart."""
    return next(filter(None, (technique(grid) for technique in TECHNIQUES.values())), None)


def steps(grid: Grid, guess: Callable[[Grid], Step | None] = refuted_guess) -> Iterator[Taken]:
    """The steps from a grid, which is left as it is, until it is full or nothing more is found.

    Requires a board that has a solution. ``guess`` is asked when no technique finds anything.
    """
    grid = grid.copy()
    while 0 in grid.digits:
        step = next_step(grid) or guess(grid)
        if step is None:
            return
        yield Taken(step, grid.copy())
        grid.apply(step)


def rating_of(techniques: Sequence[str]) -> str:
    """How hard a board is that needs these techniques.

    >>> rating_of(["naked single", "hidden pair", "naked single"]), rating_of([])
    ('medium', 'easy')
    """
    needed = set(techniques)
    return next(rating for rating in reversed(RATINGS) if needed & set(RATINGS[rating]) or rating == "easy")


def rate(givens: Sequence[int]) -> str:
    """How hard a board is that has one solution; quicker than ``explain``, since the first guess ends it.

    >>> rate([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 0, 0])
    'easy'
    """
    grid, techniques = Grid(givens), []
    while 0 in grid.digits:
        step = next_step(grid)
        if step is None:
            return rating_of([GUESS])
        techniques.append(step.technique)
        grid.apply(step)
    return rating_of(techniques)


def explain(givens: Sequence[int]) -> Explanation:
    """The steps that a person would take to solve a board, its hardest technique and its rating.

    A board without a solution gets no steps; one with several only those that hold for all of its solutions.
    """
    search = searched(givens, 2)
    if search.found == 0:
        return Explanation((), Outcome.NO_SOLUTION, tuple(givens), note="the board has no solution")
    start = Grid(givens)
    taken = list(steps(start, partial(_guess, search)))
    end = start.copy()
    for one in taken:
        end.apply(one.step)
    names = [one.step.technique for one in taken]
    hardest = max(names, key=HARDNESS.__getitem__, default=None)
    told = tuple(_explained(one, givens) for one in taken)
    if search.found == 1:
        return Explanation(told, Outcome.SOLVED, tuple(end.digits), hardest, rating_of(names))
    note = "the board has more than one solution: reasoning ends where they part"
    return Explanation(told, Outcome.NOT_FOUND, tuple(end.digits), hardest, note=note)


def hint(digits: Sequence[int], cell: int | None = None) -> tuple[Mark, str] | None:
    """The next digit that reasoning writes, and the reason; that of ``cell`` if it is a single. None if there is none.

    Requires digits that agree with a solution.
    """
    grid = Grid(digits)
    single = single_at(grid, cell) if cell is not None else None
    ruled_out: list[str] = []
    for step in [single] if single is not None else (taken.step for taken in steps(grid)):
        if step.placed:
            return step.placed[0], "; then ".join([*ruled_out[-MOST_REASONS:], f"{step.technique}: {step.reason}"])
        ruled_out.append(f"{step.technique}: {step.reason}")
    return None


def _guess(search: Solver, grid: Grid) -> Step | None:
    step = refuted_guess(grid)
    if step is None and search.found == 1:
        return searched_guess(grid, search.solution(), searched(grid.digits, 2).guesses)
    return step


def _explained(taken: Taken, givens: Sequence[int]) -> ExplainedStep:
    step, side = taken.step, isqrt(len(givens))

    def triples(marks: Sequence[Mark]) -> list[list[int]]:
        return [[*divmod(cell, side), digit] for cell, digit in marks]

    details = {
        "removed": triples(step.removed),
        "marked": [[list(divmod(cell, side)) for cell in cells] for cells in step.marked],
    }
    picture = partial(svg_step, step, taken.before, givens)
    return ExplainedStep(step.technique, step.reason, tuple(triples(step.placed)), details, picture)
