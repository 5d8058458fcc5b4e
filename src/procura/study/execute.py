"""The runs of a study that are missing: each in a child process, several at once, each result kept as it comes."""

from __future__ import annotations

import os
import platform
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from procura import __version__
from procura.result import Limits
from procura.study.code import procura_source
from procura.study.endings import Ending
from procura.study.plan import Study
from procura.study.processes import LOADING_SECONDS, Child, NurseryError, Processes, StartError
from procura.study.records import Record
from procura.study.runs import Cell, Run
from procura.study.store import Contents, Results

SCHEMA = 1
MOST_FRUITLESS = 3
"""Nurseries that may be lost one after the other without a single run."""
PATIENCE = 60.0
"""Seconds for which the system may refuse to start a single process."""
PAUSE = 0.25
"""Seconds until it is asked again."""


class Watcher(Protocol):
    """Who is told how it goes."""

    def warming(self, done: int, total: int) -> None:
        """Kernels are being compiled: so many of so many searches are ready."""

    def started(self, cell: Cell) -> None:
        """A run begins."""

    def ended(self, cell: Cell, record: Record) -> None:
        """A run has ended and is recorded."""

    def waiting(self) -> None:
        """Runs go on; called many times a second."""


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
    jobs: int,
    watcher: Watcher,
    cancel: Callable[[], bool] = lambda: False,
) -> Summary:
    """Make the runs, ``jobs`` at once; ``cancel`` ends it, with all results that are there kept.

    No child is left, whichever way this ends.
    """
    work = _Execution(study, deque(cells), results, jobs, watcher, cancel)
    fruitless = 0
    while work.waiting and not cancel():
        before = len(work.summary.done)
        lost = work.go_on()
        fruitless = fruitless + 1 if len(work.summary.done) == before else 0
        if lost is not None and fruitless == MOST_FRUITLESS:
            raise lost
    work.summary.left = len(work.waiting) + len(work.summary.interrupted)
    return work.summary


@dataclass(frozen=True)
class _Job:
    """What a child works at: a cell, since when, and how busy the machine was then."""

    cell: Cell
    started: str
    load: list[float]


