"""solve(): pick the engine, apply the limits, replay the answer, say what is proved."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from procura import handover
from procura.algorithm import Algorithm, Ended, Proof
from procura.compiled.kernels import can_compile
from procura.configuration import Asked, Configuration, configurations, plain, separate
from procura.control import Control, Event, Found, interruptible
from procura.debug import checked, debugging
from procura.errors import InputError, KernelError, KernelFault, RangeError, ReplayError, shown
from procura.faults import AGAIN_SECONDS, located
from procura.heuristics import BoundHeuristic, Heuristic
from procura.portfolio import settles
from procura.preparing import Stopped, open_tables
from procura.problem import ArrayProblem, Problem, as_number
from procura.replay import replayed
from procura.result import Limits, Outcome, Result, Stats
from procura.rng import stream

NOT_YET = "kernels were still being compiled when the time was over: procura cache warm makes them beforehand"
HINT_SECONDS = 0.01
"""Kernels that took longer than this to come were compiled, or loaded from the cache."""
ENGINES = ("auto", "python", "compiled")


def solve(
    problem: Problem,
    algorithm: Asked = "auto",
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

    ``algorithm`` is a name, a configuration such as ``"astar:manhattan,ties=fifo"``, as text or as a ``Configuration``,
    or ``"auto"`` for the puzzle's best. Several configurations, in a list or with ``|`` between them, are a portfolio:
    see ``procura.portfolio``.
    ``engine`` is ``python`` (any problem, every event), ``compiled`` (an ``ArrayProblem``) or ``auto``: a run starts
    interpreted, at once, and if it takes long the compiled one finishes it, see ``procura.handover``.
    ``on_event`` is told what happens, or of it only the kinds in ``events``. Ctrl-C and ``cancel`` end the run with
    its best so far.

    >>> from procura import Sliding
    >>> solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python").actions
    ('R',)
    """
    if not isinstance(problem, Problem):
        raise InputError(f"solve needs a Problem, not {problem!r}")
    check_declared(problem)
    parts = separate(algorithm)
    jobs = options.pop("jobs", None) if len(parts) > 1 else None
    several = configurations(parts, heuristic, options)
    if len(several) > 1:
        from procura.portfolio import race

        runs = [partial(_solved, replace(plan(problem, one, engine, seed), first=None)) for one in several]
        return race(runs, [str(one) for one in several], jobs, limits, on_event, events, cancel)
    return _solved(plan(problem, several[0], engine, seed), Control(limits, on_event, events, cancel, debugging()))


def _solved(what: Plan, control: Control) -> Result:
    result = execute(what, control)
    _ = result.actions  # made here, so that what the puzzle's own code raises is raised by solve
    return result


@dataclass(slots=True)
class Plan:
    """A run to be made: all that was asked, read and checked."""

    problem: Problem
    configuration: Configuration
    """What it was resolved to: an algorithm by name."""
    h: BoundHeuristic
    engine: str
    """``python`` or ``compiled``."""
    seed: int | None
    stands_in: str | None = None
    """For which specialist it is run, and why; in a sentence."""
    if_no_kernels: Configuration | None = None
    """What to run in its place if kernels cannot be had."""
    first: Plan | None = None
    """What is run interpreted, at once, until the kernels of this one are there; None: it waits for them."""

    @property
    def info(self) -> Algorithm:
        """Its algorithm."""
        return self.configuration.info

    @property
    def options(self) -> dict[str, Any]:
        """Every option of its algorithm with its value."""
        return self.configuration.all_options


def plan(problem: Problem, configuration: Configuration, engine: str = "auto", seed: int | None = None) -> Plan:
    """The run that a configuration stands for on a problem; raises ``InputError``."""
    check_asked(engine, seed)
    found = configuration.resolve(problem)
    preset = configuration.preset(problem)
    if preset is not None and preset.options:
        problem = problem.with_options(**preset.options)
    if found.specialist is not None:
        return _specialised(problem, found, found.specialist, engine, seed, configuration.algorithm == "auto")
    what = _planned(problem, found, _engine(problem, engine), seed)
    return _at_once(what) if engine == "auto" and what.engine == "compiled" else what


