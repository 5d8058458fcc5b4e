"""``procura solve``: a board, a file, standard input or a sample; one problem or a batch."""

from __future__ import annotations

import click

from procura.cli.options import configuration_options, puzzle_options, search_options

EPILOG = """\b
Examples:
  procura solve sliding "8 2 5 3 12 15 1 4 10 9 14 0 11 7 13 6" --goal spiral
  procura solve sudoku puzzles.txt --json
  procura solve tetris board.txt --pieces "t i l l" --with astar:quality_bound
  procura solve dots problems.dat --problem C --with dfs --limit depth=20
  procura solve sliding "1 2 3 4 0 5 7 8 6" --with astar:manhattan --tree tree.dot
  procura solve examples/rush_hour.py:RushHour jam.txt --steps

\b
Exit status: 0 an answer was found, 2 bad input, 3 none found (a limit, or
the method gave up), 4 proved to have no solution, 70 internal error,
130 interrupted. A batch exits with the worst: 130, 70, 2, 3, 4, 0.
"""


@click.command("solve", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@configuration_options
@search_options
@click.option("--solutions", type=click.IntRange(min=1), metavar="N", help="Count the solutions as well, up to N.")
@click.option("--steps", is_flag=True, help="Print the board after each action (not with --json).")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@click.option("--log", metavar="FILE", help="Add a readable record of each run to the end of FILE.")
@click.option("--trace", metavar="FILE", help="Write the events of the search to FILE as JSON lines.")
@click.option("--tree", metavar="FILE.dot", help="Write the search tree to FILE.dot for Graphviz; one problem only.")
@click.option("--tree-nodes", type=click.IntRange(min=1), metavar="N", default=500, show_default=True,
              help="The most nodes of --tree, beside the path of the solution.")  # fmt: skip
@puzzle_options
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
    samples: tuple[str, ...],
    solutions: int | None,
    steps: bool,
    ascii_only: bool,
    log: str | None,
    trace: str | None,
    tree: str | None,
    tree_nodes: int,
    **given: str | None,
) -> int:
    """Solve a puzzle, or every puzzle of a file.

    PUZZLE is sliding, sudoku, tetris, dots or your own path/file.py:Class. BOARD is a file if there is one of
    that name, else the board itself; - is standard input. Files of sudoku and sliding can hold one board a line,
    files of tetris (and sliding) boards with blank lines between them, files of dots several problems. Your own
    class needs no BOARD if it can be made without one.
    """
    from procura.cli.boards import read_tasks
    from procura.cli.observers import followed, observers
    from procura.cli.reports import JsonReport, TextReport
    from procura.cli.running import Runner
    from procura.cli.settings import check_presets, read_settings
    from procura.reading.puzzles import choose_puzzle

    chosen = choose_puzzle(puzzle)
    settings = read_settings(
        chosen, configuration, options=options, heuristic=heuristic, limits=limits, engine=engine, seed=seed
    )
    own = chosen.read_options(given)
    check_presets(chosen, settings, own)
    tasks = read_tasks(chosen, board, samples, own)
    if solutions is not None:
        chosen.check_counting()
    report = JsonReport(chosen.name) if as_json else TextReport(len(tasks), steps, ascii_only, solutions)
    settings = followed(settings, trace, tree, len(tasks))
    with observers(chosen.name, log, trace, tree, tree_nodes) as watching:
        return Runner(tasks, [settings], report, watching, solutions).run_all()
