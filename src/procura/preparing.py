"""What a run needs before it can search: its tables, opened or built under its limits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from procura.control import Control
from procura.rows import Rows
from procura.tables import Table, Watch


class Stopped(Exception):
    """A run ends before its search began: a limit, or the user, ended what it waited for."""


class TableWatch(Watch):
    """A run that waits for a table: its limits and Ctrl-C hold, and it reports progress."""

    def __init__(self, control: Control) -> None:
        self.control = control

    def allow(self, table: Table) -> None:
        if not self.control.memory_allows(table.needed):
            self.control.stopped_by = "memory"
            raise Stopped
        self.building(table, 0.0)

    def building(self, table: Table, part: float) -> None:
        self._go_on(f"building a table, {table.size / 1e6:,.1f} MB, of {table.purpose}: {part:.0%}")

    def waiting(self, table: Table) -> None:
        self._go_on(f"waiting for another run that builds a table of {table.purpose}")

    def note(self, text: str) -> None:
        self.control.notes.append(text)

    def _go_on(self, text: str) -> None:
        self.control.preparing = text
        if self.control.stop():
            raise Stopped


def open_table(table: Table, control: Control) -> memoryview:
    """A table that a run needs beside those of its problem, opened or built as those are; raises ``Stopped``."""
    with _timed(control):
        return table.open(TableWatch(control))


def open_tables(problem: object, control: Control, heuristics: Iterable[str] = ()) -> None:
    """Open, or build, the tables that the rules of a problem and these heuristics read; raises ``Stopped``.

    The time it takes counts with compiling, and ends at the limit of the run; the search then has its full time. What
    compiling takes that a table needs does not count for the limit.
    """
    if not isinstance(problem, Rows):
        return
    problem.look_again()
    with _timed(control):
        problem.open_tables(*heuristics, watch=TableWatch(control))


@contextmanager
def _timed(control: Control) -> Iterator[None]:
    """Note how long a run was prepared, unless that was ended; the clock of the search then starts anew."""
    started, before = time.perf_counter(), control.stats.compile_seconds
    yield
    if control.preparing is not None:
        control.preparing = None
        control.stats.compile_seconds = before + time.perf_counter() - started
        control.start()
