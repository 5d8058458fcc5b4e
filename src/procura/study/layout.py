"""The ``[report]`` of a study file: which tables and plots are made of the results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from procura.configuration import plain
from procura.errors import unknown
from procura.study.lines import Document, Place, shown
from procura.study.measures import Value, read_value

TABLE_KEYS = ("title", "rows", "columns", "values", "group", "where", "total", "total_name")
PLOT_KEYS = ("kind", "title", "file", "value", "group", "where")
KINDS = {
    "bars": ("over", "series", "log"),
    "log_times": ("over", "series"),
    "solved_against_time": ("series",),
    "scatter": ("over", "x", "y", "log"),
    "sorted_sums": ("series",),
}
"""The kinds of plots, and the keys that each has beside those of all."""
OF_SINGLE_RUNS = ("log_times", "solved_against_time")
"""Kinds that show every run, and so no count of runs."""

Known = Mapping[str, Collection[str]]
"""What runs of the study are told apart by, and the values that there are."""


@dataclass(frozen=True)
class Table:
    """A table: a line for each combination of ``rows``, and for each of ``columns`` all ``values``."""

    title: str | None
    rows: tuple[str, ...]
    columns: str | None
    values: tuple[Value, ...]
    group: str | None = None
    """One table for each of these."""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    total: bool = False
    """A last line over all runs of a column."""
    total_name: str = "all"


@dataclass(frozen=True)
class Plot:
    """A plot of one of ``KINDS``."""

    kind: str
    title: str
    file: str
    value: Value
    over: str = "problem"
    series: str = "configuration"
    group: str | None = None
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    log: bool = False
    x: str | None = None
    y: str | None = None


class _Reader:
    """Reads one table of ``[report]``."""

    def __init__(self, document: Document, place: Place, known: Known, scored: bool) -> None:
        self.document, self.place, self.scored = document, place, scored
        self.dimensions = known

    def text(self, key: str, default: str | None = None) -> str | None:
        read: str | None = self.document.line(self.place, key, default)
        return read

    def truth(self, key: str) -> bool:
        return bool(self.document.read(self.place, key, bool, "true or false", False))

    def dimension(self, key: str, default: str | None = None) -> str | None:
        """A key that names what runs are told apart by."""
        name = self.text(key, default)
        return None if name is None else self._known(key, name)

    def _known(self, key: str, name: str) -> str:
        if name not in self.dimensions:
            message = str(unknown(f"{key}: runs are not told apart by", name, self.dimensions))
            raise self.document.error((*self.place, key), message)
        return name

    def dimensions_of(self, key: str, default: Sequence[str]) -> tuple[str, ...]:
        """One or several of them."""
        several = self.document.read(self.place, key, (str, list), "text or a list of texts", list(default))
        names = several if isinstance(several, list) else [several]
        if not names:
            raise self.document.error((*self.place, key), f"{key}: expected at least one name")
        return tuple(self._known(key, str(name)) for name in names)

    def configuration(self, key: str) -> str:
        """A key that names a configuration."""
        name, known = self.text(key), self.dimensions["configuration"]
        if name is None:
            raise self.document.error(self.place, f"a scatter needs {key}: expected the name of a configuration")
        if name not in known:
            message = str(unknown(f"{key}: there is no configuration", name, known))
            raise self.document.error((*self.place, key), message)
        return name

    def where(self) -> dict[str, tuple[str, ...]]:
        """The runs meant: for each dimension the values they may have."""
        table = self.document.read(self.place, "where", dict, "a table such as {group = 'easy'}", {})
        wanted = {}
        for name, value in table.items():
            place = (*self.place, "where", name)
            if name not in self.dimensions:
                raise self.document.error(place, str(unknown("runs are not told apart by", name, self.dimensions)))
            wanted[name] = tuple(map(plain, value if isinstance(value, list) else [value]))
            for one in wanted[name]:
                if one not in self.dimensions[name]:
                    raise self.document.error(place, str(unknown(f"no run has {name}", one, self.dimensions[name])))
        return wanted

    def value(self, place: Place, given: Any) -> Value:
        """``"sum score"`` or ``{value = "max length", name = "most pieces", digits = 0}``."""
        text, name, digits = given, None, None
        if isinstance(given, dict):
            self.document.check_keys(place, ("value", "name", "digits"), "a value")
            text, name = given.get("value"), self.document.line(place, "name")
            digits = self.document.read(place, "digits", int, "a whole number")
        if not isinstance(text, str):
            raise self.document.error(place, f"value {shown(given)}: expected text such as 'median seconds'")
        if digits is not None and not 0 <= digits <= 15:
            raise self.document.error((*place, "digits"), f"digits = {digits}: expected 0 to 15")
        read = self.document.guarded(place, read_value, text, name, digits)
        if read.measure == "score" and not self.scored:
            raise self.document.error(place, "there is no score: expected a table [score]")
        return read

    def values(self) -> tuple[Value, ...]:
        given = self.document.read(
            self.place, "values", list, "a list such as ['solved', 'median seconds']", ["solved"]
        )
        if not given:
            raise self.document.error((*self.place, "values"), "values: expected at least one")
        return tuple(self.value((*self.place, "values", number), one) for number, one in enumerate(given))


def read_tables(document: Document, known: Known, scored: bool) -> Iterator[Table]:
    """The tables that a study file asks for; without any, those that suit every study."""
    places = document.tables(("report", "tables")) if "report" in document.data else []
    for place in places:
        document.check_keys(place, TABLE_KEYS, "a table")
        reader = _Reader(document, place, known, scored)
        yield Table(
            reader.text("title"),
            reader.dimensions_of("rows", ["problem"]),
            reader.dimension("columns"),
            reader.values(),
            reader.dimension("group"),
            reader.where(),
            reader.truth("total"),
            reader.text("total_name", "all") or "all",
        )
    if not places:
        yield from usual_tables(scored)


def usual_tables(scored: bool) -> Iterator[Table]:
    """A table of all configurations, and one of times for each problem."""
    figures = ["solved", "proved", *(["sum score"] if scored else []), "quartiles seconds", "expanded", "max memory"]
    yield Table("Configurations", ("configuration",), None, tuple(map(read_value, figures)), "puzzle")
    seconds = (read_value("endings"), read_value("seconds"))
    yield Table("Problems", ("problem",), "configuration", seconds, "group")


def read_plots(document: Document, known: Known, scored: bool) -> Iterator[Plot]:
    """The plots that a study file asks for."""
    places = document.tables(("report", "plots")) if "report" in document.data else []
    files: set[str] = set()
    for number, place in enumerate(places, 1):
        plot = _plot(_Reader(document, place, known, scored), number)
        if plot.file in files:
            raise document.error((*place, "file"), f"two plots have the file {plot.file!r}")
        files.add(plot.file)
        yield plot


def _plot(reader: _Reader, number: int) -> Plot:
    document, place = reader.document, reader.place
    kind = reader.text("kind", "")
    if kind not in KINDS:
        told = f"kind = {kind!r}: " if kind else "a plot needs a kind: "
        raise document.error((*place, "kind"), f"{told}expected one of {', '.join(KINDS)}")
    document.check_keys(place, (*PLOT_KEYS, *KINDS[kind]), f"a plot of kind {kind}")
    sums = "sum score" if reader.scored else "sum seconds"
    told = document.at(place).get("value", sums if kind == "sorted_sums" else "median seconds")
    value = reader.value((*place, "value"), told)
    if value.is_text:
        raise document.error((*place, "value"), f"{value.measure} is no number: it stands in tables only")
    if kind in OF_SINGLE_RUNS and value.aggregate is None:
        message = f"{value.measure} is a count of runs: {kind} shows a figure that each run has"
        raise document.error((*place, "value"), message)
    x, y = (reader.configuration(key) if kind == "scatter" else None for key in ("x", "y"))
    title = reader.text("title", kind.replace("_", " ")) or kind
    file = reader.text("file", f"{Path(document.path).stem.lstrip('.')}-{number}") or ""
    if not file or any(character in file for character in "/\\\0") or file.startswith("."):
        raise document.error(
            (*place, "file"), f"file = {file!r}: expected a name without an ending and without folders"
        )
    series = reader.dimension("series", "configuration") or "configuration"
    over = reader.dimension("over", "problem") or "problem"
    log = reader.truth("log")
    return Plot(kind, title, file, value, over, series, reader.dimension("group"), reader.where(), log, x, y)
