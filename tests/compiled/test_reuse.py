"""A search that is kept for the next problem of its kind finds what a new one does, and is kept for no other kind."""

from array import array

import pytest
from hypothesis import given, settings, strategies as st
from instances import HEURISTICS, PUZZLES
from slowly import quick

from procura import ArrayProblem, Limits, Sliding, control, kernel, solve
from procura.compiled import astar, reuse
from procura.data import Data
from procura.problem import Estimate
from procura.tables import Table

pytest.importorskip("numba")
FIGURES = ("expanded", "generated", "max_frontier", "depth", "stored", "digest")
STRIDE = 1


class Counter(ArrayProblem):
    """Count from 0 to a number, by steps of any size that ``data`` allows."""

    def __init__(self, goal, steps=(1, 2), dtype="int8", constants=list):
        self.goal = goal
        super().__init__(
            size=1, max_moves=len(steps), dtype=dtype, data=Data(steps=constants(steps), goal=constants([goal]))
        )

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        for i in range(len(data.steps)):
            if s[0] + data.steps[i] * STRIDE <= data.goal[0]:
                out[count] = i
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[0] += data.steps[move] * STRIDE
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == data.goal[0]

    @kernel
    def left(s, data, work):
        return (data.goal[0] - s[0] + 1) // 2

    heuristics = {"left": Estimate(left, admissible=True)}


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(reuse, "is_free", lambda: True)  # wherever the tests are run
    reuse._kept.clear()


def compiled(problem, search="astar:left", **more):
    return solve(problem, search, engine="compiled", **more)


def facts(result):
    stats = [getattr(result.stats, name) for name in FIGURES]
    return result.outcome, result.actions, result.cost, result.bound, result.optimal, result.stopped_by, *stats


SEARCHES = ["astar", "astar,ties=fifo", "astar,weight=2", "greedy", "ucs", "bfs", "dfs", "iddfs", "idastar"]


@pytest.mark.parametrize("search", quick("astar", "dfs", "idastar", of=SEARCHES))
@pytest.mark.parametrize("puzzle", quick("sliding", of=["sliding", "tetris", "dots"]))
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_one_search_after_the_other_finds_what_each_finds_alone(puzzle, search, data):
    name, _, options = search.partition(",")
    heuristic = f":{HEURISTICS[puzzle][0]}" if name in ("astar", "greedy", "idastar") else ""
    configuration = f"{name}{heuristic}{',' + options if options else ''}"
    problems = [data.draw(PUZZLES[puzzle]) for _ in range(4)]
    problems = [problem for problem in problems if name != "ucs" or problem.costs != "any"]
    limits = Limits(nodes=data.draw(st.sampled_from([5, 2000])))
    in_turn = [facts(compiled(problem, configuration, limits=limits)) for problem in problems]
    for problem, found in zip(problems, in_turn, strict=True):
        reuse._kept.clear()
        assert facts(compiled(problem, configuration, limits=limits)) == found


def test_a_search_is_kept_and_used_again():
    compiled(Counter(9))
    (search,) = reuse._kept.values()
    assert compiled(Counter(12)).length == 6
    assert [*reuse._kept.values()] == [search]
    assert search.bound.problem.goal == 12


def test_a_search_that_raised_or_was_large_is_not_kept():
    def stop(event):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compiled(Counter(9), on_event=stop, events=["goal"])
    assert not reuse._kept
    assert compiled(Sliding("8 6 7 2 5 4 3 0 1"), "ucs").stats.stored > reuse.MOST_BYTES // 24
    assert not reuse._kept


def test_only_the_last_few_are_kept():
    for goal in range(2 * reuse.MOST_KEPT):
        compiled(Counter(9), f"astar:left,cut={goal + 5}")
    assert len(reuse._kept) == 1  # the cut is set for each run
    for weight in range(1, 2 * reuse.MOST_KEPT):
        compiled(Counter(9), f"astar:left,weight={weight}")
    assert len(reuse._kept) == reuse.MOST_KEPT


@pytest.mark.slow
def test_steps_of_another_number_or_kind_are_not_taken_for_the_same():
    assert compiled(Counter(9)).length == 5
    assert compiled(Counter(9, steps=(3,)), "astar").length == 3
    assert compiled(Counter(9, steps=(1, 3)), "astar").length == 3
    assert compiled(Counter(9, steps=(1, 3), dtype="int16"), "astar").length == 3
    for constants in (tuple, lambda values: array("b", values), list):
        assert compiled(Counter(9, steps=(1, 3), constants=constants), "astar").length == 3


def test_constants_that_are_changed_in_place_count_as_changed():
    for constants in (list, lambda values: array("q", values)):
        problem = Counter(9, steps=(1, 3), constants=constants)
        assert compiled(problem, "astar").length == solve(problem, "astar", engine="python").length == 3
        problem.data.steps[1] = 9
        assert compiled(problem, "astar").length == solve(problem, "astar", engine="python").length == 1
        problem.data.steps[1] = 4
        again = Counter(9, steps=(1, 4), constants=constants)
        again.data = problem.data
        assert compiled(again, "astar").length == 3
        assert compiled(again, "astar").stats.generated == solve(again, "astar", engine="python").stats.generated


