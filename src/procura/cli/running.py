"""Run every problem by every configuration, report each run as it ends, and say with which status to exit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from procura.cli.blame import blamed
from procura.cli.interrupt import Interrupt, noted_interrupts
from procura.cli.progress import watched
from procura.cli.settings import Settings
from procura.cli.status import FOUND, INTERRUPTED, close_stdout, explain, say, status_of, worse
from procura.control import Event
from procura.errors import InputError
from procura.problem import Problem
from procura.reading.texts import Task
from procura.result import Result
from procura.solving import solve

Subscriber = Callable[[Event], None]


@dataclass(frozen=True)
class Run:
    """One run: what was run, how, when, and how it ended."""

    task: Task
    settings: Settings
    result: Result
    started: datetime
    ended: datetime
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
    """What follows runs for a file: a log, a trace, a tree."""

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> Subscriber | None:
        """A run begins, of problem ``number`` from 1; who is to be told its events, if anyone."""

    def end(self, run: Run) -> None:
        """The run has ended."""


@dataclass(frozen=True)
class Runner:
    """The problems, the configurations, and everyone who is told."""

    tasks: Sequence[Task]
    settings: Sequence[Settings]
    report: Report
    observers: Sequence[Observer] = ()
    count_solutions: int | None = None

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
                        status, show = self._run(number, task, settings, problem, interrupt)
                        worst = worse(worst, status)  # before it is shown: nobody may be reading
                        show()
                    self.report.problem_done(task)
                    if worst == INTERRUPTED:
                        break
                self.report.end()
            except BrokenPipeError:
                close_stdout()
        return worst

    def _run(
        self, number: int, task: Task, settings: Settings, problem: Problem | _Failure, interrupt: Interrupt
    ) -> tuple[int, Callable[[], None]]:
        """One run: the status, and what shows it."""
        if isinstance(problem, _Failure):
            return problem.status, lambda: self.report.error(task, settings, problem.sentence)
        try:
            with blamed(type(problem)):
                run = self._solved(number, task, settings, problem, interrupt)
        except (Exception, SystemExit) as error:  # a puzzle's code may well call sys.exit
            failure = _failure(error, settings.label if len(self.settings) > 1 else "")
            return failure.status, lambda: self.report.error(task, settings, failure.sentence)
        return status_of(run.result), lambda: self._show(run)

    def _show(self, run: Run) -> None:
        with blamed(type(run.result.problem)):
            self.report.result(run)

    def _solved(self, number: int, task: Task, settings: Settings, problem: Problem, interrupt: Interrupt) -> Run:
        progress = watched(settings.algorithm)
        subscribers = [observer.begin(number, task, settings, problem) for observer in self.observers]
        tell, kinds = _fan_out([subscriber for subscriber in subscribers if subscriber is not None], progress)
        solutions = self._count(problem)
        started = datetime.now().astimezone()
        with progress or nullcontext():
            result = solve(problem, on_event=tell, events=kinds, cancel=interrupt, **settings.keywords())
        run = Run(task, settings, result, started, datetime.now().astimezone(), solutions)
        for observer in self.observers:
            observer.end(run)
        return run

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


def _fan_out(every: Sequence[Subscriber], progress: Any) -> tuple[Subscriber | None, list[str] | None]:
    """Who is told events, and which: all of them to ``every``, those of progress to the line on the terminal."""
    if not every:
        return progress, ["progress"]

    def tell(event: Event) -> None:
        for subscriber in every:
            subscriber(event)
        if progress is not None and event.kind == "progress":
            progress(event)

    return tell, None
