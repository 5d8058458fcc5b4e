"""Games of controllers, on several threads and in slices; lines per game with an interval."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from procura.errors import InputError
from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.table import Player, check_known, check_rows
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
    """Games begun and not lost: the time was over, or they had the most pieces."""
    cut_lines: int
    """Their lines."""
    pieces: int
    """Of all games."""
    placements: int
    """Valued in all games."""
    seconds: float
    cpu_seconds: float
    stopped_by: str | None = None
    known: int = 1
    """The pieces that were known, that at hand included."""
    first: int = 0
    """The number of the first game."""

    def identity(self) -> tuple[int, ...]:
        """The same for the same games, whoever played them, if all were played."""
        return self.rows, self.seed, self.first, len(self.lines)

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
class Ratio:
    """How many times the lines of another a controller makes."""

    value: float
    interval: tuple[float, float]
    """Where the true ratio lies, with 95 %."""
    paired: bool
    """Whether games with the same pieces were set side by side."""


def ratio(games: Games, others: Games) -> Ratio | None:
    """The mean lines of some games over those of others; None if a controller has not lost or made no line.

    If the same games were all lost, their lines are compared game by game: what both owe to the pieces cancels out.

    >>> from procura.puzzles.tetris.endless.controllers import CONTROLLERS
    >>> one, other = (play_games(CONTROLLERS[name], 200, seed=1) for name in ("four", "report1"))
    >>> found = ratio(one, other)
    >>> found.paired, 10 < found.interval[0] < found.value < found.interval[1]
    (True, True)
    """
    if not games.mean or not others.mean or games.standard_error is None or others.standard_error is None:
        return None
    whole = all(each.cut_short == 0 and each.stopped_by is None for each in (games, others))
    paired = whole and games.identity() == others.identity() and len(games.lines) > 1
    if paired:
        shares = zip(games.lines, others.lines, strict=True)
        error = standard_error([one / games.mean - other / others.mean for one, other in shares])
    else:
        error = math.hypot(games.standard_error / games.mean, others.standard_error / others.mean)
    value, factor = games.mean / others.mean, math.exp(1.96 * error)
    return Ratio(value, (value / factor, value * factor), paired)


@dataclass(frozen=True)
class Progress:
    """How far games are."""

    lost: int
    games: int
    lines: int
    placements: int
    seconds: float


class Batch:
    """Some games, played one after the other by one thread."""

    def __init__(self, starts: Sequence[int]) -> None:
        import numpy as np

        self.starts = np.array(starts, dtype=np.uint64)
        self.lines, self.pieces, self.lost = (np.zeros(len(starts), dtype=np.int64) for _ in range(3))
        self.placements = 0
        self.cpu_seconds = 0.0

    def play(self, player: Player, most_pieces: int | None, stop: threading.Event) -> None:
        """Play all games to their ends, or until told to stop."""
        memory = player.table.memory
        memory[layout.GAME] = memory[layout.VALUED] = 0
        memory[layout.PLACED] = -1
        memory[layout.MOST_PIECES] = most_pieces or 0
        most, over, began = FIRST_SLICE, False, time.thread_time()
        while not over and not stop.is_set():
            started = time.perf_counter()
            over = player.play(self.starts, self.lines, self.pieces, self.lost, most)
            elapsed = time.perf_counter() - started
            most = int(most * min(max(SLICE_SECONDS / max(elapsed, 1e-9), 0.25), 4.0)) + 1
            self.placements = int(memory[layout.VALUED])
        self.cpu_seconds = time.thread_time() - began


def _play_batches(
    batches: Iterable[Batch], players: Sequence[Player], most_pieces: int | None, tick: Callable[[], bool]
) -> None:
    """Play batches, each player on a thread; ``tick()`` is asked often whether to stop."""
    waiting, lock, stop = iter(batches), threading.Lock(), threading.Event()
    failures: list[BaseException] = []

    def work(player: Player) -> None:
        try:
            while not stop.is_set():
                with lock:
                    batch = next(waiting, None)
                if batch is None:
                    return
                batch.play(player, most_pieces, stop)
        except BaseException as failure:
            failures.append(failure)
            stop.set()

    threads = [threading.Thread(target=work, args=(player,), daemon=True) for player in players]
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
    first: int = 0,
    known: int = 1,
    most_pieces: int | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Games:
    """Play ``games`` games of a seed from number ``first`` on, on ``jobs`` threads, each to its end or ``most_pieces``.

    They are the same for the same seed, whatever ``jobs``, and have the same pieces whoever plays them. The controller
    knows the piece at hand, or the next ``known``, which it then searches.

    >>> from procura.puzzles.tetris.endless.controllers import CONTROLLERS
    >>> play_games(CONTROLLERS["four"], 2, seed=1).lines
    (15, 104)
    """
    for name, value in (("games", games), ("jobs", jobs), ("most_pieces", most_pieces or 1)):
        if not isinstance(value, int) or value < 1:
            raise InputError(f"{name}={value!r}: expected a whole number from 1")
    check_rows(rows)
    check_known(known)
    starts = [stream(seed, first + number) for number in range(games)]
    size = min(max(games // (8 * jobs), 1), LARGEST_BATCH)
    batches = [Batch(starts[at : at + size]) for at in range(0, games, size)]
    players = [Player(controller, rows, known) for _ in range(jobs)]
    began = time.perf_counter()
    stopped: list[str] = []

    def total(name: str) -> int:
        return sum(int(getattr(batch, name).sum()) for batch in batches)

    def tick() -> bool:
        elapsed = time.perf_counter() - began
        if on_progress is not None:
            placements = sum(batch.placements for batch in batches)
            on_progress(Progress(total("lost"), games, total("lines"), placements, elapsed))
        if not stopped and cancel is not None and cancel():
            stopped.append("cancelled")
        elif not stopped and seconds is not None and elapsed >= seconds:
            stopped.append("time")
        return bool(stopped)

    _play_batches(batches, players, most_pieces, tick)
    elapsed = time.perf_counter() - began
    lines = tuple(int(lines) for batch in batches for lines in batch.lines[batch.lost > 0])
    over = len(lines) + sum(int((batch.pieces == most_pieces).sum()) for batch in batches)
    return Games(
        controller=controller,
        rows=rows,
        seed=seed,
        lines=lines,
        cut_short=sum(int(((batch.pieces > 0) & (batch.lost == 0)).sum()) for batch in batches),
        cut_lines=total("lines") - sum(lines),
        pieces=total("pieces"),
        placements=sum(batch.placements for batch in batches),
        seconds=elapsed,
        cpu_seconds=sum(batch.cpu_seconds for batch in batches),
        stopped_by=stopped[0] if over < games and stopped else None,
        known=known,
        first=first,
    )
