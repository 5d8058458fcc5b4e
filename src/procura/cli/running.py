"""Run every problem by every configuration, report each run as it ends, and say with which status to exit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from procura.cli.blame import blamed
from procura.cli.interrupt import Interrupt, noted_interrupts
from procura.cli.progress import watched
from procura.cli.settings import Settings
from procura.cli.status import FOUND, INTERRUPTED, close_stdout, explain, say, status_of, worse
from procura.control import Event
from procura.errors import InputError
from procura.problem import Problem
from procura.result import Result
from procura.solving import solve
from procura.texts import Task

Subscriber = Callable[[Event], None]


@dataclass(frozen=True)
class Run:
    """One run: what was run, how, and how it ended."""

    task: Task
    settings: Settings
    result: Result
    solutions: int | None = None
    """The solutions counted, if that was asked."""


class Report(Protocol):
    """What shows runs to the user."""

    def result(self, run: Run) -> None:
        """Show a run."""

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        """Show a run that could not be; the sentence is on stderr already."""

    def problem_done(self, task: Task) -> None:
        """All runs of a problem have ended."""

    def end(self) -> None:
        """Sum up."""


class Observer(Protocol):
    """What follows runs into a file: a log, a trace, a tree."""

    failure: InputError | None
    """Why the file could not be written, if it could not; the runs go on without it."""

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> Subscriber | None:
        """A run begins, of problem ``number`` from 1; who is to be told its events, if anyone."""

    def end(self, run: Run | None) -> None:
        """The run has ended and its answer is shown; None if it has failed."""


@dataclass(frozen=True)
class Runner:
    """The problems, the configurations, and everyone who is told.

    The answer comes first: it is shown before files are written, and whatever becomes of them.
    """

    tasks: Iterable[Task]
    settings: Sequence[Settings]
    report: Report
    observers: Sequence[Observer] = ()
    count_solutions: int | None = None
    _told: list[InputError] = field(default_factory=list)
    """The failures of observers that were said."""

    def run_all(self) -> int:
        """Run them in order; Ctrl-C ends the run at hand and leaves the rest; the worst status."""
        worst = FOUND
        with noted_interrupts() as interrupt:
            try:
                for number, task in enumerate(self.tasks, 1):
                    problem = None if interrupt.noted else _built(task)
                    for settings in self.settings:
                        if problem is None or interrupt.noted:
                            worst = INTERRUPTED
                            break
                        status, run, show = self._run(number, task, settings, problem, interrupt)
                        worst = worse(worst, status)  # before it is shown: nobody may be reading
                        try:
                            show()
                        finally:
                            worst = worse(worst, self._observed(run))
                    self.report.problem_done(task)
                    if worst == INTERRUPTED:
                        break
                self.report.end()
            except BrokenPipeError:
                close_stdout()
        return worst

    def _run(
        self, number: int, task: Task, settings: Settings, problem: Problem | _Failure, interrupt: Interrupt
    ) -> tuple[int, Run | None, Callable[[], None]]:
        """One run: the status, what came of it, and what shows it."""
        if isinstance(problem, _Failure):
            return problem.status, None, lambda: self.report.error(task, settings, problem.sentence)
        try:
            with blamed(type(problem)):
                run = self._solved(number, task, settings, problem, interrupt)
        except (Exception, SystemExit) as error:  # a puzzle's code may well call sys.exit
            failure = _failure(error, settings.label if len(self.settings) > 1 else "")
            return failure.status, None, lambda: self.report.error(task, settings, failure.sentence)
        return status_of(run.result), run, lambda: self._show(run)

    def _show(self, run: Run) -> None:
        with blamed(type(run.result.problem)):
            self.report.result(run)

    def _solved(self, number: int, task: Task, settings: Settings, problem: Problem, interrupt: Interrupt) -> Run:
        progress = watched(settings.algorithm)
        subscribers = [observer.begin(number, task, settings, problem) for observer in self.observers]
        tell, kinds = _fan_out([subscriber for subscriber in subscribers if subscriber is not None], progress)
        solutions = self._count(problem)
        with progress:
            result = solve(problem, on_event=tell, events=kinds, cancel=interrupt, **settings.keywords())
        return Run(task, settings, result, result.solutions if solutions is None else solutions)

    def _observed(self, run: Run | None) -> int:
        """Let the files know how a run ended; the status that this adds, after what went wrong is said once each."""
        status = FOUND
        for observer in self.observers:
            try:
                with nullcontext() if run is None else blamed(type(run.result.problem)):
                    observer.end(run)
            except Exception as error:
                status = worse(status, _failure(error).status)
            if observer.failure is not None and observer.failure not in self._told:
                self._told.append(observer.failure)
                status = worse(status, _failure(observer.failure).status)
        return status

    def _count(self, problem: Problem) -> int | None:
        if self.count_solutions is None:
            return None
        count = problem.count_solutions(self.count_solutions)
        if count is None:
            raise InputError(f"--solutions: {problem.name} counts none")
        return count


@dataclass(frozen=True)
class _Failure:
    """Why there is no problem or no result; said already."""

    status: int
    sentence: str


def _built(task: Task) -> Problem | _Failure:
    try:
        return task.problem()
    except (Exception, SystemExit) as error:
        return _failure(error)


def _failure(error: BaseException, place: str = "") -> _Failure:
    status, sentence = explain(error)
    sentence = f"{place}: {sentence}" if place else sentence
    say(sentence)
    return _Failure(status, sentence)


def _fan_out(every: Sequence[Subscriber], progress: Subscriber) -> tuple[Subscriber, list[str] | None]:
    """Who is told events, and which: all of them to ``every``, those of progress to ``progress``."""
    if not every:
        return progress, ["progress"]

    def tell(event: Event) -> None:
        for subscriber in every:
            subscriber(event)
        if event.kind == "progress":
            progress(event)

    return tell, None
