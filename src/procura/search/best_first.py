"""Best-first searches: uniform-cost search, greedy search and A*."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable
from typing import Any

from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem
from procura.search.node import Node, deepest_f, drop, drop_successor, duplicate, expand, too_deep

TIES: dict[str, Callable[[Any, int], tuple[Any, int]]] = {
    "lifo": lambda g, serial: (0, -serial),
    "fifo": lambda g, serial: (0, serial),
    "high_g": lambda g, serial: (-g, -serial),
    "low_g": lambda g, serial: (g, -serial),
}
"""What decides among nodes of equal f."""


class Frontier:
    """Nodes that wait, by (f, tie term, serial); a node pushed again leaves a stale entry that is skipped."""

    def __init__(self, ties: str) -> None:
        self._tie = TIES[ties]
        self._heap: list[tuple[Any, tuple[Any, int], int, Node]] = []
        self._serial = 0
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def push(self, f: Any, node: Node) -> None:
        """Queue a node; if it waits already, in its new place only."""
        if node.serial < 0:
            self._waiting += 1
        node.serial = self._serial
        heapq.heappush(self._heap, (f, self._tie(node.g, node.serial), node.serial, node))
        self._serial += 1

    def take(self) -> tuple[Any, Node]:
        """The first node that waits, with its f."""
        while True:
            f, _, serial, node = heapq.heappop(self._heap)
            if node.serial == serial:
                node.serial = -1
                self._waiting -= 1
                return f, node


def astar(
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    *,
    tree: bool = False,
    ties: str = "lifo",
    reopen: bool = True,
    weight: float = 1.0,
    cut: float | None = None,
    prune_dead: bool = False,
) -> Found:
    """Take the node with the least f = g + weight h first.

    Requires: actions, result, is_goal, cost; negative costs only on acyclic problems or as tree search.
    Optimal when h is admissible, the weight is 1 and nothing was cut, with reopening or a consistent h; with a
    weight w above 1 the cost is at most w times the least.
    """

    def f(g: Any, estimate: Any) -> Any:
        return g + estimate if weight == 1 else g + weight * estimate

    deepest = deepest_f(problem, control, h) if weight == 1 else math.inf
    if deepest < (math.inf if cut is None else cut):
        return _best_first(problem, control, h, f, Frontier(ties), tree, reopen, True, deepest, prune_dead, "depth")
    return _best_first(problem, control, h, f, Frontier(ties), tree, reopen, True, cut, prune_dead)


def ucs(problem: Problem, control: Control, h: BoundHeuristic, *, ties: str = "lifo") -> Found:
    """Uniform-cost search: take the node with the least cost so far first.

    Requires: actions, result, is_goal, cost; no negative costs.
    Optimal and complete, where every step costs more than some positive amount.
    """
    return astar(problem, control, h, ties=ties)


def greedy(problem: Problem, control: Control, h: BoundHeuristic, *, ties: str = "lifo") -> Found:
    """Greedy search: take the node with the least h first, whatever it cost; a state keeps the first path found.

    Requires: actions, result, is_goal.
    Complete on finite spaces; not optimal.
    """
    return _best_first(problem, control, h, lambda g, estimate: estimate, Frontier(ties), False, False, False)


def _best_first(
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    f: Callable[[Any, Any], Any],
    frontier: Frontier,
    tree: bool,
    reopen: bool,
    improve: bool,
    cut: float | None = None,
    prune_dead: bool = False,
    cut_by: str = "cut",
) -> Found:
    """The one loop: take the node with the least f(g, h); ``improve`` a known state that is reached at less cost."""
    found = Found()
    best: dict[Hashable, Node] = {}
    root = Node(0, problem.initial, h=h(problem.initial))
    stored = 1
    if root.h < DEAD:
        frontier.push(f(0, root.h), root)
        best[problem.identity(root.state)] = root
    while frontier:
        control.progress_value = found.bound
        if control.stop_before_expanding(len(frontier)):
            return found
        least, node = frontier.take()
        if found.bound is None or least > found.bound:
            found.bound = least
        if problem.is_goal(node.state):
            control.emit("goal", **node.fields())
            found.path, found.cost = node.path(), node.g
            return found
        if too_deep(control, node.depth):
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        for action, state, cost in expand(problem, control, node):
            g = node.g + cost
            identity = problem.identity(state)
            known = None if tree else best.get(identity)
            if known is not None and (not improve or known.g <= g or (not reopen and known.serial < 0)):
                duplicate(control, node, action, state, g)
                continue
            estimate = h(state)
            if estimate >= DEAD:
                drop_successor(control, node, action, state, g, "dead")
                continue
            child_f = f(g, estimate)
            if cut is not None and child_f > cut:
                found.pruned = found.pruned or cut_by
                drop_successor(control, node, action, state, g, "cut")
                continue
            if prune_dead and not problem.is_goal(state) and not any(True for _ in problem.actions(state)):
                drop_successor(control, node, action, state, g, "dead")
                continue
            if known is None:
                known = Node(stored, state, node, action, g, estimate)
                stored += 1
                kind = "generate"
                if not tree:
                    best[identity] = known
            else:
                known.state, known.h = state, estimate
                known.reach(node, action, g)
                kind = "reopen"
            frontier.push(child_f, known)
            if control.traced:
                control.emit(kind, **known.fields())
        control.stored = stored
    found.exhausted = True
    return found
