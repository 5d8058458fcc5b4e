"""The runs of a study that are missing: each in a process of its own, several at once, each result kept as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from procura.result import Limits
from procura.runners.code import procura_source
from procura.runners.endings import Ending, ending_of
from procura.runners.local import Workers
from procura.runners.processes import LOADING_SECONDS
from procura.runners.runner import Ended, Runner, Task, versions
from procura.study.plan import Study
from procura.study.records import Record
from procura.study.runs import Cell, Run
from procura.study.store import Contents, Results

SCHEMA = 1
POLL_SECONDS = 0.1


class Watcher(Protocol):
    """Who is told how it goes."""

    def warming(self, done: int, total: int) -> None:
        """Kernels are being compiled: so many of so many searches are ready."""

    def started(self, cell: Cell) -> None:
        """A run begins."""

    def ended(self, cell: Cell, record: Record) -> None:
        """A run has ended and is recorded."""

    def waiting(self, workers: str) -> None:
        """Runs go on; called many times a second, with who is at work, if there is something to tell."""


@dataclass
class Summary:
    """What an execution did."""

    done: list[Record] = field(default_factory=list)
    interrupted: list[Cell] = field(default_factory=list)
    """Runs that were cut short."""
    left: int = 0
    """Runs that are still missing."""


def missing(study: Study, contents: Contents, retry: bool = False) -> list[Cell]:
    """The runs that have no result; with ``retry`` also those that failed."""
    again = {record["key"] for record in failed(study, contents)} if retry else set()
    return [cell for key, cell in study.runs.items() if key not in contents.records or key in again]


def failed(study: Study, contents: Contents) -> list[Record]:
    """The results of runs of the study that went wrong in a way that nobody asked for."""
    found = [contents.records[key] for key in study.runs if key in contents.records]
    return [record for record in found if Ending(record["ending"]).failed]


def strangers(study: Study, contents: Contents) -> list[Record]:
    """Results that no run of the study as it is now has."""
    return [record for key, record in contents.records.items() if key not in study.runs]


def of_other_source(records: Iterable[Record]) -> list[Record]:
    """Results made by another state of procura's source; those that do not tell are left out."""
    own = procura_source()
    return [record for record in records if record.get("versions", {}).get("source", own) != own]


def execute(
    study: Study,
    cells: Iterable[Cell],
    results: Results,
    *,
    jobs: int = 1,
    runner: Runner | None = None,
    watcher: Watcher,
    cancel: Callable[[], bool] = lambda: False,
) -> Summary:
    """Make the runs, ``jobs`` at once on this machine or as many as the runner takes; ``cancel`` ends it, with all
    results that are there kept.

    No child is left, whichever way this ends.
    """
    waiting = deque(cells)
    summary = Summary(left=len(waiting))
    if not waiting:
        return summary
    compiled = any(cell.run.engine == "compiled" for cell in waiting)
    with runner or Workers(jobs, compiled) as made_by:
        if compiled:
            made_by.warm(_warming(study, waiting), watcher.warming, cancel)
        while summary.left and not cancel():
            while waiting and made_by.is_free():
                cell = waiting.popleft()
                made_by.start(task(study, cell))
                watcher.started(cell)
            for what, ended in made_by.wait(POLL_SECONDS):
                record = _record(study, what.tag, ended)
                results.append(record)
                summary.done.append(record)
                summary.left -= 1
                watcher.ended(what.tag, record)
            watcher.waiting(made_by.words())
        summary.interrupted = [what.tag for what in made_by.drop()]
    return summary


def _warming(study: Study, cells: Iterable[Cell]) -> list[Task]:
    """Compile what the runs need, each thing once, before any clock starts: a task a search."""
    by_search: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        shape = study.shapes.get(cell.run.key)
        if shape is not None:
            by_search.setdefault(cell.run.configuration, {}).setdefault(shape, cell)
    tasks = []
    for shapes in by_search.values():
        batch = [request(study, cell.run) for cell in shapes.values()]
        limits = Limits(seconds=LOADING_SECONDS * len(batch))
        tasks.append(Task({"work": "procura.study.work:warm", "warm": batch}, limits, len(batch)))
    return tasks


def _record(study: Study, cell: Cell, ended: Ended) -> dict[str, Any]:
    """The record of a run: what it was, how it ended, all its figures, and where it was made."""
    figures = ended.result or {"seconds": ended.wall_seconds}
    ending = ended.ending or ending_of(figures["outcome"], figures["stopped_by"])
    record = {
        "schema": SCHEMA,
        "key": cell.run.key,
        "study": study.title,
        "problem": cell.problem,
        "group": cell.group,
        "configuration": cell.configuration,
        "ending": ending.value,
        "run": cell.run.canonical,
        **figures,
        "exit": ended.exit,
        "last_lines": ended.last_lines,
        "wall_seconds": ended.wall_seconds,
        "load_seconds": ended.load_seconds,
        "cpu_seconds": ended.cpu_seconds,
        "peak_memory": max(ended.peak_memory, figures.get("peak_memory") or 0),
        "started": ended.started,
        "ended": ended.ended,
        "versions": versions(),
        "machine": ended.machine,
    }
    if study.score is not None:
        record["score"] = study.score.value(record)
    return record


def task(study: Study, cell: Cell) -> Task:
    """A run, for a runner."""
    own = None if cell.run.code is None else _own_file(study, cell.run)
    return Task(request(study, cell.run), cell.run.limits, cell, shape=study.shapes.get(cell.run.key), own=own)


def _own_file(study: Study, run: Run) -> Path:
    """The file of a user's class."""
    return Path(study.path).absolute().parent / run.puzzle.rpartition(":")[0]


def request(study: Study, run: Run) -> dict[str, Any]:
    """What a child is asked to do."""
    own = run.code is not None
    return {
        "work": "procura.study.work:run",
        "puzzle": str(Path(study.path).absolute().parent / run.puzzle) if own else run.puzzle,
        "code": run.code,
        "board": run.board,
        "options": dict(run.options),
        "configuration": run.configuration,
        "engine": run.engine,
        "seed": run.seed,
        "limits": run.canonical["limits"],
        **_ahead(study, run),
    }


def _ahead(study: Study, run: Run) -> dict[str, Any]:
    """What the process that forks runs may load for runs like this one: no code of a user's, and no threads."""
    shape = study.shapes.get(run.key, run.puzzle)
    one_thread = len(run.configurations) == 1 and run.configurations[0].all_options.get("jobs", 1) == 1
    if run.code is not None or (run.engine == "compiled" and not one_thread):
        return {}
    return {"ahead": {"load": "procura.study.work:load_ahead", "for": shape}}
