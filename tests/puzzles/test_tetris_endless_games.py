"""Games of controllers: the same for the same seed, whatever the threads; their figures; controllers from files."""

from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

from procura.cli import cli
from procura.errors import InputError
from procura.puzzles.tetris.endless import CONTROLLERS, FEATURES, Controller, Games, play_games, read_controller
from procura.puzzles.tetris.endless.controllers import controller_text, parse_controller
from procura.puzzles.tetris.endless.replay import replay

FOUR = CONTROLLERS["four"]


def run(*arguments):
    return CliRunner().invoke(cli, ["play", *map(str, arguments)], prog_name="procura")


def games_of(lines, cut_short=0, cut_lines=0):
    return Games(FOUR, 10, 0, tuple(lines), cut_short, cut_lines, 0, 0, 1.0, 1.0)


def test_threads_do_not_change_the_games():
    one, three = (play_games(FOUR, 50, seed=7, jobs=jobs) for jobs in (1, 3))
    assert one.lines == three.lines
    assert (one.pieces, one.placements) == (three.pieces, three.placements)
    assert len(one.lines) == 50


def test_the_first_games_do_not_depend_on_how_many_there_are():
    assert play_games(FOUR, 20, seed=7).lines == play_games(FOUR, 50, seed=7).lines[:20]


def test_another_seed_gives_other_games():
    assert play_games(FOUR, 20, seed=7).lines != play_games(FOUR, 20, seed=8).lines


def test_a_higher_board_lets_a_controller_play_longer():
    assert play_games(FOUR, 100, rows=20).mean > play_games(FOUR, 100, rows=10).mean


def test_four_features_make_as_many_lines_as_was_measured_elsewhere():
    games = play_games(FOUR, 1000, seed=11)
    assert abs(games.mean - 101) < 3 * math.hypot(5, games.standard_error)


def test_the_replay_is_the_game_that_is_counted():
    frames = list(replay(FOUR, rows=10, seed=7, game=3))
    games = play_games(FOUR, 4, seed=7)
    assert frames[-1].lines == games.lines[3]
    assert [frame.number for frame in frames] == list(range(1, len(frames) + 1))
    for frame in frames:
        assert all(row < 10 and not frame.before[row] >> column & 1 for row, column in frame.cells())


def test_time_ends_games_that_would_go_on():
    games = play_games(CONTROLLERS["dellacherie"], 1, rows=20, seconds=0.1)
    assert games.stopped_by == "time"
    assert (games.lines, games.cut_short, games.mean, games.interval) == ((), 1, None, None)
    assert games.cut_lines > 0


def test_cancel_ends_games():
    games = play_games(CONTROLLERS["dellacherie"], 1, rows=20, cancel=lambda: True)
    assert games.stopped_by == "cancelled"


def test_mean_and_standard_error_of_whole_games():
    games = games_of([10, 20, 60])
    assert games.mean == 30
    assert games.standard_error == pytest.approx(math.sqrt(700 / 3))
    low, high = games.interval
    assert low * high == pytest.approx(900)
    assert math.log(high / 30) == pytest.approx(1.96 * games.standard_error / 30)


def test_lines_of_games_cut_short_count_for_the_mean():
    games = games_of([10, 20], cut_short=1, cut_lines=60)
    assert games.mean == 45
    assert games.standard_error == pytest.approx(45 / math.sqrt(2))


weights = st.dictionaries(
    st.sampled_from(list(FEATURES)), st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda w: w != 0), min_size=1
)


@given(weights)
@settings(deadline=None)
def test_a_controller_written_to_a_file_is_read_back(weights):
    made = Controller("@file", weights, 'tuned "by hand"', {"method": "cmaes", "seed": 1})
    assert parse_controller("@file", controller_text(made)) == made


