"""Playing in a pseudo-terminal: every puzzle by keys from start to end, in 80 and 60 columns, and every way out."""

from __future__ import annotations

import json
import os

import pytest

pytest.importorskip("termios")

from play_helpers import CORNER, DOWN, LEFT, RIGHT, SMALL_SUDOKU, UP, Terminal

TWO_MOVES = "1 2 3 4 5 6 0 7 8"
TETRIS = ["tetris", "##..##\n#...##", "--pieces", "oi", "--rows", "8", "--columns", "6"]


def fits(terminal):
    """Whether every line of the screen has fitted the terminal."""
    return not terminal.display.overrun


@pytest.mark.parametrize("columns", [80, 60])
def test_sliding_by_arrows(columns):
    with Terminal("sliding", TWO_MOVES, columns=columns) as game:
        game.until("q quit")
        game.press(UP)
        assert "no tile can move up: the blank is in the bottom row" in game.screen
        game.press("k")
        assert "'k' is no command here: ? lists them" in game.screen
        game.press(LEFT)
        assert "moves: 1" in game.screen and fits(game)
        game.press("z")
        assert "moves: 0" in game.screen
        game.press("y", "h")
        assert "hint: R: tile 8 goes left" in game.until("hint:")
        game.press(LEFT)
        assert "solved in 2 moves" in game.until("; no solution") and fits(game)
        game.press("q")
        assert game.end() == 0 and game.restored()
        assert "solved in 2 moves" in game.screen


def test_sudoku_by_keys():
    with Terminal("sudoku", SMALL_SUDOKU, columns=60) as game:
        game.until("[·]1")
        game.press("4")
        assert "4 stands in row 1 already, at row 1, column 3" in game.screen and fits(game)
        game.press("2")
        assert "[2]1" in game.screen
        game.press("\x7f")
        assert "[·]1" in game.screen
        game.press("p", "2", "c")
        assert "[:]1" in game.screen and "pencil 2, candidates 2, pencil on" in game.screen
        game.press("p", "2", RIGHT, DOWN, LEFT, UP)
        assert "row 1, column 1" in game.screen
        game.press("s")
        assert "solved in" in game.until("shown") and fits(game)
        game.press("q")
        assert game.end() == 0 and game.restored()


def test_tetris_by_keys():
    with Terminal(*TETRIS, columns=60) as game:
        game.until("in hand: o")
        game.press(*[RIGHT] * 3)
        assert "the piece stands at the right wall" in game.screen
        game.press(LEFT, LEFT, " ")
        assert "in hand: i" in game.screen and "pieces placed: 1 of 2" in game.screen and fits(game)
        game.press("u", "r", UP)
        assert "rotation 1 of 0-1" in game.screen
        game.press("h")
        game.until("hint: i in rotation")
        game.press("\r")
        assert "all 2 pieces placed" in game.until("; ") and fits(game)
        game.press("q")
        assert game.end() == 0 and game.restored()


def test_dots_by_keys():
    with Terminal("dots", CORNER, columns=60) as game:
        game.until("┄┄┄")
        game.press(" ")
        assert "lines drawn: 1" in game.screen
        game.press(" ")
        assert "the line h0,1 is drawn already" in game.screen
        game.press(DOWN, RIGHT, UP, LEFT)
        game.type("v 2 1")
        assert "the line v2,1 is drawn already" in game.screen and fits(game)
        game.press("s")
        assert "; " in game.until("boxes closed with")
        game.press("q")
        assert game.end() == 0 and game.restored()


def test_dots_against_the_computer_by_keys():
    with Terminal("dots", "--size", "1x2", "--against", "computer", "--seed", "1", columns=60) as game:
        game.until("you (Y) 0, computer (C) 0, 7 lines left")
        game.press(" ")
        assert "5 lines left" in game.until("the computer draws") and fits(game)
        game.press("u")
        assert "7 lines left" in game.until("7 lines")
        game.press("y")
        assert "5 lines left" in game.until("5 lines")
        game.press("s")
        game.until(" after 0:0")
        game.press("q")
        assert game.end() == 0 and game.restored()


