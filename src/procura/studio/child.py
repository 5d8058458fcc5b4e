"""The process in which the local studio runs a page's code: messages in, one a line, messages out; killed to stop.

A check of code that computes for too long is ended from inside, so that the page hears at which line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import IO, Any

from procura.studio.session import VERSION, Session
from procura.studio.written import Written

PATIENCE = 10
"""Seconds that a check may compute; the time of a busy machine does not count."""


class Endless(BaseException):
    """Raised in code that does not come back."""


def main() -> None:
    """Answer the messages on standard input until it ends; then end at once, whatever the code does."""
    messages, replies = _streams()
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(messages, waiting.put), daemon=True).start()
    session = Session(code=True)
    assert session.written is not None

    def send(reply: dict[str, Any]) -> None:
        replies.write(json.dumps(reply, allow_nan=False) + "\n")
        replies.flush()

    while True:
        message = json.loads(waiting.get())
        try:
            with _patience(message.get("do") == "write"):
                session.handle(message, send)
        except Endless as error:
            send({"v": VERSION, "id": message.get("id"), **_told(session.written, error), "last": True})


@contextmanager
def _patience(limited: bool) -> Iterator[None]:
    """Raises ``Endless`` after too long a time, again and again in case the code catches it."""
    if not limited or not hasattr(signal, "setitimer"):  # then the page stops it
        yield
        return

    def end(*_: object) -> None:
        raise Endless

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _told(written: Written, error: Endless) -> dict[str, Any]:
    line = written.line(error)
    where = "" if line is None else f"line {line}: "
    text = f"{where}no end after {PATIENCE} seconds of computing: is there an endless loop?"
    return {"is": "error", "text": text, "line": line}


def _streams() -> tuple[IO[str], IO[str]]:
    """Where messages come from and replies go; what the code reads is empty, what it prints goes to standard error."""
    messages, replies = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    return messages, replies


def _read(messages: IO[str], put: Callable[[str], None]) -> None:
    for line in messages:
        put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
