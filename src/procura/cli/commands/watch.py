"""``procura watch``: a search step by step, forwards and backwards; of a puzzle, or of a game for two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from procura.cli.options import configuration_options, followed_options, puzzle_options
from procura.errors import InputError

if TYPE_CHECKING:
    from procura.reading.puzzles import ChosenPuzzle
    from procura.watch.recording import Recording

EPILOG = """\b
Examples:
  procura watch sliding "1 2 3 4 0 5 7 8 6" --with astar:manhattan
  procura watch sudoku --sample small --with annealing,moves=50 --seed 1
  procura watch dots --sample small-3x3 --with idastar:polyomino
  procura watch dots --size 1x2 --with alphabeta
  procura watch examples/tic_tac_toe.py:TicTacToe --with mcts --seed 1
  printf 'n\\nn\\ng\\n' | procura watch sliding "1 2 3 4 5 6 0 7 8" --with bfs

\b
Keys: space, right or n the next step, left or b back, digits or j jump to a
step, r run to the next bound (or depth, f, better candidate), g run to the
goal, ? help, q or Esc quit. Over a pipe the same as commands, one a line.
"""


@click.command("watch", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@click.option("--for", "players", type=click.Choice(["two"]), help="The game for two, not the puzzle of that name.")
@configuration_options
@followed_options
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@puzzle_options
def command(
    puzzle: str,
    board: str | None,
    players: str | None,
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
    temperature or the population. PUZZLE may be a game for two, your own path/file.py:Class or dots with --for two,
    --with minimax, alphabeta or mcts: each step shows the window, the moves with their values and the cut-offs, or the
    visits and means. The search is interpreted and waits for you; that time does not count.
    """
    from procura.cli.blame import blamed
    from procura.cli.watching import watch
    from procura.game import Game
    from procura.watch.player import Player

    if board == "-":
        raise InputError("BOARD -: watch reads its commands from standard input: expected a file or the board itself")
    chosen = _chosen(puzzle, configuration, players)
    keywords = {"options": options, "heuristic": heuristic, "limits": limits, "seed": seed}
    read = _game if issubclass(chosen.cls, Game) else _search
    with blamed(chosen.cls):
        player = Player(read(chosen, configuration, board, samples, chosen.read_options(given), keywords))
        player.check()
        watch(player, ascii_only)


def _chosen(puzzle: str, configuration: str, players: str | None) -> ChosenPuzzle:
    """The puzzle, or the game if that is asked for or the algorithm is for games only."""
    from procura.reading.puzzles import choose_game, choose_puzzle, means_game

    two = players or means_game(puzzle, configuration)
    return choose_game(puzzle) if two else choose_puzzle(puzzle, games=True)


def _search(
    chosen: ChosenPuzzle, configuration: str, board: str | None, samples: tuple[str, ...], own: Mapping[str, Any],
    keywords: Mapping[str, Any],
) -> Recording:  # fmt: skip
    """The search of a puzzle that is meant."""
    from procura.cli.settings import read_settings
    from procura.solving import plan
    from procura.watch.recording import Recording

    settings = read_settings(chosen, configuration, own=own, **keywords)
    if len(settings.configurations) > 1:
        raise InputError(f"--with {configuration!r}: expected one configuration")
    problem = _one_problem(chosen, board, samples, own)
    return Recording(plan(problem, settings.configurations[0], "python", settings.seed), settings.limits)


def _game(
    chosen: ChosenPuzzle, configuration: str, board: str | None, samples: tuple[str, ...], own: Mapping[str, Any],
    keywords: Mapping[str, Any],
) -> Recording:  # fmt: skip
    """The search of a game that is meant."""
    from procura.analysing import game_plan
    from procura.cli.settings import read_beside
    from procura.configuration import Configuration
    from procura.reading.limits import read_limits
    from procura.watch.recording import Recording

    asked = Configuration.parse(configuration, keywords["heuristic"], read_beside(keywords["options"]))
    game = _one_problem(chosen, board, samples, own)
    return Recording(game_plan(game, asked, "python", keywords["seed"]), read_limits(keywords["limits"]))


def _one_problem(chosen: ChosenPuzzle, board: str | None, samples: tuple[str, ...], own: Mapping[str, Any]) -> Any:
    from procura.cli.boards import read_tasks

    tasks = read_tasks(chosen, board, samples, own)
    if len(tasks) != 1:
        hint = ", such as with --problem NAME" if "problem" in chosen.options else ""
        raise InputError(f"{len(tasks):,} problems: watch expected one{hint}")
    return tasks[0].problem()
