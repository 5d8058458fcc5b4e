"""Sudokus explained: to the same end as the solver, with the right rating, and drawn."""

from __future__ import annotations

import itertools
import json
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st
from sudoku_reference import NONE, swapped_pair

from procura import Outcome, Sudoku
from procura.puzzles.sudoku.candidates import Grid
from procura.puzzles.sudoku.explaining import HARDNESS, RATINGS, explain, hint, rate, rating_of, steps
from procura.puzzles.sudoku.formats import read_board
from procura.puzzles.sudoku.guessing import GUESS
from procura.puzzles.sudoku.samples import samples
from procura.puzzles.sudoku.solver import Solver, searched
from procura.puzzles.sudoku.techniques import TECHNIQUES

NOT_BY_SINGLES = "98.7.....6.....9....5.9..7.4...3..2...85..4.......4..1..69..5......2...3.....1.4."
"""A board on which no candidate is refuted by singles alone."""


def check_explained(givens):
    explanation = explain(givens)
    assert explanation.outcome is Outcome.SOLVED
    assert explanation.final == tuple(searched(givens, 2).solution())
    digits = list(givens)
    for step in explanation.steps:
        assert step.actions or step.details["removed"]
        for row, column, digit in step.actions:
            side = {16: 4, 81: 9, 256: 16}[len(givens)]
            assert digits[row * side + column] == 0
            digits[row * side + column] = digit
    assert tuple(digits) == explanation.final
    return explanation


@pytest.mark.parametrize("name", samples)
def test_every_sample_is_explained_to_its_solution(name):
    check_explained(Sudoku(**samples[name]).givens)


def test_the_samples_of_the_report_are_rated_by_what_they_need():
    ratings = {name: Sudoku(**samples[name]).explain().rating for name in ("easy", "medium", "diabolic")}
    assert ratings == {"easy": "easy", "medium": "easy", "diabolic": "medium"}
    assert Sudoku(**samples["diabolic"]).explain().hardest == "hidden pair"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([4, 9]), st.booleans())
def test_an_explained_board_ends_where_the_solver_does(seed, side, minimal):
    givens = Sudoku.generate(seed, side=side, minimal=minimal).givens
    assert check_explained(givens).rating == rate(givens)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(4))
def test_a_thousand_boards_of_every_rating_end_where_the_solver_does(share):
    """A quarter of them: minimal boards as they come, until there are enough of the rarest rating."""
    Solver(9, compiled=True).prepare()
    wanted = dict.fromkeys(RATINGS, 250)
    for seed in itertools.count(share, 4):
        givens = Sudoku.generate(seed, minimal=True).givens
        rating = rate(givens)
        if wanted[rating]:
            assert check_explained(givens).rating == rating
            wanted[rating] -= 1
        if not any(wanted.values()):
            break


def test_a_board_of_16_is_explained():
    assert check_explained(Sudoku.generate(1, side=16).givens).rating in RATINGS


def test_every_technique_has_a_rating_and_a_place_in_the_order():
    rated = [technique for techniques in RATINGS.values() for technique in techniques]
    assert sorted(rated) == sorted([*TECHNIQUES, GUESS]) == sorted(HARDNESS)
    assert [rating_of([name]) for name in ("naked single", "naked pair", "X-wing", GUESS)] == list(RATINGS)
    ranks = [max(HARDNESS[name] for name in techniques) for techniques in RATINGS.values()]
    assert ranks == sorted(ranks)


def test_a_digit_that_only_a_search_proves_says_so():
    explanation = check_explained(read_board(NOT_BY_SINGLES))
    assert explanation.rating == "diabolic"
    assert any("a search of" in step.reason for step in explanation.steps)
    assert any(step.reason.startswith("suppose ") for step in explanation.steps)


def test_a_board_without_a_solution_gets_no_steps():
    explanation = explain(read_board(NONE))
    assert explanation.outcome is Outcome.NO_SOLUTION and explanation.steps == () and explanation.rating is None
    assert explanation.note == "the board has no solution"


def test_a_board_with_two_solutions_is_explained_as_far_as_they_agree():
    full = searched(Sudoku(**samples["easy"]).givens, 2).solution()
    two = swapped_pair(full)
    emptier = [0 if cell < 9 and digit else digit for cell, digit in enumerate(two)]
    explanation = explain(emptier)
    assert explanation.outcome is Outcome.NOT_FOUND and "more than one solution" in explanation.note
    assert explanation.rating is None
    assert all(digit in (0, full[cell]) or two[cell] == 0 for cell, digit in enumerate(explanation.final))


def test_steps_leave_the_grid_they_begin_with():
    grid = Grid(Sudoku(**samples["easy"]).givens)
    before = list(grid.digits), list(grid.candidates)
    assert len(list(steps(grid))) > 0 and (grid.digits, grid.candidates) == before


def test_the_record_of_an_explanation_is_json():
    record = Sudoku(**samples["diabolic"]).explain().record()
    assert json.loads(json.dumps(record)) == record
    assert record["techniques"] == {"hidden single": 58, "locked candidates": 1, "hidden pair": 1}
    pair = next(step for step in record["steps"] if step["technique"] == "hidden pair")
    assert pair["actions"] == [] and pair["marked"] == [[[5, 3], [5, 5]]]
    assert pair["removed"] == [[5, 3, 5], [5, 3, 9], [5, 5, 6], [5, 5, 9]]


def test_a_hint_has_the_reason_of_a_person():
    givens = Sudoku(**samples["diabolic"]).givens
    (cell, digit), why = hint(givens)
    assert (cell, digit, why) == (12, 2, "hidden single: in block 2 only r2c4 can hold 2")
    assert hint(givens, 17) == ((17, 4), "hidden single: in block 3 only r2c9 can hold 4")
    assert hint(givens, 1) == hint(givens)  # no look at its units tells its digit


def test_a_hint_says_what_has_to_be_struck_out_before():
    grid = Grid(Sudoku(**samples["diabolic"]).givens)
    while (step := next(steps(grid)).step).technique == "hidden single":
        grid.apply(step)
    (cell, digit), why = hint(grid.digits)
    assert (cell, digit) == (39, 5)
    assert why.startswith("locked candidates: ") and "; then hidden pair: " in why and "; then hidden single: " in why


@pytest.mark.parametrize("board", ["diabolic", "large"])
def test_the_picture_of_a_step_marks_what_it_speaks_of(board):
    explanation = Sudoku(**samples[board]).explain()
    picked = [step for step in explanation.steps if step.technique == explanation.hardest]
    for step in [explanation.steps[0], picked[0]]:
        svg = step.picture()
        ElementTree.fromstring(svg)
        assert step.reason in svg
        assert svg.count("line-through") == len(step.details["removed"])
        assert svg.count('fill="#fdeab2"') == len(step.details["marked"][0])
        assert svg.count('fill="#1d7a3e"') == len(step.actions)
