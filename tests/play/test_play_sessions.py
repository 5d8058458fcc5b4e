"""Commands and pictures: what can be typed in each game, what is said, and what is drawn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from play_helpers import KINDS, games

from procura import Dots, InputError, Sliding, Sudoku, Tetris
from procura.cli.play_paint import help_lines, painted, window
from procura.play.face import ASCII
from procura.play.saving import new_game
from procura.play.session import ABOUT, COMMANDS, Session

TYPED = ["up", "left", "down", "draw", "drop", "1 1 2", "0 0", "h 0 1", "p", "3", "u", "r", "f"]


def session(kind, **keywords):
    return Session(games()[kind], **keywords)


def drawn(session):
    return "\n".join("".join(text for text, _ in line) for line in session.face.picture())


def said(session, *commands):
    """What is said after the last of these commands."""
    for command in commands:
        session.do(command)
        while session.answer():
            pass
    return session.message


def test_arrows_move_a_tile_and_letters_move_the_blank():
    playing = Session(new_game(Sliding("1 2 3 4 0 5 7 8 6")))
    assert said(playing, "left") == "" and playing.game.moves == ["R"]
    assert said(playing, "L") == "" and playing.game.moves == ["R", "L"]
    assert said(playing, "5") == "" and playing.game.moves == ["R", "L", "R"]
    assert said(playing, "up") == "" and playing.game.won
    assert said(playing, "left") == "no tile can move left: the blank is in the right column"
    assert said(playing, "1") == "tile 1 is not beside the blank"
    assert said(playing, "9") == "there is no tile 9: expected 1 to 8"
    assert said(playing, "z", "z", "lu ur") == "the blank cannot move up: it is in the top row"


def test_a_goal_of_ones_own_is_drawn_beside_the_board():
    playing = Session(new_game(Sliding("1 2 3 8 0 4 7 6 5", goal="spiral")))
    assert "goal" in drawn(playing)
    assert "goal" not in drawn(session("sliding"))


def test_sudoku_by_keys():
    playing = session("sudoku")
    assert "[·]1" in drawn(playing)
    assert said(playing, "4") == "4 stands in row 1 already, at row 1, column 3"
    assert said(playing, "2") == "" and "[2]1" in drawn(playing)
    assert said(playing, "3") == "3 stands in column 1 already, at row 2, column 1"
    assert said(playing, "right", "3") == "row 1, column 2 holds 1 from the start: it stays"
    assert said(playing, "left", "clear") == "" and "[·]1" in drawn(playing)
    assert said(playing, "p") == "pencil on: digits are marks"
    assert said(playing, "2", "4") == "" and "[:]1" in drawn(playing)
    assert "pencil 2 4" in playing.face.status()
    assert said(playing, "P") == "pencil off"
    assert said(playing, "c") == "candidates 2" and "candidates 2" in playing.face.status()
    assert said(playing, "f") == "digits that break a rule are allowed, and shown in red"
    assert said(playing, "4") == "" and playing.face._style(0, playing.game.clashing()) == "wrong"
    assert said(playing, "up", "left", "down", "right") == "" and playing.face.cell == 0


def test_sudoku_typed():
    playing = session("sudoku")
    assert said(playing, "1 1 2") == "" and playing.game.state.digits[0] == 2
    assert said(playing, "r1c1=0") == "" and playing.game.state.digits[0] == 0
    assert said(playing, "mark 1 1 2") == "" and playing.game.state.marks[0] == 2
    assert said(playing, "2 3") == "" and playing.face.cell == 6
    assert said(playing, "5 1 1") == "row 5, column 1 is not on the board: expected 1 to 4"
    assert said(playing, "1 1 9") == "9 is not a digit of this board: expected 1 to 4"


def test_the_sudoku_hint_is_for_the_cell_under_the_cursor():
    playing = session("sudoku")
    assert said(playing, "3 1", "hint").startswith("hint: 4 at row 3, column 1")
    assert said(playing, "1 2", "hint").startswith("hint: 2 at row 1, column 1")
    assert playing.game.hints == 2 and playing.face.cell == 0


def test_tetris_by_keys_and_typed():
    playing = Session(new_game(Tetris("##..##\n#...##", "lto", rows=8, columns=6)))
    assert "in hand: l" in drawn(playing) and "next: t" in drawn(playing)
    assert said(playing, *["left"] * 9) == "the piece stands at the left wall"
    assert said(playing, *["right"] * 9) == "the piece stands at the right wall"
    assert said(playing, "up") == "" and (playing.face.rotation, playing.face.column) == (1, 3)
    assert said(playing, "down", "down") == "" and playing.face.rotation == 3
    assert said(playing, "drop") == "" and playing.game.moves == [["l", 3, 3]]
    assert said(playing, "0 9") == "action ['t', 0, 9]: the left column lies in 0 to 3"
    assert said(playing, "o0@1") == "the piece in hand is t, not o"
    assert said(playing, "t0@0", "0 4") == "" and playing.game.over
    assert said(playing, "0 0") in (
        "all pieces are placed",
        "the top row is filled: the game is lost, but a move can be taken back",
    )
    assert said(playing, "drop") == "'drop' is no command here: ? lists them"


def test_the_tetris_hint_puts_the_piece_where_it_belongs():
    playing = session("tetris")
    said(playing, "hint")
    move = playing.game.rest().moves[0]
    assert [playing.face.rotation, playing.face.column] == move[1:]
    said(playing, "drop")
    assert playing.game.moves == [move]


def test_the_cursor_of_dots_reaches_every_arc():
    playing = Session(new_game(Dots.generate(1, size="2x3", drawn=0)))
    seen = set()
    for _ in range(2 * 2 + 1):
        for _ in range(4):
            seen.add(playing.face._arc(playing.face.line, playing.face.place))
            said(playing, "right")
        said(playing, "down")
    assert seen == set(range(len(playing.game.problem.arcs)))


def test_dots_by_keys_and_typed():
    playing = session("dots")
    assert said(playing, "draw") == "" and playing.game.moves == [["h", 0, 1]]
    assert said(playing, "draw") == "the line h0,1 is drawn already"
    assert said(playing, "v 1 0") == "" and said(playing, "v 2,0") == "" and said(playing, "H1,0") == ""
    assert said(playing, "h 1 1") == "" and playing.game.closed == 2
    assert said(playing, "h 9 0") == "there is no line h9,0: expected h0,0 to h2,1"
    assert "boxes closed: 2 of 3" in playing.face.status()
    assert drawn(playing).splitlines()[1:4] == [" 0 •───•═══•", "   │░░░┃░░░┃", " 1 •━━━•━━━•"]


def test_the_computer_answers_and_says_what_it_drew():
    playing = session("duel")
    message = said(playing, "h 1 1")
    assert message.startswith("the computer draws ")
    assert said(playing, "undo") == "" and playing.game.moves == []
    assert said(playing, "redo") == "" and len(playing.game.moves) >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_undo_redo_hint_solve_and_their_limits(kind):
    playing = session(kind)
    assert said(playing, "undo") == "there is no move to take back"
    assert said(playing, "redo") == "there is nothing to make again"
    assert said(playing, "hint").startswith("hint: ")
    assert playing.do("solve") == "solve"
    while playing.show_next():
        pass
    assert playing.game.over
    assert "over" in playing.message or "full" in playing.message
    playing.conclude()
    assert "shown" in playing.message
    said(playing, "restart")
    assert playing.game.moves == []
    while playing.game.redo():
        pass
    assert playing.game.over


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_commands_are_told_and_change_nothing(kind):
    playing = session(kind)
    for text in ("xyzzy", "undo 3", "h 1", "\x07", "é", "1 2 3 4 5", "-1", "9" * 5000):
        assert "is no command here: ? lists them" in said(playing, text)
    assert playing.do("") == "go on" and playing.message == ""
    assert playing.game.moves == []


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=60)
@given(words=st.lists(st.one_of(st.text(max_size=8), st.sampled_from(TYPED))))
def test_whatever_is_typed_gets_an_answer_and_a_picture(kind, words):
    playing = session(kind)
    for word in words:
        playing.do(word)
        while playing.answer():
            pass
        assert "\n" not in playing.message
        assert playing.face.status()
        picture = playing.face.picture()
        row, column = playing.face.focus()
        assert 0 <= row < len(picture) and 0 <= column < 60
        "".join(text for line in picture for text, _ in line).translate(ASCII).encode("ascii")


@pytest.mark.parametrize("columns", [20, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_the_help_lists_every_command_and_fits_the_columns(kind, columns):
    playing = session(kind)
    lines = ["".join(text for text, _ in line) for line in help_lines(playing.help(), columns)]
    text = " ".join(lines)
    assert all(len(line) <= columns for line in lines)
    assert all(name in text for name in COMMANDS) and set(ABOUT) == set(COMMANDS)
    assert playing.do("?") == "help"


def test_in_sliding_u_and_r_are_moves_elsewhere_undo_and_redo():
    help_of_sliding = dict(session("sliding").help())
    assert "z undo" in help_of_sliding and "z u undo" in dict(session("sudoku").help())
    playing = session("sudoku")
    said(playing, "2")
    assert said(playing, "u") == "" and playing.game.moves == []
    assert said(playing, "r") == "" and playing.game.moves == [[0, 0, 2]]


def test_leaving_a_game_under_way_is_asked_about_once_unless_it_is_saved():
    playing = session("sliding", ask=True)
    assert playing.do("q") == "leave"
    said(playing, "u")
    assert playing.do("q") == "go on" and "leave without saving?" in playing.message
    assert playing.do("d") == "go on" and playing.do("quit") == "go on" and playing.do("quit") == "leave"
    saved = session("sliding", save=lambda path: f"saved as {path}", ask=True)
    assert said(saved, "u", "save here.json") == "saved as here.json"
    assert saved.do("q") == "leave"
    assert said(session("sliding"), "save x") == "this game cannot be saved"


def refuse(path):
    raise InputError("where to? save FILE names a file" if path is None else f"{path} cannot be written")


@pytest.mark.parametrize("agreed", [False, True])
def test_a_save_that_did_not_happen_does_not_count_as_one(agreed):
    playing = session("sliding", save=refuse, ask=True, agreed=agreed)
    assert said(playing, "u", "w") == "where to? save FILE names a file"
    assert playing.do("q") == "go on" and "q again leaves" in playing.message
    assert said(playing, "save here") == "here cannot be written"
    assert playing.do("q") == "go on" and playing.do("q") == "leave"


def test_only_the_players_time_counts():
    now = [100.0]
    playing = session("any", now=lambda: now[0])
    playing.waits()
    now[0] += 5
    playing.heard()
    now[0] += 50
    playing.waits()
    now[0] += 2
    playing.heard()
    said(playing, "R", "R")
    assert playing.game.won and playing.game.seconds == 7
    now[0] += 9
    playing.heard()
    assert playing.game.seconds == 7
    assert playing.game.summary() == "solved in 2 moves and 0:07"


def test_any_game_can_be_played_by_numbers():
    playing = session("any")
    assert playing.face.status() == "moves: 1: U  2: R"
    assert said(playing, "2") == "" and playing.game.moves == ["R"]
    assert said(playing, "U") == "" and playing.game.moves == ["R", "U"]


def test_a_window_keeps_the_focus_in_sight():
    picture = [[("abc", "dim"), ("defghij", "")] for _ in range(10)]
    seen = window(picture, (9, 9), 4, 3)
    assert seen == [[("ghij", "")]] * 3
    assert window(picture, (0, 0), 4, 3) == [[("abc", "dim"), ("d", "")]] * 3
    assert window(picture, (0, 0), 40, 30) == picture


def test_colours_and_ascii_are_only_added_when_wanted():
    assert painted([("┃", "frame"), ("5", "")], False, False) == "┃5"
    assert painted([("┃", "frame"), ("5", "")], True, True) == "\x1b[2m|\x1b[0m5"


def test_the_large_sudoku_takes_capitals_as_digits():
    playing = Session(new_game(Sudoku("." * 256)))
    assert said(playing, "C") == "" and playing.game.state.digits[0] == 12
    assert said(playing, "2 1 g") == "" and playing.game.state.digits[16] == 16
    assert said(playing, "c").startswith("no candidates")
    assert max(map(len, drawn(playing).splitlines())) <= 60


def test_a_full_grid_is_won_from_the_start():
    playing = Session(new_game(Sudoku("2143341242311324")))
    assert playing.game.won and playing.game.over
    assert said(playing, "hint") == "the grid is full and right"
