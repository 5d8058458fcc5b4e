"""Tuning on boards: search for the best weights on the training boards, then judge them on the others."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from procura.errors import InputError
from procura.runners.local import Workers
from procura.runners.runner import Runner
from procura.tune.boards import BoardObjective
from procura.tune.intervals import Mean, mean_of
from procura.tune.jobs import Job, Objective, Outcome, digest
from procura.tune.journal import Journal, Trial, as_trial
from procura.tune.methods import Method, make_method
from procura.tune.racing import rests
from procura.tune.rounds import Rounds, Stopped, Watcher, deadline
from procura.tune.spaces import Weights
from procura.tune.workers import Evaluations, Evaluator, Inline

VALIDATION_PARTS = 8
"""Jobs into which the boards of a check are divided, so that several processes share them."""


@dataclass(frozen=True)
class Budget:
    """When a search is over: after so many trials, rounds beyond the first population, or seconds of this run."""

    trials: int | None = None
    rounds: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("trials", 1), ("rounds", 0)):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and value >= least):
                raise InputError(f"{name}={value!r}: expected a whole number from {least}")
        seconds = self.seconds
        if seconds is not None and not (isinstance(seconds, int | float) and 0 <= seconds < math.inf):
            raise InputError(f"seconds={seconds!r}: expected a number from 0")
        if self.trials is None and self.rounds is None and self.seconds is None:
            raise InputError("tuning needs an end: expected trials, rounds or seconds")


@dataclass(frozen=True)
class Generation:
    """How far a search is, told after each generation."""

    number: int
    """From 0, the first population."""
    trials: int
    """So far, in all generations."""
    stopped: int
    """Of these, stopped early."""
    best: dict[str, float]
    value: float
    """The score of the best so far."""
    generation_value: float
    """The score of the best of this generation."""


class Follower(Watcher, Protocol):
    """Who is told how a search goes."""

    def generation(self, done: Generation) -> None:
        """A generation is over."""

    def phase(self, name: str, jobs: int) -> None:
        """What begins, and how many jobs it has."""


class Nobody:
    """Is told everything and does nothing."""

    def started(self, job: Job) -> None: ...
    def ended(self, job: Job, outcome: Outcome | None) -> None: ...
    def failed(self, job: Job, reason: str) -> None: ...
    def generation(self, done: Generation) -> None: ...
    def phase(self, name: str, jobs: int) -> None: ...


@dataclass(frozen=True)
class Judged:
    """How weights do on the training boards and on the others."""

    weights: dict[str, float]
    train: Mean
    validate: Mean | None


@dataclass(frozen=True)
class Tuned:
    """What tuning on boards found."""

    best: Judged
    reference: Judged | None
    difference: Mean | None
    """The best less the reference, board by board on the validation boards."""
    train_difference: Mean | None
    trials: int
    stopped: int
    generations: int
    """The last of them may be cut short by the budget of trials."""
    interrupted: bool
    made: int
    """Trials and checks that this process made."""
    maximise: bool
    unsolved: dict[str, int]
    """Boards of ``train`` and ``validate`` without an answer by the best and by the reference, where both are known."""
    beyond: int
    """Finished trials of the journal that lie beyond this run's budget; they count nowhere else."""
    history: tuple[Generation, ...] = field(repr=False, default=())


def tune(
    objective: BoardObjective,
    method: str = "cmaes",
    *,
    budget: Budget,
    seed: int = 0,
    population: int | None = None,
    preset: str | None = None,
    start: Sequence[Weights] = (),
    against: Weights | None = None,
    early_stop: bool = True,
    journal: str | None = None,
    jobs: int | None = None,
    runner: Runner | None = None,
    cancel: Callable[[], bool] = lambda: False,
    follower: Follower | None = None,
) -> Tuned:
    """Find weights that score best on the training boards of ``objective``, and judge them on the others.

    The same seed gives the same trials, whatever the number of processes and however often it was killed and started
    again on its ``journal``. ``jobs`` worker processes evaluate, or those of ``runner``; None: this process.
    ``against`` are the weights that the best are compared with.
    """
    follower = follower or Nobody()
    space = objective.space
    first = [space.onto(weights) for weights in start]
    how = make_method(method, space, seed, population, first, preset)
    book = Journal(journal, {
        **objective.settings(), "method": method, "preset": preset, "seed": seed, "early_stop": early_stop,
        "population": how.population, "start": [list(weights) for weights in first],
    }, space, objective.maximise)  # fmt: skip
    if runner is None:
        follower.phase("compiling kernels, once: they are kept for the next run", 0)
        objective.compile()
    with evaluator_of(objective, jobs, runner) as evaluator:
        run = BoardSearch(objective, how, book, evaluator, follower, early_stop)
        run.search(budget, deadline(budget.seconds, cancel))
        return run.judge(against, cancel)


