"""Claims that were once false: proofs, dead ends, numbers that are none, depth limits. Each must never be again."""

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from slowly import quick
from spaces import Counter, Graph, least_costs, random_graph

from procura import DEAD, Data, Estimate, InputError, Limits, Outcome, Problem, Sliding, kernel, replay, solve, testing
from procura.errors import ReplayError
from procura.heuristics import BoundHeuristic, heuristic
from procura.result import branching_factor
from procura.rng import below, stream

relaxed = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
slow = pytest.mark.slow
OTHERS = ("bfs", "ucs", "idastar", "beam")
ENGINES = ["python", "compiled"]
HUGE = 10**10


class Edges(Problem):
    """A graph with named vertices, from S to T; ``h`` is declared admissible."""

    initial = "S"
    costs = "nonnegative"

    def __init__(self, edges, h=None, *, integer=True, **facts):
        self.edges = edges
        self.heuristics = {"h": Estimate(lambda state: (h or {}).get(state, 0), admissible=True, integer=integer)}
        for name, value in facts.items():
            setattr(self, name, value)

    def actions(self, state):
        return [target for source, target in self.edges if source == state]

    def result(self, state, action):
        return action

    def is_goal(self, state):
        return state == "T"

    def cost(self, state, action, next_state):
        return self.edges[state, action]


# Proofs


def test_a_gap_is_never_optimal():
    edges = {("S", "A"): HUGE, ("A", "T"): 0, ("S", "B"): 0, ("B", "T"): HUGE + 5}
    result = solve(Edges(edges), "beam,width=1")
    assert (result.cost, result.optimal, result.gap) == (HUGE + 5, False, 5)


@pytest.mark.parametrize("engine", quick("python", of=ENGINES))
def test_a_gap_of_one_in_a_thousand_million_is_seen(engine):
    cost = 1_000_000_100
    problem = Graph(4, {(0, 0): (1, cost), (1, 0): (3, 1), (0, 1): (2, 0), (2, 0): (3, cost)}, [cost, 1, cost, 0])
    problem.heuristics = {"table": Estimate(problem.heuristics["table"].function, admissible=True)}
    for text in ("1.0000000009*table", "table", "0.1*table + 0.9*table"):
        result = solve(problem, f"idastar:{text}", engine=engine)
        assert not result.optimal or result.cost == cost


@pytest.mark.parametrize(
    ("text", "admissible"),
    [
        ("1.0000000009*h", False), ("1.0000000000000001*h", False), ("1*h", True), ("0.1*h + 0.9*h", True),
        ("0.1*h + 0.2*h + 0.7*h", True), ("h/3 + h/3 + h/3", True), ("0.1*h + 0.9000000000000000001*h", False),
        ("h + 1e-300", False), ("h - 1e-300", True), ("h/(0.1 + 0.2 - 0.3)", False), ("h*(0.3 - 0.1 - 0.2)", True),
        ("1e308*1e308*h", False), ("min(2*h, 1*h)", True), ("0*(2*h*h)", True),
    ],
)  # fmt: skip
def test_weights_are_added_as_they_were_written(text, admissible):
    assert BoundHeuristic(heuristic(text), Edges({})).admissible is admissible


@pytest.mark.parametrize("text", ["min(h*h, zero)", "min(1e300*h*1e300, zero)", "min(h, h*h)"])
def test_an_admissible_estimate_whose_rounding_is_unknown_is_not_rounded_up(text):
    result = solve(Edges({("S", "A"): 3, ("A", "T"): 2}, {"S": 5, "A": 2}), f"idastar:{text}")
    assert (result.cost, result.optimal, result.bound) == (5, False, None)


def test_a_weight_of_five_thousand_digits_is_read_as_the_nearest_float():
    assert BoundHeuristic(heuristic(f"0.{'3' * 5000}*h"), Edges({})).admissible
    assert BoundHeuristic(heuristic("1e-999999999*h"), Edges({})).admissible


