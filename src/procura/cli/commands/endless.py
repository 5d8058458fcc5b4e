"""``procura endless``: Tetris without end, by hand and by controllers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from procura.cli.options import F, tuning_options

EPILOG = """\b
Examples:
  procura endless play
  procura endless compare tuned dt10 --games 1000 --jobs 2
  procura endless tune --features 12 --seconds 600 --out mine.toml
"""
PLAY = """\b
Examples:
  procura endless play --size 20x10 --level 5 --known 3
  procura endless play --watch --controller dellacherie --size 10x10 --seed 1

\b
In the game: left and right move the piece, up turns it, down lets it fall by a
row, space drops it; h is a hint, c lets the controller play and takes the game
back, p pauses, q leaves.
"""
COMPARE = """\b
Examples:
  procura endless compare dellacherie --games 1000
  procura endless compare tuned dt10 --games 4000 --seed 26 --jobs 2
  procura endless compare tuned --known 2 --size 6x10
  procura endless compare @mine.toml tuned --size 20x10 --games 8 --pieces 5000000

\b
Exit status: 0 there are figures, 2 bad input, 3 time was over before a game
was lost, 130 interrupted before one was lost.
"""
TUNE = """\b
Examples:
  procura endless tune --size 10x10 --features 8 --seconds 600 --out mine.toml
  procura endless tune --start tuned --features 15 --games 100 --journal mine.log

\b
Exit status: 0 a controller was found, 2 bad input, 3 time was over before a
single generation, 130 interrupted before a single generation.
"""


def _size(default: str) -> Callable[[F], F]:
    return click.option("--size", metavar="ROWSx10", default=default, show_default=True,
                        help="Rows and columns: 6x10 to 20x10.")  # fmt: skip


def _known(default: int, about: str) -> Callable[[F], F]:
    return click.option(
        "--known", type=click.IntRange(1, 5), metavar="N", default=default, show_default=True, help=about
    )


@click.group("endless", epilog=EPILOG, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Tetris without end: random pieces, on ten columns and 6 to 20 rows, until one no longer fits.

    A controller is a weighted sum of features of the board: it makes the placement with the greatest sum. The
    controllers are those of procura list controllers, or @FILE with lines such as holes = -4. See docs/endless.md.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("play", epilog=PLAY, short_help="Play by hand, with a controller that hints or takes over.")
@_size("20x10")
@_known(2, "Pieces that are known: that at hand and those shown beside the board.")
@click.option("--level", type=click.IntRange(1, 20), metavar="N", default=1, show_default=True,
              help="Where to begin; the higher, the faster, and one more for every ten lines.")  # fmt: skip
@click.option("--seed", type=int, help="The same seed gives the same pieces; another each time if left out.")
@click.option("--controller", metavar="NAME|@FILE", default="tuned", show_default=True,
              help="Who gives hints and takes over.")  # fmt: skip
@click.option("--watch", is_flag=True, help="Let the controller play from the beginning; without a terminal, print it.")
@click.option("--delay", type=click.FloatRange(min=0, max=60), metavar="SECONDS", default=0.2, show_default=True,
              help="Between two pieces of the controller, on a terminal.")  # fmt: skip
@click.option("--pieces", "most_pieces", type=click.IntRange(min=1), metavar="N",
              help="The most that the controller drops; then the game ends.")  # fmt: skip
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw in ASCII.")
def play(**given: Any) -> int:
    """Play by hand in the terminal: pieces fall, faster from level to level; a controller hints or takes over.

    Rows that are full go, for 100, 300, 500 or 800 points times the level. A piece may be moved below what hangs over;
    one that comes to rest above the top loses the game.
    """
    from procura.cli.endless.play import Request, play

    return play(Request(**given))


@command.command("compare", epilog=COMPARE, short_help="Let controllers play the same pieces; their mean lines.")
@click.argument("controllers", nargs=-1, required=True, metavar="CONTROLLER...")
@click.option("--games", type=click.IntRange(min=1), metavar="N", default=100, show_default=True,
              help="Of each controller.")  # fmt: skip
@_size("10x10")
@_known(1, "Pieces that a controller knows; it searches how to place them all.")
@click.option("--pieces", "most_pieces", type=click.IntRange(min=1), metavar="N",
              help="The most of a game, which is then cut short.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", default=1, show_default=True,
              help="Threads that play; the games are the same.")  # fmt: skip
@click.option("--limit", "limits", multiple=True, metavar="seconds=N", help="When each controller is to stop.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a controller and nothing else.")
def compare(controllers: tuple[str, ...], limits: tuple[str, ...], **given: Any) -> int:
    """Let controllers play games with the same pieces, and set their mean lines side by side.

    Lines per game vary as much as their mean, so figures have intervals of 95 %. The first controller is compared with
    each of the others, game by game if all were lost. Of games cut short the lines count: the mean is all lines over
    the games lost.
    """
    from procura.cli.endless.compare import Request, compare
    from procura.errors import InputError
    from procura.reading.limits import read_limits

    limit = read_limits(limits)
    if (limit.nodes, limit.memory, limit.depth) != (None, None, None):
        raise InputError(f"--limit {','.join(limits)}: controllers know only seconds")
    return compare(controllers, Request(seconds=limit.seconds, **given))


@command.command("tune", epilog=TUNE, short_help="Find the weights of a controller.")
@_size("10x10")
@click.option("--features", metavar="N|NAMES", default="8", show_default=True,
              help="4, 6, 8, 9, 12 or 15 known ones, or names.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), metavar="N", default=20, show_default=True,
              help="First games of a candidate.")  # fmt: skip
@click.option("--method", metavar="NAME", help="cmaes or cross-entropy.  [default: cmaes]")
@tuning_options
def tune(**given: Any) -> int:
    """Find the weights of a controller by the mean lines of its games.

    Trials are made in whole generations of candidates. --start takes the name of a controller, too. Several processes,
    also on several machines, may work on one --journal at the same time. See docs/endless.md.
    """
    from procura.cli.endless.tune import Request, tune

    return tune(Request(**given))
