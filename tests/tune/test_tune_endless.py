"""Tuning controllers of endless play: better weights, the same for the same seed, and nothing lost when it is ended."""

from __future__ import annotations

import math
import statistics

import pytest
from processes import run
from tune_helpers import trials

from procura.cli.endless.tune import words
from procura.errors import InputError
from procura.puzzles.tetris.endless import CONTROLLERS, FEATURES, Controller, play_games, read_controller
from procura.puzzles.tetris.endless.controllers import controller_text, parse_controller
from procura.rng import stream
from procura.tune.endless import EndlessObjective, read_features, tune_controller
from procura.tune.spaces import Space
from procura.tune.tuning import Budget, NothingFound

FOUR = tuple(CONTROLLERS["four"].weights)
SMALL = {"games": 4, "population": 8, "seed": 3}
methods = pytest.mark.parametrize("method", ["cross-entropy", "cmaes"])


def small(method="cmaes", rounds=2, journal=None, **more):
    given = {**SMALL, **more}
    return tune_controller(
        FOUR, 10, method, budget=Budget(rounds=rounds), journal=None if journal is None else str(journal), **given
    )


@methods
def test_the_same_seed_gives_the_same_controller_whatever_the_processes(method, tmp_path):
    made = [small(method, journal=tmp_path / f"{jobs}.log", jobs=jobs) for jobs in (None, 2)]
    assert made[0] == made[1]
    assert trials(tmp_path / "None.log") == trials(tmp_path / "2.log")


@methods
def test_a_run_that_goes_on_finds_what_one_that_was_never_ended_finds(method, tmp_path):
    path = tmp_path / "kept.log"
    small(method, rounds=0, journal=path)
    before = trials(path)
    assert small(method, rounds=2, journal=path) == small(method, rounds=2)
    assert trials(path)[: len(before)] == before


def test_candidates_of_a_generation_play_the_same_games_and_the_next_generation_others():
    objective = EndlessObjective(Space("sphere", FOUR), 10, 3)
    weights = tuple(CONTROLLERS["four"].weights.values())
    first, second = (objective.evaluate(weights, {"games": [number, 0], "count": 4}) for number in (1, 2))
    assert first == objective.evaluate(weights, {"games": [1, 0], "count": 4}) != second
    assert first[2:] == objective.evaluate(weights, {"games": [1, 2], "count": 2})
    assert first == list(play_games(CONTROLLERS["four"], 4, seed=stream(3, 1)).lines)


def test_the_best_quarter_plays_again_and_is_ranked_by_all_its_games(tmp_path):
    path = tmp_path / "kept.log"
    small(journal=path, rounds=0)
    first, again = ([t for t in trials(path) if (".again." in t[0]) == late] for late in (False, True))
    assert len(first) == 8 and len(again) == 2
    ranked = sorted(first, key=lambda trial: -trial[2])
    assert {trial[1] for trial in again} == {trial[1] for trial in ranked[:2]}
    for trial in again:
        before = next(other for other in first if other[1] == trial[1])
        assert trial[2] == pytest.approx(sum(before[3] + trial[3]) / 16) and len(trial[3]) == 12


def test_tuning_finds_weights_that_play_much_better_than_its_start():
    made = tune_controller(FOUR, 10, "cmaes", budget=Budget(rounds=7), games=5, population=16, seed=1)
    start = Controller("start", {"height": -1, "lines": 1, "holes": -1, "bumpiness": -1})
    assert play_games(made, 300, seed=99).interval[0] > play_games(start, 300, seed=99).interval[1]
    assert made.found["generations"] == 8
    assert sum(weight**2 for weight in made.weights.values()) == pytest.approx(1, abs=1e-8)


def test_the_figures_come_from_games_that_chose_nothing():
    made = small()
    games = [stream(stream(3, 0), 40 + game) for game in range(40)]
    assert made.found["games_of_the_mean"] == len(games)
    objective = EndlessObjective(Space("sphere", FOUR), 10, 3)
    lines = objective.evaluate(tuple(made.weights.values()), {"games": [0, 40], "count": 40})
    assert made.found["mean_lines"] == round(sum(lines) / 40, 1)
    assert made.found["standard_error"] == round(statistics.stdev(lines) / math.sqrt(40), 1)
    assert parse_controller("saved", controller_text(made)).weights == made.weights


