"""What a report can show of runs: figures of single runs, and what becomes of them when several share a cell."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError, unknown
from procura.runners.endings import Ending

Row = Mapping[str, Any]
"""A result together with the names its study gives it."""
Number = int | float


def _seconds(row: Row) -> Number | None:
    """The search time; a run that failed has none, or a method would look fast that crashes at once."""
    return None if Ending(row["ending"]).failed else row.get("seconds")


def _errors_left(row: Row) -> Number | None:
    if not row.get("local"):
        return None
    return 0 if row.get("outcome") == "solved" else row.get("cost")


def _if_solved(name: str) -> Callable[[Row], Number | None]:
    return lambda row: row.get(name) if row.get("outcome") == "solved" else None


def _rate(row: Row) -> Number | None:
    seconds = row.get("seconds")
    return row["expanded"] / seconds if seconds and row.get("expanded") is not None else None


def _megabytes(row: Row) -> Number | None:
    return None if row.get("peak_memory") is None else row["peak_memory"] / 1e6


def _plain(name: str) -> Callable[[Row], Number | None]:
    return lambda row: row.get(name)


_AS_RECORDED = (
    "wall_seconds", "cpu_seconds", "load_seconds", "expanded", "generated", "max_frontier", "depth", "stored", "bound",
    "gap", "score", "penetrance", "branching_factor",
)  # fmt: skip
MEASURES: dict[str, Callable[[Row], Number | None]] = {
    "seconds": _seconds,
    "memory": _megabytes,
    "nodes_per_second": _rate,
    "errors_left": _errors_left,
    **{name: _if_solved(name) for name in ("length", "cost", "points")},
    **{name: _plain(name) for name in _AS_RECORDED},
}
"""The figures of a run by name; docs/studies.md says what each is."""
_UNITS = {"memory": " (MB)"}
"""What a heading says of figures whose name does not tell what they are counted in."""
COUNTS = ("solved", "proved", "runs", "endings", "points_after")
"""What is told of several runs at once."""
_TEXTS: dict[str, Callable[[Row], str | None]] = {
    "endings": lambda row: str(row["ending"]),
    "points_after": lambda row: " ".join(map(str, row["points_after"])) if row.get("points_after") else None,
}
AGGREGATES = ("median", "mean", "sum", "min", "max", "quartiles")


@dataclass(frozen=True)
class Figure:
    """What stands in a cell: text for people, and its numbers by the name of their column (of one, empty)."""

    text: str
    numbers: tuple[tuple[str, Number | str | None], ...]


@dataclass(frozen=True)
class Value:
    """A figure that a table asks for: ``"sum score"``, ``"median seconds"``, ``"solved"``."""

    measure: str
    aggregate: str | None
    name: str
    digits: int | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is words and no number."""
        return self.measure in _TEXTS

    def number(self, rows: Sequence[Row]) -> Number | None:
        """The single number of these runs, as plots show it; None if there is none."""
        if self.aggregate is None:
            counted = {"solved": _is_solved, "proved": _is_proved, "runs": lambda row: True}
            return sum(map(counted[self.measure], rows)) if self.measure in counted else None
        return aggregate("median" if self.aggregate == "quartiles" else self.aggregate, self.measure, rows)

    def figure(self, rows: Sequence[Row]) -> Figure:
        """What these runs amount to."""
        if self.measure in _TEXTS:
            told = Counter(text for text in map(_TEXTS[self.measure], rows) if text is not None)
            several = [f"{count} {text}" for text, count in told.most_common()]
            words = ", ".join(several) if len(told) > 1 else "".join(told)
            return Figure(words or "-", (("", words),))
        number = self.number(rows)
        if self.measure in ("solved", "proved") and self.aggregate is None:
            return Figure(f"{number}/{len(rows)}" if rows else "-", (("", number), ("of", len(rows))))
        if self.aggregate == "quartiles":
            return self._spread(rows)
        return Figure(written(number, self.digits), (("", number),))

    def _spread(self, rows: Sequence[Row]) -> Figure:
        low, middle, high = quartiles(values(self.measure, rows)) or (None, None, None)
        text = written(middle, self.digits)
        if low != high:
            text += f" ({written(low, self.digits)} to {written(high, self.digits)})"
        return Figure(text, (("lower quartile", low), ("median", middle), ("upper quartile", high)))


def read_value(text: str, name: str | None = None, digits: int | None = None) -> Value:
    """The value that a text asks for; raises ``InputError``.

    >>> read_value("max length").aggregate, read_value("seconds").aggregate, read_value("solved").aggregate
    ('max', 'median', None)
    >>> read_value("max memory").name, read_value("memory", "room").name
    ('max memory (MB)', 'room')
    """
    *first, measure = text.split() or [""]
    if measure in COUNTS and not first:
        return Value(measure, None, name or text, digits)
    if measure in COUNTS:
        raise InputError(f"value {text!r}: expected nothing before {measure}")
    if measure not in MEASURES:
        raise unknown("there is no value", measure, [*MEASURES, *COUNTS])
    if len(first) > 1 or (first and first[0] not in AGGREGATES):
        raise InputError(f"value {text!r}: expected one of {', '.join(AGGREGATES)} before {measure}")
    return Value(measure, first[0] if first else "median", name or text + _UNITS.get(measure, ""), digits)


def values(measure: str, rows: Iterable[Row]) -> list[Number]:
    """The figures of these runs that there are."""
    found = (MEASURES[measure](row) for row in rows)
    return [value for value in found if value is not None]


def aggregate(how: str, measure: str, rows: Sequence[Row]) -> Number | None:
    """One number for several runs; a sum takes for each problem and configuration the median of its runs."""
    found = values(measure, rows)
    if not found:
        return None
    if how == "sum":
        cells: dict[Any, list[Row]] = {}
        for row in rows:
            cells.setdefault((row["group"], row["problem"], row["configuration"]), []).append(row)
        medians = (aggregate("median", measure, cell) for cell in cells.values())
        return sum(median for median in medians if median is not None)
    functions: dict[str, Callable[[Any], Any]] = {
        "median": statistics.median, "mean": statistics.fmean, "min": min, "max": max
    }  # fmt: skip
    value: Number = functions[how](found)
    whole = isinstance(value, float) and value.is_integer() and all(isinstance(one, int) for one in found)
    return int(value) if whole else value


def quartiles(found: Sequence[Number]) -> tuple[Number, Number, Number] | None:
    """The lower quartile, median and upper quartile, of a sample that is all there is.

    >>> quartiles([1, 2, 3, 4, 5]), quartiles([7])
    ((2.0, 3.0, 4.0), (7, 7, 7))
    """
    if not found:
        return None
    if len(found) == 1:
        return found[0], found[0], found[0]
    low, middle, high = statistics.quantiles(found, n=4, method="inclusive")
    return low, middle, high


def written(number: Number | None, digits: int | None = None) -> str:
    """A number as people read it; a dash if there is none.

    >>> written(1234567), written(0.01234), written(-500.0), written(999.6), written(2.5, 3), written(None)
    ('1,234,567', '0.0123', '-500', '1,000', '2.500', '-')
    """
    if number is None:
        return "-"
    if digits is not None:
        return f"{number:,.{digits}f}"
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e15):
        return f"{int(number):,}"
    if abs(number) >= 999.5:  # of which three digits would be 1e+03
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) >= 1e-4 else f"{number:.2e}"


def _is_solved(row: Row) -> bool:
    return row.get("outcome") == "solved"


def _is_proved(row: Row) -> bool:
    return row.get("outcome") == "no_solution" or (_is_solved(row) and bool(row.get("optimal")))
