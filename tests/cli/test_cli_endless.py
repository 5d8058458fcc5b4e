"""``procura endless``: figures of controllers side by side, a game printed, and where the old spellings went."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from click.testing import CliRunner

from procura.cli import cli
from procura.cli.endless import play, warm_players
from procura.puzzles.tetris.endless import CONTROLLERS, falling, play_games
from procura.reading.puzzles import choose_puzzle


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), prog_name="procura")


def endless(*arguments):
    return run("endless", *arguments)


def test_one_controller_has_its_figures_in_words():
    result = endless("compare", "four", "--games", 30, "--size", "12x10")
    assert result.exit_code == 0
    assert "four, 12x10, seed 0: 30 games lost" in result.stdout
    assert "95 % interval" in result.stdout


@pytest.mark.slow
def test_figures_as_json_are_those_of_the_library():
    result = endless("compare", "four", "report1", "--games", 30, "--seed", 7, "--jobs", 2, "--json")
    assert result.exit_code == 0
    four, report = map(json.loads, result.stdout.splitlines())
    assert four["lines"] == list(play_games(CONTROLLERS["four"], 30, seed=7).lines)
    assert four["mean_lines"] == pytest.approx(sum(four["lines"]) / 30)
    assert four["interval"][0] < four["mean_lines"] < four["interval"][1]
    assert (four["rows"], four["games"], four["known"], four["stopped_by"]) == (10, 30, 1, None)
    assert four["ratio"] is None and report["ratio"] == pytest.approx(four["mean_lines"] / report["mean_lines"])
    assert report["paired"] and report["ratio_interval"][0] < report["ratio"] < report["ratio_interval"][1]


def test_several_controllers_stand_in_a_table():
    result = endless("compare", "four", "report1", "--games", 30)
    head, titles, four, report = result.stdout.splitlines()
    assert head == "10x10, seed 0: the same pieces for each"
    assert titles.split()[0] == "controller" and "four makes" in titles
    assert four.split()[0] == "four" and " - " in four
    assert " times " in report and report.rstrip().endswith("30 games lost")


@pytest.mark.slow
def test_games_cut_short_say_by_what():
    result = endless("compare", "four", "report1", "--games", 20, "--pieces", 100)
    assert "cut short by 100 pieces" in result.stdout
    known = endless("compare", "four", "--games", 2, "--size", "6x10", "--known", 2)
    assert "four, 6x10, 2 known pieces, seed 0: 2 games lost" in known.stdout


@pytest.mark.slow
def test_a_limit_that_comes_before_the_end_of_a_game_is_status_3():
    result = endless("compare", "dellacherie", "--size", "20x10", "--games", 1, "--limit", "seconds=0.1")
    assert result.exit_code == 3
    assert "0 games lost, 1 cut short by the time limit" in result.stdout


@pytest.mark.slow
def test_a_game_in_a_pipe_is_pictures_one_after_the_other():
    result = endless(
        "play", "--watch", "--controller", "four", "--size", "10x10", "--pieces", 3, "--ascii", "--seed", 7
    )
    assert result.exit_code == 0
    *pictures, summary = result.stdout.rstrip().split("\n\n")
    assert [picture.count("pieces  ") for picture in pictures] == [1, 1, 1]
    assert all(len(picture.splitlines()) == 13 for picture in pictures)
    assert summary.startswith("3 pieces, 0 lines, ") and summary.endswith("--seed 7 gives the same pieces")
    assert result.stdout.isascii()


def test_a_game_in_a_pipe_that_is_interrupted_tells_its_seed(monkeypatch):
    class Noted:
        noted = True

    monkeypatch.setattr(play, "noted_interrupts", lambda: nullcontext(Noted))
    result = endless("play", "--watch", "--controller", "four", "--size", "10x10", "--known", 1, "--seed", 7)
    assert result.exit_code == 130
    assert result.stdout.splitlines()[-1].endswith("level 1; --seed 7 gives the same pieces")


def test_a_game_in_a_pipe_goes_to_its_end():
    result = endless("play", "--watch", "--controller", "report1", "--size", "6x10", "--known", 1, "--seed", 26)
    lines = play_games(CONTROLLERS["report1"], 1, rows=6, seed=26).lines[0]
    assert f" pieces, {lines} line" in result.stdout.splitlines()[-1]
    assert result.stdout.splitlines()[-1].startswith("lost after ")


def test_what_the_commands_play_with_by_default_is_compiled_in_advance(monkeypatch):
    asked = set()

    class Noted:
        def __init__(self, controller, rows, known):
            asked.add((controller.name, known))

        def advise(self, masks, letters):
            return 0, 0

    monkeypatch.setattr(falling, "Player", Noted)
    lines = list(warm_players(choose_puzzle("tetris")))
    commands = cli.get_command(None, "endless").commands
    defaults = {
        name: {option.name: option.default for option in command.params if option.name in ("controller", "known")}
        for name, command in commands.items()
    }
    assert asked == {("tuned", defaults["play"]["known"]), ("tuned", defaults["compare"]["known"])}
    assert len(lines) == 2 and defaults["play"]["controller"] == "tuned"
    assert not list(warm_players(choose_puzzle("sudoku")))


def test_without_a_command_there_is_help():
    result = endless()
    assert result.exit_code == 0
    assert all(f"  {name} " in result.stdout for name in ("play", "tune", "compare"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("endless", "compare", "for"), "did you mean 'four'?"),
        (("endless", "compare", "@nowhere.toml"), "cannot be read"),
        (("endless", "compare"), "CONTROLLER"),
        (("endless", "compare", "four", "--size", "5x10"), "size '5x10': expected 6x10 to 20x10, rows and columns"),
        (("endless", "compare", "four", "--size", "10x20"), "size '10x20': expected 6x10 to 20x10, rows and columns"),
        (("endless", "compare", "four", "--limit", "nodes=3"), "know only seconds"),
        (("endless", "play"), "expected a terminal, or --watch"),
        (("endless", "tune", "--trials", "3"), "trials=3: expected at least 20, the candidates of a generation"),
        (("endless", "tune", "--features", "5"), "features '5': expected 4, 6, 8, 9, 12, 15, or names"),
        (("play", "tetris", "--controller", "four", "--replay"), "procura endless compare NAME"),
        (("play", "tetris", "--controller=four"), "--controller: controllers play by commands of their own"),
        (("play", "sliding", "--json"), "--json: only --players takes it"),
        (("tune", "tetris", "--endless", "--rows", "10", "--features", "8"), "procura endless tune"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(arguments, told):
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
