"""Debugging (``PROCURA_DEBUG=1``): rows that check every index and value, interpreted and compiled."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_checked: ContextVar[bool | None] = ContextVar("checked", default=None)
_as_in_use: ContextVar[bool] = ContextVar("as_in_use", default=False)


def debugging() -> bool:
    """Whether rows, kernels and the order of expansions are checked: by ``PROCURA_DEBUG=1`` or inside ``checked``."""
    settled = _checked.get()
    return os.environ.get("PROCURA_DEBUG", "") not in ("", "0") if settled is None else settled


@contextmanager
def checked(on: bool = True) -> Iterator[None]:
    """Debugging for all that happens inside; or, with False, none."""
    token = _checked.set(on)
    try:
        yield
    finally:
        _checked.reset(token)


@contextmanager
def rows_as_in_use() -> Iterator[None]:
    """Compiled rows of the problem's own type for all that happens inside, also in debug.

    For whoever makes every run interpreted as well, which finds the same faults, and compares.
    """
    token = _as_in_use.set(True)
    try:
        yield
    finally:
        _as_in_use.reset(token)


def wide_rows() -> bool:
    """Whether the entries of compiled rows have 64 bits, so that one that does not fit its type can be seen."""
    return debugging() and not _as_in_use.get()


class _Checked(list[int]):
    """A list that raises on every index outside it; ``name`` is what kernels call it."""

    def __init__(self, values: Iterable[int], name: str, declared: str) -> None:
        super().__init__(values)
        self._name, self._declared = name, declared

    def _check(self, index: Any) -> None:
        if isinstance(index, int) and not 0 <= index < len(self):
            raise IndexError(f"{self._name}[{index}]: {self._declared} is {len(self)}")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return super().__getitem__(index)


class CheckedConstants(_Checked):
    """A field of the constants of a problem: a list that raises on any change as well."""

    def __init__(self, values: Iterable[int], name: str) -> None:
        super().__init__(values, f"data.{name}", "its length")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise IndexError(f"{self._name}[{index}]: a kernel changes data, which all states share")


class CheckedTable:
    """A table in a field of the constants of a problem: raises on every index outside it."""

    def __init__(self, entries: memoryview, name: str) -> None:
        self._entries, self._name = entries, name

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and not 0 <= index < len(self):
            raise IndexError(f"data.{self._name}[{index}]: its length is {len(self)}")
        return self._entries[index]


class CheckedBuffer(_Checked):
    """``out`` or ``work``: raises on a value that no 64-bit integer is as well. A part of it does the same."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return CheckedBuffer(found, self._name, self._declared) if isinstance(index, slice) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        if not isinstance(value, int) or not -(1 << 63) <= value < 1 << 63:
            raise OverflowError(f"{self._name}[{index}]: {value} is no 64-bit integer")
        super().__setitem__(index, value)


class CheckedRow(_Checked):
    """A row, which raises on a value its type cannot hold as well."""

    def __init__(self, values: Iterable[int], width: int, bits: int | None, key: int) -> None:
        super().__init__(values, "s", "size")
        self._width, self._bits, self._key = width, bits, key

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        limit = 1 << (self._width - 1)
        if not isinstance(value, int) or not -limit <= value < limit:
            raise OverflowError(f"s[{index}]: {value} does not fit int{self._width}")
        if self._bits and index < self._key and not 0 <= value < 1 << self._bits:
            raise OverflowError(f"s[{index}]: {value} does not fit {self._bits} bits")
        super().__setitem__(index, value)


def fold(digest: Any, s: Any, key: int) -> None:
    """Fold the first ``key`` integers of a row into the 64-bit hash ``digest[0]``; runs in both engines."""
    for i in range(key):
        digest[0] = (digest[0] * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        digest[0] = digest[0] ^ ((s[i] + 0x10000000000) & 0xFFFFFFFFFFFF)
