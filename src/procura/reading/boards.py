"""The problems of a text or of a sample's name, for whatever shows them; what a user's class raises is bad input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from procura.catalog import flag
from procura.errors import InputError, OwnPuzzleError, one_line
from procura.game import Game
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, keywords
from procura.texts import Options, Source, Task

T = TypeVar("T")


def tasks_of(puzzle: ChosenPuzzle, source: Source, options: Options) -> list[Task]:
    """The problems in a text, in order."""
    if puzzle.entry is not None and not source.text.strip():
        return [Task(partial(_empty, source.place or "BOARD"))]
    found = _guarded(puzzle, "split_text", lambda: puzzle.cls.split_text(source, options))
    found = found or [Task(lambda: puzzle.cls.from_text(source.text, **options), None, source.place)]
    return [replace(task, build=partial(_built, puzzle, task.build)) for task in found]


def line_task(puzzle: ChosenPuzzle, line: str, options: Options, place: str) -> Task:
    """The problem on a line that is a board."""
    return Task(partial(_built, puzzle, partial(puzzle.cls.from_text, line, **options)), None, place)


def sample_task(puzzle: ChosenPuzzle, name: str, options: Options) -> Task:
    """The problem of that name that comes with the puzzle."""
    arguments = {**puzzle.sample(name), **options}
    for option in options:
        if option not in ("board", *keywords(puzzle.cls)):
            raise InputError(f"{flag(option)} goes with BOARD, not with --sample")
    return Task(lambda: puzzle.cls(**arguments), name)


def _empty(place: str) -> Problem:
    raise InputError(f"{place} is empty: expected a board")


def _built(puzzle: ChosenPuzzle, build: Callable[[], Problem]) -> Problem:
    problem = _guarded(puzzle, "from_text", build)
    kind = Game if issubclass(puzzle.cls, Game) else Problem
    if not isinstance(problem, kind):
        raise InputError(f"{puzzle.name}.from_text returns {problem!r}: expected a {kind.__name__}")
    return problem


def _guarded(puzzle: ChosenPuzzle, method: str, make: Callable[[], T]) -> T:
    """What a method makes of a text; whatever a user's class raises is bad input."""
    try:
        return make()
    except InputError:
        raise
    except Exception as error:
        if puzzle.entry is not None:
            raise
        raise OwnPuzzleError(
            f"{puzzle.name}.{method} cannot read the board: {type(error).__name__}: {one_line(str(error))}"
        ) from error
