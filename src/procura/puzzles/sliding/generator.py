"""Random boards: tiles in any order, or some moves from the goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from procura.errors import InputError
from procura.problem import Problem
from procura.rng import below

MOST_MOVES = 1_000_000


def shuffled(cells: Sequence[int], rng: list[int]) -> list[int]:
    """The cells in random order, each order as likely as the others."""
    order = list(cells)
    for i in range(len(order) - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def swapped(cells: Sequence[int]) -> list[int]:
    """The cells with tiles 1 and 2 swapped: of the two boards exactly one can be solved."""
    swap = {1: 2, 2: 1}
    return [swap.get(tile, tile) for tile in cells]


def walked(problem: Problem, moves: Any, rng: list[int]) -> Any:
    """The state after so many random moves of which none takes the last one back."""
    if not isinstance(moves, int) or not 0 <= moves <= MOST_MOVES:
        raise InputError(f"moves {moves!r}: expected a whole number from 0 to {MOST_MOVES}")
    state, last = problem.initial, None
    for _ in range(moves):
        steps = list(problem.successors(state, last))
        last, state, _ = steps[below(rng, len(steps))]
    return state
