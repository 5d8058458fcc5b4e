"""solve_many(): each row is what solve gives, bad boards are told and passed over, and work is done when asked for."""

import enum
import threading

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from instances import sliding
from slowly import quick
from spaces import Bits, Counter, Doubling, Graph

from procura import (
    Batch,
    Dots,
    InputError,
    KernelError,
    Limits,
    Outcome,
    Problem,
    Sliding,
    Sudoku,
    Tetris,
    kernel,
    solve,
    solve_many,
)
from procura.portions import AHEAD

relaxed = settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
BOARDS = ["1 2 3 4 5 6 7 0 8", "8 1 3 4 0 2 7 6 5", "1 2 3 4 5 6 8 7 0", "1 2 3 4 5 6 7 8 0"]
COLUMNS = ("outcome", "stopped_by", "cost", "length", "optimal", "bound")
COUNTS = ("generated", "expanded", "max_frontier", "depth")


@pytest.mark.parametrize("jobs", quick(1, of=[1, 3]))
@given(
    problems=st.lists(sliding(), max_size=8),
    configuration=st.sampled_from(["idastar:manhattan", "astar:manhattan,ties=high_g", "bfs", "auto"]),
    engine=st.sampled_from(["python", "compiled"]),
    nodes=st.sampled_from([None, 50]),
)
@relaxed
def test_every_row_is_what_solve_gives(jobs, problems, configuration, engine, nodes):
    limits = Limits(nodes=nodes)
    batch = solve_many(Sliding, problems, configuration, engine=engine, limits=limits, jobs=jobs)
    alone = [solve(problem, configuration, engine=engine, limits=limits) for problem in problems]
    for name in COLUMNS:
        assert getattr(batch, name) == [getattr(result, name) for result in alone]
    for name in COUNTS:
        assert getattr(batch, name) == [getattr(result.stats, name) for result in alone]
    for row, result in zip(batch, alone, strict=True):
        for name in ("problem", "actions", "final", "options", "heuristic", "algorithm", "engine", "notes"):
            assert getattr(row, name) == getattr(result, name)
        assert (row.stats.penetrance, row.stats.branching_factor) == (
            result.stats.penetrance,
            result.stats.branching_factor,
        )
    assert batch.errors == {} and len(batch) == len(problems)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_board_does_not_stop_the_others(jobs):
    boards = [BOARDS[0], "1 2 x 0", *BOARDS[1:], [1, 1, 0, 2]]
    batch = solve_many("sliding", boards, "bfs", engine="python", jobs=jobs)
    assert isinstance(batch, Batch)
    assert batch.cost == [1, None, 14, None, 0, None]
    assert batch.outcome == ["solved", None, "solved", "no_solution", "solved", None]
    assert list(batch.errors) == [1, 5]
    assert [type(row) for row in batch][1] is InputError
    with pytest.raises(InputError, match="'x'"):
        batch[1]
    assert batch[2].cost == 14


def test_results_are_made_of_text_lists_dicts_and_problems():
    one = "1 2 3 4 5 6 7 0 8"
    boards = [one, [1, 2, 3, 4, 5, 6, 7, 0, 8], {"board": one}, {"board": one, "goal": one}, Sliding(one, goal=one)]
    batch = solve_many("sliding", boards, "bfs", engine="python")
    assert batch.length == [1, 1, 1, 0, 0]
    assert batch[3].problem.goal == batch[4].problem.goal


def test_options_of_the_puzzle_go_to_every_board():
    batch = solve_many(Tetris, ["empty", "#########."], "dfs", engine="python", pieces="i", cost="opportunity")
    assert [result.problem.costs for result in batch] == ["nonnegative"] * 2
    grid = [[[0, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, 0]]]
    assert solve_many(Dots, [grid], "idastar:polyomino", boxes=1, engine="python").cost == [4]
    goals = solve_many("sliding", [BOARDS[0]], "bfs", engine="python", goal=BOARDS[0])
    assert goals[0].actions == ()


