"""``procura study``: run a grid of problems and configurations under hard limits, and go on where it ended."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from procura.cli.harmless import echo
from procura.cli.places import check_place, on_option, runner_of
from procura.cli.status import FOUND, INTERNAL, INTERRUPTED
from procura.errors import InputError

if TYPE_CHECKING:
    from procura.study.execute import Summary, Watcher
    from procura.study.plan import Study
    from procura.study.runs import Cell
    from procura.study.store import Contents

EPILOG = """\b
Examples:
  procura study fifteen.toml
  procura study fifteen.toml --dry-run
  procura study fifteen.toml --jobs 1 --results alone.jsonl
  procura study fifteen.toml --on dask://10.0.0.1:8786
  procura report fifteen.toml

\b
Exit status: 0 every run has a result, 2 the study file is wrong (and nothing was
run), 70 a run failed, now or before (it crashed, was killed by somebody else or
did not get ready), or the study could not go on, 130 interrupted.
"""
SHOWN = 10
"""Names listed at most."""
LINE_SECONDS = 10.0
"""Between two lines of progress where there is no terminal."""


@click.command("study", epilog=EPILOG)
@click.argument("file", metavar="FILE.toml")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Runs at once.  [default: one a core]")
@on_option
@click.option("--results", metavar="FILE.jsonl", help="Where results are kept.  [default: FILE.results.jsonl]")
@click.option("--dry-run", is_flag=True, help="Check the file and list the runs that are missing; run nothing.")
@click.option("--retry", is_flag=True, help="Run those again that failed: crashed, killed by somebody else, ...")
@click.option("--allow-code", is_flag=True, help="Allow puzzles that are classes of Python files, file.py:Class.")
def command(
    file: str, jobs: int | None, on: str, results: str | None, dry_run: bool, retry: bool, allow_code: bool
) -> int:
    """Run the study that FILE.toml describes: problems x configurations x seeds x repeats.

    Each run is a process of its own that is killed if it goes over its limits. Every result is kept as soon as it is
    there; started again, only the runs that have none are made. See docs/studies.md.
    """
    from procura.cli.interrupt import noted_interrupts
    from procura.cli.status import say
    from procura.portfolio import cores
    from procura.runners.processes import ForkServerError, StartError
    from procura.runners.runner import RunnerError
    from procura.study.execute import execute, failed, missing
    from procura.study.store import Results, ResultsError, read_results

    check_place(on)
    if not hasattr(os, "fork") and not dry_run:
        raise InputError("a study starts its runs by fork, which this system does not have: run it on Linux or macOS")
    study = read(file, allow_code)
    place = results or results_of(file)
    if dry_run:
        contents = read_results(place) if os.path.exists(place) else None
        _show_plan(study, contents, retry)
        return FOUND
    with Results(place) as kept, noted_interrupts() as interrupt:
        _say_notes(study, kept.contents, place)
        cells = missing(study, kept.contents, retry)
        try:
            with _watched(len(cells), len(study.runs) - len(cells)) as watcher:
                compiled = any(cell.run.engine == "compiled" for cell in cells)
                runner = runner_of(on, jobs, compiled, allow_code)
                summary = execute(
                    study, cells, kept, jobs=jobs or cores(), runner=runner, watcher=watcher, cancel=interrupt
                )
        except (ForkServerError, StartError, RunnerError, ResultsError) as error:
            say(f"{error}; start the study again to make the runs that are missing")
            return INTERNAL
        _show_summary(study, kept.contents, summary)
        tables = _report_command(study, file, results)
        echo(f"results in {place}; tables by: {tables}")
        if interrupt.noted:
            return INTERRUPTED
        return INTERNAL if failed(study, kept.contents) else FOUND


def read(file: str, allow_code: bool) -> Study:
    """The study of a file; code that it brings runs in a process of its own, also while it is read."""
    from procura.cli.progress import waiting
    from procura.cli.status import say
    from procura.study.apart import read_apart
    from procura.study.plan import read_study

    if not allow_code:
        return read_study(file)
    try:
        with waiting(f"reading {file}", time.monotonic()):
            return read_apart(file)
    except KeyboardInterrupt:
        say(f"{file}: interrupted while it was read: nothing was run")
        raise click.Abort from None


def results_of(file: str) -> str:
    """The results file of a study file, which stands beside it.

    >>> results_of("studies/fifteen.toml")
    'studies/fifteen.results.jsonl'
    """
    return file.removesuffix(".toml") + ".results.jsonl"


def _show_plan(study: Study, contents: Contents | None, retry: bool) -> None:
    from procura.study.execute import missing
    from procura.study.store import Contents
    from procura.words import counted

    cells = missing(study, contents or Contents(), retry)
    for cell in cells:
        echo(f"{cell.label}: {cell.run.configuration}")
    seconds = [cell.run.limits.seconds for cell in cells]
    whole = sum(one for one in seconds if one is not None)
    most = "without a time limit" if None in seconds else f"at most {whole:,.0f} s of search"
    echo(f"{counted(len(study.runs), 'run')}, {len(cells):,} missing, {most}")


def _say_notes(study: Study, contents: Contents, place: str) -> None:
    """Tell what is odd about the results file."""
    from procura.cli.status import say
    from procura.study.execute import of_other_source, strangers
    from procura.words import counted

    if contents.torn:
        say(f"{place}: the last line was cut off in the middle of being written; its run is made again")
    if contents.damaged:
        lines = listed(f"line {number}: {wrong}" for number, wrong in contents.damaged.items())
        say(f"{place}: no results, ignored: {lines}")
    old = strangers(study, contents)
    if old:
        names = listed(map(_label, old))
        say(f"{place}: no longer part of the study, kept but ignored: {counted(len(old), 'result')} of {names}")
    other = of_other_source(contents.records[key] for key in study.runs if key in contents.records)
    if other:
        say(f"{place}: made by another state of procura's source, kept: {counted(len(other), 'result')}")


def _label(record: Mapping[str, Any]) -> str:
    return f"{record['group']} / {record['problem']} / {record['configuration']}"


def listed(names: Iterable[str]) -> str:
    """The first of the distinct names, and how many more there are.

    >>> listed(["a", "b", "a"])
    'a; b'
    """
    distinct = list(dict.fromkeys(names))
    more = [f"and {len(distinct) - SHOWN} more"] if len(distinct) > SHOWN else []
    return "; ".join([*distinct[:SHOWN], *more])


@contextmanager
def _watched(total: int, before: int) -> Iterator[Watcher]:
    """A progress bar on stderr: done, running, time left; a plain line now and then if it is no terminal."""
    if not total or not sys.stderr.isatty():
        yield _Lines(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bar(progress, total, before)


class _Lines:
    """A plain line every ten seconds."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = self.running = 0
        self._began = self._told = time.monotonic()

    def warming(self, done: int, total: int) -> None:
        self._tell(f"compiling kernels: {done} of {total}")

    def started(self, cell: Cell) -> None:
        self.running += 1

    def ended(self, cell: Cell, record: Mapping[str, Any]) -> None:
        self.running -= 1
        self.done += 1

    def waiting(self, workers: str) -> None:
        self._tell(f"{self.done}/{self.total} done, {self.running} running{workers and '; '}{workers}")

    def _tell(self, words: str) -> None:
        now = time.monotonic()
        if now - self._told >= LINE_SECONDS:
            self._told = now
            echo(f"{now - self._began:.0f} s: {words}", err=True)


