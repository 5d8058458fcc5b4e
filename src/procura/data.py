"""The constants of a problem instance, as kernels read them: a namedtuple of integer sequences."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any

from procura.errors import InputError


@cache
def _data_type(fields: tuple[str, ...]) -> type:
    """The one namedtuple class with these fields; kept in this module by name, so that cached kernels find it."""
    name = "Data_" + "_".join(f"{len(field)}{field}" for field in fields)
    cls = namedtuple(name, fields, module=__name__)  # type: ignore[misc]
    globals()[name] = cls
    return cls


def Data(**fields: Any) -> Any:
    """The constants of one instance, each a sequence of integers, read by name.

    >>> Data(full=[4, 3], target=[2]).full
    [4, 3]
    """
    for name, field in fields.items():
        if not hasattr(field, "__len__"):
            raise InputError(f"data {name}={field!r}: expected a sequence of integers")
    return _data_type(tuple(fields))(**fields)


MOST_KEPT = 256
LONGEST_KEPT = 1 << 12

_kept: dict[int, tuple[list[int], list[int]]] = {}


def integers(field: Any) -> list[int]:
    """A field of ``data`` as a list of integers.

    Boards of a puzzle often share fields, so the last lists made are kept; one is used again as long as the field
    holds what it held.
    """
    if not isinstance(field, list):
        made: list[int] = field.tolist() if hasattr(field, "tolist") else [int(value) for value in field]
        return made
    known, made = _kept.get(id(field), (None, []))
    if known is not field or made != field:
        made = [int(value) for value in field]
        keep(_kept, id(field), (field, made), len(field))
    return made


def keep(kept: dict[int, Any], key: int, value: Any, size: int) -> None:
    """Keep what was made of ``size`` integers, unless they are too many; forget all when there is too much."""
    if size <= LONGEST_KEPT:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = value