def test_a_global_that_kernels_read_counts(monkeypatch):
    assert compiled(Counter(12), "ucs").length == 6
    monkeypatch.setitem(Counter.moves.__globals__, "STRIDE", 2)
    assert compiled(Counter(12), "ucs").length == 3


def test_kernels_and_heuristics_that_are_replaced_count(monkeypatch):
    def misleading(s, data, work):
        return 40 * (s[0] % 2 == 0)

    few = compiled(Counter(60)).stats.expanded
    monkeypatch.setattr(Counter, "heuristics", {"left": Estimate(misleading)})
    expanded = compiled(Counter(60)).stats.expanded
    assert expanded == solve(Counter(60), "astar:left", engine="python").stats.expanded > few

    def at_once(s, data, work, move):
        s[0] = data.goal[0]
        return 1

    monkeypatch.setattr(Counter, "apply", kernel(at_once))
    assert compiled(Counter(60)).length == 1


def test_a_run_has_the_limits_and_events_of_its_own():
    heard = []
    compiled(Counter(60), limits=Limits(depth=80), on_event=heard.append, events=["goal"])
    assert len(heard) == 1
    assert compiled(Counter(60), limits=Limits(depth=10)).stopped_by == "depth"
    assert compiled(Counter(60), limits=Limits(depth=80)).length == 30
    assert compiled(Counter(60), limits=Limits(nodes=3)).stopped_by == "nodes"
    assert compiled(Counter(60)).length == 30
    assert len(heard) == 1


def test_a_search_that_had_little_memory_is_not_kept_for_one_that_has_more(monkeypatch):
    reserved = []
    reserve = astar.reserve
    monkeypatch.setattr(astar, "reserve", lambda *more: reserved.append(more) or reserve(*more))
    for ceiling, made in ((1 << 33, 2), (1 << 33, 2), (1 << 32, 2), (1 << 34, 4)):
        monkeypatch.setattr(control, "memory_ceiling", lambda limits, ceiling=ceiling: ceiling)
        assert compiled(Counter(9)).length == 5
        assert len(reserved) == made


def test_what_fills_much_memory_is_not_kept_however_few_nodes_it_has():
    class Wide(Counter):
        def __init__(self, goal):
            self.goal = goal
            data = Data(steps=[1], goal=[goal])
            ArrayProblem.__init__(self, size=1000, dtype="int64", max_moves=1, data=data)

        def start(self):
            return [0] * 1000

    assert compiled(Wide(400), "ucs").length == 400
    assert not reuse._kept


def test_nothing_is_kept_where_address_space_is_not_free_nor_of_a_run_that_prepares(monkeypatch):
    compiled(Counter(9), limits=Limits(nodes=0))
    assert not reuse._kept
    monkeypatch.setattr(reuse, "is_free", lambda: False)
    assert compiled(Counter(9)).length == 5
    assert not reuse._kept


def test_constants_are_told_apart_by_their_names():
    fast, slow = [2], [1]

    class One(Counter):
        def __init__(self, **fields):
            self.goal = 8
            ArrayProblem.__init__(self, size=1, max_moves=1, data=Data(**fields, goal=[8]))

        @kernel
        def moves(s, data, work, out):
            out[0] = 0
            return 1

        @kernel
        def apply(s, data, work, move):
            s[0] += data.step[0]
            return 1

    for engine in ("python", "compiled"):
        lengths = [
            solve(One(step=step, other=other), "bfs", engine=engine).length
            for step, other in ((fast, slow), (slow, fast))
        ]
        assert lengths == [4, 8]
        assert solve(One(other=fast, step=slow), "bfs", engine=engine).length == 8


def test_a_heuristic_that_comes_to_read_a_table_finds_it_open(tmp_path, monkeypatch):
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))

    def fill(entries, report):
        entries[0] = 3

    def none(s, data, work):
        return 0

    def looked_up(s, data, work):
        return data.table[0] if s[0] == 0 else 0

    class Looks(Counter):
        heuristics = {"left": Estimate(none)}

        def __init__(self):
            self.goal = 8
            table = Table("what a test looks up", "int8", 1, fill)
            ArrayProblem.__init__(self, size=1, max_moves=2, data=Data(steps=[1, 2], goal=[8], table=table))

    problem = Looks()
    for engine in ("python", "compiled"):
        monkeypatch.setitem(Looks.heuristics, "left", Estimate(none))
        assert solve(problem, "astar:left", engine=engine).length == 4
        monkeypatch.setitem(Looks.heuristics, "left", Estimate(looked_up))
        heard = []
        solve(problem, "idastar:left", engine=engine, on_event=heard.append, events=["bound"])
        assert heard[0].value == 3
