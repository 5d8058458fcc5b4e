"""What runs print: JSON lines for programs, boards and statistics for people."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from procura import words
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.record import line, printed, record
from procura.result import Outcome
from procura.texts import Task


class JsonReport:
    """One object a run, one a line, each flushed; nothing else. ``labelled`` adds what ``--with`` said."""

    def __init__(self, puzzle: str, labelled: bool = False) -> None:
        self.puzzle, self.labelled = puzzle, labelled

    def result(self, run: Run) -> None:
        told = record(run.result, puzzle=self.puzzle, name=run.task.name, solutions=run.solutions)
        self._print(told, run.settings)

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self._print({"puzzle": self.puzzle, "name": task.name, "error": sentence}, settings)

    def problem_done(self, task: Task) -> None:
        pass

    def end(self) -> None:
        pass

    def _print(self, told: dict[str, Any], settings: Settings) -> None:
        label = {"configuration": settings.label} if self.labelled else {}
        sys.stdout.write(line(printed(told) | label) + "\n")
        sys.stdout.flush()


class TextReport:
    """Boards and statistics of each run; at the end of a batch how many were solved.

    ``tasks``: how many problems there are; 0 for several, of which it is not known before the last.
    """

    def __init__(self, tasks: int, steps: bool = False, ascii_only: bool = False, most: int | None = None) -> None:
        from procura.cli import render

        self._render = render
        self._console = render.new_console()
        self.tasks, self.steps, self.ascii_only = tasks, steps, ascii_only
        self.most_solutions = most
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def result(self, run: Run) -> None:
        self.counts[run.result.outcome.value] += 1
        self.seconds += run.result.stats.seconds
        title = (run.task.place if self.tasks != 1 else None) or run.task.name
        self._render.show(
            self._console,
            run.result,
            title=title,
            steps=self.steps,
            ascii_only=self.ascii_only,
            solutions=words.solutions(run.solutions, self.most_solutions or run.result.options.get("solutions")),
        )
        if self.tasks != 1:  # before what comes next, an error on stderr too
            self._render.show_text(self._console, "")

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self.counts["error"] += 1

    def problem_done(self, task: Task) -> None:
        pass

    def end(self) -> None:
        if self.tasks != 1:
            self._render.show_text(self._console, self._summary(), "bold")

    def _summary(self) -> str:
        kinds = {
            Outcome.SOLVED: "solved",
            Outcome.NO_SOLUTION: "without a solution",
            Outcome.NOT_FOUND: "not solved",
            "error": "in error",
        }
        parts = [f"{self.counts[kind]:,} {word}" for kind, word in kinds.items() if self.counts[kind]]
        done = sum(self.counts.values())
        parts += [f"{self.tasks - done:,} not tried"] if self.tasks > done else []
        return f"{words.counted(self.tasks or done, 'problem')}: {', '.join(parts)}; {self.seconds:.3f} s of search"
