"""solve(): pick the engine, apply the limits, replay the answer, say what is proved."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Collection
from typing import Any

from procura import catalog
from procura.control import Control, Event, Found, interruptible
from procura.debug import debugging
from procura.errors import InputError, ReplayError
from procura.heuristics import BoundHeuristic, Heuristic, heuristic as parse_heuristic
from procura.problem import ArrayProblem, Problem
from procura.result import Limits, Outcome, Result, Stats, branching_factor, penetrance


def solve(
    problem: Problem,
    algorithm: str = "auto",
    *,
    heuristic: str | Heuristic | None = None,
    limits: Limits | None = None,
    engine: str = "auto",
    seed: int | None = None,
    on_event: Callable[[Event], None] | None = None,
    events: Collection[str] | None = None,
    cancel: Callable[[], bool] | threading.Event | None = None,
    **options: Any,
) -> Result:
    """Search ``problem`` and return a ``Result``; every solution has been replayed by the puzzle's own rules.

    ``algorithm`` is a name, a configuration such as ``"astar:manhattan,ties=fifo"``, or ``"auto"`` for the puzzle's
    best. ``engine`` is ``python`` (any problem, every event), ``compiled`` (an ``ArrayProblem``) or ``auto``.
    ``on_event`` is told what happens, or of it only the kinds in ``events``. Ctrl-C and ``cancel`` end the run with
    its best so far.

    >>> from procura import Sliding
    >>> solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python").actions
    ('R',)
    """
    _check_arguments(problem, seed)
    problem, algorithm = _preset(problem, algorithm)
    info, heuristic, given = _configuration(problem, algorithm, heuristic, options)
    read = info.read_options(given)
    engine = _engine(problem, engine)
    h = BoundHeuristic(None if heuristic is None else parse_heuristic(heuristic), problem)
    _check_costs(info, problem, read)
    control = Control(limits, on_event, events, cancel, debugging())
    run = _local if info.local else _global
    seed = (0 if seed is None else seed) if info.local else None
    if problem.proved_unsolvable():
        found, outcome = Found(exhausted=True), Outcome.NO_SOLUTION
        view: Any = None
    else:
        function = info.function(engine)
        with interruptible(control):
            found, outcome, view = run(problem, control, function, h, seed, read)
    seconds = control.seconds
    if found.pruned == "depth" and control.stopped_by is None and outcome is Outcome.NOT_FOUND:
        control.stopped_by = "depth"
    control.memory_allows(0)
    actions, final, cost = _replayed(problem, found, outcome, view)
    optimal, bound = (None, None) if info.local else _proof(info.name, problem, h, read, found, outcome, cost)
    return Result(
        problem=problem,
        algorithm=info.name,
        options=read,
        heuristic=h.text if info.uses_heuristic else None,
        engine=engine,
        seed=seed,
        outcome=outcome,
        stopped_by=control.stopped_by,
        actions=actions,
        cost=cost,
        optimal=optimal,
        bound=bound,
        final=final,
        view=view if final is not None and actions is None else None,
        stats=_stats(control, seconds, None if info.local or actions is None else len(actions)),
    )


def _stats(control: Control, seconds: float, length: int | None) -> Stats:
    """The statistics of a run whose solution has ``length`` actions, if it is a path through a tree."""
    return Stats(
        generated=control.generated,
        expanded=control.expanded,
        max_frontier=control.max_frontier,
        depth=control.depth,
        seconds=seconds,
        compile_seconds=control.compile_seconds,
        peak_memory=control.peak_memory,
        stored=control.stored,
        digest=control.digest if control.debug else None,
        penetrance=None if length is None else penetrance(length, control.generated),
        branching_factor=None if length is None else branching_factor(length, control.generated),
    )


def _check_arguments(problem: Any, seed: Any) -> None:
    if not isinstance(problem, Problem):
        raise InputError(f"solve needs a Problem, such as Sliding(...), not {problem!r}")
    if problem.costs not in ("unit", "nonnegative", "any"):
        raise InputError(f"{problem.name}.costs is {problem.costs!r}: expected 'unit', 'nonnegative' or 'any'")
    if seed is not None and not isinstance(seed, int):
        raise InputError(f"seed {seed!r}: expected a whole number")


def _preset(problem: Problem, text: str) -> tuple[Problem, str]:
    """The problem and configuration meant, if the text names a search of the puzzle's own; else both as they are."""
    name, own, given = catalog.parse_configuration(text)
    preset = problem.presets.get(name)
    if preset is None:
        return problem, text
    if own is not None:
        raise InputError(f"{text!r}: {name} has a heuristic of its own")
    if preset.options:
        problem = problem.with_options(**preset.options)
    return problem, ",".join([preset.configuration, *(f"{key}={value}" for key, value in given.items())])


def _configuration(
    problem: Problem, text: str, heuristic: str | Heuristic | None, options: dict[str, Any]
) -> tuple[catalog.Algorithm, str | Heuristic | None, dict[str, Any]]:
    """The algorithm, heuristic and options meant by all that was said."""
    name, own, given = catalog.parse_configuration(text)
    if own is not None and heuristic is not None:
        raise InputError(f"heuristic {str(heuristic)!r}: {text!r} names one already")
    heuristic = own if heuristic is None else heuristic
    if name == "auto":
        best = problem.auto or ("bfs" if problem.costs == "unit" else "astar")
        name, best_heuristic, best_given = catalog.parse_configuration(best)
        heuristic, given = heuristic or best_heuristic, {**best_given, **given}
    info = catalog.algorithm(name)
    if heuristic is not None and not info.uses_heuristic:
        raise InputError(f"{info.name} uses no heuristic: leave {str(heuristic)!r} out or take another algorithm")
    return info, heuristic, {**given, **options}


