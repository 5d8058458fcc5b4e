"""Dots boards as plain lists, random ones, and slow obvious answers to compare with."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from procura import Dots

ORDERS = ("canonical", "any")

Lists = list[list[list[int]]]


def empty(rows: int, columns: int) -> Lists:
    return [[[0] * columns for _ in range(rows + 1)], [[0] * rows for _ in range(columns + 1)]]


@st.composite
def boards(draw: Any, most_rows: int = 3, most_columns: int = 3, most_free: int = 99) -> Lists:
    rows, columns = draw(st.integers(1, most_rows)), draw(st.integers(1, most_columns))
    horizontals, verticals = empty(rows, columns)
    places = [(arcs, j) for arcs in horizontals + verticals for j in range(len(arcs))]
    free = draw(st.sets(st.integers(0, len(places) - 1), max_size=most_free))
    for number, (arcs, j) in enumerate(places):
        arcs[j] = int(number not in free)
    return [horizontals, verticals]


def count_boxes(board: Lists) -> int:
    return (len(board[0]) - 1) * (len(board[1]) - 1)


@st.composite
def problems(draw: Any, most_rows: int = 3, most_columns: int = 3, most_free: int = 99) -> Dots:
    board = draw(boards(most_rows, most_columns, most_free))
    return Dots(board, draw(st.integers(0, count_boxes(board))), draw(st.sampled_from(ORDERS)))


def lists_of(problem: Dots, state: Any) -> Lists:
    """The drawn arcs of a state as lists, put there by the JSON form of each arc."""
    lists = empty(problem.rows, problem.columns)
    for arc in range(len(state) - 1):
        kind, i, j = problem.action_to_json(arc)
        lists["hv".index(kind)][i][j] = int(state[arc] == 1)
    return lists


def closed_boxes(board: Lists) -> int:
    horizontals, verticals = board
    return sum(
        horizontals[r][c] and horizontals[r + 1][c] and verticals[c][r] and verticals[c + 1][r]
        for r in range(len(horizontals) - 1)
        for c in range(len(verticals) - 1)
    )


def boxes_of(problem: Dots) -> list[set[int]]:
    """The four arcs of each box, by their JSON form."""
    return [
        {problem.action_from_json(arc) for arc in (["h", r, c], ["h", r + 1, c], ["v", c, r], ["v", c + 1, r])}
        for r in range(problem.rows)
        for c in range(problem.columns)
    ]


def fewest_arcs(problem: Dots) -> int:
    """The smallest set of free arcs that meets the target, by trying all sets."""
    free = [arc for arc, drawn in enumerate(problem.initial[:-1]) if not drawn]
    for count in range(len(free) + 1):
        for chosen in combinations(free, count):
            state = list(problem.initial)
            for arc in chosen:
                state[arc] = 1
            if closed_boxes(lists_of(problem, state)) >= problem.target:
                return count
    raise AssertionError("all arcs close all boxes")