@given(weights)
@settings(deadline=None)
def test_integers_are_the_weights_to_ten_digits(weights):
    made = Controller("any", weights)
    integers = dict(zip(FEATURES, made.integers(), strict=True))
    integers = {f: Decimal(w) if f == "landing_height" else Decimal(w) / 2 for f, w in integers.items()}
    largest = max(made.weights, key=lambda feature: abs(made.weights[feature]))
    assert 10**9 <= abs(integers[largest]) <= 10**10
    shift = 9 - Decimal(repr(made.weights[largest])).adjusted()
    for feature, weight in made.weights.items():
        assert abs(integers[feature] - Decimal(repr(weight)).scaleb(shift)) <= Decimal("0.5")


def test_decimals_of_known_controllers_are_exact():
    assert CONTROLLERS["bcts"].integers()[:2] == [-1263000000, 2 * 660000000]


@pytest.mark.parametrize("name", [*CONTROLLERS, "tuned"])
def test_every_controller_has_a_name_and_says_what_it_is(name):
    found = read_controller(name)
    assert found.name == name
    assert found.about


def test_the_tuned_controller_says_how_it_was_found():
    assert {"method", "rows", "seed", "generations", "mean_lines"} <= set(read_controller("tuned").found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hoels = -1", "'hoels': did you mean 'holes'?"),
        ('holes = "x"', "holes = 'x': expected a number"),
        ("holes = nan", "expected a number"),
        ("holes = 0", "expected a feature with a weight other than 0"),
        ("holes", "expected lines feature = weight"),
        ("about = 3\nholes = 1", "expected about as a text"),
    ],
)
def test_bad_files_of_weights_are_told_in_a_sentence(text, told, tmp_path):
    path = tmp_path / "weights.toml"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_controller(f"@{path}")
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_command_prints_figures_as_json():
    result = run("tetris", "--controller", "four", "--games", 30, "--seed", 7, "--jobs", 2, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["lines"] == list(play_games(FOUR, 30, seed=7).lines)
    assert found["mean_lines"] == pytest.approx(sum(found["lines"]) / 30)
    assert found["interval"][0] < found["mean_lines"] < found["interval"][1]
    assert (found["rows"], found["games"], found["stopped_by"]) == (10, 30, None)


def test_the_command_prints_figures_in_words():
    result = run("tetris", "--controller", "four", "--games", 30, "--rows", 12)
    assert result.exit_code == 0
    assert "four, 10x12, seed 0: 30 games lost" in result.stdout
    assert "95 % interval" in result.stdout


def test_a_replay_in_a_pipe_is_frames_one_after_the_other():
    result = run("tetris", "--controller", "four", "--replay", "--most-frames", 3, "--ascii", "--seed", 7)
    assert result.exit_code == 0
    frames = result.stdout.split("\n\n")
    assert [frame.splitlines()[-1].split("(")[0] for frame in frames] == ["piece 1 ", "piece 2 ", "piece 3 "]
    assert all(len(frame.splitlines()) == 12 for frame in frames)
    assert result.stdout.isascii()


def test_a_replay_goes_to_the_end_of_the_game():
    result = run("tetris", "--controller", "four", "--replay")
    assert result.stdout.splitlines()[-1].startswith("lost after ")


def test_a_limit_that_comes_before_the_end_of_a_game_is_status_3():
    result = run("tetris", "--controller", "dellacherie", "--rows", 20, "--games", 1, "--limit", "seconds=0.1")
    assert result.exit_code == 3
    assert "0 games lost, 1 cut short by the time limit" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sliding", "--controller", "four"], "there are none for sliding"),
        (["tetris", "--controller", "for"], "did you mean 'four'?"),
        (["tetris", "--controller", "@nowhere.toml"], "cannot be read"),
        (["tetris", "--controller", "four", "--rows", "9"], "rows=9: expected 10 to 20"),
        (["tetris", "--controller", "four", "--limit", "nodes=3"], "knows only seconds"),
        (["tetris", "--controller", "four", "--replay", "--json"], "--replay"),
        (["tetris", "empty", "--controller", "four"], "--board"),
        (["tetris", "--games", "3"], "--games: only a --controller takes it"),
    ],
)
def test_bad_requests_are_told_in_a_sentence(arguments, told):
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
