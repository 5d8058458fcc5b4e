"""Best-first searches: uniform-cost search, greedy search and A*."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from heapq import heappop, heappush
from typing import Any

from procura.algorithm import Algorithm, Ended, Option, Options, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem, gone_through
from procura.rounding import proved
from procura.search.node import (
    Node,
    deepest_f,
    drop,
    drop_successor,
    duplicate,
    expand,
    in_order,
    keeps_default,
    step_cost,
)

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


COUNTED = (list, tuple)
"""What ``actions`` usually returns: its length is known before it is gone through."""


def queues_backwards(ties: str, successors: str | None) -> bool:
    """Whether the successors of a node are to be queued from its last move to its first."""
    return successors == ("last" if ties == "fifo" else "first")


def keeps_versions(problem: Problem, control: Control, tree: bool) -> bool:
    """Whether a state can have several nodes: with a depth limit a way that is dearer but shorter may lead further."""
    return control.limits.depth is not None and problem.costs != "unit" and not tree


class Versions:
    """The nodes of a graph search under a depth limit, where steps differ in cost.

    A way that is dearer but shorter may lead further, so a state has a node for each way that no other surpasses in
    both. None of them changes: a path that goes through one stays what it was.
    """

    def __init__(self, reopen: bool, control: Control) -> None:
        self._reopen, self._control = reopen, control
        self._nodes: dict[Hashable, list[Node]] = {}

    def surpass(self, identity: Hashable, g: Any, depth: int) -> bool:
        """Whether a way to a state, of that cost and that many steps, is of no use."""
        return any(
            (known.g <= g and known.depth <= depth) or (known.place is None and not self._reopen)
            for known in self._nodes.get(identity, ())
        )

    def add(self, identity: Hashable, node: Node) -> int:
        """Keep a node; how many others that waited it surpasses, which wait no longer."""
        nodes, removed = [node], 0
        for other in self._nodes.get(identity, ()):
            if other.g < node.g or other.depth < node.depth:
                nodes.append(other)
            elif other.place is not None:
                other.place = None
                removed += 1
                drop(self._control, other, "surpassed")
        self._nodes[identity] = nodes
        return removed


class Sieve:
    """What a search leaves out for its f or as a dead end; of the former, the least f."""

    def __init__(
        self,
        problem: Problem,
        found: Found,
        *,
        cut: float = math.inf,
        cut_by: str = "cut",
        prune_dead: bool = False,
        rival: Found | None = None,
    ) -> None:
        self._problem, self._found, self._rival = problem, found, rival
        self._cut, self._cut_by, self._prune_dead = cut, cut_by, prune_dead
        self.least = math.inf

    def surpassed(self, f: Any) -> bool:
        """Whether what has this f cannot cost less than the solution of a rival, who may have found one meanwhile."""
        if self._rival is None or self._rival.cost is None or f < self._rival.cost:
            return False
        self.least = min(self.least, f)
        return True

    def refusal(self, state: Any, f: Any) -> str | None:
        """Why a successor is left out; None if it is not."""
        if self._rival is not None and self.surpassed(f):
            return "cost"
        if f > self._cut:
            self._found.pruned, self.least = self._found.pruned or self._cut_by, min(self.least, f)
            return "cut"
        problem = self._problem
        if self._prune_dead and not problem.is_goal(state) and not any(True for _ in problem.actions(state)):
            return "dead"
        return None


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

    f, found = None if weight == 1 else weighted(weight), Found()
    deepest = deepest_f(problem, control, h) if weight == 1 else math.inf
    cut_by = "cut" if cut is not None and cut <= deepest else "depth"
    cut = min(deepest, math.inf if cut is None else cut)
    all_pass = cut == math.inf and not prune_dead
    sieve = None if all_pass else Sieve(problem, found, cut=cut, cut_by=cut_by, prune_dead=prune_dead)
    for _ in best_first(found, problem, control, h, f, ties, successors, tree, reopen, sieve=sieve):
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
    found = Found()
    for _ in best_first(
        found, problem, control, h, lambda g, estimate: estimate, ties, successors, reopen=False, improve=False
    ):
        pass
    return found


def best_first(
    found: Found,
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    f: Callable[[Any, Any], Any] | None = None,
    ties: str = "lifo",
    successors: str | None = None,
    tree: bool = False,
    reopen: bool = True,
    improve: bool = True,
    sieve: Sieve | None = None,
) -> Iterator[None]:
    """The one loop: take the node with the least f(g, h), or g + h; ``improve`` a state that is reached at less cost.

    It pauses when its turn is over. What the ``sieve`` refuses is left out; if nothing else is left, the least f among
    that is the bound.

    The frontier is a heap of (f, tie term, place, node); ``waiting`` counts what is not stale in it. A node that is
    pushed again has a new place, and its old entry is skipped. A graph search finds the node of a state in
    ``reached``, or all of them in ``versions``. All this stands in one function because its calls would take as long
    as the search itself; for the same reason the steps of a ``plain`` problem are made here, and counted all at once.
    """
    stats, traced, real, limit = control.stats, control.traced, not problem.integer_costs, control.limits.depth
    identity_of = None if type(problem).identity is Problem.identity else problem.identity
    by_g, by_age = {"high_g": -1, "low_g": 1}.get(ties, 0), 1 if ties == "fifo" else -1  # as TIES has it
    backwards = queues_backwards(ties, successors)
    versions = Versions(reopen, control) if improve and keeps_versions(problem, control, tree) else None
    reached: dict[Hashable, Node] = {}
    frontier: list[tuple[Any, Any, int, Node]] = []
    plain = not (traced or backwards) and keeps_default(problem, "successors")
    unit, value = keeps_default(problem, "cost"), h.value
    place = waiting = 0
    bound = -math.inf

    root = Node(0, problem.initial, h=value(problem.initial))
    stored = stats.stored = 1
    if versions is not None:
        versions.add(problem.identity(root.state), root)
    elif not tree:
        reached[problem.identity(root.state)] = root
    if root.h < DEAD:
        root.place, waiting = place, 1
        frontier.append((root.h if f is None else f(0, root.h), 0, place, root))
    control.progress_value = None
    while waiting:
        if waiting > stats.max_frontier:
            stats.max_frontier = waiting
        if stats.expanded >= control.ask_at and control.stop_before_expanding(waiting):
            return
        if sieve is not None and stats.expanded >= control.turn:
            yield
            control.progress_value = found.bound
        least, _, at, node = heappop(frontier)
        while at != node.place:  # stale
            least, _, at, node = heappop(frontier)
        node.place = None
        waiting -= 1
        if least > bound:
            if sieve is not None and sieve.surpassed(least):
                break
            bound = found.bound = control.progress_value = least
        if problem.is_goal(node.state):
            control.emit("goal", **node.fields())
            found.path, found.cost = node.path(), node.g
            return
        if limit is not None and node.depth >= limit:
            found.pruned = "depth"
            drop(control, node, "depth")
            continue
        depth = node.depth + 1
        if plain:
            stats.expanded += 1
            steps: Any = problem.actions(node.state)
            if type(steps) not in COUNTED:
                steps = list(gone_through(problem, node.state, steps))
            stats.generated += len(steps)
            if depth > stats.depth and steps:
                stats.depth = depth
        else:
            steps = in_order(expand(problem, control, node), backwards)
        for step in steps:
            if plain:
                action, state = step, problem.result(node.state, step)
                cost = 1 if unit else step_cost(problem, node.state, step, state)
            else:
                action, state, cost = step
            g = node.g + cost
            if real:
                found.largest = max(found.largest, abs(g))
            identity = state if identity_of is None else identity_of(state)
            known = None if tree else reached.get(identity)
            if (
                known is not None and (known.g <= g or not (reopen if known.place is None else improve))
            ) or (versions is not None and versions.surpass(identity, g, depth)):  # fmt: skip
                if traced:
                    duplicate(control, node, action, state, g)
                continue
            estimate = value(state)
            if estimate >= DEAD:
                drop_successor(control, node, action, state, g, "dead")
                continue
            child_f = g + estimate if f is None else f(g, estimate)
            if sieve is not None and (why := sieve.refusal(state, child_f)) is not None:
                drop_successor(control, node, action, state, g, why)
                continue
            if known is None:
                child = Node(stored, state, node, action, g, estimate)
                stored += 1
                if versions is not None:
                    waiting -= versions.add(identity, child)
                elif not tree:
                    reached[identity] = child
            else:
                child = known
                child.reach(state, node, action, g, estimate)
            if child.place is None:
                waiting += 1
            place += by_age
            child.place = place
            heappush(frontier, (child_f, by_g * g, place, child))
            if traced:
                control.emit("generate" if known is None else "reopen", **child.fields())
            stats.stored = stored
    found.exhausted = True
    if sieve is not None and sieve.least < math.inf:
        found.bound = sieve.least if found.bound is None else max(found.bound, sieve.least)


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
    many_rows="procura.compiled.many:ucs",
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
    many_rows="procura.compiled.many:greedy",
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
    many_rows="procura.compiled.many:astar",
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
