"""One puzzle of each of the five reports, and one from outside, solved and shown: ``make demo``."""

import sys
import threading
from contextlib import contextmanager
from functools import cache

from rush_hour import RushHour

from procura import catalog, solve
from procura.cli.render import new_console, show, show_statistics, show_text, show_title
from procura.cli.words import outcome

JAM = """
..BC..
DDBCEF
AA.CEF
GGG.E.
..HIIJ
..HKKJ
"""


@cache
def say_compiling():
    """Say why it takes long, once: the first run on a machine compiles the searches."""
    print("compiling kernels: only the first run takes this long, they are kept for the next", file=sys.stderr)


@contextmanager
def patience():
    """Say something if it takes more than a second."""
    timer = threading.Timer(1.0, say_compiling)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def sample(puzzle, name):
    """A problem that ships with a puzzle."""
    entry = catalog.PUZZLES[puzzle]
    return entry.load()(**entry.samples()[name])


def run(console, title, problem, configuration):
    """Solve and show everything."""
    with patience():
        result = solve(problem, configuration)
    show(console, result, title=title)
    show_text(console, "")


def run_briefly(console, title, problem, configuration, **keywords):
    """Solve and show how it went, but no boards."""
    with patience():
        result = solve(problem, configuration, **keywords)
    show_title(console, title)
    show_text(console, outcome(result))
    show_statistics(console, result)
    show_text(console, "")


def main():
    console = new_console()
    pieces = sample("tetris", "test-25")
    run_briefly(console, "Tetris, first report: its search on test 25, pieces t i l l", pieces, "report1_best")
    run_briefly(console, "Tetris, second report: its search on the same", pieces, "report2_best")
    run(console, "Tetris: the same, with a proof", pieces, "astar:quality_bound")
    diabolic = sample("sudoku", "diabolic")
    run(console, "Sudoku: the report's diabolic board, depth first", diabolic, "dfs")
    run_briefly(console, "the same board, simulated annealing", diabolic, "annealing", seed=1)
    run(console, "15-puzzle: moodle-10, goal spiral", sample("sliding", "moodle-10"), "idastar:linear_conflict")
    run(console, "Dots: 10 boxes on an empty board of 4x5", sample("dots", "empty-4x5"), "idastar:polyomino")
    run(console, "Rush Hour: a puzzle from outside the package", RushHour(JAM), "astar:blocking")


if __name__ == "__main__":
    main()
