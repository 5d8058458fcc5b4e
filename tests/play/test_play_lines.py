"""Playing through pipes: a command a line, the board after each, and every way it can end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from play_helpers import CORNER, ROOT, SMALL_SUDOKU, command, play_lines

TWO_MOVES = "1 2 3 4 5 6 0 7 8"
TETRIS = ["tetris", "##..##\n#...##", "--pieces", "lo", "--rows", "8", "--columns", "6"]


@pytest.mark.parametrize(
    ("arguments", "text", "ends"),
    [
        (["sliding", TWO_MOVES], "R\nleft\n", "solved in 2 moves and 0:00; no solution is shorter"),
        (["sudoku", SMALL_SUDOKU], "hint\n2\nsolve\n", "solved in 0:00 with 1 hint and"),
        (TETRIS, "hint\ndrop\nhint\ndrop\n", "all 2 pieces placed: "),
        (["dots", CORNER], "hint\ndraw\nsolve\n", "; no fewer lines do it"),
        (["dots", CORNER, "--against", "computer", "--seed", "3"], "solve\n", " after 0:00 with "),
        (["sliding", TWO_MOVES, "--ascii"], "u\nsolve\n", "; the fewest is 2"),
    ],
)
def test_every_puzzle_from_start_to_end(arguments, text, ends):
    done = play_lines(*arguments, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert ends in " ".join(done.stdout.split())
    assert done.stdout.isascii() == ("--ascii" in arguments)
    assert "\x1b" not in done.stdout
    assert all(f"> {line}" in done.stdout for line in text.split("\n") if line)


def test_the_board_is_shown_after_each_command_and_wrong_ones_are_explained():
    done = play_lines("sliding", TWO_MOVES, text="D\nfrobnicate\n\nundo\nquit\nR\n")
    assert done.stdout.count("┌───┬───┬───┐") == 5
    assert "the blank cannot move down: it is in the bottom row" in done.stdout
    assert "'frobnicate' is no command here: ? lists them" in done.stdout
    assert "there is no move to take back" in done.stdout
    assert "> R" not in done.stdout
    assert done.stdout.endswith("> quit\n0 moves in 0:00, not solved\n")


def test_a_game_is_saved_when_it_is_left_and_resumed_where_it_was(tmp_path):
    place = tmp_path / "game.json"
    first = play_lines("sudoku", SMALL_SUDOKU, "--save", place, text="1 1 2\n3 1 4\nundo\nquit\n")
    assert f"saved as {place}" in first.stdout
    saved = json.loads(place.read_text())
    assert (saved["moves"], saved["undone"]) == ([[0, 0, 2]], [[2, 0, 4]])
    second = play_lines("sudoku", "--resume", place, text="redo\nsolve\n")
    assert second.returncode == 0 and "solved in" in second.stdout
    assert len(json.loads(place.read_text())["moves"]) == 10
    third = play_lines("--resume", place, text="")
    assert "solved in 0:00 with 8 digits shown, 10 moves" in third.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_end_of_the_input_saves_too_and_save_names_another_place(tmp_path):
    place, other = tmp_path / "a.json", tmp_path / "b.json"
    done = play_lines("sliding", TWO_MOVES, "--save", place, text="R\n")
    assert done.returncode == 0 and json.loads(place.read_text())["moves"] == ["R"]
    done = play_lines("sliding", TWO_MOVES, text=f"save {other}\nR\nsave\nsave {tmp_path}\n")
    assert json.loads(other.read_text())["moves"] == ["R"]
    assert "it is a folder" in " ".join(done.stdout.split())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no disk that is always full")
def test_a_game_that_could_not_be_saved_is_told_and_ends_with_2():
    done = play_lines("sliding", TWO_MOVES, "--save", "/dev/full", text="R\nq\n")
    assert done.returncode == 2
    assert done.stderr == "procura: the game could not be saved as '/dev/full': No space left on device\n"


@pytest.mark.parametrize("content", ["", "{}", "[", '{"format": "procura game"}', "\x00"])
def test_a_broken_saved_game_gets_one_sentence_and_is_left_alone(tmp_path, content):
    place = tmp_path / "game.json"
    place.write_text(content)
    done = play_lines("sliding", "--resume", place, text="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"procura: --resume {place}: ") and done.stderr.count("\n") == 1
    assert place.read_text() == content


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sliding", "--against", "computer"], "only dots"),
        (["sliding", "-"], "standard input is for the moves"),
        (["sliding", "--resume", "nowhere.json"], "there is no such file"),
        (["sliding", "--save", "nowhere/game.json"], "there is no such folder"),
        (["sliding", TWO_MOVES, "--moves", "3"], "it is for random problems"),
        (["sudoku", "--moves", "3"], "sudoku takes --clues"),
        (["sudoku", "--clues", "x"], "expected a whole number"),
        (["dots", "--problem", "A"], "no BOARD is given"),
        (["sliding", "--sample", "all"], "holds 12 problems"),
        (["sudoku", "12"], "expected 16, 81 or 256"),
        (["chess"], "there is no puzzle"),
        ([], "expected a PUZZLE, one of sliding, sudoku, tetris, dots or path/file.py:Class"),
        (["--resume", "nowhere.json"], "--resume 'nowhere.json': there is no such file"),
        (["sliding", TWO_MOVES, "--resume", "x"], "has its own board"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, sentence):
    done = play_lines(*arguments, text="")
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["sliding"],
        ["sliding", "--size", "4x4"],
        ["sudoku"],
        ["tetris", "--cost", "opportunity", "--pieces", "3"],
        ["dots", "--size", "2x2", "--order", "any"],
        ["dots", "--against", "computer"],
    ],
)
def test_without_a_board_a_random_one_is_made_the_same_for_the_same_seed(arguments):
    one, other = (play_lines(*arguments, "--seed", "5", text="").stdout for _ in range(2))
    assert one == other and "--seed 5 gives it again" in one


def test_a_board_that_parity_rules_out_is_told_at_once():
    done = play_lines("sliding", "1 2 3 4 5 6 8 7 0", text="hint\n")
    assert "this board has no solution" in done.stdout and done.returncode == 0


def test_ones_own_puzzle_can_be_played():
    jam = "............AA......................"
    done = play_lines(ROOT / "examples" / "rush_hour.py:RushHour", jam, text="1\nsolve\n")
    assert done.returncode == 0 and "moves: 1: A+1" in done.stdout
    assert "solved in 4 moves and 0:00 with 3 moves shown; no solution is shorter" in " ".join(done.stdout.split())


def test_a_saved_game_of_ones_own_puzzle_needs_its_class(tmp_path):
    place = tmp_path / "game.json"
    place.write_text('{"format": "procura game", "version": 1, "puzzle": "Jugs"}')
    done = play_lines("--resume", place, text="")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "a game of 'Jugs', which is no puzzle of procura: expected PUZZLE" in done.stderr


def test_ones_own_puzzle_can_be_saved(tmp_path):
    jugs, place = ROOT / "examples" / "jugs.py:Jugs", tmp_path / "game.json"
    play_lines(jugs, "2", "--save", place, text="fill5\n")
    saved = json.loads(place.read_text())
    assert (saved["puzzle"], saved["board"], saved["moves"]) == ("Jugs", "2", ["fill5"])
    done = play_lines(jugs, "--resume", place, text="5to3\n")
    assert "solved in 2 moves" in done.stdout


def test_a_class_whose_board_cannot_be_read_again_is_not_saved(tmp_path):
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    own, place = f"{tmp_path}/forgetful.py:Forgetful", tmp_path / "game.json"
    done = play_lines(own, "--save", place, text="fill5\n")
    assert done.returncode == 2 and not place.exists()
    assert done.stderr == (
        "procura: Forgetful cannot be saved, for from_text must read what board_text gives: "
        "litres '(0, 0)': expected a number such as 4\n"
    )
    done = play_lines(own, text=f"fill5\nsave {place}\n")
    assert "Forgetful cannot be saved" in done.stdout and done.returncode == 0 and not place.exists()


FORGETFUL = f"""
import sys
sys.path.append({str(ROOT / "examples")!r})
from jugs import Jugs
from procura import Problem

