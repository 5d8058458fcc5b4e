"""solve(): pick the engine, apply the limits, replay the answer, say what is proved."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from procura import catalog
from procura.control import Control, Event, Found, interruptible
from procura.debug import checked, debugging
from procura.errors import InputError, ReplayError, never_equal
from procura.heuristics import BoundHeuristic, Heuristic, heuristic as parse_heuristic
from procura.problem import ArrayProblem, Problem, rounded_up
from procura.result import Limits, Outcome, Result
from procura.runs import Run, Settings


def solve(
    problem: Problem,
    algorithm: str | Sequence[str] = "auto",
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
    best. Several configurations, in a list or with ``|`` between them, are a portfolio: see ``procura.portfolio``.
    ``engine`` is ``python`` (any problem, every event), ``compiled`` (an ``ArrayProblem``) or ``auto``.
    ``on_event`` is told what happens, or of it only the kinds in ``events``. Ctrl-C and ``cancel`` end the run with
    its best so far.

    >>> from procura import Sliding
    >>> solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python").actions
    ('R',)
    """
    _check_arguments(problem, seed)
    several = configurations(algorithm)
    if len(several) > 1:
        from procura.portfolio import race

        jobs = options.pop("jobs", None)
        plans = [plan(problem, one, heuristic, engine, seed, options) for one in several]
        return race(plans, several, jobs, limits, on_event, events, cancel)
    what = plan(problem, several[0], heuristic, engine, seed, options)
    return execute(what, Control(limits, on_event, events, cancel, debugging())).result(what.problem)


def configurations(algorithm: str | Sequence[str]) -> list[str]:
    """The configurations meant: one, or several in a sequence or with ``|`` between them."""
    several = algorithm.split("|") if isinstance(algorithm, str) else list(algorithm)
    if not several or not all(isinstance(one, str) for one in several):
        raise InputError(f"algorithm {algorithm!r}: expected text such as 'astar:manhattan', or several in a list")
    return [one.strip() for one in several]


@dataclass(slots=True)
class Plan:
    """A run to be made: all that was asked, read and checked."""

    problem: Problem
    info: catalog.Algorithm
    options: dict[str, Any]
    h: BoundHeuristic
    engine: str
    seed: int | None

    def settings(self) -> Settings:
        """What the results of such runs say of how they were made."""
        heuristic = self.h.text if self.info.uses_heuristic else None
        return Settings(self.info.name, self.options, heuristic, self.engine, self.seed, _notes(self))


def plan(
    problem: Problem,
    configuration: str,
    heuristic: str | Heuristic | None,
    engine: str,
    seed: int | None,
    options: dict[str, Any],
) -> Plan:
    """The run that a configuration and what was said beside it stand for; raises ``InputError``."""
    problem, configuration = _preset(problem, configuration)
    info, heuristic, given = _configuration(problem, configuration, heuristic, options)
    read = info.read_options(given)
    engine = _engine(problem, engine)
    h = BoundHeuristic(None if heuristic is None else _parsed(heuristic), problem)
    _check_costs(info, problem, read)
    return Plan(problem, info, read, h, engine, (seed or 0) if info.local else None)


def _notes(what: Plan) -> tuple[str, ...]:
    """What a reader of the result should know, in plain words."""
    notes = []
    if what.info.name == "idastar" and not (what.problem.integer_costs and (what.h.integer or what.h.admissible)):
        why = "the heuristic is neither whole nor admissible" if what.problem.integer_costs else "costs are not whole"
        notes.append(f"the bounds of idastar may rise by many small steps: {why}")
    if what.engine == "python" and what.options.get("jobs", 1) > 1:
        notes.append(f"jobs={what.options['jobs']}: an interpreted {what.info.name} runs on one thread")
    return tuple(notes)