def _at_once(what: Plan) -> Plan:
    """The run, started interpreted unless it is to use several threads."""
    if what.options.get("jobs", 1) == 1:
        what.first = replace(what, engine="python")
    return what


def _planned(problem: Problem, found: Configuration, engine: str, seed: int | None) -> Plan:
    h = BoundHeuristic(found.heuristic, problem)
    refusal = found.info.refusal and found.info.refusal(problem, found.all_options)
    if refusal:
        raise InputError(f"{problem.name} {refusal}")
    return Plan(problem, found, h, engine, (seed or 0) if found.info.local else None)


def _specialised(
    problem: Problem, found: Configuration, specialist: Algorithm, engine: str, seed: int | None, auto: bool
) -> Plan:
    """The run of a specialist, or of its stand-in where it cannot be run itself."""
    name = specialist.name
    refusal = specialist.refusal and specialist.refusal(problem, found.all_options)
    if refusal and auto and specialist.stand_in is not None:
        return _stand_in(problem, found, engine, seed, f"{problem.name} {refusal}")
    if engine == "python" and not specialist.runs_on("python"):
        return _stand_in(problem, found, "python", seed, f"{name} runs compiled only")
    if engine == "compiled" and not specialist.runs_on("compiled"):
        raise InputError(f"{name} runs interpreted only: expected engine auto or python")
    if engine == "auto":
        engine = "compiled" if specialist.runs_on("compiled") and can_compile() else "python"
        if not specialist.runs_on(engine):
            return _stand_in(problem, found, "python", seed, f"{name} needs Numba, which is not installed")
        if engine == "compiled" and specialist.runs_on("python"):
            return _at_once(_planned(problem, found, engine, seed))
        if engine == "compiled" and specialist.stand_in is not None:
            what = replace(_planned(problem, found, engine, seed), if_no_kernels=found)
            if not found.options:  # which the stand-in need not have
                what.first = replace(_stand_in(problem, found, "python", seed, ""), stands_in=None)
            return what
    return _planned(problem, found, engine, seed)


def _stand_in(problem: Problem, specialised: Configuration, engine: str, seed: int | None, why: str) -> Plan:
    """The run of a specialist's stand-in; what it has no option for is left out, and named."""
    specialist = specialised.info
    if specialist.stand_in is None:
        raise InputError(f"{why}: it has no stand-in, and the engine is python")
    found = Configuration.parse(specialist.stand_in).resolve(problem)
    without = "".join(f", without {name}={plain(value)}" for name, value in specialised.options)
    made = _planned(problem, found, _engine(problem, engine), seed)
    return replace(made, stands_in=f"{why}: {found} ran instead{without}")


def notes(what: Plan) -> tuple[str, ...]:
    """What a reader of the result should know, in plain words."""
    told = [] if what.stands_in is None else [what.stands_in]
    warning = what.info.warning and what.info.warning(what.problem, what.h)
    if warning:
        told.append(warning)
    if what.engine == "python" and what.options.get("jobs", 1) > 1:
        told.append(f"jobs={what.options['jobs']}: an interpreted {what.info.name} runs on one thread")
    return tuple(told)


def _again(what: Plan, control: Control) -> None:
    """Make a run of which something was raised compiled again interpreted, so that it is raised with its place."""
    if what.configuration.specialist is not None:
        return
    limits = Limits(seconds=AGAIN_SECONDS, depth=control.limits.depth)
    _execute(replace(what, engine="python"), Control(limits, debug=True))


def execute(what: Plan, control: Control) -> Result:
    """Make a run: search, replay the answer, say what is proved."""
    if what.first is None:
        return _executed(what, control)
    if control.follows_all:
        return _execute(what.first, control)
    kernels = handover.kernels_of(what.problem, what.configuration)
    with interruptible(control):
        return (
            _compiled(what, what.first, control) if kernels.loaded else _handed_over(what, what.first, control, kernels)
        )


