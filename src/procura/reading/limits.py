"""Limits as people write them: ``seconds=20``, ``nodes=1e6``, ``memory=500MB``, ``depth=40``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from procura.errors import InputError, unknown
from procura.result import Limits

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_COUNT = re.compile(r"([0-9][0-9_]{0,17})(?:(?:\.([0-9]{1,18}))?[eE]\+?([0-9]{1,3}))?")
_MEMORY = re.compile(r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*([A-Z]*)")


def read_limits(texts: Sequence[str]) -> Limits:
    """The limits written as ``name=value``, several between commas or in several texts.

    >>> read_limits(["seconds=20,nodes=1e6", "memory=500MB"])
    Limits(seconds=20.0, nodes=1000000, memory=500000000, depth=None)
    """
    values: dict[str, Any] = {}
    for text in ",".join(texts).split(",") if texts else ():
        name, equals, value = (word.strip() for word in text.partition("="))
        if not equals:
            raise InputError(f"limit {text!r}: expected name=value, such as seconds=20")
        if name not in _READERS:
            raise unknown("there is no limit", name, _READERS)
        if name in values:
            raise InputError(f"limit {text.strip()}: {name} is given twice")
        values[name] = _READERS[name](name, value)
    return Limits(**values)


def _seconds(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"limit {name}={value}: expected a number of seconds") from None


def _count(name: str, value: str) -> int:
    """A whole number, also written as 1_000_000, 1e6 or 2.5e6."""
    match = _COUNT.fullmatch(value)
    whole, fraction, power = match.groups(default="") if match else ("", "", "")
    digits, zeros = whole.replace("_", "") + fraction, int(power or 0) - len(fraction)
    if match is None or zeros < 0:
        raise InputError(f"limit {name}={value:.60}: expected a whole number from 0")
    if len(digits) + zeros > 18:
        raise InputError(f"limit {name}={value:.60}: expected a number below 1e18, or no limit at all")
    return int(digits) * 10**zeros


def _bytes(name: str, value: str) -> int:
    match = _MEMORY.fullmatch(value.upper())
    if match is None or match[2] not in _UNITS:
        raise InputError(f"limit {name}={value}: expected a size such as 500MB (KB, MB or GB)")
    return int(Decimal(match[1]) * _UNITS[match[2]])


_READERS = {"seconds": _seconds, "nodes": _count, "memory": _bytes, "depth": _count}
