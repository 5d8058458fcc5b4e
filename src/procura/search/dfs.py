"""Depth-first search, and iterative deepening: depth-first searches under a depth limit that rises."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Any

from procura.algorithm import Algorithm, Ended, Option, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import Problem
from procura.rounding import proved
from procura.search.node import SUCCESSORS, Node, drop, duplicate, expand, in_order


def dfs(
    problem: Problem, control: Control, h: BoundHeuristic, *, tree: bool, successors: str, early_goal: bool
) -> Found:
    """Take the newest node first: the ``successors`` of a node from its last to its first, or the other way round.

    Requires: actions, result, is_goal.
    Complete on finite spaces as graph search (``tree=False``), which does not enter a state twice; under a depth
    limit it enters one again that it reaches at a smaller depth. ``tree=True`` keeps only the path and what waits
    beside it, and may never end where states recur. ``early_goal`` tests all successors of a node when they are
    generated. Not optimal.
    """
    return _depth_first(problem, control, tree, successors, control.limits.depth, early_goal)


def iddfs(problem: Problem, control: Control, h: BoundHeuristic, *, tree: bool, successors: str) -> Found:
    """Depth-first search under a depth limit of 0, 1, 2 and so on, until one finds a goal or leaves nothing out.

    Requires: actions, result, is_goal.
    Finds a shortest solution: optimal when every step costs 1. Complete where one exists; needs memory for one path
    and what waits beside it, unless ``tree=False`` keeps the states entered in each search.
    """
    for limit in count():
        control.progress_value = limit
        control.emit("bound", value=limit)
        found = _depth_first(problem, control, tree, successors, limit)
        found.bound = limit
        done = found.path is not None or found.pruned is None or limit == control.limits.depth
        if done or control.stopped_by is not None:
            return found
    raise AssertionError("unreachable")


def _depth_first(
    problem: Problem, control: Control, tree: bool, successors: str, limit: int | None, early_goal: bool = False
) -> Found:
    """One search; nodes at depth ``limit`` are tested but not expanded."""
    found = Found()
    frontier = [Node(0, problem.initial)]
    entered: dict[Hashable, int] = {}
    number = control.stats.stored = 0

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
            control.stats.stored = len(entered)
        if problem.is_goal(node.state):
            return _solution(control, node)
        if limit is not None and node.depth >= limit:
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        goal = None
        for action, state, cost in in_order(expand(problem, control, node), successors == "first"):
            if not tree and known(state, node.depth + 1):
                duplicate(control, node, action, state, node.g + cost)
                continue
            number += 1
            child = Node(number, state, node, action, node.g + cost)
            frontier.append(child)
            if control.traced:
                control.emit("generate", **child.fields())
            if early_goal and problem.is_goal(state):
                goal = child
        if goal is not None:  # of several the one queued last, which would be taken first
            return _solution(control, goal)
    found.exhausted = True
    return found


def _solution(control: Control, node: Node) -> Found:
    control.emit("goal", **node.fields())
    return Found(path=node.path(), cost=node.g)


def _newest_first(level: str) -> Order:
    return Order(level, place=lambda depth, g, h, serial: -serial)


def _deepening_proof(ended: Ended) -> Proof:
    if ended.problem.costs != "unit":
        return ended.unproved("iddfs looks for the fewest steps, not for the least cost")
    found = ended.found  # a search under the last limit that came to its end leaves only longer ways
    return Proof(*proved(ended.problem, None, found.bound + found.exhausted, ended.cost))


DFS = Algorithm(
    name="dfs",
    about="depth-first search: the newest node first",
    requires="nothing beyond the rules",
    guarantees="complete on finite spaces unless tree=true or a depth limit cuts; not optimal",
    python=dfs,
    compiled="procura.compiled.dfs:dfs",
    options=(
        Option("tree", "bool", False, "search a tree: keep no states, recognise none"),
        SUCCESSORS,
        Option("early_goal", "bool", False, "test for the goal when a state is generated, not when taken"),
    ),
    order=lambda options: _newest_first("turns"),
)

IDDFS = Algorithm(
    name="iddfs",
    about="iterative deepening: depth-first searches under a depth limit that rises",
    requires="nothing beyond the rules",
    guarantees="finds a shortest solution if there is one; optimal when every step costs 1",
    python=iddfs,
    compiled="procura.compiled.dfs:iddfs",
    options=(Option("tree", "bool", True, "keep no states, recognise none"), SUCCESSORS),
    proof=_deepening_proof,
    order=lambda options: _newest_first("bound"),
    bound="depth limit",
    progress="depth",
)