def test_the_help_is_shown_and_left_again():
    with Terminal("sudoku", SMALL_SUDOKU, columns=60) as game:
        game.until("q quit")
        game.press("?")
        assert "move the cursor" in game.screen and "take the last move back" in game.screen and fits(game)
        game.press(" ")
        assert "[·]1" in game.screen


def test_a_screen_too_small_shows_the_part_with_the_cursor():
    with Terminal("sudoku", "--sample", "easy", columns=60, rows=9) as game:
        game.until("row 1, column 2")
        game.press(*[DOWN] * 8)
        assert "row 9, column 2" in game.screen
        assert " 9 ┃ 9[2]8 ┃" in game.screen
        assert len(game.screen.split("\n")) <= 9


def test_any_key_stops_a_solution_that_is_shown():
    with Terminal("sliding", "--sample", "moodle-4") as game:
        game.until("q quit")
        game.press("s")
        game.until("any key stops)")
        game.press(" ")
        game.press("?", " ")
        assert "moves: 0" not in game.screen and "solved" not in game.screen
        game.press("q")
        assert "leave without saving?" in game.screen
        game.press("q")
        assert game.end() == 0 and "not solved" in game.screen


def test_ctrl_c_leaves_a_clean_terminal_with_130_and_a_saved_game(tmp_path):
    place = tmp_path / "game.json"
    with Terminal("sliding", TWO_MOVES, "--save", place) as game:
        game.until("q quit")
        game.press("r")
        game.interrupt()
        assert game.end() == 130 and game.restored()
    assert json.loads(place.read_text())["moves"] == ["R"]


def test_ctrl_c_while_it_thinks_leaves_at_once():
    hard = "0 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1"
    with Terminal("sliding", hard) as game:
        game.until("q quit")
        game.send("h")
        game.until("thinking")
        game.interrupt()
        assert game.end() == 130 and game.restored()


def test_a_terminal_that_is_closed_saves_the_game(tmp_path):
    place = tmp_path / "game.json"
    with Terminal("sliding", TWO_MOVES, "--save", place) as game:
        game.until("q quit")
        game.press("r")
        game.hang_up()
        game.end()
    assert json.loads(place.read_text())["moves"] == ["R"]


def test_save_and_resume(tmp_path):
    place = tmp_path / "game.json"
    with Terminal("sliding", TWO_MOVES) as game:
        game.until("q quit")
        game.press("r", "w")
        assert "save FILE names a file" in game.screen
        game.press("q")
        assert "leave without saving?" in game.screen
        game.type(f"save {place}")
        game.until("saved as")
        game.press("q")
        assert game.end() == 0
    with Terminal("sliding", "--resume", place) as game:
        assert "moves: 1" in game.until("resumed from")
        game.press("r")
        game.until("solved in 2 moves")
        game.press("\x04")
        assert game.end() == 0 and game.restored()
    assert json.loads(place.read_text())["moves"] == ["R", "R"]


def test_leaving_by_ctrl_d_is_asked_about_too():
    for env in (None, {"TERM": "dumb"}):
        with Terminal("sliding", TWO_MOVES, env=env) as game:
            game.until("moves: 0")
            game.send("r\rq\r" if env else "r\x04")
            game.until("leave without saving?")
            game.send("q\r" if env else "\x04")
            assert game.end() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no disk that is always full")
def test_a_game_that_cannot_be_saved_is_not_left_without_a_word():
    with Terminal("sliding", TWO_MOVES, "--save", "/dev/full") as game:
        game.until("q quit")
        game.press("r", "q")
        assert "could not be saved as '/dev/full'" in game.screen and "anything else goes on" in game.screen
        game.press("q")
        assert game.end() == 2


def test_no_colours_when_nobody_wants_them_and_lines_on_a_terminal_without_a_cursor():
    with Terminal("sliding", TWO_MOVES, env={"NO_COLOR": "1"}) as game:
        game.until("q quit")
        assert "\x1b[1m" not in game.raw and "\x1b[32m" not in game.raw
    with Terminal("sliding", TWO_MOVES, env={"TERM": "dumb"}) as game:
        game.until("moves: 0\n>")
        game.send("R\nR\nquit\n")
        assert game.end() == 0
        assert "solved in 2 moves" in game.screen and "\x1b[?1049h" not in game.raw
