"""``procura endless compare``: games of controllers with the same pieces, and their figures side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from procura.cli.harmless import echo
from procura.cli.interrupt import noted_interrupts
from procura.cli.progress import Waiting
from procura.cli.status import FOUND, INTERRUPTED, NOT_FOUND
from procura.words import counted

if TYPE_CHECKING:
    from procura.puzzles.tetris.endless.games import Games, Progress, Ratio


@dataclass(frozen=True)
class Request:
    """What is to be played."""

    size: str
    games: int
    known: int
    most_pieces: int | None
    seed: int
    jobs: int
    seconds: float | None
    as_json: bool


def compare(names: Sequence[str], request: Request) -> int:
    """Let controllers play, one after the other, and print their figures; the exit status."""
    from procura.puzzles.tetris.endless.controllers import read_controller
    from procura.puzzles.tetris.endless.games import play_games, ratio
    from procura.puzzles.tetris.endless.table import read_rows

    rows = read_rows(request.size)
    controllers = [read_controller(name) for name in names]
    played: list[Games] = []
    with noted_interrupts() as interrupt:
        for controller in controllers:
            if interrupt.noted:
                break
            with _progress(controller.name) as on_progress:
                games = play_games(
                    controller, request.games, rows=rows, seed=request.seed, known=request.known,
                    most_pieces=request.most_pieces, jobs=request.jobs, seconds=request.seconds, cancel=interrupt,
                    on_progress=on_progress,
                )  # fmt: skip
            played.append(games)
            if request.as_json:
                echo(json.dumps(record(games, ratio(played[0], games) if len(played) > 1 else None)))
    if not request.as_json and len(played) == 1:
        echo(words(played[0], request.most_pieces))
    elif not request.as_json:
        _show_side_by_side(played, request.most_pieces)
    if any(games.lines or games.stopped_by is None for games in played):
        return FOUND
    return INTERRUPTED if interrupt.noted else NOT_FOUND


class _Line(Waiting):
    """The live line on stderr."""

    name = ""

    def __call__(self, progress: Progress) -> None:
        self.leave_off()
        if progress.seconds >= 1:
            mean = f", {progress.lines / progress.lost:,.0f} lines a game" if progress.lost else ""
            rate = progress.placements / progress.seconds / 1e6
            text = f"{self.name}, {progress.seconds:.0f} s: {progress.lost:,} of {progress.games:,} games lost{mean}"
            self.write(f"{text}, {rate:.1f} million placements a second")


@contextmanager
def _progress(name: str) -> Iterator[Callable[[Progress], None] | None]:
    """What shows progress, if somebody can see it."""
    if not sys.stderr.isatty():
        yield None
        return
    with _Line("compiling the player, once: it is kept for the next run") as line:
        line.name = name
        yield line


def record(games: Games, over: Ratio | None = None) -> dict[str, Any]:
    """The figures for JSON."""
    interval = games.interval
    return {
        "schema": 1, "puzzle": "tetris", "controller": games.controller.name,
        "weights": dict(games.controller.weights), "rows": games.rows, "seed": games.seed, "known": games.known,
        "games": len(games.lines), "cut_short": games.cut_short, "stopped_by": games.stopped_by,
        "mean_lines": games.mean, "standard_error": games.standard_error,
        "interval": None if interval is None else list(interval),
        "ratio": over and over.value, "ratio_interval": over and list(over.interval), "paired": over and over.paired,
        "lines": list(games.lines), "pieces": games.pieces, "placements": games.placements,
        "seconds": games.seconds, "cpu_seconds": games.cpu_seconds,
        "placements_per_second": games.placements / games.seconds if games.seconds else None,
    }  # fmt: skip


def _setting(games: Games) -> str:
    known = f", {games.known} known pieces" if games.known > 1 else ""
    return f"{games.rows}x10{known}, seed {games.seed}"


def _ended(games: Games, most_pieces: int | None) -> str:
    """How many games were lost, and what ended the others."""
    ended = f"{counted(len(games.lines), 'game')} lost"
    if games.cut_short:
        why = {"time": "the time limit", "cancelled": "Ctrl-C", None: f"{most_pieces or 0:,} pieces"}[games.stopped_by]
        ended += f", {games.cut_short:,} cut short by {why}"
    return ended


def words(games: Games, most_pieces: int | None = None) -> str:
    """The figures of one controller."""
    rate, cpu_rate = (games.placements / max(seconds, 1e-9) / 1e6 for seconds in (games.seconds, games.cpu_seconds))
    lines = [f"{games.controller.name}, {_setting(games)}: {_ended(games, most_pieces)}"]
    if games.mean is not None and games.interval is not None:
        low, high = games.interval
        lines.append(f"  mean lines      {games.mean:,.1f} (standard error {games.standard_error:,.1f})")
        lines.append(f"  95 % interval   {low:,.1f} to {high:,.1f}")
    lines.append(f"  pieces          {games.pieces:,}")
    lines.append(f"  placements      {games.placements:,}, {rate:.1f} million a second ({cpu_rate:.1f} of CPU time)")
    lines.append(f"  time            {games.seconds:.2f} s")
    return "\n".join(lines)


def _show_side_by_side(played: Sequence[Games], most_pieces: int | None) -> None:
    """Print the figures of several, and how many times the lines of each the first one makes."""
    from procura.cli.render import new_console
    from procura.cli.tables import show_table
    from procura.puzzles.tetris.endless.games import ratio

    first = played[0]
    columns = ("controller", "mean lines", "95 %", f"{first.controller.name} makes", "95 % of that", "games")
    rows = []
    for games in played:
        over = None if games is first else ratio(first, games)
        figures = ["-" if games.mean is None else f"{games.mean:,.1f}", _between(games.interval, ",.1f")]
        figures += [
            "-" if over is None else f"{over.value:.3f} times",
            _between(None if over is None else over.interval, ".3f"),
        ]
        rows.append((games.controller.name, *figures, _ended(games, most_pieces)))
    echo(f"{_setting(first)}: the same pieces for each")
    show_table(new_console(), columns, rows)


def _between(interval: tuple[float, float] | None, form: str) -> str:
    return "-" if interval is None else f"{interval[0]:{form}} to {interval[1]:{form}}"
