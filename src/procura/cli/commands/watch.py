"""``procura watch``: a search step by step, forwards and backwards."""

from __future__ import annotations

import click

from procura.cli.options import configuration_options, followed_options, puzzle_options
from procura.errors import InputError

EPILOG = """\b
Examples:
  procura watch sliding "1 2 3 4 0 5 7 8 6" --with astar:manhattan
  procura watch sudoku --sample small --with annealing,moves=50 --seed 1
  procura watch dots --sample small-3x3 --with idastar:polyomino
  printf 'n\\nn\\ng\\n' | procura watch sliding "1 2 3 4 5 6 0 7 8" --with bfs

\b
Keys: space, right or n the next step, left or b back, digits or j jump to a
step, r run to the next bound (or depth, f, better candidate), g run to the
goal, ? help, q or Esc quit. Over a pipe the same as commands, one a line.
"""


@click.command("watch", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@configuration_options
@followed_options
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@puzzle_options
def command(
    puzzle: str,
    board: str | None,
    configuration: str,
    heuristic: str | None,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    seed: int | None,
    samples: tuple[str, ...],
    ascii_only: bool,
    **given: str | None,
) -> None:
    """Watch a search step by step.

    PUZZLE and BOARD as in procura solve, but one problem, and no board from standard input. Each step shows the
    board, the node's f, g and h, its successors, the frontier and the counts; in local search the energy, and the
    temperature or the population. The search is interpreted and waits for you; that time does not count.
    """
    from procura.cli.blame import blamed
    from procura.cli.boards import read_tasks
    from procura.cli.settings import check_presets, read_settings
    from procura.cli.watching import watch
    from procura.reading.puzzles import choose_puzzle
    from procura.solving import configurations, plan
    from procura.watch.player import Player
    from procura.watch.recording import Recording

    chosen = choose_puzzle(puzzle)
    if len(configurations(configuration)) > 1:
        raise InputError(f"--with {configuration!r}: expected one configuration")
    settings = read_settings(chosen, configuration, options=options, heuristic=heuristic, limits=limits, seed=seed)
    if board == "-":
        raise InputError("BOARD -: watch reads its commands from standard input: expected a file or the board itself")
    own = chosen.read_options(given)
    check_presets(chosen, settings, own)
    tasks = read_tasks(chosen, board, samples, own)
    if len(tasks) != 1:
        hint = ", such as with --problem NAME" if "problem" in chosen.options else ""
        raise InputError(f"{len(tasks):,} problems: watch expected one{hint}")
    with blamed(chosen.cls):
        what = plan(tasks[0].problem(), settings.configuration, settings.heuristic, "python", seed, {})
        with Player(Recording(what, settings.limits)) as player:
            player.check()
            watch(player, ascii_only)
