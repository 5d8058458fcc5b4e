"""The table of all positions of small boards for two: against exhaustive search, against ``chains``, and in play."""

from __future__ import annotations

import random

import pytest
from games import every_dots_move, random_dots_game
from hypothesis import given, settings, strategies as st

from procura import Dots, analyse
from procura.puzzles.dots.players import Computer
from procura.puzzles.dots.positions import best_line, has_table, masks, table_of, worth


def by_table(game):
    """The value of each move for who makes it, as the table of the board has it."""
    values = table_of(game.rows, game.columns).open()
    position = sum(1 << line for line in range(game.lines) if game.initial[line])
    boxes = masks(game.puzzle)
    return [worth(values, boxes, game.lines, position, line) for line in game.actions(game.initial)]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["1x1", "1x3", "2x1", "2x2"]), st.integers(1, 11), st.integers(0, 10**6))
def test_entries_are_what_exhaustive_search_says(size, free, seed):
    rows, columns = map(int, size.split("x"))
    game = random_dots_game(size, min(free, 2 * rows * columns + rows + columns), seed)
    assert by_table(game) == every_dots_move(game)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 17), st.integers(0, 10**6))
def test_chains_finds_every_move_of_2x3_worth_what_the_table_says(free, seed):
    game = random_dots_game("2x3", free, seed)
    assert [move.value for move in analyse(game, "chains").moves] == by_table(game)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(1, 24), st.integers(0, 10**6))
def test_chains_finds_every_move_of_3x3_worth_what_the_table_says(free, seed):
    game = random_dots_game("3x3", free, seed)
    assert [move.value for move in analyse(game, "chains").moves] == by_table(game)


def test_a_table_is_built_once_and_kept():
    table = table_of(2, 2)
    assert table.open()[0] == 2 and len(table) == 1 << 12
    assert table.built()


@pytest.mark.slow
def test_a_table_is_the_same_compiled():
    import numpy as np

    from procura.compiled.engine import compile_for
    from procura.control import Control
    from procura.puzzles.dots.positions import fill

    game = random_dots_game("2x2", 12, 0)
    values, boxes = np.zeros(1 << 12, dtype=np.int8), np.array(masks(game.puzzle), dtype=np.int64)
    compile_for(Control(), fill, {}, (values, boxes, 12, 0, 0))(values, boxes, 12, (1 << 12) - 2, 0)
    assert values.tolist() == list(table_of(2, 2).open())


def test_perfect_reads_the_table_and_needs_no_search():
    game = random_dots_game("2x2", 9, 3)
    computer = Computer(game.puzzle, "perfect")
    choice = computer.choice(game.initial[: game.lines])
    assert choice.value == max(every_dots_move(game)) and computer._solver is None
    assert every_dots_move(game)[list(game.actions(game.initial)).index(choice.line)] == choice.value


def test_larger_boards_have_no_table():
    sizes = {
        (rows, columns): rows * (columns + 1) + columns * (rows + 1) for rows in (1, 2, 3) for columns in (3, 4, 7, 8)
    }
    for (rows, columns), lines in sizes.items():
        board = Dots([[[0] * columns] * (rows + 1), [[0] * rows] * (columns + 1)], 0)
        assert len(board.arcs) == lines and has_table(board) == (lines <= 24)


def test_of_equal_lines_the_likeliest_is_drawn():
    game, lines = random_dots_game("1x2", 7, 0), list(range(7))
    values = table_of(1, 2).open()
    random.Random(0).shuffle(lines)
    line, value = best_line(game.puzzle, values, [0] * 7, lines)
    worths = dict(zip(game.actions(game.initial), by_table(game), strict=True))
    assert value == max(worths.values()) and line == next(line for line in lines if worths[line] == value)
