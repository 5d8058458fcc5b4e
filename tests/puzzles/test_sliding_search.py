"""Searches on the sliding puzzle: the report's boards, boards that cannot be solved, boards turned and relabelled."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings, strategies as st
from slowly import quick

from procura import Outcome, Sliding, solve, testing
from procura.heuristics import BoundHeuristic, heuristic
from procura.puzzles.sliding.samples import samples

OPTIMAL = {"runcodes-1": 9, "runcodes-3": 38, "moodle-1": 8, "moodle-2": 36, "moodle-3": 41, "moodle-4": 13}
OPTIMAL |= {"moodle-5": 28, "moodle-6": 46, "moodle-7": 48, "moodle-8": 54, "moodle-9": 52, "moodle-10": 42}
EXPANSIONS = {"moodle-2": 8038, "runcodes-3": 42134, "moodle-7": 119842, "moodle-8": 561788}


@pytest.mark.parametrize("name", quick("runcodes-1", "moodle-2", "moodle-10", of=OPTIMAL))
def test_astar_with_manhattan_proves_the_reports_boards(name):
    result = solve(Sliding(**samples[name]), "astar:manhattan", ties="high_g")
    assert (result.cost, result.optimal) == (OPTIMAL[name], True)
    if name in EXPANSIONS:
        assert result.stats.expanded == pytest.approx(EXPANSIONS[name], rel=0.01)


@pytest.mark.parametrize("name", OPTIMAL)
@pytest.mark.parametrize(
    "configuration", quick("auto", of=["auto", "idastar:linear_conflict", "idastar:walking_distance"])
)
def test_idastar_with_better_heuristics_proves_the_reports_boards(name, configuration):
    result = solve(Sliding(**samples[name]), configuration)
    assert (result.cost, result.optimal) == (OPTIMAL[name], True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moodle-2", "runcodes-3", "moodle-7"])
def test_the_reports_weights_cost_two_to_six_times_the_expansions(name):
    mean, manhattan = (solve(Sliding(**samples[name]), f"astar:{h},ties=high_g") for h in ("mean", "manhattan"))
    assert (mean.cost, mean.optimal) == (OPTIMAL[name], True)
    assert 2 < mean.stats.expanded / manhattan.stats.expanded < 6


@pytest.mark.parametrize("name", ["report_h1", "report_h2", "report_h3", "report_h4", "report_h5"])
def test_the_reports_own_heuristics_prove_nothing(name):
    result = solve(Sliding(**samples["moodle-1"]), f"astar:{name}", engine="python")
    assert result.solved and result.optimal is False and result.bound is None


UNSOLVABLE = [("2 1 3 0", None), ("1 2 3 4 5 6 8 7 0", None), ("2 1 3 4 5 0", "2x3"), ([2, 1, *range(3, 16), 0], None)]


@pytest.mark.parametrize(("board", "size"), UNSOLVABLE)
@pytest.mark.parametrize("algorithm", ["auto", "bfs", "dfs", "astar:report_h4", "idastar:linear_conflict"])
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_board_of_the_wrong_parity_is_told_without_a_search(board, size, algorithm, engine):
    result = solve(Sliding(board, size=size), algorithm, engine=engine)
    assert result.outcome is Outcome.NO_SOLUTION and result.optimal is None
    assert (result.stats.expanded, result.stats.generated, result.stats.compile_seconds) == (0, 0, 0)


def test_the_command_line_says_so_by_its_status():
    command = [sys.executable, "-m", "procura", "solve", "sliding", "2 1 3 0", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and '"outcome": "no_solution"' in done.stdout and '"expanded": 0' in done.stdout


SHAPES = ["3x3", "3x4", "4x3"]


@st.composite
def solvable(draw):
    goal = draw(st.sampled_from(["blank-last", "spiral"]))
    moves = draw(st.integers(0, 30))
    return Sliding.generate(draw(st.integers(0, 10**6)), size=draw(st.sampled_from(SHAPES)), goal=goal, moves=moves)


def transposed(cells, rows, columns):
    return [cells[r * columns + c] for c in range(columns) for r in range(rows)]


def mirrored(cells, rows, columns):
    return [cells[r * columns + c] for r in range(rows) for c in reversed(range(columns))]


def seen(problem, view):
    """The same puzzle, its board and its goal looked at in another way."""
    rows, columns = problem.rows, problem.columns
    board, goal = (view(cells, rows, columns) for cells in (problem.board, problem.goal))
    return Sliding(board, goal, (columns, rows) if view is transposed else (rows, columns))


def relabelled(problem, labels):
    names = [0, *labels]
    size = (problem.rows, problem.columns)
    return Sliding([names[tile] for tile in problem.board], [names[tile] for tile in problem.goal], size)


def values(problem, names):
    return [BoundHeuristic(heuristic(name), problem)(problem.initial) for name in names]


@settings(max_examples=25, deadline=None)
@given(solvable(), st.sampled_from([transposed, mirrored]))
def test_a_board_turned_over_with_its_goal_keeps_its_optimum_and_its_estimates(problem, view):
    other = seen(problem, view)
    first, second = solve(problem, engine="compiled"), solve(other, engine="compiled")
    assert first.optimal and second.optimal and first.cost == second.cost
    assert values(problem, problem.heuristics) == pytest.approx(values(other, other.heuristics))
    turn = str.maketrans("UDLR", "LRUD" if view is transposed else "UDRL")
    state = other.initial
    for action in "".join(first.actions).translate(turn):
        state = other.result(state, other.action_from_json(action))
    assert other.is_goal(state)


@settings(max_examples=25, deadline=None)
@given(solvable(), st.data())
def test_relabelled_tiles_keep_the_optimum_and_the_solution(problem, data):
    other = relabelled(problem, data.draw(st.permutations(range(1, len(problem.board)))))
    first, second = solve(problem, engine="compiled"), solve(other, engine="compiled")
    assert first.optimal and second.optimal
    assert (first.cost, first.actions) == (second.cost, second.actions)
    names = ["manhattan", "misplaced", "linear_conflict"]
    assert values(problem, names) == values(other, names)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([transposed, mirrored]))
def test_walking_distance_of_a_15_puzzle_turned_over_with_its_goal_stays(seed, view):
    problem = Sliding.generate(seed, goal="spiral")
    assert values(problem, problem.heuristics) == pytest.approx(values(seen(problem, view), problem.heuristics))
    other = relabelled(problem, [*range(2, 16), 1])
    assert values(problem, ["walking_distance"]) == values(other, ["walking_distance"])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 14))
def test_every_admissible_heuristic_proves_the_same_optimum(seed, moves):
    problem = Sliding.generate(seed, moves=moves, goal="spiral")
    names = [name for name in problem.heuristics if BoundHeuristic(heuristic(name), problem).admissible]
    results = [solve(problem, "astar", heuristic=name, engine="python") for name in names]
    assert {(result.cost, result.optimal) for result in results} == {(results[0].cost, True)}
    assert results[0].cost <= moves and len(names) == 8


@pytest.mark.parametrize("configuration", ["idastar:linear_conflict", "idastar:walking_distance"])
def test_both_engines_expand_the_same_nodes_with_steps_and_with_fresh_values(configuration):
    testing.assert_same_on_both_engines(Sliding(**samples["moodle-5"]), configuration)


@pytest.mark.parametrize("size", ["4x4", "2x5"])
def test_every_heuristic_conforms(size):
    problem = Sliding.generate(1, size=size, moves=2)
    report = testing.check(problem, walks=4, length=6, engines=False)
    assert set(report.heuristics) == set(problem.heuristics) and report.heuristics["linear_conflict"] > 0


@pytest.mark.parametrize(
    ("preset", "expanded"),
    [("report_astar_h1", 26), ("report_astar_h2", 503), ("report_astar_h3", 24), ("report_astar_h5", 24)],
)
def test_the_reports_presets_take_the_oldest_of_equal_f(preset, expanded):
    result = solve(Sliding(**samples["moodle-4"]), preset, engine="python")
    assert (len(result.actions), result.stats.expanded) == (13, expanded)  # as in studies/fifteen.results.jsonl


@pytest.mark.slow
def test_the_reports_search_with_h3_makes_moodle_10_in_42_moves():
    assert len(solve(Sliding(**samples["moodle-10"]), "report_astar_h3", engine="compiled").actions) == 42
