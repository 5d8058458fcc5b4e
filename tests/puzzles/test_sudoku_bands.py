"""``bands``, the specialist of Sudoku: first solutions, the only one, all up to a bound, none; under every limit."""

import threading

import pytest
from sudoku_reference import naive_count

from procura import Limits, Outcome, Sudoku, solve
from procura.puzzles.sudoku.formats import write_line

HARD = "6..79.2.8......3...4.6......5...28.78......3.....7..4.4...2.6.9..1..5..........7."
EMPTY = "." * 81
MANY = 10**15


def compiled(problem, *configuration, **options):
    """Solve without a stand-in that might be done before the kernels are there."""
    return solve(problem, *configuration, engine="compiled", **options)


def final(result):
    return write_line(result.final[: result.problem.key])


def test_it_is_what_auto_means():
    result = compiled(Sudoku(HARD))
    assert (result.algorithm, result.engine, result.outcome, result.optimal) == ("bands", "compiled", "solved", None)
    assert final(result) == "613794258987251364542683791356942817874516932129378546435127689791865423268439175"
    assert (result.length, result.cost, result.solutions) == (58, 58, None)
    assert (result.stats.penetrance, result.stats.branching_factor) == (None, None)


@pytest.mark.parametrize("choice", ["fewest", "first"])
def test_its_actions_are_in_the_order_of_the_rules(choice):
    result = compiled(Sudoku(HARD, choice), "bands")
    dfs = solve(Sudoku(HARD, choice), "dfs", engine="python")
    assert result.actions == dfs.actions


def test_it_proves_that_a_solution_is_the_only_one():
    assert compiled(Sudoku(HARD), solutions=2).solutions == 1


@pytest.mark.parametrize("board", ["1... ..2. .... ....", "1234 3412 .... ....", "12.. .... .... ...."])
def test_it_counts_solutions_up_to_a_bound(board):
    cells = [int(c) for c in board.replace(" ", "").replace(".", "0")]
    count = naive_count(cells, 4)
    assert compiled(Sudoku(board), "bands,solutions=1000").solutions == count
    assert compiled(Sudoku(board), "bands,solutions=3").solutions == min(count, 3)


@pytest.mark.parametrize("board", ["123. .... ...4 ....", "63" + HARD[2:]])
def test_it_tells_that_there_is_no_solution(board):
    result = compiled(Sudoku(board), solutions=2)
    assert (result.outcome, result.solutions, result.path) == (Outcome.NO_SOLUTION, 0, None)


def test_16x16_is_solved_too():
    row = "123456789ABCDEFG"
    board = "".join(row[(4 * (r % 4) + r // 4 + c) % 16] if (r + c) % 3 else "." for r in range(16) for c in range(16))
    result = compiled(Sudoku(board))
    assert (result.algorithm, result.outcome, result.length) == ("bands", "solved", board.count("."))


class TestLimits:
    def test_time_ends_it_with_what_was_seen(self):
        result = compiled(Sudoku(EMPTY), "bands", solutions=MANY, limits=Limits(seconds=0.2))
        assert (result.outcome, result.stopped_by) == (Outcome.SOLVED, "time")
        assert 1 < result.solutions < MANY

    def test_nodes_end_it_at_once(self):
        result = compiled(Sudoku(EMPTY), "bands", limits=Limits(nodes=7))
        assert (result.outcome, result.stopped_by, result.stats.expanded) == (Outcome.NOT_FOUND, "nodes", 7)

    def test_memory_ends_it(self):
        result = compiled(Sudoku(EMPTY), "bands", limits=Limits(memory=1))
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "memory")

    def test_it_can_be_cancelled(self):
        compiled(Sudoku(EMPTY), "bands", limits=Limits(nodes=1))  # compiled by now
        cancel = threading.Event()
        threading.Timer(0.2, cancel.set).start()
        result = compiled(Sudoku(EMPTY), "bands", solutions=MANY, cancel=cancel)
        assert (result.outcome, result.stopped_by) == (Outcome.SOLVED, "cancelled")

    def test_a_depth_limit_is_one_on_cells(self):
        result = compiled(Sudoku(HARD), limits=Limits(depth=57))
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "depth")
        assert compiled(Sudoku(HARD), limits=Limits(depth=58)).outcome is Outcome.SOLVED


def test_a_variant_with_other_rules_is_not_solved_by_it():
    class Loose(Sudoku):
        def start(self):
            return super().start()

    assert solve(Loose("1... ..3. .2.. ...4"), engine="python").algorithm == "dfs"
    assert solve(Loose("1... ..3. .2.. ...4"), engine="python").notes == ()