class Forgetful(Jugs):
    board_text = Problem.board_text
"""


def test_options_of_random_problems_need_a_puzzle_that_makes_some():
    done = play_lines(ROOT / "examples" / "jugs.py:Jugs", "--clues", "3", text="")
    assert (done.returncode, done.stderr) == (2, "procura: --clues: it is for random problems, and Jugs makes none\n")


def test_a_fault_of_ones_own_class_is_told_with_its_place(faulty_class):
    done = play_lines(faulty_class, "x", text="1\n1\n1\n1\n")
    assert (done.returncode, done.stderr) == (2, "procura: Faulty raises KeyError: 'oh' (faulty.py, line 11)\n")


def started(*arguments):
    """A game of sliding after its first move, U."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command("sliding", TWO_MOVES, *arguments), **pipes)
    process.stdin.write("U\n")
    process.stdin.flush()
    while "moves: 1" not in (line := process.stdout.readline()):
        assert line, process.stderr.read()
    return process


def test_a_closed_pipe_ends_quietly_and_saves(tmp_path):
    place = tmp_path / "game.json"
    process = started("--save", place)
    process.stdout.close()
    process.stdin.write("D\n")
    process.stdin.close()
    assert (process.stderr.read(), process.wait(60)) == ("", 0)
    process.stderr.close()
    assert json.loads(place.read_text())["moves"] == ["U"]


def test_ctrl_c_ends_with_130_and_saves(tmp_path):
    place = tmp_path / "game.json"
    process = started("--save", place)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "")
    assert json.loads(place.read_text())["moves"] == ["U"]


def test_bytes_that_are_no_text_are_no_command():
    process = subprocess.run(command("sliding", TWO_MOVES), input=b"\xff\xfe\nquit\n", capture_output=True, timeout=60)
    assert process.returncode == 0 and b"is no command here" in process.stdout


def test_a_small_game_with_a_hint_imports_nothing_heavy():
    call = f"cli(['play', 'sliding', {TWO_MOVES!r}])"
    code = f"from procura.cli import cli\ntry:\n    {call}\nexcept SystemExit:\n    pass\n"
    code += "import sys; print([name for name in ('numpy', 'numba', 'rich') if name in sys.modules], file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], input="hint\nsolve\n", capture_output=True, text=True, timeout=60
    )
    assert "solved in" in done.stdout and done.stderr.strip() == "[]"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_place_that_cannot_be_written_is_told_and_the_game_goes_on(tmp_path):
    done = play_lines("sliding", TWO_MOVES, text="save /dev/full\nR\nquit\n")
    assert "the game could not be saved as '/dev/full'" in done.stdout and "moves: 1" in done.stdout
    assert done.returncode == 0


def test_a_file_that_is_no_saved_game_is_not_written_over(tmp_path):
    other = tmp_path / "homework.txt"
    other.write_text("not a game")
    done = play_lines("sliding", TWO_MOVES, "--save", other, text="q\n")
    assert done.returncode == 2 and "no saved game" in done.stderr
    done = play_lines("sliding", TWO_MOVES, text=f"U\nw {other}\nq\n")
    assert "no saved game" in " ".join(done.stdout.split()) and other.read_text() == "not a game"
