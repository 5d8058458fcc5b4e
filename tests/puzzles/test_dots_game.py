"""Dots and Boxes for two: the rules, the values that are known, and the solver against exhaustive search."""

from __future__ import annotations

import pytest
from games import every_dots_move, random_dots_game
from hypothesis import given, settings, strategies as st

from procura import InputError, Limits, analyse, testing
from procura.puzzles.dots import DotsGame

KNOWN = {
    "1x1": -1, "1x2": 0, "1x3": -1, "1x4": 0, "1x5": -1, "2x2": 2, "2x3": -2, "2x4": 2, "3x3": -3,
}  # fmt: skip
"""What the first player ends up ahead by on an empty board."""


@pytest.mark.parametrize("size", KNOWN)
def test_empty_boards_are_worth_what_is_known(size):
    found = analyse(DotsGame(size=size))
    assert found.proved and found.value == KNOWN[size] == max(move.value for move in found.moves)
    assert found.algorithm == "chains" and all(move.proved for move in found.moves)


@pytest.mark.slow
@pytest.mark.parametrize("size, value", [("2x5", -2), ("2x6", 2), ("3x4", 0)])
def test_larger_boards_are_worth_what_is_known(size, value):
    found = analyse(DotsGame(size=size), moves="best")
    assert found.proved and found.value == value


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["1x4", "2x3", "3x3", "2x4", "3x4", "5x5"]), st.integers(1, 11), st.integers(0, 10**6))
def test_every_move_is_worth_what_exhaustive_search_says(size, free, seed):
    game = random_dots_game(size, free, seed)
    found = analyse(game, "chains")
    assert [move.value for move in found.moves] == every_dots_move(game)
    best = analyse(game, "chains", moves="best")
    assert best.value == found.value and best.best[0] in found.best


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(["2x2", "2x3"]), st.integers(1, 8), st.integers(0, 10**6))
def test_the_generic_search_agrees(size, free, seed):
    game = random_dots_game(size, free, seed)
    found = analyse(game, "alphabeta", engine="python")
    assert found.proved and [move.value for move in found.moves] == every_dots_move(game)


def test_values_count_from_the_player_to_move():
    class Later(DotsGame):
        def start(self):
            return [*self.puzzle.arcs, 1, 3]

    game = Later(size="2x2")
    assert analyse(game, "chains").value == 2 - 3
    assert analyse(game, "alphabeta").value == 2 - 3


def test_a_line_that_closes_a_box_is_followed_by_another():
    game = DotsGame("(((1) (1)) ((1) (0)))")
    state = game.result(game.initial, game.action_from_json(["v", 1, 0]))
    assert game.is_over(state) and game.to_move(state) == 0 and game.score(state) == 1


def test_both_engines_agree():
    for algorithm in ("minimax", "alphabeta", "mcts,playouts=40"):
        testing.assert_same_analysis(DotsGame(size="2x2"), algorithm)


def test_what_a_limit_ends_is_no_proof():
    found = analyse(DotsGame(size="4x4"), limits=Limits(nodes=2000))
    assert not found.proved and found.stopped_by == "nodes" and len(found.moves) == 40
    assert analyse(DotsGame(size="3x3"), limits=Limits(nodes=0)).stopped_by == "nodes"


def test_boards_with_too_many_lines_are_not_for_chains():
    game = DotsGame(size="6x6")
    with pytest.raises(InputError, match="84 free lines and 36 open boxes: chains takes at most 62"):
        analyse(game, "chains")
    assert analyse(game, limits=Limits(nodes=50), engine="python").algorithm == "alphabeta"


def test_without_kernels_a_generic_search_stands_in():
    found = analyse(DotsGame(size="1x2"), "chains", engine="python")
    assert found.algorithm == "alphabeta" and found.value == 0
    assert found.notes == ("chains runs compiled only: alphabeta ran instead",)


def test_texts_are_those_of_the_puzzle():
    game = DotsGame.from_text("A 2\n.-. .\n\n. .-.\n")
    assert DotsGame.from_text(game.to_text(game.initial)).initial == game.initial
    assert DotsGame.from_text(game.board_text()).initial == game.initial
    with pytest.raises(InputError, match="expected a board, or the size"):
        DotsGame()