def _handed_over(what: Plan, first: Plan, control: Control, kernels: handover.Kernels) -> Result:
    """Start interpreted, and give way to the compiled run as soon as there are kernels for it.

    A limit that ended the building of a table which both need has ended the run.
    """
    began = time.perf_counter()
    job = handover.Job(what.problem, what.configuration, partial(prepare, what, limits=control.limits))
    phase = handover.FirstPhase(control, kernels, job)
    try:
        result = _execute(first, phase)
    except handover.HandOver:
        result = None
    finally:
        wanted = kernels.wanted(phase)
        kernels.spent += phase.seconds
    unprepared = phase.preparing is not None and first.configuration is what.configuration
    stands = result is not None and (unprepared or _stands(what, result))
    if result is not None and (stands or not kernels.wait(job, phase)):
        phase.finish()
        if wanted and kernels.coming and result.stopped_by == "time":
            result = replace(result, notes=(*result.notes, NOT_YET))
        return _noted(what, result, kernels.refusal if wanted or not stands else None)
    phase.hand_over()
    result = _compiled(what, first, control)
    if result.engine == "compiled":
        result.stats.started = phase.stats.started
        result.stats.compile_seconds = max(control.started - began, 0.0)
    return result


def _stands(what: Plan, result: Result) -> bool:
    """Whether the result of an interpreted run is as good as that of the compiled run it began."""
    if result.stopped_by == "cancelled" or (result.stopped_by == "time" and result.solved):
        return True
    return result.stopped_by != "time" if result.configuration is what.configuration else settles(result)


def _compiled(what: Plan, first: Plan, control: Control) -> Result:
    """A run whose kernels are there; interpreted after all if it meets numbers that they cannot hold."""
    try:
        return _execute(what, control)
    except RangeError as error:
        refusal = str(error)
    again = Control(control.limits, control.on_event, control.kinds, control.asked_to_end, control.debug)
    return _noted(what, _execute(first, again), refusal)


def _noted(what: Plan, result: Result, refusal: str | None) -> Result:
    """The result of an interpreted run, with why it was not compiled."""
    if refusal is None:
        return result
    note = f"{what.configuration} ran interpreted to its end: {refusal}"
    if result.configuration is not what.configuration:
        note = f"{what.configuration}: {refusal}: {result.configuration} ran instead"
    return replace(result, notes=(*result.notes, note))


