"""Endless Tetris by hand in a pseudo-terminal: time and keys, hints, the controller at play, and every way out."""

from __future__ import annotations

import re
import sys

import pytest

pytest.importorskip("termios")

from pseudo_terminal import Terminal

SMALL = ("--size", "10x10", "--seed", "7", "--controller", "four", "--known", "1")


def play(*arguments, **keywords):
    return Terminal("endless", "play", *arguments, **keywords)


def top(screen):
    """The line, from the top of the screen, on which the piece at hand begins."""
    return next((number for number, line in enumerate(screen.splitlines()) if "▒" in line), None)


def left(screen):
    """The first column of the piece at hand."""
    return min((line.index("▒") for line in screen.splitlines() if "▒" in line), default=None)


def figure(name, screen):
    return int(re.search(rf"{name} +([\d,]+)", screen)[1].replace(",", ""))


def test_a_piece_falls_by_itself_until_it_lies_and_the_next_one_comes():
    with play(*SMALL, "--level", 9) as game:
        game.until(lambda text: top(text) == 0)
        game.until(lambda text: "pieces  1" in text, "a piece that landed by itself")
        assert not game.display.overrun
        game.send("q")
        assert game.end() == 0 and game.restored()
        assert "--seed 7 gives the same pieces" in " ".join(game.all.split())


def test_keys_move_turn_and_drop_the_piece():
    with play(*SMALL) as game:
        first = left(game.until("p pause"))
        game.send("left")
        game.until(lambda text: left(text) == first - 2)
        game.send("right", "right")
        game.until(lambda text: left(text) == first + 2)
        before = game.display.text.count("▒")
        game.send("up")
        game.until(lambda text: text.count("▒") != before or left(text) != first + 2)
        game.send("down", "down", "down")
        game.until(lambda text: figure("points", text) >= 3)
        game.send(" ")
        screen = game.until("pieces  1")
        assert screen.count("█") == 8 and figure("points", screen) > 3
        game.send("escape")
        assert game.end() == 0 and game.restored()


def test_a_pause_stops_time():
    with play(*SMALL, "--level", 9) as game:
        game.until("p pause")
        game.send("p")
        game.until("paused; p goes on")
        assert game.quiet(1.5)
        game.send("left", "p")
        game.until("pieces  1")
        game.send("?")
        assert "turn it" in game.until("any key")
        game.send("x")
        game.until("paused")
        game.send("q")
        assert game.end() == 0 and game.restored()


def test_a_hint_shows_where_the_controller_would_drop_the_piece():
    with play(*SMALL) as game:
        game.until("p pause")
        game.send("h")
        screen = game.until("would drop it at []")
        assert screen.count("[]") == 5
        game.send(" ")
        assert "[]" not in game.until("pieces  1")
        game.send("q")
        assert game.end() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no copy of the process can compile")
@pytest.mark.parametrize(("options", "key"), [((), "h"), ((), "c"), (("--watch",), "")])
def test_a_game_can_be_left_while_the_controller_is_compiled(options, key, tmp_path):
    with play(*SMALL, *options, env={"PROCURA_CACHE": str(tmp_path)}) as game:
        if key:
            game.until("p pause")
            game.send(key)
        game.until(lambda text: "compiling, once" in text and "q leaves" in text)
        game.send("q")
        assert game.end() == 0 and game.restored()


def test_the_controller_takes_over_and_gives_the_game_back():
    with play(*SMALL, "--delay", 0.01) as game:
        game.until("p pause")
        game.send("c")
        game.until("four plays; c takes the game back")
        game.until(lambda text: figure("pieces", text) > 5)
        game.send("c")
        screen = game.until("p pause")
        placed = figure("pieces", screen)
        game.send(" ")
        game.until(lambda text: figure("pieces", text) == placed + 1)
        game.send("q")
        assert game.end() == 0


def test_a_watched_game_goes_to_its_end_and_a_new_one_can_be_begun():
    options = ("--watch", "--size", "6x10", "--controller", "report1", "--known", 1, "--delay", 0, "--seed", 26)
    with play(*options) as game:
        screen = game.until("lost; n begins a new game")
        game.send("n")
        game.until("p pause")
        game.send("q")
        assert game.end() == 0
        assert figure("pieces", screen) > 0 and "--seed 27" in game.all


def test_next_pieces_are_shown_and_a_small_terminal_shows_what_fits():
    with play("--seed", 7, "--known", 5, columns=60, rows=24) as game:
        screen = game.until("p pause")
        assert "next" in screen and "then" in screen
        assert len(screen.splitlines()) == 24 and not game.display.overrun
        game.send("q")
        assert game.end() == 0
    with play("--seed", 7, columns=30, rows=10) as game:
        assert "▒" in game.until(lambda text: "▒" in text)
        assert not game.display.overrun
        game.send("q")
        assert game.end() == 0


def test_ctrl_c_and_the_end_of_the_terminal_put_it_back():
    with play(*SMALL) as game:
        game.until("p pause")
        game.interrupt()
        assert game.end() == 130 and game.restored()
    with play(*SMALL) as game:
        game.until("p pause")
        game.terminate()
        assert game.end() == 143 and game.restored()


def test_ascii_is_ascii():
    with play(*SMALL, "--ascii") as game:
        assert game.until("p pause").isascii()
        game.send("q")
        assert game.end() == 0
