"""Both engines on random instances: the same answer, the same counts, the same states expanded in the same order."""

from random import Random

import pytest
from arriving import Arriving, kernels
from hypothesis import HealthCheck, given, settings, strategies as st
from instances import HEURISTICS, PUZZLES
from slowly import quick

from procura import Limits, Sliding, solve, testing
from procura.debug import checked, rows_as_in_use
from procura.search import anytime

relaxed = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))

limits = st.builds(
    Limits,
    nodes=st.sampled_from([0, 1, 7, 100, 400]),
    depth=st.sampled_from([None, None, None, 0, 1, 3, 6]),
)
both = st.booleans()
ties = st.sampled_from(["lifo", "fifo", "high_g", "low_g"])
ends = st.sampled_from(["last", "first"])
weights = st.sampled_from(["0", "0.25", "0.5", "1", "3"])


def assert_same(problem, configuration, **keywords):
    """Both engines agree; and so does a run that is handed over at some moment."""
    alone = testing.assert_same_on_both_engines(problem, configuration, **keywords)
    moment = Random(f"{problem} {configuration}").randint(0, alone.stats.generated + 1)
    with checked(), rows_as_in_use(), kernels(Arriving(moment)) as known:
        result = solve(problem, configuration, **keywords)
    assert result.engine == ("compiled" if known.loaded else "python") and not result.notes[len(alone.notes) :]
    for what, seen in testing._COMPARED.items():
        assert seen(result) == seen(alone), f"{what}, handed over after {moment} nodes"


def names(puzzle):
    return st.sampled_from(HEURISTICS[puzzle])


