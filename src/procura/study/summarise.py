"""Results made into tables: rows of figures, grouped and summed as the study file asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import unknown
from procura.study.layout import Table
from procura.study.measures import Figure, Row
from procura.study.plan import Study
from procura.study.records import Record
from procura.study.runs import distinctions
from procura.study.store import Contents


@dataclass(frozen=True)
class Sheet:
    """A table ready to be written: the first cells of a line are names, the others figures."""

    title: str
    names: tuple[str, ...]
    """The headings of the names."""
    columns: tuple[str, ...]
    """The headings of the figures."""
    lines: tuple[tuple[tuple[str, ...], tuple[Figure, ...]], ...]


def rows_of_study(study: Study, contents: Contents) -> list[Row]:
    """The results of the study's runs under its names, in its order; scores as it defines them now."""
    rows = []
    for cell in study.cells:
        record = contents.records.get(cell.run.key)
        if record is None:
            continue
        score = {} if study.score is None else {"score": study.score.value(record)}
        rows.append(_row({**record, **cell.names, **score}, cell.run.canonical))
    return rows


def rows_of_results(contents: Contents) -> list[Row]:
    """The results of a file under the names they were made with."""
    return [_row(record, record["run"]) for record in contents.records.values()]


def _row(record: Record, run: Mapping[str, Any]) -> Row:
    """A result with what it is told apart by, as text, under ``of``."""
    names = {name: record[name] for name in ("problem", "group", "configuration", "ending")}
    return {**record, "of": {**distinctions(run), **names}}


def chosen(rows: Sequence[Row], where: Mapping[str, tuple[str, ...]]) -> list[Row]:
    """The rows that ``where`` admits."""
    return [row for row in rows if all(row["of"].get(name) in wanted for name, wanted in where.items())]


def distinct(rows: Iterable[Row], name: str) -> list[str]:
    """The values of a dimension, in the order in which they appear."""
    return list(dict.fromkeys(row["of"].get(name, "-") for row in rows))


def split(rows: Sequence[Row], name: str | None) -> Iterator[tuple[str | None, list[Row]]]:
    """The rows for each value of a dimension; all of them if there is none."""
    if name is None:
        yield None, list(rows)
        return
    for value in distinct(rows, name):
        yield value, [row for row in rows if row["of"].get(name, "-") == value]


def sheets(tables: Iterable[Table], rows: Sequence[Row]) -> Iterator[Sheet]:
    """The tables filled with results; those that would be empty are left out."""
    for table in tables:
        for group, members in split(chosen(rows, table.where), table.group):
            if members:
                titles = [part for part in (table.title, group) if part]
                yield _sheet(table, ": ".join(titles), members)


def entitled(title: str, tables: Sequence[Table], rows: Sequence[Row]) -> list[Sheet]:
    """The table of that title, or all tables of it if it is made for each of a group; raises ``InputError``."""
    of_group = [table for table in tables if table.title == title]
    made = list(sheets(of_group or tables, rows))
    found = made if of_group else [sheet for sheet in made if sheet.title == title]
    if not found:
        raise unknown("there is no table", title, filter(None, (sheet.title for sheet in made)))
    return found


def _sheet(table: Table, title: str, rows: list[Row]) -> Sheet:
    columns = [None] if table.columns is None else distinct(rows, table.columns)
    headings = [
        value.name if column is None else column if len(table.values) == 1 else f"{column}: {value.name}"
        for column in columns
        for value in table.values
    ]

    def figures(members: list[Row]) -> tuple[Figure, ...]:
        return tuple(
            value.figure([row for row in members if column is None or row["of"].get(table.columns, "-") == column])
            for column in columns
            for value in table.values
        )

    by_names: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        by_names.setdefault(tuple(row["of"].get(name, "-") for name in table.rows), []).append(row)
    lines = [(names, figures(members)) for names, members in by_names.items()]
    if table.total and len(lines) > 1:
        lines.append(((table.total_name, *[""] * (len(table.rows) - 1)), figures(rows)))
    return Sheet(title, table.rows, tuple(headings), tuple(lines))
