"""One puzzle of each of the five reports, and one from outside, shown and solved: ``make demo``."""

from rush_hour import RushHour

from procura import catalog, solve
from procura.cli.progress import watched
from procura.cli.render import new_console, show_answer, show_problem, show_statistics, show_text, show_title
from procura.words import outcome

JAM = """
..BC..
DDBCEF
AA.CEF
GGG.E.
..HIIJ
..HKKJ
"""

NEXT = """\
Try next, after ". .venv/bin/activate":

  procura                                              a menu that asks for everything
  procura solve sliding "8 1 3 4 0 2 7 6 5" --steps    a board of your own, every move
  procura watch sliding --sample moodle-4 --with astar:manhattan
  procura compare sliding --sample moodle-4 --with bfs --with astar:manhattan --with idastar:manhattan
  procura play sudoku                                  solve it by hand, with hints
  procura list puzzles                                 and procura list algorithms

README.md goes on from here; docs/your-own-puzzle.md makes a puzzle of your own.\
"""


def sample(puzzle, name):
    """A problem that ships with a puzzle."""
    entry = catalog.PUZZLES[puzzle]
    return entry.load()(**entry.samples()[name])


def solved(problem, configuration, **keywords):
    """The result; while it takes long, how far it is."""
    with watched(None) as progress:
        return solve(problem, configuration, on_event=progress, events=["progress"], **keywords)


def run(console, title, problem, configuration):
    """Show the board, solve it, and show everything."""
    show_problem(console, problem, f"{title}, by {configuration}")
    show_answer(console, solved(problem, configuration))
    show_text(console, "")


def run_briefly(console, title, problem, configuration, **keywords):
    """Solve and show how it went, but no boards."""
    show_title(console, f"{title}, by {configuration}")
    result = solved(problem, configuration, **keywords)
    show_text(console, outcome(result))
    show_statistics(console, result)
    show_text(console, "")


def main():
    console = new_console()
    run(console, "15-puzzle: moodle-10, goal spiral", sample("sliding", "moodle-10"), "idastar:linear_conflict")
    diabolic = sample("sudoku", "diabolic")
    run(console, "Sudoku: the report's diabolic board", diabolic, "dfs")
    run_briefly(console, "Sudoku: the same board", diabolic, "annealing", seed=1)
    pieces = sample("tetris", "test-25")
    run(console, "Tetris: test 25, pieces t i l l, with a proof", pieces, "astar:quality_bound")
    run_briefly(console, "Tetris: the same board, as in the first report", pieces, "report1_best")
    run_briefly(console, "Tetris: the same board, as in the second report", pieces, "report2_best")
    run(console, "Dots: 10 boxes on an empty board of 4x5", sample("dots", "empty-4x5"), "idastar:polyomino")
    run(console, "Rush Hour: a puzzle from outside the package", RushHour(JAM), "astar:blocking")
    show_text(console, NEXT)


if __name__ == "__main__":
    main()
