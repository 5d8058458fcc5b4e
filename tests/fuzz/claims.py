"""What every search must keep to: no claim that the truth refutes, and no error but a clear one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fuzz.graphs import Case, PlainGraph, in_rows, rows
from fuzz.truth import REAL, Truth, exact, is_finite, truth_of

from procura import DEAD, InputError, Limits, Outcome, Result, solve, solve_many
from procura.errors import ProcuraError, RangeError, ReplayError
from procura.search import anytime

LARGE = 1 << 29
"""Numbers from here on may be too large for a compiled search."""
COMPLETE = ("bfs", "dfs", "iddfs", "ucs", "greedy", "astar", "idastar", "anytime")
PROVING = ("ucs", "astar", "idastar", "anytime")


@dataclass(frozen=True)
class Fault:
    """A claim that was broken: what kind of claim, in which way of solving, and how."""

    kind: str
    way: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.way}): {self.text}"


# ---- running a case


@contextmanager
def stores(tiny: bool) -> Iterator[None]:
    """Compiled searches with stores that begin far too small, in slices of one node; or as they are."""
    if not tiny:
        yield
        return
    from procura.compiled import astar, engine, idastar, stores, subtrees

    places: list[tuple[Any, str, Any]] = [
        (stores, "FIRST_TABLE", 16), (astar, "FIRST_BUCKETS", 2), (idastar, "FIRST_DEPTH", 2),
        (engine, "FIRST_SLICE", 1), (idastar, "SERIAL_SECONDS", -1.0), (subtrees, "SUBTREES", 4),
    ]  # fmt: skip
    with patched(places):
        yield


@contextmanager
def short_turns(tiny: bool) -> Iterator[None]:
    """Searches that take turns do so after every node, and begin with flat beams; or as they are."""
    with patched([(anytime, "FIRST_TURN", 1), (anytime, "FIRST_LEVELS", 2)] if tiny else []):
        yield


@contextmanager
def patched(places: list[tuple[Any, str, Any]]) -> Iterator[None]:
    """Modules in which these names have these values."""
    before = [getattr(module, name) for module, name, _ in places]
    for module, name, value in places:
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name, _), value in zip(places, before, strict=True):
            setattr(module, name, value)


def run(case: Case, way: str) -> list[Result]:
    """The results of one way of solving a case; more than one from a batch."""
    limits = Limits(nodes=case.nodes, depth=case.depth)
    first = case.searches[0]
    if way == "plain":
        return [solve(PlainGraph(case.world), first, limits=limits)]
    if way == "told":
        return [solve(PlainGraph(case.world), first, limits=limits, on_event=lambda event: None)]
    if way == "portfolio":
        return [solve(PlainGraph(case.world), list(case.searches), limits=limits, jobs=case.jobs)]
    if way == "batch":
        boards = [PlainGraph(case.world) for _ in range(2)]
        batch = solve_many(PlainGraph, boards, first, limits=limits, jobs=case.jobs)
        for error in batch.errors.values():
            raise error
        return list(batch)
    with stores(case.tiny):
        return [solve(rows(case.world), first, limits=limits, engine=way)]


def faults(case: Case) -> list[Fault]:
    """Run a case in all its ways; every claim that was broken."""
    truth = truth_of(case.world)
    found: list[Fault] = []
    answers: dict[str, Any] = {}
    for way in case.ways:
        if way in ("python", "compiled", "auto") and not in_rows(case.world):
            continue
        judge = Judge(case, truth, way)
        try:
            with short_turns(case.tiny):
                results = run(case, way)
        except ProcuraError as error:
            answers[way] = type(error)
            found += judge.error(error)
            continue
        except Exception as error:
            found.append(Fault(f"raises {type(error).__name__}", way, str(error)))
            continue
        answers[way] = seen(results[0])
        for result in results:
            found += judge.result(result)
            if way == "batch" and seen(result) != seen(results[0]):
                found.append(Fault("results of a batch differ", way, f"{seen(result)} and {seen(results[0])}"))
    return found + list(differences(case, truth, answers))


def seen(result: Result) -> dict[str, Any]:
    """All that both engines agree on."""
    stats = result.stats
    return {
        "outcome": str(result.outcome), "stopped_by": result.stopped_by, "cost": result.cost,
        "actions": result.actions, "optimal": result.optimal, "bound": result.bound, "generated": stats.generated,
        "expanded": stats.expanded, "max_frontier": stats.max_frontier, "depth": stats.depth, "stored": stats.stored,
    }  # fmt: skip


def differences(case: Case, truth: Truth, answers: dict[str, Any]) -> Iterator[Fault]:
    """Ways of solving that do not agree, where they must."""
    names = [way for way in answers if way != "portfolio"]
    options = case.configurations[0][2]
    if len(names) < 2 or not comparable(case, truth):
        return
    for way in names[1:]:
        one, other = answers[names[0]], answers[way]
        threads = options.get("jobs", 1) > 1
        if way in ("compiled", "auto") and (threads or other in (InputError, RangeError)):
            continue  # several threads, or too large for it: the judge has seen to that
        if isinstance(one, type) or isinstance(other, type):
            if one is not other:
                yield Fault("ways differ in their error", way, f"{one} by {names[0]}, {other} by {way}")
            continue
        for what, value in one.items():
            if value != other[what]:
                yield Fault(f"ways differ in {what}", way, f"{value} by {names[0]}, {other[what]} by {way}")
                break


def used_tables(case: Case) -> list[Any]:
    """The heuristics that some search of the case looks at."""
    searches = case.configurations if "portfolio" in case.ways else case.configurations[:1]
    texts = [heuristic or "" for info, heuristic, _ in searches if info.uses_heuristic]
    return [table for name, table in case.world.tables.items() if any(name in _names(text) for text in texts)]


def _names(text: str) -> set[str]:
    spaced = "".join(c if c.isalnum() or c == "." else " " for c in text)
    return set(spaced.split())


def comparable(case: Case, truth: Truth) -> bool:
    """Whether both engines promise to do the same: numbers are what they are declared to be."""
    tables = used_tables(case)
    return (
        truth.problem_is_honest
        and not truth.malformed
        and all(truth.is_whole(table) or not table.integer for table in tables)
        and not any(truth.is_malformed(table) for table in tables)
    )


# ---- judging what came back


class Judge:
    """Holds what one way of solving a case gave against the truth."""

    def __init__(self, case: Case, truth: Truth, way: str) -> None:
        self.case, self.truth, self.way = case, truth, way
        tables = used_tables(case)
        self.tables = tables
        self.honest = truth.problem_is_honest and all(truth.table_is_honest(table) for table in tables)
        self.malformed = truth.malformed or any(truth.is_malformed(table) for table in tables)
        heights = [abs(h) for table in tables for h in truth.estimates(table).values() if h != math.inf]
        self.largest_h = max([0, *heights])
        self.info, self.heuristic, self.options = case.configurations[0]

    def fault(self, kind: str, text: Any) -> Fault:
        return Fault(kind, self.way, str(text))

    def error(self, error: ProcuraError) -> Iterator[Fault]:
        """An error on purpose: is there a reason for it, and is it a sentence?"""
        text = str(error)
        if not isinstance(error, InputError | ReplayError):
            yield self.fault(f"raises {type(error).__name__}", text)
        elif not text.strip() or "\n" in text:
            yield self.fault("an error that is no sentence", repr(text))
        elif self.honest and isinstance(error, ReplayError):
            yield self.fault("raises ReplayError", text)
        elif self.honest and not self.malformed and not self.may_refuse():
            yield self.fault("refuses what it should take", text)

    def may_refuse(self) -> bool:
        """Whether the case has something that not every search takes."""
        if self.case.world.costs == "any" or self.largest_h >= DEAD or self.truth.exotic:
            return True
        world = self.case.world
        numbers = [cost for _, _, cost in world.arcs] + [h for table in world.tables.values() for h in table.values]
        most = max([0, *(abs(number) for number in numbers if isinstance(number, int))])
        composed = self.heuristic not in (None, "a", "b", "zero")
        return self.way in ("compiled", "auto") and (most * world.vertices >= LARGE or composed)

    def result(self, result: Result) -> Iterator[Fault]:
        """A result: is it in itself right, and is what it claims true?"""
        yield from self.form(result)
        yield from self.limits(result)
        if result.solved:
            yield from self.solution(result)
        if self.honest:
            yield from self.claims(result)
            if self.way != "portfolio" and not self.malformed:
                yield from self.promises(result)

    def form(self, result: Result) -> Iterator[Fault]:
        solved = result.outcome is Outcome.SOLVED
        if (result.actions is not None) != solved or (result.cost is not None) != solved:
            yield self.fault("actions and cost without a solution, or none with one", result)
        if result.outcome is Outcome.NO_SOLUTION and (result.bound, result.optimal, result.stopped_by) != (None,) * 3:
            yield self.fault("no solution, but a bound, an optimum or a limit", result)
        if not solved and result.optimal is not None:
            yield self.fault("optimal without a solution", result)
        if result.bound is not None and not isinstance(result.bound, REAL):
            yield self.fault("a bound that is no number", repr(result.bound))
        if result.bound is not None and not math.isfinite(result.bound):
            yield self.fault("a bound that is not finite", result.bound)
        if solved and result.bound is not None:
            if result.bound > result.cost:
                yield self.fault("a bound above the cost", f"{result.bound} > {result.cost}")
            if bool(result.optimal) != (result.bound == result.cost):
                yield self.fault("optimal and the gap disagree", f"{result.optimal}, gap {result.gap}")

    def limits(self, result: Result) -> Iterator[Fault]:
        case, stats, by = self.case, result.stats, result.stopped_by
        if by not in (None, "nodes", "depth"):
            yield self.fault("stopped by what was no limit", by)
        if by == "nodes" and stats.expanded != case.nodes:
            yield self.fault("stopped by nodes, but not at the limit", stats.expanded)
        if by == "depth" and (case.depth is None or result.solved):
            yield self.fault("stopped by depth without a limit, or with a solution", result)
        if stats.expanded > case.nodes:
            yield self.fault("more nodes than the limit", stats.expanded)
        if self.honest and case.depth is not None and stats.depth > case.depth:
            yield self.fault("deeper than the limit", stats.depth)
        leaves_out = self.info.name not in COMPLETE or self.options.get("cut") is not None
        if result.outcome is Outcome.NOT_FOUND and by is None and not leaves_out and self.way != "portfolio":
            yield self.fault("not found, and no limit to blame", result)

    def solution(self, result: Result) -> Iterator[Fault]:
        case, world, v = self.case, self.case.world, 0
        for action in result.actions or ():
            if not 0 <= action < len(world.arcs) or world.arcs[action][0] != v:
                yield self.fault("an action that is not legal", result.actions)
                return
            v = world.arcs[action][1]
        if v not in world.goals:
            yield self.fault("a solution that ends at no goal", result.actions)
        if not self.adds_up(result):
            yield self.fault("a cost that is not that of the actions", result.cost)
        if case.depth is not None and len(result.actions or ()) > case.depth:
            yield self.fault("a solution deeper than the limit", result.actions)

    def adds_up(self, result: Result) -> bool:
        """Whether the cost is that of the actions, up to what so many additions can be off by; whole ones are exact."""
        values = [self.truth.values[action] for action in result.actions or ()]
        if not all(map(is_finite, values)):
            return True
        if self.truth.whole:
            return bool(result.cost == self.exact_cost(result))
        magnitude = sum(abs(exact(value)) for value in values)
        return abs(exact(result.cost) - self.exact_cost(result)) <= magnitude * Fraction(len(values) + 1, 1 << 53)

    def claims(self, result: Result) -> Iterator[Fault]:
        """Outcome, optimum and bound against the truth."""
        least = self.truth.optimum
        if result.outcome is Outcome.NO_SOLUTION and least is not None:
            yield self.fault("no_solution where there is one", f"of cost {least}")
        if least is None:
            return
        if result.optimal and (least == -math.inf or self.exact_cost(result) > least + self.tolerance(result)):
            yield self.fault("optimal, but not the least cost", f"{result.cost} where {_told(least)} exists")
        known = result.bound is not None and math.isfinite(result.bound)
        if known and (least == -math.inf or exact(result.bound) > least + self.tolerance(result)):
            yield self.fault("a bound above the least cost", f"{result.bound} where {_told(least)} exists")

    def exact_cost(self, result: Result) -> Any:
        values = [self.truth.values[action] for action in result.actions or ()]
        return sum(map(exact, values)) if all(map(is_finite, values)) else math.inf

    def tolerance(self, result: Result) -> Any:
        """The rounding that costs which are not whole can have; nothing for those that are."""
        if self.truth.whole:
            return 0
        steps = len(result.actions or ()) + self.case.world.vertices + 8
        size = abs(exact(self.truth.optimum)) if self.truth.optimum != -math.inf else 0
        if result.cost is not None and is_finite(result.cost):
            size += abs(exact(result.cost))
        if "nonnegative" not in self.truth.costs:
            size += exact(self.truth.largest) * steps
        if self.heuristic not in (None, "a", "b", "zero") or self.tables:
            size += exact(self.largest_h) if is_finite(self.largest_h) else 0
        return size * Fraction(steps, 1 << 52)

    def promises(self, result: Result) -> Iterator[Fault]:
        """What an algorithm guarantees where no limit keeps it from that."""
        name, options, truth, case = self.info.name, self.options, self.truth, self.case
        world = case.world
        if result.stopped_by == "nodes":
            return
        unlimited = case.depth is None and options.get("cut") is None
        if name in COMPLETE and unlimited and result.solved != (truth.optimum is not None):
            yield self.fault("a complete search without its answer", result)
        within = truth.goal_depth is not None and (case.depth is None or truth.goal_depth <= case.depth)
        if name in ("bfs", "iddfs", "dfs") and result.solved != within:
            yield self.fault("a goal within the depth limit that was not found", result)
        if name in PROVING and case.depth is not None and options.get("cut") is None and self.reopens():
            yield from self.within_depth(result, case.depth)
        if not result.solved:
            return
        if name in ("bfs", "iddfs") and len(result.actions or ()) != truth.goal_depth:
            yield self.fault("not a shortest solution", result.actions)
        if name in ("bfs", "iddfs") and world.costs == "unit" and not result.optimal:
            yield self.fault("a shortest solution that is not proved", result)
        if name in PROVING and unlimited and self.must_prove() and not result.optimal:
            yield self.fault("optimal, but not proved", result)
        yield from self.bounded_by_weight(result)

    def reopens(self) -> bool:
        """Whether no state is closed for good."""
        return bool(self.options.get("tree", False) or self.options.get("reopen", True))

    def within_depth(self, result: Result, depth: int) -> Iterator[Fault]:
        """A depth limit hides no solution that it allows, and none that is cheaper."""
        best = self.truth.least_within(depth)
        if result.solved != (best is not None):
            yield self.fault("a goal within the depth limit that was not found", result)
        elif result.solved and self.must_prove() and self.exact_cost(result) > best:
            yield self.fault("a cheaper solution within the depth limit", f"{result.cost} where {best} exists")

    def must_prove(self) -> bool:
        """Whether nothing keeps a best-first search from a proof: a sound heuristic that is 0 at goals."""
        truth, options = self.truth, self.options
        if not truth.whole or self.heuristic not in (None, "a", "b", "zero") or options.get("weight", 1) != 1:
            return False
        if not self.tables:
            return self.case.world.costs != "any"
        table = self.tables[0]
        reopens = self.reopens() or table.consistent
        level = all(table.values[v] == 0 for v in self.case.world.goals)
        return table.admissible and table.integer and reopens and level

    def bounded_by_weight(self, result: Result) -> Iterator[Fault]:
        """With a weight w the cost is at most w times the least."""
        weight, truth, least = self.options.get("weight", 1), self.truth, self.truth.optimum
        plain = self.heuristic in (None, "a", "b", "zero") and self.case.world.costs != "any" and weight >= 1
        if self.info.name != "astar" or not plain or self.case.depth is not None or self.options["cut"] is not None:
            return
        sound = all(
            table.admissible and min(truth.estimates(table).values()) >= 0 and not truth.is_malformed(table)
            for table in self.tables
        )
        if not sound or not self.reopens():
            return
        if self.exact_cost(result) > exact(weight) * least * (1 + Fraction(1, 1 << 40)):
            yield self.fault("more than weight times the least cost", f"{result.cost}, {weight} times {_told(least)}")


def _told(number: Any) -> Any:
    return number if isinstance(number, int) or number == -math.inf else float(number)
