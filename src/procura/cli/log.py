"""``--log``: a readable record of each run, added to the end of a file in one piece."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from procura import words
from procura.cli.files import Output, open_for_appending
from procura.cli.harmless import harmless
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.problem import Problem
from procura.record import record
from procura.result import Result
from procura.texts import Task

Rows = list[tuple[str, str | None]]
_LIMITS = ("seconds", "nodes", "memory", "depth")


class Log(Output):
    """An observer that writes a record when a run ends; a context that closes the file."""

    def __init__(self, path: str, puzzle: str) -> None:
        super().__init__(path, "--log")
        self.puzzle = puzzle
        self._file = open_for_appending(path, self.option)

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close(lambda: os.close(self._file))

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> None:
        """Nothing is written before the end."""

    def end(self, run: Run | None) -> None:
        """Write the record; one call, so that records of several processes do not mix."""
        if run is None or self.failure is not None:
            return
        content = harmless(entry(self.puzzle, run) + "\n").encode("utf-8", "backslashreplace")
        with self.writing():
            written = os.write(self._file, content)
            while written < len(content):  # only a disk that is full, or a pipe, takes a part
                written += os.write(self._file, content[written:])


def entry(puzzle: str, run: Run) -> str:
    """The record of a run: labels and values, then the boards."""
    told = record(run.result, puzzle=puzzle, name=run.task.name)
    rows = _what(told, run) + _how(run.result)
    width = max(len(label) for label, _ in rows) + 2
    lines = [f"{label.ljust(width)}{'-' if value is None else value}".rstrip() for label, value in rows]
    lines += ["initial board", *_indented(told["initial"])]
    lines += ["final board", *_indented(told["final"] or "-")]
    return "\n".join(lines) + "\n"


def _what(told: Mapping[str, Any], run: Run) -> Rows:
    """What was run, how and when."""
    result = run.result
    return [
        ("puzzle", told["puzzle"]),
        ("name", told["name"]),
        ("read from", run.task.place or None),
        ("target", result.problem.target_text()),
        ("puzzle options", words.options(told["options"]["puzzle"]) or None),
        ("algorithm", words.configuration(result)),
        ("options", words.options(result.options) or None),
        *((f"{name} limit", words.number(getattr(run.settings.limits, name))) for name in _LIMITS),
        ("start", told["started"].replace("T", " ")),
        ("end", told["ended"].replace("T", " ")),
    ]


def _how(result: Result) -> Rows:
    """How the run ended."""
    stats = result.stats
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
