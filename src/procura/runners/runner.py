"""What a runner is: it takes tasks, which are plain data, makes each in a process that can be killed, and hands back
what came of each as it ends."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, Self

from procura import __version__
from procura.errors import ProcuraError
from procura.result import Limits
from procura.runners.code import procura_source
from procura.runners.endings import Ending

LOST = "lost"
"""The exit of a task that was lost with its worker time and again."""


class RunnerError(ProcuraError):
    """Nothing can be run there, or nothing any more."""


@dataclass(frozen=True)
class Setup:
    """What a process is made ready with that then serves one task after the other."""

    request: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """The same for the same setup, in whatever process."""
        return hashlib.sha256(json.dumps(self.request, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Task:
    """A run: what a child process is asked to do, as JSON has it, and its limits."""

    request: Mapping[str, Any]
    """With ``work``, ``module:function``: what the child calls; those of a setup have it in the setup.

    It may have ``ahead``: what can be loaded before children are forked. ``load``, ``module:function``, does that, with
    the request; it may run nothing of a user's, start no thread and make nothing that is not kept on disk. ``for`` is
    the same for requests that need the same.
    """
    limits: Limits
    tag: Any = None
    """Whatever the caller knows it by; it stays here."""
    setup: Setup | None = None
    shape: str | None = None
    """What is compiled for it: tasks with the same need the same."""
    own: Path | None = None
    """The file of a user's class that the request, or the setup, names as ``puzzle``; ``code`` is its digest."""


@dataclass(frozen=True)
class Ended:
    """What came of a task."""

    result: dict[str, Any] | None
    """What the child said, if it came so far."""
    ending: Ending | None
    """Why there is no result."""
    exit: str
    """The exit status or signal of its process, in words; empty if that lives on."""
    last_lines: list[str]
    """The end of what it printed, if there is no result."""
    load_seconds: float
    """Until it was ready."""
    wall_seconds: float | None
    """From then on; None if it never was."""
    cpu_seconds: float
    peak_memory: int
    started: str
    ended: str
    machine: dict[str, Any]
    """Where it was made."""

    @property
    def words(self) -> str:
        """How its process ended, in words."""
        if self.ending is not None and self.ending.ours:
            return self.ending.about
        if self.exit == LOST:
            return " ".join(self.last_lines)
        kind, _, name = self.exit.rpartition(" ")
        told = f"its process was ended by {name}" if kind == "signal" else f"its process ended with status {name}"
        return ": ".join([told, *self.last_lines[-1:]])


class Runner(Protocol):
    """Makes tasks, several at once. Leaving its context leaves no process behind."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

    def is_free(self) -> bool:
        """Whether one more task would be begun now."""

    def start(self, task: Task) -> None:
        """Have a task made; one that cannot be begun now is begun later."""

    def wait(self, seconds: float) -> list[tuple[Task, Ended]]:
        """The tasks that end within so many seconds; it returns as soon as there is one."""

    def drop(self) -> list[Task]:
        """Give up all tasks that have not ended; what they were."""

    def warm(self, tasks: Sequence[Task], told: Callable[[int, int], None], cancel: Callable[[], bool]) -> None:
        """Have what later tasks need compiled, if it is not compiled where they are made; tells how far that is."""

    def words(self) -> str:
        """Who is at work, for people; empty if there is nothing to tell."""


@cache
def versions() -> dict[str, str | None]:
    """What results depend on beside the request."""

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


def machine() -> dict[str, Any]:
    """This machine, and how busy it is."""
    about = {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}
    return {**about, "load": [round(load, 2) for load in os.getloadavg()]}
