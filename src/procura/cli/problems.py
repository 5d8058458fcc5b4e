"""The problems of a file, numbered, drawn, with their targets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from procura.cli import words
from procura.cli.blame import blamed
from procura.cli.boards import read_source, read_tasks
from procura.cli.render import picture
from procura.cli.status import FOUND, explain, say, worse
from procura.errors import InputError
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle
from procura.reading.texts import Options, Task, dots_problems


def show_problems(puzzle: ChosenPuzzle, file: str, ascii_only: bool) -> int:
    """Print the problems; the worst status: one that cannot be read is told, and the rest goes on."""
    listed = problems(puzzle, file, {})
    worst = FOUND
    for number, problem in enumerate(listed, 1):
        try:
            with blamed(puzzle.cls):
                text = shown(number, problem, ascii_only)
        except (Exception, SystemExit) as error:
            status, sentence = explain(error)
            worst = worse(worst, status)
            say(sentence)
            continue
        sys.stdout.write(text + "\n" + ("\n" if number < len(listed) else ""))
        sys.stdout.flush()
    return worst


def problems(puzzle: ChosenPuzzle, file: str, options: Options) -> list[Listed]:
    """The problems of a file, to be drawn."""
    return _dots(puzzle, file) if puzzle.name == "dots" else _others(puzzle, file, options)


@dataclass(frozen=True)
class Listed:
    """A problem of the file, and what tells its target."""

    task: Task
    target: Callable[[Problem], str | None]


def shown(number: int, listed: Listed, ascii_only: bool = False) -> str:
    """A problem drawn under its number, name and target; raises ``InputError``."""
    problem = listed.task.problem()
    target = listed.target(problem)
    heading = [f"{number}.", *([listed.task.name] if listed.task.name else [])]
    heading += [f"target {target}"] if target is not None else []
    return f"{' '.join(heading)}\n{picture(problem, problem.initial, ascii_only)}"


def _others(puzzle: ChosenPuzzle, file: str, options: Options) -> list[Listed]:
    return [Listed(task, words.target) for task in read_tasks(puzzle, file, (), options)]


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
