"""What a search keeps between slices, by name, and what a slice returns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from procura.problem import DEAD as DEAD

RUNNING, SOLVED, EXHAUSTED, FULL, GROW, REQUEUE, LARGE, TOO_MANY, INVALID = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""FULL: a store has no room left. GROW: the hash table must double. REQUEUE: entries were set aside.
LARGE: a number does not fit the store. TOO_MANY: more moves were listed than there is room for.
INVALID: a cost or an estimate, at the state in hand or after one of its moves, means nothing."""


class Counters:
    """The counters and numbers of a search. Kernels get ``words``, the same memory, and ``named(words)`` gives them
    the same names.

    >>> counts = Counters()
    >>> counts.expanded, counts.bound = 3, 0.5
    >>> counts.expanded, counts.bound, counts.words[2]
    (3, 0.5, np.int64(3))
    """

    until: int  # a slice ends when so many nodes are expanded
    takes: int  # ... or so many were taken, expanded or not
    expanded: int
    generated: int
    frontier: int  # nodes that wait now
    max_frontier: int
    depth: int  # the greatest depth generated
    depth_limit: int
    pruned_depth: int  # a node was not expanded because of the depth limit
    pruned_cut: int
    nodes: int  # nodes stored
    serial: int  # entries pushed
    goal: int  # the node or depth at which a goal was found
    head: int  # bfs, beam: the next node; dfs: the size of the stack; idastar: the depth of the path, -1 between two
    level_end: int  # bfs, beam: the first node of the next level
    level: int  # bfs, beam: the depth of the level under way
    node_capacity: int
    entry_capacity: int
    table_capacity: int  # stored nodes at which the table must grow
    table_shift: int
    graph: int  # 1 for graph search, 0 for tree search
    reopen: int
    prune_dead: int
    early_goal: int
    most_moves: int
    greedy: int  # order by h alone, and keep the first path to a state
    candidates: int  # beam: nodes made for the next level
    goal_move: int  # beam: the move from node ``goal`` to the goal
    backwards: int  # dfs, astar: queue the successors of a node from its last move to its first
    in_round: int  # annealing: the moves tried in this round, of so many
    round_moves: int
    made: int  # genetic: the individuals of the next population that are there
    children_until: int  # ... that are to be children; the rest are newcomers
    tournament: int
    roulette: int
    waited: int  # hill: the moves since the last that helped, of so many
    patience: int
    sideways: int

    g: float  # the cost of the solution
    bound: float  # on f
    next_bound: float
    cut: float  # nodes whose f is above are dropped
    weight: float  # what h counts in f
    rest: float  # beam: the least that any node costs from there on, where h does not say
    largest_g: float  # the greatest magnitude of g, where it is followed
    rival: float  # the cost of a solution found elsewhere
    energy: float  # local search: of the state in hand, and the least ever
    best: float
    attempt_best: float
    temperature: float
    mutation: float

    def __init__(self) -> None:
        self.words: Any = np.zeros(len(Counters.__annotations__), dtype=np.int64)
        self._whole, self._real = self.words.data, self.words.view(np.float64).data
        self.rival = self.next_bound = math.inf


_KINDS = {"int": np.int64, "float": np.float64}
RECORD = np.dtype([(name, _KINDS[kind]) for name, kind in Counters.__annotations__.items()])
"""The counters as kernels see them."""


def _counter(at: int, real: bool) -> property:
    def get(counters: Any) -> Any:
        return (counters._real if real else counters._whole)[at]

    def put(counters: Any, value: Any) -> None:
        (counters._real if real else counters._whole)[at] = value

    return property(get, put)


for _at, (_name, _kind) in enumerate(Counters.__annotations__.items()):
    setattr(Counters, _name, _counter(_at, _kind == "float"))

NO_DEPTH_LIMIT = 1 << 62
LARGEST_COST = 1 << 30  # of a path in a search whose numbers are all whole
EXACT = (1 << 53) - 1  # whole numbers up to this are exact as floats, and no other is rounded to one of them