def execute(what: Plan, control: Control) -> Run:
    """Make a run: search, replay the answer, say what is proved."""
    problem, info, h = what.problem, what.info, what.h
    view: Any = None
    with checked(control.debug):
        if problem.proved_unsolvable():
            found, outcome = Found(exhausted=True), Outcome.NO_SOLUTION
        else:
            search = _local if info.local else _global
            function = info.function(what.engine)
            with interruptible(control):
                found, outcome, view = search(problem, control, function, h, what.seed, what.options)
        seconds = control.seconds
        if found.pruned == "depth" and control.stopped_by is None and outcome is Outcome.NOT_FOUND:
            control.stopped_by = "depth"
        control.memory_allows(0)
        path, final, cost = _replayed(problem, found, outcome, view)
    optimal, bound = (None, None) if info.local else _proof(info.name, problem, h, what.options, found, outcome, cost)
    return Run(
        settings=what.settings(),
        outcome=outcome,
        stopped_by=control.stopped_by,
        path=path,
        cost=cost,
        optimal=optimal,
        bound=bound,
        final=final,
        generated=control.generated,
        expanded=control.expanded,
        max_frontier=control.max_frontier,
        depth=control.depth,
        seconds=seconds,
        compile_seconds=control.compile_seconds,
        peak_memory=control.peak_memory,
        stored=control.stored,
        digest=control.digest if control.debug else None,
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
    name, own, given = _parts(text)
    preset = problem.presets.get(name)
    if preset is None:
        return problem, text
    if own is not None:
        raise InputError(f"{text!r}: {name} has a heuristic of its own")
    if preset.options:
        problem = problem.with_options(**preset.options)
    return problem, ",".join([preset.configuration, *(f"{key}={value}" for key, value in given)])


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[str, str | None, tuple[tuple[str, str], ...]]:
    name, heuristic, given = catalog.parse_configuration(text)
    return name, heuristic, tuple(given.items())


@lru_cache(maxsize=256)
def _parsed_text(text: str) -> Heuristic:
    return parse_heuristic(text)


def _parsed(heuristic: str | Heuristic) -> Heuristic:
    """The heuristic; texts that mean the same wherever they stand are parsed once."""
    plain = isinstance(heuristic, str) and not heuristic.lstrip().startswith("@")
    return _parsed_text(heuristic) if plain else parse_heuristic(heuristic)


def _configuration(
    problem: Problem, text: str, heuristic: str | Heuristic | None, options: dict[str, Any]
) -> tuple[catalog.Algorithm, str | Heuristic | None, dict[str, Any]]:
    """The algorithm, heuristic and options meant by all that was said."""
    name, own, given = _parts(text)
    if own is not None and heuristic is not None:
        raise InputError(f"heuristic {str(heuristic)!r}: {text!r} names one already")
    heuristic = own if heuristic is None else heuristic
    if name == "auto":
        best = problem.auto or ("bfs" if problem.costs == "unit" else "astar")
        name, best_heuristic, best_given = _parts(best)
        heuristic, given = heuristic or best_heuristic, (*best_given, *given)
    info = catalog.algorithm(name)
    if heuristic is not None and not info.uses_heuristic:
        raise InputError(f"{info.name} uses no heuristic: leave {str(heuristic)!r} out or take another algorithm")
    return info, heuristic, {**dict(given), **options}


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
    if problem.costs != "any" or info.name not in ("astar", "beam") or options.get("tree"):
        return
    if not problem.acyclic:
        raise InputError(f"{problem.name} has negative costs and states that recur: take astar with tree=true")
    if info.name == "astar" and not options["reopen"]:
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
) -> tuple[list[Any] | None, Any, Any]:
    """(actions, final state, cost) of a solution, made again by the rules; raises if they refuse it."""
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
    make = _maker(problem)
    declared = {"unit": "1", "nonnegative": "0 or more"}
    for number, action in enumerate(path, 1):
        if view is None and action not in problem.actions(state):
            if (why := never_equal(action)) is not None:
                raise InputError(f"{problem.name}: {why}")
            raise ReplayError(f"{problem.name}: action {number} of the solution, {action!r}, is not legal there")
        next_state, step = make(state, action)
        if (problem.costs == "unit" and step != 1) or (problem.costs == "nonnegative" and step < 0):
            expected = f"costs = {problem.costs!r} means {declared[problem.costs]}"
            raise InputError(f"{problem.name}: action {number} of the solution costs {step}, but {expected}")
        cost = cost + step
        state = next_state
    if not problem.is_goal(state):
        raise ReplayError(f"{problem.name}: the solution's last state is no goal")
    if view is None and found.cost is not None and not math.isclose(found.cost, cost, rel_tol=1e-9, abs_tol=1e-9):
        raise ReplayError(f"{problem.name}: the search says that the solution costs {found.cost}, the rules say {cost}")
    return path, state, cost


def _maker(problem: Problem) -> Callable[[Any, Any], tuple[Any, Any]]:
    """What gives the state after an action and what the step costs."""
    kind = type(problem)
    if isinstance(problem, ArrayProblem) and kind.result is ArrayProblem.result and kind.cost is ArrayProblem.cost:
        return problem.step

    def make(state: Any, action: Any) -> tuple[Any, Any]:
        next_state = problem.result(state, action)
        return next_state, problem.cost(state, action, next_state)

    return make


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
    if name == "beam":
        return rounded_up(problem, found.bound)
    weight = options.get("weight", 1)
    light = weight == 1 or (weight < 1 and problem.costs != "any")
    if found.bound is None or not h.admissible or name not in ("astar", "idastar", "ucs"):
        return None
    if found.pruned == "depth" and problem.costs != "unit":  # with unit costs what is too deep costs more than that
        return None
    if name == "astar" and not (options["tree"] or options["reopen"] or (h.consistent and light)):
        return None
    if problem.costs == "any" and not light:
        return None
    return rounded_up(problem, found.bound if light else found.bound / weight)
