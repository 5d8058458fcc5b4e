"""``procura compare``: several configurations on the same problems, side by side."""

from __future__ import annotations

import click

from procura.cli.options import puzzle_options, search_options
from procura.errors import InputError

EPILOG = """\b
Examples:
  procura compare sliding --sample moodle-5 --with astar:misplaced
      --with astar:manhattan,ties=fifo --with idastar:manhattan
  procura compare sliding --sample easy
  procura compare sudoku puzzles.txt --with dfs --with annealing --limit seconds=5
  procura compare tetris board.txt --pieces "t i l l" --with auto --with dfs --json

\b
Exit status: the worst of all runs, as in procura solve.
"""


SECONDS = 10
"""For each of the searches that nobody has named."""


@click.command("compare", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@click.option(
    "--with",
    "configurations",
    multiple=True,
    metavar="ALGORITHM[:HEURISTIC][,option=value...]",
    help="A way to search, or a preset of the puzzle; once for each.  [default: some that suit the puzzle]",
)
@search_options
@puzzle_options
def command(
    puzzle: str,
    board: str | None,
    configurations: tuple[str, ...],
    limits: tuple[str, ...],
    engine: str,
    seed: int | None,
    as_json: bool,
    samples: tuple[str, ...],
    **given: str | None,
) -> int:
    """Run several configurations on each problem and print a table.

    PUZZLE and BOARD as in procura solve. Proof tells a proved optimum (or that there is no solution) from an answer
    that may not be the best. Memory is the peak of the process, to which earlier runs may have added. Without --with,
    a few searches that suit the puzzle are compared, each for 10 seconds at most unless --limit says otherwise.
    """
    from procura.cli.boards import read_tasks
    from procura.cli.reports import JsonReport
    from procura.cli.running import Report, Runner
    from procura.cli.settings import read_settings
    from procura.reading.puzzles import choose_puzzle

    for configuration in configurations:
        if configurations.count(configuration) > 1:
            raise InputError(f"--with {configuration!r} is given twice")
    chosen = choose_puzzle(puzzle)
    if not configurations:
        configurations, limits = chosen.compared(), limits or (f"seconds={SECONDS}",)
    own = chosen.read_options(given)
    settings = [
        read_settings(chosen, configuration, limits=limits, engine=engine, seed=seed, own=own)
        for configuration in configurations
    ]
    tasks = read_tasks(chosen, board, samples, own)
    report: Report
    if as_json:
        report = JsonReport(chosen.name, labelled=True)
    else:
        from procura.cli.tables import TableReport

        report = TableReport(len(tasks), configurations)
    return Runner(tasks, settings, report).run_all()
