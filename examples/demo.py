"""One puzzle of each kind from the reports, solved and shown: ``make demo``."""

import sys
import threading
from contextlib import contextmanager
from functools import cache

from rush_hour import RushHour

from procura import Dots, Sliding, Sudoku, Tetris, solve
from procura.cli.render import new_console, show, show_statistics, show_text, show_title
from procura.cli.words import outcome
from procura.puzzles.sliding.samples import samples as sliding_samples
from procura.puzzles.sudoku.samples import samples as sudoku_samples

TEST_25 = """
###...####
###...####
###...####
####..####
"""
JAM = """
..BC..
DDBCEF
AA.CEF
GGG.E.
..HIIJ
..HKKJ
"""
EMPTY_4X5 = [[[0] * 5 for _ in range(5)], [[0] * 4 for _ in range(6)]]


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


def run(console, title, problem, configuration, **keywords):
    """Solve and show everything."""
    with patience():
        result = solve(problem, configuration, **keywords)
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
    diabolic = Sudoku(**sudoku_samples["diabolic"])
    run(console, "Tetris: test 25, pieces t i l l", Tetris(TEST_25, "t i l l"), "astar:quality_bound")
    run(console, "Sudoku: the report's diabolic board, depth first", diabolic, "dfs")
    run_briefly(console, "the same board, simulated annealing", diabolic, "annealing", seed=1)
    run(console, "15-puzzle: moodle-10, goal spiral", Sliding(**sliding_samples["moodle-10"]), "idastar:manhattan")
    run(console, "Dots: 10 boxes on an empty board of 4x5", Dots(EMPTY_4X5, boxes=10), "idastar:polyomino")
    run(console, "Rush Hour: a puzzle from outside the package", RushHour(JAM), "astar:blocking")


if __name__ == "__main__":
    main()