class _Bar:
    """The progress bar of a study."""

    def __init__(self, progress: Any, total: int, before: int) -> None:
        self.progress, self.total, self.before = progress, total, before
        self.done = self.running = 0
        self.workers = ""
        self.task = progress.add_task("runs", total=total, words="starting")

    def warming(self, done: int, total: int) -> None:
        self.progress.update(self.task, words=f"compiling kernels: {done} of {total}")

    def started(self, cell: Cell) -> None:
        self.running += 1
        self._show()

    def ended(self, cell: Cell, record: Mapping[str, Any]) -> None:
        self.running -= 1
        self.done += 1
        self.progress.advance(self.task)
        self._show()

    def waiting(self, workers: str) -> None:
        if workers != self.workers:
            self.workers = workers
            self._show()

    def _show(self) -> None:
        earlier = f" ({self.before} before)" if self.before else ""
        workers = f"; {self.workers}" if self.workers else ""
        words = f"{self.done}/{self.total} done{earlier}, {self.running} running{workers}"
        self.progress.update(self.task, words=words)


def _report_command(study: Study, file: str, results: str | None) -> str:
    """The command that makes the tables of this study."""
    words = ["procura", "report", file]
    words += [] if results is None else ["--results", results]
    words += ["--allow-code"] if any(cell.run.code is not None for cell in study.cells) else []
    return shlex.join(words)


def _show_summary(study: Study, contents: Contents, summary: Summary) -> None:
    """How all runs of the study ended, those that went wrong with their last lines, and what is left."""
    from procura.runners.endings import Ending
    from procura.study.execute import failed
    from procura.words import counted

    records = [contents.records[key] for key in study.runs if key in contents.records]
    echo(f"{study.title}: {counted(len(study.runs), 'run')}, {len(summary.done):,} made now")
    told = Counter(record["ending"] for record in records)
    told[Ending.INTERRUPTED] = len(summary.interrupted)
    for ending in Ending:
        if told[ending.value]:
            echo(f"  {told[ending.value]:6,} {ending.value:15} {ending.about}")
    if summary.left:
        counted_in = "the interrupted included; " if summary.interrupted else ""
        echo(f"  {summary.left:6,} missing         {counted_in}start the study again to make them")
    wrong = failed(study, contents)
    for record in wrong[:SHOWN]:
        echo(f"{record['ending']}: {study.runs[record['key']].label} ({record.get('exit')})")
        for line in record.get("last_lines", [])[-5:]:
            echo(f"    {line}")
    if len(wrong) > SHOWN:
        echo(f"and {len(wrong) - SHOWN:,} more that failed")
    if wrong:
        echo(f"{counted(len(wrong), 'run')} failed; --retry makes them again")
