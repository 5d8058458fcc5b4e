"""Searches that are over, kept for the next run of their kind: it has nothing to bind, to compile or to reserve."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from procura.compiled.engine import BoundProblem
from procura.compiled.stores import is_free
from procura.control import Control
from procura.debug import wide_rows
from procura.heuristics import BoundHeuristic
from procura.problem import ArrayProblem

MOST_KEPT = 4
MOST_BYTES = 1 << 21
"""A search that has filled more memory is not kept, so that it does not hold what others need."""


class Search(Protocol):
    """What can be kept."""

    bound: BoundProblem
    control: Control

    def begin(self) -> None:
        """Forget what was searched, and be about to search what ``bound`` serves now."""

    @property
    def filled(self) -> int:
        """The bytes of its stores that it has used."""


S = TypeVar("S", bound=Search)
_kept: dict[Any, Any] = {}
_lock = threading.Lock()


@contextmanager
def search_of(
    kind: Callable[..., S], problem: ArrayProblem, control: Control, h: BoundHeuristic, *options: Any
) -> Iterator[S]:
    """A search that is about to begin: one that was kept, or ``kind(problem, control, h, *options)``. If nothing is
    raised in this context, it is kept for the next.

    A run of no nodes only prepares, maybe for a process that is forked later: it has a search of its own. Where address
    space is not free, none is kept.
    """
    limits = control.limits
    if limits.nodes == 0 or not is_free():
        yield kind(problem, control, h, *options)
        return
    key = kind, type(problem), limits.memory, limits.depth is None, control.debug, wide_rows(), h.text, *options
    with _lock:
        search: S | None = _kept.pop(key, None)
    if search is not None and search.bound.rebind(problem, control, h):
        search.begin()
    else:
        search = kind(problem, control, h, *options)
    yield search
    if search.filled <= MOST_BYTES:
        search.control = search.bound.control = Control()  # and nobody's events, nor cancel
        with _lock:
            while len(_kept) >= MOST_KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = search
