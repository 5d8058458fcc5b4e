"""The public board keeps the rules of the course, and the kernels play as it does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tetris_boards import GAINS, boards, cells_of, pieces_lists

from procura import InputError, Tetris, TetrisBoard
from procura.puzzles.tetris import Board


def place(board: Board, letter: str, rotation: int, column: int) -> int:
    """Drop a piece by the course's formula; the points it gains."""
    cells = cells_of(letter, rotation)
    lowest = {c: min(r for r, other in cells if other == c) for _, c in cells}
    base = max(0, *(board.column_height(column + c) - low for c, low in lowest.items()))
    for r, c in cells:
        board.fill(base + r, column + c)
    if board.is_top_filled():
        return 0
    full = [row for row in range(board.rows) if board.is_row_full(row)]
    for row in reversed(full):
        board.remove_row(row)
    return GAINS[min(len(full), 4)]


@settings(deadline=None)
@given(st.sampled_from([(18, 10), (7, 5)]), pieces_lists, st.data())
def test_kernels_play_as_the_board_does(size: tuple[int, int], letters: list[str], data: Any) -> None:
    rows, columns = size
    board = Board(data.draw(boards(rows, columns)), rows=rows, columns=columns)
    problem = Tetris(board, letters, rows=rows, columns=columns)
    state = problem.initial
    while moves := problem.actions(state):
        move = data.draw(st.sampled_from(moves))
        points = problem.points(state) + place(board, *problem.action_to_json(move))
        state = problem.result(state, move)
        assert Board(state[:rows], rows=rows, columns=columns) == board
        assert problem.points(state) == points
        assert problem.to_text(state) == str(board)
    assert problem.is_goal(state) == (state[rows] == len(letters) and not board.is_top_filled())


def test_a_new_board_is_empty() -> None:
    board = TetrisBoard()
    assert board.to_lists() == [[False] * 10 for _ in range(18)]
    assert not board.is_top_filled() and not any(board.column_height(c) for c in range(10))


def test_holes_do_not_lower_a_column() -> None:
    board = Board()
    board.fill(4, 3)
    assert board.column_height(3) == 5 and board.column_height(2) == 0
    assert board.is_filled(4, 3) and not board.is_filled(3, 3)


@pytest.mark.parametrize(("row", "column"), [(18, 0), (-1, 0), (0, 10), (0, -1)])
def test_filling_outside_changes_nothing(row: int, column: int) -> None:
    board = Board()
    board.fill(row, column)
    assert board == Board() and not board.is_filled(row, column)


def test_row_16_may_be_full_and_the_top_is_not_filled() -> None:
    board = Board([[False] * 10] * 16 + [[True] * 10])
    assert board.is_row_full(16) and not board.is_top_filled()
    board.fill(17, 0)
    assert board.is_top_filled() and not board.is_row_full(17)


def test_rows_above_a_removed_one_come_down_and_cells_keep_their_gaps() -> None:
    board = Board([1, 1023, 4, 0, 8])
    board.remove_row(1)
    assert board == Board([1, 4, 0, 8])
    full_top = Board([0] * 17 + [1023])
    full_top.remove_row(0)
    assert full_top == Board([0] * 16 + [1023])


def test_copies_are_deep_and_equality_is_by_content() -> None:
    board = Board("####..####")
    other = board.copy()
    assert other == board and other is not board
    other.fill(0, 4)
    assert other != board and not board.is_filled(0, 4)
    board.to_lists()[0][4] = True
    assert not board.is_filled(0, 4)
    assert board != "####..####" and Board(rows=5) != Board(rows=6)
    with pytest.raises(TypeError):
        hash(board)


@given(st.data())
def test_boards_come_back_from_lists_and_text(data: Any) -> None:
    board = Board(data.draw(boards(7, 5)), rows=7, columns=5)
    assert Board.from_lists(board.to_lists()) == board
    assert Board(str(board), rows=7, columns=5) == board


def test_arrays_of_truth_values_are_boards() -> None:
    cells = np.array([[True, False, False, True]] * 4)
    board = Board.from_lists(cells)
    assert board.to_lists() == cells.tolist()
    for same in (list(cells), [list(row) for row in cells], cells.astype(int), np.array([9] * 4)):
        assert Tetris(same, "t", rows=4, columns=4).board == [9] * 4
    assert Board.from_lists(list(cells)) == board


def test_bad_places_and_lists_are_named() -> None:
    board = Board(rows=6, columns=4)
    for ask, message in [
        (lambda: board.column_height(4), "column 4: expected 0 to 3"),
        (lambda: board.is_row_full(-1), "row -1: expected 0 to 5"),
        (lambda: board.remove_row(6), "row 6: expected 0 to 5"),
        (lambda: Board.from_lists([[0] * 5] * 4 + [[0] * 4]), r"board\[4\] has 4 cells: expected 5"),
        (lambda: Board.from_lists([]), "expected a list of rows"),
        (lambda: Board.from_lists(3), "expected a list of rows"),
        (lambda: Board(rows=3), "3 rows and 10 columns: expected 4 to 64 rows"),
    ]:
        with pytest.raises(InputError, match=message):
            ask()
    assert repr(board) == "<Board of 6x4 cells, 0 filled>"
