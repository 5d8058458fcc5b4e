"""A child process that compiles kernels into the cache, as seen from the process that wants them.

It reports on a pipe, one JSON object a line: ``{"preparing": words}`` as it goes on, and at the end
``{"ready": true}``, ``{"failed": why}`` or ``{"unknown": why}``: it could not make out what to compile. Another pipe,
on which nothing is said after the request, ends when this process does, and the child with it.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

MODULE = "procura.compiling"
"""What the child runs."""
SILENCE_SECONDS = 120.0
"""A child that has not reported for so long hangs."""
MOST = 2
"""So many children compile at one time."""

Report = Callable[[Mapping[str, Any]], None]

_under_way: list[Compiler] = []


class Compiler:
    """A child under way."""

    def __init__(self, pid: int, reports: int, lifeline: int) -> None:
        self.preparing: str | None = None
        """What it said last of how far it is."""
        self._pid, self._reports, self._lifeline = pid, reports, lifeline
        self._text = b""
        self._outcome: dict[str, Any] | None = None
        self._heard = time.monotonic()
        os.set_blocking(reports, False)
        _under_way.append(self)

    def poll(self) -> dict[str, Any] | None:
        """How it has ended, in its own words; None while it is at work."""
        if self._outcome is None:
            self._outcome = self._heard_since()
            if self._outcome is not None:
                self.end()
        return self._outcome

    def _heard_since(self) -> dict[str, Any] | None:
        silent = False
        try:
            more = os.read(self._reports, 1 << 16)
            self._heard = time.monotonic()
        except BlockingIOError:
            silent = time.monotonic() - self._heard > SILENCE_SECONDS
            if not silent:
                return None
            more = b""
        *lines, self._text = (self._text + more).split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "preparing" not in said:
                return dict(said)
            self.preparing = said["preparing"]
        if more:
            return None
        return {"failed": "the process that compiles " + ("says nothing any more" if silent else "died")}

    def end(self) -> None:
        """End it, if it has not ended."""
        if self not in _under_way:
            return
        _under_way.remove(self)
        for handle in (self._reports, self._lifeline):
            os.close(handle)
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(OSError):  # somebody else may wait for every child
            os.waitpid(self._pid, 0)


def possible() -> bool:
    """Whether this system lets us have such children."""
    return os.name == "posix" and sys.platform not in ("emscripten", "wasi")


def all_busy() -> bool:
    """Whether as many children are at work as may be."""
    for compiler in tuple(_under_way):
        compiler.poll()
    return len(_under_way) >= MOST


def spawn(request: Mapping[str, Any]) -> Compiler | None:
    """A new Python that compiles what ``request`` names; None if it cannot be started."""
    if not sys.executable:
        return None
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths}, process_group=0,
        )  # fmt: skip
    except OSError:
        return None
    assert child.stdin is not None and child.stdout is not None
    compiler = Compiler(child.pid, os.dup(child.stdout.fileno()), os.dup(child.stdin.fileno()))
    child.stdout.close()
    with suppress(OSError):  # it is dead already, which the first poll sees
        child.stdin.write(json.dumps({**request, "parent": os.getpid()}).encode() + b"\n")
        child.stdin.close()
    child.returncode = 0  # it is waited for by Compiler
    return compiler


def can_fork() -> bool:
    """Whether a copy of this process is sound: it has one thread, and LLVM is not in it."""
    return sys.platform == "linux" and threading.active_count() == 1 and "llvmlite" not in sys.modules


def fork(work: Callable[[Report], None]) -> Compiler | None:
    """A copy of this process that does ``work``, which reports; None if there can be none."""
    reports, lifeline = os.pipe(), os.pipe()
    try:
        parent, pid = os.getpid(), os.fork()
    except OSError:
        for handle in (*reports, *lifeline):
            os.close(handle)
        return None
    if pid == 0:
        try:
            _be_child(reports[1], lifeline[0], parent, work)
        finally:
            os._exit(1)
    os.close(reports[1])
    os.close(lifeline[0])
    return Compiler(pid, reports[0], lifeline[1])


def _be_child(reports: int, lifeline: int, parent: int, work: Callable[[Report], None]) -> None:
    """All that a forked child does: it keeps nothing open that it inherited."""
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    low, high = sorted((reports, lifeline))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, os.sysconf("SC_OPEN_MAX"))
    serve(reports, lifeline, parent, work)


def serve(reports: int, lifeline: int, parent: int, work: Callable[[Report], None]) -> None:
    """In the child: do ``work``, whose reports go to ``reports``, as long as ``parent`` lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with, args=(lifeline, parent), daemon=True).start()

    def report(figures: Mapping[str, Any]) -> None:
        os.write(reports, json.dumps(figures).encode() + b"\n")

    work(report)


def _die_with(lifeline: int, parent: int) -> None:
    """End this process when the pipe or the process at its other end does: others may hold the pipe open."""
    while os.getppid() == parent and not select.select([lifeline], [], [], 1.0)[0]:
        pass
    os._exit(1)


@atexit.register
def _end_all() -> None:
    for compiler in tuple(_under_way):
        compiler.end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_under_way.clear)
