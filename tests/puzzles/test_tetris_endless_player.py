"""The compiled player of endless Tetris makes the placements that a slow game on lists makes, for the same values."""

from __future__ import annotations

from functools import cache
from itertools import islice

import endless_reference as slow
import numpy as np
import pytest
import slowly
from hypothesis import given, settings, strategies as st

from procura.puzzles.tetris.endless import layout
from procura.puzzles.tetris.endless.controllers import CONTROLLERS, Controller
from procura.puzzles.tetris.endless.falling import Game, watched
from procura.puzzles.tetris.endless.features import FEATURES
from procura.puzzles.tetris.endless.table import Player, Table, compiled
from procura.puzzles.tetris.pieces import LETTERS
from procura.rng import stream

ALL = (1 << len(FEATURES)) - 1


@st.composite
def boards(draw):
    """Rows from the bottom, none full: dense below, with rubble, overhangs and wells."""
    rows = draw(st.sampled_from([6, 10, 10, 13, 20]))
    board = slow.empty_board(rows)
    for r in range(draw(st.integers(0, rows))):
        filled = draw(st.integers(0, 1023) | st.sampled_from([1022, 1021, 991, 511, 1008, 63, 0]))
        if filled != 1023:
            board[r] = [bool(filled >> c & 1) for c in range(10)]
    return board


weight_rows = st.lists(st.integers(-9, 9), min_size=len(FEATURES), max_size=len(FEATURES)) | st.integers(
    0, len(FEATURES) - 1
).flatmap(lambda place: st.sampled_from([[sign * (i == place) for i in range(len(FEATURES))] for sign in (1, -1)]))


def doubled(weights):
    """The weights as the player takes them: the landing height counts in halves."""
    return np.array([w if i == 0 else 2 * w for i, w in enumerate(weights)], dtype=np.int64)


@cache
def table(rows):
    return Table(rows)


def step(held, weights, used, start=0):
    """Make one placement; whether there was one."""
    held.memory[layout.GAME] = 0
    counted, starts = np.zeros(1, dtype=np.int64), np.array([start], dtype=np.uint64)
    kernel = compiled("play", used)
    kernel(held.memory, held.forms, weights, held.rng, held.beam, starts, counted, counted, counted, 1)
    return held.memory[layout.GAME] == 0


def columns_of(board):
    return [sum(row[c] << r for r, row in enumerate(board)) for c in range(10)]


def masks_of(board):
    return [sum(cell << c for c, cell in enumerate(row)) for row in board]


def assert_holds(held, board):
    """The memory holds this board, in both of its forms."""
    first = layout.BOARD + layout.EDGE
    assert list(held.memory[first : first + 10]) == columns_of(board)
    masks = [1023] * 4 + masks_of(board) + [0] * 8
    windows = [sum(masks[r + i] << 16 * i for i in range(4)) for r in range(len(board) + 4)]
    assert list(held.memory[layout.FLOOR : layout.FLOOR + len(windows)]) == windows
    assert held.rows() == masks_of(board)


@given(boards(), weight_rows)
@settings(deadline=None, max_examples=300)
def test_features_of_a_board_are_those_counted_cell_by_cell(board, weights):
    held = table(len(board))
    held.lay(masks_of(board))
    found = slow.board_features(board)
    value = compiled("board_value", ALL)(held.memory, layout.BOARD, doubled(weights))
    assert value == sum(2 * weight * found.get(name, 0) for name, weight in zip(FEATURES, weights, strict=True))


@pytest.mark.slow
@given(boards(), st.sampled_from(LETTERS), weight_rows)
@settings(deadline=None, max_examples=400)
def test_the_best_placement_is_that_of_the_slow_game(board, letter, weights):
    held = table(len(board))
    held.lay(masks_of(board))
    memory, before = held.memory, slow.board_features(board)
    exact = dict(zip(FEATURES, weights, strict=True))
    memory[layout.VALUE] = sum(2 * exact[name] * value for name, value in before.items())
    memory[layout.QUEUE] = LETTERS.index(letter)
    memory[layout.VALUED] = 0
    assert_holds(held, board)
    going = step(held, doubled(weights), ALL)
    best = slow.best_placement(board, letter, exact)
    assert going == (best is not None)
    fitting = [slow.drop(board, letter, *placement) for placement in slow.placements(letter)]
    assert memory[layout.VALUED] == len([dropped for dropped in fitting if dropped is not None])
    if best is not None:
        _, (rotation, column), after, lines = best
        assert held.placement() == (letter, rotation, column)
        assert_holds(held, after)
        found = slow.board_features(after)
        assert memory[layout.VALUE] == sum(2 * exact[name] * value for name, value in found.items())
        assert memory[layout.CLEARED] == lines


def exact_weights(controller):
    weights = zip(FEATURES, controller.integers(), strict=True)
    exact = {feature: w if feature == "landing_height" else w // 2 for feature, w in weights}
    return {feature: weight for feature, weight in exact.items() if weight}


@pytest.mark.parametrize("name", CONTROLLERS)
@pytest.mark.parametrize(("rows", "number"), [(10, 0), (10, 1), (12, 2)])
def test_a_game_is_the_slow_game_move_by_move(name, rows, number):
    controller = CONTROLLERS[name]
    expected, board, lost = slow.play(exact_weights(controller), rows, seed=5, number=number, most=60)
    held = Table(rows)
    weights = np.array(controller.integers(), dtype=np.int64)
    used = controller.used() if name == "four" else ALL
    made = []
    while len(made) < 60 and step(held, weights, used, stream(5, number)):
        made.append((*held.placement(), int(held.memory[layout.CLEARED])))
    assert made == expected
    assert (len(made) < 60) == lost
    assert_holds(held, board)


@pytest.mark.parametrize(
    ("name", "rows", "known", "most"),
    [("four", 6, 2, 40), ("four", 6, 3, 10), ("four", 8, 5, 4), *slowly.slow(("report1", 7, 2, 40))],
)
def test_a_game_with_known_pieces_is_the_slow_game_move_by_move(name, rows, known, most):
    controller = CONTROLLERS[name]
    expected, _, lost = slow.play(exact_weights(controller), rows, seed=5, number=1, most=most, known=known)
    games = islice(watched(controller, Game(rows, 5, 1, known)), most)
    made = [(game.letter, game.rotation, game.column) for game in games]
    assert made == [placement[:3] for placement in expected]
    assert (len(made) < most) == lost


@pytest.mark.slow
@given(boards(), st.lists(st.sampled_from(LETTERS), min_size=2, max_size=2), st.sampled_from(["four", "report1"]))
@settings(deadline=None, max_examples=20)
def test_two_known_pieces_are_placed_in_the_best_of_all_ways(board, letters, name):
    found = Player(CONTROLLERS[name], len(board), 2).advise(masks_of(board), letters)
    assert found == slow.best_way(board, letters, exact_weights(CONTROLLERS[name]), beam=10**6)


def test_of_equal_values_the_first_in_action_order_is_taken():
    held = Table(10)
    weights = np.array(Controller("lines only", {"lines": 1}).integers(), dtype=np.int64)
    for letter in LETTERS:
        held.lay([])
        held.memory[layout.QUEUE] = LETTERS.index(letter)
        assert step(held, weights, ALL)
        assert held.placement() == (letter, 0, 0)
