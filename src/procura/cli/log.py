"""``--log``: a readable record of each run, added to the end of a file in one piece."""

from __future__ import annotations

import os
from typing import Any

from procura.cli import words
from procura.cli.files import open_for_appending
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.problem import Problem
from procura.reading.texts import Task

Rows = list[tuple[str, str | None]]
_LIMITS = ("seconds", "nodes", "memory", "depth")


class Log:
    """An observer that writes a record when a run ends; a context that closes the file."""

    def __init__(self, path: str, puzzle: str) -> None:
        self.puzzle = puzzle
        self._file = open_for_appending(path, "--log")

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *exception: Any) -> None:
        os.close(self._file)

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> None:
        """Nothing is written before the end."""

    def end(self, run: Run) -> None:
        """Write the record; one call, so that records of several processes do not mix."""
        content = (entry(self.puzzle, run) + "\n").encode("utf-8", "backslashreplace")
        written = os.write(self._file, content)
        while written < len(content):  # only a disk that is full, or a pipe, takes a part
            written += os.write(self._file, content[written:])


def entry(puzzle: str, run: Run) -> str:
    """The record of a run: labels and values, then the boards."""
    result = run.result
    rows = _what(puzzle, run) + _how(run)
    width = max(len(label) for label, _ in rows) + 2
    lines = [f"{label.ljust(width)}{'-' if value is None else value}".rstrip() for label, value in rows]
    lines += ["initial board", *_indented(result.problem.to_text(result.problem.initial))]
    lines += ["final board", *_indented(result.final_text or "-")]
    return "\n".join(lines) + "\n"


def _what(puzzle: str, run: Run) -> Rows:
    """What was run, how and when."""
    result = run.result
    options = (f"{name}={words.plain(value)}" for name, value in result.options.items())
    return [
        ("puzzle", puzzle),
        ("name", run.task.name),
        ("read from", run.task.place or None),
        ("target", words.target(result.problem)),
        ("algorithm", words.configuration(result)),
        ("options", ", ".join(options) or None),
        *((f"{name} limit", words.number(getattr(run.settings.limits, name))) for name in _LIMITS),
        ("start", run.started.isoformat(" ", "milliseconds")),
        ("end", run.ended.isoformat(" ", "milliseconds")),
    ]


def _how(run: Run) -> Rows:
    """How the run ended."""
    result, stats = run.result, run.result.stats
    return [
        ("outcome", words.outcome(result)),
        ("proof", words.proof(result)),
        ("cost", words.number(result.cost)),
        ("length", words.number(result.length)),
        ("actions", words.actions(result) or None),
        ("generated", words.number(stats.generated)),
        ("expanded", words.number(stats.expanded)),
        ("penetrance", words.number(stats.penetrance)),
        ("branching factor", words.number(stats.branching_factor)),
        ("seconds", f"{stats.seconds:.6f}"),
    ]


def _indented(board: str) -> list[str]:
    return [f"    {line}".rstrip() for line in board.splitlines()]
