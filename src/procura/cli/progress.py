"""What is shown on stderr while a run takes long: a live line on a terminal, elsewhere a line when it waits long."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Self, TextIO

from procura.algorithm import Algorithm
from procura.cli.status import say
from procura.control import Event
from procura.words import number

AFTER_SECONDS = 1.0
PLAIN_SECONDS = 10.0
"""How often it is reported that kernels or tables are made where no line can be written over."""


class Line:
    """A line that is written over and over, and cleared at the end of a context."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._shown = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.clear()

    def write(self, text: str) -> None:
        """Show a text in place of the one before."""
        text = text[: _columns(self.stream) - 1]
        self.stream.write("\r" + text.ljust(self._shown))
        self.stream.flush()
        self._shown = len(text)

    def clear(self) -> None:
        """Leave an empty line."""
        if self._shown:
            self.stream.write("\r" + " " * self._shown + "\r")
            self.stream.flush()
            self._shown = 0


class Waiting(Line):
    """A context that shows a text if its work takes over ``after`` seconds, and clears it at the end.

    ``more`` is asked every second how far the work is.
    """

    def __init__(
        self,
        text: str,
        stream: TextIO | None = None,
        after: float = AFTER_SECONDS,
        more: Callable[[], str | None] = lambda: None,
    ) -> None:
        super().__init__(stream)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show, args=(text, max(after, 0.0), more), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self.leave_off()
        self.clear()

    def leave_off(self) -> None:
        """Do not show the text, or not again."""
        self._over.set()
        self._thread.join()

    def _show(self, text: str, after: float, more: Callable[[], str | None]) -> None:
        while not self._over.wait(after):
            told = more()
            self.write(text if told is None else f"{text}: {told}")
            after = 1.0


class Progress(Line):
    """A subscriber to the events of one run, which it shows when the run, or what it waits for, takes long."""

    def __init__(self, stream: TextIO | None = None, label: str = "bound") -> None:
        super().__init__(stream)
        self.label = label
        """What the value of the events is."""
        self._began = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Take a progress event."""
        waited = time.monotonic() - self._began if event.figures else 0.0
        if max(event.seconds, waited) >= AFTER_SECONDS:
            self.write(describe(event, self.label))


class PlainProgress:
    """A subscriber to the events of one run that reports, where there is no terminal, only what it waits for long."""

    def __init__(self) -> None:
        self._next = time.monotonic() + AFTER_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        """Nothing is left to be cleared."""

    def __call__(self, event: Event) -> None:
        """Take a progress event."""
        now = time.monotonic()
        if event.figures and now >= self._next:
            self._next = now + PLAIN_SECONDS
            say(event.figures["preparing"])


def watched(algorithm: Algorithm | None) -> Progress | PlainProgress:
    """What shows how a run of an algorithm, or of who knows which, gets on: elsewhere than on a terminal its waits."""
    if not sys.stderr.isatty():
        return PlainProgress()
    return Progress(sys.stderr) if algorithm is None else Progress(sys.stderr, algorithm.progress)


def waiting(text: str, since: float, more: Callable[[], str | None] = lambda: None) -> Waiting | nullcontext[None]:
    """Show a text on work that goes on over a second after the time ``since``, if somebody can see it."""
    if not sys.stderr.isatty():
        return nullcontext()
    return Waiting(text, after=since + AFTER_SECONDS - time.monotonic(), more=more)


def describe(event: Event, label: str = "bound") -> str:
    """A progress event in words: expanded, with how many a second, generated, in the frontier, and its value."""
    preparing = str(event.figures["preparing"]) if event.figures else ""
    if preparing and not event.expanded:
        return preparing
    rate = f" ({event.expanded / event.seconds:,.0f}/s)" if event.seconds > 0 else ""
    told = event.value if isinstance(event.value, str) else number(event.value)
    value = "" if told is None else f", {label} {told}"
    waiting = f", {event.frontier:,} in the frontier" if event.frontier else ""
    counts = f"{event.expanded:,} expanded{rate}, {event.generated:,} generated{waiting}{value}"
    return f"{event.seconds:.1f} s: {counts}{preparing and '; '}{preparing}"


def _columns(stream: TextIO) -> int:
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError):
        return 80
