"""What runs print: JSON lines for programs, boards and statistics for people."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from procura.cli import words
from procura.cli.record import error_record, line, record
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.reading.texts import Task
from procura.result import Outcome


class JsonReport:
    """One object a run, one a line, each flushed; nothing else. ``labelled`` adds what ``--with`` said."""

    def __init__(self, puzzle: str, labelled: bool = False) -> None:
        self.puzzle, self.labelled = puzzle, labelled

    def result(self, run: Run) -> None:
        self._print(record(self.puzzle, run.task.name, run.result, run.solutions), run.settings)

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self._print(error_record(self.puzzle, task.name, sentence), settings)

    def problem_done(self, task: Task) -> None:
        pass

    def end(self) -> None:
        pass

    def _print(self, fields: dict[str, Any], settings: Settings) -> None:
        label = {"configuration": settings.label} if self.labelled else {}
        sys.stdout.write(line(fields | label) + "\n")
        sys.stdout.flush()


class TextReport:
    """Boards and statistics of each run; at the end of a batch how many were solved."""

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
        title = (run.task.place if self.tasks > 1 else None) or run.task.name
        self._render.show(
            self._console,
            run.result,
            title=title,
            steps=self.steps,
            ascii_only=self.ascii_only,
            solutions=words.solutions(run.solutions, self.most_solutions),
        )
        if sum(self.counts.values()) < self.tasks:  # before what comes next, an error on stderr too
            self._render.show_text(self._console, "")

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self.counts["error"] += 1

    def problem_done(self, task: Task) -> None:
        pass

    def end(self) -> None:
        if self.tasks > 1:
            self._render.show_text(self._console, f"\n{self._summary()}", "bold")

    def _summary(self) -> str:
        kinds = {
            Outcome.SOLVED: "solved",
            Outcome.NO_SOLUTION: "without a solution",
            Outcome.NOT_FOUND: "not solved",
            "error": "in error",
        }
        parts = [f"{self.counts[kind]:,} {word}" for kind, word in kinds.items() if self.counts[kind]]
        left = self.tasks - sum(self.counts.values())
        parts += [f"{left:,} not tried"] if left else []
        return f"{words.counted(self.tasks, 'problem')}: {', '.join(parts)}; {self.seconds:.3f} s of search"
