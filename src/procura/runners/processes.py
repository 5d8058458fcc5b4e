"""Child processes under hard limits, seen from the program that starts them."""

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
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Self

from procura.errors import ProcuraError
from procura.result import Limits
from procura.runners import linux
from procura.runners.endings import Ending

LOADING_SECONDS = 600.0
"""The most that a child may take to get ready."""
TERM_AFTER = 0.65
"""Seconds past its time limit at which a run is asked to end; searches end themselves before."""
KILL_AFTER = 0.8
"""Seconds past its time limit at which a run is killed."""
MEMORY_ROOM = 64_000_000
"""Bytes above its memory limit at which a run is killed."""
POLL_SECONDS = 0.02
TREE_POLL_SECONDS = 0.25
LAST_LINES = 20
LAST_BYTES = 16384
"""What is looked at for the last lines of a run."""
MOST_OUTPUT = 16_000_000
"""Bytes printed by a run of which, when it prints more, only the end is kept."""
CLEARING_SECONDS = 2.0
"""The most that killing what a lost fork server left may take."""
TELLING_SECONDS = 60.0
"""The most that a child may take to read what it is told."""
SPARE_DESCRIPTORS = 4
"""Descriptors that no child may take, for what is to be looked up while children run."""
MARK = "PROCURA_RUNNER"
"""The variable in the environment of all processes of a runner, by which those are found whose parents are gone."""
_CRASHES = tuple(
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
    if hasattr(signal, name)
)
_OUR_FRAME = re.compile(
    r'  File ".*([/\\]procura[/\\](runners|study|tune|solving)|<frozen runpy>).*", line \d+ in \w+$|Thread 0x'
)


class ForkServerError(ProcuraError):
    """The process that starts runs ended when nobody told it to."""


