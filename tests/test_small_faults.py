"""Small things that once ended in a traceback, in a puzzling sentence or in nothing."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from slowly import slow

from procura import ArrayProblem, Dots, Estimate, InputError, Problem, Sliding, Sudoku, kernel, solve, words
from procura.cli import cli
from procura.play.attempt import IllegalMove
from procura.play.saving import new_game
from procura.puzzles.dots.formats import read_problems
from procura.reading.limits import read_limits
from procura.record import record

ONE_MOVE = "1 2 3 4 5 6 7 0 8"


def run(*arguments):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="procura")


@pytest.mark.parametrize("state", [(1, 2), "abc", 7, (1, 2, 3, 4, 5, 6, 7, 0, 8, "x"), {}])
def test_a_state_of_the_wrong_shape_has_no_estimate(state):
    with pytest.raises(InputError, match="Sliding expected a row of 10 integers"):
        Sliding(ONE_MOVE).estimate("manhattan", state)


def test_a_state_may_be_a_list():
    puzzle = Sliding(ONE_MOVE)
    assert puzzle.estimate("manhattan", list(puzzle.initial)) == 1


def test_a_class_without_an_initial_state_is_told_so():
    class NoInit(Problem):
        pass

    with pytest.raises(InputError, match="NoInit has no initial state"):
        solve(NoInit(), "bfs")


class Dear(Problem):
    """Three steps of a given cost."""

    costs = "nonnegative"
    initial = 0
    heuristics = {"half": Estimate(lambda s: 0.5, integer=False)}

    def __init__(self, price):
        self.price = price

    def actions(self, state):
        return ["on"] if state < 3 else []

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 3

    def cost(self, state, action, after):
        return self.price


def test_costs_of_thousands_of_digits_are_shown_by_their_power_of_ten():
    result = solve(Dear(10**5000), "ucs")
    assert result.cost == 3 * 10**5000 and result.optimal
    assert "cost about 10^5000" in repr(result) and "about 10^5000" in words.outcome(result)
    assert json.loads(json.dumps(record(result)))["cost"] == "about 10^5000"
    assert solve(Dear(10**400), "ucs").cost == 3 * 10**400


@pytest.mark.parametrize("search", ["astar:half", "idastar:half", "beam:half", "greedy:half"])
def test_whole_costs_beyond_floats_need_a_whole_heuristic(search):
    if search.startswith("greedy"):
        assert solve(Dear(10**400), search).solved
        return
    with pytest.raises(InputError, match="costs beyond 1e308 need a heuristic of whole numbers"):
        solve(Dear(10**400), search)


class Crowd(ArrayProblem):
    """Lists more moves than it says."""

    def __init__(self):
        super().__init__(size=1, max_moves=2)

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        return 3

    @kernel
    def apply(s, data, work, move):
        return 1

    @kernel
    def solved(s, data, work):
        return False


@pytest.mark.parametrize("search", ["bfs", "dfs", *slow("astar", "idastar")])
def test_who_lists_too_many_moves_is_named(search):
    with pytest.raises(InputError, match=r"Crowd\.moves lists more moves than max_moves, 2"):
        solve(Crowd(), search, engine="compiled")


LISTS = "(((1) (0)) ((1) (0)))"


@pytest.mark.parametrize(
    "text",
    [f"(99999999999 {LISTS})", "99999999999\n.-.\n| |\n.-.", f"({'9' * 9000} {LISTS})"],
    ids=["lists", "drawn", "long"],
)
def test_a_target_that_is_too_large_is_no_name(text):
    with pytest.raises(InputError, match=r"the target is 9+(\.\.\.)?: expected"):
        read_problems(text)


def test_an_empty_board_is_cut_where_one_can_see_it():
    assert " [...] " in repr(Sudoku("." * 81))
    assert "[...]" not in repr(Sudoku("." * 16))


@pytest.mark.parametrize("text", ["nodes=1e18", "depth=1e400"])
def test_a_limit_that_is_too_large_is_told_so(text):
    with pytest.raises(InputError, match="expected a number below 1e18, or no limit at all"):
        read_limits([text])


def test_an_illegal_move_is_told_as_people_write_it():
    game = new_game(Dots([[[1], [0]], [[0], [0]]], boxes=1))
    with pytest.raises(IllegalMove, match="h0,0"):
        game.play(["h", 0, 0])


@pytest.mark.parametrize("option", ["--trace", "--log", "--svg"])
def test_a_dash_is_no_file_to_write(option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("solve", "sliding", ONE_MOVE, "--engine", "python", option, "-")
    assert done.exit_code == 2 and f"{option} -: expected the name of a file" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_pictures_of_steps_go_to_a_folder_of_their_own(tmp_path):
    picture, folder = tmp_path / "hard.png", tmp_path / "steps"
    assert "expected FILE.svg, or a folder" in run("explain", "sudoku", "--sample", "easy", "--svg", picture).stderr
    assert run("explain", "sudoku", "1" + "." * 80, "--svg", folder).exit_code != 0
    assert list(tmp_path.iterdir()) == []
    assert run("explain", "sudoku", "--sample", "small", "--svg", folder).exit_code == 0
    (folder / "99.svg").write_text("mine")
    assert "no step of this board" in run("explain", "sudoku", "--sample", "small", "--svg", folder).stderr
    assert (folder / "99.svg").read_text() == "mine"
