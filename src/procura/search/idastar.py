"""Iterative-deepening A*."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem
from procura.search.node import Node, deepest_f, drop, note_expansion, too_deep


def rounds_up(problem: Problem, h: BoundHeuristic) -> bool:
    """Whether h may be rounded up: costs are whole, so the least cost is no less."""
    return problem.integer_costs and h.admissible and not h.integer


def whole_estimate(problem: Problem, h: BoundHeuristic) -> Callable[[Any], Any]:
    """The heuristic, rounded up where that is sound; the margin is for its own rounding."""
    if not rounds_up(problem, h):
        return h

    def estimate(state: Any) -> Any:
        value = h(state)
        return math.ceil(value - 1e-6) if value < DEAD else value

    return estimate


def idastar(problem: Problem, control: Control, h: BoundHeuristic, *, jobs: int = 1) -> Found:
    """Depth-first searches of all paths with f = g + h up to a bound, which rises to the least f left out.

    Requires: actions, result, is_goal, cost; uses ``undoes``, not to take back the last action.
    Optimal when h is admissible. Needs no more memory than one path. ``jobs`` are threads, which only compiled
    searches use.
    """
    estimate = whole_estimate(problem, h)
    root_h = estimate(problem.initial)
    found = Found(bound=root_h)
    deepest = deepest_f(problem, control, h)
    if root_h >= DEAD:
        found.exhausted = True
        return found
    while True:
        control.progress_value = found.bound
        control.emit("bound", value=found.bound)
        next_bound = _iteration(problem, control, estimate, root_h, found)
        if found.path is not None or control.stopped_by is not None:
            return found
        if next_bound == math.inf or next_bound > deepest:
            found.exhausted = True
            found.pruned = found.pruned if next_bound == math.inf else "depth"
            return found
        found.bound = next_bound


def _iteration(problem: Problem, control: Control, estimate: Any, root_h: Any, found: Found) -> Any:
    """Search every path with f up to ``found.bound``; the least f above it."""
    next_bound: Any = math.inf
    if control.stop_before_expanding(0):
        return next_bound
    path: list[tuple[Node, Iterator[tuple[Any, Any, Any]]]] = []
    node: Node | None = Node(0, problem.initial, h=root_h)
    number = 0
    while node is not None:
        if problem.is_goal(node.state):
            found.path, found.cost = node.path(), node.g
            control.emit("goal", **node.fields())
            return next_bound
        if too_deep(control, node.depth):
            found.pruned = "depth"
            drop(control, node, "depth")
        else:
            note_expansion(problem, control, node)
            path.append((node, problem.successors(node.state, after=node.action)))
        node = None
        while node is None and path:
            if control.stop_before_expanding(len(path)):
                return next_bound
            parent, successors = path[-1]
            successor = next(successors, None)
            if successor is None:
                path.pop()
                continue
            action, state, cost = successor
            number += 1
            control.generated += 1
            control.depth = max(control.depth, parent.depth + 1)
            child = Node(number, state, parent, action, parent.g + cost, estimate(state))
            if control.traced:
                control.emit("generate", **child.fields())
            if child.h >= DEAD:
                continue
            if child.g + child.h > found.bound:
                next_bound = min(next_bound, child.g + child.h)
            else:
                node = child
    return next_bound
