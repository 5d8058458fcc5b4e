"""How to search, as options of the command line say it: configuration, heuristic, limits, engine, seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from procura import catalog
from procura.errors import InputError
from procura.heuristics import Heuristic, heuristic as parse_heuristic
from procura.result import Limits

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_MEMORY = re.compile(r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*([A-Z]*)")


@dataclass(frozen=True)
class Settings:
    """Everything about a run but its problem."""

    configuration: str
    heuristic: Heuristic | None
    limits: Limits
    engine: str
    seed: int | None

    def keywords(self) -> dict[str, Any]:
        """The arguments of ``solve`` that follow the problem."""
        return {
            "algorithm": self.configuration, "heuristic": self.heuristic, "limits": self.limits,
            "engine": self.engine, "seed": self.seed,
        }  # fmt: skip


def read_settings(
    configuration: str, options: Sequence[str], heuristic: str | None, limits: Sequence[str], engine: str,
    seed: int | None,
) -> Settings:  # fmt: skip
    """The settings in the words of the command line; raises what can be known to be wrong without a problem."""
    whole = ",".join([configuration, *options])
    name, own, given = catalog.parse_configuration(whole)
    if name != "auto":
        catalog.algorithm(name).read_options(given)
    if own is not None:
        if heuristic is not None:
            raise InputError(f"--heuristic {heuristic!r}: --with {configuration!r} names a heuristic already")
        parse_heuristic(own)
    parsed = None if heuristic is None else parse_heuristic(heuristic)
    return Settings(whole, parsed, read_limits(limits), engine, seed)


def read_limits(texts: Sequence[str]) -> Limits:
    """The limits written as ``name=value``, several between commas or in several texts.

    >>> read_limits(["seconds=20,nodes=1000", "memory=500MB"])
    Limits(seconds=20.0, nodes=1000, memory=500000000, depth=None)
    """
    values: dict[str, Any] = {}
    for text in ",".join(texts).split(",") if texts else ():
        name, equals, value = (word.strip() for word in text.partition("="))
        if not equals:
            raise InputError(f"limit {text!r}: expected name=value, such as seconds=20")
        if name not in _READERS:
            raise InputError(f"limit {text!r}: expected one of {', '.join(_READERS)}")
        values[name] = _READERS[name](name, value)
    return Limits(**values)


def _seconds(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"limit {name}={value}: expected a number of seconds") from None


def _count(name: str, value: str) -> int:
    if not re.fullmatch("[0-9][0-9_]{0,17}", value):
        raise InputError(f"limit {name}={value}: expected a whole number from 0")
    return int(value.replace("_", ""))


def _bytes(name: str, value: str) -> int:
    match = _MEMORY.fullmatch(value.upper())
    if match is None or match[2] not in _UNITS:
        raise InputError(f"limit {name}={value}: expected a size such as 500MB (KB, MB or GB)")
    return int(float(match[1]) * _UNITS[match[2]])


_READERS = {"seconds": _seconds, "nodes": _count, "memory": _bytes, "depth": _count}
