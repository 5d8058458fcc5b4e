"""BOARD: a file, standard input or the text itself; and the problems in it, one or a batch."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from procura.catalog import flag
from procura.errors import InputError, OwnPuzzleError, one_line
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, keywords
from procura.reading.texts import SPLITTERS, Options, Source, Task

_FILE_NAME = re.compile(r"(?=[^\n]*[A-Za-z])[^\n]{0,200}/[^\n]{0,200}|[\w-][\w -]{0,200}(\.[\w-]+)?\.[A-Za-z]{2,5}")
"""Texts that were probably meant as the name of a file; told only if they are no board either."""
ALL = "all"
"""The name of all samples at once."""


def read_tasks(puzzle: ChosenPuzzle, board: str | None, samples: Sequence[str], options: Options) -> list[Task]:
    """The problems that BOARD or ``--sample`` names, in order."""
    if board is None and not samples and not options and puzzle.needs_nothing():
        return [Task(puzzle.cls)]
    if (board is None) == (not samples):
        raise InputError(_missing(puzzle) if puzzle.entry is None else "expected either BOARD or --sample NAME")
    if board is None:
        return [_sample_task(puzzle, name, options) for sample in samples for name in _named(puzzle, sample)]
    return tasks_of(puzzle, read_source(board), options)


def _missing(puzzle: ChosenPuzzle) -> str:
    """What a user's class wants, if it cannot be made as it is."""
    if puzzle.needs_nothing() or puzzle.defines("from_text"):
        return "expected a BOARD"
    needs = "has no from_text that makes one of a BOARD, and its __init__ needs arguments"
    return f"{puzzle.name} {needs}: define the class method from_text(cls, text), or give the arguments defaults"


def tasks_of(puzzle: ChosenPuzzle, source: Source, options: Options) -> list[Task]:
    """The problems in a text, in order."""
    split = SPLITTERS.get(puzzle.name) if puzzle.entry is not None else None
    several = split(puzzle.cls, source, options) if split is not None else []
    return several or [Task(lambda: _from_text(puzzle, source.text, options), None, source.place)]


def _named(puzzle: ChosenPuzzle, sample: str) -> list[str]:
    return list(puzzle.samples()) if sample == ALL and puzzle.samples() else [sample]


def _sample_task(puzzle: ChosenPuzzle, name: str, options: Options) -> Task:
    arguments = {**puzzle.sample(name), **options}
    for option in options:
        if option not in ("board", *keywords(puzzle.cls)):
            raise InputError(f"{flag(option)} goes with BOARD, not with --sample")
    return Task(lambda: puzzle.cls(**arguments), name)


def read_source(board: str) -> Source:
    """The text of a file if there is one of that name, of standard input for ``-``, else ``board`` itself."""
    if board == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: expected a board")
        return Source(_decoded(sys.stdin.buffer.read(), "standard input"), "standard input")
    if os.path.isdir(board):
        return Source(board, f"{board!r} is a folder, and as a board")
    if not os.path.exists(board):
        return Source(board, f"there is no file {board!r}, and as a board" if _FILE_NAME.fullmatch(board) else "")
    try:
        with open(board, "rb") as file:
            return Source(_decoded(file.read(), board), board)
    except OSError as error:
        raise InputError(f"{board} cannot be read: {error.strerror}") from None


def _decoded(content: bytes, place: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{place}, byte {error.start}: expected text in UTF-8") from None


def _from_text(puzzle: ChosenPuzzle, text: str, options: Options) -> Problem:
    if puzzle.entry is not None:
        return puzzle.cls.from_text(text, **options)
    try:
        problem = puzzle.cls.from_text(text, **options)
    except InputError:
        raise
    except Exception as error:  # a user's class may raise anything
        raise OwnPuzzleError(
            f"{puzzle.name}.from_text cannot read the board: {type(error).__name__}: {one_line(str(error))}"
        ) from error
    if not isinstance(problem, Problem):
        raise InputError(f"{puzzle.name}.from_text returns {problem!r}: expected a Problem")
    return problem
