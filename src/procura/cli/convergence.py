"""How a tuning run goes: a live line and a curve on a terminal, a line a generation elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from procura.cli.words import counted

if TYPE_CHECKING:
    from procura.tune.jobs import Job, Outcome
    from procura.tune.tuning import Generation

BARS = "▁▂▃▄▅▆▇█"
CURVE = 40
"""Columns of the curve."""
QUIET_SECONDS = 1.0
"""Between two lines where there is no terminal."""


@contextmanager
def followed(score: str) -> Iterator[Any]:
    """Who shows how it goes, on stderr."""
    if not sys.stderr.isatty():
        yield Lines(score)
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

    def started(self, job: Job) -> None:
        pass

    def ended(self, job: Job, outcome: Outcome | None) -> None:
        pass

    def failed(self, job: Job, reason: str) -> None:
        self._write(f"trial {job.slot} failed: {reason}")

    def phase(self, name: str, jobs: int) -> None:
        pass

    def generation(self, done: Generation) -> None:
        now = time.monotonic()
        if now - self._told >= QUIET_SECONDS or done.number == 0:
            self._told = now
            self._write(f"{now - self._began:.0f} s: {words(done, self.score)}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


class Screen:
    """Generation, trials, best so far and the curve of the best, on a terminal."""

    def __init__(self, score: str, live: Any) -> None:
        self.score, self.live = score, live
        self._phase, self._jobs, self._ended = "starting", 0, 0
        self._running: set[str] = set()
        self._done: Generation | None = None
        self._values: list[float] = []
        self._began = time.monotonic()
        self._notes: list[str] = []

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
        self._notes = [*self._notes[-2:], f"trial {job.slot} failed: {reason}"]
        self._show()

    def generation(self, done: Generation) -> None:
        self._done = done
        self._values.append(done.value)
        self._show()

    def _show(self) -> None:
        from rich.text import Text

        seconds = time.monotonic() - self._began
        lines = [f"{seconds:.0f} s: {self._phase}, {self._ended} of {self._jobs}, {len(self._running)} running here"]
        if self._done is not None:
            lines.append(words(self._done, self.score))
            lines.append("  ".join(f"{name} {weight:.4g}" for name, weight in self._done.best.items()))
            lines.append(f"best by generation {sparkline(self._values)}")
        self.live.update(Text("\n".join([*lines, *self._notes])))


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
