"""Best-first searches: uniform-cost search, greedy search and A*."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from heapq import heappop, heappush
from typing import Any

from procura.algorithm import Algorithm, Ended, Option, Options, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem
from procura.rounding import proved
from procura.search.node import Node, deepest_f, drop, drop_successor, duplicate, expand, in_order

TIES: dict[str, Callable[[Any, int], tuple[Any, int]]] = {
    "lifo": lambda g, serial: (0, -serial),
    "fifo": lambda g, serial: (0, serial),
    "high_g": lambda g, serial: (-g, -serial),
    "low_g": lambda g, serial: (g, -serial),
}
"""What decides among nodes of equal f."""
TIES_OPTION = Option("ties", "choice", "lifo", "which of equal f goes first", tuple(TIES))
SUCCESSORS_OPTION = Option(
    "successors", "choice", None, "which successor of a node goes first where ties are equal; the last, with fifo the "
    "first", ("last", "first"),
)  # fmt: skip


def queues_backwards(ties: str, successors: str | None) -> bool:
    """Whether the successors of a node are to be queued from its last move to its first."""
    return successors == ("last" if ties == "fifo" else "first")


def keeps_versions(problem: Problem, control: Control, tree: bool) -> bool:
    """Whether a state can have several nodes: with a depth limit a way that is dearer but shorter may lead further."""
    return control.limits.depth is not None and problem.costs != "unit" and not tree


class Frontier:
    """Nodes that wait, by (f, tie term, serial); a node pushed again leaves a stale entry that is skipped."""

    def __init__(self, ties: str, successors: str | None = None) -> None:
        self.backwards = queues_backwards(ties, successors)
        self.waiting = 0
        self._by_g = {"high_g": -1, "low_g": 1}.get(ties, 0)  # as TIES has it
        self._by_serial = 1 if ties == "fifo" else -1
        self._heap: list[tuple[Any, Any, int, Node]] = []
        self._serial = 0

    def push(self, f: Any, node: Node) -> None:
        """Queue a node; if it waits already, in its new place only."""
        if node.serial < 0:
            self.waiting += 1
        node.serial = serial = self._serial
        heappush(self._heap, (f, self._by_g * node.g, self._by_serial * serial, node))
        self._serial = serial + 1

    def remove(self, node: Node) -> bool:
        """Let a node wait no longer; whether it did."""
        waited = node.serial >= 0
        self.waiting -= waited
        node.serial = -1
        return waited

    def take(self) -> tuple[Any, Node]:
        """The first node that waits, with its f."""
        while True:
            f, _, place, node = heappop(self._heap)
            if place == self._by_serial * node.serial:
                node.serial = -1
                self.waiting -= 1
                return f, node


class Tree:
    """The nodes of a tree search: every way to a state has its own."""

    def __init__(self) -> None:
        self.stored = 0

    def surpasses(self, identity: Hashable, g: Any, depth: int) -> bool:
        """Whether a way to a state, of that cost and that many steps, is of no use."""
        return False

    def reach(self, identity: Hashable, state: Any, parent: Node | None, action: Any, g: Any, h: Any) -> Node:
        """The node for a way that is of use."""
        self.stored += 1
        return Node(self.stored - 1, state, parent, action, g, h)


class Graph(Tree):
    """The nodes of a graph search: a state has one, which takes over a cheaper way."""

    def __init__(self, improve: bool, reopen: bool) -> None:
        super().__init__()
        self._improve, self._reopen = improve, reopen
        self._nodes: dict[Hashable, Node] = {}

    def surpasses(self, identity: Hashable, g: Any, depth: int) -> bool:
        known = self._nodes.get(identity)
        return known is not None and (
            not self._improve or known.g <= g or (known.serial < 0 and not self._reopen)
        )  # fmt: skip

    def reach(self, identity: Hashable, state: Any, parent: Node | None, action: Any, g: Any, h: Any) -> Node:
        known = self._nodes.get(identity)
        if known is None:
            known = self._nodes[identity] = Node(self.stored, state, parent, action, g, h)
            self.stored += 1
        else:
            known.state, known.h = state, h
            known.reach(parent, action, g)
        return known


class LimitedGraph(Tree):
    """The nodes of a graph search under a depth limit, where steps differ in cost.

    A way that is dearer but shorter may lead further, so a state has a node for each way that no other surpasses in
    both. None of them changes: a path that goes through one stays what it was.
    """

    def __init__(self, reopen: bool, frontier: Frontier, control: Control) -> None:
        super().__init__()
        self._reopen, self._frontier, self._control = reopen, frontier, control
        self._nodes: dict[Hashable, list[Node]] = {}

    def surpasses(self, identity: Hashable, g: Any, depth: int) -> bool:
        return any(
            (known.g <= g and known.depth <= depth) or (known.serial < 0 and not self._reopen)
            for known in self._nodes.get(identity, ())
        )

    def reach(self, identity: Hashable, state: Any, parent: Node | None, action: Any, g: Any, h: Any) -> Node:
        node = super().reach(identity, state, parent, action, g, h)
        nodes = [node]
        for other in self._nodes.get(identity, ()):
            if other.g < g or other.depth < node.depth:
                nodes.append(other)
            elif self._frontier.remove(other):
                drop(self._control, other, "surpassed")
        self._nodes[identity] = nodes
        return node


def astar(
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    *,
    tree: bool,
    ties: str,
    reopen: bool,
    weight: float,
    cut: float | None,
    prune_dead: bool,
    successors: str | None = None,
) -> Found:
    """Take the node with the least f = g + weight h first.

    Requires: actions, result, is_goal, cost; negative costs only on acyclic problems or as tree search.
    Optimal when h is admissible, the weight is 1 and nothing was cut, with reopening or a consistent h; with a
    weight w above 1 the cost is at most w times the least, unless h is negative at goals. Under a depth limit it
    finds the cheapest solution that the limit allows.
    """

    f, found, frontier = weighted(weight), Found(), Frontier(ties, successors)
    deepest = deepest_f(problem, control, h) if weight == 1 else math.inf
    cut_by = "cut" if cut is not None and cut <= deepest else "depth"
    cut = min(deepest, math.inf if cut is None else cut)
    for _ in best_first(found, problem, control, h, f, frontier, tree, reopen, True, cut, prune_dead, cut_by):
        pass
    return found


def weighted(weight: float) -> Callable[[Any, Any], Any]:
    """f = g + weight h; whole as long as g and h are, if the weight is 1."""
    return (lambda g, h: g + h) if weight == 1 else (lambda g, h: g + weight * h)


def ucs(problem: Problem, control: Control, h: BoundHeuristic, *, ties: str, successors: str | None = None) -> Found:
    """Uniform-cost search: take the node with the least cost so far first.

    Requires: actions, result, is_goal, cost; no negative costs.
    Optimal and complete, where every step costs more than some positive amount.
    """
    return astar(
        problem, control, h, tree=False, ties=ties, reopen=True, weight=1.0, cut=None, prune_dead=False,
        successors=successors,
    )  # fmt: skip


def greedy(problem: Problem, control: Control, h: BoundHeuristic, *, ties: str, successors: str | None = None) -> Found:
    """Greedy search: take the node with the least h first, whatever it cost; a state keeps the first path found.

    Requires: actions, result, is_goal.
    Complete on finite spaces; not optimal.
    """
    found, frontier = Found(), Frontier(ties, successors)
    for _ in best_first(found, problem, control, h, lambda g, estimate: estimate, frontier, False, False, False):
        pass
    return found


def best_first(
    found: Found,
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    f: Callable[[Any, Any], Any],
    frontier: Frontier,
    tree: bool,
    reopen: bool,
    improve: bool,
    cut: float = math.inf,
    prune_dead: bool = False,
    cut_by: str = "cut",
    rival: Found | None = None,
) -> Iterator[None]:
    """The one loop: take the node with the least f(g, h); ``improve`` a known state that is reached at less cost.

    It pauses when its turn is over. What cannot cost less than the solution of a ``rival``, who may have found one
    meanwhile, is left out. So is what lies above the ``cut``. If nothing else is left, the least f among all
    that is the bound.
    """
    left_out = math.inf
    stats, traced, real, limit = control.stats, control.traced, not problem.integer_costs, control.limits.depth
    identity_of = None if type(problem).identity is Problem.identity else problem.identity
    nodes = Tree() if tree else Graph(improve, reopen)
    if improve and keeps_versions(problem, control, tree):
        nodes = LimitedGraph(reopen, frontier, control)
    root = nodes.reach(problem.identity(problem.initial), problem.initial, None, None, 0, h(problem.initial))
    stats.stored = 1
    if root.h < DEAD:
        frontier.push(f(0, root.h), root)
    while frontier.waiting:
        control.progress_value = found.bound
        if control.stop_before_expanding(frontier.waiting):
            return
        if stats.expanded >= control.turn:
            yield
        least, node = frontier.take()
        if found.bound is None or least > found.bound:
            if rival is not None and rival.cost is not None and least >= rival.cost:
                left_out = min(left_out, least)
                break
            found.bound = least
        if problem.is_goal(node.state):
            control.emit("goal", **node.fields())
            found.path, found.cost = node.path(), node.g
            return
        if limit is not None and node.depth >= limit:
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        for action, state, cost in in_order(expand(problem, control, node), frontier.backwards):
            g = node.g + cost
            if real:
                found.largest = max(found.largest, abs(g))
            identity = state if identity_of is None else identity_of(state)
            if nodes.surpasses(identity, g, node.depth + 1):
                if traced:
                    duplicate(control, node, action, state, g)
                continue
            estimate = h(state)
            if estimate >= DEAD:
                drop_successor(control, node, action, state, g, "dead")
                continue
            child_f = f(g, estimate)
            if rival is not None and rival.cost is not None and child_f >= rival.cost:
                left_out = min(left_out, child_f)
                drop_successor(control, node, action, state, g, "cost")
                continue
            if child_f > cut:
                found.pruned, left_out = found.pruned or cut_by, min(left_out, child_f)
                drop_successor(control, node, action, state, g, "cut")
                continue
            if prune_dead and not problem.is_goal(state) and not any(True for _ in problem.actions(state)):
                drop_successor(control, node, action, state, g, "dead")
                continue
            child = nodes.reach(identity, state, node, action, g, estimate)
            frontier.push(child_f, child)
            if traced:
                control.emit("generate" if nodes.stored > stats.stored else "reopen", **child.fields())
            stats.stored = nodes.stored
    found.exhausted = True
    if left_out < math.inf:
        found.bound = left_out if found.bound is None else max(found.bound, left_out)


def _order(options: Options, f: Callable[[Any, Any], Any], level: str) -> Order:
    tie = TIES[options["ties"]]
    return Order(level, f, lambda depth, g, h, serial: (f(g, h), tie(g, serial)))


def proof(ended: Ended, tree: bool = False) -> Proof:
    """What the bound on f that a best-first search got to proves; with a weight w above 1, divided by it."""
    problem, control, h, options, found = ended.problem, ended.control, ended.h, ended.options, ended.found
    tree, weight = tree or options.get("tree", False), options.get("weight", 1)
    light = weight == 1 or (weight < 1 and problem.costs != "any")
    if not h.admissible:
        return ended.unproved("the heuristic is not admissible")
    if problem.costs == "any" and not light:
        return ended.unproved(f"the heuristic weighs {weight:g} times, and costs can be negative")
    if found.pruned == "depth" and problem.costs != "unit":  # with unit costs what is too deep costs more than that
        return ended.unproved("part of the space lies beyond the depth limit")
    if not (tree or options.get("reopen", True) or (h.consistent and light)):
        return ended.unproved("closed states were not reopened")
    steps = (control.stats.depth if tree else control.stats.expanded) + 1
    optimal, bound = proved(
        problem, h, found.bound, ended.cost, weight=weight, steps=steps, largest=found.largest,
        reopened=tree or options.get("reopen", True),
    )  # fmt: skip
    if found.pruned == "depth" and bound is not None and control.limits.depth is not None:
        beyond, searched_all = control.limits.depth + 1, found.exhausted and ended.cost is None
        bound = beyond if searched_all and options.get("cut") is None else min(bound, beyond)
    why = "the heuristic is not what it says" if bound is None else f"the heuristic weighs {weight:g} times"
    return Proof(optimal, bound, why if bound is None or weight > 1 else "part of the space was left out")


def acyclic_only(problem: Problem, options: Options) -> str | None:
    """A graph search can live with negative costs only if no state recurs."""
    if problem.costs == "any" and not problem.acyclic and not options.get("tree"):
        return "has negative costs and states that recur: take astar with tree=true"
    return None


def _astar_refusal(problem: Problem, options: Options) -> str | None:
    if problem.costs == "any" and problem.acyclic and not (options["tree"] or options["reopen"]):
        return "has negative costs: astar needs reopen=true or tree=true"
    return acyclic_only(problem, options)


def _ucs_refusal(problem: Problem, options: Options) -> str | None:
    return "has negative costs, which ucs cannot order: take astar" if problem.costs == "any" else None


UCS = Algorithm(
    name="ucs",
    about="uniform-cost search: the least cost so far first",
    requires="no negative costs",
    guarantees="complete and optimal",
    python=ucs,
    compiled="procura.compiled.astar:ucs",
    options=(TIES_OPTION, SUCCESSORS_OPTION),
    proof=proof,
    refusal=_ucs_refusal,
    order=lambda options: _order(options, lambda g, h: g, "f"),
)

GREEDY = Algorithm(
    name="greedy",
    about="greedy best-first search: the least h first, whatever it cost",
    requires="nothing beyond the rules",
    guarantees="complete on finite spaces; not optimal",
    python=greedy,
    compiled="procura.compiled.astar:greedy",
    options=(TIES_OPTION, SUCCESSORS_OPTION),
    uses_heuristic=True,
    order=lambda options: _order(options, lambda g, h: h, "h"),
)

ASTAR = Algorithm(
    name="astar",
    about="A*: the least f = g + h first",
    requires="negative costs only on acyclic problems, or with tree=true",
    guarantees="optimal when the heuristic is admissible and the weight is 1",
    python=astar,
    compiled="procura.compiled.astar:astar",
    options=(
        Option("tree", "bool", False, "search a tree: keep no states, recognise none"),
        TIES_OPTION,
        Option("reopen", "bool", True, "queue a closed state again when reached at less cost"),
        Option("weight", "float", 1.0, "what h counts in f = g + weight h", low=0),
        Option("cut", "float", None, "drop nodes whose f is above this"),
        Option("prune_dead", "bool", False, "do not queue states without moves that are no goals"),
        SUCCESSORS_OPTION,
    ),
    uses_heuristic=True,
    proof=proof,
    refusal=_astar_refusal,
    remedy=lambda options: f"a cut above {options['cut']:g}, or none",
    order=lambda options: _order(options, weighted(options["weight"]), "f"),
)
