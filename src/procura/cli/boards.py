"""BOARD: a file, standard input or the text itself; and the problems in it, one or a batch."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from procura.cli.blame import blamed
from procura.errors import InputError
from procura.game import Game
from procura.problem import Problem
from procura.reading.boards import sample_task, tasks_of
from procura.reading.puzzles import ChosenPuzzle
from procura.texts import Options, Source, Task

_FILE_NAME = re.compile(r"(?=[^\n]*[A-Za-z])[^\n]{0,200}/[^\n]{0,200}|[\w-][\w -]{0,200}(\.[\w-]+)?\.[A-Za-z]{2,5}")
"""Texts that were probably meant as the name of a file; told only if they are no board either."""
ALL = "all"
"""The name of all samples at once."""


def read_tasks(puzzle: ChosenPuzzle, board: str | None, samples: Sequence[str], options: Options) -> list[Task]:
    """The problems that BOARD or ``--sample`` names, in order."""
    if board is None and not samples and not options and puzzle.needs_nothing():
        return [Task(lambda: _made(puzzle))]
    with blamed(puzzle.cls):
        described = puzzle.cls.from_options(options) if board is None and not samples else None
    if described is not None:
        return [Task(lambda: described)]
    if (board is None) == (not samples):
        raise InputError(_missing(puzzle) if puzzle.entry is None else "expected either BOARD or --sample NAME")
    if board is None:
        return [sample_task(puzzle, name, options) for sample in samples for name in _named(puzzle, sample)]
    return tasks_of(puzzle, read_source(board), options)


def _made(puzzle: ChosenPuzzle) -> Problem | Game:
    """A class that needs nothing, made; what it raises is bad input."""
    with blamed(puzzle.cls):
        made: Problem | Game = puzzle.cls()
    return made


def _missing(puzzle: ChosenPuzzle) -> str:
    """What a user's class wants, if it cannot be made as it is."""
    if puzzle.needs_nothing() or puzzle.defines("from_text"):
        return "expected a BOARD"
    needs = "has no from_text that makes one of a BOARD, and its __init__ needs arguments"
    return f"{puzzle.name} {needs}: define the class method from_text(cls, text), or give the arguments defaults"


def _named(puzzle: ChosenPuzzle, sample: str) -> list[str]:
    return list(puzzle.samples()) if sample == ALL and puzzle.samples() else [sample]


def read_source(board: str) -> Source:
    """The text of a file if there is one of that name, of standard input for ``-``, else ``board`` itself."""
    if board == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: expected a board")
        return Source(decoded(sys.stdin.buffer.read(), "standard input"), "standard input")
    if os.path.isdir(board):
        return Source(board, f"{board!r} is a folder, and as a board")
    if not os.path.exists(board):
        return Source(board, f"there is no file {board!r}, and as a board" if _FILE_NAME.fullmatch(board) else "")
    try:
        with open(board, "rb") as file:
            return Source(decoded(file.read(), board), board)
    except OSError as error:
        raise InputError(f"{board} cannot be read: {error.strerror}") from None


def decoded(content: bytes, place: str) -> str:
    """The text of a file; raises ``InputError`` if it is none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{place}, byte {error.start}: expected text in UTF-8") from None