def _engine(problem: Problem, engine: str) -> str:
    if engine not in ("auto", "python", "compiled"):
        raise InputError(f"engine {engine!r}: expected auto, python or compiled")
    if engine == "compiled" and not isinstance(problem, ArrayProblem):
        raise InputError(f"{problem.name} is not an ArrayProblem: only those run compiled")
    if engine == "auto":
        return "compiled" if isinstance(problem, ArrayProblem) else "python"
    return engine


def _check_costs(info: catalog.Algorithm, problem: Problem, options: dict[str, Any]) -> None:
    """Negative costs are fine in trees and where cost is ignored; in graphs only if no state recurs."""
    if problem.costs == "any" and info.name == "ucs":
        raise InputError(f"{problem.name} has negative costs, which ucs cannot order: take astar")
    if problem.costs != "any" or info.name != "astar" or options["tree"]:
        return
    if not problem.acyclic:
        raise InputError(f"{problem.name} has negative costs and states that recur: astar needs tree=true")
    if not options["reopen"]:
        raise InputError(f"{problem.name} has negative costs: astar needs reopen=true or tree=true")


def _global(
    problem: Problem, control: Control, function: Any, h: BoundHeuristic, seed: int | None, options: dict[str, Any]
) -> tuple[Found, Outcome, None]:
    """Run a search through states from the initial one."""
    found = function(problem, control, h, **options)
    if found.path is not None:
        return found, Outcome.SOLVED, None
    proved = found.exhausted and found.pruned is None and control.stopped_by is None
    return found, Outcome.NO_SOLUTION if proved else Outcome.NOT_FOUND, None


def _local(
    problem: Problem, control: Control, function: Any, h: BoundHeuristic, seed: int | None, options: dict[str, Any]
) -> tuple[Found, Outcome, ArrayProblem]:
    """Run a search through complete states, on the problem's local view."""
    view = problem.local()
    if view is None:
        raise InputError(f"{problem.name} has no complete-state view: local search needs energy, propose and change")
    found = function(view, control, seed, **options)
    if not math.isfinite(found.cost):
        found.cost, found.state = None, None
    elif view.integer_costs:
        found.cost = int(found.cost)
    solved = found.state is not None and view.is_goal(found.state)
    return found, Outcome.SOLVED if solved else Outcome.NOT_FOUND, view


def _replayed(
    problem: Problem, found: Found, outcome: Outcome, view: ArrayProblem | None
) -> tuple[tuple[Any, ...] | None, Any, Any]:
    """(actions in JSON form, final state, cost) of a solution, made again by the rules; raises if they refuse it."""
    if outcome is not Outcome.SOLVED:
        return None, found.state, found.cost
    if view is not None:
        told = view.solution_actions(found.state)
        if told is None:
            return None, found.state, found.cost
        path = [problem.action_from_json(value) for value in told]
    else:
        assert found.path is not None
        path = found.path
    state, cost = problem.initial, 0
    declared = {"unit": "1", "nonnegative": "0 or more"}
    for number, action in enumerate(path, 1):
        if view is None and action not in problem.actions(state):
            raise ReplayError(f"{problem.name}: action {number} of the solution, {action!r}, is not legal there")
        next_state = problem.result(state, action)
        step = problem.cost(state, action, next_state)
        if (problem.costs == "unit" and step != 1) or (problem.costs == "nonnegative" and step < 0):
            expected = f"costs = {problem.costs!r} means {declared[problem.costs]}"
            raise InputError(f"{problem.name}: action {number} of the solution costs {step}, but {expected}")
        cost = cost + step
        state = next_state
    if not problem.is_goal(state):
        raise ReplayError(f"{problem.name}: the solution's last state is no goal")
    if view is None and found.cost is not None and not math.isclose(found.cost, cost, rel_tol=1e-9, abs_tol=1e-9):
        raise ReplayError(f"{problem.name}: the search says that the solution costs {found.cost}, the rules say {cost}")
    return tuple(problem.action_to_json(action) for action in path), state, cost


def _proof(
    name: str, problem: Problem, h: BoundHeuristic, options: dict[str, Any], found: Found, outcome: Outcome, cost: Any
) -> tuple[bool | None, Any]:
    """(optimal, lower bound) as far as they are proved."""
    solved = outcome is Outcome.SOLVED
    if outcome is Outcome.NO_SOLUTION or problem.any_solution_will_do:
        return None, None
    if name == "bfs" and problem.costs == "unit" and solved:
        return True, cost
    bound = _proved_bound(name, problem, h, options, found)
    if not solved:
        return None, bound
    slack = 1e-9 * max(1.0, abs(cost))
    if bound is None or bound > cost + slack:  # above the cost of a solution: the heuristic is not what it says
        return False, None
    return bound >= cost - slack, min(bound, cost)


def _proved_bound(name: str, problem: Problem, h: BoundHeuristic, options: dict[str, Any], found: Found) -> Any:
    """The least cost that any solution can have, if the search proved one: the bound on f it got to."""
    if name == "iddfs":
        return found.bound if problem.costs == "unit" else None
    weight = options.get("weight", 1)
    light = weight == 1 or (weight < 1 and problem.costs != "any")
    if found.bound is None or not h.admissible or found.pruned == "depth" or name not in ("astar", "idastar", "ucs"):
        return None
    if name == "astar" and not (options["tree"] or options["reopen"] or (h.consistent and light)):
        return None
    if problem.costs == "any" and not light:
        return None
    bound = found.bound if light else found.bound / weight
    return math.ceil(bound - 1e-6) if problem.integer_costs else bound
