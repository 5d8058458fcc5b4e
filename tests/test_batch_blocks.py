"""solve_many() by algorithms that solve many boards at once: columns as from single runs, checked, and lazy as ever."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from puzzles.test_sudoku_solver import random_boards
from spaces import Counter
from test_specialists import LEAP

from procura import InputError, KernelError, Limits, Outcome, Sudoku, solve, solve_many
from procura.block import Block
from procura.errors import ReplayError
from procura.portions import PORTION, BoardSolver
from procura.puzzles.sudoku import batches
from procura.puzzles.sudoku.formats import write_line
from procura.puzzles.sudoku.samples import samples

EASY = samples["easy"]["board"]
NONE = "12345678." + "." * 8 + "9" + "." * 63
COLUMNS = ("outcome", "stopped_by", "cost", "length", "optimal", "bound", "solutions", "expanded", "generated")


def leaps(boards, cancelled, *, wrong, last):
    """A block of the even targets; odd ones, and what is no number, are left to be solved by themselves."""
    even = [isinstance(board, int) and board % 2 == 0 for board in boards]
    cost = [board // 2 if fits else 0 for board, fits in zip(boards, even, strict=True)]
    return Block(
        answered=even,
        solved=even,
        columns={"cost": lambda: cost, "expanded": lambda: cost, "generated": lambda: cost},
        path=lambda at, problem: [2] * cost[at],
        final=lambda at: (boards[at],),
        lines=lambda: [str((2 * steps,)) for steps in cost],
    )


class Leaps(Counter):
    auto = "leap"
    specialists = (replace(LEAP, many=leaps),)


def asked(monkeypatch):
    """The sizes of the portions that are solved at once."""
    sizes = []
    portion = BoardSolver.portion
    monkeypatch.setattr(
        BoardSolver, "portion", lambda self, boards, end: (sizes.append(len(boards)), portion(self, boards, end))[1]
    )
    return sizes


class TestAnyPuzzle:
    def test_columns_are_those_of_single_runs(self):
        boards = [4, 5, 7, 8, 10, 3]
        batch, alone = solve_many(Leaps, boards), [solve(Leaps(board), "leap") for board in boards]
        for name in ("outcome", "cost", "length", "expanded", "generated"):
            expected = [getattr(result.stats if "ed" in name else result, name) for result in alone]
            assert batch.column(name) == expected, name
        assert [result.actions for result in batch] == [result.actions for result in alone]
        assert batch.lines() == [result.final_line for result in alone]

    def test_what_it_leaves_is_solved_by_itself_and_errors_are_told(self):
        batch = solve_many(Leaps, [4, {"goal": 3}, 6])
        assert batch.cost == [2, None, 3]
        assert list(batch.errors) == [1]
        with pytest.raises(InputError, match="Leaps"):
            batch[1]

    def test_limits_and_the_python_engine_are_for_single_runs(self, monkeypatch):
        sizes = asked(monkeypatch)
        assert solve_many(Leaps, [4, 6], limits=Limits(nodes=100)).cost == [2, 3]
        assert solve_many(Leaps, [4, 6], engine="python").cost == [2, 3]
        assert set(sizes) == {1}

    def test_where_kernels_cannot_be_had_boards_are_solved_one_by_one(self):
        def broken(boards, cancelled, **options):
            raise KernelError("no kernels today")

        class Broken(Leaps):
            specialists = (replace(LEAP, many=broken),)

        assert solve_many(Broken, [4, 6, 8]).cost == [2, 3, 4]


class TestLaziness:
    def test_no_board_of_a_generator_is_read_before_it_is_asked_for(self):
        read = []
        batch = solve_many(Leaps, (read.append(board) or board for board in range(2, 40, 2)))
        rows = iter(batch)
        for number in range(1, 6):
            next(rows)
            assert len(read) == number
        assert batch[9].cost == 10 and len(read) == 10
        assert len(batch.cost) == 19

    def test_a_list_is_solved_in_portions_that_grow(self, monkeypatch):
        sizes = asked(monkeypatch)
        for _ in solve_many(Leaps, [4] * 100):
            pass
        assert sizes == [1, 1, 2, 4, 8, 16, 32, 36]

    def test_columns_take_all_at_once(self, monkeypatch):
        sizes = asked(monkeypatch)
        assert set(solve_many(Leaps, [4] * (PORTION + 5)).cost) == {2}
        assert sizes == [PORTION, 5]

    def test_what_a_generator_raises_comes_after_the_boards_before_it(self):
        def boards():
            yield from (4, 6)
            raise KeyError("oh")

        for jobs in (1, 2):
            batch = solve_many(Leaps, boards(), jobs=jobs)
            with pytest.raises(KeyError, match="oh"):
                batch.column("cost")
            assert (batch[0].cost, batch[1].cost) == (2, 3)


class TestSudoku:
    @pytest.mark.parametrize("jobs", [1, 2])
    def test_columns_are_those_of_single_runs(self, jobs, monkeypatch):
        monkeypatch.setattr("procura.batch.PORTION", 16)
        boards = [write_line(board) for board in random_boards(60, seed=4)]
        boards[7:7] = [EASY.replace(".", "0"), "x" * 81, EASY[:-1], NONE, f" {EASY}", "1234341221434...", EASY]
        batch = solve_many("sudoku", boards, solutions=3, jobs=jobs, engine="compiled")
        alone = list(solve_many("sudoku", boards, solutions=3, limits=Limits(seconds=60), engine="compiled"))
        for name in COLUMNS:
            got = [None if isinstance(one, InputError) else _field(one, name) for one in alone]
            assert batch.column(name) == got, name
        assert list(batch.errors) == [8, 9]
        assert {None, Outcome.SOLVED, Outcome.NO_SOLUTION} == set(batch.outcome)
        for row, one, line in zip(batch, alone, batch.lines(), strict=True):
            assert str(row) == str(one) if isinstance(one, InputError) else row.actions == one.actions
            assert line == (one.final_line if not isinstance(one, InputError) and one.solved else None)

    def test_a_result_says_what_ran(self):
        result = solve_many("sudoku", [EASY] * 3, solutions=2, engine="compiled")[1]
        assert (result.algorithm, result.engine, result.solutions) == ("bands", "compiled", 1)
        assert result.problem.givens == Sudoku(EASY).givens and result.stats.started > 0

    def test_options_of_the_puzzle_hold(self):
        first = solve_many("sudoku", [EASY] * 2, choice="first", engine="compiled")[1]
        assert first.actions == solve(Sudoku(EASY, "first"), "dfs", engine="python").actions

    @pytest.mark.parametrize(("cell", "digit"), [(0, "2"), (1, "1"), (80, "x")])
    def test_a_wrong_answer_is_refused(self, cell, digit, monkeypatch):
        compiled = batches.compiled_kernel

        def spoilt(kernel, *arguments):
            made = compiled(kernel, *arguments)
            if kernel.__name__ != "solve_block":
                return made

            def call(board, *rest):
                status = made(board, *rest)
                board.solutions[81 + cell] = ord(digit)
                return status

            return call

        monkeypatch.setattr(batches, "compiled_kernel", spoilt)
        with pytest.raises(ReplayError, match="the rules refuse the solution that was found of 1"):
            solve_many("sudoku", [EASY] * 3, engine="compiled").column("outcome")

    @pytest.mark.parametrize("boards", [[EASY], [EASY] * 2, [EASY, EASY[1:]], [EASY[1:]]])
    def test_kernels_get_arrays_of_one_type_however_many_boards_there_are(self, boards):
        text, _ = batches._read(boards)
        assert text.flags.writeable and text.flags.c_contiguous and len(text) == 81 * len(boards)

    def test_two_digits_that_change_places_are_refused(self, monkeypatch):
        """The givens stay as they are, and every digit stands nine times."""
        solutions = np.frombuffer(solve(Sudoku(EASY)).final_line.encode(), dtype=np.uint8).copy()
        text = np.frombuffer(EASY.encode(), dtype=np.uint8).copy()
        found = np.ones(1, dtype=np.int64)
        batches._Rules(text, solutions, found)()
        free = [cell for cell in range(81) if EASY[cell] == "."]
        other = next(cell for cell in free if solutions[cell] != solutions[free[0]])
        solutions[[free[0], other]] = solutions[[other, free[0]]]
        with pytest.raises(ReplayError):
            batches._Rules(text, solutions, found)()

    def test_it_can_be_cancelled(self):
        cancel = threading.Event()
        batch = solve_many("sudoku", [EASY] * 5, cancel=cancel, engine="compiled")
        assert batch[0].solved
        cancel.set()
        assert batch.outcome == [Outcome.SOLVED] + [Outcome.NOT_FOUND] * 4
        assert batch.stopped_by == [None] + ["cancelled"] * 4


def _field(result, name):
    return getattr(result.stats if name in ("expanded", "generated") else result, name)


@pytest.mark.parametrize("name", ["finals", "actions"])
def test_what_a_block_does_not_have_in_columns_comes_from_the_results(name):
    batch = solve_many("sudoku", ["1234 3412 2143 43..", "." * 16], solutions=3)
    assert batch.column(name) == [getattr(result, name) for result in batch]
    assert [len(finals) for finals in batch.column("finals")] == [1, 3]
