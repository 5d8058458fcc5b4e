"""The constants of a problem instance, as kernels read them: a namedtuple of integer sequences."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
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


def integers(field: Any) -> list[int]:
    """A field of ``data`` as a list of integers."""
    made: list[int] = field.tolist() if hasattr(field, "tolist") else [int(value) for value in field]
    return made


class DataMemo:
    """What was made of the ``data`` of the last problems: boards of a puzzle often share theirs. It is used again as
    long as they hold what they held.

    >>> memo, data = DataMemo(), Data(full=[4, 3], target=[2])
    >>> sums = [memo.of(data, lambda: [sum(field) for field in data]) for _ in range(2)]
    >>> data.full[0] = 5
    >>> sums[0] is sums[1], memo.of(data, lambda: "made anew")
    (True, 'made anew')
    """

    MOST, LONGEST = 64, 1 << 16

    def __init__(self, *steady: type) -> None:
        self._steady = (tuple, *steady)
        """The types of fields that cannot change; what is neither one of them nor a list is looked at each time."""
        self._kept: dict[Any, tuple[Any, Any, Any]] = {}

    def of(self, data: Any, make: Callable[[], Any]) -> Any:
        """What ``make()`` gives for these constants."""
        made = self.known(data)
        if made is None:
            made = make()
            lists = [field for field in data if isinstance(field, list)]
            seen = all(isinstance(field, (list, *self._steady)) for field in data)
            if seen and sum(map(len, lists)) <= self.LONGEST:
                if len(self._kept) >= self.MOST:
                    self._kept.clear()
                copies = tuple(field.copy() if isinstance(field, list) else field for field in data)
                self._kept[_key(data)] = data, copies, made  # while the fields are kept, nothing else has their ids
        return made

    def known(self, data: Any) -> Any:
        """What was made of these constants; None if it is not kept."""
        _, copies, made = self._kept.get(_key(data), (None, None, None))
        return made if copies == data else None


def _key(data: Any) -> tuple[Any, ...]:
    """The names of the fields, and which objects they are."""
    return type(data), *map(id, data)
