"""The live line on stderr while a run takes long; nothing unless stderr is a terminal."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, TextIO

from procura.cli.words import number
from procura.control import Event

AFTER_SECONDS = 1.0
COMPILING = "compiling kernels, once: they are kept for the next run"


class Progress:
    """A subscriber to the events of one run; a context that clears the line at the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._shown = 0
        self._timer = threading.Timer(AFTER_SECONDS, self._write, [COMPILING])
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        self._timer.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._timer.cancel()
        self._timer.join()
        self._clear()

    def __call__(self, event: Event) -> None:
        """Take a progress event; the first ends the wait for kernels."""
        self._timer.cancel()
        if event.seconds >= AFTER_SECONDS:
            self._write(describe(event))

    def _write(self, text: str) -> None:
        text = text[: _columns(self.stream) - 1]
        self.stream.write("\r" + text.ljust(self._shown))
        self.stream.flush()
        self._shown = len(text)

    def _clear(self) -> None:
        if self._shown:
            self.stream.write("\r" + " " * self._shown + "\r")
            self.stream.flush()
            self._shown = 0


def watched(stream: TextIO | None = None) -> Progress | None:
    """A progress line if somebody can see it."""
    stream = sys.stderr if stream is None else stream
    return Progress(stream) if stream.isatty() else None


def describe(event: Event) -> str:
    """A progress event in words."""
    value = "" if event.value is None else f", at {number(event.value)}"
    waiting = f", {event.frontier:,} waiting" if event.frontier else ""
    return f"{event.seconds:.1f} s: {event.generated:,} generated, {event.expanded:,} expanded{waiting}{value}"


def _columns(stream: TextIO) -> int:
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError):
        return 80