def prepare(
    what: Plan,
    on_event: Callable[[Event], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    limits: Limits | None = None,
) -> Control:
    """Compile or load all that a compiled run needs, by a run that may expand nothing.

    Its tables are built within these limits on time and memory; compiling may take longer.
    """
    limits = limits or Limits()
    control = Control(Limits(seconds=limits.seconds, memory=limits.memory), on_event, ["progress"], cancel, debugging())
    with checked(control.debug), located(what.problem, lambda: _again(what, control)), suppress(Stopped):
        with control.in_charge():
            open_tables(what.problem, control, what.h.names)
        seconds = control.stats.compile_seconds
        control = Control(Limits(nodes=0, memory=limits.memory), on_event, ["progress"], cancel, control.debug)
        control.stats.compile_seconds = seconds
        _searched(replace(what, engine="compiled"), control)
    return control


def _searched(what: Plan, control: Control) -> tuple[Found, Outcome, ArrayProblem | None]:
    """Search; a first run that has compiled or loaded much leaves a hint for the next process."""
    search = _local if what.info.local else _global
    with control.in_charge():
        open_tables(what.problem, control, what.h.names)
        found = search(what.problem, control, what.info.function(what.engine), what.h, what.seed, what.options)
    if what.engine == "compiled" and control.stats.compile_seconds > HINT_SECONDS:
        handover.note_kernels(what.problem, what.configuration, control)
    return found


def _executed(what: Plan, control: Control) -> Result:
    """Make a run on the engine that was planned, or its stand-in if that needs kernels and there are none."""
    try:
        return _execute(what, control)
    except (KernelError, ImportError) as error:
        if what.if_no_kernels is None or isinstance(error, KernelFault):
            raise
        why = f"{what.info.name}: {str(error).strip().splitlines()[-1]}"
        return _execute(_stand_in(what.problem, what.if_no_kernels, "python", what.seed, why), control)


def _execute(what: Plan, control: Control) -> Result:
    """Make a run on the engine that was planned."""
    problem = what.problem
    view: Any = None
    with checked(control.debug), located(problem, lambda: _again(what, control)):
        if problem.proved_unsolvable():
            found, outcome = Found(exhausted=True), Outcome.NO_SOLUTION
        else:
            with interruptible(control):
                try:
                    found, outcome, view = _searched(what, control)
                except Stopped:
                    found, outcome = Found(), Outcome.NOT_FOUND
        control.end()
        if found.pruned == "depth" and control.stopped_by is None and outcome is Outcome.NOT_FOUND:
            control.stopped_by = "depth"
        return _concluded(what, control, found, outcome, view)


def answered(what: Plan, found: Found, stats: Stats) -> Result:
    """The result of a run that was made elsewhere, with many others: its answer replayed, and what is proved."""
    control = Control()
    control.stats = stats
    return _concluded(what, control, found, Outcome.NO_SOLUTION if found.path is None else Outcome.SOLVED, None)


def _concluded(what: Plan, control: Control, found: Found, outcome: Outcome, view: ArrayProblem | None) -> Result:
    problem, info, stats = what.problem, what.info, control.stats
    path, final, cost = _replayed(what, found, outcome, view)
    proof = _proof(what, control, found, outcome, cost)
    stats.solution_depth = len(path) if path is not None and info.tree and not info.local else None
    return Result(
        configuration=what.configuration,
        engine=what.engine,
        seed=what.seed,
        outcome=outcome,
        stopped_by=control.stopped_by,
        path=path,
        cost=cost,
        optimal=proof.optimal,
        bound=proof.bound,
        unproved=proof.why if proof.optimal is False else None,
        final=final,
        stats=stats,
        problem=problem,
        notes=(*notes(what), *control.notes),
        solutions=found.solutions,
        finals=_finals(what, found, final),
    )


def check_asked(engine: Any, seed: Any) -> None:
    """Refuse an engine that is none, or a seed."""
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r}: expected auto, python or compiled")
    if seed is not None and not isinstance(seed, int):
        raise InputError(f"seed {seed!r}: expected a whole number")


def check_declared(problem: Problem) -> None:
    """Refuse a problem without a beginning, or with costs of no kind."""
    if not hasattr(problem, "initial"):
        raise InputError(f"{problem.name} has no initial state: expected initial, of the class or set by __init__")
    if problem.costs not in ("unit", "nonnegative", "any"):
        raise InputError(f"{problem.name}.costs is {problem.costs!r}: expected 'unit', 'nonnegative' or 'any'")


def _engine(problem: Problem, engine: str) -> str:
    if engine == "compiled" and not isinstance(problem, ArrayProblem):
        raise InputError(f"{problem.name} is not an ArrayProblem: only those run compiled")
    if engine == "auto":
        return "compiled" if isinstance(problem, ArrayProblem) and can_compile() else "python"
    return engine


def _global(
    problem: Problem, control: Control, function: Any, h: BoundHeuristic, seed: int | None, options: dict[str, Any]
) -> tuple[Found, Outcome, ArrayProblem | None]:
    """Run a search through states from the initial one."""
    try:
        found = function(problem, control, h, **options)
    except OverflowError as error:
        if "too large to convert to float" not in str(error):
            raise
        raise InputError(f"{problem.name}: costs beyond 1e308 need a heuristic of whole numbers") from error
    if not isinstance(found, Found):
        raise InputError(f"{problem.name}: a search returns {shown(found)}: expected Found(path=[...]) or the like")
    if found.path is not None:
        return found, Outcome.SOLVED, None
    proved = found.exhausted and found.pruned is None and control.stopped_by is None
    return found, Outcome.NO_SOLUTION if proved else Outcome.NOT_FOUND, None


