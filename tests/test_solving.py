"""solve(): what it claims, what it refuses, and answers known from the reports."""

import math

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from slowly import quick, slow
from spaces import Corridor, Counter, Doubling, Graph, Plane, least_costs, random_graph, true_h

from procura import (
    DEAD,
    Estimate,
    InputError,
    Limits,
    Outcome,
    Sliding,
    Sudoku,
    Tetris,
    catalog,
    kernel,
    solve,
    testing,
)  # fmt: skip
from procura.errors import ReplayError
from procura.heuristics import BoundHeuristic, heuristic
from procura.puzzles.sliding.samples import samples
from procura.result import branching_factor, penetrance
from procura.rng import below

EASY = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."
relaxed = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def test_dfs_takes_the_last_successor_first():
    assert solve(Doubling(), "dfs").actions == ("right", "left", "right")


def test_tree_astar_on_an_infinite_grid():
    result = solve(Plane(), "astar:distance,tree=true,ties=lifo")
    assert result.actions == ("right", "right", "up", "up", "up")
    assert result.optimal


@pytest.mark.parametrize(
    ("heuristic", "ties", "cost", "optimal"),
    [*slow(("report_h3", "lifo", 44, False), ("report_h3", "fifo", 42, False)), ("manhattan", "lifo", 42, True)],
)
def test_moodle_10_shows_what_an_inadmissible_heuristic_costs(heuristic, ties, cost, optimal):
    result = solve(Sliding(**samples["moodle-10"]), "astar", heuristic=heuristic, ties=ties)
    assert (result.cost, result.optimal) == (cost, optimal)


OPTIMA = {
    "runcodes-1": 9, "runcodes-3": 38, "moodle-1": 8, "moodle-2": 36, "moodle-3": 41, "moodle-4": 13, "moodle-5": 28,
    "moodle-6": 46, "moodle-7": 48, "moodle-8": 54, "moodle-9": 52, "moodle-10": 42,
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIMA)
def test_the_reports_boards_are_solved_optimally(name):
    result = solve(Sliding(**samples[name]), "idastar:manhattan")
    assert (result.cost, result.length, result.optimal, result.bound) == (
        OPTIMA[name],
        OPTIMA[name],
        True,
        OPTIMA[name],
    )


def test_an_unsolvable_board_is_told_without_search():
    result = solve(Sliding("1 2 3 4 5 6 8 7 0"))
    assert result.outcome is Outcome.NO_SOLUTION
    assert result.stats.expanded == 0


@pytest.mark.parametrize("engine", quick("python", of=["python", "compiled"]))
@given(seed=st.integers(0, 10**9), slack=st.integers(0, 5), admissible=st.booleans(), kind=st.integers(0, 2))
@relaxed
def test_no_run_claims_an_optimum_that_is_beaten(engine, seed, slack, admissible, kind):
    """Random graphs with costs of every kind, heuristics true or not: optimal means that nothing is better."""
    low, acyclic = [(0, False), (0, True), (-5, True)][kind]
    _, arcs = random_graph(seed, low=low, acyclic=acyclic)
    least = least_costs(12, arcs)
    h = true_h(seed, least, slack)
    if not admissible:
        h = [value if value == DEAD else value + 2 * (i % 3) for i, value in enumerate(h)]
    problem = Graph(
        12, arcs, h, costs="any" if low < 0 else "nonnegative", acyclic=acyclic, admissible=admissible, step=slack > 2
    )
    for configuration in (
        "iddfs",
        "greedy:table",
        *(["ucs"] if low == 0 else []),
        "bfs",
        "dfs",
        "astar:table",
        "astar:table,tree=true",
        "idastar:table",
        "astar:table,weight=2",
    ):
        if kind == 0 and "tree" in configuration and least[0] is None:
            continue
        result = solve(problem, configuration, engine=engine, limits=Limits(nodes=5000))
        if result.outcome is Outcome.NO_SOLUTION:
            assert least[0] is None
        elif result.solved:
            assert result.cost >= least[0]
            assert not result.optimal or result.cost == least[0]
            assert result.bound is None or result.bound <= least[0]
        if admissible and configuration == "astar:table" and least[0] is not None and h[11] == 0:
            assert result.optimal and result.cost == least[0]


