"""Keys of results: what a run was asked to do; an option added later changes none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from procura import Configuration, Limits, catalog, configuration
from procura.catalog import Option
from procura.study.runs import KEYED, Run, search_of
from procura.study.store import read_results

STUDIES = Path(__file__).parents[2] / "studies"
NAMES = sorted(path.stem for path in STUDIES.glob("*.toml"))
KEYS = {
    "bfs": "23806a7fc4280f9f573ebeda",
    "dfs": "1c6be16ca4c38c670ca7b1ec",
    "iddfs": "8f82653b1c49b6eac9db74d2",
    "ucs": "3429c38c6a5b067323f653d4",
    "greedy": "cf8120df7335d590d370bf14",
    "astar": "710f1bcbdf5e7de40670aa86",
    "idastar": "ffd8b87c843273c0579aa089",
    "beam": "b56fc59e4e596f7eff822f07",
    "hill": "2a84c46fa7cb4533d41fd7ba",
    "annealing": "fef1a1605000be662b0e601d",
    "genetic": "6fd3c14b4aff22b23cc3e456",
}
"""Keys of the first version, by algorithm: results of its users have them."""


def run_of(text):
    """A small run."""
    search = Configuration.parse(text)
    return Run("sliding", None, "1 2 3 4 5 6 7 0 8", {"goal": "spiral"}, (search,), "python", None, 1, Limits(5.0))


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_those_of_the_first_version(name):
    assert run_of(name).key == KEYS[name]


@pytest.mark.parametrize("name", NAMES)
def test_searches_of_shipped_results_are_keyed_as_they_were(name):
    records = read_results(STUDIES / f"{name}.results.jsonl").records
    assert records
    for record in records.values():
        for search in record["run"]["searches"]:
            told = Configuration.parse(search["algorithm"], search["heuristic"], search["options"])
            assert search_of(told) == search


@pytest.fixture
def later(monkeypatch):
    """A later version, whose A* has one option more, and one algorithm more that has an option."""
    option = Option("novelty", "int", 0, "what a later version brings", low=0)
    astar = replace(catalog.ALGORITHMS["astar"], options=(option, *catalog.ALGORITHMS["astar"].options))
    newest = replace(catalog.ALGORITHMS["bfs"], name="newest", options=(option,))
    monkeypatch.setattr(catalog, "ALGORITHMS", {**catalog.ALGORITHMS, "astar": astar, "newest": newest})
    configuration._parsed.cache_clear()
    yield
    configuration._parsed.cache_clear()


def test_an_option_added_later_stays_out_of_the_key_at_its_default(later):
    assert Configuration.parse("astar").all_options["novelty"] == 0
    assert run_of("astar").key == run_of("astar,novelty=0").key == KEYS["astar"]
    assert run_of("astar,novelty=3").key != KEYS["astar"]
    assert search_of(Configuration.parse("newest"))["options"] == {}
    assert search_of(Configuration.parse("newest,novelty=3"))["options"] == {"novelty": 3}


def test_values_that_mean_the_same_have_one_key():
    assert run_of("astar,weight=1.50,ties=lifo").key == run_of("astar:zero,weight=1.5").key
    assert run_of("astar,weight=1.5").key != run_of("astar").key


def test_options_in_keys_are_all_in_the_catalog():
    for name, options in KEYED.items():
        assert set(options) <= {option.name for option in catalog.ALGORITHMS[name].options}
