"""Games for two against the computer: its levels, who begins, hints with their value, and games of one's own."""

from __future__ import annotations

import importlib
import json
import random
from pathlib import Path

import pytest
from play_helpers import answer_all
from pseudo_terminal import Terminal
from tic_tac_toe import TicTacToe

from procura import Dots, InputError
from procura.cli.commands.play import command
from procura.compiled import engine
from procura.play.saving import new_game, read_game, write_game
from procura.puzzles.dots import DotsGame, play
from procura.puzzles.dots.players import Computer, compile_solver, play_game

OWN = f"{Path(__file__).parents[2] / 'examples' / 'tic_tac_toe.py'}:TicTacToe"


def empty(rows, columns):
    return Dots([[[0] * columns] * (rows + 1), [[0] * rows] * (columns + 1)], 0)


@pytest.mark.parametrize(
    "rows, side, least, games",
    [
        (2, 0, -2, 20),
        (2, 1, 2, 20),
        pytest.param(3, 0, -3, 500, marks=pytest.mark.slow),
        pytest.param(3, 1, 3, 500, marks=pytest.mark.slow),
    ],
)
def test_perfect_never_loses_value(rows, side, least, games):
    game, computer, chance = DotsGame(size=f"{rows}x3"), Computer(empty(rows, 3), "perfect"), random.Random(side)
    for _ in range(games):
        state, known = game.initial, least
        while not game.is_over(state):
            if game.to_move(state) == side:
                choice = computer.choice(state[: game.lines])
                assert choice.value + (1 - 2 * side) * game.score(state) >= known
                known = choice.value + (1 - 2 * side) * game.score(state)
                state = game.result(state, choice.line)
            else:
                state = game.result(state, chance.choice(game.actions(state)))
        assert (1 - 2 * side) * game.score(state) == known


@pytest.mark.parametrize("pairs, least", [(3, 5), pytest.param(50, 95, marks=pytest.mark.slow)])
def test_strong_beats_greedy_from_both_sides(pairs, least):
    board, wins = empty(5, 5), 0
    for seed in range(pairs):
        strong, greedy = Computer(board, "strong", seed), Computer(board, "greedy", seed)
        first, second = play_game(board, strong, greedy)
        wins += first > second
        first, second = play_game(board, greedy, strong)
        wins += second > first
    assert wins >= least


def test_strong_plays_boards_of_any_size():
    board = empty(6, 7)
    assert len(board.arcs) > 62
    first, second = play_game(board, Computer(board, "strong", 1), Computer(board, "greedy", 1))
    assert first + second == 42


class _Compiler:
    """Somebody else compiles, until it is said that it is done."""

    outcome = None

    def poll(self):
        return self.outcome


