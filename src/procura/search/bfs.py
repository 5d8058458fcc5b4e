"""Breadth-first search."""

from __future__ import annotations

from collections import deque
from typing import Any

from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import Problem
from procura.search.node import Node, drop, duplicate, expand, too_deep


def bfs(problem: Problem, control: Control, h: BoundHeuristic, *, early_goal: bool = False) -> Found:
    """Take the oldest node first; a state is kept once.

    Requires: actions, result, is_goal.
    Optimal when every step costs 1. Complete on finite spaces. ``early_goal`` tests states when they are
    generated, which finds the same solution with fewer nodes.
    """
    found = Found()
    root = Node(0, problem.initial)
    frontier = deque([root])
    known = {problem.identity(root.state)}
    while frontier:
        if control.stop_before_expanding(len(frontier)):
            return found
        node = frontier.popleft()
        if problem.is_goal(node.state):
            return _solution(control, node)
        if too_deep(control, node.depth):
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        for action, state, cost in expand(problem, control, node):
            identity: Any = problem.identity(state)
            if identity in known:
                duplicate(control, node, action, state, node.g + cost)
                continue
            known.add(identity)
            child = Node(len(known) - 1, state, node, action, node.g + cost)
            frontier.append(child)
            control.stored = len(known)
            if control.traced:
                control.emit("generate", **child.fields())
            if early_goal and problem.is_goal(state):
                return _solution(control, child)
    found.exhausted = True
    return found


def _solution(control: Control, node: Node) -> Found:
    control.emit("goal", **node.fields())
    return Found(path=node.path(), cost=node.g)
