"""Endless Tetris by hand: pieces are moved, turned and dropped; a controller at the same board plays its own game."""

from __future__ import annotations

import pytest

from procura.errors import InputError
from procura.puzzles.tetris.endless import CONTROLLERS, play_games
from procura.puzzles.tetris.endless.falling import ABOVE, Game, watched
from procura.puzzles.tetris.endless.picture import picture
from procura.puzzles.tetris.pieces import LETTERS, ROTATIONS

FOUR = CONTROLLERS["four"]


def holding(letter, rows=10, masks=()):
    """A game with a piece at hand, above rows that are given from the bottom."""
    game = Game(rows=rows)
    game.letter = letter
    game.masks = [*masks, *[0] * (rows + ABOVE - len(masks))]
    game.put(0, 4)
    return game


@pytest.mark.parametrize("known", [1, 2])
def test_a_controller_that_plays_the_game_makes_the_lines_of_its_own_games(known):
    game = Game(rows=6, seed=7, number=3, known=known)
    pieces = [(state.letter, state.rotation, state.column) for state in watched(FOUR, game)]
    games = play_games(FOUR, 1, rows=6, seed=7, first=3, known=known)
    assert game.lost and (game.lines, game.pieces) == (games.lines[0], games.pieces) and len(pieces) == games.pieces


def test_the_pieces_are_the_same_however_many_are_known():
    def letters(known):
        game = Game(rows=20, seed=3, known=known)
        found = []
        for _ in range(6):
            found.append(game.letter)
            game.drop()
        return found

    assert letters(1) == letters(5)


@pytest.mark.parametrize("letter", LETTERS)
def test_a_piece_stays_between_the_walls_however_it_is_turned(letter):
    for side in (-1, 1):
        game = holding(letter)
        while game.move(side):
            pass
        for _ in ROTATIONS[letter]:
            assert game.turn()
            assert all(0 <= column < 10 for _, column in game.cells())


def test_a_piece_turned_all_the_way_round_is_where_it_was():
    game = holding("t")
    before = game.cells()
    for _ in range(4):
        game.turn()
    assert game.cells() == before
    assert game.turn() and game.turn(-1) and game.cells() == before


def test_a_piece_falls_row_by_row_and_then_lies():
    game = holding("o")
    for row in range(9, -1, -1):
        assert game.fall() and game.row == row
    assert not game.fall()
    assert game.landing() == game.cells()


def test_a_piece_can_be_moved_below_what_hangs_over():
    game = holding("o", masks=[0, 0, 0b1])
    game.put(0, 1)
    while game.fall():
        pass
    assert game.move(-1) and sorted(game.cells()) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    game.put(0, 0)
    assert min(game.landing())[0] == 3


def test_full_rows_go_for_points_times_the_level():
    game = holding("i", masks=[0b0111111111] * 4)
    game.first_level = 3
    game.put(0, 9)
    game.drop()
    assert (game.lines, game.points, game.masks[:4]) == (4, 800 * 3 + 2 * 10, [0] * 4)


def test_soft_drops_count_a_point_a_row():
    game = holding("o")
    assert game.push() and game.push() and game.points == 2


def test_a_piece_that_rests_above_the_top_loses_and_clears_nothing():
    game = holding("o", rows=6, masks=[0b1111110011] * 5)
    game.put(0, 0)
    game.drop()
    assert game.lost and game.lines == 0 and game.pieces == 0
    assert not game.move(1) and not game.turn() and not game.fall()


def test_levels_rise_with_lines_and_pieces_fall_faster():
    game = Game()
    slow = game.row_seconds
    game.lines = 25
    assert game.level == 3 and game.row_seconds < slow
    game.lines = 10**6
    assert game.level == 20


def test_the_picture_shows_piece_ghost_hint_and_next():
    game = holding("o", rows=6, masks=[0b1])
    game.queue = ["i"]
    text = ["".join(part for part, _ in line).rstrip() for line in picture(game, hint=(0, 0))]
    assert text[:2] == [" " * 9 + "▒▒▒▒"] * 2
    assert text[5] == "│[][] · · · · · · · ·│   pieces  0"
    assert text[6] == "│[][] · ·░░░░ · · · ·│"
    assert text[7] == "│██ · · ·░░░░ · · · ·│   next"
    assert text[8].endswith("   ████████")


@pytest.mark.parametrize(("given", "told"), [({"rows": 5}, "rows=5"), ({"known": 0}, "known=0")])
def test_bad_arguments_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        Game(**given)
