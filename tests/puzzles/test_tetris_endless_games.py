"""Games of controllers: the same for the same seed, whatever the threads; their figures; controllers from files."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings, strategies as st
from slowly import quick

from procura.errors import InputError
from procura.puzzles.tetris.endless import CONTROLLERS, FEATURES, Controller, Games, play_games, read_controller
from procura.puzzles.tetris.endless.controllers import controller_text, parse_controller
from procura.puzzles.tetris.endless.games import ratio

FOUR = CONTROLLERS["four"]


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


FIGURES = {
    ("report1", 10, 1): (5, 4, 7, 9),
    ("four", 10, 1): (54, 121, 273, 264),
    ("four", 6, 3): (3117, 1365, 2340, 6526),
    ("dellacherie", 8, 1): (90, 554, 453, 98),
    ("bcts", 8, 1): (460, 545, 1851, 3356),
    ("dt10", 8, 1): (275, 631, 841, 179),
    ("dt10", 6, 2): (1765, 2988, 872, 3760),
}
"""The lines of four games of seed 26, by controller, rows and known pieces."""


@pytest.mark.parametrize(
    ("name", "rows", "known"), quick(("report1", 10, 1), ("four", 10, 1), ("four", 6, 3), of=FIGURES)
)
def test_the_same_seed_gives_the_same_games_on_every_machine(name, rows, known):
    games = play_games(read_controller(name), 4, rows=rows, seed=26, known=known)
    assert games.lines == FIGURES[name, rows, known]


def test_games_can_begin_at_any_number():
    assert play_games(FOUR, 3, seed=7, first=5).lines == play_games(FOUR, 8, seed=7).lines[5:]


def test_games_are_cut_short_at_the_most_pieces():
    whole, cut = play_games(FOUR, 20, seed=7), play_games(FOUR, 20, seed=7, most_pieces=100, jobs=2)
    assert 0 < len(cut.lines) < 20 and cut.cut_short == 20 - len(cut.lines)
    assert cut.lines == tuple(lines for lines in whole.lines if lines in cut.lines)
    assert cut.pieces <= 100 * 20 and cut.stopped_by is None
    assert cut.mean == (sum(cut.lines) + cut.cut_lines) / len(cut.lines)


def test_who_knows_more_pieces_plays_longer():
    means = [play_games(FOUR, 30, rows=6, seed=3, known=known).mean for known in (1, 2, 3)]
    assert means[0] < means[1] < means[2]


def test_a_ratio_of_the_same_games_is_nearer_than_one_of_others():
    games = play_games(FOUR, 100, seed=1)
    same = ratio(games, games)
    assert (same.value, same.interval, same.paired) == (1, (1, 1), True)
    other = ratio(games, play_games(FOUR, 100, seed=2))
    assert not other.paired and other.interval[0] < other.value < other.interval[1]


def test_a_paired_ratio_has_the_error_of_the_differences():
    found = ratio(games_of([10, 20, 60]), games_of([5, 10, 15]))
    differences = [10 / 30 - 0.5, 20 / 30 - 1, 60 / 30 - 1.5]
    error = math.sqrt(sum(each**2 for each in differences) / 2 / 3)
    assert found.value == 3 and found.paired
    low, high = found.interval
    assert math.log(high / 3) == pytest.approx(1.96 * error) and low * high == pytest.approx(9)


def test_games_that_were_stopped_between_two_are_not_paired():
    """Threads may have left different ones out."""
    whole, stopped = games_of([10, 20, 60]), replace(games_of([5, 10, 15]), stopped_by="time")
    assert ratio(whole, whole).paired
    assert not any(ratio(*pair).paired for pair in ((whole, stopped), (stopped, whole), (stopped, stopped)))


def test_there_is_no_ratio_without_a_lost_game():
    assert ratio(games_of([]), games_of([1])) is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rows": 5}, "rows=5"),
        ({"known": 6}, "known=6"),
        ({"games": 0}, "games=0"),
        ({"most_pieces": -1}, "most_pieces=-1"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(given, told):
    with pytest.raises(InputError, match=told):
        play_games(FOUR, **given)


@pytest.mark.slow
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
