"""check(problem): the conformance kit. It walks a problem at random and holds it to what its definition promises."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Any

from procura.debug import checked
from procura.errors import ProcuraError
from procura.heuristics import BoundHeuristic, heuristic
from procura.problem import DEAD, MOST_MOVES, ArrayProblem, Estimate, Problem
from procura.result import Limits, Result
from procura.rng import below, stream
from procura.solving import solve

TRUE_COST_EXPANSIONS = 300
PARITY_EXPANSIONS = 200


class ConformanceError(ProcuraError, AssertionError):
    """A problem does not keep what its definition promises."""


@dataclass
class Checked:
    """What a check looked at."""

    states: int = 0
    steps: int = 0
    heuristics: dict[str, int] = field(default_factory=dict)
    """States at which each heuristic was compared with a true least cost."""
    runs: list[str] = field(default_factory=list)
    """Configurations run on both engines."""


def check(problem: Problem, *, walks: int = 20, length: int = 30, seed: int = 0, engines: bool = True) -> Checked:
    """Hold ``problem`` to its definition on random walks; raises ``ConformanceError`` that says what is broken.

    Checked: moves and values fit what was declared, kernels leave alone what they may not change and do not rely on
    scratch, ``inverse`` takes back, equal keys mean equal moves and goals, costs and ``acyclic`` are as declared,
    heuristics that say so are admissible (against searches from sampled states) and consistent, ``step`` agrees
    with a fresh value, local search's energy differences are true, actions survive JSON, and both engines agree.

    >>> from procura import Sliding
    >>> check(Sliding("1 2 3 4 0 5", size="2x3"), walks=2, engines=False).states > 1
    True
    """
    report = Checked()
    with checked():
        try:
            _check_rules(problem, report, walks, length, seed)
        except (IndexError, OverflowError) as error:
            raise _fail(f"{problem.name}: a kernel goes outside a row or its values: {error}") from error
        if engines and isinstance(problem, ArrayProblem):
            for configuration in _configurations(problem):
                assert_same_on_both_engines(problem, configuration, seed=seed)
                report.runs.append(configuration)
    return report


def _check_rules(problem: Problem, report: Checked, walks: int, length: int, seed: int) -> None:
    states = _walk(problem, report, walks, length, seed)
    report.states = len(states)
    _check_costs(problem, states)
    if isinstance(problem, ArrayProblem):
        _check_kernels(problem, states)
    for name, declared in problem.heuristics.items():
        _check_heuristic(problem, name, declared, states, report)
    view = problem.local()
    if view is not None:
        _check_local(view, seed, walks)


def _fail(message: str) -> ConformanceError:
    return ConformanceError(message)


def _walk(problem: Problem, report: Checked, walks: int, length: int, seed: int) -> list[Any]:
    """States met on random walks, each once; every step is looked at on the way."""
    rng = [stream(seed)]
    met: dict[Any, None] = {problem.initial: None}
    for _ in range(walks):
        state = problem.initial
        path = {problem.identity(state)}
        for _ in range(length):
            steps = list(problem.successors(state))
            if not steps:
                break
            action, state, _ = steps[below(rng, len(steps))]
            report.steps += 1
            met[state] = None
            if problem.action_from_json(problem.action_to_json(action)) != action:
                raise _fail(
                    f"{problem.name}: action {action!r} does not survive its JSON form: action_from_json must undo "
                    "action_to_json"
                )
            if problem.acyclic and problem.identity(state) in path:
                raise _fail(f"{problem.name} is declared acyclic, but {state} recurs on a path")
            path.add(problem.identity(state))
    for state in met:
        if not isinstance(problem.to_text(state), str):
            raise _fail(f"{problem.name}.to_text gives no text for {state}")
    return list(met)


def _check_costs(problem: Problem, states: list[Any]) -> None:
    for state in states:
        for action, _, cost in problem.successors(state):
            if problem.costs == "unit" and cost != 1:
                raise _fail(f"{problem.name} declares unit costs, but action {action!r} in {state} costs {cost}")
            if problem.costs == "nonnegative" and cost < 0:
                raise _fail(f"{problem.name} declares no negative costs, but {action!r} in {state} costs {cost}")
            if problem.integer_costs and cost != int(cost):
                raise _fail(f"{problem.name} declares whole costs, but {action!r} in {state} costs {cost}")


def _check_kernels(problem: ArrayProblem, states: list[Any]) -> None:
    """The rules of kernels, at every state."""
    by_key: dict[Any, tuple[Any, list[int], bool]] = {}
    for state in states:
        moves, solved = _steady_moves(problem, state), problem.is_goal(state)
        first, first_moves, first_solved = by_key.setdefault(problem.identity(state), (state, moves, solved))
        if (first_moves, first_solved) != (moves, solved):
            raise _fail(f"{problem.name}: {first} and {state} have the same key but not the same moves and goal")
        if problem.inverse is not None:
            _check_inverse(problem, state, moves)


def _steady_moves(problem: ArrayProblem, state: Any) -> list[int]:
    """The moves, if they are listed as they must be whatever stands in the scratch row."""
    listed = []
    for rubbish in (-77, 12345):
        out = [-1] * problem.max_moves
        row = problem.row(state)
        work = [rubbish] * problem.scratch
        number = problem.moves(row, problem.lists, work, out)
        if tuple(row) != state:
            raise _fail(f"{problem.name}.moves changes the state {state}")
        solved = bool(problem.solved(row, problem.lists, [rubbish] * problem.scratch))
        if tuple(row) != state:
            raise _fail(f"{problem.name}.solved changes the state {state}")
        after = []
        for move in out[:number]:
            row = problem.row(state)
            cost = problem.apply(row, problem.lists, [rubbish] * problem.scratch, move)
            after.append((tuple(row), cost))
        listed.append((out[:number], solved, after))
    moves = listed[0][0]
    for what, one, other in zip(("moves", "solved", "apply"), *listed, strict=True):
        if one != other:
            raise _fail(f"{problem.name}.{what} depends on what it finds in the scratch row, in {state}")
    if len(set(moves)) != len(moves) or not all(0 <= move < MOST_MOVES for move in moves):
        raise _fail(f"{problem.name}.moves lists {moves} in {state}: expected different integers from 0 to 65535")
    return moves


def _check_inverse(problem: ArrayProblem, state: Any, moves: list[int]) -> None:
    inverse = problem.required("inverse")
    for move in moves:
        back = inverse(problem.lists, move)
        after = problem.result(state, move)
        if back not in problem.actions(after) or problem.result(after, back) != state:
            raise _fail(f"{problem.name}: move {back}, the inverse of {move}, does not lead back to {state}")


def _check_heuristic(problem: Problem, name: str, declared: Estimate | str, states: list[Any], report: Checked) -> None:
    h = BoundHeuristic(heuristic(name), problem)
    report.heuristics[name] = 0
    for number, state in enumerate(states):
        value = h(state)
        if isinstance(problem, ArrayProblem) and isinstance(declared, Estimate):
            _check_estimate_kernel(problem, name, declared, state, value)
        if h.consistent:
            for action, after, cost in problem.successors(state):
                if value < DEAD and value > cost + h(after) + 1e-9:
                    raise _fail(
                        f"{name} is declared consistent, but falls by more than the cost of {action!r} in {state}"
                    )
        if (h.admissible or value >= DEAD) and number % max(1, len(states) // 50) == 0:
            least = _least_cost(problem, state)
            if least is not None:
                report.heuristics[name] += 1
            if least is not None and value > least + 1e-9:
                claim = "proves a dead end" if value >= DEAD else f"is declared admissible, but is {value}"
                raise _fail(f"{name} {claim} in {state}, from where a solution costs {least}")


def _check_estimate_kernel(problem: ArrayProblem, name: str, declared: Estimate, state: Any, value: Any) -> None:
    row = problem.row(state)
    again = declared.function(row, problem.lists, [12345] * problem.scratch)
    if tuple(row) != state:
        raise _fail(f"{name} changes the state {state}")
    if again != value:
        raise _fail(f"{name} depends on what it finds in the scratch row, in {state}")
    if declared.integer and value != int(value):
        raise _fail(f"{name} is declared whole, but is {value} in {state}")
    if declared.step is None or value >= DEAD:
        return
    for move in problem.actions(state):
        row = problem.row(state)
        stepped = declared.step(row, problem.lists, problem.work(), move, value)
        if tuple(row) != state:
            raise _fail(f"{name}: step changes the state {state}")
        fresh = problem.estimate(name, problem.result(state, move))
        if stepped != fresh:
            raise _fail(f"{name}: step gives {stepped} after move {move} in {state}, a fresh value is {fresh}")


def _least_cost(problem: Problem, start: Any) -> Any:
    """The least cost from ``start`` to a goal by a small exhaustive search; None if it ends too soon to tell."""
    serial = count()
    frontier = [(0, next(serial), start)]
    settled = set()
    best: Any = None
    for _ in range(TRUE_COST_EXPANSIONS):
        if not frontier:
            return best
        g, _, state = heapq.heappop(frontier)
        if problem.identity(state) in settled and problem.costs != "any":
            continue
        settled.add(problem.identity(state))
        if problem.is_goal(state):
            if problem.costs != "any":
                return g
            best = g if best is None else min(best, g)
        for _, after, cost in problem.successors(state):
            heapq.heappush(frontier, (g + cost, next(serial), after))
    return best if problem.costs == "any" else None


def _check_local(view: ArrayProblem, seed: int, walks: int) -> None:
    """Energy differences, taking back, and what energy 0 means."""
    rng = [stream(seed, 1)]
    row, work = view.row(view.initial), view.work()
    energy, change, revert = view.required("energy"), view.required("change"), view.required("revert")
    parents = []
    for _ in range(walks):
        view.required("randomise")(row, view.lists, work, rng)
        parents.append(tuple(row))
        for _ in range(10):
            before, e = tuple(row), energy(row, view.lists, work)
            if (e <= 0) != view.is_goal(before):
                raise _fail(f"{view.name}: energy {e} and solved disagree on {before}")
            move = view.required("propose")(row, view.lists, work, rng)
            difference = change(row, view.lists, work, move)
            if energy(row, view.lists, work) != e + difference:
                raise _fail(f"{view.name}.change says {difference} for move {move} in {before}: energy says otherwise")
            after = tuple(row)
            revert(row, view.lists, work, move)
            if tuple(row) != before:
                raise _fail(f"{view.name}.revert does not take back move {move} in {before}")
            row = view.row(after)
    if view.cross is not None:
        for a, b in pairwise(parents):
            child = view.row(view.initial)
            view.cross(view.row(a), view.row(b), child, view.lists, work, rng)
            if energy(child, view.lists, work) < 0:
                raise _fail(f"{view.name}.cross of {a} and {b} gives a child of negative energy")


def _configurations(problem: ArrayProblem) -> Iterator[str]:
    name = next(iter(problem.heuristics), "zero")
    yield from ("bfs", "dfs", "dfs,tree=true")
    if problem.costs != "any" or problem.acyclic:
        yield f"astar:{name}"
    yield f"astar:{name},tree=true,ties=fifo"
    yield f"idastar:{name}"
    if problem.local() is not None:
        yield "annealing"


def assert_same_on_both_engines(
    problem: ArrayProblem, configuration: str, *, limits: Limits | None = None, seed: int | None = None, **options: Any
) -> Result:
    """Run a configuration interpreted and compiled, with every check on; raises if anything differs.

    Compared: outcome, what stopped it, cost, actions, final state, bound, proof, all counts and the digest of the
    expanded states in order.
    """
    limits = limits or Limits(nodes=PARITY_EXPANSIONS)
    with checked():
        results = [
            solve(problem, configuration, limits=limits, engine=engine, seed=seed, **options)
            for engine in ("python", "compiled")
        ]
    for what, seen in _COMPARED.items():
        interpreted, compiled = (seen(result) for result in results)
        if interpreted != compiled:
            raise _fail(f"{problem.name}, {configuration}: {what} is {interpreted} interpreted and {compiled} compiled")
    return results[0]


_COMPARED: dict[str, Callable[[Result], Any]] = {
    "outcome": lambda result: result.outcome,
    "stopped_by": lambda result: result.stopped_by,
    "cost": lambda result: result.cost,
    "actions": lambda result: result.actions,
    "final state": lambda result: result.final,
    "optimal": lambda result: result.optimal,
    "bound": lambda result: result.bound,
    "generated": lambda result: result.stats.generated,
    "expanded": lambda result: result.stats.expanded,
    "largest frontier": lambda result: result.stats.max_frontier,
    "depth": lambda result: result.stats.depth,
    "digest of expanded states": lambda result: result.stats.digest,
}
