"""Arguments as people give them to any puzzle: whole numbers, sizes, arrays and the names of options."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from typing import Any

from procura.errors import InputError, unknown


def whole(name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> int:
    """The value as a whole number from ``low`` to ``high``.

    >>> whole("moves", 7, low=0)
    7
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is not None and low <= number <= high:
        return number
    bounds = "" if low == -math.inf else f" from {low}" + ("" if high == math.inf else f" to {high}")
    raise InputError(f"{name}={value!r}: expected a whole number{bounds}")


def read_size(size: Any, what: str = "rows and columns, such as 3x4") -> tuple[int, int]:
    """Rows and columns from ``(3, 4)`` or ``"3x4"``; an error says that ``what`` was expected.

    >>> read_size("12 x 6")
    (12, 6)
    """
    match = re.fullmatch(r"\s*([0-9]{1,5})\s*[xX]\s*([0-9]{1,5})\s*", size) if isinstance(size, str) else None
    try:
        rows, columns = (operator.index(v) for v in (map(int, match.groups()) if match else size))
    except (TypeError, ValueError):
        raise InputError(f"size {size!r}: expected {what}") from None
    return rows, columns


def plain(value: Any) -> Any:
    """A NumPy array as lists, a number of NumPy as Python's; anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def changed(given: Mapping[str, Any], **present: Any) -> dict[str, Any]:
    """The options of a board with those given in their place; None leaves one as it is.

    >>> changed({"order": "any", "boxes": None}, boxes=3, order="canonical")
    {'boxes': 3, 'order': 'any'}
    """
    for name in given:
        if name not in present:
            raise unknown("a board that is there takes no option", name, present)
    return {name: value if given.get(name) is None else given[name] for name, value in present.items()}
