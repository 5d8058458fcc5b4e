"""Beam search: what it keeps, what it proves, and when it goes on."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from slowly import slow
from spaces import Graph, least_costs, random_graph, true_h

from procura import InputError, Limits, Outcome, Sliding, Tetris, kernel, solve
from procura.compiled.beam import least_first

relaxed = settings(deadline=None, max_examples=60)
MOODLE_2 = Sliding("12 1 5 4 9 14 6 10 3 15 13 2 11 8 0 7", goal="spiral")


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_wide_beam_is_breadth_first_search_and_proves_as_much(engine):
    board = Sliding("8 1 3 4 0 2 7 6 5")
    beam, bfs = (solve(board, name, engine=engine) for name in ("beam,width=1000000", "bfs"))
    assert (beam.cost, beam.optimal, beam.bound) == (bfs.cost, True, bfs.cost)


def test_a_narrow_beam_gives_a_longer_solution_and_a_true_bound():
    narrow, wide = (solve(MOODLE_2, "beam:manhattan", width=width) for width in (10, 1000))
    assert narrow.solved and not narrow.optimal and narrow.bound <= 36 < narrow.cost
    assert (wide.cost, wide.optimal) == (36, True)


def test_widening_ends_with_a_proof():
    result = solve(MOODLE_2, "beam:manhattan", width=2, widen=True)
    assert (result.cost, result.optimal) == (36, True)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_beam_that_dropped_something_proves_no_lack_of_solutions(engine):
    no_way = Graph(4, {(0, 0): (1, 1), (0, 1): (2, 1)})
    narrow, wide = (solve(no_way, "beam", width=width, engine=engine) for width in (1, 2))
    assert (narrow.outcome, narrow.stopped_by) == (Outcome.NOT_FOUND, None)
    assert wide.outcome is Outcome.NO_SOLUTION


@given(
    seed=st.integers(0, 10**6),
    low=st.sampled_from([-5, 0, 1]),
    width=st.integers(1, 12),
    slack=st.integers(0, 5),
    truthful=st.booleans(),
    widen=st.booleans(),
    order=st.sampled_from(["f", "h"]),
    nodes=st.sampled_from([None, 5, 20]),
)
@relaxed
def test_what_it_proves_is_true_on_random_graphs(seed, low, width, slack, truthful, widen, order, nodes):
    facts = {"vertices": 14, "low": low, "acyclic": low < 0}
    arcs = random_graph(seed, **facts)[1]
    least = least_costs(14, arcs)
    h = true_h(seed, least, slack) if truthful else None
    graph, _ = random_graph(seed, **facts, h=h, admissible=truthful)
    result = solve(
        graph, "beam:table", width=width, widen=widen, order=order, engine="python", limits=Limits(nodes=nodes)
    )
    if result.outcome is Outcome.NO_SOLUTION:
        assert least[0] is None
    if result.bound is not None and least[0] is not None:
        assert result.bound <= least[0]
    if result.solved:
        assert result.cost >= least[0]
        assert not result.optimal or result.cost == least[0]
    if widen and nodes is None:
        assert result.outcome is (Outcome.NO_SOLUTION if least[0] is None else Outcome.SOLVED)


@pytest.mark.parametrize("engine", ["python", *slow("compiled")])
def test_it_goes_on_after_the_first_solution_where_steps_differ_in_cost(engine):
    """On the board of test 25 a beam meets worse solutions before the best, which it can prove."""
    board = "\n".join(["###...####"] * 3 + ["####..####"])
    result = solve(Tetris(board, "tll"), "beam:quality_bound", width=100_000, engine=engine)
    best = solve(Tetris(board, "tll"), "astar:quality_bound")
    assert (result.cost, result.optimal) == (best.cost, True)


@pytest.mark.slow
def test_a_beam_with_an_answer_at_its_limit_is_solved_and_says_what_stopped_it():
    problem = Tetris("empty", "tljiliszot")
    result = solve(problem, "beam:quality_bound", width=10, widen=True, limits=Limits(nodes=3000))
    assert (result.outcome, result.stopped_by, result.optimal) == (Outcome.SOLVED, "nodes", False)
    assert result.bound <= result.cost


def test_negative_costs_with_states_that_recur_are_refused():
    graph, _ = random_graph(1, low=-3)
    with pytest.raises(InputError, match="states that recur"):
        solve(graph, "beam")


def test_a_start_that_is_a_goal_costs_nothing():
    for engine in ("python", "compiled"):
        result = solve(Sliding("1 2 3 0"), "beam", engine=engine)
        assert (result.actions, result.cost, result.optimal) == ((), 0, True)


class Downhill(Graph):
    """0, 1, 2: each step costs -5, and from 1 on every vertex is a goal."""

    def __init__(self, first_goal):
        arcs = {(0, 0): (1, -5), (1, 0): (2, -5)}
        super().__init__(3, arcs, h=[-10, -5, 0], costs="any", acyclic=True, admissible=True)
        self.data = self.data._replace(shape=[1, first_goal])

    @kernel
    def solved(s, data, work):
        return s[0] >= data.shape[1]


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("first_goal", [0, 1])
@pytest.mark.parametrize("configuration", ["beam:table", "beam", "beam,width=1,widen=true"])
def test_with_negative_costs_goals_lead_on_to_better_ones(configuration, first_goal, engine):
    result = solve(Downhill(first_goal), configuration, engine=engine)
    assert (result.cost, result.optimal) == (-10, True)


@pytest.mark.slow
def test_widening_keeps_the_bound_it_had_and_stops_at_a_proof():
    board = Sliding.generate(7, size="4x4")
    one = solve(board, "beam:manhattan,width=100")
    more = solve(board, "beam:manhattan,width=100,widen=true", limits=Limits(nodes=one.stats.expanded + 3))
    assert more.bound >= one.bound
    single, widened = (solve(MOODLE_2, "beam:0.99*manhattan,width=800", widen=widen) for widen in (False, True))
    assert single.optimal and single.stats.expanded == widened.stats.expanded


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)), min_size=1, max_size=40), data=st.data())
@settings(deadline=None)
def test_the_least_are_those_that_sorting_puts_first(rows, data):
    count = data.draw(st.integers(1, len(rows)))
    ranked = sorted(range(len(rows)), key=lambda i: (*rows[i], -i))
    keys = [np.array(column) for column in (*itertools.zip_longest(*rows), [-i for i in range(len(rows))])]
    assert least_first(keys, count).tolist() == ranked[:count]
