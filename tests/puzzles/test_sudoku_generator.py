"""Making Sudokus: one solution, and what was asked for."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings, strategies as st
from sudoku_reference import naive_count

from procura import InputError, Sudoku, rng
from procura.puzzles.sudoku import generator
from procura.puzzles.sudoku.explaining import rate
from procura.puzzles.sudoku.formats import units
from procura.puzzles.sudoku.generator import DIFFICULTIES, Request, dug, full_board
from procura.puzzles.sudoku.solver import Solver


def clues_of(problem):
    return len(problem.givens) - problem.givens.count(0)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**40), st.integers(26, 81))
def test_a_generated_board_has_the_clues_asked_for_and_one_solution(seed, clues):
    problem = Sudoku.generate(seed, clues=clues)
    assert clues_of(problem) == clues
    assert problem.count_solutions(2) == 1
    assert Sudoku.generate(seed, clues=clues).givens == problem.givens


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.integers(5, 16))
def test_small_generated_boards_have_one_solution_by_plain_backtracking(seed, clues):
    problem = Sudoku.generate(seed, clues=clues, side=4)
    assert clues_of(problem) == clues
    assert naive_count(list(problem.givens), 4) == 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([(9, 30), (9, 31), (4, 8), (9, None)]))
def test_symmetric_boards_look_the_same_after_half_a_turn(seed, asked):
    side, clues = asked
    problem = Sudoku.generate(seed, clues=clues, side=side, symmetric=True, minimal=clues is None)
    clued = [digit > 0 for digit in problem.givens]
    assert clued == clued[::-1] and sum(clued) == (clues or clues_of(problem))
    assert problem.count_solutions(2) == 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9]), st.booleans())
def test_no_clue_of_a_minimal_board_can_be_spared(seed, side, symmetric):
    givens = Sudoku.generate(seed, side=side, minimal=True, symmetric=symmetric).givens
    last = side * side - 1
    for cell, digit in enumerate(givens):
        if digit:
            dropped = {cell, last - cell} if symmetric else {cell}
            fewer = [0 if one in dropped else held for one, held in enumerate(givens)]
            assert Sudoku(fewer).count_solutions(2) == 2


def test_a_minimal_board_may_be_asked_for_with_its_clues():
    problem = Sudoku.generate(5, minimal=True, clues=25)
    assert clues_of(problem) == 25
    for cell, digit in enumerate(problem.givens):
        if digit:
            assert Sudoku([*problem.givens[:cell], 0, *problem.givens[cell + 1 :]]).count_solutions(2) == 2


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_board_has_the_difficulty_asked_for(difficulty):
    for seed in range(4):
        problem = Sudoku.generate(seed, difficulty=difficulty, symmetric=seed % 2 == 1)
        assert problem.explain().rating == rate(problem.givens) == difficulty
        assert problem.count_solutions(2) == 1


@pytest.mark.parametrize("clues", [30, 31])
def test_symmetric_digging_empties_the_middle_cell_when_the_clues_are_even(clues):
    for seed in range(10):
        solver, source = Solver(9, compiled=False), [rng.stream(seed)]
        cells = dug(source, solver, full_board(source, solver), Request(9, clues, symmetric=True))
        assert cells.count(0) % 2 == (81 - clues) % 2 and (cells[40] == 0) == (clues % 2 == 0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9, 16]))
def test_a_random_full_board_holds_every_digit_once_in_every_unit(seed, side):
    board = full_board([rng.stream(seed)], Solver(side, compiled=False))
    assume(board is not None)
    for _, unit in units(side):
        assert sorted(board[cell] for cell in unit) == list(range(1, side + 1))


def test_other_seeds_give_other_boards():
    assert len({Sudoku.generate(seed).givens for seed in range(20)}) == 20


def test_few_clues_take_many_boards_and_are_reached():
    problem = Sudoku.generate(1, clues=22)
    assert clues_of(problem) == 22
    assert problem.count_solutions(2) == 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9]), st.booleans())
def test_interpreted_and_compiled_dig_the_same_holes(seed, side, symmetric):
    boards = []
    for compiled in (False, True):
        source = [rng.stream(seed)]
        board = full_board(source, Solver(side, compiled=False))
        assume(board is not None)
        boards.append(dug(source, Solver(side, compiled), board, Request(side, None, symmetric)))
    assert boards[0] == boards[1]


def test_the_board_of_a_seed_is_the_same_whether_the_kernels_are_there_or_not(monkeypatch):
    asked = [{"clues": 24}, {"minimal": True}, {"side": 4}]
    with_kernels = [Sudoku.generate(7, **options).givens for options in asked]
    monkeypatch.setattr(generator, "can_compile", lambda: False)
    assert [Sudoku.generate(7, **options).givens for options in asked] == with_kernels


def test_a_board_of_16_can_be_generated():
    problem = Sudoku.generate(3, side=16)
    assert clues_of(problem) == 130
    assert problem.count_solutions(2) == 1


@pytest.mark.slow
def test_a_minimal_board_of_16_has_no_clue_to_spare():
    givens = Sudoku.generate(1, side=16, minimal=True).givens
    for cell, digit in enumerate(givens):
        if digit:
            assert Sudoku([*givens[:cell], 0, *givens[cell + 1 :]]).count_solutions(2) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": 16}, "clues=16: expected 17 to 81 on a board of 9x9"),
        ({"clues": 17}, "clues=17: boards of so few clues exist, but random ones are too rare to be met"),
        ({"clues": 82}, "clues=82: expected 17 to 81 on a board of 9x9"),
        ({"clues": 3, "side": 4}, "clues=3: expected 4 to 16 on a board of 4x4"),
        ({"side": 6}, "side=6: expected 4, 9 or 16"),
        ({"side": 4, "clues": 7, "symmetric": True}, "clues=7: expected an even number"),
        ({"difficulty": "expert"}, "difficulty='expert': expected easy, medium, hard or diabolic"),
    ],
)
def test_boards_that_cannot_be_are_refused(options, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Sudoku.generate(1, **options)


def test_what_is_out_of_reach_is_reported_with_what_was_reached(monkeypatch):
    monkeypatch.setitem(generator.SIZES, 9, generator.Size(30, 17, 20, attempts=2, patience=1000, interpreted=2))
    with pytest.raises(InputError, match=r"^clues=20: 2 boards were tried, and none was so; the fewest .* 2\d$"):
        Sudoku.generate(1, clues=20)
    with pytest.raises(InputError, match=r"^clues=60, difficulty=diabolic: 2 boards were tried"):
        Sudoku.generate(1, clues=60, difficulty="diabolic")


def test_a_board_to_play_has_many_clues_unless_something_else_says_how_hard_it_is():
    assert Sudoku.beatable({}) == {"clues": 36}
    assert Sudoku.beatable({"difficulty": "hard"}) == Sudoku.beatable({"minimal": True}) == {}
    assert Sudoku.beatable({"side": 16}) == {}