class _Execution:
    """The state of an execution."""

    def __init__(
        self, study: Study, waiting: deque[Cell], results: Results, jobs: int, watcher: Watcher,
        cancel: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.study, self.waiting, self.results, self.jobs = study, waiting, results, jobs
        self.watcher, self.cancel = watcher, cancel
        self.summary = Summary()
        self.versions = _versions()
        self._warmed = False
        self._next_start = 0.0
        self._stuck_since: float | None = None

    def go_on(self) -> NurseryError | None:
        """Run with one nursery until nothing is left, or the nursery is lost, which is returned."""
        compiled = any(cell.run.engine == "compiled" for cell in self.waiting)
        try:
            with Processes(compiled) as processes:
                self._go_on(processes, compiled)
        except NurseryError as error:
            return error
        return None

    def _go_on(self, processes: Processes, compiled: bool) -> None:
        try:
            if compiled and not self._warmed:
                self._warmed = True
                self._warm(processes)
            self._run_all(processes)
        except NurseryError as error:
            self._record_lost(processes, str(error))
            raise
        if self.cancel():
            jobs = [child.tag for child in processes.children.values()]
            self.summary.interrupted += [job.cell for job in jobs if isinstance(job, _Job)]

    def _record_lost(self, processes: Processes, sentence: str) -> None:
        """The nursery was killed, and its children with it; those that had sent their result have it."""
        for child in processes.children.values():
            child.hear()
            if child.status is None:
                child.killed, child.status = child.killed or Ending.KILLED_OUTSIDE, signal.SIGKILL
            if isinstance(child.tag, _Job):
                self._record(child, [*child.last_lines(), sentence])
            child.close()
        processes.children.clear()

    def _warm(self, processes: Processes) -> None:
        """Compile what the runs need, each thing once, before any clock starts."""
        by_search: dict[str, dict[str, Run]] = {}
        for cell in self.waiting:
            shape = self.study.shapes.get(cell.run.key)
            if shape is not None:
                by_search.setdefault(cell.run.configuration, {}).setdefault(shape, cell.run)
        batches = deque([request(self.study, run) for run in runs.values()] for runs in by_search.values())
        total, ended = sum(map(len, batches)), 0
        while (batches or processes.children) and not self.cancel():
            while batches and len(processes.children) < self.jobs:
                batch = batches[0]
                limits = Limits(seconds=LOADING_SECONDS * len(batch))
                if not self._start(processes, {"warm": batch}, limits, len(batch)):
                    break
                batches.popleft()
            ended += sum(child.tag for child in _closed(processes.wait()))
            self.watcher.warming(ended + sum(child.warmed for child in processes.children.values()), total)

    def _run_all(self, processes: Processes) -> None:
        while (self.waiting or processes.children) and not self.cancel():
            while self.waiting and len(processes.children) < self.jobs:
                cell = self.waiting[0]
                job = _Job(cell, _now(), [round(load, 2) for load in os.getloadavg()])
                if not self._start(processes, request(self.study, cell.run), cell.run.limits, job):
                    break
                self.waiting.popleft()
                self.watcher.started(cell)
            for child in processes.wait():
                self._record(child, child.last_lines())
                child.close()
            self.watcher.waiting()

    def _start(self, processes: Processes, what: Mapping[str, Any], limits: Limits, tag: Any) -> bool:
        """Start a child, if the system can; else fewer run at once for a while."""
        now = time.monotonic()
        if now < self._next_start:
            return False
        try:
            processes.start(what, limits, tag)
        except StartError:
            self._next_start = now + PAUSE
            if processes.children:
                self._stuck_since = None
            elif self._stuck_since is None:
                self._stuck_since = now
            elif now - self._stuck_since > PATIENCE:
                raise
            return False
        self._stuck_since = None
        return True

    def _record(self, child: Child, last_lines: list[str]) -> None:
        record = self._fields(child.tag, child, last_lines)
        self.results.append(record)
        self.summary.done.append(record)
        self.watcher.ended(child.tag.cell, record)

    def _fields(self, job: _Job, child: Child, last_lines: list[str]) -> dict[str, Any]:
        """The record of a run: what it was, how it ended, all its figures, and where it was made."""
        cell = job.cell
        ended = child.ended or time.monotonic()
        clock = None if child.ready is None else ended - child.ready
        figures = child.result or {"seconds": clock}
        record = {
            "schema": SCHEMA,
            "key": cell.run.key,
            "study": self.study.title,
            "problem": cell.problem,
            "group": cell.group,
            "configuration": cell.configuration,
            "ending": child.ending.value,
            "run": cell.run.canonical,
            **figures,
            "exit": child.exit,
            "last_lines": last_lines if child.result is None else [],
            "wall_seconds": clock,
            "load_seconds": (child.ready or ended) - child.started,
            "cpu_seconds": child.cpu_seconds,
            "peak_memory": max(child.peak, figures.get("peak_memory") or 0),
            "started": job.started,
            "ended": _now(),
            "versions": self.versions,
            "machine": {**_machine(), "load": job.load, "jobs": self.jobs},
        }
        if self.study.score is not None:
            record["score"] = self.study.score.value(record)
        return record


def _closed(children: list[Child]) -> list[Child]:
    for child in children:
        child.close()
    return children


def request(study: Study, run: Run) -> dict[str, Any]:
    """What a child is asked to do."""
    own = run.code is not None
    return {
        "puzzle": str(Path(study.path).absolute().parent / run.puzzle) if own else run.puzzle,
        "code": run.code,
        "board": run.board,
        "options": dict(run.options),
        "configuration": run.configuration,
        "engine": run.engine,
        "seed": run.seed,
        "limits": run.canonical["limits"],
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _versions() -> dict[str, str | None]:
    def of(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    return {
        "procura": __version__,
        "source": procura_source(),
        "python": platform.python_version(),
        **{package: of(package) for package in ("numba", "numpy")},
    }


def _machine() -> dict[str, Any]:
    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}
