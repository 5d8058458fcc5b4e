"""Beam search."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Generator, Hashable, Iterator
from typing import Any

from procura.algorithm import Algorithm, Ended, Option, Options, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD, Problem
from procura.rounding import proved
from procura.search.best_first import TIES, TIES_OPTION, acyclic_only
from procura.search.node import Node, drop, drop_successor, duplicate, expand, too_deep

SORTED_AT_ONCE = 1 << 15


def rest_bound(problem: Problem, h: BoundHeuristic) -> tuple[bool, float]:
    """What a node that is no goal costs at least from there on, as (count h?, and this): a proof, not a guess."""
    if h.admissible:
        return True, 0
    return False, {"unit": 1, "nonnegative": 0}.get(problem.costs, -math.inf)


def beam(
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    *,
    width: int,
    order: str,
    ties: str,
    widen: bool,
) -> Found:
    """Level by level, keep only the ``width`` best nodes of each: those with the least f = g + h, or the least h.

    Requires: actions, result, is_goal, cost; negative costs only on acyclic problems.
    Not complete. What was dropped is remembered by its least possible cost, so that the answer comes with a bound,
    and is proved optimal if nothing dropped could have been better. Goals are tested as they are generated, for a
    beam may not drop one. Where steps differ in cost it goes on after the first solution. ``widen`` starts anew
    with twice the width until the answer is proved.
    """
    sweeps = Sweeps(problem, control, h, order, ties)
    found = sweeps.found
    while True:
        control.progress_value = width
        control.emit("bound", value=width)
        for _ in sweeps.run(width):
            pass
        found.exhausted = sweeps.finished
        found.bound = best_bound(found, sweeps.bound)
        if not found.exhausted or not widen or not sweeps.dropped or is_proved(problem, control, h, found):
            break
        width *= 2
    return found


def best_bound(found: Found, swept: float) -> Any:
    """The bound proved by all sweeps so far, the last one's own being ``swept``; None if there is none."""
    bound = swept if found.cost is None else min(swept, found.cost)
    if bound in (math.inf, -math.inf):
        return found.bound
    return bound if found.bound is None else max(bound, found.bound)


def proof(problem: Problem, control: Control, h: BoundHeuristic, found: Found, cost: Any) -> tuple[bool | None, Any]:
    """(whether ``cost`` is the least, the bound) as far as the sweeps so far prove it."""
    counted = h if rest_bound(problem, h)[0] else None
    return proved(problem, counted, found.bound, cost, steps=control.stats.expanded + 1, largest=found.largest)


def is_proved(problem: Problem, control: Control, h: BoundHeuristic, found: Found) -> bool:
    """Whether no wider sweep can do better."""
    return found.cost is not None and bool(proof(problem, control, h, found, found.cost)[0])


