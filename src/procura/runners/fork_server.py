"""The fork server: a small process that has everything imported and forks a child for each run.

The program that makes runs starts it with one end of a socket and tells it, a line each,

- ``start`` (with two descriptors: the child's channel, and the file for what it prints),
- ``kill PID SIGNAL``: send a signal to the process group of a child that has not been waited for,
- ``load REQUEST``: load what the runs that follow need, so that they find it there and need not load it each.

It answers ``ready``, ``started PID`` and ``ended PID STATUS PEAK CPU`` (wait status, peak resident kilobytes,
processor seconds), and ``refused ERRNO`` if the system starts no more processes now. It never does anything else, and
nothing that takes long, so it is always there to notice that the other end of the socket is closed, however that came
about: then it kills all children and ends. A child dies with the fork server: the system sees to that where it can
(Linux), and a thread that watches the channel elsewhere.

It loads only what a child has loaded before, quickly, in a run that ended well; nothing of a user's; and only what is
in the cache (``procura.kept``). Whatever is raised then is of no account: children load for themselves what they do not
find. It loads no more once it has grown by ``LOADED_BYTES``, which every child has from it. Should it be stuck all the
same, the system ends it, and whoever started it sees to another.

Each child is the leader of its own process group. When it ends, what is left of the group is killed before the child
is waited for, while nobody else can have its number. On Linux a child adopts the orphans below it, and the fork server
what a child leaves, also in other groups and sessions: so a process whose parent is the fork server and which is no
child of its own belongs to a run that is over, and is killed, before the end of the run is reported.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from procura.algorithm import load
from procura.runners import child, linux

CLEARING_SECONDS = 2.0
"""The most that killing what a run left may take; what is still there then is killed at the next end of a process."""
LOADED_BYTES = 32_000_000
"""So much may be loaded, which then is part of every child: a dozen or two of kernels, each with what it imports."""
STUCK_SECONDS = 30.0
"""Loading that takes so long never ends."""
_DESCRIPTORS = 2


def main(descriptor: int, compiled: bool, work: str) -> None:
    """Serve until the other end of the socket is closed; ``work`` is the module of what children do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # so that no search that is loaded here has a thread listen for it
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    import_module(work)
    preload(compiled)
    gc.freeze()  # what is here already need not be looked at, and so not copied, by every child
    ForkServer(socket.socket(fileno=descriptor)).serve()


def preload(compiled: bool) -> None:
    """Import what children need; for compiled searches have Numba compile something, which readies it for more.

    Templates are looked through once here, to find their kernels in the cache, and not by every child.
    """
    from procura import catalog
    from procura.reading import puzzles  # noqa: F401

    for algorithm in catalog.ALGORITHMS.values():
        algorithm.function("compiled" if compiled else "python")
    if compiled:
        import numba
        import numpy.ma  # noqa: F401  # which Numba imports when it first sees an array

        from procura.compiled import templates
        from procura.compiled.build import content
        from procura.compiled.inside import machine

        numba.njit("int64(int64)")(_something)
        machine()
        for module in iter_modules(templates.__path__, f"{templates.__name__}."):
            run = getattr(import_module(module.name), "run", None)
            if run is not None:
                content(run, {}, debug=False)


def _something(number: int) -> int:
    return number if number > 0 else 0


class ForkServer:
    """The loop of the fork server."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.children: set[int] = set()
        self._text = b""
        self._descriptors: list[int] = []
        self._most_bytes = linux.resident(os.getpid()) + LOADED_BYTES
        self._wakes, self._woken = os.pipe()
        os.set_blocking(self._wakes, False)
        os.set_blocking(self._woken, False)
        signal.set_wakeup_fd(self._woken)
        signal.signal(signal.SIGCHLD, lambda signum, frame: None)
        linux.adopt_orphans()

    def serve(self) -> None:
        """Do as told; on the end of the socket, or any error, leave no child."""
        try:
            self._say("ready")
            while True:
                ready, _, _ = select.select([self.control.fileno(), self._wakes], [], [])
                if self._wakes in ready:
                    with suppress(BlockingIOError):
                        os.read(self._wakes, 4096)
                    self._reap()
                if self.control.fileno() in ready and not self._listen():
                    return
        finally:
            for pid in self.children:
                self._kill(pid, signal.SIGKILL)
            self.children.clear()
            self._clear()

    def _say(self, line: str) -> None:
        self.control.sendall(line.encode() + b"\n")

    def _listen(self) -> bool:
        """Read what there is and do it; False at the end."""
        try:
            text, descriptors, _, _ = socket.recv_fds(self.control, 65536, 16)
        except ConnectionError:
            return False
        self._descriptors += descriptors
        self._text += text
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            word, _, rest = line.partition(b" ")
            if word == b"start":
                self._start()
            elif word == b"load":
                self._load(rest)
            else:
                pid, signum = map(int, rest.split())
                if pid in self.children:
                    self._kill(pid, signum)
        return bool(text)

    def _start(self) -> None:
        """Fork a child with the descriptors that came; fewer came if there was no room for them."""
        descriptors, self._descriptors = self._descriptors, []
        parent = os.getpid()
        try:
            if len(descriptors) != _DESCRIPTORS:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            pid = os.fork()
        except OSError as error:
            self._say(f"refused {error.errno}")
        else:
            if pid == 0:
                self._become_child(parent, *descriptors)
            with suppress(OSError):
                os.setpgid(pid, pid)
            self.children.add(pid)
            self._say(f"started {pid}")
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _load(self, text: bytes) -> None:
        """Load what the request in ``text`` names, for all children from now on, if that is to be had."""
        if linux.resident(os.getpid()) > self._most_bytes:
            return
        signal.setitimer(signal.ITIMER_REAL, STUCK_SECONDS)
        with suppress(BaseException):  # a child that cannot do without it says what is wrong
            request = json.loads(text)
            load(request["ahead"]["load"])(request)
        signal.setitimer(signal.ITIMER_REAL, 0)
        gc.freeze()

    def _become_child(self, parent: int, channel: int, output: int) -> None:
        """In the child: drop what is the fork server's, and work."""
        status = 70
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for descriptor in (self.control.detach(), self._wakes, self._woken):
                os.close(descriptor)
            status = child.main(parent, channel, output)
        finally:
            os._exit(status)

    def _kill(self, pid: int, signum: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signum)

    def _reap(self) -> None:
        """Wait for the children that have ended, clear away what they left, and tell."""
        ended = []
        for pid in sorted(self.children):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            self._kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
            self.children.discard(pid)
            ended.append(f"ended {pid} {status} {usage.ru_maxrss} {usage.ru_utime + usage.ru_stime:.6f}")
        self._clear()
        for line in ended:
            self._say(line)

    def _clear(self) -> None:
        """Kill what runs that are over have left; whatever that leaves becomes ours in turn."""
        end = time.monotonic() + CLEARING_SECONDS
        while left := linux.children() - self.children:
            for pid in left:
                with suppress(PermissionError):  # of a program that runs as another user
                    os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > end:
                return
            time.sleep(0.001)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "compiled", sys.argv[3])
