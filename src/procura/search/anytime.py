"""Anytime search: beams that get wider find answers, A* or IDA* proves them; the two take turns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from procura.algorithm import Algorithm, Ended, Option, Options, Order, Proof
from procura.control import Control, Found
from procura.heuristics import BoundHeuristic, heuristic
from procura.problem import Problem
from procura.search import best_first, idastar
from procura.search.beam import Sweeps
from procura.search.node import Node, deepest_f

FIRST_TURN, LONGEST_TURN = 32, 1 << 14
"""The nodes that beams expand in their turns, which double from the first to the longest."""
FIRST_LEVELS = 256
"""How deep the first beam goes; each next one is twice as wide, and may go twice as deep."""
WIDEST = 1 << 16
"""No beam is wider: memory is to last for the proof."""


class Search(Protocol):
    """A search that takes turns with another."""

    found: Found

    def go_on(self) -> bool:
        """Search until the turn is over; whether the search is."""


class Paused:
    """An interpreted search between two turns."""

    def __init__(self, found: Found, steps: Iterator[None]) -> None:
        self.found, self._steps = found, steps

    def go_on(self) -> bool:
        """Search until the turn is over; whether the search is."""
        return next(self._steps, self) is self


def anytime(
    problem: Problem,
    control: Control,
    h: BoundHeuristic,
    *,
    prove: str,
    guide: str | None,
    share: float,
    width: int,
) -> Found:
    """Widening beams look for answers while A* (or IDA*) raises the bound, until the two meet.

    Requires: actions, result, is_goal, cost; negative costs only on acyclic problems.
    Optimal when h is admissible. Beams expand ``share`` nodes for each one of the proof, so that this takes at most
    1 + share times as many as the proof alone. What cannot beat the best answer is left out of both.
    """
    sweeps = _Answers(problem, control, guide_of(problem, h, guide), "f", "lifo")
    answers = Paused(sweeps.found, sweeps.widening(width))
    found = Found()
    if prove == "idastar":
        steps = idastar.deepening(found, problem, control, h, sweeps.found)
    else:
        deepest = deepest_f(problem, control, h)
        sieve = best_first.Sieve(problem, found, cut=deepest, cut_by="depth", rival=sweeps.found)
        steps = best_first.best_first(found, problem, control, h, sieve=sieve)
    return take_turns(problem, control, h, Paused(found, steps), answers, {"prove": prove, "share": share})


def guide_of(problem: Problem, h: BoundHeuristic, guide: str | None) -> BoundHeuristic:
    """The heuristic that beams go by."""
    return h if guide is None else BoundHeuristic(heuristic(guide), problem)


def next_beam(width: int, levels: int, finished: bool, dropped: bool) -> tuple[int, int] | None:
    """The width and the depth of the beam after one of this width; None if that left nothing to look for."""
    return (2 * width, 2 * levels) if finished and dropped and 2 * width <= WIDEST else None


class _Answers(Sweeps):
    """Beams, one after the other, which are not reported node by node."""

    def widening(self, width: int) -> Iterator[None]:
        """One beam after the other, each twice as wide."""
        beam: tuple[int, int] | None = (width, FIRST_LEVELS)
        while beam is not None:
            yield from self.run(*beam)
            beam = next_beam(*beam, self.finished, self.dropped)

    def solution(self, node: Node) -> None:
        self.found.path, self.found.cost = node.path(), node.g


def take_turns(
    problem: Problem, control: Control, h: BoundHeuristic, prover: Search, beams: Search, options: Options
) -> Found:
    """Let both searches go on by turns until one of them settles it; what they found together."""
    found, best, stats = prover.found, beams.found, control.stats
    turns = _Turns(control)
    nodes, looking = FIRST_TURN, True
    while True:
        over = turns.give(prover, math.ceil(nodes / options["share"]) if looking else math.inf)
        if over or control.stopped_by is not None or _is_settled(problem, found, best):
            break
        cost = best.cost
        if looking:
            looking = not turns.give(beams, nodes, quietly=True)
        if best.cost is not None and (cost is None or best.cost < cost):
            _report(Ended(problem, control, h, options, found, best.cost), best)
        if control.stopped_by is not None or _is_settled(problem, found, best):
            break
        nodes = min(2 * nodes, LONGEST_TURN)
    stats.stored = sum(turns.stored.values())
    if best.path is not None and (found.path is None or best.cost < found.cost):
        found.path, found.cost = best.path, best.cost
    found.largest = max(found.largest, best.largest)
    return found


class _Turns:
    """Whose turn it is, and what each search has stored."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.stored: dict[int, int] = {}

    def give(self, search: Search, nodes: float, quietly: bool = False) -> bool:
        """Let a search expand so many nodes; whether it has come to its end."""
        control, stats = self.control, self.control.stats
        if control.limits.nodes is not None and stats.expanded >= control.limits.nodes:
            control.stopped_by = "nodes"
            return False
        traced, control.traced = control.traced, control.traced and not quietly
        control.turn, stats.stored = stats.expanded + nodes, self.stored.get(id(search), 0)
        over = search.go_on()
        self.stored[id(search)], control.turn, control.traced = stats.stored, math.inf, traced
        return over


def _is_settled(problem: Problem, found: Found, best: Found) -> bool:
    """Whether no better answer can be hoped for than the best one."""
    if best.cost is None:
        return False
    return problem.any_solution_will_do or (found.bound is not None and found.bound >= best.cost)


def _report(ended: Ended, best: Found) -> None:
    """Report a better answer, with what is proved of it so far."""
    bound = proof(ended).bound
    known = {} if bound is None else {"bound": bound, "gap": best.cost - bound}
    ended.control.emit("improve", value=best.cost, depth=len(best.path or ()), figures=known)


def proof(ended: Ended) -> Proof:
    """What the search that proves has got to."""
    return best_first.proof(ended, tree=ended.options["prove"] == "idastar")


def _order(options: Options) -> Order:
    """That of the search that proves: only its steps are reported."""
    algorithm = idastar.IDASTAR if options["prove"] == "idastar" else best_first.ASTAR
    assert algorithm.order is not None
    return algorithm.order(algorithm.defaults)


def _refusal(problem: Problem, options: Options) -> str | None:
    if problem.costs == "any" and not problem.acyclic:
        return "has negative costs and states that recur: take astar with tree=true"
    return None


ANYTIME = Algorithm(
    name="anytime",
    about="beams that get wider find answers, A* or IDA* proves them: an answer soon, a better one later",
    requires="negative costs only on acyclic problems",
    guarantees="optimal when the heuristic is admissible; always with its bound, if a limit ends it",
    python=anytime,
    compiled="procura.compiled.anytime:anytime",
    options=(
        Option("prove", "choice", "astar", "what raises the bound: astar, or idastar in little memory",
               ("astar", "idastar")),
        Option("guide", "text", None, "the heuristic that beams go by; none: the same"),
        Option("share", "float", 0.5, "nodes that beams expand for each one of the proof", low=1e-6, high=1e6),
        Option("width", "int", 8, "nodes kept of each level by the first beam", low=1, high=WIDEST),
    ),
    uses_heuristic=True,
    proof=proof,
    refusal=_refusal,
    order=_order,
    bound="bound on f",
)  # fmt: skip
