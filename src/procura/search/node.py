"""A node of an interpreted search, and what every algorithm does with one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from procura.algorithm import Option
from procura.control import Control
from procura.debug import fold
from procura.errors import InputError
from procura.heuristics import BoundHeuristic
from procura.problem import COST_RANGE, ArrayProblem, Problem, checked_cost

T = TypeVar("T")
Successor = tuple[Any, Any, Any]
"""Action, state and cost."""

SUCCESSORS = Option("successors", "choice", "last", "which successor of a node goes first", ("last", "first"))


class Node:
    """A state with the path that led to it."""

    __slots__ = ("action", "depth", "g", "h", "number", "parent", "place", "state")

    def __init__(
        self, number: int, state: Any, parent: Node | None = None, action: Any = None, g: Any = 0, h: Any = None
    ) -> None:
        self.number, self.state = number, state
        self.parent, self.action, self.g = parent, action, g
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.h = h
        self.place: int | None = None  # in the queue, while it waits

    def reach(self, state: Any, parent: Node, action: Any, g: Any, h: Any) -> None:
        """Note another way in which the state was reached, whose payload may differ."""
        self.state, self.parent, self.action, self.g, self.h = state, parent, action, g, h
        self.depth = parent.depth + 1

    def path(self) -> list[Any]:
        """The actions from the root to this node."""
        actions = [node.action for node in upwards(self, lambda node: node.parent)]
        return actions[-2::-1]

    def fields(self) -> dict[str, Any]:
        """The node as an event tells it."""
        parent = None if self.parent is None else self.parent.number
        return {
            "node": self.number, "parent": parent, "action": self.action, "state": self.state,
            "g": self.g, "h": self.h, "depth": self.depth,
        }  # fmt: skip


def upwards(node: T, parent: Callable[[T], T | None]) -> Iterator[T]:
    """A node and its ancestors up to the root; an ``InputError`` if it is an ancestor of its own.

    That takes a cycle of negative cost, which ``costs`` or ``acyclic`` has ruled out.
    """
    at: T | None = node
    mark: T | None = None
    steps, next_mark = 0, 1
    while at is not None:
        if at == mark:
            raise InputError(
                "a path back to the same state costs less than 0, which is not as costs and acyclic declare"
            )
        yield at
        steps += 1
        if steps == next_mark:
            mark, next_mark = at, 2 * steps
        at = parent(at)


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
    control.stats.expanded += 1
    if control.debug and isinstance(problem, ArrayProblem):
        digest = [control.stats.digest or 0]
        fold(digest, node.state, problem.key)
        control.stats.digest = digest[0]
    if control.traced:
        control.emit("expand", **node.fields())


def steps(problem: Problem, control: Control, node: Node, after: Any = None) -> Iterator[Successor]:
    """The successors of a node as (action, state, cost) but those that only undo ``after``, each counted as it is
    generated, its cost a number and as declared."""
    low, high = COST_RANGE[problem.costs]
    real = not problem.integer_costs
    stats = control.stats
    for successor in problem.successors(node.state, after):
        action, state, cost = successor
        kind = type(cost)
        if not ((kind is int or (real and kind is float)) and low <= cost <= high):
            successor = action, state, checked_cost(problem, node.state, action, cost)
        stats.generated += 1
        if node.depth >= stats.depth:
            stats.depth = node.depth + 1
        yield successor


def checked_successors(problem: Problem, state: Any, after: Any = None) -> Iterator[Successor]:
    """The same of a state that is no node: nothing is counted."""
    for action, next_state, cost in problem.successors(state, after):
        yield action, next_state, checked_cost(problem, state, action, cost)


def expand(problem: Problem, control: Control, node: Node) -> Iterator[Successor]:
    """Expand a node: its successors as ``steps`` has them."""
    note_expansion(problem, control, node)
    return steps(problem, control, node)


def in_order(successors: Iterator[Successor], reverse: bool) -> Iterator[Successor]:
    """Successors in the order in which they are queued: that of the moves or, once all are generated, its reverse."""
    return reversed(list(successors)) if reverse else successors


def keeps_default(problem: Problem, method: str) -> bool:
    """Whether a problem leaves a method as ``Problem`` has it."""
    return getattr(getattr(problem, method), "__func__", None) is getattr(Problem, method)


def step_cost(problem: Problem, state: Any, action: Any, next_state: Any) -> Any:
    """What a step costs, a number and as declared."""
    return checked_cost(problem, state, action, problem.cost(state, action, next_state))


def drop(control: Control, node: Node, why: str) -> None:
    """Report a node that is not expanded: ``depth``, ``known``, ``surpassed``, or ``width`` in a beam."""
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
