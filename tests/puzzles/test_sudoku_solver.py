"""The solvers of Sudoku, against plain backtracking, against each other and by turning boards about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sudoku_reference import NONE, TURNS, emptied, naive_count, plain_count, small_boards, swapped_pair, turned

from procura import InputError, Sudoku, rng, solve
from procura.puzzles.sudoku import bands, masks, solver
from procura.puzzles.sudoku.counts import (
    ALL,
    BEGUN,
    COUNTERS,
    FOUND,
    GUESSES,
    MORE,
    NEXT,
    REPEATED,
    ROOM,
    UNREADABLE,
    ZERO,
)  # fmt: skip
from procura.puzzles.sudoku.formats import read_board, units, write_line
from procura.puzzles.sudoku.generator import full_board
from procura.puzzles.sudoku.samples import samples
from procura.puzzles.sudoku.solver import Solver, compiled_kernel, count_solutions

ENGINES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def count(givens, most, compiled):
    """The solutions of a board up to ``most``, by one solver."""
    one = Solver({16: 4, 81: 9, 256: 16}[len(givens)], compiled)
    one.begin(givens)
    assert one.run(most, 10**7)
    return one.found


def is_solution(givens, full):
    """Whether a full board keeps the givens and holds every digit once in every unit."""
    side = {16: 4, 81: 9, 256: 16}[len(full)]
    kept = all(digit in (0, held) for digit, held in zip(givens, full, strict=True))
    return kept and all(sorted(full[cell] for cell in unit) == [*range(1, side + 1)] for _, unit in units(side))


def random_boards(number, seed=1):
    """Boards from 15 to 60 clues with none, one and many solutions."""
    source, filler = [rng.stream(seed)], Solver(9, compiled=False)
    boards = []
    while len(boards) < number:
        if len(boards) % 50 == 0:
            full = full_board(source, filler)
        boards.append(emptied(full, source, 15 + rng.below(source, 46)))
    return boards


def solved_block(text, most=2, budget=10**6):
    """What ``solve_block`` makes of boards of 81 bytes each: found, guesses, solutions, and the slices it took."""
    number = len(text) // 81
    board = bands.new_board(number)
    board.counts[ZERO] = ord("0")
    cells = np.frombuffer(text, dtype=np.uint8).copy()
    found, guesses = np.zeros(number, dtype=np.int64), np.zeros(number, dtype=np.int64)
    arguments = (cells, found, guesses, most, budget)
    kernel = compiled_kernel(bands.solve_block, board, *arguments)
    slices = 1
    while kernel(board, *arguments) == MORE:
        slices += 1
    lines = [bytes(board.solutions[81 * i : 81 * i + 81]).decode() for i in range(number)]
    return found.tolist(), guesses.tolist(), lines, slices


@settings(max_examples=60, deadline=None)
@given(small_boards())
def test_counts_are_those_of_plain_backtracking(cells):
    expected = naive_count(cells, 4)
    for compiled in (False, True):
        assert count(cells, 1000, compiled) == expected
        assert count(cells, 2, compiled) == min(expected, 2)


def check_against_the_reference(number, most):
    reference = None
    boards = random_boards(number)
    kinds = set()
    found, _, lines, _ = solved_block("".join(map(write_line, boards)).encode(), most)
    for givens, seen, line in zip(boards, found, lines, strict=True):
        arguments = *(np.array(row, dtype=np.int64) for row in (givens, [0] * 82, [0] * 27)), most
        reference = reference or compiled_kernel(plain_count, *arguments)
        assert seen == reference(*arguments)
        assert seen == 0 or is_solution(givens, [int(character) for character in line])
        kinds.add(min(seen, 2))
    assert kinds == {0, 1, 2}


def test_bands_counts_random_boards_as_plain_backtracking_does():
    check_against_the_reference(1000, most=20)


@pytest.mark.slow
def test_bands_counts_a_hundred_thousand_random_boards_as_plain_backtracking_does():
    check_against_the_reference(100_000, most=2)


def test_masks_and_bands_count_the_same_on_random_boards():
    for givens in random_boards(60, seed=2):
        assert count(givens, 20, compiled=False) == count(givens, 20, compiled=True)


@pytest.mark.parametrize("name", samples)
@ENGINES
def test_every_sample_has_one_solution(name, compiled):
    givens = Sudoku(**samples[name]).givens
    one = Solver(Sudoku(**samples[name]).side, compiled)
    one.begin(givens)
    assert one.run(2, 10_000) and one.found == 1
    assert is_solution(givens, one.solution())


@ENGINES
def test_one_two_and_no_solution_are_told_apart(compiled):
    easy = Solver(9, compiled)
    easy.begin(Sudoku(**samples["easy"]).givens)
    assert easy.run(2, 1000)
    boards = easy.solution(), swapped_pair(easy.solution()), read_board(NONE)
    assert [count(board, 9, compiled) for board in boards] == [1, 2, 0]


@ENGINES
def test_givens_that_contradict_each_other_have_no_solution(compiled):
    for cells in ([1, 1, *[0] * 79], [5, *[0] * 8, 5, *[0] * 71], [*[0] * 60, 7, *[0] * 19, 7]):
        assert count(cells, 2, compiled) == 0


def test_counting_stops_at_the_bound():
    empty = Sudoku("." * 81)
    assert [empty.count_solutions(most) for most in (1, 2, 500)] == [1, 2, 500]
    with pytest.raises(InputError, match="most=0: expected a whole number from 1"):
        empty.count_solutions(0)


def test_a_count_that_takes_too_long_says_so():
    with pytest.raises(InputError, match=r"^board: gave up counting its solutions after 500 guesses and [\d,]+ sol"):
        count_solutions([0] * 81, 10**9, most_guesses=500)


def test_all_solutions_are_listed_each_once():
    for givens, most in (([0] * 16, 1000), (Sudoku(**samples["diabolic"]).givens[:-9] + (0,) * 9, 30)):
        result = solve(Sudoku(givens), "bands", solutions=most)
        found = {state[: len(givens)] for state in result.finals}
        assert len(found) == len(result.finals) == result.solutions == count_solutions(givens, most) > 1
        assert all(is_solution(givens, full) for full in found)
        assert result.final == result.finals[0]


def test_of_very_many_solutions_a_thousand_are_listed():
    result = solve(Sudoku("." * 81), "bands", solutions=1500)
    assert (result.solutions, len(result.finals)) == (1500, 1000)


def test_solutions_that_were_not_asked_for_are_not_listed():
    assert solve(Sudoku("." * 81), "bands").finals == ()
    assert solve(Sudoku(NONE), "bands", solutions=2).finals == ()


def test_without_numba_boards_are_counted_all_the_same(monkeypatch):
    monkeypatch.setattr(solver, "can_compile", lambda: False)
    monkeypatch.setattr(solver, "_kernels", {})
    assert count_solutions([0] * 16, 1000) == 288
    assert count_solutions([0] * 81, 400) == 400  # more guesses than an interpreted search gets where there is Numba
    assert Sudoku.generate(3, clues=40).count_solutions(2) == 1
    assert not solver._kernels


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([4, 16]), st.integers(1, 40), st.integers(0, 2**40))
def test_masks_search_node_for_node_alike_interpreted_and_compiled(side, guesses, seed):
    cells = [0] * (side * side)
    if side == 16:
        cells = list(Sudoku(**samples["large"]).givens)
        for cell in rng.shuffled([seed], range(256))[:100]:
            cells[cell] = 0
    seen = []
    for compiled in (False, True):
        one = Solver(side, compiled, room=3)
        one.begin(cells)
        one.run(3, guesses)
        seen.append((one.found, one.guesses, [one.solution(k) for k in range(one.found)]))
    assert seen[0] == seen[1]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=8), st.sampled_from([(4, False), (9, True)]))
def test_a_count_left_and_gone_on_with_is_the_same_count(stops, how):
    side, compiled = how
    most = 288 if side == 4 else 400
    whole, sliced = Solver(side, compiled), Solver(side, compiled)
    for one in (whole, sliced):
        one.begin([0] * side * side)
    for until in sorted(stops):
        sliced.run(most, until)
        assert sliced.guesses <= until
    assert sliced.run(most, 10**6) and whole.run(most, 10**6)
    assert (sliced.found, sliced.guesses) == (whole.found, whole.guesses) == (most, whole.guesses)


@settings(max_examples=40, deadline=None)
@given(small_boards(), st.sampled_from(TURNS), st.data())
def test_a_board_turned_about_keeps_its_number_of_solutions(cells, how, data):
    assert count_solutions(turned(cells, 4, how, data.draw), 1000) == count_solutions(cells, 1000)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["easy", "medium", "diabolic"]), st.sampled_from(TURNS), st.integers(0, 80), st.data())
def test_a_large_board_turned_about_keeps_its_number_of_solutions(name, how, dropped, data):
    cells = list(Sudoku(**samples[name]).givens)
    cells[dropped] = 0
    for compiled in (False, True):
        assert count(turned(cells, 9, how, data.draw), 40, compiled) == count(cells, 40, compiled)


def test_a_block_of_boards_is_solved_as_each_by_itself_in_slices_or_at_once():
    boards = random_boards(200, seed=3)
    text = "".join(map(write_line, boards)).encode()
    found, guesses, lines, slices = solved_block(text)
    assert slices == 1
    one = Solver(9, compiled=True)
    for givens, seen, taken, line in zip(boards, found, guesses, lines, strict=True):
        one.begin(givens)
        assert one.run(2, 10**6)
        assert (seen, taken) == (one.found, one.guesses)
        assert seen == 0 or line == write_line(one.solution())
    for budget in (1, 7, 100):
        *again, slices = solved_block(text, budget=budget)
        assert again == [found, guesses, lines] and slices > 1


def test_a_block_tells_boards_that_are_none():
    easy = samples["easy"]["board"]
    zeros, bad, twice = easy.replace(".", "0"), easy.replace("8", "x", 1), "11" + "." * 79
    found, guesses, lines, _ = solved_block((easy + bad + twice + NONE + zeros).encode())
    assert found == [1, UNREADABLE, REPEATED, 0, 1]
    assert guesses[1:3] == [0, 0] and lines[0] == lines[4]


def test_the_counters_of_both_solvers_stand_where_they_are_looked_for():
    for board in (bands.new_board(), masks.new_board(4)):
        assert len(board.counts) == COUNTERS
    assert len({FOUND, GUESSES, ROOM, NEXT, BEGUN, ZERO}) == 6 and ALL != MORE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["medium", "diabolic"])
def test_kernels_stay_within_their_arrays(name, monkeypatch):
    monkeypatch.setenv("PROCURA_DEBUG", "1")
    givens = list(Sudoku(**samples[name]).givens)
    givens[0] = 0
    assert count(givens, 50, compiled=True) == count(givens, 50, compiled=False)
    assert count([0] * 81, 300, compiled=True) == 300
