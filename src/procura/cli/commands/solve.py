"""``procura solve``: a board, a file, standard input or a sample; one problem or a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from procura.cli.options import Brief, configuration_options, puzzle_options, search_options
from procura.cli.places import HERE, allow_code_option, check_place, on_option, runner_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from procura.cli.lines import BoardLines
    from procura.cli.running import Observer, Report
    from procura.cli.settings import Settings
    from procura.reading.puzzles import ChosenPuzzle
    from procura.texts import Task

EPILOG = """\b
Examples:
  procura solve sliding "8 2 5 3 12 15 1 4 10 9 14 0 11 7 13 6" --goal spiral
  procura solve sudoku puzzles.txt --json
  procura solve tetris board.txt --pieces "t i l l" --with astar:quality_bound
  procura solve dots problems.dat --problem C --with dfs --limit depth=20
  procura solve sliding "1 2 3 4 0 5 7 8 6" --with astar:manhattan --tree tree.dot
  procura solve sliding "8 1 3 4 0 2 7 6 5" --svg solution.svg
  procura solve examples/rush_hour.py:RushHour jam.txt --steps

\b
Exit status: 0 an answer was found, 2 bad input, 3 none found (a limit, or
the method gave up), 4 proved to have no solution, 70 internal error,
130 interrupted. A batch exits with the worst: 130, 70, 2, 3, 4, 0.
"""


class Solve(Brief):
    """The command, and the options that most people need."""

    needed = (
        "configuration",
        "limits",
        "samples",
        "as_json",
        "steps",
        "log",
        "goal",
        "size",
        "pieces",
        "boxes",
        "problem",
    )


@click.command("solve", cls=Solve, epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@configuration_options
@search_options
@click.option("--solutions", type=click.IntRange(min=1), metavar="N", help="Count the solutions as well, up to N.")
@click.option(
    "--output",
    type=click.Choice(["grid", "line"]),
    help="Print the solved boards and nothing else, each as a grid or on a line; an empty line for none.",
)
@click.option("--jobs", metavar="N",
              help="Threads that solve the boards of a long file; all: one a core.  "
              "[default: 1; on a cluster: all workers]")  # fmt: skip
@on_option
@allow_code_option
@click.option("--steps", is_flag=True, help="Print the board after each action (not with --json).")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@click.option("--log", metavar="FILE", help="Add a readable record of each run to the end of FILE.")
@click.option("--trace", metavar="FILE", help="Write the events of the search to FILE as JSON lines.")
@click.option("--tree", metavar="FILE.dot", help="Write the search tree to FILE.dot for Graphviz; one problem only.")
@click.option("--tree-nodes", type=click.IntRange(min=1), metavar="N", default=500, show_default=True,
              help="The most nodes of --tree, beside the path of the solution.")  # fmt: skip
@click.option("--svg", metavar="FILE", help="Write the boards of the solution to FILE, one picture; one problem only.")
@click.option("--svg-boards", type=click.IntRange(min=2), metavar="N", default=100, show_default=True,
              help="The most boards of --svg: the first ones and the last.")  # fmt: skip
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
    output: str | None,
    jobs: str | None,
    on: str,
    allow_code: bool,
    steps: bool,
    ascii_only: bool,
    log: str | None,
    trace: str | None,
    tree: str | None,
    tree_nodes: int,
    svg: str | None,
    svg_boards: int,
    **given: str | None,
) -> int:
    """Solve a puzzle, or every puzzle of a file.

    PUZZLE is sliding, sudoku, tetris, dots or your own path/file.py:Class. BOARD is a file if there is one of
    that name, else the board itself; - is standard input. Files of sudoku and sliding can hold one board a line,
    files of tetris (and sliding) boards with blank lines between them, files of dots several problems. Your own
    class needs no BOARD if it can be made without one. Files of sudoku, one board a line, can be of any length.
    """
    from procura.cli.boards import read_tasks
    from procura.cli.files import check_apart
    from procura.cli.harmless import echo
    from procura.cli.lines import Answers, BoardLines, streamed
    from procura.cli.observers import followed, observers
    from procura.cli.reports import JsonReport, TextReport
    from procura.cli.running import Runner
    from procura.cli.settings import read_settings
    from procura.errors import InputError
    from procura.portfolio import read_jobs
    from procura.reading.boards import tasks_of
    from procura.reading.puzzles import choose_puzzle

    check_apart(log=log, trace=trace, tree=tree, svg=svg)
    chosen = choose_puzzle(puzzle)
    own = chosen.read_options(given)
    settings = read_settings(
        chosen, configuration, options=options, heuristic=heuristic, limits=limits, engine=engine, seed=seed, own=own
    )
    if output is not None and (as_json or steps):
        raise InputError(f"--output {output}: expected without {'--json' if as_json else '--steps'}")
    threads = 1 if jobs is None else read_jobs(jobs)
    check_place(on)
    if solutions is not None:
        chosen.check_counting()
    lines = None if board is None or any((samples, tree, svg)) else BoardLines.of(board)
    tasks: Sequence[Task] = ()
    if lines is None:
        tasks = read_tasks(chosen, board, samples, own)
    elif not lines.hold_boards(chosen.cls):
        tasks, lines = tasks_of(chosen, lines.source(), own), None
    if on != HERE:
        if any((solutions, log, trace, tree, svg)) or not (as_json or output):
            told = "expected --json or --output, without --solutions, --log, --trace, --tree and --svg"
            raise InputError(f"--on {on}: {told}")
        return batch_on(
            on, None if jobs in (None, "all", "0") else threads, puzzle, chosen, lines or tasks, settings, given,
            output, allow_code,
            {"configuration": configuration, "options": options, "heuristic": heuristic, "limits": limits,
             "engine": engine, "seed": seed},
        )  # fmt: skip
    if threads > 1 and len(tasks) == 1:
        echo(f"--jobs {threads} is for files of boards; -o jobs={threads} gives one search as many threads", err=True)
    if output is not None:
        report: Report = Answers(output)
    else:
        report = JsonReport(chosen.name) if as_json else TextReport(len(tasks), steps, ascii_only, solutions)
    if lines is not None and not any((solutions, log, trace)):
        status = streamed(chosen, lines, settings, own, report, threads)
        if status is not None:
            return status
    settings = followed(settings, trace, tree, len(tasks))
    pictures = [] if svg is None else [svg_file(svg, svg_boards, len(tasks))]
    with observers(chosen.name, log, trace, tree, tree_nodes) as watching:
        every = tasks if lines is None else lines.tasks(chosen, own)
        return Runner(every, [settings], report, [*pictures, *watching], solutions).run_all()


def batch_on(
    on: str, jobs: int | None, puzzle: str, chosen: ChosenPuzzle, boards: BoardLines | Sequence[Task],
    settings: Settings, given: Mapping[str, str | None], output: str | None, allow_code: bool, words: Mapping[str, Any],
) -> int:  # fmt: skip
    """Solve a file of boards on a cluster; loaded only if it is asked for."""
    from pathlib import Path

    from procura.cli.chunks import Batch, boards_of_lines, boards_of_tasks
    from procura.cli.lines import BoardLines, Rate
    from procura.runners.code import own_code

    path, _, name = puzzle.rpartition(":")
    own = None if chosen.entry is not None else Path(path).absolute()
    setup = {
        "puzzle": puzzle if own is None else f"{own}:{name}", "name": chosen.name, "output": output,
        "own": {name: value for name, value in given.items() if name != "problem"},
        "code": None if own is None else own_code(own), "settings": dict(words),
    }  # fmt: skip
    runner = runner_of(on, jobs, True, allow_code)
    assert runner is not None
    if isinstance(boards, BoardLines):
        return Batch(boards_of_lines(boards), runner, setup, settings, own).solve(Rate(boards))
    return Batch(boards_of_tasks(boards), runner, setup, settings, own).solve(Rate(None))


def svg_file(path: str, most: int, problems: int) -> Observer:
    """What writes the picture of the solution; loaded only if it is asked for."""
    from procura.cli.svg import SvgFile

    return SvgFile(path, most, problems)
