"""``procura report``: the tables and plots of a study."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
  procura report fifteen.results.jsonl --format csv
"""


@click.command("report", epilog=EPILOG)
@click.argument("file", metavar="FILE.toml|FILE.jsonl")
@click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "csv", "latex"]),
    default="terminal",
    show_default=True,
)
@click.option("--plots", metavar="DIR", help="Draw the plots of the study into this folder, as PNG and SVG.")
@click.option("--results", metavar="FILE.jsonl", help="Where the results are.  [default: FILE.results.jsonl]")
@click.option("--allow-code", is_flag=True, help="Allow puzzles that are classes of Python files, file.py:Class.")
def command(file: str, form: str, plots: str | None, results: str | None, allow_code: bool) -> None:
    """Print the tables that the study FILE.toml asks for, and draw its plots.

    Of FILE.jsonl alone the usual tables are printed, of all results in it. See docs/studies.md.
    """
    from procura.study import formats
    from procura.study.summarise import sheets

    tables, drawn, rows = _of_results(file) if file.endswith(".jsonl") else _of_study(file, results, allow_code)
    if not rows:
        raise InputError(f"{file}: there are no results yet: run procura study first")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100_000
    click.echo(formats.write(form, list(sheets(tables, rows)), width), nl=False)
    if plots is not None:
        from procura.study.plots import draw_plots

        if not drawn:
            raise InputError(f"--plots {plots!r}: {file} asks for no plots, in tables [[report.plots]]")
        for path in draw_plots(drawn, rows, Path(plots)):
            click.echo(str(path), err=True)


def _of_results(file: str) -> tuple[Sequence[Table], Sequence[Plot], list[Row]]:
    from procura.study.layout import usual_tables
    from procura.study.summarise import rows_of_results

    rows = rows_of_results(_whole(file))
    return list(usual_tables(any("score" in row for row in rows))), (), rows


def _whole(place: str) -> Contents:
    """The results of a file of which every line is one."""
    from procura.study.store import read_results

    contents = read_results(place)
    for number, wrong in contents.damaged.items():
        raise InputError(f"{place}, line {number}: {wrong}")
    return contents


def _of_study(file: str, results: str | None, allow_code: bool) -> tuple[Sequence[Table], Sequence[Plot], list[Row]]:
    from procura.cli.commands.study import results_of
    from procura.cli.status import say
    from procura.cli.words import counted
    from procura.study.execute import missing, strangers
    from procura.study.plan import read_study
    from procura.study.summarise import rows_of_study

    study = read_study(file, allow_code)
    place = results or results_of(file)
    if not os.path.exists(place):
        raise InputError(f"{place}: there are no results yet: run procura study first")
    contents = _whole(place)
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
