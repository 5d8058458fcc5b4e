"""A node of an interpreted search, and what every algorithm does with one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from procura.control import Control
from procura.debug import fold
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem, Problem


class Node:
    """A state with the path that led to it."""

    __slots__ = ("action", "depth", "g", "h", "number", "parent", "serial", "state")

    def __init__(
        self, number: int, state: Any, parent: Node | None = None, action: Any = None, g: Any = 0, h: Any = None
    ) -> None:
        self.number = number
        self.state = state
        self.reach(parent, action, g)
        self.h = h
        self.serial = -1

    def reach(self, parent: Node | None, action: Any, g: Any) -> None:
        """Note how the state was reached."""
        self.parent, self.action, self.g = parent, action, g
        self.depth: int = 0 if parent is None else parent.depth + 1

    def path(self) -> list[Any]:
        """The actions from the root to this node."""
        actions = []
        node = self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return actions[::-1]

    def fields(self) -> dict[str, Any]:
        """The node as an event tells it."""
        parent = None if self.parent is None else self.parent.number
        return {
            "node": self.number, "parent": parent, "action": self.action, "state": self.state,
            "g": self.g, "h": self.h, "depth": self.depth,
        }  # fmt: skip


def too_deep(control: Control, depth: int) -> bool:
    """Whether the depth limit keeps a node at ``depth`` from being expanded."""
    return control.limits.depth is not None and depth >= control.limits.depth


def deepest_f(problem: Problem, control: Control, h: BoundHeuristic) -> float:
    """The greatest f of a node that can lead to a solution within the depth limit, where that can be told from f."""
    if control.limits.depth is None or problem.costs != "unit" or not h.admissible:
        return math.inf
    return control.limits.depth + 1e-6


def note_expansion(problem: Problem, control: Control, node: Node) -> None:
    """Count and report one expansion."""
    control.expanded += 1
    if control.debug and isinstance(problem, ArrayProblem):
        digest = [control.digest]
        fold(digest, node.state, problem.key)
        control.digest = digest[0]
    if control.traced:
        control.emit("expand", **node.fields())


def expand(problem: Problem, control: Control, node: Node) -> Iterator[tuple[Any, Any, Any]]:
    """Expand a node: its successors as (action, state, cost), each counted as it is generated."""
    note_expansion(problem, control, node)
    for successor in problem.successors(node.state):
        control.generated += 1
        if node.depth >= control.depth:
            control.depth = node.depth + 1
        yield successor


def drop(control: Control, node: Node, why: str) -> None:
    """Report a node that is not expanded: ``depth``, ``known``, or ``width`` in a beam."""
    if control.traced:
        control.emit("drop", **node.fields(), value=why)


def drop_successor(control: Control, node: Node, action: Any, state: Any, g: Any, why: str) -> None:
    """Report a successor that is not kept: ``dead``, ``cut`` or ``cost``."""
    if control.traced:
        control.emit("drop", parent=node.number, action=action, state=state, g=g, depth=node.depth + 1, value=why)


def duplicate(control: Control, node: Node, action: Any, state: Any, g: Any) -> None:
    """Report a successor dropped as already known."""
    if control.traced:
        control.emit("duplicate", parent=node.number, action=action, state=state, g=g, depth=node.depth + 1)
