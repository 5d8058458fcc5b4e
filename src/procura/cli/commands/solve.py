"""``procura solve``: a board, a file, standard input or a sample; one problem or a batch."""

from __future__ import annotations

from typing import Any

import click

EPILOG = """\b
Examples:
  procura solve sliding "8 2 5 3 12 15 1 4 10 9 14 0 11 7 13 6" --goal spiral
  procura solve sudoku puzzles.txt --json
  procura solve tetris board.txt --pieces "t i l l" --with astar:quality_bound
  procura solve dots problems.dat --problem C --with dfs --limit depth=20
  procura solve examples/rush_hour.py:RushHour jam.txt --steps

\b
Exit status: 0 an answer was found, 2 bad input, 3 none found (a limit, or
the method gave up), 4 proved to have no solution, 70 internal error,
130 interrupted. A batch exits with the worst: 130, 70, 2, 3, 4, 0.
"""


@click.command("solve", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@click.option(
    "--with",
    "configuration",
    default="auto",
    metavar="ALGORITHM[:HEURISTIC][,option=value...]",
    help="How to search; auto is the puzzle's best.",
)
@click.option("--heuristic", metavar="EXPR|@FILE", help='Such as "max(misplaced, 0.9*manhattan)".')
@click.option("-o", "options", multiple=True, metavar="OPTION=VALUE", help="An option of the algorithm.")
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="seconds=20, nodes=1000000, memory=500MB or depth=40; per problem.",
)
@click.option("--engine", type=click.Choice(["auto", "python", "compiled"]), default="auto", show_default=True)
@click.option("--seed", type=int, help="For methods that draw random numbers; 0 if not given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a problem and nothing else.")
@click.option("--steps", is_flag=True, help="Print the board after each action (not with --json).")
@click.option("--sample", metavar="NAME", help="A problem that ships with the puzzle, in place of BOARD.")
@click.option("--goal", metavar="GOAL", help="sliding: blank-last (default), blank-first, spiral or numbers.")
@click.option("--size", metavar="ROWSxCOLS", help="sliding: the shape of the board, if it is no square.")
@click.option("--choice", metavar="first|fewest", help="sudoku: the cell to fill next.")
@click.option("--pieces", metavar="LETTERS", help='tetris: the pieces in order, such as "t i l l".')
@click.option("--cost", metavar="quality|opportunity", help="tetris: what a step costs.")
@click.option("--problem", metavar="NAME", help="dots: one problem of a file of several.")
@click.option("--boxes", type=int, help="dots: the boxes to close, in place of the problem's target.")
@click.option("--order", metavar="canonical|any", help="dots: draw arcs in one order only, or in any.")
def command(
    puzzle: str,
    board: str | None,
    configuration: str,
    heuristic: str | None,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    engine: str,
    seed: int | None,
    as_json: bool,
    steps: bool,
    sample: str | None,
    **given: Any,
) -> int:
    """Solve a puzzle, or every puzzle of a file.

    PUZZLE is sliding, sudoku, tetris, dots or your own path/file.py:Class. BOARD is a file if there is one of
    that name, else the board itself; - is standard input. Files of sudoku and sliding can hold one board a line.
    """
    from procura.cli.boards import read_tasks
    from procura.cli.puzzles import choose_puzzle
    from procura.cli.reports import JsonReport, TextReport
    from procura.cli.running import run_all
    from procura.cli.settings import read_settings

    settings = read_settings(configuration, options, heuristic, limits, engine, seed)
    chosen = choose_puzzle(puzzle)
    tasks = read_tasks(chosen, board, sample, {name: value for name, value in given.items() if value is not None})
    report = JsonReport(chosen.name) if as_json else TextReport(len(tasks), steps)
    return run_all(tasks, settings, report)
