"""Breadth-first search."""

from __future__ import annotations

from collections import deque
from typing import Any

from procura.algorithm import Algorithm, Ended, Option, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import Problem
from procura.rounding import proved
from procura.search.node import Node, drop, duplicate, expand, too_deep


def bfs(problem: Problem, control: Control, h: BoundHeuristic, *, early_goal: bool, tree: bool) -> Found:
    """Take the oldest node first; a state is kept once, or with ``tree=True`` as often as it is reached.

    Requires: actions, result, is_goal.
    Optimal when every step costs 1. Complete on finite spaces, as tree search where no state recurs.
    ``early_goal`` tests states when they are generated, which finds the same solution with fewer nodes.
    """
    found = Found()
    root = Node(0, problem.initial)
    frontier = deque([root])
    known = {problem.identity(root.state)}
    number = 0
    control.stats.stored = 1
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
            if not tree:
                identity: Any = problem.identity(state)
                if identity in known:
                    duplicate(control, node, action, state, node.g + cost)
                    continue
                known.add(identity)
            number += 1
            child = Node(number, state, node, action, node.g + cost)
            frontier.append(child)
            control.stats.stored = number + 1
            if control.traced:
                control.emit("generate", **child.fields())
            if early_goal and problem.is_goal(state):
                return _solution(control, child)
    found.exhausted = True
    return found


def _solution(control: Control, node: Node) -> Found:
    control.emit("goal", **node.fields())
    return Found(path=node.path(), cost=node.g)


def _proof(ended: Ended) -> Proof:
    if ended.problem.costs != "unit":
        return ended.unproved("bfs looks for the fewest steps, not for the least cost")
    return Proof(*proved(ended.problem, None, ended.cost, ended.cost))


BFS = Algorithm(
    name="bfs",
    about="breadth-first search: the oldest node first",
    requires="nothing beyond the rules",
    guarantees="complete on finite spaces; optimal when every step costs 1",
    python=bfs,
    compiled="procura.compiled.bfs:bfs",
    options=(
        Option("early_goal", "bool", False, "test for the goal when a state is generated, not when taken"),
        Option("tree", "bool", False, "search a tree: recognise no state"),
    ),
    proof=_proof,
    order=lambda options: Order("depth"),
)
