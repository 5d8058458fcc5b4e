"""The problems of a file, numbered, drawn, with their targets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from procura.cli import words
from procura.cli.batches import Task, dots_problems
from procura.cli.boards import read_source, read_tasks
from procura.cli.puzzles import ChosenPuzzle
from procura.cli.render import picture
from procura.cli.status import FOUND, explain, say, worse
from procura.errors import InputError
from procura.problem import Problem


def show_problems(puzzle: ChosenPuzzle, file: str, ascii_only: bool) -> int:
    """Print the problems; the worst status: one that cannot be read is told, and the rest goes on."""
    listed = _dots(puzzle, file) if puzzle.name == "dots" else _others(puzzle, file)
    worst = FOUND
    for number, problem in enumerate(listed, 1):
        try:
            text = _shown(number, problem, ascii_only)
        except (Exception, SystemExit) as error:
            status, sentence = explain(error)
            worst = worse(worst, status)
            say(sentence)
            continue
        sys.stdout.write(text + "\n" + ("\n" if number < len(listed) else ""))
        sys.stdout.flush()
    return worst


@dataclass(frozen=True)
class Listed:
    """A problem of the file, and what tells its target."""

    task: Task
    target: Callable[[Problem], str | None]


def _shown(number: int, listed: Listed, ascii_only: bool) -> str:
    problem = listed.task.problem()
    target = listed.target(problem)
    heading = [f"{number}.", *([listed.task.name] if listed.task.name else [])]
    heading += [f"target {target}"] if target is not None else []
    return f"{' '.join(heading)}\n{picture(problem, problem.initial, ascii_only)}"


def _others(puzzle: ChosenPuzzle, file: str) -> list[Listed]:
    return [Listed(task, words.target) for task in read_tasks(puzzle, file, (), {})]


def _dots(puzzle: ChosenPuzzle, file: str) -> list[Listed]:
    """The problems of a Dots file; one without a target is drawn all the same."""
    source = read_source(file)

    def listed(number: int, item: Any) -> Listed:
        def build() -> Problem:
            if isinstance(item, InputError):
                raise item
            cls: Any = puzzle.cls
            return cls([item.horizontals, item.verticals], item.target or 0)

        task = Task(build, getattr(item, "name", None), source.at(f"problem {number}"))
        return Listed(task, lambda problem: None if item.target is None else str(item.target))

    return [listed(number, item) for number, item in enumerate(dots_problems(source.text), 1)]