@pytest.mark.parametrize("text", ["min(h, zero*zero)", "min(h, h*h)", "min(h, h*1e200*1e200)", "0*h*h"])
def test_what_rounding_does_to_a_product_of_heuristics_is_not_known_and_nothing_rests_on_it(text):
    edges = {("S", "A"): 1, ("A", "T"): 2, ("S", "T"): 4}
    for algorithm in ("astar", "idastar", "beam"):
        result = solve(Edges(edges, {"S": 3, "A": 2}), f"{algorithm}:{text}")
        assert result.cost == 3 and (result.bound is None or result.bound <= 3)


CONFIGURATIONS = [
    "astar:h", "astar:0.3*h + 0.7*h", "astar:h,weight=1.1", "astar:h,tree=true", "idastar:h", "idastar:0.3*h + 0.7*h",
    "ucs", "beam:h,width=1", "beam:h,width=2,widen=true", "beam,width=1", "astar:h/3 + 2*h/3,reopen=false",
]  # fmt: skip


@given(data=st.data(), seed=st.integers(0, 10**9), configuration=st.sampled_from(CONFIGURATIONS))
@relaxed
def test_whole_costs_of_any_size_are_compared_exactly(data, seed, configuration):
    """Costs that differ by units around powers of two, where floats cannot tell them apart."""
    scale = data.draw(st.sampled_from([1, 1 << 30, 1 << 52, (1 << 53) - 3, 10**17]))
    _, arcs = random_graph(seed, vertices=7, high=3)
    arcs = {key: (target, scale + cost) for key, (target, cost) in arcs.items()}
    least = least_costs(7, arcs)
    slack = data.draw(st.sampled_from([0, 1]))
    h = {vertex: cost - slack for vertex, cost in enumerate(least) if cost is not None}
    problem = Numbered(arcs, h)
    result = solve(problem, configuration, limits=Limits(nodes=2000))
    if least[0] is None:
        assert result.outcome is not Outcome.SOLVED
        return
    assert result.bound is None or result.bound <= least[0]
    assert not result.optimal or (result.cost == least[0] and result.gap == 0)
    if result.solved and configuration in ("astar:h", "ucs", "idastar:h") and slack == 0:
        assert result.optimal


class Numbered(Edges):
    """Edges between the vertices of an array graph; 0 is the start, 6 the goal."""

    initial = 0

    def __init__(self, arcs, h=None, **facts):
        super().__init__({}, h, **facts)
        self.arcs = arcs

    def actions(self, state):
        return [move for source, move in self.arcs if source == state]

    def result(self, state, action):
        return self.arcs[state, action][0]

    def cost(self, state, action, next_state):
        return self.arcs[state, action][1]

    def is_goal(self, state):
        return state == 6


@given(seed=st.integers(0, 10**9), configuration=st.sampled_from(CONFIGURATIONS), low=st.sampled_from([0, -3]))
@relaxed
def test_real_costs_are_compared_with_an_error_that_is_computed(seed, configuration, low):
    """Sevenths of any magnitude: what is called optimal is so up to rounding, and no bound is above the true least."""
    if low < 0 and (configuration == "ucs" or "reopen=false" in configuration):
        return
    rng = [stream(seed, 5)]
    _, arcs = random_graph(seed, vertices=7, low=low, high=4, acyclic=low < 0)
    scale = [1.0, 1e-9, 1e15][below(rng, 3)]
    arcs = {key: (target, cost * scale / 7 + below(rng, 3) * scale * 1e-12) for key, (target, cost) in arcs.items()}
    exact = {key: (target, Fraction(cost)) for key, (target, cost) in arcs.items()}
    least = least_costs(7, exact)
    h = {vertex: -math.inf if cost is None else float(cost) for vertex, cost in enumerate(least)}
    h = {vertex: 0.0 if value == -math.inf else value - abs(value) * 2**-50 for vertex, value in h.items()}
    costs = "any" if low < 0 else "nonnegative"
    problem = Numbered(arcs, h, integer=False, integer_costs=False, costs=costs, acyclic=low < 0)
    result = solve(problem, configuration, limits=Limits(nodes=2000))
    if least[0] is None:
        assert not result.solved
        return
    assert result.optimal or result.bound is None or Fraction(result.bound) <= least[0]
    if result.optimal:
        assert result.gap == 0 and abs(Fraction(result.cost) - least[0]) <= Fraction(scale) / 2**40


