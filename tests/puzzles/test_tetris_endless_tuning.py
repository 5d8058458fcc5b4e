"""Tuning controllers: better weights, the same for the same seed, and nothing lost when a run is killed."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest

from procura.errors import InputError
from procura.puzzles.tetris.endless import CONTROLLERS, Controller, play_games
from procura.puzzles.tetris.endless.optimisers import METHODS, CrossEntropy, unit
from procura.puzzles.tetris.endless.tuning import tune_controller

FEATURES = list(CONTROLLERS["four"].weights)
needs_cmaes = pytest.mark.skipif(importlib.util.find_spec("cmaes") is None, reason="the package cmaes is not there")
methods = pytest.mark.parametrize("method", ["cross-entropy", pytest.param("cmaes", marks=needs_cmaes)])
SMALL = {"games": 4, "population": 8, "seed": 3}


def test_the_cross_entropy_method_finds_the_best_direction():
    target = unit([1.0, -2.0, 0.5])
    optimiser = CrossEntropy([0.0, 0.0, 1.0], seed=1, population=40)
    for _ in range(60):
        candidates = optimiser.ask()
        optimiser.tell(candidates, [sum(a * b for a, b in zip(c, target, strict=True)) for c in candidates])
    assert sum(a * b for a, b in zip(optimiser.centre(), target, strict=True)) > 0.99


def test_candidates_lie_on_the_unit_sphere():
    for candidate in CrossEntropy(unit([1.0, 2.0]), seed=5, population=10).ask():
        assert sum(value * value for value in candidate) == pytest.approx(1)


@methods
def test_the_same_seed_gives_the_same_controller_whatever_the_threads(method, tmp_path):
    runs = []
    for jobs in (1, 2):
        journal = tmp_path / f"{jobs}.jsonl"
        made = tune_controller(FEATURES, 10, method, generations=3, jobs=jobs, journal=str(journal), **SMALL)
        runs.append((made, journal.read_bytes()))
    assert runs[0] == runs[1]


@methods
@pytest.mark.parametrize("torn", [b"", b'{"generation": 3, "cand'])
def test_a_killed_run_goes_on_where_it_ended(method, torn, tmp_path):
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    expected = tune_controller(FEATURES, 10, method, generations=4, journal=str(whole), **SMALL)
    lines = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[:3]) + torn)
    seen = []
    made = tune_controller(FEATURES, 10, method, generations=4, journal=str(broken), on_progress=seen.append, **SMALL)
    assert made == expected
    assert broken.read_bytes() == whole.read_bytes()
    assert [generation.number for generation in seen] == [3, 4]


def test_tuning_finds_weights_that_play_much_better_than_its_start():
    made = tune_controller(FEATURES, 10, "cross-entropy", generations=8, games=5, population=20, seed=1)
    start = Controller("start", {"height": -1, "lines": 1, "holes": -1, "bumpiness": -1})
    assert play_games(made, 300, seed=99).interval[0] > play_games(start, 300, seed=99).interval[1]
    assert made.found["generations"] == 8
    assert sum(weight**2 for weight in made.weights.values()) == pytest.approx(1, abs=1e-4)


def test_the_journal_has_the_settings_and_a_line_a_generation(tmp_path):
    journal = tmp_path / "journal.jsonl"
    tune_controller(FEATURES, 10, "cross-entropy", generations=2, journal=str(journal), **SMALL)
    header, *generations = map(json.loads, journal.read_text().splitlines())
    assert (header["features"], header["rows"], header["seed"]) == (FEATURES, 10, 3)
    assert [record["generation"] for record in generations] == [1, 2]
    assert all(len(record["candidates"]) == len(record["means"]) == 8 for record in generations)


def test_a_journal_of_other_settings_is_refused(tmp_path):
    journal = tmp_path / "journal.jsonl"
    tune_controller(FEATURES, 10, "cross-entropy", generations=1, journal=str(journal), **SMALL)
    with pytest.raises(InputError, match="has seed 3: expected 4"):
        tune_controller(FEATURES, 10, "cross-entropy", generations=1, journal=str(journal), **{**SMALL, "seed": 4})


def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("buy milk\n")
    with pytest.raises(InputError, match="line 1: expected a JSON object"):
        tune_controller(FEATURES, 10, "cross-entropy", generations=1, journal=str(path), **SMALL)
    assert path.read_text() == "buy milk\n"


def test_cancel_ends_a_run_with_the_generations_it_has():
    seen = []
    made = tune_controller(
        FEATURES, 10, "cross-entropy", generations=50, cancel=lambda: len(seen) >= 2, on_progress=seen.append, **SMALL
    )
    assert made.found["generations"] == 2


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"features": ["hoels"]}, "did you mean 'holes'?"),
        ({"features": []}, "expected some, each once"),
        ({"method": "cma"}, "there is no method 'cma'"),
        ({"games": 0}, "games=0"),
        ({"rows": 9}, "rows=9"),
        ({"generations": None}, "tuning needs an end"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(changes, told):
    arguments = {"features": FEATURES, "method": "cross-entropy", "generations": 1, **changes}
    with pytest.raises(InputError) as raised:
        tune_controller(**arguments)
    assert told in str(raised.value)


def test_without_the_package_cmaes_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(InputError, match=r"method cmaes needs the package cmaes: pip install 'procura\[tune\]'"):
        METHODS["cmaes"]([0.6, 0.8], 0, None)
