"""Errors out of a user's own class: bad input, in a sentence that names the class and the place in its file."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from procura.errors import InputError, KernelError, OwnPuzzleError, one_line


def is_own(cls: type) -> bool:
    """Whether a class is a user's, not one of the package."""
    return cls.__module__.partition(".")[0] != "procura"


@contextmanager
def blamed(cls: type) -> Iterator[None]:
    """Turn what a user's class raises into an ``InputError``; whatever a class of the package raises is a defect."""
    try:
        yield
    except (InputError, KernelError, BrokenPipeError):
        raise
    except (Exception, SystemExit) as error:
        if not is_own(cls):
            raise
        raise OwnPuzzleError(_sentence(cls, error)) from error


def _sentence(cls: type, error: BaseException) -> str:
    """What is wrong, and where the class's own file was last at work."""
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
