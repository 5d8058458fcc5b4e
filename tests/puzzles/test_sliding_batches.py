"""Many 3x3 boards at once by ``pdb``: as one by one, whatever else stands among them."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given, settings, strategies as st

from procura import InputError, Outcome, Sliding, Stats, solve, solve_many
from procura.block import Block
from procura.errors import ReplayError
from procura.puzzles.sliding import batches

MEASURED = {"seconds", "compile_seconds", "peak_memory", "started", "ended"}
EASY = (1, 2, 3, 4, 0, 6, 7, 5, 8)
SOLVED = (1, 2, 3, 4, 5, 6, 7, 8, 0)
UNSOLVABLE = (2, 1, 3, 4, 5, 6, 7, 8, 0)


def shown(result):
    """All that a result says but what was measured."""
    stats = {field.name: getattr(result.stats, field.name) for field in fields(Stats) if field.name not in MEASURED}
    names = ("configuration", "engine", "outcome", "stopped_by", "cost", "optimal", "bound", "unproved", "final")
    return [*(getattr(result, name) for name in names), result.actions, result.final_line, stats]


def alone(board, **options):
    """The slow way: a board by itself."""
    return solve(Sliding(board, **options), "pdb", engine="compiled")


def in_text(board):
    return " ".join(map(str, board))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.permutations(range(9)), min_size=1, max_size=6), st.booleans())
def test_a_block_answers_as_single_runs_do(boards, text):
    batch = solve_many(Sliding, [in_text(board) for board in boards] if text else boards, "pdb", engine="compiled")
    expected = [alone(board) for board in boards]
    assert [shown(result) for result in batch] == [shown(result) for result in expected]
    for name in ("outcome", "stopped_by", "cost", "length", "optimal", "bound"):
        assert batch.column(name) == [getattr(result, name) for result in expected], name
    for name in ("expanded", "generated", "depth", "max_frontier", "stored", "solutions"):
        assert batch.column(name) == [getattr(result.stats, name, None) for result in expected], name


def test_boards_of_nine_numbers_that_can_be_solved_are_answered_at_once():
    boards = [EASY, list(SOLVED), in_text(EASY), UNSOLVABLE, in_text(EASY) + "\n", [[1, 2, 3], [4, 0, 6], [7, 5, 8]],
              (True, 2, 3, 4, 0, 6, 7, 5, 8), range(16), 7, "1 2", {"board": EASY}, Sliding(EASY)]  # fmt: skip
    block = batches.solve_boards(boards, lambda: False, partition="auto", jobs=1)
    assert block.answered == [True] * 3 + [False] * 9
    assert block.columns["cost"]()[:3] == [2, 0, 2]


def test_what_it_leaves_is_solved_by_itself():
    larger = Sliding.generate(1, size="3x4", moves=6)
    batch = solve_many(Sliding, [EASY, "1 2", UNSOLVABLE, larger, SOLVED], "pdb", engine="compiled")
    assert batch.outcome == [Outcome.SOLVED, None, Outcome.NO_SOLUTION, Outcome.SOLVED, Outcome.SOLVED]
    assert batch.cost == [2, None, None, alone(larger.board, size="3x4").cost, 0]
    assert isinstance(batch.errors[1], InputError)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_partition_of_other_boards_is_no_error(jobs):
    larger = Sliding.generate(1, size="2x3", moves=6)
    options = {"algorithm": "pdb,partition=3-2", "engine": "compiled", "jobs": jobs}
    batch = solve_many(Sliding, [larger, EASY, larger], **options)
    assert batch.cost == [solve(larger, "pdb", engine="compiled").cost, None, batch.cost[0]]
    assert isinstance(batch.errors[1], InputError)


def test_other_goals_are_not_taken_for_the_usual_one():
    class First(Sliding):
        def __init__(self, board):
            super().__init__(board, "blank-first")

    board = Sliding.generate(5, size="3x3", goal="blank-first", moves=9).board
    expected = alone(board, goal="blank-first").cost
    assert solve_many(Sliding, [board], "pdb", engine="compiled", goal="blank-first").cost == [expected]
    assert solve_many(Sliding, [{"board": board, "goal": "blank-first"}], "pdb", engine="compiled").cost == [expected]
    assert solve_many(First, [board], "pdb", engine="compiled").cost == [expected]


def test_the_rules_refuse_a_wrong_answer(monkeypatch):
    for wrong in ([0], [1, 1, 1], [3]):
        monkeypatch.setattr(batches, "_solved", lambda search, cells, wrong=wrong: wrong)
        with pytest.raises(ReplayError, match="1 2 3 4 0 6 7 5 8"):
            batches.solve_boards([EASY], lambda: False, partition="auto", jobs=1)


def test_a_batch_that_is_ended_answers_nothing_more():
    calls = iter([False, True])
    block = batches.solve_boards([EASY, EASY, EASY], lambda: next(calls, True), partition="auto", jobs=1)
    assert isinstance(block, Block) and block.answered == [True, False, False]