def test_a_difference_larger_than_rounding_is_no_proof():
    edges = {("S", "A"): 0.1, ("A", "T"): 0.2, ("S", "B"): 0.0, ("B", "T"): 0.3 + 1e-12}
    result = solve(Edges(edges, integer_costs=False), "beam,width=1")
    assert result.cost == 0.3 + 1e-12 and result.optimal is False and 0 < result.gap < 0.3


@slow
def test_costs_too_large_for_floats_are_told_where_only_floats_would_do():
    problem = Graph(3, {(0, 0): (1, 1 << 53), (1, 0): (2, 1)}, [(1 << 53) + 1, 1, 0], admissible=True)
    for configuration in ("astar:0.5*table", "astar:table,weight=2", "beam:table", "idastar:0.5*table"):
        with pytest.raises(InputError, match="engine='python'"):
            solve(problem, configuration, engine="compiled")
        assert solve(problem, configuration, engine="python").cost == (1 << 53) + 1
    with pytest.raises(InputError, match="engine='python'"):
        solve(Graph(2, {(0, 0): (1, 1 << 70)}), "astar", engine="compiled")


# Dead ends


@pytest.mark.slow
@pytest.mark.parametrize("power", [29, 30, 31, 40, 52, 53, 61])
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "greedy", "beam"])
def test_an_honest_estimate_is_no_dead_end(power, algorithm):
    cost = 1 << power
    for configuration in (f"{algorithm}:h", f"{algorithm}:0.5*h + 0.5*h"):
        assert solve(Edges({("S", "T"): cost}, {"S": cost}), configuration).cost == cost
    problem = Graph(2, {(0, 0): (1, cost)}, [cost, 0], admissible=True)
    try:
        assert solve(problem, f"{algorithm}:table", engine="compiled").cost == cost
    except InputError as error:
        assert power >= 30 and "engine='python'" in str(error)


@pytest.mark.parametrize("engine", quick("python", of=ENGINES))
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "greedy", "beam"])
def test_dead_is_a_dead_end_and_more_than_that_an_error(algorithm, engine):
    problem = Graph(2, {(0, 0): (1, 1)}, [DEAD, 0], admissible=True)
    for text in ("table", "0.5*table"):
        assert solve(problem, f"{algorithm}:{text}", engine=engine).outcome is Outcome.NO_SOLUTION
        with pytest.raises(InputError, match=r"'table' returns 446\d+ in \(0,\): expected DEAD or a number below it"):
            solve(Graph(2, {(0, 0): (1, 1)}, [DEAD + (1 << 20), 0]), f"{algorithm}:{text}", engine=engine)


# Numbers that are none

NO_NUMBERS = [math.nan, None, "7", -math.inf, Decimal("sNaN"), 1j, [3]]


@pytest.mark.parametrize("algorithm", ["astar", "greedy", "idastar", "beam"])
@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_an_estimate_that_is_no_number_is_told_with_its_state(algorithm, value):
    for state, text in itertools.product("SA", ("h", "2*h")):
        problem = Edges({("S", "A"): 1, ("A", "T"): 1}, {state: value}, integer=False)
        with pytest.raises(InputError, match=f"Edges: heuristic 'h' returns .* in '{state}': expected a number"):
            solve(problem, f"{algorithm}:{text}")


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "iddfs", "ucs", "astar", "greedy", "idastar", "beam"])
@pytest.mark.parametrize("value", [*NO_NUMBERS, math.inf], ids=repr)
def test_a_cost_that_is_no_number_is_told_with_its_state_and_action(algorithm, value):
    for facts in ({}, {"integer_costs": False}):
        problem = Edges({("S", "A"): 1, ("A", "B"): value, ("A", "T"): 1}, **facts)
        with pytest.raises(InputError, match=r"Edges\.cost returns .* for action 'B' in 'A': expected the step's"):
            solve(problem, algorithm)


