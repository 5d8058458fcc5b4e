"""What happens in a child process: read a request, call what it names, and end when nobody listens any more."""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import queue
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from procura.algorithm import load
from procura.errors import ProcuraError
from procura.folder import Folder, cache_root
from procura.result import Limits
from procura.runners import linux
from procura.runners.code import no_bytecode, own_code
from procura.runners.endings import Ending

Request = Mapping[str, Any]
ADDRESS_SPACE_ROOM = 8 << 30
LOCK_SECONDS = 0.05
"""Between two looks at whether another process has compiled what is needed."""


class EndedError(ProcuraError):
    """The run ends here, under a name of its own."""

    def __init__(self, ending: Ending, sentence: str) -> None:
        super().__init__(sentence)
        self.ending = ending


class Line:
    """The line to whoever started the child; when nobody is at its other end any more, the child's group is killed."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()

    def first(self) -> Request:
        """The request that the child was started for."""
        requests = self._channel.makefile("rb")
        text = requests.readline()
        if not text.endswith(b"\n"):
            raise EOFError("the channel was closed before a request came")
        threading.Thread(target=self._listen, args=(requests,), daemon=True).start()
        request: Request = json.loads(text)
        return request

    def _listen(self, requests: BinaryIO) -> None:
        with suppress(OSError):
            for text in requests:
                self._requests.put(json.loads(text))
        os.killpg(os.getpgrp(), signal.SIGKILL)

    def requests(self) -> Iterator[Request]:
        """What the child is asked after that, without end."""
        while True:
            yield self._requests.get()

    def send(self, message: Mapping[str, Any]) -> None:
        """Say something."""
        self._channel.sendall(json.dumps(message, allow_nan=False).encode() + b"\n")


def main(parent: int, channel: int, output: int) -> int:
    """Be the child of ``parent``: read a request from the channel and do it; the exit status."""
    os.setpgid(0, 0)
    die_with(parent)
    linux.adopt_orphans()
    null = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((null, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, number)
    os.close(null)
    os.close(output)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    line = Line(socket.socket(fileno=channel))
    try:
        request = line.first()
        load(request["work"])(request, line)
        return 0
    except MemoryError:
        line.send({"ending": Ending.KILLED_MEMORY})
        return 70
    except EndedError as error:
        print(error, file=sys.stderr)
        line.send({"ending": error.ending})
        return 70
    except ProcuraError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 70
    except BaseException:
        traceback.print_exc()
        return 70
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()


def die_with(parent: int) -> None:
    """Die when ``parent`` dies, where the system sees to that; at once if it is dead already."""
    linux.die_with_parent()
    if os.getppid() != parent:
        os._exit(70)


@contextmanager
def alone(request: Request) -> Iterator[None]:
    """Where a request asks for it, only one process of this machine is inside for what the request names: it compiles,
    and the others find it in the cache."""
    with ExitStack() as locked:
        if "alone" in request:
            name = hashlib.sha256(request["alone"].encode()).hexdigest()
            with suppress(OSError):  # there is no cache
                folder = locked.enter_context(Folder(cache_root() / "kernels"))
                locked.enter_context(folder.locked(name, lambda: None, LOCK_SECONDS))
        yield


def load_puzzle(puzzle: str, code: str | None) -> Any:
    """The class of a puzzle; one of a user's file only if its code is that of the digest."""
    from procura.reading.puzzles import choose_puzzle

    if code is None:
        return choose_puzzle(puzzle).cls
    path = Path(puzzle.rpartition(":")[0])
    _check_code(path, code)
    with no_bytecode():
        loaded = choose_puzzle(puzzle).cls
    _check_code(path, code)
    return loaded


def _check_code(path: Path, code: str) -> None:
    if own_code(path) != code:
        sentence = f"{path}, or a module that it imports from its folder, changed after it was first read"
        raise EndedError(Ending.CODE_CHANGED, sentence)


def limit_address_space(limits: Limits) -> None:
    """A last resort against allocation without end. Compiled searches reserve room far beyond what they use, and
    take an eighth of the address space for it, so the limit lies well above."""
    if limits.memory is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = 8 * limits.memory + ADDRESS_SPACE_ROOM
    if hard == resource.RLIM_INFINITY or wanted < hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
