"""Depth-first search."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import Problem
from procura.search.node import Node, duplicate, expand, too_deep


def dfs(problem: Problem, control: Control, h: BoundHeuristic, *, tree: bool = False) -> Found:
    """Take the newest node first, so that the last successor generated is explored first.

    Requires: actions, result, is_goal.
    Complete on finite spaces as graph search (``tree=False``), which does not enter a state twice; under a depth
    limit it enters one again that it reaches at a smaller depth. ``tree=True`` keeps only the path and what waits
    beside it, and may never end where states recur. Not optimal.
    """
    found = Found()
    frontier = [Node(0, problem.initial)]
    entered: dict[Hashable, int] = {}
    limited = control.limits.depth is not None
    number = 0

    def known(state: Any, depth: int) -> bool:
        before = entered.get(problem.identity(state))
        return before is not None and (not limited or before <= depth)

    while frontier:
        if control.stop_before_expanding(len(frontier)):
            return found
        node = frontier.pop()
        if not tree:
            if known(node.state, node.depth):
                continue
            entered[problem.identity(node.state)] = node.depth
            control.stored = len(entered)
        if problem.is_goal(node.state):
            control.emit("goal", **node.fields())
            return Found(path=node.path(), cost=node.g)
        if too_deep(control, node.depth):
            found.pruned = "depth"
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