def troubled_h(s, data, work):
    return math.nan if s[0] == data.trouble[0] else 0.5


def half_h(s, data, work):
    return 0.5


def infinite_h(s, data, work):
    return math.inf if s[0] == data.trouble[0] else 2.0


class Troubled(Graph):
    """0 - 1 - 2 - 3, where the estimate of one vertex, or the cost to get there, is not what it should be."""

    def __init__(self, trouble, worse=0, **facts):
        super().__init__(4, {(0, 0): (1, 1), (1, 0): (2, 1), (2, 0): (3, 1), (1, 1): (0, 1)}, **facts)
        self.data = Data(**self.data._asdict(), trouble=[trouble], worse=[worse])
        self.heuristics = {
            "nan": Estimate(troubled_h, integer=False),
            "half": Estimate(half_h),
            "infinite": Estimate(infinite_h),
        }


class NanCosts(Troubled):
    integer_costs = False

    @kernel
    def apply(s, data, work, move):
        s[0] = data.to[s[0] * data.shape[0] + move]
        return math.nan if s[0] == data.trouble[0] else 1.5


class HalfCosts(Troubled):
    @kernel
    def apply(s, data, work, move):
        s[0] = data.to[s[0] * data.shape[0] + move]
        return 0.5 if s[0] == data.trouble[0] else 1.0


class OddCosts(Troubled):
    @kernel
    def apply(s, data, work, move):
        s[0] = data.to[s[0] * data.shape[0] + move]
        return data.worse[0] if s[0] == data.trouble[0] else 1


def same_error(problem, configuration, **arguments):
    """What is said on both engines."""
    errors = []
    for engine in ENGINES:
        with pytest.raises(InputError) as caught:
            solve(problem, configuration, engine=engine, **arguments)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
    return errors[0]


@slow
@pytest.mark.parametrize("algorithm", ["astar", "greedy", "idastar", "beam"])
def test_both_engines_tell_estimates_that_mean_nothing(algorithm):
    for trouble in (0, 2):
        for text in ("nan", "0.5*nan"):
            message = same_error(Troubled(trouble), f"{algorithm}:{text}")
            assert message == f"Troubled: heuristic 'nan' returns nan in ({trouble},): expected a number"
    assert "'half' returns 0.5 in (0,): expected a whole number" in same_error(Troubled(0), f"{algorithm}:half")
    message = same_error(Troubled(3), f"{algorithm}:1e308*infinite*10 - 1e308*infinite*10")
    assert "heuristic '1e308*infinite*10 - 1e308*infinite*10' is not a number in (0,)" in message


@slow
@pytest.mark.parametrize("algorithm", ["dfs", *OTHERS])
def test_both_engines_tell_costs_that_are_not_what_is_declared(algorithm):
    message = same_error(NanCosts(0), algorithm)
    assert message == "NanCosts.apply returns nan for action 1 in (1,): expected the step's cost, a finite number"
    assert "returns 0.5 for action 1 in (1,): expected a whole number" in same_error(HalfCosts(0), algorithm)
    assert "returns -1 for action 1 in (1,), but costs = 'nonnegative'" in same_error(OddCosts(0, -1), algorithm)
    assert "returns 2 for action 1 in (1,), but costs = 'unit'" in same_error(OddCosts(0, 2, costs="unit"), algorithm)


@slow
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "beam"])
def test_whole_estimates_may_be_floats_and_infinite(algorithm):
    result = testing.assert_same_on_both_engines(Troubled(3), f"{algorithm}:infinite")
    endings = {"beam": Outcome.SOLVED, "idastar": Outcome.NOT_FOUND}  # idastar goes to and fro until its limit
    assert result.outcome is endings.get(algorithm, Outcome.NO_SOLUTION)


