"""solve_many() by searches that solve many rows at once: columns as from single runs, whatever the boards are."""

import pytest
from hypothesis import given, settings, strategies as st
from instances import HEURISTICS, PUZZLES
from slowly import quick
from spaces import Counter

from procura import ArrayProblem, Data, Limits, Outcome, Sliding, kernel, solve, solve_many
from procura.block import Block
from procura.compiled import many
from procura.compiled.templates import many as template
from procura.errors import ReplayError

pytest.importorskip("numba")
COLUMNS = ("outcome", "stopped_by", "cost", "length", "optimal", "bound")
FIGURES = ("expanded", "generated", "max_frontier", "depth", "stored", "solution_depth")
EASY = ["1 2 3 4 5 6 7 0 8", "1 2 3 4 0 6 7 5 8", "1 2 3 0 4 6 7 5 8", "0 1 2 4 5 3 7 8 6"]
HARD = "8 6 7 2 5 4 3 0 1"


def columns(puzzle, boards, search="astar:manhattan", **more):
    """A batch all of whose boards have been asked for."""
    batch = solve_many(puzzle, boards, search, engine="compiled", **more)
    assert len(batch.cost) == len(boards)
    return batch


def in_blocks(batch):
    return [isinstance(row, Block) for row in batch._rows]


def assert_like_single_runs(batch, problems, search):
    alone = [solve(problem, search, engine="compiled") for problem in problems]
    for name in COLUMNS:
        assert batch.column(name) == [getattr(result, name) for result in alone], name
    for name in FIGURES:
        assert batch.column(name) == [getattr(result.stats, name) for result in alone], name
    assert batch.penetrance == [result.stats.penetrance for result in alone]
    assert [result.actions for result in batch] == [result.actions for result in alone]
    assert [result.final for result in batch] == [result.final for result in alone]
    assert batch.lines() == [result.final_line if result.solved else None for result in alone]


SEARCHES = ["astar", "astar,ties=high_g", "astar,reopen=false", "greedy", "ucs,ties=fifo"]


@pytest.mark.parametrize("search", quick("astar", "astar,ties=high_g", of=SEARCHES))
@pytest.mark.parametrize("puzzle", quick("sliding", of=["sliding", "dots", "sudoku", "rush_hour"]))
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_columns_are_those_of_single_runs(puzzle, search, data):
    name, _, options = search.partition(",")
    heuristic = f":{HEURISTICS[puzzle][0]}" if name != "ucs" else ""
    configuration = f"{name}{heuristic}{',' + options if options else ''}"
    problems = data.draw(st.lists(PUZZLES[puzzle], min_size=2, max_size=12))
    problems = [problem for problem in problems if type(problem) is type(problems[0])]
    batch = columns(type(problems[0]), problems, configuration)
    assert_like_single_runs(batch, problems, configuration)


def test_easy_boards_are_solved_at_once():
    batch = columns("sliding", 5 * EASY)
    assert all(in_blocks(batch)[4:])  # the first tell how long a node takes
    assert_like_single_runs(batch, [Sliding(board) for board in 5 * EASY], "astar:manhattan")