def tenth_h(s, data, work):
    return data.h[s[0]] * 0.1


class Tenths(Graph):
    """A graph whose costs and estimates are tenths, which binary numbers do not hold exactly."""

    integer_costs = False

    def __init__(self, vertices, arcs, h, admissible, **facts):
        super().__init__(vertices, arcs, h, **facts)
        self.heuristics = {"table": Estimate(tenth_h, admissible=admissible, integer=False)}

    @kernel
    def apply(s, data, work, move):
        at = s[0] * data.shape[0] + move
        s[0] = data.to[at]
        return data.cost[at] * 0.1


VALUES = {
    "weight": [0, 0.5, 1, 1, 1, 2], "cut": [None, None, 3, 9], "width": [1, 2, 5, 100], "jobs": [1, 2],
    "guide": [None, "zero"], "share": [0.1, 0.5, 4.0],
}  # fmt: skip


def options_of(data, info):
    """Any value of every option."""
    kinds = {"bool": [False, True], "choice": None}
    return {
        option.name: data.draw(
            st.sampled_from(VALUES.get(option.name) or kinds.get(option.kind) or option.choices), label=option.name
        )
        for option in info.options
    }


@pytest.fixture
def split_at_once(monkeypatch):
    from procura.compiled import engine, idastar, subtrees

    monkeypatch.setattr(engine, "FIRST_SLICE", 1)
    monkeypatch.setattr(idastar, "SERIAL_SECONDS", -1.0)
    monkeypatch.setattr(subtrees, "SUBTREES", 4)


@pytest.mark.parametrize("engine", quick("python", of=["python", "compiled"]))
@pytest.mark.parametrize("name", [name for name, info in catalog.ALGORITHMS.items() if not info.local])
@given(data=st.data(), seed=st.integers(0, 10**9), slack=st.integers(0, 5), admissible=st.booleans())
@relaxed
def test_no_algorithm_claims_an_optimum_that_exhaustive_search_beats(
    name, engine, split_at_once, data, seed, slack, admissible
):
    """Every option of every algorithm, costs of every kind, heuristics truly marked, limits on nodes and depth."""
    kind = data.draw(st.sampled_from(["unit", "nonnegative", "acyclic", "any", "tenths"]), label="costs")
    low, high = {"unit": (1, 1), "any": (-5, 9)}.get(kind, (0, 9))
    acyclic = kind in ("acyclic", "any")
    _, arcs = random_graph(seed, low=low, high=high, acyclic=acyclic)
    least = least_costs(12, arcs)
    h = true_h(seed, least, slack)
    if not admissible:
        h = [value if value == DEAD else value + 2 * (i % 3) for i, value in enumerate(h)]
    costs = kind if kind in ("unit", "any") else "nonnegative"
    make = Tenths if kind == "tenths" else Graph
    problem = make(12, arcs, h, costs=costs, acyclic=acyclic, admissible=admissible)
    scale = 0.1 if kind == "tenths" else 1
    info = catalog.algorithm(name)
    limits = Limits(
        nodes=data.draw(st.sampled_from([3000, 3000, 15])), depth=data.draw(st.sampled_from([None, None, 4, 1]))
    )
    compositions = ["0.5*table + 0.5*zero", "2*table"] if engine == "python" else []
    heuristic = data.draw(st.sampled_from(["table", *compositions]), label="heuristic") if info.uses_heuristic else None
    try:
        result = solve(problem, name, heuristic=heuristic, engine=engine, limits=limits, **options_of(data, info))
    except InputError as error:
        assert "negative costs" in str(error)
        return
    assert result.outcome is not Outcome.NO_SOLUTION or least[0] is None
    if result.solved:
        best = least[0] * scale
        assert result.cost >= best - 1e-9
        assert not result.optimal or result.cost <= best + 1e-9
    if result.bound is not None and least[0] is not None:
        assert result.bound <= least[0] * scale + 1e-9


