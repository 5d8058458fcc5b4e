"""Run one problem after the other, report each as it ends, and say with which status to exit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Protocol

from procura.cli.batches import Task
from procura.cli.interrupt import Interrupt, noted_interrupts
from procura.cli.progress import watched
from procura.cli.settings import Settings
from procura.cli.status import FOUND, INTERRUPTED, close_stdout, explain, say, status_of, worse
from procura.result import Result
from procura.solving import solve


class Report(Protocol):
    """What shows runs to the user."""

    def result(self, task: Task, result: Result) -> None:
        """Show a run."""

    def error(self, task: Task, sentence: str) -> None:
        """Show a problem that could not be run; the sentence is on stderr already."""

    def end(self) -> None:
        """Sum up."""


def run_all(tasks: Sequence[Task], settings: Settings, report: Report) -> int:
    """Run the tasks in order; Ctrl-C ends the run at hand and leaves the rest; the worst status."""
    worst = FOUND
    with noted_interrupts() as interrupt:
        try:
            for task in tasks:
                if interrupt.noted:
                    worst = worse(worst, INTERRUPTED)
                    break
                status, show = _run(task, settings, report, interrupt)
                worst = worse(worst, status)  # before it is shown: nobody may be reading
                show()
                if status == INTERRUPTED:
                    break
            report.end()
        except BrokenPipeError:
            close_stdout()
    return worst


def _run(task: Task, settings: Settings, report: Report, interrupt: Interrupt) -> tuple[int, Callable[[], None]]:
    """Run one problem: the status, and what shows it."""
    try:
        problem = task.problem()
        progress = watched()
        with progress or nullcontext():
            result = solve(problem, on_event=progress, events=["progress"], cancel=interrupt, **settings.keywords())
    except (Exception, SystemExit) as error:  # a puzzle's code may well call sys.exit
        status, sentence = explain(error)
        say(sentence)
        return status, lambda: report.error(task, sentence)
    return status_of(result), lambda: report.result(task, result)