class StartError(ProcuraError):
    """The system starts no further process now."""


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
    report: Ending | None = None
    """How it says that it ended, if there is no result."""
    steps: int = 0
    """How far it is, as it says."""
    setup: str | None = None
    """The key of what it was made ready with, if it serves one task after the other."""
    killed: Ending | None = None
    term_sent: bool = False
    dying: bool = False
    """Whether it was sent a signal: it gets nothing more to do."""
    peak: int = 0
    status: int | None = None
    cpu_seconds: float = 0.0
    closed: bool = False
    _text: bytes = b""

    def fileno(self) -> int:
        """Of its channel, for ``select``."""
        return self.channel.fileno()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send it a line; if it is dead, its end will be heard."""
        self.channel.settimeout(TELLING_SECONDS)
        with suppress(OSError):
            self.channel.sendall(json.dumps(message).encode() + b"\n")
        self.channel.setblocking(False)

    def serve(self, message: Mapping[str, Any], limits: Limits, tag: Any) -> None:
        """Have it do one more thing; its clock starts anew, when it is ready."""
        self.limits, self.tag, self.result, self.started = limits, tag, None, time.monotonic()
        self.ready = None if self.ready is None else self.started
        self.tell(message)

    def rest(self) -> None:
        """Have no clock run until it serves again."""
        self.limits, self.tag, self.result = Limits(memory=self.limits.memory), None, None

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
                with suppress(ValueError):  # a user's class may write anything into any descriptor
                    self._take(json.loads(line))

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        if "ready" in message:
            self.ready = time.monotonic()
        self.result = message.get("result", self.result)
        self.report = Ending(message["ending"]) if "ending" in message else self.report
        self.steps += "step" in message

    @property
    def ending(self) -> Ending | None:
        """Why there is no result; None if there is one."""
        if self.result is not None:
            return None
        named = self.killed or self.report
        if named is not None:
            return named
        assert self.status is not None
        if os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) not in _CRASHES:
            return Ending.KILLED_OUTSIDE
        return Ending.CRASHED

    @property
    def exit(self) -> str:
        """Its exit status or signal, in words; empty if it goes on."""
        if self.status is None:
            return ""
        if os.WIFSIGNALED(self.status):
            return f"signal {_signal_name(os.WTERMSIG(self.status))}"
        return f"exit status {os.WEXITSTATUS(self.status)}"

    def last_lines(self) -> list[str]:
        """The end of what it printed, without the frames of ours that a crash lists below those of the search."""
        lines = self._printed().decode("utf-8", "replace").splitlines()
        return [line for line in lines if line and not _OUR_FRAME.match(line)][-LAST_LINES:]

    def _printed(self) -> bytes:
        """The end of what it printed."""
        descriptor = self.output.fileno()
        return os.pread(descriptor, LAST_BYTES, max(os.fstat(descriptor).st_size - LAST_BYTES, 0))

    def trim(self) -> None:
        """Keep the end of what it printed and no more, if it prints so much that it could fill the disk."""
        descriptor = self.output.fileno()
        if os.fstat(descriptor).st_size > MOST_OUTPUT:
            end = self._printed()
            os.ftruncate(descriptor, 0)
            os.write(descriptor, end)

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
    """A fork server and the children it has started; leaving the context kills whatever is left of them."""

    def __init__(self, compiled: bool, work: str) -> None:
        self.compiled, self.work = compiled, work
        """Whether Numba is to be there when a child starts, and the module of what children do."""
        self.children: dict[int, Child] = {}
        self._text = b""
        self._ends: list[str] = []
        """What the fork server has told of ends, not looked at yet."""
        self._next_tree_poll = 0.0
        self._mark = f"{MARK}={uuid.uuid4().hex}"

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            try:
                self.control, theirs = map(opened.enter_context, socket.socketpair())
                self._errors = opened.enter_context(tempfile.TemporaryFile())
                self._wakes, self._waker = map(opened.enter_context, socket.socketpair())
                self._process = self._started(theirs)
            except OSError as error:
                raise ForkServerError(f"the process that starts runs cannot be started: {error.strerror}") from error
            opened.pop_all()
        theirs.close()
        try:
            self._expect("ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _started(self, control: socket.socket) -> subprocess.Popen[bytes]:
        kind = "compiled" if self.compiled else "python"
        command = [sys.executable, "-P", "-m", "procura.runners.fork_server", str(control.fileno()), kind, self.work]
        name, _, value = self._mark.partition("=")
        return subprocess.Popen(
            command, pass_fds=[control.fileno()], start_new_session=True, env={**os.environ, name: value},
            stdin=subprocess.DEVNULL, stdout=self._errors, stderr=self._errors,
        )  # fmt: skip

    def __exit__(self, *exception: object) -> None:
        self.control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._kill_marked()
        for child in self.children.values():
            child.close()
        self.children.clear()
        self._errors.close()
        self._wakes.close()
        self._waker.close()

    def wake(self) -> None:
        """End a wait early; any thread may call it."""
        with suppress(OSError):
            self._waker.send(b".", getattr(socket, "MSG_DONTWAIT", 0))

    def _kill_marked(self) -> None:
        """Kill every process of this runner that is left when the fork server is gone, as far as they are shown."""
        end = time.monotonic() + CLEARING_SECONDS
        while (left := linux.marked(self._mark)) and time.monotonic() < end:
            for pid in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)

    def start(self, request: Mapping[str, Any], limits: Limits, tag: Any) -> Child:
        """Start a child on a request."""
        import fcntl

        with ExitStack() as opened:
            try:
                ours, theirs = map(opened.enter_context, socket.socketpair())
                output = opened.enter_context(tempfile.TemporaryFile())
                fcntl.fcntl(output, fcntl.F_SETFL, os.O_APPEND)  # what it prints goes to the end, wherever that is
                self._check_room()
            except OSError as error:
                raise StartError(f"no process can be started: {error.strerror}") from error
            try:
                socket.send_fds(self.control, [b"start\n"], [theirs.fileno(), output.fileno()])
            except OSError as error:
                raise self._lost() from error
            word, number = self._expect("started", "refused")
            if word == "refused":
                raise StartError(f"no process can be started: {os.strerror(int(number))}")
            opened.pop_all()
        theirs.close()
        child = Child(int(number), ours, output, limits, tag)
        self.children[child.pid] = child
        child.tell(request)
        return child

    def load(self, request: Mapping[str, Any]) -> None:
        """Have children that are started from now on find loaded what a request needs, if it names what loads it."""
        with suppress(OSError):  # if it is lost, the next start will tell
            self.control.sendall(b"load " + json.dumps(request).encode() + b"\n")

    def _check_room(self) -> None:
        with ExitStack() as spare:
            for _ in range(SPARE_DESCRIPTORS):
                spare.callback(os.close, os.dup(self.control.fileno()))

    def _lines(self, wait: float | None) -> Iterator[str]:
        """What the fork server says within ``wait`` seconds."""
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

    def _lost(self) -> ForkServerError:
        """The fork server is gone, and the system kills its children; what these have started is killed here."""
        for child in self.children.values():
            with suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)
        self._kill_marked()
        self._note_ends()
        self._errors.seek(0)
        told = self._errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        return ForkServerError(f"the process that starts runs has ended{': ' + told[0] if told else ''}")

    def _expect(self, *words: str) -> tuple[str, str]:
        """Wait for a line that begins with one of these words; the others, which tell ends, are for ``wait``."""
        found: tuple[str, str] | None = None
        while found is None:
            for line in self._lines(None):
                first, _, rest = line.partition(" ")
                if first in words:
                    found = first, rest
                else:
                    self._ends.append(rest)
        return found

    def _note_ends(self) -> None:
        for words in self._ends:
            pid, status, peak, cpu = words.split()
            child = self.children[int(pid)]
            child.hear()  # what it said came before its end
            child.status, child.cpu_seconds, child.ended = int(status), float(cpu), time.monotonic()
            child.peak = max(child.peak, int(peak) * (1 if sys.platform == "darwin" else 1024))
        self._ends.clear()

    def wait(self) -> list[Child]:
        """Wait a little, hear the children, hold them to their limits; those that have ended are taken out."""
        talking = [child for child in self.children.values() if not child.closed]
        ours = [self.control.fileno(), self._wakes.fileno()]
        heard, _, _ = select.select([*ours, *map(Child.fileno, talking)], [], [], POLL_SECONDS)
        if self._wakes.fileno() in heard:
            self._wakes.recv(4096)
        if self.control.fileno() in heard:
            self._ends += [line.partition(" ")[2] for line in self._lines(0)]
        for child in talking:
            child.hear()
        self._note_ends()
        self._police()
        ended = [child for child in self.children.values() if child.status is not None]
        for child in ended:
            del self.children[child.pid]
        return ended

    def kill(self, child: Child, signum: int) -> None:
        """Send a signal to the child's group."""
        child.dying = True
        with suppress(OSError):
            self.control.sendall(f"kill {child.pid} {int(signum)}\n".encode())

    def _police(self) -> None:
        """Kill what is over its limits."""
        now = time.monotonic()
        trees: dict[int, int] = {}
        if now >= self._next_tree_poll:
            self._next_tree_poll = now + TREE_POLL_SECONDS
            trees = linux.resident_by_tree(self.children)
        for child in self.children.values():
            if child.status is None:
                child.trim()
                self._check_memory(child, trees.get(child.pid, 0))
                self._check_time(child, now)

    def _check_memory(self, child: Child, tree: int) -> None:
        held = max(linux.resident(child.pid), tree)
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
