"""``procura report``: the tables and plots of a study."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from procura.cli.harmless import echo
from procura.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from procura.study.layout import Plot, Table
    from procura.study.measures import Row
    from procura.study.store import Contents

EPILOG = """\b
Examples:
  procura report fifteen.toml
  procura report fifteen.toml --format markdown --plots charts
  procura report fifteen.toml --format csv --table "All boards"
  procura report fifteen.results.jsonl --format runs-csv
"""


RUNS = "runs-csv"


@click.command("report", epilog=EPILOG)
@click.argument("file", metavar="FILE.toml|FILE.jsonl")
@click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "csv", "latex", RUNS]),
    default="terminal",
    show_default=True,
    help=f"Of the tables; {RUNS} is a line for each run.",
)
@click.option("--table", metavar="TITLE", help="Print only the table of this title.")
@click.option("--plots", metavar="DIR", help="Draw the plots of the study into this folder, as PNG and SVG.")
@click.option("--results", metavar="FILE.jsonl", help="Where the results are.  [default: FILE.results.jsonl]")
@click.option("--allow-code", is_flag=True, help="Allow puzzles that are classes of Python files, file.py:Class.")
def command(file: str, form: str, table: str | None, plots: str | None, results: str | None, allow_code: bool) -> None:
    """Print the tables that the study FILE.toml asks for, and draw its plots.

    Of FILE.jsonl alone the usual tables are printed, of all results in it. See docs/studies.md.
    """
    if table is not None and form == RUNS:
        raise InputError(f"--table {table!r}: {RUNS} is one table, of all runs")
    tables, drawn, rows = _of_results(file) if file.endswith(".jsonl") else _of_study(file, results, allow_code)
    if not rows:
        raise InputError(f"{file}: there are no results yet: run procura study first")
    text = _text(form, table, tables, rows)
    if plots is not None:
        from procura.study.plots import prepare

        if not drawn:
            raise InputError(f"--plots {plots!r}: {file} asks for no plots, in tables [[report.plots]]")
        prepare(Path(plots))
    if form == "terminal" or sys.stdout.isatty():
        echo(text, nl=False)
    else:
        click.echo(text, nl=False)
    if plots is not None:
        from procura.study.plots import draw_plots

        for path in draw_plots(drawn, rows, Path(plots)):
            click.echo(str(path), err=True)


def _text(form: str, title: str | None, tables: Sequence[Table], rows: list[Row]) -> str:
    """The tables, or that of a title, or all runs."""
    from procura.study import formats
    from procura.study.summarise import entitled, sheets

    if form == RUNS:
        return formats.runs(rows)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100_000
    shown = list(sheets(tables, rows)) if title is None else entitled(title, tables, rows)
    return formats.write(form, shown, width)


def _of_results(file: str) -> tuple[Sequence[Table], Sequence[Plot], list[Row]]:
    from procura.study.layout import usual_tables
    from procura.study.summarise import rows_of_results

    rows = rows_of_results(_contents(file))
    return list(usual_tables(any("score" in row for row in rows))), (), rows


def _contents(place: str) -> Contents:
    """The results of a file; lines that are none are told and left out."""
    from procura.cli.commands.study import listed
    from procura.cli.status import say
    from procura.study.store import read_results

    contents = read_results(place)
    if contents.damaged:
        lines = listed(f"line {number}: {wrong}" for number, wrong in contents.damaged.items())
        say(f"{place}: no results, left out: {lines}")
    return contents


def _of_study(file: str, results: str | None, allow_code: bool) -> tuple[Sequence[Table], Sequence[Plot], list[Row]]:
    from procura.cli.commands.study import read, results_of
    from procura.cli.status import say
    from procura.study.execute import missing, strangers
    from procura.study.summarise import rows_of_study
    from procura.words import counted

    study = read(file, allow_code)
    place = results or results_of(file)
    if not os.path.exists(place):
        raise InputError(f"{place}: there are no results yet: run procura study first")
    contents = _contents(place)
    left, old = len(missing(study, contents)), len(strangers(study, contents))
    if left:
        say(f"without a result yet: {left:,} of {counted(len(study.runs), 'run')}")
    if old:
        say(f"{place}: no longer part of the study, left out: {counted(old, 'result')}")
    rows = rows_of_study(study, contents)
    sources = {row["versions"]["source"] for row in rows if "source" in row.get("versions", {})}
    if len(sources) > 1:
        say(f"{place}: made by {len(sources)} states of procura's source: {', '.join(sorted(sources))}")
    return study.tables, study.plots, rows