@pytest.mark.parametrize("kind", [Decimal, Fraction])
@pytest.mark.parametrize("algorithm", ["bfs", "ucs", "astar:h", "idastar:h", "beam:h"])
def test_decimals_and_fractions_are_numbers(kind, algorithm):
    edges = {("S", "A"): kind("0.1"), ("A", "T"): kind("0.2"), ("S", "T"): kind(1)}
    result = solve(Edges(edges, {"S": kind("0.3")}, integer=False, integer_costs=False), algorithm)
    assert result.cost == (1 if algorithm == "bfs" else 0.1 + 0.2) and type(result.cost) in (int, float)
    assert result.optimal is (algorithm != "bfs")
    assert solve(Edges({("S", "T"): kind(3)}), algorithm).cost == 3
    with pytest.raises(InputError, match="expected a whole number, unless integer_costs = False"):
        solve(Edges(edges), algorithm)


# Depth limits


@pytest.mark.parametrize("weight", [0, 0.5, 1, 2, 5])
def test_a_weight_and_a_depth_limit_give_a_bound_that_is_true(weight):
    board = Sliding("8 1 3 4 0 2 7 6 5")
    for depth in (2, 10, 13, 14):
        result = solve(board, f"astar:manhattan,weight={weight}", limits=Limits(depth=depth), engine="python")
        assert result.bound <= 14


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("configuration", ["iddfs", "ucs", "astar:manhattan", "idastar:manhattan", "anytime:manhattan"])
@pytest.mark.parametrize("depth", [7, 11])
def test_a_search_that_went_through_all_within_its_depth_limit_proves_one_step_more(configuration, engine, depth):
    result = solve(Sliding("8 1 3 4 0 2 7 6 5"), configuration, limits=Limits(depth=depth), engine=engine)
    assert (result.stopped_by, result.cost, result.bound) == ("depth", None, depth + 1)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("configuration", ["astar:manhattan,cut=11", "astar:manhattan,cut=10,tree=true"])
def test_a_cut_proves_the_least_f_that_it_left_out(configuration, engine):
    result = solve(Sliding("8 1 3 4 0 2 7 6 5"), configuration, engine=engine)
    assert (result.outcome, result.bound) == (Outcome.NOT_FOUND, 12)  # f rises by twos


def cheapest_within(arcs, vertices, depth):
    """The least cost from the first vertex to the last in at most so many steps."""
    best = {0: 0}
    for _ in range(depth):
        further = dict(best)
        for (source, _), (target, cost) in arcs.items():
            if source in best and best[source] + cost < further.get(target, math.inf):
                further[target] = best[source] + cost
        best = further
    return best.get(vertices - 1)


def test_a_cheaper_but_longer_way_does_not_hide_a_shorter_one():
    edges = {("S", "P"): 10, ("S", "Q"): 1, ("Q", "P"): 1, ("P", "T"): 10}
    result = solve(Edges(edges, {"Q": 11}), "astar:h", limits=Limits(depth=2))
    assert (result.cost, result.actions, result.optimal) == (20, ("P", "T"), False)
    result = solve(Edges(edges), "ucs", limits=Limits(depth=2))
    assert (result.cost, result.actions) == (20, ("P", "T"))


