"""Child processes under hard limits, seen from the program that runs a study."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Self

from procura.errors import ProcuraError
from procura.result import Limits
from procura.study.endings import Ending, ending_of

LOADING_SECONDS = 600.0
"""The most that a child may take to get ready."""
TERM_AFTER = 0.65
"""Seconds past its time limit at which a run is asked to end; searches end themselves before."""
KILL_AFTER = 0.8
"""Seconds past its time limit at which a run is killed."""
MEMORY_ROOM = 64_000_000
"""Bytes above its memory limit at which a run is killed."""
POLL_SECONDS = 0.02
GROUP_POLL_SECONDS = 0.25
LAST_LINES = 20
_CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS)
_OUR_FRAME = re.compile(r'  File ".*([/\\]procura[/\\](study|solving)|<frozen runpy>).*", line \d+ in \w+$|Thread 0x')
_PAGE = os.sysconf("SC_PAGE_SIZE")


class NurseryError(ProcuraError):
    """The process that starts runs ended when nobody told it to."""


@dataclass
class Child:
    """A child process: what it has said so far and what has been done to it."""

    pid: int
    channel: socket.socket
    output: BinaryIO
    limits: Limits
    tag: Any
    started: float = field(default_factory=time.monotonic)
    ready: float | None = None
    ended: float | None = None
    result: dict[str, Any] | None = None
    out_of_memory: bool = False
    warmed: int = 0
    killed: Ending | None = None
    term_sent: bool = False
    peak: int = 0
    status: int | None = None
    cpu_seconds: float = 0.0
    closed: bool = False
    _text: bytes = b""

    def fileno(self) -> int:
        """Of its channel, for ``select``."""
        return self.channel.fileno()

    def hear(self) -> None:
        """Take all that it has said since."""
        while not self.closed:
            try:
                text = self.channel.recv(1 << 20)
            except BlockingIOError:
                return
            except OSError:
                text = b""
            self.closed = not text
            self._text += text
            *lines, self._text = self._text.split(b"\n")
            for line in lines:
                self._take(json.loads(line))

    def _take(self, message: Mapping[str, Any]) -> None:
        if "ready" in message:
            self.ready = time.monotonic()
        self.result = message.get("result", self.result)
        self.out_of_memory = self.out_of_memory or "memory" in message
        self.warmed += "warmed" in message

    @property
    def ending(self) -> Ending:
        """How it ended."""
        assert self.status is not None
        if self.result is not None:
            return ending_of(self.result["outcome"], self.result["stopped_by"])
        if self.killed is not None:
            return self.killed
        if self.out_of_memory:
            return Ending.KILLED_MEMORY
        if os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) not in _CRASHES:
            return Ending.KILLED_OUTSIDE
        return Ending.CRASHED

    @property
    def exit(self) -> str:
        """Its exit status or signal, in words."""
        assert self.status is not None
        if os.WIFSIGNALED(self.status):
            return f"signal {_signal_name(os.WTERMSIG(self.status))}"
        return f"exit status {os.WEXITSTATUS(self.status)}"

    def last_lines(self) -> list[str]:
        """The end of what it printed, without the frames of ours that a crash lists below those of the search."""
        size = self.output.seek(0, os.SEEK_END)
        self.output.seek(max(size - 16384, 0))
        lines = self.output.read().decode("utf-8", "replace").splitlines()
        return [line for line in lines if line and not _OUR_FRAME.match(line)][-LAST_LINES:]

    def close(self) -> None:
        """Give its descriptors back."""
        self.channel.close()
        self.output.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


class Processes:
    """A nursery and the children it has started; leaving the context kills whatever is left of them."""

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled
        self.children: dict[int, Child] = {}
        self._text = b""
        self._next_group_poll = 0.0

    def __enter__(self) -> Self:
        self.control, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()
        kind = "compiled" if self.compiled else "python"
        command = [sys.executable, "-P", "-m", "procura.study.nursery", str(theirs.fileno()), kind]
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=self._errors, stderr=self._errors,
        )  # fmt: skip
        theirs.close()
        try:
            self._expect("ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self.control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for child in self.children.values():
            child.close()
        self.children.clear()
        self._errors.close()

    def start(self, request: Mapping[str, Any], limits: Limits, tag: Any) -> Child:
        """Start a child on a request."""
        ours, theirs = socket.socketpair()
        output = tempfile.TemporaryFile()  # noqa: SIM115
        with theirs:
            try:
                socket.send_fds(self.control, [b"start\n"], [theirs.fileno(), output.fileno()])
            except OSError as error:
                raise self._lost() from error
        pid = int(self._expect("started"))
        child = Child(pid, ours, output, limits, tag)
        self.children[pid] = child
        with suppress(OSError):  # if it is dead already, its end will be told
            ours.sendall(json.dumps(request).encode() + b"\n")
        ours.setblocking(False)
        return child

    def _lines(self, wait: float | None) -> Iterator[str]:
        """What the nursery says within ``wait`` seconds."""
        if not select.select([self.control], [], [], wait)[0]:
            return
        try:
            text = self.control.recv(1 << 16)
        except OSError:
            text = b""
        if not text:
            raise self._lost()
        self._text += text
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            yield line.decode()

    def _lost(self) -> NurseryError:
        """The nursery is gone, and the system kills its children; what these have started is killed here."""
        for child in self.children.values():
            with suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)
        self._errors.seek(0)
        told = self._errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        return NurseryError(f"the process that starts runs has ended{': ' + told[0] if told else ''}")

    def _expect(self, word: str) -> str:
        """Wait for a line that begins with ``word``; take the others as they come."""
        found: str | None = None
        while found is None:
            for line in self._lines(None):
                first, _, rest = line.partition(" ")
                if first == word:
                    found = rest
                else:
                    self._note_end(rest)
        return found

    def _note_end(self, words: str) -> None:
        pid, status, peak, cpu = words.split()
        child = self.children[int(pid)]
        child.status, child.cpu_seconds, child.ended = int(status), float(cpu), time.monotonic()
        child.peak = max(child.peak, int(peak) * (1 if sys.platform == "darwin" else 1024))

    def wait(self) -> list[Child]:
        """Wait a little, hear the children, hold them to their limits; those that have ended are taken out."""
        talking = [child for child in self.children.values() if not child.closed]
        heard, _, _ = select.select([self.control.fileno(), *map(Child.fileno, talking)], [], [], POLL_SECONDS)
        if self.control.fileno() in heard:
            for line in self._lines(0):
                self._note_end(line.partition(" ")[2])
        for child in talking:
            child.hear()
        self._police()
        ended = [child for child in self.children.values() if child.status is not None]
        for child in ended:
            del self.children[child.pid]
        return ended

    def kill(self, child: Child, signum: int) -> None:
        """Send a signal to the child's group."""
        with suppress(OSError):
            self.control.sendall(f"kill {child.pid} {int(signum)}\n".encode())

    def _police(self) -> None:
        """Kill what is over its limits."""
        now = time.monotonic()
        groups: dict[int, int] = {}
        if now >= self._next_group_poll:
            self._next_group_poll = now + GROUP_POLL_SECONDS
            groups = resident_by_group()
        for child in self.children.values():
            if child.status is None:
                self._check_memory(child, groups.get(child.pid, 0))
                self._check_time(child, now)

    def _check_memory(self, child: Child, group: int) -> None:
        held = max(resident(child.pid), group)
        child.peak = max(child.peak, held)
        if child.killed is None and child.limits.memory is not None and held > child.limits.memory + MEMORY_ROOM:
            child.killed = Ending.KILLED_MEMORY
            self.kill(child, signal.SIGKILL)

    def _check_time(self, child: Child, now: float) -> None:
        if child.ready is None:
            late, ending = now - child.started - LOADING_SECONDS, Ending.KILLED_LOADING
        elif child.limits.seconds is not None:
            late, ending = now - child.ready - child.limits.seconds, Ending.KILLED_TIME
        else:
            return
        if late >= KILL_AFTER:
            child.killed = child.killed or ending
            self.kill(child, signal.SIGKILL)
        elif late >= TERM_AFTER and not child.term_sent:
            child.killed, child.term_sent = child.killed or ending, True
            self.kill(child, signal.SIGTERM)


def resident(pid: int) -> int:
    """The resident bytes of a process; 0 if the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def resident_by_group() -> dict[int, int]:
    """The resident bytes of every process group, as far as the system tells."""
    groups: dict[int, int] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            with suppress(OSError, IndexError, ValueError):
                fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
                group, pages = int(fields[2]), int(fields[21])
                groups[group] = groups.get(group, 0) + pages * _PAGE
    return groups