@pytest.mark.parametrize("name", [name for name, info in catalog.ALGORITHMS.items() if info.local])
def test_local_search_never_speaks_of_an_optimum(name):
    result = solve(Sudoku("1.3.3.1.2.4.4.2."), name, engine="python", seed=1, limits=Limits(nodes=20_000))
    assert (result.optimal, result.bound) == (None, None)


def test_idastar_notes_when_its_bounds_may_rise_by_small_steps():
    arcs = {(0, 0): (1, 3), (1, 0): (2, 3)}
    whole = Graph(3, arcs, [6, 3, 0], admissible=True)
    tenths = Tenths(3, arcs, [6, 3, 0], True)
    assert solve(whole, "idastar:table", engine="python").notes == ()
    assert solve(whole, "idastar:0.5*table", engine="python").notes == ()  # rounded up
    for problem, configuration, why in (
        (whole, "idastar:1.5*table", "the heuristic is neither whole nor admissible"),
        (tenths, "idastar:table", "costs are not whole"),
        (tenths, "idastar", "costs are not whole"),
    ):
        result = solve(problem, configuration, engine="python")
        assert result.notes == (f"the bounds of idastar may rise by many small steps: {why}",)
        assert solve(problem, configuration.replace("idastar", "astar"), engine="python").notes == ()


def test_five_hundred_terms_make_a_heuristic_without_deep_recursion():
    terms = " + ".join(["0.001*manhattan"] * 249)
    result = solve(Sliding("1 2 3 4 5 6 7 0 8"), f"astar:{terms}", engine="python")
    assert (result.cost, result.optimal) == (1, True)


@given(seed=st.integers(0, 10**9), scale=st.sampled_from([1, 50, 3000, 10**6]), low=st.sampled_from([0, -3]))
@relaxed
def test_engines_agree_when_costs_are_far_apart(seed, scale, low):
    """Buckets that widen in both directions, and the change from buckets to the heap on the way."""
    _, arcs = random_graph(seed, vertices=30, low=low, acyclic=True)
    scaled = {key: (target, cost * scale) for key, (target, cost) in arcs.items()}
    h = [0 if cost is None else cost for cost in least_costs(30, scaled)]
    problem = Graph(30, scaled, h, costs="any" if low < 0 else "nonnegative", acyclic=True)
    for ties in ("lifo", "fifo", "high_g", "low_g"):
        for tree in (False, True):
            testing.assert_same_on_both_engines(problem, "astar:table", ties=ties, tree=tree, limits=Limits(nodes=300))


def test_negative_costs_are_refused_where_states_recur():
    problem, _ = random_graph(1, low=-5)
    with pytest.raises(InputError, match="tree=true"):
        solve(problem, "astar")


def test_zero_is_not_admissible_with_negative_costs():
    problem = Tetris("empty", "t")
    assert solve(problem, "astar", engine="python").optimal is False
    assert solve(Tetris("empty", "t", cost="opportunity"), "astar", engine="python").optimal is True


def test_a_weight_above_1_gives_a_bound_and_no_proof():
    result = solve(Sliding(**samples["moodle-5"]), "astar:manhattan,weight=3")
    assert result.cost >= 28 >= result.bound >= result.cost / 3
    assert result.gap == result.cost - result.bound


def test_bfs_is_optimal_with_unit_costs_only():
    assert solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python").optimal is True
    assert solve(Graph(2, {(0, 0): (1, 5)}), "bfs", engine="python").optimal is False


def test_optimal_means_nothing_where_every_solution_costs_the_same():
    result = solve(Sudoku(EASY), "dfs", engine="python")
    assert result.solved and result.optimal is None


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_annealing_solves_and_its_answer_is_replayed_as_fills(engine):
    result = solve(Sudoku("1.3.3.1.2.4.4.2."), "annealing", engine=engine, seed=3)
    assert result.solved and result.optimal is None
    assert len(result.actions) == 8
    assert list(result.states())[-1] == result.final