@slow
@given(
    seed=st.integers(0, 10**9), depth=st.integers(0, 7), tenths=st.booleans(), honest=st.booleans(),
    ties=st.sampled_from(["lifo", "fifo", "high_g", "low_g"]), reopen=st.sampled_from([True, True, False]),
)  # fmt: skip
@relaxed
def test_under_a_depth_limit_astar_finds_the_cheapest_solution_that_the_limit_allows(
    seed, depth, tenths, honest, ties, reopen
):
    _, arcs = random_graph(seed, vertices=10)
    least = least_costs(10, arcs)
    rng = [stream(seed, 9)]
    h = [0 if cost is None else below(rng, cost + 1 if honest else 20) for cost in least]
    problem = Graph(10, arcs, h, admissible=honest)
    configuration = f"astar:{'0.5*table' if tenths else 'table'}"
    result = testing.assert_same_on_both_engines(
        problem, configuration, ties=ties, reopen=reopen, limits=Limits(depth=depth, nodes=5000)
    )
    best = cheapest_within(arcs, 10, depth)
    if reopen:
        assert result.solved == (best is not None)
    if result.solved:
        assert result.length <= depth and result.cost >= best
        assert result.cost == best or not (honest and reopen)
    assert result.bound is None or result.bound <= least[0]
    assert not result.optimal or result.cost == least[0]
    if not result.solved:
        assert result.outcome is not Outcome.NO_SOLUTION or least[0] is None


# Beams


class Ladder(Graph):
    """The start is a goal; a long way down leads to better ones, past what looks better to a narrow beam."""

    def __init__(self):
        arcs = {(0, 0): (1, -1), (0, 1): (2, -2), (1, 0): (3, -9), (3, 0): (4, -1), (2, 0): (5, -1)}
        super().__init__(6, arcs, h=[-20, -20, -20, -2, 0, 0], costs="any", acyclic=True, admissible=True)

    @kernel
    def solved(s, data, work):
        return s[0] != 1 and s[0] != 2


@pytest.mark.parametrize("nodes", [*range(12), None])
def test_a_beam_that_widens_never_forgets_its_best_answer(nodes):
    results = [
        testing.assert_same_on_both_engines(Ladder(), "beam:table,width=1,widen=true", limits=Limits(nodes=most))
        for most in (nodes, None if nodes is None else nodes + 1)
    ]
    assert results[1].cost <= results[0].cost


# What was stored, and what comes after the search


@pytest.mark.parametrize(
    "configuration",
    quick("bfs", "dfs", of=["bfs", "dfs", "iddfs", "iddfs,tree=false", "astar", "greedy", "idastar", "beam"]),
)
@pytest.mark.parametrize("nodes", [0, 1, 5, None])
def test_both_engines_store_the_same(configuration, nodes):
    for problem in (Graph(1, {}), Graph(3, {(0, 0): (1, 1), (1, 0): (2, 1)}), Graph(2, {}, [DEAD, 0])):
        heuristic = "table" if configuration.split(",")[0] in ("astar", "greedy", "idastar", "beam") else None
        testing.assert_same_on_both_engines(problem, configuration, heuristic=heuristic, limits=Limits(nodes=nodes))


