"""What ``solve`` prints: JSON lines for programs, boards and statistics for people."""

from __future__ import annotations

import sys
from collections import Counter

from procura.cli.batches import Task
from procura.cli.record import error_record, line, record
from procura.cli.words import counted
from procura.result import Outcome, Result


class JsonReport:
    """One object a problem, one a line, each flushed; nothing else."""

    def __init__(self, puzzle: str) -> None:
        self.puzzle = puzzle

    def result(self, task: Task, result: Result) -> None:
        self._print(line(record(self.puzzle, task.name, result)))

    def error(self, task: Task, sentence: str) -> None:
        self._print(line(error_record(self.puzzle, task.name, sentence)))

    def end(self) -> None:
        pass

    def _print(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


class TextReport:
    """Boards and statistics of each run; at the end of a batch how many were solved."""

    def __init__(self, tasks: int, steps: bool) -> None:
        from procura.cli import render

        self._render = render
        self._console = render.new_console()
        self.tasks, self.steps = tasks, steps
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def result(self, task: Task, result: Result) -> None:
        if self.counts:
            self._render.show_text(self._console, "")
        self.counts[result.outcome.value] += 1
        self.seconds += result.stats.seconds
        title = (task.place if self.tasks > 1 else None) or task.name
        self._render.show(self._console, result, title=title, steps=self.steps)

    def error(self, task: Task, sentence: str) -> None:
        self.counts["error"] += 1

    def end(self) -> None:
        if self.tasks > 1:
            self._render.show_text(self._console, f"\n{self._summary()}", "bold")

    def _summary(self) -> str:
        words = {
            Outcome.SOLVED: "solved",
            Outcome.NO_SOLUTION: "without a solution",
            Outcome.NOT_FOUND: "not solved",
            "error": "in error",
        }
        parts = [f"{self.counts[kind]:,} {word}" for kind, word in words.items() if self.counts[kind]]
        left = self.tasks - sum(self.counts.values())
        parts += [f"{left:,} not tried"] if left else []
        return f"{counted(self.tasks, 'problem')}: {', '.join(parts)}; {self.seconds:.3f} s of search"
