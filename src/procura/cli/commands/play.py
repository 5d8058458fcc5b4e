"""``procura play``: play a puzzle in the terminal, or line by line."""

from __future__ import annotations

import click

from procura import catalog
from procura.cli.options import Moved, random_options
from procura.errors import InputError

EPILOG = """\b
Examples:
  procura play sliding
  procura play sudoku --clues 30 --save tonight.json
  procura play --resume tonight.json
  procura play tetris --sample test-25
  procura play dots --level strong --size 4x4
  procura play dots --players strong,greedy --games 100 --size 5x5
  procura play examples/connect_four.py:ConnectFour --first computer
  printf 'hint\\nsolve\\n' | procura play sliding "1 2 3 4 5 6 0 7 8"

\b
In the game, ? lists all keys. An arrow moves a tile into the blank (sliding),
the cursor (sudoku, dots) or the piece (tetris); h is a hint, z takes back,
s plays the rest, q leaves. What can be pressed can be typed too, after a
colon, or a command a line if the input is no terminal.
"""


class Play(Moved):
    """The command, in which controllers played once."""

    moved = {
        "--controller": "controllers play by commands of their own: procura endless compare NAME for their figures, "
        "procura endless play --watch to see one play"
    }


@click.command("play", cls=Play, epilog=EPILOG)
@click.argument("puzzle", required=False)
@click.argument("board", required=False)
@click.option("--sample", metavar="NAME", help="A problem that ships with the puzzle, in place of BOARD.")
@click.option(
    "--seed", type=int, help="Of a random problem, and of the computer's choices; another each time if left out."
)
@click.option("--against", type=click.Choice(["computer"]), help="Dots: draw in turns; most boxes win.")
@click.option("--level", type=click.Choice(["easy", "strong", "perfect"]),
              help="Dots and games of your own: how well the computer plays against you.")  # fmt: skip
@click.option("--first", type=click.Choice(["you", "computer"]), default="you", show_default=True,
              help="Who begins a game for two.")  # fmt: skip
@click.option("--players", metavar="A,B",
              help="Dots: let computers play --games, begun in turns: greedy, strong or perfect.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), metavar="N",
              help="Games of --players; 100 if left out.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The figures of --players as one JSON object.")
@click.option("--save", metavar="FILE", help="Save the game there when it is left, however that happens.")
@click.option("--resume", metavar="FILE", help="Go on with a saved game; it is saved there again.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@random_options
def command(
    puzzle: str | None,
    board: str | None,
    sample: str | None,
    seed: int | None,
    against: str | None,
    level: str | None,
    first: str,
    players: str | None,
    games: int | None,
    as_json: bool,
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
    A game of your own, path/file.py:Class, is played against the computer.
    Tetris without end, by hand or by controllers, is procura endless.
    """
    from procura.cli.blame import blamed
    from procura.cli.matches import play_match
    from procura.cli.playing import Request, play, resumed_puzzle
    from procura.reading.puzzles import choose_puzzle

    named = resumed_puzzle(resume) if puzzle is None else puzzle
    chosen = choose_puzzle(named, games=True)
    if players is not None:
        if board is not None or sample is not None or against or level or save or resume:
            raise InputError(
                "--players: two computers play an empty board of --size, expected no board and no opponent"
            )
        return play_match(chosen, players, given.get("size"), games or 100, seed, as_json)
    if as_json or games is not None:
        raise InputError(f"{'--json' if as_json else '--games'}: only --players takes it")
    own = {option.name for entry in catalog.PUZZLES.values() for option in entry.options}
    request = Request(
        board=board,
        samples=() if sample is None else (sample,),
        options={name: value for name, value in given.items() if name in own},
        random={name: value for name, value in given.items() if name not in own},
        seed=seed,
        against=level or against,
        second=first == "computer",
        save=save,
        resume=resume,
    )
    with blamed(chosen.cls):
        return play(chosen, request, ascii_only)