def evaluator_of(objective: Objective, jobs: int | None, runner: Runner | None) -> Evaluator:
    """The runner; else worker processes where the system has groups of them, or this process."""
    if runner is None and jobs is not None and hasattr(os, "fork"):
        runner = Workers(jobs, objective.compiled)
    return Inline(objective) if runner is None else Evaluations(objective, runner)


class BoardSearch:
    """A search on boards: its method, and what it has found."""

    def __init__(
        self, objective: BoardObjective, method: Method, journal: Journal, evaluator: Evaluator, follower: Follower,
        early_stop: bool,
    ) -> None:  # fmt: skip
        self.objective, self.method, self.journal = objective, method, journal
        self.follower, self.early_stop = follower, early_stop
        self.names = objective.space.names
        self.rounds = Rounds(journal, evaluator, follower, lambda: False, self._value)
        self.ceilings: list[float] | None = None
        self.history: list[Generation] = []
        self.best: tuple[float, Weights] | None = None
        self.least = math.inf
        """The worst score of a board so far, the greater the better."""
        self.finished = self.stopped = 0
        self.asked: set[str] = set()
        """The slots within the budget."""

    def search(self, budget: Budget, over: Callable[[], bool]) -> None:
        """Make generations until the budget is spent; ends early without complaint when it is over."""
        self.rounds.over = over
        asked = 0
        try:
            if self.early_stop:
                self.ceilings = self._ceilings()
            while budget.rounds is None or len(self.history) <= budget.rounds:
                candidates = self.method.ask()
                left = None if budget.trials is None else budget.trials - asked
                if left is not None and left <= 0:
                    return
                part = candidates[:left]
                jobs = self._generation_jobs(len(self.history), part)
                self.asked |= {job.slot for job in jobs}
                self.follower.phase(f"generation {len(self.history)}", len(jobs))
                outcomes = self.rounds.round(jobs, self.journal.search)
                asked += len(part)
                self._tell(part, outcomes, complete=len(part) == len(candidates))
        except Stopped:
            return

    def _tell(self, candidates: Sequence[Weights], outcomes: Sequence[Outcome], complete: bool) -> None:
        sign = self.objective.sign
        made = [outcome for outcome in outcomes if outcome.failed is None]
        self.finished += len(made)
        self.stopped += sum(outcome.stopped for outcome in made)
        self.least = min([self.least, *(sign * score for outcome in made for score in outcome.scores)])
        scores = [self._score(outcome) for outcome in outcomes]
        for score, outcome in zip(scores, outcomes, strict=True):
            if outcome.failed is None and not outcome.stopped and (self.best is None or score > self.best[0]):
                self.best = (score, outcome.weights)
        if self.best is None:
            raise InputError(f"no candidate could be evaluated: {outcomes[0].failed}")
        if complete:
            self.method.tell(candidates, scores)
        best, weights = self.best
        named = dict(zip(self.names, weights, strict=True))
        self.history.append(
            Generation(len(self.history), self.finished, self.stopped, named, sign * best, sign * max(scores))
        )
        self.follower.generation(self.history[-1])

    def _ceilings(self) -> list[float] | None:
        """The most that any weights can score on each training board, the greater the better; None if unknown."""
        count = len(self.objective.train)
        if not self.objective.has_ceilings():
            return None
        if self.objective.scoring.ceiling is None:
            return [0.0] * count
        jobs = [
            Job(f"ceilings.{part[0]}", (), {"ceilings": part, "count": len(part)})
            for part in parted(range(count), VALIDATION_PARTS)
        ]
        self.follower.phase("the best possible", len(jobs))
        outcomes = self.rounds.round(jobs, self.journal.checks)
        found = [score for outcome in outcomes for score in outcome.scores]
        return found if len(found) == count and all(map(math.isfinite, found)) else None

    def _generation_jobs(self, generation: int, candidates: Sequence[Weights]) -> list[Job]:
        count = len(self.objective.train)
        task: dict[str, Any] = {"set": "train", "boards": list(range(count)), "count": count}
        bar = self.method.bar()
        if self.ceilings is not None and bar is not None:
            task |= {"bar": bar * count, "rests": rests(self.ceilings)}
        return [Job(f"{generation}.{i}", weights, task, generation) for i, weights in enumerate(candidates)]

    def _score(self, outcome: Outcome) -> float:
        """What the method is told, the greater the better: the mean, or what it could have been at best.

        Weights that end every process that tries them are worse than all others.
        """
        if outcome.failed is not None:
            return self.least - 1.0
        seen = self.objective.sign * math.fsum(outcome.scores)
        rest = rests(self.ceilings)[len(outcome.scores)] if outcome.stopped and self.ceilings is not None else 0.0
        return (seen + rest) / len(self.objective.train)

    def _value(self, outcome: Outcome, job: Job) -> float:
        """What the journal says of an outcome."""
        if job.task.get("set") == "train" and job.generation is not None:
            return self.objective.sign * self._score(outcome)
        finite = [score for score in outcome.scores if math.isfinite(score)]
        return math.fsum(finite) / max(len(finite), 1)

    def trials(self) -> list[Trial]:
        """The finished trials of the search."""
        self.journal.search.refresh()
        return [as_trial(self.names, trial) for trial in self.journal.search.finished()]

    def judge(self, against: Weights | None, cancel: Callable[[], bool]) -> Tuned:
        """The best so far, on training and validation boards, beside the reference."""
        known = self.trials()
        trials = [trial for trial in known if trial.slot in self.asked]
        best = best_trial(trials, self.objective.maximise)
        if best is None:
            raise NothingFound("no trial was finished: expected more time")
        self.rounds.over = cancel
        weights = tuple(best.weights.values())
        tables: dict[tuple[Weights, str], list[float]] = {(weights, "train"): list(best.scores)}
        wanted = [(weights, "validate")]
        if against is not None:
            wanted += [(against, "train"), (against, "validate")]
        interrupted = cancel()
        try:
            tables |= self._check([one for one in wanted if one not in tables])
        except Stopped:
            interrupted = True
        return self._tuned(weights, against, tables, trials, len(known) - len(trials), interrupted)

    def _check(self, wanted: Sequence[tuple[Weights, str]]) -> dict[tuple[Weights, str], list[float]]:
        """The scores of weights on whole sets of boards, by weights and set."""
        jobs: list[Job] = []
        parts: list[tuple[Weights, str]] = []
        for weights, name in dict.fromkeys(wanted):
            boards = self.objective.train if name == "train" else self.objective.validate
            for part in parted(range(len(boards)), VALIDATION_PARTS):
                task = {"set": name, "boards": part, "count": len(part)}
                jobs.append(Job(f"{name}.{digest(weights)}.{part[0]}", weights, task))
                parts.append((weights, name))
        if not jobs:
            return {}
        self.follower.phase("validation", len(jobs))
        found: dict[tuple[Weights, str], list[float]] = {}
        for key, outcome in zip(parts, self.rounds.round(jobs, self.journal.checks), strict=True):
            if outcome.failed is not None:
                raise InputError(f"validation failed: {outcome.failed}")
            found.setdefault(key, []).extend(outcome.scores)
        return found

    def _tuned(
        self, weights: Weights, against: Weights | None, tables: dict[tuple[Weights, str], list[float]],
        trials: Sequence[Trial], beyond: int, interrupted: bool,
    ) -> Tuned:  # fmt: skip
        def judged(one: Weights) -> Judged | None:
            train, validate = tables.get((one, "train")), tables.get((one, "validate"))
            if train is None:
                return None
            named = dict(zip(self.names, one, strict=True))
            return Judged(named, mean_of(train), mean_of(validate) if validate else None)

        def difference(name: str) -> Mean | None:
            ours, theirs = tables.get((weights, name)), tables.get((against or (), name))
            return mean_of([a - b for a, b in zip(ours, theirs, strict=True)]) if ours and theirs else None

        unsolved = {}
        for name in ("train", "validate"):
            known = [tables.get((one, name)) for one in (weights, against) if one is not None]
            if all(known):
                unsolved[name] = self.objective.unsolved(name, [table for table in known if table])
        best = judged(weights)
        assert best is not None
        return Tuned(
            best, None if against is None else judged(against), difference("validate"), difference("train"),
            len(trials), sum(trial.stopped for trial in trials), len(self.history), interrupted, self.rounds.made,
            self.objective.maximise, unsolved, beyond, tuple(self.history),
        )  # fmt: skip


class NothingFound(InputError):
    """A search ended before a single trial was finished."""


def best_trial(trials: Sequence[Trial], maximise: bool) -> Trial | None:
    """The best of the trials that were not stopped; of equal ones that of the earliest slot."""
    from procura.tune.journal import place

    sign = 1 if maximise else -1
    whole = [trial for trial in trials if not trial.stopped]
    return min(whole, key=lambda trial: (-sign * trial.value, place(trial.slot)), default=None)


def parted(numbers: range, parts: int) -> list[list[int]]:
    """The numbers in about so many runs.

    >>> parted(range(5), 2)
    [[0, 1, 2], [3, 4]]
    """
    size = max(-(-len(numbers) // parts), 1)
    return [list(numbers[at : at + size]) for at in range(0, len(numbers), size)]
