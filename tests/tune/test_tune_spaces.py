"""Spaces of weights and sums of heuristics: what comes out lies where it should, and can be read back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from procura import Sliding, Tetris
from procura.errors import InputError
from procura.tune.files import named_weights, weights_text
from procura.tune.spaces import Space
from procura.tune.sums import read_sum, sum_text

points = st.lists(st.floats(-10, 10), min_size=1, max_size=6)


@given(points)
def test_shares_sum_to_one_and_are_never_negative(point):
    weights = Space("shares", tuple("abcdef"[: len(point)])).onto(point)
    assert all(weight >= 0 for weight in weights)
    assert abs(math.fsum(weights) - 1) < 1e-12


@given(points)
def test_a_box_is_from_0_to_1(point):
    assert all(0 <= weight <= 1 for weight in Space("box", tuple("abcdef"[: len(point)])).onto(point))


@given(points.filter(lambda point: math.hypot(*point) > 1e-3))
def test_a_direction_has_length_one(point):
    assert math.hypot(*Space("sphere", tuple("abcdef"[: len(point)])).onto(point)) == pytest.approx(1, abs=1e-8)


@given(st.sampled_from(["box", "shares", "sphere"]), st.integers(0, 2**63))
def test_random_weights_lie_in_their_space(kind, seed):
    space = Space(kind, ("a", "b", "c"))
    weights = space.random([seed])
    assert space.onto(weights) == pytest.approx(weights, abs=2e-9)


@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 9)), min_size=3, max_size=3))
def test_a_saved_file_gives_the_same_weights_back(weights):
    names = ("misplaced", "sequence", "manhattan")
    assert tuple(read_sum(sum_text(names, weights), {}).values()) == tuple(weights)


def test_the_weights_of_the_reports_are_read_from_their_heuristics():
    assert read_sum("report_h4", Sliding.heuristics) == {"report_h1": 0.05, "report_h2": 0.01, "report_h3": 0.94}
    assert list(read_sum("report1_sum", Tetris.heuristics).values()) == [
        0.17679017, 0.99800133, 0.47329903, 0.36889546,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("max(misplaced, manhattan)", "expected a weighted sum"),
        ("misplaced + 2", "expected a weighted sum"),
        ("misplaced + 2*misplaced", "stands there twice"),
    ],
)
def test_what_is_no_weighted_sum_is_refused(text, told):
    with pytest.raises(InputError, match=told):
        read_sum(text, Sliding.heuristics)


def test_weights_of_other_names_are_refused(tmp_path):
    path = tmp_path / "weights.txt"
    path.write_text(weights_text({"misplaced": 0.5}, ["by hand"]))
    assert named_weights("--against", f"@{path}", ["manhattan", "misplaced"], Sliding.heuristics) == (0.0, 0.5)
    with pytest.raises(InputError, match="these weights have no 'misplaced'"):
        named_weights("--against", f"@{path}", ["manhattan"], Sliding.heuristics)


@pytest.mark.parametrize(("kind", "names"), [("cube", ("a",)), ("box", ()), ("box", ("a", "a"))])
def test_a_space_that_is_none_is_refused(kind, names):
    with pytest.raises(InputError):
        Space(kind, names)
