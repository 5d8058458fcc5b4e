"""Iterative-deepening A*."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

from procura.algorithm import Algorithm, Option, Order
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem
from procura.rounding import NOISE, ROUNDOFF
from procura.search.best_first import proof
from procura.search.node import Node, deepest_f, drop, note_expansion, steps, too_deep


def rounds_up(problem: Problem, h: BoundHeuristic) -> bool:
    """Whether h may be rounded up: costs are whole, so the least cost is no less, and its own rounding is bounded."""
    return problem.integer_costs and h.admissible and h.bounded and not h.integer


def whole_estimate(problem: Problem, h: BoundHeuristic) -> Callable[[Any], Any]:
    """The heuristic, rounded up where that is sound, less what rounding can have added to it."""
    if not rounds_up(problem, h):
        return h.value
    value_at = h.value

    def estimate(state: Any) -> Any:
        value = value_at(state)
        return value if value == DEAD else math.ceil(value - (h.error + NOISE + 4 * ROUNDOFF * abs(value)))

    return estimate


def idastar(problem: Problem, control: Control, h: BoundHeuristic, *, jobs: int) -> Found:
    """Depth-first searches of all paths with f = g + h up to a bound, which rises to the least f left out.

    Requires: actions, result, is_goal, cost; uses ``undoes``, not to take back the last action.
    Optimal when h is admissible. Needs no more memory than one path. ``jobs`` are threads, which only compiled
    searches use.
    """
    found = Found()
    for _ in deepening(found, problem, control, h):
        pass
    return found


def deepening(
    found: Found, problem: Problem, control: Control, h: BoundHeuristic, rival: Found | None = None
) -> Iterator[None]:
    """One iteration after the other; pauses when its turn is over.

    It ends when a bound reaches the cost of a ``rival``'s solution, who may have found one meanwhile.
    """
    estimate = whole_estimate(problem, h)
    root_h = found.bound = estimate(problem.initial)
    deepest = deepest_f(problem, control, h)
    if root_h >= DEAD:
        found.exhausted = True
        return
    while True:
        control.progress_value = found.bound
        control.emit("bound", value=found.bound)
        next_bound = yield from _iteration(problem, control, estimate, root_h, found)
        if found.path is not None or control.stopped_by is not None:
            return
        surpassed = rival is not None and rival.cost is not None and rival.cost <= next_bound < math.inf
        if surpassed:
            found.bound = next_bound
        elif deepest < next_bound < math.inf:
            found.pruned = "depth"
        if surpassed or next_bound == math.inf or next_bound > deepest:
            found.exhausted = True
            return
        found.bound = next_bound


def _iteration(
    problem: Problem, control: Control, estimate: Any, root_h: Any, found: Found
) -> Generator[None, None, Any]:
    """Search every path with f up to ``found.bound``; the least f above it."""
    next_bound: Any = math.inf
    if control.stop_before_expanding(0):
        return next_bound
    if control.stats.expanded >= control.turn:
        yield
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
            path.append((node, steps(problem, control, node, node.action)))
        node = None
        while node is None and path:
            if control.stop_before_expanding(len(path)):
                return next_bound
            if control.stats.expanded >= control.turn:
                yield
            parent, successors = path[-1]
            successor = next(successors, None)
            if successor is None:
                path.pop()
                continue
            action, state, cost = successor
            number += 1
            child = Node(number, state, parent, action, parent.g + cost, estimate(state))
            if not problem.integer_costs:
                found.largest = max(found.largest, abs(child.g))
            if control.traced:
                control.emit("generate", **child.fields())
            if child.h >= DEAD:
                continue
            if child.g + child.h > found.bound:
                next_bound = min(next_bound, child.g + child.h)
            else:
                node = child
    return next_bound


def _warning(problem: Problem, h: BoundHeuristic) -> str | None:
    if problem.integer_costs and (h.integer or h.admissible):
        return None
    why = "the heuristic is neither whole nor admissible" if problem.integer_costs else "costs are not whole"
    return f"the bounds of idastar may rise by many small steps: {why}"


IDASTAR = Algorithm(
    name="idastar",
    about="iterative-deepening A*: depth-first within a bound on f that rises",
    requires="a heuristic that is worth it; states that recur cost time",
    guarantees="optimal when the heuristic is admissible; memory for one path only",
    python=idastar,
    compiled="procura.compiled.idastar:idastar",
    options=(Option("jobs", "int", 1, "threads to search on, if compiled", low=1, high=1024),),
    uses_heuristic=True,
    proof=partial(proof, tree=True),
    warning=_warning,
    order=lambda options: Order("bound", lambda g, h: g + h, path_only=True),
    bound="bound on f",
)
