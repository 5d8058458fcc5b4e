"""``procura tune``: find weights on some boards and judge them on others."""

from __future__ import annotations

from typing import Any

import click

from procura.cli.options import Moved, random_options, tuning_options
from procura.cli.places import allow_code_option

EPILOG = """\b
Examples:
  procura tune tetris --method genetic --seconds 600 --journal tetris.log --out tetris.txt
  procura tune sliding --train 30 --validate 30 --rounds 20 --jobs 2
  procura tune tetris --start tetris.log --method genetic --preset report
  procura solve tetris board.txt --pieces "t i l l" --with astar,tree=true --heuristic @tetris.txt

\b
Exit status: 0 weights were found, 2 bad input, 3 time was over before a single
trial, 70 internal error, 130 interrupted before a single trial.
"""


class Tune(Moved):
    """The command, which tuned controllers of endless play once."""

    moved = {"--endless": "controllers are tuned by a command of their own, procura endless tune"}


@click.command("tune", cls=Tune, epilog=EPILOG)
@click.argument("puzzle")
@click.option("--method", metavar="NAME", help="random, genetic, cmaes, tpe or cross-entropy.  [default: cmaes]")
@click.option("--preset", metavar="NAME", help="Of genetic: report (as its program ran) or report-as-meant.")
@click.option("--with", "configuration", metavar="ALGORITHM[:HEURISTIC][,option=value...]", help="The search.")
@click.option("--heuristic", metavar="SUM|@FILE", help="The weighted sum whose weights are tuned.")
@click.option("--objective", metavar="NAME", help="points, expansions, time or cost (then expansions).")
@click.option("--space", metavar="box|shares", help="Weights from 0 to 1 (box), or that sum to one (shares).")
@click.option("--boards", multiple=True, metavar="FILE", help="Boards, in place of random ones; may be given again.")
@click.option(
    "--validate-boards",
    multiple=True,
    metavar="FILE",
    help="Boards for validation only, --boards are then all for training; may be given again.",
)
@click.option("--train", type=click.IntRange(min=1), metavar="N", help="Training boards.  [default: 60 random ones]")
@click.option(
    "--validate", type=click.IntRange(min=0), metavar="N", help="Validation boards.  [default: 50 random ones]"
)
@click.option(
    "--boards-seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of random boards, and of the division.",
)
@click.option("--against", metavar="SUM|@FILE", help="What to compare with, in place of the sum's own weights.")
@click.option("--no-early-stop", is_flag=True, help="Evaluate hopeless candidates on all boards too.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help="nodes=5000, seconds=20 ...; per search.")
@click.option("--engine", type=click.Choice(["auto", "python", "compiled"]), default="auto", show_default=True)
@tuning_options
@allow_code_option
@random_options
def command(puzzle: str, **given: Any) -> int:
    """Find the weights of a heuristic that is a weighted sum: on training boards, judged on validation boards.

    PUZZLE is tetris, sliding, dots, or another with --with ALGORITHM:SUM. The result is the mean score on both sets of
    boards with intervals of 95 %, beside the weights that the sum has already, which are those of the puzzle's report.
    Several processes, also on several machines, may work on one --journal at the same time. See docs/tuning.md.
    """
    from procura.cli.interrupt import noted_interrupts
    from procura.cli.tuning import Request, tune_boards
    from procura.reading.puzzles import choose_puzzle

    chosen = choose_puzzle(puzzle)
    with noted_interrupts() as interrupt:
        return tune_boards(chosen, puzzle, Request.of(given), interrupt)
