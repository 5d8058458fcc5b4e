"""Whole searches of Tetris: the answers of the course, the reports' own searches, proved maxima, both engines alike."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from slowly import quick
from tetris_boards import T25, boards, filled

from procura import InputError, Limits, Outcome, Result, Tetris, catalog, solve, testing

SAMPLES = catalog.puzzle("tetris").samples()
ENGINES = ["python", "compiled"]
COSTS = ["quality", "opportunity", "report1"]


def sample(name: str) -> Tetris:
    return Tetris(**SAMPLES[name])


def points(result: Result) -> int | None:
    return None if result.final is None else result.problem.points(result.final)


def told(result: Result) -> str:
    assert result.actions is not None
    return " ".join(f"{column}{piece}{rotation}" for piece, rotation, column in result.actions)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "search", "answer"),
    [
        ("test-13", "course_dfs", "7j3 7l3 8t3 8o0 8z1 8s1 6i1"),
        ("test-14", "course_dfs", "8o0 8o0 8o0 8o0 8o0 7l3 7l3 5t3 5t3 4j3 4j3 5i1 1i1"),
        ("test-15", "course_dfs", "0o0 7l3 0t3 5s1 3z1"),
        ("test-18-quality", "course_astar", "8t3 8s1"),
        ("test-18-opportunity", "course_astar", "0l0 6i1"),
        ("test-19", "course_astar", "8l2 8j2"),
        ("test-20", "course_astar", "8j2 8l2"),
        ("test-21", "course_astar", "8o0 8l2 8j2"),
        ("test-22", "course_astar", "7l2 7j3"),
        ("test-24", "auto", "3t2"),
    ],
)
def test_the_course_gets_its_answers(engine: str, name: str, search: str, answer: str) -> None:
    assert told(solve(sample(name), search, engine=engine)) == answer


@pytest.mark.parametrize("engine", ENGINES)
def test_the_course_gets_no_answer_where_there_is_none(engine: str) -> None:
    assert solve(sample("test-17"), "course_astar", engine=engine).outcome is Outcome.NO_SOLUTION
    top = Tetris([0] * 17 + [1], "jltozsi")
    for search in ("course_dfs", "course_astar", "auto"):
        assert solve(top, search, engine=engine).outcome is Outcome.NO_SOLUTION


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("board", "pieces", "most"), [(T25, "till", 600), (T25, "tlli", 800), ("empty", "tlji", 100)])
def test_astar_proves_the_maximum(engine: str, board: str, pieces: str, most: int) -> None:
    result = solve(Tetris(board, pieces), "astar:quality_bound", engine=engine)
    assert (points(result), result.cost, result.bound, result.optimal) == (most, -most, -most, True)


@pytest.mark.parametrize("cost", COSTS)
def test_every_cost_leads_to_the_same_proved_maximum(cost: str) -> None:
    result = solve(Tetris(T25, "till", cost), engine="python")
    assert (points(result), result.optimal) == (600, True)
    assert result.cost == {"quality": -600, "opportunity": 1500, "report1": pytest.approx(-600 / 4800)}[cost]


@pytest.mark.parametrize(("first", "maxima"), [(1, (0, 0, 0, 100, 100, 200)), (7, (100, 300, 400, 600, 600, 900))])
def test_the_lists_of_the_second_report_are_solved_and_proved(first: int, maxima: tuple[int, ...]) -> None:
    results = [solve(sample(f"report2-{first + i}")) for i in range(6)]
    assert tuple(points(result) for result in results) == maxima
    assert all(result.optimal for result in results)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "made", "explored"),
    [
        (1, (0, 0, 0, 100, 100, None), (2, 18, 203, 6970, 21483, 23717)),
        (7, (100, 200, 400, 500, 600, 700), (2, 12, 23, 194, 1184, 11853)),
    ],
)
def test_report2_best_is_the_second_reports_search_node_for_node(
    first: int, made: tuple[int | None, ...], explored: tuple[int, ...]
) -> None:
    """Its points, its failure on the sixth list, and its counts: it counts two states for every node expanded."""
    results = [solve(sample(f"report2-{first + i}"), "report2_best") for i in range(6)]
    assert tuple(points(result) for result in results) == made
    for result, states in zip(results, explored, strict=True):
        assert abs(states - 2 * result.stats.expanded) <= 1


def test_the_second_reports_best_weights_make_600_points() -> None:
    result = solve(sample("test-25"), "report2_best")
    assert points(result) == 600 and result.problem.cost_name == "opportunity"


@pytest.mark.parametrize("engine", quick("python", of=ENGINES))
def test_the_cut_misses_what_a_search_without_it_finds(engine: str) -> None:
    holes = Tetris("######.###\n" + "......####\n" * 2, "o")  # twelve covered cells: f begins at 6000
    cut = solve(holes, "report2_best", engine=engine)
    assert (cut.outcome, cut.stopped_by, cut.optimal, cut.stats.expanded) == (Outcome.NOT_FOUND, None, None, 1)
    assert solve(holes, "report2_uncut", engine=engine).outcome is Outcome.SOLVED


def test_leaving_out_dead_ends_changes_nothing_but_the_frontier() -> None:
    problem = Tetris(filled(14, 0, 6), "jis", "opportunity")
    lean = solve(problem, "report2_uncut")
    full = solve(problem, "astar:report2_sum,tree=true")
    assert lean.actions == full.actions and lean.stats.expanded <= full.stats.expanded
    assert lean.stats.max_frontier < full.stats.max_frontier
    assert solve(sample("test-17"), "report2_uncut").outcome is Outcome.NO_SOLUTION


@pytest.mark.parametrize("preset", Tetris.presets)
def test_no_search_of_the_reports_claims_an_optimum(preset: str) -> None:
    for name in ("test-25", "test-19"):
        result = solve(sample(name), preset, engine="python")
        assert result.solved and result.optimal is False and result.bound is None


def test_the_first_report_fails_test_25_as_it_says() -> None:
    for preset in ("report1_best", "report1_second"):
        result = solve(sample("test-25"), preset, engine="python")
        assert points(result) == 400  # 500 were asked for
        assert result.cost == pytest.approx(-400 / 4800)


def test_presets_take_options_and_leave_the_problem_alone() -> None:
    problem = sample("test-25")
    wider = solve(problem, "report2_best,cut=9000")
    assert wider.options["cut"] == 9000 and wider.options["prune_dead"] is True
    assert problem.cost_name == "quality" and wider.problem.cost_name == "opportunity"
    with pytest.raises(InputError, match="heuristic 'holes': report2_best names a heuristic already"):
        solve(problem, "report2_best:holes")


def test_with_options_keeps_the_board() -> None:
    problem = Tetris("#..#.\n##.##", "t i", rows=7, columns=5)
    other = problem.with_options(cost="report1", pieces="l")
    assert other.board == problem.board and (other.rows, other.columns) == (7, 5)
    assert (other.pieces, other.cost_name) == ("l", "report1") and problem.pieces == "ti"
    with pytest.raises(InputError, match="takes no option 'rows'"):
        problem.with_options(rows=9)


EVERYTHING = (
    "holes + 2*covered + 3*relief + 5*higher_slope + 7*height + 11*filled + 0.5*quality + 0.25*opportunity"
    " + 0.125*max(quality_bound, opportunity_bound, report1_bound)"
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(boards(18, 10), st.text("iljoszt", min_size=1, max_size=4), st.booleans(), st.sampled_from(["lifo", "high_g"]))
def test_engines_agree_on_all_heuristics(masks: list[int], pieces: str, opportunity: bool, ties: str) -> None:
    problem = Tetris(masks, pieces, "opportunity" if opportunity else "quality")
    limits = Limits(nodes=40)
    testing.assert_same_on_both_engines(problem, f"astar:{EVERYTHING},tree=true,ties={ties}", limits=limits)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(boards(18, 10), st.text("iljoszt", min_size=1, max_size=4))
def test_engines_agree_on_the_cost_of_the_first_report(masks: list[int], pieces: str) -> None:
    problem = Tetris(masks, pieces, "report1")
    for search in ("report1_best", "report1_second", "astar:report1_bound"):
        testing.assert_same_on_both_engines(problem, search, limits=Limits(nodes=40))


@pytest.mark.slow
def test_engines_agree_on_the_searches_of_the_reports() -> None:
    for preset in ("report2_best", "report2_uncut"):
        result = testing.assert_same_on_both_engines(sample("test-25"), preset, limits=Limits(nodes=200))
        assert points(result) == 600


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("board", ["empty", "#####.####", [1023, 1022], [1023, 7] + [0] * 13 + [992]])
def test_every_cost_conforms(cost: str, board: Any) -> None:
    assert testing.check(Tetris(board, "t i", cost), walks=8, engines=False).states > 8


@pytest.mark.slow
def test_the_cost_of_the_first_report_conforms_on_both_engines() -> None:
    assert testing.check(Tetris("####.#####", "s o", "report1")).runs
