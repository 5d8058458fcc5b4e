"""The games in examples/: their values, their rules, and how they are called from the command line."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor

import pytest
from connect_four import ConnectFour
from games import worths
from hypothesis import given, settings, strategies as st
from nim import Nim
from slowly import slow
from tic_tac_toe import TicTacToe

from procura import InputError, Limits, analyse, testing


def test_tic_tac_toe_is_a_draw_whatever_is_played_first():
    found = analyse(TicTacToe())
    assert found.proved and [move.value for move in found.moves] == [0] * 9


def test_tic_tac_toe_sees_what_loses():
    found = analyse(TicTacToe("X.. ... ..."))
    assert [move.action for move in found.moves if move.value == 0] == [4]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_nim_goes_by_its_nimber(heaps):
    found = analyse(Nim(heaps), engine="python")
    assert found.proved and found.value == (1 if reduce(xor, heaps) else -1)


@pytest.mark.parametrize(
    "played, best",
    [
        ("414243", ["4"]),  # four above one another
        ("1122334", None),  # already won
        ("443355", None),  # an open three: two ways to win
        ("44335", ["2", "6"]),  # one end of it must be taken, and neither helps
    ],
)
def test_connect_four_finds_forced_wins(played, best):
    game = ConnectFour(played)
    found = analyse(game, moves="best", limits=Limits(depth=6), engine="python")
    if game.is_over(game.initial):
        assert found.value == -1 and found.moves == ()
    else:
        assert found.proved and abs(found.value) == 1
        assert best is None or len(best) > 1 or [str(move) for move in found.best] == best


def test_connect_four_near_its_end_is_worth_what_every_line_of_play_says():
    chance = random.Random(3)
    for _ in range(5):
        game = ConnectFour()
        state, played = game.initial, ""
        while state.count(0) > 8 and not game.is_over(state):
            column = chance.choice(game.actions(state))
            state, played = game.result(state, column), played + str(column + 1)
        game = ConnectFour(played)
        if not game.is_over(game.initial):
            found = analyse(game, engine="python")
            assert (found.value, [move.value for move in found.moves]) == worths(game)


@pytest.mark.parametrize("game", [TicTacToe(), Nim(), *slow(ConnectFour("44"))], ids=lambda game: game.name)
def test_the_games_keep_what_they_promise(game):
    assert testing.check(game, walks=5).states > 10


def test_positions_that_cannot_be_are_refused():
    for cls, text in ((TicTacToe, "XX"), (TicTacToe, "OO......."), (Nim, "3 x"), (ConnectFour, "48")):
        with pytest.raises(InputError):
            cls.from_text(text)
    with pytest.raises(InputError, match="move 7, column 1: it is full"):
        ConnectFour("1111111").initial  # noqa: B018