class Halves(Counter):
    """Steps that cost 0.1, 0.2, 0.1 and so on."""

    costs, integer_costs = "nonnegative", False

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 0.1 * (1 + s[0] % 4 // 2)


@pytest.mark.parametrize("make", [Counter, Halves])
def test_a_long_solution_is_replayed_compiled_with_the_same_result(make, monkeypatch):
    interpreted = solve(make(400), "dfs", engine="compiled")
    monkeypatch.setattr(replay, "INTERPRETED_STEPS", 50)
    long = solve(make(400), "dfs", engine="compiled")
    assert long.length == 200 and (long.cost, long.actions, long.final) == (
        interpreted.cost,
        interpreted.actions,
        interpreted.final,
    )


@pytest.mark.parametrize("at", [10, 60, 199])
def test_a_long_solution_that_is_wrong_anywhere_is_refused(at, monkeypatch):
    monkeypatch.setattr(replay, "INTERPRETED_STEPS", 50)
    path = [2] * 200
    assert replay.replayed(Counter(400), path, 200, compiled=True) == ((400,), 200)
    with pytest.raises(ReplayError, match=f"action {at + 1} of the solution, 3, is not legal"):
        replay.replayed(Counter(400), [*path[:at], 3, *path[at + 1 :]], 200, compiled=True)
    with pytest.raises(ReplayError, match="no goal"):
        replay.replayed(Counter(400), [*path[:at], 1, *path[at + 1 :]], 200, compiled=True)
    with pytest.raises(ReplayError, match="the search says that the solution costs 201, the rules say 200"):
        replay.replayed(Counter(400), path, 201, compiled=True)


def test_a_wrong_cost_far_into_a_long_solution_is_told(monkeypatch):
    monkeypatch.setattr(replay, "INTERPRETED_STEPS", 1)
    with pytest.raises(InputError, match=r"OddCosts.apply returns -1 for action 0 in \(1,\), but costs"):
        replay.replayed(OddCosts(2, -1), [0, 0, 0], 3, compiled=True)


def test_the_branching_factor_of_a_long_solution_needs_no_loop_over_its_length():
    assert branching_factor(10**15, 10**15) == 1.0
    assert math.isclose(branching_factor(10**15, 3 * 10**15), 1 + 1.904e-15, rel_tol=1e-3)


# Weights


@pytest.mark.parametrize("engine", ENGINES)
def test_a_negative_estimate_at_the_goal_can_make_a_weighted_answer_dearer_than_promised_but_never_its_bound(engine):
    arcs = {(0, 0): (3, 10), (0, 1): (1, 1), (1, 0): (2, 1), (2, 0): (3, 1)}
    problem = Graph(4, arcs, [0, 0, 0, -20], admissible=True)
    result = solve(problem, "astar:table,weight=2", engine=engine)
    assert result.cost == 10 > 2 * 3
    assert result.optimal is False and result.bound <= 3


class Chain(Problem):
    """Two ways to the goal: one of cost 1, and a long one of steps that cost nothing but the last."""

    initial = ("S", 0)
    costs = "nonnegative"
    integer_costs = False

    def __init__(self, last, length=20_000):
        self.last, self.length = last, length

    def actions(self, state):
        return {"S": ["chain", "short"], "chain": ["on"], "short": ["end"], "T": []}[state[0]]

    def result(self, state, action):
        if action == "on":
            return ("T", 0) if state[1] == self.length else ("chain", state[1] + 1)
        return {"chain": ("chain", 1), "short": ("short", 0), "end": ("T", 0)}[action]

    def cost(self, state, action, next_state):
        return {"short": 1.0, "on": self.last if next_state[0] == "T" else 0.0}.get(action, 0.0)

    def is_goal(self, state):
        return state[0] == "T"


def test_the_error_of_many_additions_makes_no_room_for_a_worse_solution():
    dearer = 1.0 + 3e-12
    result = solve(Chain(dearer), "beam,width=1")
    assert result.cost == dearer and result.optimal is False


def test_a_heuristic_that_is_no_number_is_refused_when_it_is_asked_for_too():
    problem = Edges({("S", "T"): 1}, {"S": math.nan}, integer=False)
    for text in ("h", "1*h"):
        with pytest.raises(InputError, match="S"):
            problem.estimate(text)


@pytest.mark.parametrize("asked", [None, 3, {"bfs": 1}, []])
def test_what_is_no_configuration_is_refused_in_a_sentence(asked):
    with pytest.raises(InputError, match="expected text such as 'astar:manhattan', or several in a list"):
        solve(Edges({("S", "T"): 1}), asked)


def test_a_portfolio_whose_answer_another_proves_says_so():
    ways = {("S", "A"): 1, ("A", "B"): 1, ("B", "T"): 1, ("S", "T"): 3}
    result = solve(
        Edges(ways, {"S": 3, "A": 2, "B": 1}), ["astar:h,ties=fifo", "greedy:h"], limits=Limits(nodes=2), jobs=1
    )
    assert (result.algorithm, result.cost, result.optimal, result.unproved) == ("greedy", 3, True, None)
    assert result.notes == ("portfolio: greedy:h did best, and is proved by a bound of astar:h,ties=fifo",)
