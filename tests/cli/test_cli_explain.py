"""``procura explain``: steps for people, objects for programs, pictures; and puzzles that explain nothing."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from helpers import is_one_sentence, objects, run

from procura.puzzles.sudoku.samples import samples

EASY, DIABOLIC = samples["easy"]["board"], samples["diabolic"]["board"]
OWN = """
from procura import Outcome, Problem
from procura.explanation import ExplainedStep, Explanation

class Counter(Problem):
    initial = 0
    def actions(self, state):
        return [1]
    def result(self, state, action):
        return state + action
    def is_goal(self, state):
        return state == 2
    def explain(self):
        steps = tuple(ExplainedStep("counting", f"{n} follows {n - 1}", (1,)) for n in (1, 2))
        return Explanation(steps, Outcome.SOLVED, 2, "counting", "trivial")

class Failing(Counter):
    def explain(self):
        raise RuntimeError("lost count")
"""


def test_steps_reasons_rating_and_the_solution_are_printed():
    result = run("explain", "sudoku", DIABOLIC, "--ascii")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert "1. hidden single: in block 2 only r2c4 can hold 2" in lines
    assert "613 794 258" in lines
    assert lines[-3:-1] == ["rating    medium", "hardest   hidden pair"]
    assert lines[-1] == "steps     60 steps: hidden single 58, locked candidates 1, hidden pair 1"


def test_a_batch_gives_one_object_a_board_and_the_worst_status(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text(f"{EASY}\n{'.' * 81}\n{EASY.replace('8', 'x', 1)}\n{DIABOLIC}\n")
    result = run("explain", "sudoku", str(file), "--json")
    easy, empty, bad, diabolic = objects(result)
    assert result.exit_code == 2 and is_one_sentence(result.stderr)
    assert [easy["rating"], diabolic["rating"]] == ["easy", "medium"]
    assert empty["outcome"] == "not_found" and empty["rating"] is None and "more than one" in empty["note"]
    assert "line 3" in bad["error"] and bad["steps"] is None
    assert set(easy) == set(bad) == set(empty)
    assert easy["final"].replace(" ", "").replace("\n", "") == (
        "157946832284573196396128745672351984549287613831469257415692378763815429928734561"
    )


@pytest.mark.parametrize(("board", "status"), [("123. ...4 .... ....", 4), ("." * 16, 3), ("1... ..2. .3.. ...4", 0)])
def test_the_status_says_how_it_ended(board, status):
    assert run("explain", "sudoku", board).exit_code == status


def test_a_picture_of_the_hardest_step_of_another_and_of_all(tmp_path):
    one, other, folder = tmp_path / "hardest.svg", tmp_path / "third.svg", tmp_path / "steps"
    assert run("explain", "sudoku", DIABOLIC, "--svg", str(one)).exit_code == 0
    assert "hidden pair: in block 5" in ElementTree.fromstring(one.read_text())[0].text
    assert run("explain", "sudoku", DIABOLIC, "--svg", str(other), "--step", "3").exit_code == 0
    assert "r1c6 can hold 4" in ElementTree.fromstring(other.read_text())[0].text
    assert run("explain", "sudoku", DIABOLIC, "--svg", str(folder)).exit_code == 0
    assert [file.name for file in sorted(folder.iterdir())] == [f"{number:02}.svg" for number in range(1, 61)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--svg", "x.svg", "--sample", "all"], "expected one board"),
        (["--step", "3", "--sample", "easy"], "--step goes with --svg FILE.svg"),
        (["--svg", "no/such/x.svg", "--sample", "easy"], "there is no such folder"),
        (["--svg", "{tmp}/x.svg", "--step", "999", "--sample", "easy"], "--step 999: there are 43 steps"),
        ([], "expected either BOARD or --sample NAME"),
    ],
)
def test_what_cannot_be_drawn_or_explained_is_refused(options, said, tmp_path):
    result = run("explain", "sudoku", *(option.replace("{tmp}", str(tmp_path)) for option in options))
    assert result.exit_code == 2 and said in result.stderr and is_one_sentence(result.stderr)


@pytest.mark.parametrize("puzzle", ["sliding", "tetris", "dots"])
def test_a_puzzle_that_explains_nothing_says_so(puzzle):
    result = run("explain", puzzle, "x")
    assert result.exit_code == 2
    assert result.stderr == f"procura: {puzzle} has no explain method: its boards can be solved, but not explained\n"


def test_a_puzzle_of_ones_own_is_explained_by_its_method(tmp_path):
    file = tmp_path / "counter.py"
    file.write_text(OWN)
    result = run("explain", f"{file}:Counter")
    assert result.exit_code == 0
    assert "2. counting: 2 follows 1" in result.stdout and "rating    trivial" in result.stdout
    record = json.loads(run("explain", f"{file}:Counter", "--json").stdout)
    assert record["steps"][0] == {"technique": "counting", "reason": "1 follows 0", "actions": [1]}
    failing = run("explain", f"{file}:Failing")
    assert failing.exit_code == 2 and "Failing raises RuntimeError: lost count" in failing.stderr