def test_a_strong_computer_does_not_wait_for_kernels_that_take_long(monkeypatch):
    compiler, searched = _Compiler(), []
    monkeypatch.setattr(play, "forked_compiler", lambda prepare: compiler)
    monkeypatch.setattr(play, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(Computer, "_proved", lambda self, arcs, free, cancel: searched.append(len(free)))
    game = new_game(empty(4, 4), against="strong", seed=1)
    while not game.over:
        if len(game.moves) == 20:
            compiler.outcome = {"ready": True}
        game.play(game.answer() if game.others_turn else game.legal()[0])
    assert searched and max(searched) <= 20


def test_what_a_strong_computer_has_compiled_is_what_it_searches_with():
    compile_solver()
    board = empty(2, 2)
    compiled = dict(engine._compiled)
    assert Computer(board, "strong").choice(board.arcs).value == 2
    assert engine._compiled == compiled


@pytest.mark.parametrize("name", ["play", "analyse", "watch"])
def test_a_file_of_ones_own_is_run_once(name, tmp_path):
    from click.testing import CliRunner

    own, runs = tmp_path / "own.py", tmp_path / "runs"
    own.write_text(f"{Path(OWN.rpartition(':')[0]).read_text()}\nopen({str(runs)!r}, 'a').write('x')\n")
    started = importlib.import_module(f"procura.cli.commands.{name}").command
    CliRunner().invoke(started, [f"{own}:TicTacToe", "XOX OXO ..."], input="q\n", standalone_mode=False)
    assert runs.read_text() == "x"


def test_a_player_nobody_knows_is_refused():
    with pytest.raises(InputError, match="no player 'stronk': did you mean 'strong'"):
        Computer(empty(1, 1), "stronk")


@pytest.mark.parametrize("level", ["easy", "strong", "perfect"])
def test_a_duel_is_saved_with_its_level_and_who_begins(level):
    game = new_game(empty(2, 2), against=level, seed=3)
    game.let_other_begin()
    answer_all(game)
    assert len(game.moves) == 1
    again = read_game(write_game("dots", game), "dots", Dots)
    assert again.level == level and again.moves == game.moves and again.states == game.states


def test_a_duel_saved_before_there_were_levels_is_read():
    game = new_game(empty(2, 2), against="computer", seed=3)
    saved = json.loads(write_game("dots", game))
    del saved["first"]
    assert read_game(json.dumps(saved), "dots", Dots).level == "easy"


def test_a_hint_tells_what_it_is_worth():
    hint = new_game(empty(2, 2), against="easy").hint()
    assert hint.why == "of the boxes left you get 2 more than the computer, which is proved"


def test_a_game_of_ones_own_is_not_lost_by_a_perfect_computer():
    chance = random.Random(1)
    for first in ("you", "computer"):
        game = new_game(TicTacToe(), against="perfect", seed=1)
        if first == "computer":
            game.let_other_begin()
        answer_all(game)
        while not game.over:
            game.play(chance.choice(game.legal()))
            answer_all(game)
        assert not game.won and ("the computer wins by 1" in game.summary() or "a draw" in game.summary())


def test_undo_goes_back_to_your_own_move():
    game = new_game(TicTacToe(), against="easy", seed=1)
    game.play(0)
    answer_all(game)
    assert len(game.moves) == 2 and game.undo() and game.moves == []
    assert game.redo() and len(game.moves) == 2


def test_hints_of_a_game_of_ones_own_are_proved():
    game = new_game(TicTacToe("XX. OO. ..."))
    hint = game.hint()
    assert (hint.move, hint.why) == (2, "you win by 1, proved")
    game.play(2)
    assert game.won and game.summary().startswith("you win by 1 after")


def run(*arguments, lines=""):
    from click.testing import CliRunner

    return CliRunner().invoke(command, arguments, input=lines, standalone_mode=False)


def test_games_of_ones_own_are_played_line_by_line():
    shown = run(OWN, "--level", "perfect", "--first", "computer", "--seed", "1", lines="hint\nquit\n")
    assert "you against the computer, the computer begins" in shown.output and "(a draw, proved)" in shown.output


def test_computers_play_each_other():
    shown = run("dots", "--players", "strong,greedy", "--games", "2", "--size", "2x3", "--json")
    told = json.loads(shown.output)
    assert told["games"] == 2 and [one["player"] for one in told["players"]] == ["strong", "greedy"]
    assert sum(one["boxes"] for one in told["players"]) == 12
    table = run("dots", "--players", "easy,easy", "--games", "2", "--size", "1x1").output.splitlines()
    assert table[1].split() == ["player", "wins", "draws", "losses", "boxes"] and table[2].split()[0] == "easy"


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["sudoku", "--level", "easy"], "only dots can be played against somebody"),
        (["sudoku", "--players", "a,b"], "there are none for sudoku"),
        (["dots", "--players", "strong"], "expected two, such as strong,greedy"),
        (["dots", "--players", "strong,weak"], "no player 'weak'"),
        (["dots", "--players", "strong,easy", "--level", "easy"], "expected no board and no opponent"),
        (["dots", "--games", "5"], "--games: only --players takes it"),
        (["sliding", "--first", "computer"], "is played alone"),
    ],
)
def test_what_cannot_be_played_is_said(arguments, why):
    assert why in str(run(*arguments).exception)


def test_who_may_think_for_a_minute_says_so():
    shown = run(OWN, "--level", "perfect", "--first", "computer", "--seed", "1", lines="quit\n").output
    assert "the computer thinks, for a minute at most" in shown
    assert "thinks" not in run(OWN, "--level", "strong", "--first", "computer", lines="quit\n").output
    for size, patient in [((3, 3), False), ((3, 4), True), ((5, 5), False)]:
        assert new_game(empty(*size), against="perfect").patient == patient


def test_a_screen_tells_that_the_computer_thinks():
    with Terminal("play", OWN, "--level", "perfect", "--first", "computer", "--seed", "1") as terminal:
        terminal.until("the computer plays")
        assert "the computer thinks, for a minute at most" in terminal.raw
        terminal.send("q", "q")
        assert terminal.end() == 0 and terminal.restored()
