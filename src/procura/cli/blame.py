"""Errors out of a user's own class: bad input, in a sentence that names the class and the place in its file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from procura.errors import InputError, KernelError, OwnPuzzleError
from procura.faults import raised_by


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
        raise OwnPuzzleError(raised_by(cls, error)) from error