def test_what_is_wrong_or_not_alike_is_solved_by_itself():
    boards = [*5 * EASY, "1 2 3", "2 1 3 4 5 6 7 8 0", HARD, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", EASY[0]]
    batch = columns("sliding", boards)
    assert list(batch.errors) == [20]
    assert batch.outcome[21] is Outcome.NO_SOLUTION
    assert batch.cost[22:] == [31, 1, 1]
    assert in_blocks(batch)[-5:] == [False, False, False, False, True]


def test_other_goals_go_together_too():
    batch = columns("sliding", 10 * ["1 2 3 8 0 4 7 6 5", "1 2 3 8 6 4 7 0 5"], goal="spiral")
    assert batch.cost == 10 * [0, 1]
    assert all(in_blocks(batch)[4:])


@pytest.mark.slow
def test_a_heuristic_that_proves_nothing_leaves_no_bound():
    batch = columns("sliding", 3 * EASY, "astar:report_h2")
    assert any(in_blocks(batch))
    assert set(batch.optimal) == {False} and set(batch.bound) == {None}


def test_boards_are_solved_one_by_one_for_who_takes_one_after_the_other(monkeypatch):
    monkeypatch.setattr(many, "_block", None)
    batch = solve_many("sliding", 3 * EASY, "astar:manhattan", engine="compiled")
    assert [result.cost for result in batch] == [*map(solve_cost, 3 * EASY)]
    assert solve_many("sliding", 3 * EASY, "astar:manhattan", engine="compiled")[2].cost == solve_cost(EASY[2])


def solve_cost(board):
    return solve(Sliding(board), "astar:manhattan", engine="compiled").cost


@pytest.mark.parametrize("more", [{"limits": Limits(nodes=10**6)}, {"engine": "python"}, {"jobs": 2}])
def test_limits_threads_and_the_python_engine_are_for_single_runs(monkeypatch, more):
    monkeypatch.setattr(many, "_block", None)
    batch = solve_many("sliding", EASY, "astar:manhattan", **{"engine": "compiled", **more})
    assert batch.cost == [*map(solve_cost, EASY)]


def test_boards_before_a_defect_keep_their_results():
    class Fussy(Sliding):
        def __init__(self, board, *more):
            super().__init__(board, *more)
            if self.board[0] == 0:
                raise ZeroDivisionError("nobody begins with a blank")

    batch = solve_many(Fussy, [*3 * EASY, EASY[0]], "astar:manhattan", engine="compiled")
    with pytest.raises(ZeroDivisionError):
        _ = batch.cost
    assert [batch[at].cost for at in range(3)] == [*map(solve_cost, EASY[:3])]
    with pytest.raises(ZeroDivisionError):
        batch[3]


def test_cancel_leaves_the_rest():
    asked = []
    batch = solve_many(
        "sliding", [*5 * EASY, *5 * [HARD]], "astar:manhattan", engine="compiled",
        cancel=lambda: asked.append(1) or len(asked) > 20,
    )  # fmt: skip
    assert batch.stopped_by[-1] == "cancelled"


class Walk(ArrayProblem):
    """Walk to cell 0, one step at a time."""

    def __init__(self, start):
        self.first = start
        super().__init__(size=1, dtype="int16", max_moves=1)

    def start(self):
        return [self.first]

    @kernel
    def moves(s, data, work, out):
        out[0] = 7
        return int(s[0] != 0)

    @kernel
    def apply(s, data, work, move):
        s[0] -= 1
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == 0


def test_long_solutions_and_rows_with_negative_entries_are_left_to_single_runs():
    starts = [*100 * [3], *4 * [template.MOST_STEPS], template.MOST_STEPS + 1, 3]
    batch = columns(Walk, starts, "ucs")
    assert batch.cost == starts
    assert in_blocks(batch)[-6:] == [True] * 4 + [False, True]
    with_negative = columns(Walk, [*starts, -32768], "astar,cut=200")
    assert with_negative.cost == [*starts, None]


def test_a_class_with_rules_of_its_own_is_solved_by_them():
    boards = [Counter(goal) for goal in (3, 4, 5, 6, 7) * 3]
    batch = columns(Counter, boards, "ucs")
    assert batch.cost == [solve(board, "ucs", engine="python").cost for board in boards]


class Steps(ArrayProblem):
    """Add until a number is reached; the numbers wrap round when compiled."""

    data_of_all = Data(goal=[-56])

    def __init__(self, start, acyclic=True):
        self.first, self.acyclic = start, acyclic
        super().__init__(size=1, dtype="int8", max_moves=1, data=Steps.data_of_all)

    def start(self):
        return [self.first]

    @kernel
    def moves(s, data, work, out):
        work[0] += 1  # which nobody may rely on, and nobody may see afterwards
        out[0] = 0
        return 1

    @kernel
    def apply(s, data, work, move):
        s[0] += 50
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == data.goal[0]


def test_what_holds_only_compiled_is_no_answer():
    batch = solve_many(Steps, 20 * [0, 50, 100], "ucs", engine="compiled")
    with pytest.raises(ReplayError):
        _ = batch.cost
    assert not any(in_blocks(batch))


def test_every_board_is_refused_by_itself():
    class Gains(Walk):
        costs = "any"

        def __init__(self, start, acyclic):
            self.acyclic = acyclic
            super().__init__(start)

    boards = [*(Gains(3, True) for _ in range(40)), *(Gains(2, False) for _ in range(5))]
    batch = columns(Gains, boards, "astar:zero")
    assert batch.cost == 40 * [3] + 5 * [None]
    assert [*batch.errors] == [40, 41, 42, 43, 44]
    assert batch.optimal[40:] == 5 * [None]


def test_what_a_kernel_leaves_in_work_is_not_there_for_the_next_board():
    class Counts(Walk):
        """Has a second, useless move as long as nobody has counted to 3."""

        def __init__(self, start):
            self.first = start
            ArrayProblem.__init__(self, size=1, dtype="int16", max_moves=2, scratch=1)

        @kernel
        def moves(s, data, work, out):
            work[0] += 1
            out[0] = out[1] = 7
            return int(s[0] != 0) * (1 + int(work[0] < 3))

    batch = columns(Counts, 30 * [4], "ucs")
    assert any(in_blocks(batch))
    assert set(batch.generated) == {solve(Counts(4), "ucs", engine="compiled").stats.generated}


@pytest.mark.slow
def test_no_kernel_is_compiled_that_no_board_needs(monkeypatch):
    monkeypatch.setattr(many, "_search", None)
    for search in ("astar:manhattan,weight=2", "astar:2*manhattan"):
        assert len(columns("sliding", EASY, search).cost) == len(EASY)
