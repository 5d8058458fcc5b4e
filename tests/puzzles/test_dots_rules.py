"""Dots keeps the rules: against counting by hand, in both orders; and its options, generator and samples."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from dots_reference import ORDERS, boxes_of, closed_boxes, empty, lists_of, problems
from hypothesis import given, settings, strategies as st

from procura import catalog, testing
from procura.errors import InputError
from procura.puzzles.dots import Dots
from procura.puzzles.dots.samples import samples


def boxes_left(problem: Dots, state: Any, move: int) -> int:
    """The boxes that need no skipped arc once the move is made in canonical order."""
    skipped = {arc for arc, value in enumerate(state[:-1]) if value == 2 or (value == 0 and arc < move)}
    return sum(not box & skipped for box in boxes_of(problem))


@given(problems(), st.data())
def test_every_play_keeps_the_rules(problem: Dots, data: Any) -> None:
    state = problem.initial
    assert tuple(lists_of(problem, state)) == problem.board
    while True:
        assert state[-1] == closed_boxes(lists_of(problem, state))
        assert problem.is_goal(state) == (state[-1] >= problem.target)
        free = [arc for arc, value in enumerate(state[:-1]) if value == 0]
        if problem.order == "canonical":
            free = [arc for arc in free if boxes_left(problem, state, arc) >= problem.target]
        moves = problem.actions(state)
        assert moves == free
        if not moves:
            assert problem.is_goal(state)
            return
        move = data.draw(st.sampled_from(moves))
        after, cost = problem.step(state, move)
        assert cost == 1
        for arc, (old, new) in enumerate(zip(state[:-1], after[:-1], strict=True)):
            skipped = problem.order == "canonical" and old == 0 and arc < move
            assert new == (1 if arc == move else 2 if skipped else old)
        state = after


def test_arcs_are_numbered_list_by_list_and_the_horizontal_ones_come_first() -> None:
    problem = Dots(empty(2, 3), 1, "any")
    actions = [problem.action_to_json(arc) for arc in problem.actions(problem.initial)]
    assert actions[:4] == [["h", 0, 0], ["h", 0, 1], ["h", 0, 2], ["h", 1, 0]]
    assert actions[9:12] == [["v", 0, 0], ["v", 0, 1], ["v", 1, 0]]
    assert [problem.action_from_json(action) for action in actions] == list(range(17))


@pytest.mark.parametrize("target", [0, 1, 2])
def test_canonical_order_reaches_each_set_of_arcs_that_meets_the_target_by_one_path(target: int) -> None:
    def walk(state: Any) -> None:
        reached[frozenset(arc for arc in range(7) if state[arc] == 1)] += 1
        for _, after, _ in problem.successors(state):
            walk(after)

    problem, reached = Dots(empty(1, 2), target), Counter[frozenset[int]]()
    walk(problem.initial)
    assert set(reached.values()) == {1}
    every = [frozenset(arc for arc in range(7) if bits >> arc & 1) for bits in range(2**7)]
    assert set(reached) >= {arcs for arcs in every if sum(box <= arcs for box in boxes_of(problem)) >= target}


def test_large_boards_count_their_boxes_in_more_bits() -> None:
    problem = Dots([[[1] * 12] * 13, [[1] * 12] * 13], 144)
    assert problem.dtype == "int16" and problem.initial[-1] == 144 and problem.is_goal(problem.initial)
    assert problem.actions(problem.initial) == []
    assert Dots(empty(11, 11), 1).dtype == "int8"


@settings(max_examples=10, deadline=None)
@given(problems(4, 4), st.integers(0, 99))
def test_the_conformance_kit_finds_nothing_wrong(problem: Dots, seed: int) -> None:
    testing.check(problem, walks=3, seed=seed, engines=False)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("board", [empty(2, 2), [[[1, 0], [0, 1], [1, 1]], [[0, 1], [1, 0], [0, 0]]]])
def test_both_engines_agree(board: Any, order: str) -> None:
    assert testing.check(Dots(board, 2, order), walks=5).runs


@given(problems(), st.data())
def test_options_change_and_the_board_stays(problem: Dots, data: Any) -> None:
    boxes = data.draw(st.integers(0, problem.rows * problem.columns))
    order = data.draw(st.sampled_from(ORDERS))
    other = problem.with_options(boxes=boxes, order=order)
    assert (other.board, other.target, other.order) == (problem.board, boxes, order)
    same = problem.with_options()
    assert (same.board, same.target, same.order) == (problem.board, problem.target, problem.order)


def test_options_are_checked() -> None:
    problem = Dots(empty(1, 2), 1)
    with pytest.raises(InputError, match="the target is 3: expected 0 to 2"):
        problem.with_options(boxes=3)
    with pytest.raises(InputError, match="order 'random': expected canonical, any or report"):
        problem.with_options(order="random")
    with pytest.raises(InputError, match="a board that is there takes no option 'foo': expected one of boxes, order"):
        problem.with_options(foo=1)


@given(st.integers(0, 2**64), st.integers(1, 6), st.integers(1, 6), st.data())
def test_random_problems_are_as_asked_and_the_same_for_the_same_seed(
    seed: int, rows: int, columns: int, data: Any
) -> None:
    arcs = 2 * rows * columns + rows + columns
    drawn = data.draw(st.integers(1, arcs) | st.floats(0, 1, exclude_max=True))
    problem = Dots.generate(seed, size=f"{rows}x{columns}", drawn=drawn)
    assert (problem.rows, problem.columns) == (rows, columns)
    assert sum(problem.arcs) == (drawn if drawn >= 1 else round(drawn * arcs))
    closed, target = problem.initial[-1], problem.target
    assert target - closed in (rows * columns - target, rows * columns - target + 1)
    assert Dots.generate(seed, size=(rows, columns), drawn=drawn).board == problem.board


def test_random_problems_differ_by_seed_and_take_a_target() -> None:
    boards = [Dots.generate(seed, size="3x4", boxes=5) for seed in range(20)]
    assert {problem.target for problem in boards} == {5}
    assert len({problem.board_text() for problem in boards}) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "4"}, "size '4': expected rows and columns of boxes, such as 3x4"),
        ({"size": (1, 2, 3)}, "expected rows and columns"),
        ({"size": "0x3"}, "size 0x3: expected at least 1x1"),
        ({"size": "9999x9999"}, "expected at most 1200"),
        ({"drawn": 41}, "drawn 41: expected a part below 1, or a number of lines up to 40"),
        ({"drawn": 1.5}, "drawn 1.5: expected"),
        ({"drawn": -1}, "drawn -1: expected"),
        ({"drawn": float("nan")}, "drawn nan: expected"),
        ({"drawn": "many"}, "drawn 'many': expected"),
        ({"boxes": 17}, "the target is 17: expected 0 to 16"),
        ({"boxes": "3"}, "the target is '3': expected a number of boxes"),
    ],
)
def test_bad_options_of_the_generator_are_named(options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Dots.generate(1, **options)


def test_the_catalog_knows_samples_and_generator() -> None:
    entry = catalog.puzzle("dots")
    assert entry.samples() == samples
    made = Dots.generate(5, **{option.name: option.default for option in entry.generator})
    assert made.board_text() == Dots.generate(5).board_text()


@pytest.mark.parametrize(
    ("name", "size", "drawn", "closed", "target"),
    [
        ("small-3x3", (3, 3), 8, 0, 3),
        ("easy-4x4", (4, 4), 25, 4, 7),
        ("hard-4x4", (4, 4), 22, 1, 10),
        ("empty-4x5", (4, 5), 0, 0, 10),
        ("hard-6x6", (6, 6), 43, 3, 20),
        ("sparse-7x7", (7, 7), 3, 0, 35),
    ],
)
def test_samples_have_the_sizes_and_targets_of_the_report(
    name: str, size: Any, drawn: int, closed: int, target: int
) -> None:
    problem = Dots(**samples[name])
    assert (problem.rows, problem.columns) == size
    assert (sum(problem.arcs), problem.initial[-1], problem.target) == (drawn, closed, target)
