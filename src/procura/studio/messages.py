"""Fields of a message, checked: what is missing or of another kind is an ``InputError`` that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procura.errors import InputError

LONGEST_BOARD = 200_000
"""Characters of a text with boards."""
MOST_CONFIGURATIONS = 8
"""Of a portfolio."""


def text(message: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """The text of a field.

    >>> text({"do": "hello"}, "do"), text({}, "with", "auto")
    ('hello', 'auto')
    """
    value = message.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InputError(f"{name} {value!r:.40}: expected text")
    return value


def number(message: Mapping[str, Any], name: str, low: int, high: int) -> int | None:
    """The whole number of a field; None if it has none."""
    value = message.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{name} {value!r:.40}: expected a whole number from {low} to {high}")
    return value


def mapping(message: Mapping[str, Any], name: str) -> dict[str, str | None]:
    """The object of a field, its values as text; empty if it has none."""
    value = message.get(name) or {}
    if not isinstance(value, dict):
        raise InputError(f"{name} {value!r:.40}: expected an object")
    return {key: _written(name, key, part) for key, part in value.items()}


def _written(name: str, key: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    raise InputError(f"{name} {key} {value!r:.40}: expected text or a number")


def search(message: Mapping[str, Any], default: str = "auto") -> str:
    """The configuration that a message asks for, as text; one that would read a file is refused.

    >>> search({"with": "astar:manhattan"})
    'astar:manhattan'
    """
    asked = text(message, "with", default)
    if "@" in asked:
        raise InputError(f"with {asked!r:.60}: a page reads no files, expected the heuristic itself")
    if asked.count("|") >= MOST_CONFIGURATIONS:
        raise InputError(f"with: expected at most {MOST_CONFIGURATIONS} configurations")
    return asked


def check_board(board: str) -> str:
    """The text of a board, if it is not too long."""
    if len(board) > LONGEST_BOARD:
        raise InputError(f"the text has {len(board):,} characters: expected at most {LONGEST_BOARD:,}")
    return board
