"""A result as a line of JSON, and what it must hold so that whoever shows it need not look again."""

from __future__ import annotations

import json
import reprlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from procura.errors import InputError
from procura.runners.endings import Ending

Record = Mapping[str, Any]
Check = Callable[[Any], bool]


def is_number(value: Any) -> bool:
    """Whether it is a number that JSON has, small enough to reckon with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_plain(value: Any) -> bool:
    """Whether JSON can say it."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


_FIGURES = (
    "seconds", "wall_seconds", "cpu_seconds", "load_seconds", "expanded", "generated", "max_frontier", "depth",
    "stored", "peak_memory", "length", "cost", "bound", "gap", "points", "score", "penetrance", "branching_factor",
)  # fmt: skip
_NEEDED: dict[str, tuple[Check, str]] = {
    **dict.fromkeys(("key", "problem", "group", "configuration"), (_is_text, "text")),
    "ending": (lambda value: value in list(Ending), "the name of an ending"),
    "run": (lambda value: isinstance(value, dict), "an object"),
}
_OPTIONAL: dict[str, tuple[Check, str]] = {
    **{name: (_or_null(is_number), "a number or null") for name in _FIGURES},
    "outcome": (_or_null(_is_text), "text or null"),
    "points_after": (_or_null(_list_of(is_number)), "a list of numbers or null"),
    "last_lines": (_list_of(_is_text), "a list of texts"),
    "versions": (lambda value: isinstance(value, dict), "an object"),
}
_RUN: dict[str, tuple[Check, str]] = {
    "puzzle": (_is_text, "text"),
    "engine": (_is_text, "text"),
    "repeat": (is_number, "a number"),
    "options": (lambda value: isinstance(value, dict), "an object"),
    "searches": (_list_of(lambda value: isinstance(value, dict)), "a list of objects"),
}
_SEARCH: dict[str, tuple[Check, str]] = {
    "algorithm": (_is_text, "text"),
    "heuristic": (_or_null(_is_text), "text or null"),
}


def read_record(line: bytes) -> Record:
    """The result that a line holds; raises ``InputError`` that says what is wrong with it.

    >>> read_record(b'{"key": 3}')
    Traceback (most recent call last):
    procura.errors.InputError: key is 3: expected text
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError("not JSON") from None
    if not isinstance(record, dict):
        raise InputError(f"{reprlib.repr(record)}: expected a JSON object")
    _check(record, _NEEDED)
    _check(record, {name: check for name, check in _OPTIONAL.items() if name in record})
    _check(record["run"], _RUN, "run.")
    for search in record["run"]["searches"]:
        _check(search, _SEARCH, "run.searches.")
    return record


def _check(table: Mapping[str, Any], checks: Mapping[str, tuple[Check, str]], above: str = "") -> None:
    for name, (check, expected) in checks.items():
        if name not in table:
            raise InputError(f"{above}{name} is missing: expected {expected}")
        if not check(table[name]):
            raise InputError(f"{above}{name} is {reprlib.repr(table[name])}: expected {expected}")