def test_annealing_returns_its_best_when_a_limit_ends_it():
    result = solve(Sudoku(EASY), "annealing", limits=Limits(nodes=50), seed=1)
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "nodes")
    assert result.cost > 0 and result.final is not None and result.actions is None
    assert len(result.final_text.split()) > 1


def test_a_wrong_solution_is_never_returned():
    class Liar(Doubling):
        def is_goal(self, state):
            self.asked = getattr(self, "asked", 0) + 1
            return self.asked < 4 and state == 3

    with pytest.raises(ReplayError):
        solve(Liar(), "bfs")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "astr"}, "did you mean 'astar'"),
        ({"algorithm": "astar:manhatan"}, "did you mean 'manhattan'"),
        ({"algorithm": "astar", "tie": "fifo"}, "did you mean 'ties'"),
        ({"algorithm": "astar", "ties": "last"}, "lifo or fifo or high_g or low_g"),
        ({"algorithm": "bfs:manhattan"}, "uses no heuristic"),
        ({"algorithm": "astar:manhattan", "heuristic": "misplaced"}, "names a heuristic already"),
        ({"algorithm": "annealing"}, "no whole states to improve"),
        ({"engine": "fast"}, "auto, python or compiled"),
        ({"algorithm": "astar", "weight": "heavy"}, "a number from 0"),
        ({"algorithm": "astar", "weight": math.nan}, "a number from 0"),
        ({"events": ["expnad"]}, "expnad"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(arguments, message):
    with pytest.raises(InputError, match=message):
        solve(Sliding("1 2 3 4 5 6 7 0 8"), **arguments)


def test_only_array_problems_run_compiled():
    with pytest.raises(InputError, match="ArrayProblem"):
        solve(Doubling(), "bfs", engine="compiled")


def test_costs_too_large_for_the_store_are_told():
    problem = Graph(3, {(0, 0): (1, 1 << 29), (1, 0): (2, 1 << 30)})
    with pytest.raises(InputError, match="engine='python'"):
        solve(problem, "astar", engine="compiled")
    assert solve(problem, "astar", engine="python").cost == 3 << 29


def test_data_too_large_for_kernels_are_told():
    problem = Graph(2, {(0, 0): (1, 1 << 63)})
    with pytest.raises(InputError, match="9223372036854775808 does not fit 64 bits and needs engine='python'"):
        solve(problem, "bfs", engine="compiled")
    assert solve(problem, "bfs", engine="python").cost == 1 << 63


@given(length=st.integers(1, 3000), generated=st.integers(1, 10**12))
@relaxed
def test_branching_factor_solves_its_equation(length, generated):
    b = branching_factor(length, generated)
    assert math.isclose(math.fsum(b**k for k in range(1, length + 1)), generated, rel_tol=1e-9)
    assert penetrance(length, generated) == length / generated


@pytest.mark.parametrize(("length", "generated"), [(0, 0), (0, 7), (3, 0)])
def test_no_actions_or_no_nodes_have_no_branching_factor(length, generated):
    assert branching_factor(length, generated) is None
    assert penetrance(length, generated) is None


@given(seed=st.integers(0, 10**9), algorithm=st.sampled_from(["bfs", "dfs", "iddfs", "ucs", "astar:table"]))
@relaxed
def test_every_result_carries_the_figures_of_its_tree(seed, algorithm):
    problem, _ = random_graph(seed, acyclic=True)
    result = solve(problem, algorithm, engine="python")
    length, generated = result.length, result.stats.generated
    if length and generated:
        assert result.stats.penetrance == length / generated
        b = result.stats.branching_factor
        assert math.isclose(math.fsum(b**k for k in range(1, length + 1)), generated, rel_tol=1e-9)
    else:
        assert result.stats.penetrance is None and result.stats.branching_factor is None


def test_local_search_has_no_tree_to_measure():
    result = solve(Sudoku("1.3.3.1.2.4.4.2."), "annealing", engine="python", seed=3)
    assert result.solved and result.length and result.stats.generated
    assert result.stats.penetrance is None and result.stats.branching_factor is None


def test_nothing_generated_has_no_branching_factor():
    result = solve(Sliding("1 2 3 4 5 6 7 8 0"), "bfs", engine="python")
    assert result.actions == ()
    assert result.stats.penetrance is None and result.stats.branching_factor is None


def test_events_tell_what_an_interpreted_search_did():
    seen = []
    result = solve(Sliding("1 2 3 4 5 6 0 7 8"), "astar:manhattan", engine="python", on_event=seen.append)
    kinds = [event.kind for event in seen]
    assert kinds.count("expand") == result.stats.expanded
    assert kinds.count("generate") + kinds.count("duplicate") + kinds.count("reopen") == result.stats.generated
    assert kinds[-1] == "goal" and seen[-1].g == 2
    only = []
    solve(Sliding("1 2 3 4 5 6 0 7 8"), "idastar:manhattan", engine="python", on_event=only.append, events=["bound"])
    assert [event.value for event in only] == [2]


def test_the_start_may_be_the_goal_for_every_algorithm():
    solved = Sliding("1 2 3 4 5 6 7 8 0")
    for algorithm in ("bfs", "dfs", "astar", "idastar"):
        assert solve(solved, algorithm, engine="python").actions == ()


def test_an_endless_space_ends_at_its_limits():
    for algorithm in ("bfs", "dfs", "astar", "idastar"):
        result = solve(Counter(), algorithm, limits=Limits(nodes=1000))
        assert (result.outcome, result.stopped_by, result.stats.expanded) == (Outcome.NOT_FOUND, "nodes", 1000)


@pytest.mark.parametrize("engine", ["python", *slow("compiled")])
def test_a_weight_never_proves_a_dead_end(engine):
    for algorithm in ("astar", "idastar"):
        result = solve(Sliding("1 2 3 4 0 5 7 8 6"), f"{algorithm}:1e9*manhattan", engine=engine)
        assert result.solved and result.optimal is False


@st.composite
def expressions(draw, *names, depth=3):
    """Any heuristic over these names, signs and all."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([*names, "zero", "2", "0.5", "100"]))
    left, right = draw(expressions(*names, depth=depth - 1)), draw(expressions(*names, depth=depth - 1))
    forms = ["({0} + {1})", "({0} - {1})", "max({0}, {1})", "min({0}, {1})", "0.5*{0}", "2*{0}", "-1*{0}"]
    form = draw(st.sampled_from(forms))
    return form.format(left, right) if draw(st.booleans()) else f"({left})/-2"


@given(
    seed=st.integers(0, 10**9), expression=expressions("table"), admissible=st.booleans(),
    low=st.sampled_from([0, -5]),
)  # fmt: skip
@relaxed
def test_no_composition_is_called_admissible_that_is_not(seed, expression, admissible, low):
    _, arcs = random_graph(seed, low=low, acyclic=True)
    least = least_costs(12, arcs)
    h = [0 if cost is None else cost + (0 if admissible else 3) for cost in least]
    problem = Graph(12, arcs, h, costs="any" if low < 0 else "nonnegative", acyclic=True, admissible=admissible)
    bound = BoundHeuristic(heuristic(expression), problem)
    if bound.admissible:
        assert all(bound((vertex,)) <= cost + 1e-9 for vertex, cost in enumerate(least) if cost is not None)


@given(seed=st.integers(0, 10**9), expression=expressions("misplaced", "manhattan"))
@example(seed=0, expression="min(2*misplaced, manhattan)")
@relaxed
def test_no_composition_is_called_consistent_that_is_not(seed, expression):
    problem = Sliding.generate(seed, size="3x3")
    bound = BoundHeuristic(heuristic(expression), problem)
    state, rng = problem.initial, [seed]
    for _ in range(50 if bound.consistent else 0):
        actions = problem.actions(state)
        after = problem.result(state, actions[below(rng, len(actions))])
        assert bound(state) <= 1 + bound(after) + 1e-9
        state = after


def test_without_reopening_a_heuristic_that_may_fall_proves_nothing():
    board = "8 3 0 2 1 7 6 5 4"
    assert solve(Sliding(board), "idastar:manhattan").cost == 20
    result = solve(Sliding(board), "astar:min(2*misplaced, manhattan),reopen=false")
    assert (result.cost, result.optimal) == (22, False)


def test_a_heuristic_that_is_not_what_it_says_gives_no_proof():
    arcs = {(0, 0): (1, 1), (1, 0): (2, 1), (0, 1): (2, 5)}
    result = solve(Graph(3, arcs, h=[0, 90, 40], admissible=True), "astar:table", engine="python")
    assert (result.cost, result.optimal, result.bound) == (5, False, None)


@pytest.mark.parametrize("huge", [1 << 60, (1 << 53) + 1, 1 << 31])
def test_idastar_tells_costs_too_large_for_it(huge):
    problem = Graph(3, {(0, 0): (1, huge), (1, 0): (2, 1)})
    with pytest.raises(InputError, match="engine='python'"):
        solve(problem, "idastar", engine="compiled")
    assert solve(problem, "idastar", engine="python").cost == huge + 1


def far_or_nothing(s, data, work):
    return math.inf if s[0] == 1 else 0.5 * (s[0] < 3)


@pytest.mark.parametrize("algorithm", [*slow("astar"), "idastar"])
def test_an_infinite_heuristic_is_a_dead_end(algorithm):
    problem = Graph(4, {(0, 0): (1, 1), (1, 0): (1, 1), (0, 1): (2, 1), (2, 0): (3, 1)})
    problem.heuristics = {"far": Estimate(far_or_nothing, admissible=True, integer=False)}
    result = testing.assert_same_on_both_engines(problem, f"{algorithm}:far")
    assert result.solved and result.stats.expanded <= 4


def test_paths_too_long_for_the_store_are_told():
    problem = Counter(target=200_000)
    with pytest.raises(InputError, match="65,534 steps"):
        solve(problem, "astar", engine="compiled")


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_costs_that_are_not_as_declared_are_told(engine):
    problem = Graph(2, {(0, 0): (1, 5)}, costs="unit")
    with pytest.raises(InputError, match="costs = 'unit' means 1"):
        solve(problem, "bfs", engine=engine)
    with pytest.raises(InputError, match="expected 'unit', 'nonnegative' or 'any'"):
        solve(Graph(2, {(0, 0): (1, 5)}, costs="some"), "bfs", engine=engine)


@pytest.mark.parametrize("engine", ["python", *slow("compiled")])
def test_a_cycle_of_negative_cost_that_was_denied_proves_nothing(engine):
    cycle = {(0, 0): (1, 0), (1, 0): (2, -2), (2, 0): (1, 1), (1, 1): (3, 1)}
    with pytest.raises(InputError, match=r"returns -2 for action 0 .* costs = 'nonnegative' means 0 or more"):
        solve(Graph(4, cycle, costs="nonnegative"), "astar", engine=engine, limits=Limits(depth=3))
    result = solve(Graph(4, cycle, costs="any", acyclic=True), "astar", engine=engine, limits=Limits(depth=3))
    assert (result.cost, result.optimal, result.bound) == (1, False, None)


def test_a_filled_sudoku_with_a_digit_twice_is_no_goal():
    problem = Sudoku("1234341221434...")
    state = problem.initial
    for cell, digit in ((13, 3), (14, 2), (15, 2)):
        state = problem.result(state, cell * 4 + digit - 1)
    assert not problem.is_goal(state)


def test_a_corridor_counts_its_depth_alike_on_both_engines():
    """At its end the only move would be to go back, which idastar does not make."""
    testing.assert_same_on_both_engines(Corridor(), "idastar", limits=Limits(nodes=50))


@pytest.mark.parametrize("depth", [6, 10**30])
def test_any_depth_limit_is_taken(depth):
    for algorithm in ("bfs", "dfs", "iddfs", "astar", "idastar"):
        assert solve(Counter(10), algorithm, engine="compiled", limits=Limits(depth=depth, nodes=10**6)).solved
