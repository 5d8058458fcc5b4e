"""Faults of a puzzle's own code in words, with their file and line.

In debugging, a kernel that goes outside a row or its values is told by its name. Interpreted, the rows of debugging
raise inside the kernel, and the traceback knows the line. Compiled, bounds and values are checked too, but nothing is
known of the line; since both engines go through the same nodes in the same order, the run is then made again
interpreted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from procura import debug
from procura.errors import KernelError, KernelFault, one_line
from procura.problem import KERNELS, ArrayProblem, Estimate, Problem
from procura.rows import Rows

PARAMETERS = {
    "moves": "s, data, work, out", "apply": "s, data, work, move", "solved": "s, data, work", "inverse": "data, move",
    "blur": "s, data, work, pattern, i", "counts": "s, data, work, pattern, move",
    "randomise": "s, data, work, rng", "propose": "s, data, work, rng", "change": "s, data, work, move",
    "revert": "s, data, work, move", "preview": "s, data, work, move", "energy": "s, data, work",
    "cross": "a, b, child, data, work, rng",
    "heuristic": "s, data, work", "step": "s, data, work, move, h", "over": "s, data, work", "turn": "s, data, work",
    "score_kernel": "s, data, work", "estimate_kernel": "s, data, work",
}  # fmt: skip
"""What each kernel takes."""
AGAIN_SECONDS = 60.0
"""How long the line of a fault in a compiled kernel is looked for."""


@contextmanager
def located(problem: Any, again: Callable[[], object]) -> Iterator[None]:
    """In debug: turn what is raised for a kernel outside its rows into a ``KernelFault`` that names the line.

    ``again()`` makes the run again, interpreted.
    """
    try:
        yield
    except (IndexError, OverflowError) as error:
        compiled = _raised_compiled(error)
        if not debug.debugging() or (where(error, problem) is None and not compiled):
            raise
        if compiled:
            again()
        raise KernelFault(sentence(error, problem)) from error


def sentence(error: Exception, problem: Any) -> str:
    """What a kernel did, in words."""
    place = where(error, problem)
    if place is None:
        return f"{problem.name}: a kernel goes outside a row or its values: {error}"
    kernel, file, line = place
    return f"kernel {kernel} goes outside a row or its values ({file}, line {line}): {error}"


def raised_by(cls: type, error: BaseException) -> str:
    """What a class's own code raised, and where its file was last at work."""
    if isinstance(error, NotImplementedError) and str(error):
        return str(error)
    said = one_line(str(error))
    if isinstance(error, TypeError) and "unhashable" in said:
        said += ", and states must be hashable"
    raised = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"{cls.__name__} raises {raised}{_place(cls, error)}"


def _place(cls: type, error: BaseException) -> str:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if file and frame.filename == file]
    return f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""


def where(error: Exception, problem: Any) -> tuple[str, str, int] | None:
    """The interpreted kernel in which an error was raised, its file and the line; None if it was in none."""
    names = {f.__code__: f.__qualname__ for f in _functions(problem) if isinstance(f, FunctionType)}
    kernel = place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        kernel = kernel or names.get(code)
        if kernel is not None and code.co_filename != debug.__file__:
            place = kernel, code.co_filename, line
    return place


def _functions(problem: Any) -> Iterator[Callable[..., Any]]:
    """Every kernel of a problem and of its local view, or of a game."""
    for each in (problem, problem.local() if isinstance(problem, Problem) else None):
        if isinstance(each, Rows):
            yield from each.kernels()
        if isinstance(each, ArrayProblem):
            estimates = [e for e in each.heuristics.values() if isinstance(e, Estimate)]
            yield from (estimate.function for estimate in estimates)
            yield from (estimate.step for estimate in estimates if estimate.step is not None)


def check_signature(role: str, function: Callable[..., Any]) -> None:
    """Refuse a kernel that does not take what it is called with; ``role`` is its place in ``PARAMETERS``."""
    plain = function.__func__ if isinstance(function, staticmethod) else function
    code = getattr(plain, "__code__", None)
    expected = PARAMETERS[role]
    if code is None or code.co_argcount == expected.count(",") + 1:
        return
    found = ", ".join(code.co_varnames[: code.co_argcount])
    place = f"{code.co_filename}, line {code.co_firstlineno}"
    raise KernelError(f"kernel {plain.__qualname__} takes ({found}): expected ({expected}) ({place})")


def check_game_signatures(game: Rows) -> None:
    """Refuse a game one of whose kernels does not take what it is called with."""
    for role in (*game.required_kernels, *game.optional_kernels):
        if getattr(game, role) is not None:
            check_signature(role, getattr(game, role))


def check_signatures(problem: ArrayProblem) -> None:
    """Refuse a problem one of whose kernels, or those of its local view, does not take what it is called with."""
    for each in (problem, problem.local()):
        if each is not None:
            for role in KERNELS:
                if getattr(each, role) is not None:
                    check_signature(role, getattr(each, role))
            for crossover in each.crossovers.values():
                check_signature("cross", crossover)
            for estimate in each.heuristics.values():
                if isinstance(estimate, Estimate):
                    check_signature("heuristic", estimate.function)
                    if estimate.step is not None:
                        check_signature("step", estimate.step)


def _raised_compiled(error: Exception) -> bool:
    """Whether an error came out of a compiled kernel."""
    build = sys.modules.get("procura.compiled.build")
    call = None if build is None else build.Specialised.__call__.__code__
    return any(frame.f_code is call for frame, _ in traceback.walk_tb(error.__traceback__))
