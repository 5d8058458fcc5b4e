"""Random boards: tiles in any order, or some moves from the goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from procura.problem import Problem
from procura.puzzles.arguments import whole
from procura.rng import below

MOST_MOVES = 1_000_000


def swapped(cells: Sequence[int]) -> list[int]:
    """The cells with tiles 1 and 2 swapped: of the two boards exactly one can be solved."""
    swap = {1: 2, 2: 1}
    return [swap.get(tile, tile) for tile in cells]


def walked(problem: Problem, moves: Any, rng: list[int]) -> Any:
    """The state after so many random moves of which none takes the last one back."""
    state, last = problem.initial, None
    for _ in range(whole("moves", moves, 0, MOST_MOVES)):
        steps = list(problem.successors(state, last))
        last, state, _ = steps[below(rng, len(steps))]
    return state
