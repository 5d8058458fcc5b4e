"""Puzzles whose code comes with a message: the code is run, its class found, and what it raises named with the line.

Only a session that is told so does it: in a page's own sandbox, or in a child process that can be killed.
"""

from __future__ import annotations

import ast
import hashlib
import tempfile
import traceback
from collections import OrderedDict
from pathlib import Path
from typing import Any

from procura.errors import InputError, OwnPuzzleError, ProcuraError, one_line
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.testing import ConformanceError, check

LONGEST_CODE = 100_000
"""Characters of a puzzle's code."""
MOST_PUZZLES = 8
FILE = "puzzle.py"
"""What the code is called in sentences and in lines to copy."""
WALKS, LENGTH = 8, 20
"""Of a check, which is to come back soon."""


class Written:
    """The puzzles of the codes that came last."""

    def __init__(self) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="procura-", ignore_cleanup_errors=True)
        self._folder = Path(self._place.name)
        self._known: OrderedDict[str, ChosenPuzzle] = OrderedDict()

    def puzzle(self, code: str) -> ChosenPuzzle:
        """The puzzle that a code defines: its last class that is a problem. The code is run once."""
        known = self._known.pop(code, None) or self._load(code)
        self._known[code] = known
        if len(self._known) > MOST_PUZZLES:
            self._known.popitem(last=False)
        return known

    def _load(self, code: str) -> ChosenPuzzle:
        if len(code) > LONGEST_CODE:
            raise InputError(f"the code has {len(code):,} characters: expected at most {LONGEST_CODE:,}")
        folder = self._folder / hashlib.sha256(code.encode()).hexdigest()[:16]
        folder.mkdir(exist_ok=True)
        path = folder / FILE
        path.write_text(code, encoding="utf-8")
        names = [node.name for node in ast.parse(code, FILE).body if isinstance(node, ast.ClassDef)]
        for name in reversed(names):
            try:
                return choose_puzzle(f"{path}:{name}")
            except OwnPuzzleError:
                raise
            except InputError:
                continue  # a class of another kind
        raise InputError("the code has no class derived from procura.Problem or ArrayProblem: expected one")

    def line(self, error: BaseException | None) -> int | None:
        """The line of the code at which an error was raised, if it was there."""
        while error is not None:
            if isinstance(error, SyntaxError):
                return error.lineno
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if Path(frame.filename).is_relative_to(self._folder)]
            if lines:
                return lines[-1]
            error = error.__cause__
        return None

    def sentence(self, error: BaseException) -> str:
        """What went wrong, in a sentence that names the line."""
        cause = error.__cause__ if isinstance(error, OwnPuzzleError) and error.__cause__ is not None else error
        if isinstance(cause, SyntaxError):
            return f"line {cause.lineno}: {cause.msg}"
        said = one_line(str(cause))
        if not isinstance(cause, InputError | ConformanceError):
            said = f"{type(cause).__name__}: {said}" if said else type(cause).__name__
        line = self.line(error)
        return said if line is None else f"line {line}: {said}"


def checked(problem: Problem) -> dict[str, Any]:
    """What the conformance kit finds: how much it looked at or, in ``wrong``, what is not as it should be."""
    try:
        report = check(problem, walks=WALKS, length=LENGTH, engines=False)
    except ConformanceError as error:
        cause = error.__cause__
        if cause is not None and not isinstance(cause, ProcuraError | IndexError | OverflowError):
            raise cause from None  # it has its line
        return {"wrong": str(error)}
    return {"wrong": None, "states": report.states, "steps": report.steps}
