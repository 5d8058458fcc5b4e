"""``procura play tetris --controller``: games of a controller for their figures, or one of them to look at."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from procura.catalog import flag
from procura.cli.interrupt import Interrupt, noted_interrupts
from procura.cli.progress import Waiting
from procura.cli.status import FOUND, INTERRUPTED, NOT_FOUND
from procura.errors import InputError
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle

if TYPE_CHECKING:
    from procura.puzzles.tetris.endless.controllers import Controller
    from procura.puzzles.tetris.endless.games import Games, Progress

F = TypeVar("F", bound=Callable[..., Any])
ROWS = 10
HOME = "\x1b[H\x1b[J"
"""Moves the cursor of a terminal to its top left corner and clears what follows."""
STEP_SECONDS = 0.05
"""How long a replay sleeps at most before it looks for Ctrl-C."""

_OPTIONS = (
    click.option(
        "--controller", metavar="NAME|@FILE",
        help="Tetris: let a controller play until it loses: report1, four, dellacherie, bcts, dt10, tuned, or a file "
        "with lines such as holes = -4.",
    ),
    click.option(
        "--games", type=click.IntRange(min=1), metavar="N", default=100, show_default=True,
        help="Games of a controller.",
    ),
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", default=1, show_default=True,
        help="Threads that play them; the games are the same.",
    ),
    click.option("--limit", "limits", multiple=True, metavar="seconds=N", help="When a controller is to stop."),
    click.option("--json", "as_json", is_flag=True, help="The figures of a controller as one JSON object."),
    click.option("--replay", is_flag=True, help="Show one game of a controller, piece by piece."),
    click.option(
        "--delay", type=click.FloatRange(min=0, max=60), metavar="SECONDS", default=0.2, show_default=True,
        help="Seconds between the frames of a replay on a terminal.",
    ),
    click.option(
        "--most-frames", type=click.IntRange(min=1), metavar="N", default=1000, show_default=True,
        help="The most frames of a replay.",
    ),
)  # fmt: skip
_NAMES = ("controller", "games", "jobs", "limits", "as_json", "replay", "delay", "most_frames")


def controller_options(command: F) -> F:
    """Add the options of controllers; ``take_controller_options`` takes them out of what click gives."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_controller_options(given: dict[str, Any]) -> dict[str, Any] | None:
    """Take the options of controllers out of ``given``; None if no controller is named, then none may be given."""
    taken = {name: given.pop(name) for name in _NAMES}
    if taken["controller"] is not None:
        return taken
    context = click.get_current_context()
    for name in _NAMES:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            written = {"limits": "--limit", "as_json": "--json"}.get(name, flag(name))
            raise InputError(f"{written}: only a --controller takes it")
    return None


def play_endless(
    chosen: ChosenPuzzle, wish: Mapping[str, Any], seed: int | None, given: Mapping[str, Any], ascii_only: bool
) -> int:
    """Let a controller play; the exit status. ``given`` are other options of the command, of which it knows rows."""
    from procura.puzzles.tetris.endless.controllers import read_controller

    if chosen.name != "tetris":
        raise InputError(f"--controller: there are none for {chosen.name}, only for tetris")
    for name, value in given.items():
        if value is not None and name != "rows":
            raise InputError(f"{flag(name)}: a --controller does not take it")
    if wish["replay"] and wish["as_json"]:
        raise InputError("--replay: it shows a game, --json shows figures")
    limits = read_limits(wish["limits"])
    if (limits.nodes, limits.memory, limits.depth) != (None, None, None):
        raise InputError(f"--limit {','.join(wish['limits'])}: a --controller knows only seconds")
    rows = chosen.read_options({"rows": given.get("rows")}).get("rows", ROWS)
    controller = read_controller(wish["controller"])
    with noted_interrupts() as interrupt:
        if wish["replay"]:
            return _show(controller, rows, seed or 0, limits.seconds, wish, ascii_only, interrupt)
        return _measure(controller, rows, seed or 0, limits.seconds, wish, interrupt)


