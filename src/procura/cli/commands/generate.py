"""``procura generate``: random problems, in a form that ``solve`` reads."""

from __future__ import annotations

import json
import sys
import time

import click

from procura.cli.harmless import harmless
from procura.cli.options import generator_options

EPILOG = """\b
Examples:
  procura generate sliding --count 10 --seed 1
  procura generate sudoku --count 3 | procura solve sudoku -
"""


@click.command("generate", epilog=EPILOG)
@click.argument("puzzle")
@click.option(
    "--count", type=click.IntRange(min=0), metavar="N", default=1, show_default=True, help="How many problems."
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Of the first problem; the next has this seed plus 1, and so on.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a problem: puzzle, seed, board.")
@generator_options
def command(puzzle: str, count: int, seed: int, as_json: bool, **given: str | None) -> None:
    """Print random problems, the same for the same seed and options.

    A board of one line is one a line; boards of several lines have a blank line between them. The command
    procura solve PUZZLE - reads them all back, given the same --goal where the puzzle has one.
    """
    from procura.cli.blame import blamed
    from procura.cli.progress import waiting
    from procura.control import Control
    from procura.reading.puzzles import choose_puzzle

    chosen = choose_puzzle(puzzle)
    options = chosen.read_generator_options(given)
    began, control = time.monotonic(), Control()
    for number in range(count):
        making = waiting(f"making problem {number + 1:,} of {count:,}", began, lambda: control.preparing)
        with control.in_charge(), making, blamed(chosen.cls):
            text = chosen.cls.generate(seed + number, **options).board_text().strip("\n")
        if as_json:
            text = json.dumps({"puzzle": chosen.name, "seed": seed + number, "board": text})
        elif "\n" in text and number:
            text = "\n" + text
        sys.stdout.write((harmless(text) if sys.stdout.isatty() else text) + "\n")
        sys.stdout.flush()
