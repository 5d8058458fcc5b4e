"""Endless Tetris by hand without a terminal: what the keys and the time that is waited for them come to."""

from __future__ import annotations

import pytest

from procura.cli.endless import play
from procura.puzzles.tetris.endless import CONTROLLERS, Game

FOUR = CONTROLLERS["four"]


class Screen:
    """Keeps what was shown last."""

    lines = ()

    def show(self, lines):
        self.lines = lines


class Keyboard:
    """Presses keys, None for a wait that is over, and then leaves; keeps how long it was waited for each."""

    def __init__(self, *keys):
        self.keys, self.waits = [*keys, "q"], []

    def key(self, timeout=None):
        self.waits.append(timeout)
        return self.keys.pop(0)


class Adviser:
    """Drops every piece where it comes."""

    def __init__(self, game):
        self.game = game

    def advise(self):
        return self.game.rotation, self.game.column

    def take(self):
        return not self.game.lost


def played(*keys, delay=60.0, **options):
    """The view of a game in which these keys were pressed."""
    given = {"size": "20x10", "known": 1, "level": 1, "seed": 7, "controller": "four", "watch": False}
    request = play.Request(**{**given, "most_pieces": None, "ascii_only": True, **options}, delay=delay)
    game = Game(20, 7, known=1)
    view = play._View(game, FOUR, Screen(), Keyboard(*keys), True, request)
    view.adviser = Adviser(game)
    view.play()
    return view


def test_a_piece_taken_back_falls_by_the_time_of_its_level_and_not_by_the_delay():
    view = played("c", "c")
    _, automatic, by_hand = view.keyboard.waits
    assert automatic > 50 and by_hand <= view.game.row_seconds


def test_the_most_pieces_are_those_that_the_controller_drops():
    view = played(*"   ", "c", None, None, None, most_pieces=2)
    assert (view.dropped, view.game.pieces) == (2, 5)
    assert view.keyboard.keys == [None, "q"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (24, 8)])
def test_the_keys_fit_the_terminal_and_pause_the_game(columns, rows, monkeypatch):
    monkeypatch.setattr(play, "size", lambda: (columns, rows))
    monkeypatch.setenv("NO_COLOR", "1")
    pages = []
    monkeypatch.setattr(Screen, "show", lambda screen, lines: pages.append(lines))
    view = played("?", *"yyyyy")
    assert view.paused
    assert all(len(page) <= rows and all(len(line) <= columns for line in page) for page in pages)
    shown = " ".join(line.strip() for page in pages for line in page)
    assert all(word in shown for keys, about in play.HELP for word in (keys, *about.split()))