class Sweeps:
    """The best solution so far, and one sweep through the levels after the other."""

    def __init__(self, problem: Problem, control: Control, h: BoundHeuristic, order: str, ties: str) -> None:
        self.problem, self.control, self.h = problem, control, h.value
        self.rank: Callable[[Node], Any] = (lambda node: node.g + node.h) if order == "f" else (lambda node: node.h)
        self.tie = TIES[ties]
        self.found = Found()
        self.counts_h, self.rest = rest_bound(problem, h)
        self.dropped = False
        self.finished = False
        """Whether the last sweep came to its end."""
        self.bound = math.inf

    def least(self, node: Node) -> Any:
        """The least cost of any solution through the node."""
        return node.g + (node.h if self.counts_h else self.rest)

    def run(self, width: int, levels: float = math.inf) -> Iterator[None]:
        """One sweep, through so many levels at most; pauses when its turn is over."""
        self.finished = False
        self.finished = yield from self._run(width, levels)

    def _run(self, width: int, levels: float) -> Generator[None, None, bool]:
        problem, control, found = self.problem, self.control, self.found
        found.pruned, self.bound, self.dropped = None, math.inf, False
        root = Node(0, problem.initial, h=self.h(problem.initial))
        control.stats.stored = 1
        if problem.is_goal(root.state):
            if found.cost is None:
                self.solution(root)
            if problem.costs != "any":
                return True
        level = [root] if root.h < DEAD else []
        self.known: dict[Hashable, Node] = {problem.identity(root.state): root}
        self.serial = self.stored = self.kept = 1
        while level:
            if level[0].depth >= levels:
                self.dropped = True
                return True
            candidates: dict[Hashable, Node] = {}
            for i, node in enumerate(level):
                if control.stop_before_expanding(len(level) - i + len(candidates)):
                    waiting = [*level[i:], *candidates.values()]
                    self.bound = min([self.bound, *map(self.least, waiting)])
                    return False
                if control.stats.expanded >= control.turn:
                    yield
                if too_deep(control, node.depth):
                    found.pruned = "depth"
                    self.bound = min(self.bound, self.least(node))
                    drop(control, node, "depth")
                    continue
                if self.successors(node, candidates):
                    return True
            selected = self.select(list(candidates.values()), width)
            if selected is None:
                self.bound = min([self.bound, *map(self.least, candidates.values())])
                return False
            level = selected
        return True

    def successors(self, node: Node, candidates: dict[Hashable, Node]) -> bool:
        """Expand a node into the candidates of the next level; whether a goal ends the search."""
        problem, control = self.problem, self.control
        for action, state, cost in expand(problem, control, node):
            g = node.g + cost
            if not problem.integer_costs:
                self.found.largest = max(self.found.largest, abs(g))
            identity = problem.identity(state)
            known = self.known.get(identity)
            rival = candidates.get(identity)
            if (known is not None and known.g <= g) or (rival is not None and rival.g <= g):
                duplicate(control, node, action, state, g)
                continue
            child = Node(self.stored, state, node, action, g)
            if problem.is_goal(state):
                better = self.found.cost is None or g < self.found.cost
                if better:
                    self.solution(child)
                if problem.costs == "unit":
                    return True
                if problem.costs == "nonnegative":  # with negative costs the way may lead on to a better goal
                    if not better:
                        drop_successor(control, node, action, state, g, "cost")
                    continue
            child.h = self.h(state)
            if child.h >= DEAD or (self.found.cost is not None and self.least(child) >= self.found.cost):
                drop_successor(control, node, action, state, g, "dead" if child.h >= DEAD else "cost")
                continue
            child.place = self.serial
            self.serial += 1
            self.stored += 1
            candidates[identity] = child
            if control.traced:
                control.emit("generate" if rival is None else "reopen", **child.fields())
        return False

    def select(self, candidates: list[Node], width: int) -> list[Node] | None:
        """The next level: the best candidates in order; the others are dropped and forgotten. None if time is up."""
        control = self.control
        control.stats.max_frontier = max(control.stats.max_frontier, len(candidates))
        parts = []
        for at in range(0, len(candidates), SORTED_AT_ONCE):
            if at and control.stop():
                return None
            parts.append(sorted(candidates[at : at + SORTED_AT_ONCE], key=self.key))
        level: list[Node] = []
        for count, node in enumerate(heapq.merge(*parts, key=self.key)):
            if count and count % SORTED_AT_ONCE == 0 and control.stop():
                return None
            if count < width:
                level.append(node)
                self.known[self.problem.identity(node.state)] = node
                continue
            self.dropped = True
            self.found.pruned = self.found.pruned or "width"
            self.bound = min(self.bound, self.least(node))
            drop(control, node, "width")
        self.kept += len(level)
        control.stats.stored = self.kept
        return level

    def key(self, node: Node) -> Any:
        """What nodes of a level are ordered by."""
        return self.rank(node), self.tie(node.g, node.place or 0)

    def solution(self, node: Node) -> None:
        """Note a solution, the first or better than any before."""
        self.control.emit("goal", **node.fields())
        self.found.path, self.found.cost = node.path(), node.g


def _proof(ended: Ended) -> Proof:
    optimal, bound = proof(ended.problem, ended.control, ended.h, ended.found, ended.cost)
    return Proof(
        optimal, bound, "part of the space was left out" if ended.h.admissible else "the heuristic is not admissible"
    )


def _order(options: Options) -> Order:
    """The rest of a level goes before the next one."""
    tie = TIES[options["ties"]]
    by_h = options["order"] == "h"
    return Order("depth", lambda g, h: g + h, lambda depth, g, h, serial: (depth, h if by_h else g + h, tie(g, serial)))


BEAM = Algorithm(
    name="beam",
    about="beam search: level by level, only the best nodes of each level are kept",
    requires="negative costs only on acyclic problems",
    guarantees="memory for width nodes a level; optimal when nothing it dropped could have been better, which it tells",
    python=beam,
    compiled="procura.compiled.beam:beam",
    options=(
        Option("width", "int", 1000, "nodes kept of each level", low=1, high=1 << 24),
        Option("order", "choice", "f", "what the best have least of: f = g + h, or h alone", ("f", "h")),
        TIES_OPTION,
        Option("widen", "bool", False, "start anew with twice the width until the answer is proved"),
    ),
    uses_heuristic=True,
    proof=_proof,
    refusal=acyclic_only,
    remedy=lambda options: f"a wider beam, such as width={4 * options['width']}, or widen=true",
    order=_order,
    bound="width",
    progress="width",
)