class Tied(Doubling):
    """Takes an option that astar takes as well."""

    def __init__(self, initial, ties="lifo"):
        self.initial = initial


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"puzzle": "slidng"}, "did you mean 'sliding'"),
        ({"puzzle": 3}, "a class of problems"),
        ({"algorithm": "astr"}, "did you mean 'astar'"),
        ({"algorithm": "astar", "tie": "fifo"}, "did you mean 'ties'"),
        ({"algorithm": "astar", "weight": -1}, "a number from 0"),
        ({"jobs": -2}, "jobs=-2"),
        ({"limits": 3}, "limits 3"),
        ({"boards": "1 2 3 4 5 6 7 8 0"}, "a list of boards"),
        ({"puzzle": Tied, "boards": [1], "algorithm": "astar", "ties": "fifo"}, "could be that of Tied or of astar"),
        ({"engine": "fast"}, "engine 'fast': expected auto, python or compiled"),
        ({"seed": "x"}, "seed 'x': expected a whole number"),
        ({"cancel": 3}, "cancel 3: expected a function"),
    ],
)
def test_what_no_board_could_be_solved_with_is_refused_at_once(arguments, message):
    with pytest.raises(InputError, match=message):
        solve_many(**{"puzzle": "sliding", "boards": BOARDS, **arguments})


def test_arguments_that_a_puzzle_does_not_take_are_told_board_by_board():
    batch = solve_many(Sliding, [{"board": BOARDS[0], "gaol": "spiral"}, BOARDS[0]], "bfs", engine="python")
    assert batch.length == [None, 1]
    assert "gaol" in str(batch.errors[0])


@pytest.mark.parametrize(("jobs", "ahead"), [(1, 1), (2, 2 * AHEAD + 1)])
def test_boards_are_read_when_it_is_their_turn(jobs, ahead):
    read = []

    def endless():
        while True:
            read.append(1)
            yield BOARDS[0]

    batch = solve_many("sliding", endless(), "bfs", engine="python", jobs=jobs)
    assert read == []
    assert next(iter(batch)).cost == 1
    assert len(read) <= ahead
    assert batch[2].cost == 1


def test_nothing_is_solved_twice():
    solved = []

    class Watched(Doubling):
        def __init__(self, initial):
            self.initial = initial

        def proved_unsolvable(self):
            solved.append(self.initial)
            return False

    batch = solve_many(Watched, iter([1, 2, 3]), "bfs")
    assert [result.length for result in batch] == [3, None, 2]
    assert (batch.length, len(batch), batch[-1].length, batch[0:2][0].length) == ([3, None, 2], 3, 2, 3)
    assert solved == [1, 2, 3]
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(IndexError):
        batch[-4]


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelling_keeps_what_is_there(jobs):
    cancel = threading.Event()
    batch = solve_many(Bits, [Counter(9), Bits(), Bits(), Counter(9)], "idastar", jobs=jobs, cancel=cancel)
    assert batch[0].cost == 5
    threading.Timer(0.2, cancel.set).start()
    assert batch.cost == [5, None, None, None if jobs == 1 else batch[3].cost]
    assert batch.stopped_by[:3] == [None, "cancelled", "cancelled"]
    assert (batch[2].outcome, batch[2].stopped_by) == (Outcome.NOT_FOUND, "cancelled")
    assert len(batch) == 4


class Spoilt(Sliding):
    """A board that begins with 0 is a defect of this class."""

    def start(self):
        if self.board[0] == 0:
            raise ZeroDivisionError("spoilt")
        return super().start()


def breaking(count):
    """So many boards, and then an error."""
    for number in range(count):
        yield BOARDS[number % len(BOARDS)]
    raise ZeroDivisionError("no more boards")


QUESTIONS = {
    "all": list,
    "length": len,
    "column": lambda batch: batch.cost,
    "errors": lambda batch: batch.errors,
    "beyond": lambda batch: batch[7],
    "slice": lambda batch: batch[:2],
}


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("defect", [False, True])
def test_an_error_that_ends_a_batch_is_raised_whenever_more_is_asked_for(jobs, question, defect):
    boards = iter([*BOARDS[:3], "0 1 2 3 4 5 6 7 8", *BOARDS]) if defect else breaking(3)
    batch = solve_many(
        Spoilt if defect else "sliding", boards, "bfs", engine="python", limits=Limits(nodes=50), jobs=jobs
    )
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            QUESTIONS[question](batch)
        assert [batch[number].cost for number in range(3)] == [1, None, None]
        found = []
        with pytest.raises(ZeroDivisionError):
            for result in batch:
                found.append(result.cost)
        assert found == [1, None, None]


