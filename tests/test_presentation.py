"""What puzzles say of themselves, and that a user's class is heard when it says the same things."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from textwrap import dedent

import pytest

from procura import Estimate, Problem, Sliding, catalog
from procura.texts import Source
from procura.tune.scoring import SCORINGS

ODD = "1 2 3 4 5 6 8 7 0"
EVEN = "1 2 3 4 5 6 7 0 8"

FIFTEEN = """
    from procura import Sliding

    class Fifteen(Sliding):
        pass
"""
NAMESAKE = """
    from procura import Problem

    class Sudoku(Problem):
        initial = 0

        def actions(self, state):
            return [("add", state, "one")]

        def result(self, state, action):
            return state + 1

        def is_goal(self, state):
            return state == 2
"""
STAIRS = """
    from procura import Problem
    from procura.texts import one_a_line

    class Stairs(Problem):
        step_noun = "stair"

        def __init__(self, top=3):
            self.initial, self.target = 0, top

        def actions(self, state):
            return ["up"] if state < self.target else []

        def result(self, state, action):
            return state + 1

        def is_goal(self, state):
            return state == self.target

        def action_text(self, value):
            return value + "wards"

        def why_unsolvable(self):
            return "nobody gets below the floor" if self.target < 0 else None

        @classmethod
        def from_text(cls, text):
            return cls(int(text))

        @classmethod
        def split_text(cls, source, options):
            return one_a_line(cls.from_text, source)

        @classmethod
        def samples(cls):
            return {"high": {"top": 5}}

        @classmethod
        def generate(cls, seed, *, most=9):
            return cls(1 + seed % int(most))

        @classmethod
        def beatable(cls, given, against=None):
            return {"most": 2}
"""


@pytest.fixture
def own(tmp_path):
    """Run a command on a class of a file; ``{own}`` stands for it."""

    def run(source, name, *arguments, text=""):
        (tmp_path / "own.py").write_text(dedent(source))
        puzzle = str(tmp_path / "own.py") + ":" + name
        command = [sys.executable, "-m", "procura", *(puzzle if word == "{own}" else word for word in arguments)]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)

    return run


def test_a_namesake_of_a_puzzle_has_its_own_words(own):
    result = own(NAMESAKE, "Sudoku", "solve", "{own}", "--engine", "python", "--steps")
    assert result.returncode == 0, result.stderr
    assert "solved in 2 moves" in result.stdout
    assert "add,0,one add,1,one" in result.stdout


def test_a_class_derived_from_a_puzzle_reads_several_boards(own):
    boards = f"{EVEN}\n{ODD}\n"
    result = own(FIFTEEN, "Fifteen", "solve", "{own}", "-", "--engine", "python", "--json", text=boards)
    records = list(map(json.loads, result.stdout.splitlines()))
    assert [record["outcome"] for record in records] == ["solved", "no_solution"]
    assert [record["puzzle"] for record in records] == ["Fifteen"] * 2


def test_a_class_derived_from_a_puzzle_keeps_its_argument(own):
    result = own(FIFTEEN, "Fifteen", "solve", "{own}", ODD, "--engine", "python")
    assert result.returncode == 4
    assert "(by parity: half of all boards cannot reach this goal" in result.stdout


def test_a_class_derived_from_a_puzzle_is_played_like_it(own):
    result = own(FIFTEEN, "Fifteen", "play", "{own}", EVEN, text="left\n")
    assert "Sliding puzzle 3x3" in result.stdout
    assert "solved in 1 move" in result.stdout


def test_a_class_derived_from_a_puzzle_reads_options_like_it(own):
    result = own(FIFTEEN, "Fifteen", "generate", "{own}", "--size", "2x2", "--moves", "0")
    assert result.stdout == "1 2 3 0\n"


def test_a_users_class_says_what_puzzles_say(own):
    result = own(STAIRS, "Stairs", "solve", "{own}", "-", "--engine", "python", text="2\n-1\n")
    assert "solved in 2 stairs" in result.stdout
    assert "upwards upwards" in result.stdout
    assert "(nobody gets below the floor)" in result.stdout
    assert result.returncode == 4


def test_a_users_class_has_samples_and_boards_to_beat(own):
    sample = own(STAIRS, "Stairs", "solve", "{own}", "--sample", "high", "--engine", "python")
    assert "solved in 5 stairs" in sample.stdout
    played = own(STAIRS, "Stairs", "play", "{own}", "--seed", "1", text="1\n1\n")
    assert "solved in 2 stairs" in played.stdout


def test_what_a_users_class_raises_while_splitting_is_told_in_a_sentence(own):
    broken = STAIRS.replace("return one_a_line(cls.from_text, source)", "raise KeyError('board')")
    result = own(broken, "Stairs", "solve", "{own}", "2")
    assert result.returncode == 2
    assert "Stairs.split_text" in result.stderr and result.stderr.count("\n") == 1


def test_a_class_that_says_nothing_gets_what_is_plain():
    class Silent(Problem):
        initial = 0

    silent = Silent()
    assert (silent.step_noun, silent.action_text(["a", 1]), silent.action_text("U")) == ("move", "a,1", "U")
    assert silent.why_unsolvable() is None and not silent.proved_unsolvable()
    assert silent.target_text() is None and silent.caption() is None
    assert Silent.split_text(Source("1\n2"), {}) == [] and Silent.samples() == {}


def test_a_users_points_have_a_ceiling_only_if_the_class_tells_how_to_find_it():
    class Coins(Problem):
        initial = 0
        costs, acyclic = "any", True

        def actions(self, state):
            return ["take"] if state < 3 else []

        def result(self, state, action):
            return state + 1

        def cost(self, state, action, next_state):
            return -10

        def is_goal(self, state):
            return state == 3

        def points(self, state):
            return 10 * state

    class Counted(Coins):
        auto = "astar:left"
        heuristics = {"left": Estimate(lambda state: -10 * (3 - state), admissible=True, consistent=True)}

        def for_points(self):
            return self

    ceiling = SCORINGS["points"].ceiling
    assert ceiling(Coins(), "python") == math.inf
    assert ceiling(Counted(), "python") == 30


def test_an_argument_that_gives_no_reason_still_counts():
    class Blunt(Sliding):
        def proved_unsolvable(self):
            return True

    assert Blunt(EVEN).proved_unsolvable() and Blunt(EVEN).why_unsolvable() is None


@pytest.mark.parametrize("name", catalog.PUZZLES)
def test_a_puzzle_is_made_again_of_its_text_and_options(name):
    cls = catalog.puzzle(name).load()
    for arguments in cls.samples().values():
        problem = cls(**arguments)
        again = cls.from_text(problem.board_text(), **problem.board_options())
        assert (again.initial, again.lists) == (problem.initial, problem.lists)


@pytest.mark.parametrize("name", catalog.PUZZLES)
def test_the_usual_boards_are_boards_of_the_class(name):
    cls = catalog.puzzle(name).load()
    assert cls.usual_boards()
    assert all(type(board) is cls for board in cls.usual_boards().values())
