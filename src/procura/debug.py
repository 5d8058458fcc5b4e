"""Debugging (``PROCURA_DEBUG=1``): rows that check every index and value, kernels that check bounds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_checked: ContextVar[bool | None] = ContextVar("checked", default=None)


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


class CheckedConstants(list[int]):
    """The constants of a problem: a list that raises on a negative index and on any change."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"negative index {index} into data")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise IndexError("a kernel changes data, which all states share")


class CheckedRow(list[int]):
    """A row that raises on a negative index and on a value its type cannot hold."""

    def __init__(self, values: Iterable[int], width: int, bits: int | None, key: int) -> None:
        super().__init__(values)
        self._limit = 1 << (width - 1)
        self._bits, self._key = bits, key

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"negative index {index} into a row")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"negative index {index} into a row")
        if not isinstance(value, int) or not -self._limit <= value < self._limit:
            raise OverflowError(f"entry {index}: {value} does not fit the row's dtype")
        if self._bits and index < self._key and not 0 <= value < 1 << self._bits:
            raise OverflowError(f"entry {index}: {value} does not fit {self._bits} bits")
        super().__setitem__(index, value)


def fold(digest: Any, s: Any, key: int) -> None:
    """Fold the first ``key`` integers of a row into the 64-bit hash ``digest[0]``; runs in both engines."""
    for i in range(key):
        digest[0] = (digest[0] * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        digest[0] = digest[0] ^ ((s[i] + 0x10000000000) & 0xFFFFFFFFFFFF)