def _local(
    problem: Problem, control: Control, function: Any, h: BoundHeuristic, seed: int | None, options: dict[str, Any]
) -> tuple[Found, Outcome, ArrayProblem | None]:
    """Run a search through complete states, on the problem's local view."""
    view = problem.local()
    if view is None:
        raise InputError(
            f"{problem.name} has no whole states to improve, which local search needs: energy, propose and change"
        )
    open_tables(view, control)
    _check_energy(view, seed or 0)
    found = function(view, control, seed, **options)
    if not math.isfinite(found.cost):
        found.cost, found.state = None, None
    elif view.integer_costs:
        found.cost = int(found.cost)
    solved = found.state is not None and view.is_goal(found.state)
    return found, Outcome.SOLVED if solved else Outcome.NOT_FOUND, view


def _check_energy(view: ArrayProblem, seed: int) -> None:
    """Refuse a view whose energy is no number."""
    if view.randomise is None or view.energy is None:
        return
    row = view.row(view.initial)
    view.randomise(row, view.lists, view.work(), [stream(seed, 1)])
    energy = view.energy(row, view.lists, view.work())
    number = as_number(energy)
    if number is None or not -math.inf < number < math.inf:
        raise InputError(f"{view.name}.energy returns {shown(energy)} in {shown(tuple(row))}: expected a finite number")


def _replayed(
    what: Plan, found: Found, outcome: Outcome, view: ArrayProblem | None
) -> tuple[list[Any] | None, Any, Any]:
    """(actions, final state, cost) of a solution, made again by the rules; raises if they refuse it."""
    problem, path = what.problem, found.path
    if outcome is Outcome.SOLVED and view is not None:
        told = view.solution_actions(found.state)
        path = None if told is None else [problem.action_from_json(value) for value in told]
    if outcome is not Outcome.SOLVED or path is None:
        return None, found.state, found.cost
    if view is not None:
        return path, *replayed(problem, path, None, legal=False)
    return path, *replayed(problem, path, found.cost, compiled=what.engine == "compiled")


def _finals(what: Plan, found: Found, final: Any) -> tuple[Any, ...]:
    """The last states of all solutions found, made again by the rules, where they were counted."""
    if found.solutions is None or found.path is None:
        return ()
    return final, *(replayed(what.problem, path, None, legal=False)[0] for path in found.others)


def _proof(what: Plan, control: Control, found: Found, outcome: Outcome, cost: Any) -> Proof:
    """What the search has proved of the least cost."""
    problem, info = what.problem, what.info
    if info.local or outcome is Outcome.NO_SOLUTION or problem.any_solution_will_do:
        return Proof()
    cost = cost if outcome is Outcome.SOLVED else None
    ended = Ended(problem, control, what.h, what.options, found, cost)
    if info.proof is None:
        return ended.unproved(f"{info.name} does not look for the least cost")
    proof = info.proof(ended)
    return proof if what.configuration.specialist is None else _credible(ended, proof, info.name)


def _credible(ended: Ended, proof: Proof, name: str) -> Proof:
    """What a specialist says that it has proved, unless it cannot be; raises if its own solution refutes it."""
    cost, bound = ended.cost, proof.bound
    if cost is not None and bound is not None and bound > cost:
        raise ReplayError(f"{ended.problem.name}: {name} says that no solution costs less than {bound}, of {cost}")
    if cost is None:
        return Proof(None, bound)
    if proof.optimal and ended.control.stopped_by is not None and bound != cost:
        return Proof(False, bound, "the run was ended before it was proved")
    return proof
