"""What the system tells about processes and does for them: Linux by ``/proc`` and prctl, others by psutil."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
PROC = Path("/proc")


def die_with_parent() -> None:
    """Have the system kill this process when its parent dies."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of every process below this one whose own parent dies, whatever session it is in."""
    _prctl(_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Process(NamedTuple):
    """A process as the system lists it."""

    pid: int
    parent: int
    resident: int
    """Bytes in memory."""


def processes() -> Iterator[Process]:
    """All processes, as far as the system tells."""
    if not PROC.is_dir():
        yield from _told_by_psutil()
        return
    for pid in _pids():
        with suppress(OSError, IndexError, ValueError):
            with open(f"{PROC}/{pid}/stat", "rb", buffering=0) as file:
                fields = file.read(4096).rpartition(b")")[2].split()
            yield Process(pid, int(fields[1]), int(fields[21]) * _PAGE)


def _told_by_psutil() -> Iterator[Process]:
    with suppress(ImportError):
        import psutil

        for one in psutil.process_iter(["pid", "ppid", "memory_info"]):
            memory = one.info["memory_info"]
            yield Process(one.info["pid"], one.info["ppid"] or 0, 0 if memory is None else int(memory.rss))


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir(PROC) if name.isdigit()]
    except OSError:
        return []


def children() -> set[int]:
    """The children of this process, also those that have ended and were not waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # there is none: no list of all processes need be looked through
        return set()
    return children_of(os.getpid())


def children_of(parent: int) -> set[int]:
    """The same of any process."""
    return {process.pid for process in processes() if process.parent == parent}


def resident(pid: int) -> int:
    """The resident bytes of a process; 0 if the system does not tell."""
    try:
        return int((PROC / str(pid) / "statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        others = [] if PROC.is_dir() else _told_by_psutil()
        return next((process.resident for process in others if process.pid == pid), 0)


def resident_by_tree(roots: Iterable[int]) -> dict[int, int]:
    """For each of these processes, the resident bytes of itself and all processes below it."""
    listed = {process.pid: process for process in processes()}
    sums = dict.fromkeys(roots, 0)
    for process in listed.values():
        above, steps = process, 0
        while above.pid not in sums and above.parent in listed and steps < len(listed):
            above, steps = listed[above.parent], steps + 1
        if above.pid in sums:
            sums[above.pid] += process.resident
    return sums


def marked(mark: str) -> list[int]:
    """The processes that hold ``mark``, ``NAME=VALUE``, in their environment."""
    found = []
    for pid in _pids():
        with suppress(OSError):
            if mark.encode() in (PROC / str(pid) / "environ").read_bytes().split(b"\0"):
                found.append(pid)
    return found