def test_a_cancelled_batch_reads_no_endless_list():
    cancel = threading.Event()
    batch = solve_many(Counter, (Counter(3) for _ in iter(int, 1)), "bfs", cancel=cancel)
    assert batch[1].cost == 2
    cancel.set()
    assert batch.cost == [2, 2]


@pytest.mark.parametrize("jobs", [1, 2])
def test_limits_are_those_of_each_run(jobs):
    batch = solve_many(Counter, [Counter(), Counter(4), Counter()], "bfs", limits=Limits(nodes=100), jobs=jobs)
    assert batch.stopped_by == ["nodes", None, "nodes"]
    assert batch.expanded[0] == batch.expanded[2] == 100


def test_a_kernel_that_does_not_compile_is_raised():
    class Broken(Counter):
        @kernel
        def solved(s, data, work):
            return len([s[0]]) == 2

    with pytest.raises(KernelError):
        solve_many(Broken, [Broken(1), Broken(2)], "bfs", jobs=2).column("cost")


def test_local_search_in_a_batch():
    boards = ["1.3.3.1.2.4.4.2.", "123........4...."]
    batch = solve_many("sudoku", boards, "annealing", seed=3, engine="python", limits=Limits(nodes=2000))
    alone = [solve(Sudoku(board), "annealing", seed=3, engine="python", limits=Limits(nodes=2000)) for board in boards]
    assert batch.cost == [result.cost for result in alone]
    for row, result in zip(batch, alone, strict=True):
        assert (row.actions, row.final, row.final_text) == (result.actions, result.final, result.final_text)


class Turn(enum.IntEnum):
    """Actions that are numbers, and more."""

    LEFT = -1
    RIGHT = 1


class Walk(Problem):
    """From 0 to the right, as far as is asked."""

    initial = 0

    def __init__(self, goal):
        self.goal = goal

    def actions(self, state):
        return list(Turn)

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state == self.goal

    def action_to_json(self, action):
        return action.name


def test_actions_stay_what_they_are():
    assert [result.actions for result in solve_many(Walk, [1, 2], "bfs")] == [("RIGHT",), ("RIGHT", "RIGHT")]


def test_a_portfolio_in_a_batch():
    batch = solve_many(Sliding, BOARDS, ["idastar:manhattan", "bfs"], engine="python")
    assert batch.cost == [1, 14, None, 0]
    assert batch.generated[3] == 0 and "portfolio" in batch[1].notes[0]


# What runs share must not go stale.


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_list_that_changes_between_problems_is_read_again(engine):
    class Shared(Graph):
        """Its costs stand in a list that all instances share."""

        prices = [1, 1]

        def __init__(self):
            super().__init__(3, {(0, 0): (1, 1), (1, 0): (2, 1)})
            self.data = self.data._replace(cost=self.prices)

    assert solve(Shared(), "ucs", engine=engine).cost == 2
    Shared.prices[0] = 7
    assert solve(Shared(), "ucs", engine=engine).cost == 8


STEP = 1


class Strides(Counter):
    """Counts by a constant of this module."""

    @kernel
    def apply(s, data, work, move):
        s[0] += move * STEP
        return 1


def test_a_constant_that_changes_between_runs_is_compiled_anew(monkeypatch):
    assert solve(Strides(12), "bfs", engine="compiled").cost == 6
    monkeypatch.setitem(globals(), "STEP", 3)
    assert solve(Strides(12), "bfs", engine="compiled").cost == 2
    monkeypatch.setitem(globals(), "STEP", 1)
    assert solve(Strides(12), "bfs", engine="compiled").cost == 6


def test_a_batch_says_what_it_has_and_how_to_ask():
    batch = solve_many("sliding", ["1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 0 7 8"], "bfs", engine="python")
    assert repr(batch) == "<Batch: 2 boards, 0 of them solved or tried so far>"
    for ask in (lambda: batch["cost"], lambda: batch.column("expandd")):
        with pytest.raises(InputError, match="batch"):
            ask()
    assert batch.column("penetrance") == [result.stats.penetrance for result in batch]


def test_a_result_of_a_batch_is_that_of_solve_to_the_types():
    batch = solve_many("sliding", ["1 2 3 4 5 6 0 7 8"], "bfs", engine="python")
    assert batch.cost and batch[0].path == solve(Sliding("1 2 3 4 5 6 0 7 8"), "bfs", engine="python").path
