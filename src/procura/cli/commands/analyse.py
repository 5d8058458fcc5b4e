"""``procura analyse``: what a position of a game for two is worth to the player to move, and each of the moves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from procura.cli.options import configuration_options, puzzle_options, search_options

if TYPE_CHECKING:
    from procura.configuration import Configuration
    from procura.game import Analysis
    from procura.texts import Task

EPILOG = """\b
Examples:
  procura analyse dots --size 3x3
  procura analyse dots position.txt --for two --json
  procura analyse dots --sample hard-4x4 --with alphabeta,moves=best --limit seconds=20
  procura analyse examples/connect_four.py:ConnectFour --with mcts --seed 1

\b
Exit status: 0 a move has a value, or the game is over; 2 bad input, 3 a limit
ended it before any move had one, 130 interrupted. A batch exits with the worst.
"""


@click.command("analyse", epilog=EPILOG)
@click.argument("game")
@click.argument("board", required=False)
@click.option("--for", "players", type=click.Choice(["two"]), default="two", show_default=True,
              help="For whom: two players who draw in turns.")  # fmt: skip
@configuration_options
@search_options
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@puzzle_options
def command(
    game: str,
    board: str | None,
    players: str,
    configuration: str,
    heuristic: str | None,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    engine: str,
    seed: int | None,
    as_json: bool,
    samples: tuple[str, ...],
    ascii_only: bool,
    **given: str | None,
) -> int:
    """Find what a position of a game for two is worth, and each move.

    GAME is dots or your own path/file.py:Class. BOARD is a file if there is one of that name, else the board itself;
    - is standard input. Without it, dots begins with an empty board of --size, and your own class as it is made
    without arguments. The value is what the player to move ends up ahead by if both play as well as can be.
    """
    from procura.analysing import resolve
    from procura.cli.boards import read_tasks
    from procura.cli.interrupt import noted_interrupts
    from procura.cli.settings import read_beside
    from procura.cli.status import FOUND, INTERRUPTED, close_stdout, worse
    from procura.configuration import Configuration
    from procura.reading.limits import read_limits
    from procura.reading.puzzles import choose_game

    chosen = choose_game(game)
    asked = Configuration.parse(configuration, heuristic, read_beside(options))
    kind: Any = chosen.cls
    if asked.algorithm != "auto":  # which may be for each game to say
        resolve(kind, asked)
    keywords = {"limits": read_limits(limits), "engine": engine, "seed": seed}
    tasks = read_tasks(chosen, board, samples, chosen.read_options(given))
    worst = FOUND
    with noted_interrupts() as interrupt:
        try:
            for task in tasks:
                if interrupt.noted:
                    return INTERRUPTED
                status = _one(chosen, task, asked, {**keywords, "cancel": interrupt}, as_json, ascii_only, len(tasks))
                worst = worse(worst, status)
        except BrokenPipeError:
            close_stdout()
    return worst


def _one(
    chosen: Any, task: Task, asked: Configuration, keywords: dict[str, Any], as_json: bool, ascii_only: bool, tasks: int
) -> int:
    """Analyse and show one position; the status."""
    from procura.analysing import analyse, resolve
    from procura.cli.blame import blamed
    from procura.cli.progress import watched
    from procura.cli.status import FOUND, INTERRUPTED, NOT_FOUND, explain, say
    from procura.record import analysis_record, line

    analysis: Analysis | None = None
    sentence = None
    try:
        with blamed(chosen.cls):
            game: Any = task.problem()
            with watched(resolve(game, asked).info) as progress:
                analysis = analyse(game, asked, on_event=progress, events=["progress"], **keywords)
    except (Exception, SystemExit) as error:
        status, sentence = explain(error)
        say(sentence)
    else:
        status = FOUND if analysis.known else INTERRUPTED if analysis.stopped_by == "cancelled" else NOT_FOUND
    if as_json:
        sys.stdout.write(line(analysis_record(chosen.name, analysis, sentence)) + "\n")
        sys.stdout.flush()
    elif analysis is not None:
        with blamed(chosen.cls):
            _print(analysis, (task.place if tasks > 1 else None) or task.name, ascii_only)
    return status


def _print(analysis: Analysis, title: str | None, ascii_only: bool) -> None:
    """The board, the verdict, the moves by value, and figures."""
    from procura import words
    from procura.cli import render

    console = render.new_console()
    if title is not None:
        render.show_title(console, title)
    render.show_text(console, render.picture(analysis.game, analysis.game.initial, ascii_only) + "\n")
    render.show_text(console, words.verdict(analysis), "bold", wrap=True)
    if not analysis.known:
        hint = "Try a higher limit, or --with mcts or alphabeta, which estimate what they cannot prove."
        render.show_text(console, hint, wrap=True)
    groups = words.move_groups(analysis) if analysis.known else []
    width = max((len(value) for value, _ in groups), default=0)
    for value, moves in groups:
        render.show_text(console, f"  {value:>{width}}  {moves}", wrap=True)
    stats = analysis.stats
    counts = f"{stats.expanded:,} expanded, {stats.generated:,} generated, {stats.seconds:.3f} s"
    render.show_text(console, f"\n{analysis.configuration}, {analysis.engine}: {counts}", "dim", wrap=True)
    for note in analysis.notes:
        render.show_text(console, f"note: {note}", wrap=True)
