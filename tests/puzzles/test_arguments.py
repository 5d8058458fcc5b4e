"""Arguments of the wrong kind are told in one sentence, whichever puzzle they are for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from procura import Dots, InputError, Sliding, Sudoku, Tetris, catalog
from procura.puzzles.arguments import read_size, whole

PUZZLES = [Sliding, Sudoku, Tetris, Dots]


@pytest.mark.parametrize("seed", ["a", None, 1.5, True, [1]])
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_seed_is_a_whole_number(puzzle: Any, seed: Any) -> None:
    with pytest.raises(InputError, match=r"^seed=.*: expected a whole number$"):
        puzzle.generate(seed)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_numbers_of_numpy_are_numbers(puzzle: Any) -> None:
    assert puzzle.generate(np.int64(7)).initial == puzzle.generate(7).initial


@pytest.mark.parametrize("options", [{"clues": "24"}, {"clues": 24.5}, {"side": "9"}, {"side": [9]}])
def test_sudoku_counts_clues_and_cells_in_whole_numbers(options: Any) -> None:
    with pytest.raises(InputError, match=r"expected a whole number$"):
        Sudoku.generate(1, **options)


@pytest.mark.parametrize("most", ["5", 2.5, None, 0])
def test_solutions_are_counted_up_to_a_whole_number(most: Any) -> None:
    with pytest.raises(InputError, match=r"^most=.*: expected a whole number from 1$"):
        Sudoku("." * 16).count_solutions(most)


@pytest.mark.parametrize("moves", ["3", 2.0, -1, 10**7])
def test_random_moves_are_a_whole_number_in_bounds(moves: Any) -> None:
    with pytest.raises(InputError, match=r"^moves=.*: expected a whole number from 0 to 1000000$"):
        Sliding.generate(1, moves=moves)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_an_option_that_a_board_does_not_have_is_named(puzzle: Any) -> None:
    problem = puzzle.generate(1)
    with pytest.raises(InputError, match="a board that is there takes no option 'foo': expected one of "):
        problem.with_options(foo=1)
    assert problem.with_options().initial == problem.initial


@pytest.mark.parametrize("value", [Fraction(5, 2), Decimal("2.5"), np.float32(2.5), 2.5, "2.5", "25e-1"])
def test_a_part_of_a_number_is_not_dropped_where_a_whole_one_is_expected(value: Any) -> None:
    for option in (option for entry in catalog.ALGORITHMS.values() for option in entry.options):
        if option.kind == "int":
            with pytest.raises(InputError, match="expected a whole number"):
                option.read(value)
            assert option.read(np.int16(20)) == option.read(Decimal(20)) == option.read("2e1") == 20


def test_sizes_are_text_or_pairs() -> None:
    assert read_size("3x4") == read_size(" 3 X 4 ") == read_size((3, 4)) == read_size(np.array([3, 4])) == (3, 4)
    for size in ("3", "3x4x5", "\N{SUPERSCRIPT TWO}x4", (3,), (3, 4.0), 7, None):
        with pytest.raises(InputError, match="expected rows and columns, such as 3x4"):
            read_size(size)


def test_bounds_belong_to_the_range() -> None:
    assert [whole("n", n, 2, 4) for n in (2, 3, 4)] == [2, 3, 4]
    for n in (1, 5):
        with pytest.raises(InputError, match=f"n={n}: expected a whole number from 2 to 4"):
            whole("n", n, 2, 4)
