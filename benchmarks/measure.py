"""Clocks, interleaved runs, tables and aims; shared by all sections."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

console = Console(highlight=False, width=None if Console().is_terminal else 110)
Seconds = Mapping[Hashable, float]


@dataclass(frozen=True)
class Scale:
    """How much to run."""

    quick: bool

    def runs(self, full: int, quick: int = 3) -> int:
        return quick if self.quick else full


@dataclass(frozen=True)
class Aim:
    """A figure, the most it should be, and whether it is."""

    what: str
    value: float
    most: float
    unit: str

    @property
    def met(self) -> bool:
        return self.value <= self.most

    def verdict(self) -> str:
        return "[green]met[/green]" if self.met else "[red]not met[/red]"


aims: list[Aim] = []


def aim(what: str, value: float, most: float, unit: str) -> str:
    """Note an aim for the summary; its cell in a table."""
    aims.append(Aim(what, value, most, unit))
    return f"{most:g} {unit}: {aims[-1].verdict()}"


def table(title: str, *columns: str, numbers_from: int = 1) -> Table:
    """An empty table; the columns from ``numbers_from`` on are aligned to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", min_width=60)
    for i, column in enumerate(columns):
        made.add_column(column, justify="right" if i >= numbers_from else "left")
    return made


def cpu(run: Callable[[], Any]) -> float:
    """CPU seconds of this process in ``run``."""
    started = time.process_time()
    run()
    return time.process_time() - started


def interleaved(runs: int, *sides: Callable[[], Seconds]) -> list[dict[Hashable, list[float]]]:
    """One side after the other, ``runs`` times; for each side the seconds of each item, run by run.

    Every side runs once before, unmeasured: compilation, page cache and allocator are then warm.
    """
    gathered: list[dict[Hashable, list[float]]] = [{} for _ in sides]
    for side in sides:
        side()
    for _ in range(runs):
        for side, seconds in zip(sides, gathered, strict=True):
            for item, value in side().items():
                seconds.setdefault(item, []).append(value)
    return gathered


def against_itself(seconds: Sequence[float]) -> float:
    """The A/A ratio: the least of every other run over the least of the rest."""
    return min(seconds[::2]) / min(seconds[1::2])


def process_cpu(command: Sequence[str]) -> float:
    """CPU seconds, of user and system, of a whole new process."""
    environment = {name: value for name, value in os.environ.items() if name != "PROCURA_DEBUG"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime
