"""Memory of compiled searches: stores whose pages appear when touched, and a hash table that doubles in slices."""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from procura.compiled.engine import BoundRows
from procura.compiled.templates.table import reenter
from procura.control import Control

FIRST_TABLE = 1 << 14
LOAD = 0.6
MOST_NODES = int(LOAD * (1 << 32)) - 1
NODES_AT_ONCE = 1 << 19
SMALL_PAGES = 1 << 21  # bytes
NO_RESERVE = 0x4000  # Linux's MAP_NORESERVE, which Python's mmap does not name


def reserve(control: Control, words: int, most: int = MOST_NODES) -> tuple[Any, int]:
    """Room for as many records of ``words`` 64-bit words as memory could ever hold, and their number.

    Nothing is used before it is touched, and nothing is ever copied to grow.
    """
    budget = min(control.memory_ceiling, address_space() // 8)
    capacity = min(most, max(budget // (8 * words), 1 << 10))
    while True:
        try:
            return zeros(capacity * words), capacity
        except (MemoryError, OSError, ValueError):
            if capacity <= 1 << 10:
                raise
            capacity //= 2


def address_space() -> int:
    """The bytes of address space that this process may use, which some systems limit."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return limit if limit != resource.RLIM_INFINITY else sys.maxsize
    except (ImportError, OSError):
        return sys.maxsize


def is_free() -> bool:
    """Whether address space that is reserved, but not touched, takes nothing from anybody."""
    return hasattr(mmap, "MADV_HUGEPAGE") and not _charges() and address_space() == sys.maxsize


@cache
def _charges() -> bool:
    """Whether Linux counts what is reserved as used."""
    try:
        return Path("/proc/sys/vm/overcommit_memory").read_text().strip() == "2"
    except OSError:
        return True


def zeros(words: int) -> Any:
    """An array of zeros that takes no memory before it is touched, then in large pages where the system has them.

    Its first pages are small: a large one takes longer to clear than many a search.
    """
    if 8 * words <= SMALL_PAGES or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, dtype=np.int64)
    area = mmap.mmap(-1, 8 * words, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE)
    with suppress(OSError):
        area.madvise(mmap.MADV_HUGEPAGE, SMALL_PAGES, 8 * words - SMALL_PAGES)
    return np.frombuffer(area, dtype=np.int64)


class Table:
    """The hash table of a search over the keys of ``nodes``, with its figures in the search's counters."""

    def __init__(self, bound: BoundRows, counts: Any, nodes: Any) -> None:
        self.bound, self.counts, self.nodes = bound, counts, nodes
        self.slots = _slots(FIRST_TABLE)
        self._note_size()
        self._reenter = bound.compile(reenter, nodes, self.slots, 0, 0, 0)

    def begin(self, counts: Any) -> None:
        """Forget every node, and serve a search with these counters."""
        self.counts = counts
        if self.slots.size > FIRST_TABLE:
            self.slots = _slots(FIRST_TABLE)
        self._note_size()
        self.clear()

    def _note_size(self) -> None:
        self.counts.table_shift = 64 - (self.slots.size.bit_length() - 1)
        self.counts.table_capacity = int(self.slots.size * LOAD)

    def clear(self) -> None:
        """Forget every node."""
        self.slots[:] = 0

    def grow(self, count: int) -> bool:
        """Double the table of the first ``count`` nodes; False if a limit ends the run instead.

        It is filled anew from the nodes, so the smaller one goes first: both never take memory at once.
        """
        control = self.bound.control
        try:
            larger = _slots(2 * self.slots.size) if control.memory_allows(4 * self.slots.size) else None
        except (MemoryError, OSError, ValueError):
            larger = None
        if larger is None:
            control.stopped_by = "memory"
            return False
        self.slots = larger
        self._note_size()
        for start in range(0, count, NODES_AT_ONCE):
            self._reenter(self.nodes, larger, self.counts.table_shift, start, min(start + NODES_AT_ONCE, count))
            if control.stop():
                return False
        return True


def _slots(size: int) -> Any:
    """Free slots."""
    return zeros(size // 2).view(np.uint32)