@pytest.mark.parametrize(("text", "count"), [("4", 4), ("6", 6), ("8", 8), ("9", 9), ("12", 12), ("15", 15)])
def test_a_number_of_features_is_a_known_set(text, count):
    names = read_features(text)
    assert len(names) == count and set(names) <= set(FEATURES) - {"points"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"features": ["hoels"]}, "did you mean 'holes'?"),
        ({"features": []}, "expected some, each once"),
        ({"features": ["5"]}, "expected 4, 6, 8, 9, 12, 15, or names"),
        ({"method": "genetic"}, "endless play has no method 'genetic'"),
        ({"games": 0}, "games=0"),
        ({"rows": 5}, "rows=5"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(changes, told):
    with pytest.raises(InputError) as raised:
        tune_controller(**{"features": FOUR, "budget": Budget(rounds=1), **changes})
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("features", "rows", "told"),
    [
        (FOUR, 8, "has --size with rows 10: expected 8, as in this run"),
        (FOUR[:2], 10, f"has --features {' '.join(FOUR)}: expected {' '.join(FOUR[:2])}, as in this run"),
    ],
)
def test_a_journal_of_another_board_or_other_features_is_refused_by_the_name_of_the_option(
    features, rows, told, tmp_path
):
    path = tmp_path / "kept.log"
    small(rounds=0, journal=path)
    with pytest.raises(InputError) as raised:
        tune_controller(features, rows, budget=Budget(rounds=1), journal=str(path), **SMALL)
    assert told in str(raised.value)


def test_only_a_start_that_is_given_is_searched_near(tmp_path):
    def spread(name, **more):
        small(rounds=0, journal=tmp_path / name, **more)
        first = [dict(weights) for slot, weights, *_ in trials(tmp_path / name) if ".again." not in slot]
        return max(w["height"] for w in first) - min(w["height"] for w in first)

    same = Controller("same", {"height": -1, "lines": 1, "holes": -1, "bumpiness": -1})
    assert spread("guess") > 2 * spread("start", start=same)


def test_time_that_is_over_at_once_finds_nothing():
    with pytest.raises(NothingFound):
        tune_controller(FOUR, budget=Budget(seconds=0), **SMALL)


def test_cancel_ends_a_run_with_the_generations_it_has():
    seen = []

    class Seen:
        def generation(self, done):
            seen.append(done)

        def __getattr__(self, name):
            return lambda *arguments: None

    made = small(rounds=50, cancel=lambda: len(seen) >= 2, follower=Seen())
    assert made.found["generations"] == 2 and "mean_lines" not in made.found
    assert made.found["interrupted"] and made.found["judged"] is False
    assert parse_controller("saved", controller_text(made)).found == made.found
    told = words(made, journal="kept.log", out=None)
    assert told.endswith("not judged by final games: start it again on its --journal to go on")


def test_a_budget_of_trials_is_spent_in_whole_generations_of_candidates():
    seen = []

    class Seen:
        def generation(self, done):
            seen.append(done.trials)

        def __getattr__(self, name):
            return lambda *arguments: None

    tune_controller(FOUR, 10, budget=Budget(trials=20), follower=Seen(), **SMALL)
    assert seen == [8, 16]


def test_the_saved_controller_plays(tmp_path):
    out = tmp_path / "mine.toml"
    options = ("--features", 4, "--rounds", 1, "--population", 8, "--games", 4, "--jobs", 1, "--out", out)
    done = run("endless", "tune", *options)
    assert done.returncode == 0 and "games that chose nothing" in done.out, done.err
    made = read_controller(f"@{out}")
    assert set(made.weights) == set(FOUR) and made.found["method"] == "cmaes"
    assert len(play_games(made, 3).lines) == 3
