"""Methods: they find what there is to find, repeat themselves exactly, and the report's scheme is the report's."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given, settings, strategies as st

from procura.errors import InputError
from procura.tune.genetic import PRESETS, Report, best_of
from procura.tune.methods import METHODS, CrossEntropy, make_method
from procura.tune.spaces import Space

BOX = Space("box", ("a", "b", "c"))
TARGET = (0.2, 0.9, 0.4)


def closeness(weights):
    return -sum((a - b) ** 2 for a, b in zip(weights, TARGET, strict=True))


def generations(method, count, score=closeness):
    """What a method asks in so many generations."""
    asked = []
    for _ in range(count):
        candidates = method.ask()
        asked.append(candidates)
        method.tell(candidates, [score(weights) for weights in candidates])
    return asked


@pytest.mark.parametrize("name", [name for name in METHODS if name != "random"])
def test_a_method_comes_closer_than_random_weights(name):
    count = {"tpe": 15, "cross-entropy": 6}.get(name, 10)
    found = max(closeness(w) for g in generations(make_method(name, BOX, 3, None, []), count) for w in g)
    assert found > -0.01


@pytest.mark.parametrize("name", METHODS)
def test_the_same_seed_asks_the_same_and_another_does_not(name):
    first, again, other = (generations(make_method(name, BOX, seed, 6, []), 4) for seed in (7, 7, 8))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", ["box", "shares", "sphere"])
def test_every_candidate_lies_in_the_space(name, kind):
    space = Space(kind, ("a", "b", "c"))
    for candidates in generations(make_method(name, space, 1, 6, []), 3):
        for weights in candidates:
            assert space.onto(weights) == pytest.approx(weights, abs=2e-9)


@pytest.mark.parametrize("name", METHODS)
def test_the_bar_is_never_above_the_best_so_far(name):
    method = make_method(name, BOX, 5, 6, [])
    assert method.bar() is None
    best = float("-inf")
    for _ in range(5):
        candidates = method.ask()
        scores = [closeness(weights) for weights in candidates]
        best = max(best, *scores)
        method.tell(candidates, scores)
        assert method.bar() is None or method.bar() <= best


@pytest.mark.parametrize("name", ["random", "genetic", "tpe"])
def test_a_start_is_the_first_candidate(name):
    assert make_method(name, BOX, 5, 6, [TARGET]).ask()[0] == TARGET


@pytest.mark.parametrize("name", ["cmaes", "cross-entropy"])
def test_a_start_is_the_first_centre(name):
    assert make_method(name, BOX, 5, 6, [TARGET]).centre() == TARGET


def test_the_cross_entropy_method_finds_the_best_direction():
    sphere = Space("sphere", ("a", "b", "c"))
    target = sphere.onto([1.0, -2.0, 0.5])
    method = CrossEntropy(sphere, 1, 40, [(0.0, 0.0, 1.0)])
    generations(method, 60, lambda weights: sum(a * b for a, b in zip(weights, target, strict=True)))
    assert sum(a * b for a, b in zip(method.centre(), target, strict=True)) > 0.99


def noise(weights):
    """A score that has nothing to do with the weights, the same for the same."""
    return random.Random(repr(weights)).random()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_as_run_every_child_has_its_weights_from_the_first_five(seed):
    asked = generations(PRESETS["report"](BOX, seed, None, []), 12, noise)
    assert [len(candidates) for candidates in asked] == [41] + [10] * 11
    ranked = sorted(asked[0], key=lambda weights: -noise(weights))[:5]
    for candidates in asked[1:]:
        for child in candidates[:9]:
            assert all(child[i] in {parent[i] for parent in ranked} for i in range(3))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_as_meant_every_child_has_its_weights_from_the_best_five_so_far(seed):
    asked = generations(PRESETS["report-as-meant"](BOX, seed, None, []), 12, noise)
    kept = []
    for candidates in asked:
        for child in candidates[:9] if kept else []:
            assert all(child[i] in {parent[i] for parent in kept} for i in range(3))
        pool = dict.fromkeys([*kept, *candidates])
        kept = sorted(pool, key=lambda weights: -noise(weights))[:5]


def test_as_run_and_as_meant_differ_only_after_a_newcomer_is_better():
    ran, meant = (generations(PRESETS[name](BOX, 4, None, []), 8) for name in ("report", "report-as-meant"))
    assert ran[:2] == meant[:2]
    assert ran != meant


def test_the_report_begins_from_the_five_best_that_it_is_given():
    start = [(i / 10, 0.5, 0.5) for i in range(7)]
    assert Report(BOX, 1, None, start, as_run=True).ask() == start[:5]


def test_the_report_fills_up_fewer_to_start_from():
    first = Report(BOX, 1, None, [TARGET], as_run=True).ask()
    assert first[0] == TARGET and len(first) == len(set(first)) == 41


@given(st.lists(st.tuples(st.integers(0, 3), st.tuples(st.integers(0, 3))), max_size=20), st.integers(1, 6))
def test_the_best_are_ranked_as_a_plain_sort_ranks_them(told, count):
    expected = []
    for score, weights in sorted(told, key=lambda one: -one[0]):
        if weights not in [other for _, other in expected]:
            expected.append((score, weights))
    assert best_of(told, count) == expected[:count]


@pytest.mark.parametrize(
    ("name", "population", "preset", "told"),
    [
        ("cma", None, None, "there is no method 'cma'"),
        ("genetic", 1, None, "population=1"),
        ("genetic", None, "reprot", "did you mean 'report'?"),
        ("random", None, "report", "only the method genetic has presets"),
        ("cmaes", 3, None, "population=3"),
    ],
)
def test_a_method_that_cannot_be_made_is_told_in_a_sentence(name, population, preset, told):
    with pytest.raises(InputError) as raised:
        make_method(name, BOX, 0, population, [], preset)
    assert told in str(raised.value)


@pytest.mark.parametrize(("name", "package"), [("cmaes", "cmaes"), ("tpe", "optuna")])
def test_a_package_that_is_missing_is_named(name, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"needs the package {package}: pip install 'procura\[tune\]'"):
        make_method(name, BOX, 0, None, []).ask()