@pytest.mark.parametrize("puzzle", quick("sliding", "sudoku", "dots", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_bfs(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(problem, "bfs", limits=limit, early_goal=data.draw(both), tree=data.draw(both))


@pytest.mark.parametrize("puzzle", quick("sliding", "tetris", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_dfs(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(
        problem, "dfs", limits=limit, tree=data.draw(both), successors=data.draw(ends), early_goal=data.draw(both)
    )


@pytest.mark.parametrize("puzzle", quick("sudoku", "dots", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_iddfs(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(problem, "iddfs", limits=limit, tree=data.draw(both), successors=data.draw(ends))


@pytest.mark.parametrize("puzzle", quick("sliding", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_greedy(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    heuristic = data.draw(names(puzzle))
    assert_same(problem, f"greedy:{heuristic}", limits=limit, ties=data.draw(ties), successors=data.draw(ends))


@given(data=st.data())
@relaxed
def test_ucs(data):
    problem, limit = data.draw(PUZZLES["sliding"]), data.draw(limits)
    assert_same(problem, "ucs", limits=limit, ties=data.draw(ties), successors=data.draw(ends))


def astar_options(data, problem):
    tree = data.draw(both)
    return {
        "tree": tree,
        "ties": data.draw(ties),
        "successors": data.draw(ends),
        "reopen": problem.costs == "any" or data.draw(both),
        "prune_dead": data.draw(both),
        "cut": data.draw(st.sampled_from([None, None, 5, 20, 600])),
    }


@pytest.mark.parametrize("puzzle", quick("sliding", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_astar_with_one_heuristic(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    configuration = f"astar:{data.draw(names(puzzle))}"
    assert_same(problem, configuration, limits=limit, **astar_options(data, problem))


PARTS = {
    "sliding": [("manhattan", "misplaced"), ("manhattan", "sequence", "linear_conflict")],
    "tetris": [("opportunity", "quality_bound", "covered")],
    "dots": [("base", "half"), ("half", "polyomino")],
    "sudoku": [("empty",)],
    "rush_hour": [("blocking",)],
}
"""What is composed: parts that all have a step, and others; a search is compiled for each of these lists."""


@st.composite
def compositions(draw, puzzle):
    """Weighted sums, maxima, minima, quotients and differences of heuristics of the puzzle."""
    parts = draw(st.sampled_from(PARTS[puzzle]))
    terms = [f"{draw(weights)}*{name}" for name in (*parts, draw(st.sampled_from(parts)))]
    return draw(
        st.sampled_from([" + ".join(terms), f"max({', '.join(terms)}) / 3", f"min({', '.join(terms)}, 7) - 2*0.3"])
    )


@pytest.mark.parametrize("puzzle", quick("sudoku", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_astar_with_a_composed_heuristic(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    configuration = f"astar:{data.draw(compositions(puzzle))}"
    weight = data.draw(st.sampled_from([1, 1, 0.5, 1.7]))
    assert_same(problem, configuration, limits=limit, weight=weight, **astar_options(data, problem))


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["greedy", "beam"])
@pytest.mark.parametrize("puzzle", PUZZLES)
@given(data=st.data())
@relaxed
def test_others_with_a_composed_heuristic(puzzle, algorithm, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(problem, f"{algorithm}:{data.draw(compositions(puzzle))}", limits=limit)


@pytest.mark.parametrize("puzzle", quick("sliding", "sudoku", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_idastar_with_one_heuristic(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(problem, f"idastar:{data.draw(names(puzzle))}", limits=limit)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES)
@given(data=st.data())
@relaxed
def test_idastar_with_a_composed_heuristic(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(problem, f"idastar:{data.draw(compositions(puzzle))}", limits=limit)


@pytest.mark.parametrize("puzzle", quick("sliding", "dots", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_beam(puzzle, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    assert_same(
        problem,
        f"beam:{data.draw(names(puzzle))}",
        limits=limit,
        width=data.draw(st.sampled_from([1, 2, 5, 30, 1000])),
        order=data.draw(st.sampled_from(["f", "h"])),
        ties=data.draw(ties),
        widen=data.draw(both),
    )


@pytest.mark.parametrize("prove", ["astar", "idastar"])
@pytest.mark.parametrize("puzzle", quick("sliding", of=PUZZLES))
@given(data=st.data())
@relaxed
def test_anytime(puzzle, prove, data):
    problem, limit = data.draw(PUZZLES[puzzle]), data.draw(limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anytime, "FIRST_TURN", data.draw(st.sampled_from([1, 3, 32])))
        patch.setattr(anytime, "FIRST_LEVELS", data.draw(st.sampled_from([1, 5, 256])))
        testing.assert_same_on_both_engines(
            problem,
            f"anytime:{data.draw(names(puzzle))},prove={prove}",
            limits=limit,
            guide=data.draw(st.sampled_from([None, *HEURISTICS[puzzle]])),
            share=data.draw(st.sampled_from([0.1, 0.5, 1, 10])),
            width=data.draw(st.sampled_from([1, 2, 8])),
        )


@given(data=st.data())
@relaxed
def test_annealing(data):
    assert_same(
        data.draw(PUZZLES["sudoku"]),
        "annealing",
        limits=Limits(nodes=data.draw(st.sampled_from([0, 1, 50, 2000]))),
        seed=data.draw(st.integers(0, 2**64 - 1)),
        temperature=data.draw(st.sampled_from([None, 0.01, 0.5, 3.0])),
        moves=data.draw(st.sampled_from([1, 20, 300])),
        cooling=data.draw(st.sampled_from([0.5, 0.95, 1.0])),
        patience=data.draw(st.sampled_from([1, 3])),
        stuck=data.draw(st.sampled_from(["best", "round"])),
        reheat=data.draw(st.sampled_from([0.0, 0.2])),
        restarts=data.draw(st.sampled_from([None, 0, 2])),
    )


seeds = st.integers(0, 2**64 - 1)
tries = st.builds(Limits, nodes=st.sampled_from([0, 1, 50, 2000]))


@given(data=st.data())
@relaxed
def test_hill(data):
    assert_same(
        data.draw(PUZZLES["sudoku"]),
        "hill",
        limits=data.draw(tries),
        seed=data.draw(seeds),
        patience=data.draw(st.sampled_from([1, 10, 300])),
        sideways=data.draw(both),
        restarts=data.draw(st.sampled_from([None, 0, 2])),
    )


@given(data=st.data())
@relaxed
def test_genetic(data):
    assert_same(
        data.draw(PUZZLES["sudoku"]),
        "genetic",
        limits=data.draw(tries),
        seed=data.draw(seeds),
        population=data.draw(st.sampled_from([5, 9, 30])),
        rounds=data.draw(st.sampled_from([None, 0, 1, 20])),
        selection=data.draw(st.sampled_from(["tournament", "roulette"])),
        tournament=data.draw(st.sampled_from([1, 2, 5])),
        elitism=data.draw(st.sampled_from([0, 1, 2])),
        mutation=data.draw(st.sampled_from([0.0, 0.1, 1.0])),
        crossover=data.draw(st.sampled_from([None, "blocks", "bands"])),
        newcomers=data.draw(st.sampled_from([0, 1])),
        early_stop=data.draw(both),
        patience=data.draw(st.sampled_from([None, 1, 5])),
        restarts=data.draw(st.sampled_from([None, 0, 2])),
    )


@pytest.mark.parametrize("configuration", ["bfs", "dfs", "iddfs,tree=false", "idastar:manhattan"])
def test_the_table_doubles_without_losing_a_node(configuration, tiny_stores):
    assert_same(HARD, configuration, limits=Limits(nodes=3000))


@pytest.mark.parametrize("rule", ["lifo", "fifo", "high_g", "low_g"])
@pytest.mark.parametrize("heuristic", ["manhattan", "report_h1"])
def test_the_buckets_widen_without_losing_a_node(rule, heuristic, tiny_stores):
    assert_same(HARD, f"astar:{heuristic}", ties=rule, limits=Limits(nodes=3000))


HARD = Sliding("8 6 7 2 5 4 3 0 1")


@pytest.fixture
def tiny_stores(monkeypatch):
    """Stores that begin far too small."""
    from procura.compiled import astar, idastar, stores

    monkeypatch.setattr(stores, "FIRST_TABLE", 16)
    monkeypatch.setattr(astar, "FIRST_BUCKETS", 2)
    monkeypatch.setattr(idastar, "FIRST_DEPTH", 2)
