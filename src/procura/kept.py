"""Work that may only use what is kept on disk: where others wait, no kernel is compiled and no table is built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_only: ContextVar[bool] = ContextVar("only_kept", default=False)


class NotKept(BaseException):
    """Something is not on disk, and may not be made. It is nobody's fault, so nobody who looks for faults gets it."""


@contextmanager
def only_kept() -> Iterator[None]:
    """A context in which ``NotKept`` is raised where something would be made that takes long."""
    before = _only.set(True)
    try:
        yield
    finally:
        _only.reset(before)


def about_to_make(what: str) -> None:
    """To be called before something is made that takes long; raises ``NotKept`` where that may not be.

    >>> with only_kept():
    ...     about_to_make("a table")
    Traceback (most recent call last):
    procura.kept.NotKept: a table
    """
    if _only.get():
        raise NotKept(what)
