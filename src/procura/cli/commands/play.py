"""``procura play``: play a puzzle in the terminal, or line by line."""

from __future__ import annotations

import click

from procura import catalog
from procura.cli.endless import controller_options, play_endless, take_controller_options
from procura.cli.options import random_options

EPILOG = """\b
Examples:
  procura play sliding
  procura play sudoku --clues 30 --save tonight.json
  procura play --resume tonight.json
  procura play tetris --sample test-25
  procura play dots --against computer --size 4x4
  procura play tetris --controller dellacherie --games 1000 --rows 10
  printf 'hint\\nsolve\\n' | procura play sliding "1 2 3 4 5 6 0 7 8"

\b
In the game, ? lists all keys. An arrow moves a tile into the blank (sliding),
the cursor (sudoku, dots) or the piece (tetris); h is a hint, z takes back,
s plays the rest, q leaves. What can be pressed can be typed too, after a
colon, or a command a line if the input is no terminal.
"""


@click.command("play", epilog=EPILOG)
@click.argument("puzzle", required=False)
@click.argument("board", required=False)
@click.option("--sample", metavar="NAME", help="A problem that ships with the puzzle, in place of BOARD.")
@click.option(
    "--seed", type=int, help="Of a random problem, and of the computer's choices; another each time if left out."
)
@click.option("--against", type=click.Choice(["computer"]), help="Dots: draw in turns; most boxes win.")
@click.option("--save", metavar="FILE", help="Save the game there when it is left, however that happens.")
@click.option("--resume", metavar="FILE", help="Go on with a saved game; it is saved there again.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@controller_options
@random_options
def command(
    puzzle: str | None,
    board: str | None,
    sample: str | None,
    seed: int | None,
    against: str | None,
    save: str | None,
    resume: str | None,
    ascii_only: bool,
    **given: str | None,
) -> int:
    """Play a puzzle yourself, with undo, hints and the solution.

    PUZZLE is sliding, sudoku, tetris, dots or your own path/file.py:Class; with --resume the first four need no naming.
    BOARD is a file if there is one of that name, else the board itself. Without it and without --sample a random
    problem is made, one that can be beaten: sliding 3x3, sudoku with 36 clues, tetris with 7 pieces, dots 3x3, unless
    --size, --clues and so on say more.
    With --controller a controller plays endless Tetris: one known piece, on 10 columns and 10 to 20 --rows.
    """
    from procura.cli.blame import blamed
    from procura.cli.playing import Wish, play, resumed_puzzle
    from procura.reading.puzzles import choose_puzzle

    chosen = choose_puzzle(resumed_puzzle(resume) if puzzle is None else puzzle)
    wanted = take_controller_options(given)
    if wanted is not None:
        others = {"board": board, "sample": sample, "against": against, "save": save, "resume": resume, **given}
        return play_endless(chosen, wanted, seed, others, ascii_only)
    own = {option.name for entry in catalog.PUZZLES.values() for option in entry.options}
    wish = Wish(
        board=board,
        samples=() if sample is None else (sample,),
        options={name: value for name, value in given.items() if name in own},
        random={name: value for name, value in given.items() if name not in own},
        seed=seed,
        against=against,
        save=save,
        resume=resume,
    )
    with blamed(chosen.cls):
        return play(chosen, wish, ascii_only)
