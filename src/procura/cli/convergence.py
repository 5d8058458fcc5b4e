"""How a tuning run goes: a live line and a curve on a terminal, a line a generation elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from procura.cli.harmless import harmless
from procura.words import counted

if TYPE_CHECKING:
    from procura.tune.jobs import Job, Outcome
    from procura.tune.tuning import Generation

BARS = "▁▂▃▄▅▆▇█"
CURVE = 40
"""Columns of the curve."""
QUIET_SECONDS = 1.0
"""Between two lines where there is no terminal."""
SLOW_SECONDS = 5.0
"""The same in a phase that makes no generation."""


@contextmanager
def followed(score: str) -> Iterator[Any]:
    """Who shows how it goes, on stderr."""
    if not sys.stderr.isatty():
        lines = Lines(score)
        try:
            yield lines
        finally:
            lines.close()
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=8) as live:
        yield Screen(score, live)


class Lines:
    """A plain line after a generation, at most one a second."""

    def __init__(self, score: str) -> None:
        self.score = score
        self._began = self._told = time.monotonic()
        self._preparing: threading.Timer | None = None
        self._failures = Failures()
        self._phase, self._jobs, self._ended, self._told_apart = "", 0, 0, False

    def started(self, job: Job) -> None:
        pass

    def ended(self, job: Job, outcome: Outcome | None) -> None:
        self._ended += 1
        now = time.monotonic()
        if self._told_apart and now - self._told >= SLOW_SECONDS:
            self._told = now
            self._write(f"{now - self._began:.0f} s: {self._phase}, {self._ended:,} of {self._jobs:,}")

    def failed(self, job: Job, reason: str) -> None:
        if self._failures.add(job, reason) == 1:
            self._write(self._failures.lines()[-1])

    def phase(self, name: str, jobs: int) -> None:
        """A phase without jobs prepares the others, and is reported if it takes long; one that makes no generation,
        such as the final games, is reported when it begins."""
        self.close()
        self._phase, self._jobs, self._ended = name, jobs, 0
        self._told_apart = jobs > 0 and not name.startswith("generation")
        if self._told_apart:
            self._told = time.monotonic()
            self._write(f"{self._told - self._began:.0f} s: {name}, {jobs:,} to do")
        if not jobs:
            self._preparing = threading.Timer(QUIET_SECONDS, self._write, [name])
            self._preparing.daemon = True
            self._preparing.start()

    def close(self) -> None:
        """Nothing more is prepared, and failures that came again are told."""
        if self._preparing is not None:
            self._preparing.cancel()
        for line in self._failures.repeated():
            self._write(line)

    def generation(self, done: Generation) -> None:
        now = time.monotonic()
        if now - self._told >= QUIET_SECONDS or done.number == 0:
            self._told = now
            self._write(f"{now - self._began:.0f} s: {words(done, self.score)}")

    def _write(self, text: str) -> None:
        sys.stderr.write(harmless(text) + "\n")
        sys.stderr.flush()


class Failures:
    """Why trials failed, each reason once, with how often."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._told: dict[str, int] = {}

    def add(self, job: Job, reason: str) -> int:
        """Count a failure; how often that reason was."""
        self._first.setdefault(reason, job.slot)
        self._counts[reason] = self._counts.get(reason, 0) + 1
        return self._counts[reason]

    def lines(self) -> list[str]:
        """A line a reason."""
        return [self._line(reason) for reason in self._counts]

    def _line(self, reason: str) -> str:
        times = self._counts[reason]
        return f"trial {self._first[reason]} failed: {reason}" + (f" ({times:,} times in all)" if times > 1 else "")

    def repeated(self) -> list[str]:
        """The reasons that came again since this was asked."""
        again = [reason for reason, count in self._counts.items() if count > self._told.get(reason, 1)]
        self._told = dict(self._counts)
        return [self._line(reason) for reason in again]


class Screen:
    """Generation, trials, best so far and the curve of the best, on a terminal."""

    def __init__(self, score: str, live: Any) -> None:
        self.score, self.live = score, live
        self._phase, self._jobs, self._ended = "starting", 0, 0
        self._running: set[str] = set()
        self._done: Generation | None = None
        self._values: list[float] = []
        self._began = time.monotonic()
        self._failures = Failures()

    def phase(self, name: str, jobs: int) -> None:
        self._phase, self._jobs, self._ended = name, jobs, 0
        self._running.clear()
        self._show()

    def started(self, job: Job) -> None:
        self._running.add(job.slot)
        self._show()

    def ended(self, job: Job, outcome: Outcome | None) -> None:
        self._ended += 1
        self._running.discard(job.slot)
        self._show()

    def failed(self, job: Job, reason: str) -> None:
        self._running.discard(job.slot)
        self._failures.add(job, reason)
        self._show()

    def generation(self, done: Generation) -> None:
        self._done = done
        self._values.append(done.value)
        self._show()

    def _show(self) -> None:
        from rich.text import Text

        seconds = time.monotonic() - self._began
        lines = [f"{seconds:.0f} s: {self._phase}"]
        if self._jobs:
            lines[0] += f", {self._ended} of {self._jobs}, {len(self._running)} running here"
        if self._done is not None:
            lines.append(words(self._done, self.score))
            lines.append("  ".join(f"{name} {weight:.4g}" for name, weight in self._done.best.items()))
            lines.append(f"best by generation {sparkline(self._values)}")
        self.live.update(Text(harmless("\n".join([*lines, *self._failures.lines()[-3:]]))))


def words(done: Generation, score: str) -> str:
    """A generation on one line."""
    stopped = f" ({done.stopped:,} stopped early)" if done.stopped else ""
    return (
        f"generation {done.number}, {counted(done.trials, 'trial')}{stopped}, best {score} {done.value:,.6g} "
        f"(of this generation {done.generation_value:,.6g})"
    )


def sparkline(values: Sequence[float]) -> str:
    """The values as bars, at most ``CURVE`` of them.

    >>> sparkline([1, 2, 3])
    '▁▅█'
    """
    if len(values) > CURVE:
        values = [values[(i + 1) * len(values) // CURVE - 1] for i in range(CURVE)]
    low, high = min(values), max(values)
    spread = (high - low) or 1.0
    return "".join(BARS[int((value - low) / spread * (len(BARS) - 1) + 0.5)] for value in values)