def _measure(
    controller: Controller, rows: int, seed: int, seconds: float | None, wish: Mapping[str, Any], interrupt: Interrupt
) -> int:
    """Play many games and print their figures."""
    from procura.puzzles.tetris.endless.games import play_games

    with _progress() as on_progress:
        games = play_games(
            controller, wish["games"], rows=rows, seed=seed, jobs=wish["jobs"], seconds=seconds, cancel=interrupt,
            on_progress=on_progress,
        )  # fmt: skip
    click.echo(json.dumps(record(games)) if wish["as_json"] else words(games))
    if games.lines:
        return FOUND
    return INTERRUPTED if games.stopped_by == "cancelled" else NOT_FOUND


class _Line(Waiting):
    """The live line on stderr."""

    def __call__(self, progress: Progress) -> None:
        self._timer.cancel()
        if progress.seconds >= 1:
            mean = f", {progress.lines / progress.lost:,.0f} lines a game" if progress.lost else ""
            rate = progress.placements / progress.seconds / 1e6
            text = f"{progress.seconds:.0f} s: {progress.lost:,} of {progress.games:,} games{mean}"
            self._write(f"{text}, {rate:.1f} million placements a second")


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """What shows progress, if somebody can see it."""
    if not sys.stderr.isatty():
        yield None
        return
    with _Line("compiling the player, once: it is kept for the next run") as line:
        yield line


def record(games: Games) -> dict[str, Any]:
    """The figures for JSON."""
    interval = games.interval
    return {
        "schema": 1, "puzzle": "tetris", "controller": games.controller.name,
        "weights": dict(games.controller.weights), "rows": games.rows, "seed": games.seed,
        "games": len(games.lines), "cut_short": games.cut_short, "stopped_by": games.stopped_by,
        "mean_lines": games.mean, "standard_error": games.standard_error,
        "interval": None if interval is None else list(interval), "lines": list(games.lines), "pieces": games.pieces,
        "placements": games.placements, "seconds": games.seconds, "cpu_seconds": games.cpu_seconds,
        "placements_per_second": games.placements / games.seconds if games.seconds else None,
    }  # fmt: skip


def words(games: Games) -> str:
    """The figures for people."""
    rate, cpu_rate = (games.placements / max(seconds, 1e-9) / 1e6 for seconds in (games.seconds, games.cpu_seconds))
    lines = [f"{games.controller.name}, 10x{games.rows}, seed {games.seed}: {len(games.lines):,} games lost"]
    if games.stopped_by is not None:
        why = "the time limit" if games.stopped_by == "time" else "Ctrl-C"
        lines[0] += f", {games.cut_short:,} cut short by {why}"
    if games.mean is not None and games.interval is not None:
        low, high = games.interval
        lines.append(f"  mean lines      {games.mean:,.1f} (standard error {games.standard_error:,.1f})")
        lines.append(f"  95 % interval   {low:,.1f} to {high:,.1f}")
    lines.append(f"  pieces          {games.pieces:,}")
    lines.append(f"  placements      {games.placements:,}, {rate:.1f} million a second ({cpu_rate:.1f} of CPU time)")
    lines.append(f"  time            {games.seconds:.2f} s")
    return "\n".join(lines)


def _show(
    controller: Controller,
    rows: int,
    seed: int,
    seconds: float | None,
    wish: Mapping[str, Any],
    ascii_only: bool,
    interrupt: Interrupt,
) -> int:
    """Show a game: on a terminal each frame in the place of the last, elsewhere one after the other."""
    from procura.puzzles.tetris.endless.replay import draw, replay

    terminal, began, frame = sys.stdout.isatty(), time.monotonic(), None
    for frame in replay(controller, rows, seed):
        sys.stdout.write((HOME if terminal else "\n" if frame.number > 1 else "") + draw(frame, ascii_only) + "\n")
        sys.stdout.flush()
        late = seconds is not None and time.monotonic() - began >= seconds
        if interrupt():
            return INTERRUPTED
        if late or frame.number == wish["most_frames"]:
            return FOUND
        if terminal:
            _sleep(wish["delay"], interrupt)
    pieces, lines = (0, 0) if frame is None else (frame.number, frame.lines)
    click.echo(f"lost after {pieces:,} pieces with {lines:,} lines")
    return FOUND


def _sleep(seconds: float, interrupt: Interrupt) -> None:
    until = time.monotonic() + seconds
    while not interrupt() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, STEP_SECONDS))
