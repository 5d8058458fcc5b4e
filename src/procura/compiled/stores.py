"""Memory of compiled searches: stores whose pages appear when touched, and a hash table that doubles in slices."""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from typing import Any

import numpy as np

from procura.compiled.engine import compile_for
from procura.compiled.templates import counts as c
from procura.compiled.templates.table import rehash
from procura.control import Control

FIRST_TABLE = 1 << 14
LOAD = 0.7
MOST_NODES = int(LOAD * (1 << 32)) - 1
REHASH_SLOTS = 1 << 20
SMALL = 1 << 18  # words
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


def zeros(words: int) -> Any:
    """An array of zeros that takes no memory before it is touched, then in large pages where the system has them."""
    if words < SMALL or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, dtype=np.int64)
    area = mmap.mmap(-1, 8 * words, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE)
    with suppress(OSError):
        area.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(area, dtype=np.int64)


class Table:
    """The hash table of a search, with its figures in the search's counters."""

    def __init__(self, control: Control, counts: Any) -> None:
        self.control = control
        self.counts = counts
        self.slots = np.zeros(FIRST_TABLE, dtype=np.int64)
        self._note_size()
        self._rehash = compile_for(control, rehash, {}, (self.slots, self.slots, 0, 0, 0))

    def _note_size(self) -> None:
        self.counts[c.TABLE_SHIFT] = 32 - (self.slots.size.bit_length() - 1)
        self.counts[c.TABLE_CAPACITY] = int(self.slots.size * LOAD)

    def clear(self) -> None:
        """Forget every node."""
        self.slots[:] = 0

    def grow(self) -> bool:
        """Double the table; False if a limit ends the run instead."""
        control = self.control
        if not control.memory_allows(16 * self.slots.size):
            control.stopped_by = "memory"
            return False
        try:
            larger = zeros(2 * self.slots.size)
        except (MemoryError, OSError, ValueError):
            control.stopped_by = "memory"
            return False
        shift = int(self.counts[c.TABLE_SHIFT]) - 1
        for start in range(0, self.slots.size, REHASH_SLOTS):
            self._rehash(self.slots, larger, shift, start, min(start + REHASH_SLOTS, self.slots.size))
            if control.stop():
                return False
        self.slots = larger
        self._note_size()
        return True
