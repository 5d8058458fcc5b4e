"""``--json``: the keys, their order, and values that JSON has."""

from __future__ import annotations

import json

import pytest
from helpers import EASY, ONE_MOVE, objects, run

from procura import __version__
from procura.record import plain

KEYS = [
    "schema", "version", "puzzle", "name", "algorithm", "heuristic", "engine", "seed", "outcome", "stopped_by",
    "optimal", "cost", "bound", "gap", "length", "actions", "initial", "final", "points", "solutions", "generated",
    "expanded", "max_frontier", "depth", "seconds", "compile_seconds", "peak_memory_mb", "penetrance",
    "branching_factor", "options", "error",
]  # fmt: skip


def test_the_keys_stand_in_their_order():
    result = run("solve", "sliding", ONE_MOVE, "--json")
    assert list(json.loads(result.stdout)) == KEYS
    assert result.stderr == ""


def test_a_solved_problem_tells_everything():
    (told,) = objects(run("solve", "sliding", "--sample", "moodle-5", "--with", "astar:manhattan", "--json"))
    assert told["schema"] == 1
    assert told["version"] == __version__
    assert (told["puzzle"], told["name"]) == ("sliding", "moodle-5")
    assert (told["algorithm"], told["heuristic"], told["engine"]) == ("astar", "manhattan", "python")
    assert (told["outcome"], told["stopped_by"], told["error"]) == ("solved", None, None)
    assert (told["optimal"], told["cost"], told["bound"], told["gap"]) == (True, 28, 28, 0)
    assert told["length"] == len(told["actions"]) == 28
    assert set(told["actions"]) <= set("UDLR")
    assert told["initial"] == " 2  4  5  6\n .  3 14 13\n 1 11  9  7\n12 15 10  8"
    assert told["final"] == " 1  2  3  4\n12 13 14  5\n11  . 15  6\n10  9  8  7"
    assert told["penetrance"] == pytest.approx(28 / told["generated"])
    assert isinstance(told["peak_memory_mb"], float)
    assert (told["points"], told["solutions"], told["seed"]) == (None, None, None)


def test_tetris_tells_points():
    board = "#########.\n" * 4
    (told,) = objects(run("solve", "tetris", board, "--pieces", "i", "--json"))
    assert (told["points"], told["cost"], told["actions"]) == (800, -800, [["i", 0, 9]])


def test_fields_that_do_not_apply_are_null():
    (told,) = objects(run("solve", "sliding", "1 2 3 4 5 6 8 7 0", "--json"))
    for key in ("name", "cost", "bound", "gap", "length", "actions", "final", "optimal", "penetrance", "points"):
        assert told[key] is None
    assert told["outcome"] == "no_solution"


def test_a_bad_board_gives_an_object_with_its_error():
    result = run("solve", "sudoku", "8" * 81, "--json")
    (told,) = objects(result)
    assert list(told) == KEYS
    assert told["error"] == result.stderr.removeprefix("procura: ").strip()
    assert told["puzzle"] == "sudoku"
    assert all(told[key] is None for key in KEYS if key not in ("schema", "version", "puzzle", "error"))
    assert result.exit_code == 2


def test_a_batch_goes_on_after_a_bad_line():
    text = f"# three boards\n{EASY}\n\nnot a board\n{EASY}\n"
    result = run("solve", "sudoku", "-", "--json", text=text)
    told = objects(result)
    assert [item["outcome"] for item in told] == ["solved", None, "solved"]
    assert told[1]["error"].startswith("standard input, line 4: ")
    assert "line 4" in result.stderr
    assert result.exit_code == 2


def test_options_of_all_kinds_reach_the_run(tmp_path):
    (tmp_path / "h.txt").write_text("max(misplaced,  # two of them\n 0.5*manhattan)\n")
    (told,) = objects(
        run("solve", "sliding", ONE_MOVE, "--with", "astar,weight=2", "-o", "ties=fifo", "--json",
            "--heuristic", f"@{tmp_path}/h.txt", "--limit", "seconds=20,nodes=1_000", "--limit", "memory=2GB")
    )  # fmt: skip
    assert told["heuristic"] == "max(misplaced, 0.5*manhattan)"
    assert told["outcome"] == "solved"
    assert told["options"] == {"puzzle": {}, "algorithm": {"ties": "fifo", "weight": 2.0}}


def test_a_seed_is_told_where_it_matters():
    board = "12343412214343.."
    arguments = ["solve", "sudoku", board, "--json", "--seed", "7"]
    assert objects(run(*arguments, "--with", "annealing"))[0]["seed"] == 7
    assert objects(run(*arguments))[0]["seed"] is None


def test_what_json_does_not_have_is_made_plain():
    class Number:
        def item(self):
            return 3

    assert plain([float("nan"), float("-inf"), 1.5, Number(), (True, None), {1: object}]) == [
        None, None, 1.5, 3, [True, None], {"1": "<class 'object'>"},
    ]  # fmt: skip


def test_local_search_has_no_frontier_and_no_depth():
    from procura import Sudoku, solve
    from procura.record import record

    told = record(solve(Sudoku("1.3.3.1.2.4.4.2."), "annealing", engine="python", seed=1))
    assert told["outcome"] == "solved" and told["generated"] is not None
    assert told["max_frontier"] is None and told["depth"] is None
