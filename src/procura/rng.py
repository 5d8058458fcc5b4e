"""Random numbers: splitmix64 as kernels, the same stream interpreted and compiled.

``rng`` is a row of one unsigned 64-bit integer (a list, or a NumPy array of uint64).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")
_MASK = 0xFFFFFFFFFFFFFFFF


def stream(seed: int, number: int = 0) -> int:
    """The first state of stream ``number`` of ``seed``: streams of one seed do not overlap in practice.

    >>> stream(1) != stream(1, 1)
    True
    """
    rng = [seed & _MASK]
    base = next64(rng)
    rng[0] = (base ^ (number * 0xD1342543DE82EF95)) & _MASK
    return int(next64(rng))


def next64(rng: Any) -> Any:
    """The next 64 random bits.

    >>> rng = [0]
    >>> hex(next64(rng)), hex(rng[0])
    ('0xe220a8397b1dcdaf', '0x9e3779b97f4a7c15')
    """
    rng[0] = (rng[0] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    z = rng[0]
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)


def below(rng: Any, n: int) -> int:
    """A random integer from 0 to n - 1 (n below 2**31).

    >>> rng = [stream(1)]
    >>> [below(rng, 6) for _ in range(5)]
    [4, 5, 2, 4, 2]
    """
    return int(((next64(rng) >> 32) * n) >> 32)


def uniform(rng: Any) -> float:
    """A random float in [0, 1) with 53 bits.

    >>> 0 <= uniform([stream(1)]) < 1
    True
    """
    return (next64(rng) >> 11) * (1.0 / 9007199254740992.0)


def shuffled(rng: Any, items: Iterable[T]) -> list[T]:
    """The items in random order, each order as likely as the others.

    >>> shuffled([stream(1)], "abcde")
    ['a', 'c', 'b', 'e', 'd']
    """
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
