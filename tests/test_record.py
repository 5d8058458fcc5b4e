"""The record of a result: plain data, every figure in it, and the options that make the problem again."""

import json
from dataclasses import fields, replace

import pytest
from spaces import Doubling

from procura import Dots, Limits, Sliding, Stats, Sudoku, Tetris, solve, solve_many
from procura.catalog import PUZZLES
from procura.record import FIELDS, printed, record
from procura.words import outcome, statistics

ROW = "#########."
BOX = "(((1) (0)) ((1) (0)))"
MADE = [
    (Sliding("1 2 3 4 5 6 7 0 8"), {}),
    (Sliding("1 2 3 4 5 6 7 0 8", goal="spiral"), {"goal": "spiral"}),
    (Sliding("1 2 3 / 4 5 0", goal="1 2 3 4 0 5"), {"goal": "1 2 3 4 0 5", "size": "2x3"}),
    (Sudoku("1234 3412 2143 43.."), {}),
    (Sudoku("1234 3412 2143 43..", "first"), {"choice": "first"}),
    (Tetris(ROW, "i"), {"pieces": "i"}),
    (Tetris("###.", "io", "report1", rows=5, columns=4), {"pieces": "i o", "cost": "report1", "rows": 5, "columns": 4}),
    (Dots(BOX, 1), {"boxes": 1}),
    (Dots(BOX, 1, "any"), {"boxes": 1, "order": "any"}),
]


@pytest.mark.parametrize(("problem", "options"), MADE)
def test_a_problem_says_the_options_that_are_not_the_defaults(problem, options):
    assert problem.options == options


@pytest.mark.parametrize("problem", [problem for problem, _ in MADE])
def test_a_record_has_what_makes_its_problem_again(problem):
    told = json.loads(json.dumps(record(solve(problem, "dfs", engine="python", limits=Limits(nodes=5)))))
    again = type(problem).from_text(told["initial"], **told["options"]["puzzle"])
    assert (again.initial, again.data, again.costs) == (problem.initial, problem.data, problem.costs)


@pytest.mark.parametrize("name", PUZZLES)
def test_options_are_those_that_the_catalog_lists(name):
    known = {option.name for option in PUZZLES[name].options}
    assert all(set(problem.options) <= known for problem, _ in MADE if type(problem) is PUZZLES[name].load())


def test_a_class_of_your_own_has_no_options_unless_it_says_so():
    class Named(Doubling):
        options = {"target": 5}

    class Other(Doubling):
        options = ("a", "name", "for", "something", "else")

    for kind, options in ((Doubling, {}), (Named, {"target": 5}), (Other, {})):
        assert record(solve(kind(), "bfs"))["options"] == {"puzzle": options, "algorithm": {}}


def test_every_figure_reaches_records_and_batches():
    result = solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python")
    told = record(result)
    batch = solve_many(Sliding, [result.problem], "bfs", engine="python")
    for field in fields(Stats):
        assert field.name in told
        assert len(getattr(batch, field.name)) == 1
    with pytest.raises(AttributeError, match="a batch has no 'figures'"):
        _ = batch.figures


def test_a_record_says_when_the_run_began_and_ended():
    told = record(solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python"))
    assert told["started"] <= told["ended"]
    assert told["started"][10] == "T" and told["started"][-6] in "+-"


def test_json_prints_the_fixed_fields_only():
    told = printed(record(solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python"), name="one", solutions=3))
    assert list(told) == list(FIELDS)
    assert (told["name"], told["solutions"], told["error"]) == ("one", 3, None)
    assert told["peak_memory_mb"] > 1


@pytest.mark.parametrize("cost", ["quality", "opportunity", "report1"])
def test_costs_that_are_points_are_told_as_points(cost):
    problem = Tetris(ROW, "iotll", cost)
    best = solve(problem, f"astar:{cost}_bound", engine="python")
    assert problem.cost_in_points(best.cost) == best.points == problem.points(best.final)
    unsolved = replace(solve(problem, "bfs", engine="python", limits=Limits(nodes=1)), bound=best.bound)
    assert outcome(unsolved).endswith(f"a solution makes at most {best.points} points")
    beam = solve(problem, f"beam:{cost}_bound,width=2", engine="python")
    assert beam.gap
    more = problem.cost_in_points(beam.bound) - beam.points
    assert f"at most {more:,} points more can be made" in outcome(beam)
    assert ("at most", f"{beam.points + more:,} points") in statistics(beam)


def test_costs_that_are_no_points_are_told_as_costs():
    unsolved = solve(Sliding("8 1 3 4 0 2 7 6 5"), "astar:manhattan", engine="python", limits=Limits(nodes=5))
    assert "any solution costs at least 1" in outcome(unsolved)
