"""``path/file.py:Class``: a puzzle from outside, named on the command line."""

from __future__ import annotations

import pytest
from helpers import RUSH_HOUR, is_one_sentence, objects, run

JAM = "..BC..DDBCEFAA.CEFGGG.E...HIIJ..HKKJ"
COUNTER = """
from procura import Problem
import neighbour

class Counter(Problem):
    def __init__(self, text, goal):
        self.initial, self.goal = int(text), goal
    @classmethod
    def from_text(cls, text, *, goal="3"):
        return cls(text, int(goal))
    def actions(self, state):
        return [1, -1]
    def result(self, state, action):
        return state + action * neighbour.STEP
    def is_goal(self, state):
        return state == self.goal

class Other:
    pass
"""


@pytest.fixture
def counter(tmp_path):
    (tmp_path / "counter.py").write_text(COUNTER)
    (tmp_path / "neighbour.py").write_text("STEP = 1\n")
    return tmp_path / "counter.py"


def test_the_tutorials_puzzle_runs():
    (told,) = objects(run("solve", f"{RUSH_HOUR}:RushHour", JAM, "--json"))
    assert told["puzzle"] == "RushHour"
    assert (told["outcome"], told["optimal"], told["length"]) == ("solved", True, 28)


def test_any_problem_runs_and_takes_the_options_of_its_from_text(counter):
    (told,) = objects(run("solve", f"{counter}:Counter", "0", "--goal", "-2", "--json"))
    assert (told["puzzle"], told["actions"], told["initial"]) == ("Counter", [-1, -1], "0")
    assert "Counter takes --goal" in run("solve", f"{counter}:Counter", "0", "--size", "2x2").stderr


def test_a_class_that_can_be_made_without_arguments_needs_no_board():
    jugs = RUSH_HOUR.with_name("jugs.py")
    (told,) = objects(run("solve", f"{jugs}:Jugs", "--json"))
    assert (told["outcome"], told["length"]) == ("solved", 6)
    assert run("solve", f"{RUSH_HOUR}:RushHour").stderr == "procura: expected a BOARD\n"


def test_a_heuristic_that_is_no_estimate_is_named(tmp_path):
    place = tmp_path / "plain.py"
    place.write_text(COUNTER.replace("import neighbour", "neighbour = None").replace(
        "class Counter(Problem):", "class Counter(Problem):\n    heuristics = {'left': len}"
    ))  # fmt: skip
    told = run("solve", f"{place}:Counter", "0", "--with", "astar:left").stderr
    assert told == ("procura: Counter: heuristic 'left' is declared as the function len: expected an Estimate\n")


@pytest.mark.parametrize(
    "puzzle, told",
    [
        ("nowhere.py:Counter", "there is no such file"),
        ("{}:Countr", "has no class 'Countr': did you mean 'Counter'?"),
        ("{}:Other", "expected a class derived from procura.Problem"),
        ("{}:COUNT", "has no class 'COUNT'"),
        ("{}", "expected the class as well, path/file.py:Class"),
        ("{}:", "expected the class as well, path/file.py:Class"),
    ],
)
def test_what_cannot_be_loaded_is_one_sentence(counter, puzzle, told):
    result = run("solve", puzzle.format(counter), "0")
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert told in result.stderr


@pytest.mark.parametrize(
    "source, told",
    [
        ("import no_such_module", "ModuleNotFoundError"),
        ("def", "SyntaxError"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_file_that_does_not_import_is_one_sentence(tmp_path, source, told):
    (tmp_path / "bad.py").write_text(source)
    result = run("solve", f"{tmp_path}/bad.py:Any", "0")
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert f"bad.py cannot be loaded: {told}" in result.stderr


def test_a_board_that_from_text_chokes_on_is_bad_input(counter):
    result = run("solve", f"{counter}:Counter", "many")
    assert result.exit_code == 2
    assert "Counter.from_text cannot read the board: ValueError" in result.stderr


FAULTY = """
from procura import Problem
class Mute(Problem):
    initial = 0
    @classmethod
    def from_text(cls, text):
        return cls()
    def actions(self, state):
        return [1]
    def result(self, state, action):
        return state + action
class Fine(Mute):
    def is_goal(self, state):
        return state == 2
class Lists(Fine):
    def result(self, state, action):
        return [0]
class Raising(Fine):
    def actions(self, state):
        raise KeyError("oh\\nno")
class Drawing(Fine):
    def draw(self, state):
        return state.picture
class OneWay(Fine):
    def action_to_json(self, action):
        return "one"
class Leaving(Fine):
    def is_goal(self, state):
        raise SystemExit(0)
"""


@pytest.mark.parametrize(
    "name, told",
    [
        ("Mute", "Mute defines no is_goal"),
        ("Lists", "Lists raises TypeError: unhashable type: 'list', and states must be hashable"),
        ("Raising", "Raising raises KeyError: 'oh\\nno' (faulty.py, line 20)"),
        ("Drawing", "Drawing raises AttributeError: 'int' object has no attribute 'picture' (faulty.py, line 23)"),
        ("OneWay", "OneWay raises TypeError: unsupported operand"),
        ("Leaving", "Leaving raises SystemExit: 0 (faulty.py, line 29)"),
    ],
)
def test_what_a_users_class_raises_is_bad_input_that_names_it(tmp_path, name, told):
    (tmp_path / "faulty.py").write_text(FAULTY)
    arguments = ["solve", f"{tmp_path}/faulty.py:{name}", "0", "--steps"]
    result = run(*arguments, env={"PROCURA_DEBUG": None})
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert told in result.stderr
    debugged = run(*arguments, env={"PROCURA_DEBUG": "1"})
    assert debugged.exit_code == 2
    assert "Traceback" in debugged.stderr


def test_a_class_without_from_text_says_so(tmp_path):
    (tmp_path / "mute.py").write_text("import procura\nclass Mute(procura.Problem):\n    pass\n")
    result = run("solve", f"{tmp_path}/mute.py:Mute", "0")
    assert result.exit_code == 2
    assert "Mute reads no text" in result.stderr


@pytest.mark.parametrize("command", [["solve"], ["play"], ["compare", "--with", "bfs"]], ids=lambda words: words[0])
def test_a_class_that_cannot_be_made_says_at_once_what_it_needs(tmp_path, command):
    lines = "import procura\nclass Needy(procura.Problem):\n    def __init__(self, size):\n        pass\n"
    (tmp_path / "needy.py").write_text(lines)
    result = run(*command, f"{tmp_path}/needy.py:Needy")
    assert result.exit_code == 2 and is_one_sentence(result.stderr)
    assert "Needy has no from_text" in result.stderr and "or give the arguments defaults" in result.stderr


def test_code_is_never_loaded_through_the_board_or_a_heuristic(tmp_path):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    run("solve", "sliding", f"{tmp_path}/evil.py:Evil")
    run("solve", "sliding", "1 2 3 0", "--heuristic", f"@{tmp_path}/evil.py")
    assert not (tmp_path / "ran").exists()
