"""The live line on stderr while a run takes long; nothing unless stderr is a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import nullcontext
from typing import Any, Self, TextIO

from procura.cli.words import number
from procura.control import Event

AFTER_SECONDS = 1.0
COMPILING = "compiling kernels, once: they are kept for the next run"

_VALUES = {"iddfs": "depth", "beam": "width", **dict.fromkeys(("hill", "annealing", "genetic"), "energy")}
"""What the value of a progress event is; a bound on f elsewhere."""


class Waiting:
    """A context that shows a text if its work takes over ``after`` seconds, and clears it at the end."""

    def __init__(self, text: str, stream: TextIO | None = None, after: float = AFTER_SECONDS) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._shown = 0
        self._timer = threading.Timer(max(after, 0.0), self._write, [text])
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._timer.cancel()
        self._timer.join()
        self._clear()

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


class Progress(Waiting):
    """A subscriber to the events of one run, which it shows when the run takes long."""

    def __init__(self, stream: TextIO | None = None, algorithm: str = "auto") -> None:
        super().__init__(COMPILING, stream)
        self.algorithm = algorithm

    def __call__(self, event: Event) -> None:
        """Take a progress event; the first ends the wait for kernels."""
        self._timer.cancel()
        if event.seconds >= AFTER_SECONDS:
            self._write(describe(event, self.algorithm))


def watched(algorithm: str) -> Progress | None:
    """A progress line for a run of ``algorithm``, if somebody can see it."""
    return Progress(sys.stderr, algorithm) if sys.stderr.isatty() else None


def waiting(text: str, since: float) -> Waiting | nullcontext[None]:
    """Show a text on work that goes on over a second after the time ``since``, if somebody can see it."""
    if not sys.stderr.isatty():
        return nullcontext()
    return Waiting(text, after=since + AFTER_SECONDS - time.monotonic())


def describe(event: Event, algorithm: str = "auto") -> str:
    """A progress event in words: expanded, with how many a second, generated, in the frontier, the bound or energy."""
    rate = f" ({event.expanded / event.seconds:,.0f}/s)" if event.seconds > 0 else ""
    value = "" if event.value is None else f", {_VALUES.get(algorithm, 'bound')} {number(event.value)}"
    waiting = f", {event.frontier:,} in the frontier" if event.frontier else ""
    return f"{event.seconds:.1f} s: {event.expanded:,} expanded{rate}, {event.generated:,} generated{waiting}{value}"


def _columns(stream: TextIO) -> int:
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError):
        return 80
