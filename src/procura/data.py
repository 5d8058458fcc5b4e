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
