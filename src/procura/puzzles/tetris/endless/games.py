"""Games of controllers, on several threads and in slices; lines per game with an interval."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError
from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.table import Table, compiled
from procura.rng import stream

SLICE_SECONDS = 0.02
FIRST_SLICE = 200
TICK_SECONDS = 0.05
LARGEST_BATCH = 32


def standard_error(lines: Sequence[float]) -> float:
    """The standard error of the mean lines of games that were all lost, by their deviation.

    >>> standard_error([1, 3])
    1.0
    """
    count = len(lines)
    mean = sum(lines) / count
    if count < 2:
        return mean  # lines are close to exponential
    return math.sqrt(sum((each - mean) ** 2 for each in lines) / (count - 1) / count)


@dataclass(frozen=True)
class Games:
    """What the games of a controller came to.

    Lines per game are close to exponential. So if games were cut short, the mean is all lines over the games lost, and
    intervals are those of the logarithm, with 95 %.
    """

    controller: Controller
    rows: int
    seed: int
    lines: tuple[int, ...]
    """Of each lost game, in the order of their numbers."""
    cut_short: int
    """Games begun and not lost when the time was over."""
    cut_lines: int
    """Their lines."""
    pieces: int
    """Of all games."""
    placements: int
    """Valued in all games."""
    seconds: float
    cpu_seconds: float
    stopped_by: str | None = None

    @property
    def mean(self) -> float | None:
        """Lines per game; None if no game was lost."""
        return (sum(self.lines) + self.cut_lines) / len(self.lines) if self.lines else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean."""
        mean, count = self.mean, len(self.lines)
        if mean is None:
            return None
        if count < 2 or self.cut_short:
            return mean / math.sqrt(count)
        return standard_error(self.lines)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true mean lies, with 95 %."""
        mean, error = self.mean, self.standard_error
        if mean is None or error is None:
            return None
        factor = math.exp(1.96 * error / mean) if mean else 1.0
        return mean / factor, mean * factor


@dataclass(frozen=True)
class Progress:
    """How far games are."""

    lost: int
    games: int
    lines: int
    placements: int
    seconds: float


class Batch:
    """Some games of one controller, played one after the other by one thread."""

    def __init__(self, weights: Any, kernel: Any, starts: Sequence[int]) -> None:
        import numpy as np

        self.weights, self.kernel = weights, kernel
        self.starts = np.array(starts, dtype=np.uint64)
        self.lines, self.pieces = np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
        self.lost = 0
        self.placements = 0
        self.cpu_seconds = 0.0

    def play(self, table: Table, stop: threading.Event) -> None:
        """Play all games to their ends, or until told to stop."""
        memory = table.memory
        memory[layout.GAME] = memory[layout.VALUED] = 0
        memory[layout.PLACED] = -1
        most, over, began = FIRST_SLICE, False, time.thread_time()
        while not over and not stop.is_set():
            started = time.perf_counter()
            over = self.kernel(memory, table.forms, self.weights, table.rng, self.starts, self.lines, self.pieces, most)
            elapsed = time.perf_counter() - started
            most = int(most * min(max(SLICE_SECONDS / max(elapsed, 1e-9), 0.25), 4.0)) + 1
            self.lost, self.placements = int(memory[layout.GAME]), int(memory[layout.VALUED])
        self.cpu_seconds = time.thread_time() - began


def make_batches(controller: Controller, starts: Sequence[int], jobs: int) -> list[Batch]:
    """The games of a controller in parts that keep ``jobs`` threads busy; its kernel is compiled if need be."""
    import numpy as np

    kernel = compiled("play", controller.used())
    weights = np.array(controller.integers(), dtype=np.int64)
    size = min(max(len(starts) // (8 * jobs), 1), LARGEST_BATCH)
    return [Batch(weights, kernel, starts[first : first + size]) for first in range(0, len(starts), size)]


def play_batches(batches: Iterable[Batch], rows: int, jobs: int, tick: Callable[[], bool]) -> None:
    """Play batches on ``jobs`` threads; ``tick()`` is asked often whether to stop."""
    waiting, lock, stop = iter(batches), threading.Lock(), threading.Event()
    failures: list[BaseException] = []

    def work(table: Table) -> None:
        try:
            while not stop.is_set():
                with lock:
                    batch = next(waiting, None)
                if batch is None:
                    return
                batch.play(table, stop)
        except BaseException as failure:
            failures.append(failure)
            stop.set()

    threads = [threading.Thread(target=work, args=(Table(rows),), daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            next(thread for thread in threads if thread.is_alive() or thread is threads[-1]).join(TICK_SECONDS)
            if tick():
                stop.set()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def play_games(
    controller: Controller,
    games: int = 100,
    *,
    rows: int = 10,
    seed: int = 0,
    jobs: int = 1,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Games:
    """Play ``games`` games to their ends, on ``jobs`` threads; the same games for the same seed, whatever ``jobs``.

    >>> from procura.puzzles.tetris.endless.controllers import CONTROLLERS
    >>> play_games(CONTROLLERS["four"], 2, seed=1).lines
    (15, 104)
    """
    for name, value in (("games", games), ("jobs", jobs)):
        if not isinstance(value, int) or value < 1:
            raise InputError(f"{name}={value!r}: expected a whole number from 1")
    Table(rows)  # refuses other heights
    batches = make_batches(controller, [stream(seed, number) for number in range(games)], jobs)
    began = time.perf_counter()
    stopped: list[str] = []

    def tick() -> bool:
        elapsed = time.perf_counter() - began
        if on_progress is not None:
            lost, lines, placements = (
                sum(values)
                for values in zip(*((b.lost, int(b.lines.sum()), b.placements) for b in batches), strict=True)
            )
            on_progress(Progress(lost, games, lines, placements, elapsed))
        if not stopped and cancel is not None and cancel():
            stopped.append("cancelled")
        elif not stopped and seconds is not None and elapsed >= seconds:
            stopped.append("time")
        return bool(stopped)

    play_batches(batches, rows, jobs, tick)
    elapsed = time.perf_counter() - began
    over = [int(lines) for batch in batches for lines in batch.lines[: batch.lost]]
    return Games(
        controller=controller,
        rows=rows,
        seed=seed,
        lines=tuple(over),
        cut_short=sum(int((batch.pieces[batch.lost :] > 0).sum()) for batch in batches),
        cut_lines=sum(int(batch.lines[batch.lost :].sum()) for batch in batches),
        pieces=sum(int(batch.pieces.sum()) for batch in batches),
        placements=sum(batch.placements for batch in batches),
        seconds=elapsed,
        cpu_seconds=sum(batch.cpu_seconds for batch in batches),
        stopped_by=stopped[0] if len(over) < games and stopped else None,
    )
