"""Depth-first search, and iterative deepening: depth-first searches under a depth limit that rises."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Any

from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import Problem
from procura.search.node import Node, drop, duplicate, expand


def dfs(problem: Problem, control: Control, h: BoundHeuristic, *, tree: bool = False) -> Found:
    """Take the newest node first, so that the last successor generated is explored first.

    Requires: actions, result, is_goal.
    Complete on finite spaces as graph search (``tree=False``), which does not enter a state twice; under a depth
    limit it enters one again that it reaches at a smaller depth. ``tree=True`` keeps only the path and what waits
    beside it, and may never end where states recur. Not optimal.
    """
    return _depth_first(problem, control, tree, control.limits.depth)


def iddfs(problem: Problem, control: Control, h: BoundHeuristic, *, tree: bool = True) -> Found:
    """Depth-first search under a depth limit of 0, 1, 2 and so on, until one finds a goal or leaves nothing out.

    Requires: actions, result, is_goal.
    Finds a shortest solution: optimal when every step costs 1. Complete where one exists; needs memory for one path
    and what waits beside it, unless ``tree=False`` keeps the states entered in each search.
    """
    for limit in count():
        control.progress_value = limit
        control.emit("bound", value=limit)
        found = _depth_first(problem, control, tree, limit)
        found.bound = limit
        done = found.path is not None or found.pruned is None or limit == control.limits.depth
        if done or control.stopped_by is not None:
            return found
    raise AssertionError("unreachable")


def _depth_first(problem: Problem, control: Control, tree: bool, limit: int | None) -> Found:
    """One search; nodes at depth ``limit`` are tested but not expanded."""
    found = Found()
    frontier = [Node(0, problem.initial)]
    entered: dict[Hashable, int] = {}
    number = 0

    def known(state: Any, depth: int) -> bool:
        before = entered.get(problem.identity(state))
        return before is not None and (limit is None or before <= depth)

    while frontier:
        if control.stop_before_expanding(len(frontier)):
            return found
        node = frontier.pop()
        if not tree:
            if known(node.state, node.depth):
                drop(control, node, "known")
                continue
            entered[problem.identity(node.state)] = node.depth
            control.stored = len(entered)
        if problem.is_goal(node.state):
            control.emit("goal", **node.fields())
            return Found(path=node.path(), cost=node.g)
        if limit is not None and node.depth >= limit:
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        for action, state, cost in expand(problem, control, node):
            if not tree and known(state, node.depth + 1):
                duplicate(control, node, action, state, node.g + cost)
                continue
            number += 1
            child = Node(number, state, node, action, node.g + cost)
            frontier.append(child)
            if control.traced:
                control.emit("generate", **child.fields())
    found.exhausted = True
    return found
