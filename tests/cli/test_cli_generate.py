"""``procura generate``: random problems that ``solve`` reads back."""

from __future__ import annotations

import pytest
from helpers import is_one_sentence, objects, run

from procura import Problem, Sudoku, catalog
from procura.control import Control

MAKERS = [
    name for name, puzzle in catalog.PUZZLES.items() if puzzle.load().generate.__func__ is not Problem.generate.__func__
]
MAKER = """
from procura import Problem

class Counter(Problem):
    def __init__(self, goal):
        self.initial, self.goal = 0, goal
    @classmethod
    def from_text(cls, text):
        return cls(int(text))
    @classmethod
    def generate(cls, seed, *, goal="3"):
        return cls(int(goal) + seed)
    def board_text(self):
        return str(self.goal)
    def actions(self, state):
        return [1]
    def result(self, state, action):
        return state + action
    def is_goal(self, state):
        return state == self.goal

class Mute(Problem):
    pass
"""


@pytest.mark.parametrize("puzzle", MAKERS)
def test_what_is_generated_is_read_back(puzzle):
    made = objects(run("generate", puzzle, "--count", "3", "--seed", "5", "--json"))
    assert [(item["puzzle"], item["seed"]) for item in made] == [(puzzle, 5), (puzzle, 6), (puzzle, 7)]
    text = run("generate", puzzle, "--count", "3", "--seed", "5").stdout
    told = objects(run("solve", puzzle, "-", "--limit", "nodes=1", "--json", text=text))
    assert [item["error"] for item in told] == [None] * 3
    cls = catalog.puzzle(puzzle).load()
    problems = [cls.from_text(item["board"]) for item in made]
    assert [item["initial"] for item in told] == [problem.to_text(problem.initial) for problem in problems]


@pytest.mark.parametrize("puzzle", MAKERS)
def test_a_problem_depends_on_its_seed_only(puzzle):
    def boards(count, seed):
        return [item["board"] for item in objects(run("generate", puzzle, "--count", count, "--seed", seed, "--json"))]

    assert boards(3, 1)[1:] == boards(2, 2)
    assert boards(3, 1) == boards(3, 1)


def test_none_are_nothing():
    result = run("generate", "sliding", "--count", "0")
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_users_puzzle_can_make_problems(tmp_path):
    (tmp_path / "counter.py").write_text(MAKER)
    assert run("generate", f"{tmp_path}/counter.py:Counter", "--count", "2").stdout == "3\n4\n"
    result = run("generate", f"{tmp_path}/counter.py:Mute")
    assert result.exit_code == 2
    assert result.stderr == "procura: Mute makes no random problems: it defines no generate\n"


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["sudokku"], "did you mean 'sudoku'?"),
        (["sudoku", "--count", "-1"], "-1 is not in the range"),
        (["sudoku", "--count", "many"], "is not a whole number"),
        (["sudoku", "--seed", "x"], "is not a whole number"),
        ([], "PUZZLE"),
    ],
)
def test_bad_requests_are_one_sentence(arguments, told):
    result = run("generate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert is_one_sentence(result.stderr)
    assert told in result.stderr


def test_every_generator_option_is_in_the_help_with_its_puzzle():
    text = " ".join(run("generate", "--help").stdout.split())
    for puzzle in catalog.PUZZLES.values():
        for option in puzzle.generator:
            assert f"{puzzle.name}: {option.about.split()[0]}" in text


def test_options_that_are_on_or_off_take_no_value():
    board = run("generate", "sudoku", "--symmetric", "--clues", "32").stdout.strip()
    assert [digit == "." for digit in board] == [digit == "." for digit in reversed(board)]
    filled = run("generate", "tetris", "--no-top-empty", "--d", "0.02").stdout
    assert "#" in filled.splitlines()[1]
    assert run("generate", "sliding", "--symmetric").exit_code == 2


def test_a_sudoku_that_is_hard_to_make_says_how_many_were_tried():
    control = Control()
    with control.in_charge():
        Sudoku.generate(3, clues=24)
    assert control.preparing.endswith(" of up to 20,000 boards tried")
