"""Limits hold in every algorithm, and a run that ends early returns what it has."""

import json
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from slowly import slow
from spaces import Bits, Counter

from procura import InputError, Limits, Outcome, Problem, Sliding, Sudoku, catalog, kernel, solve
from procura.control import resident_bytes

ENDLESS = "123........4...."  # the first row lacks a 4, which its last column has already: annealing never ends
SEARCHES = [
    "iddfs",
    "ucs",
    "greedy:zero",
    "bfs",
    "dfs",
    "dfs,tree=true",
    "astar",
    "astar,tree=true,ties=high_g",
    "idastar",
    "beam,width=100000",
    "beam,width=3,widen=true",
    "anytime",
]
LOCAL = ["hill", "annealing", "genetic,population=10"]


def endless(configuration):
    return Sudoku(ENDLESS) if configuration in LOCAL else Bits()


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("configuration", SEARCHES + LOCAL)
class TestEverySearch:
    def test_ends_at_its_time_limit(self, configuration, engine):
        result = solve(endless(configuration), configuration, engine=engine, limits=Limits(seconds=0.3), seed=1)
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "time")
        assert result.stats.generated > 0 and result.stats.seconds >= 0.3

    def test_ends_at_its_limit_on_nodes(self, configuration, engine):
        result = solve(endless(configuration), configuration, engine=engine, limits=Limits(nodes=77), seed=1)
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "nodes")
        counted = result.stats.generated if configuration in LOCAL else result.stats.expanded
        assert counted == 77

    def test_ends_when_memory_is_used_up(self, configuration, engine):
        result = solve(endless(configuration), configuration, engine=engine, limits=Limits(memory=1), seed=1)
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "memory")

    def test_ends_when_cancelled(self, configuration, engine):
        solve(endless(configuration), configuration, engine=engine, limits=Limits(nodes=1), seed=1)  # compiled by now
        cancel = threading.Event()
        threading.Timer(0.2, cancel.set).start()
        result = solve(endless(configuration), configuration, engine=engine, cancel=cancel, seed=1)
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "cancelled")
        assert result.stats.generated > 0


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("configuration", SEARCHES)
def test_a_depth_limit_is_named_and_proves_nothing(configuration, engine):
    result = solve(Counter(1000), configuration, engine=engine, limits=Limits(depth=5, nodes=10_000))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "depth")
    assert result.stats.depth == 5
    if configuration != "dfs":
        within = solve(Counter(10), configuration, engine=engine, limits=Limits(depth=5, nodes=10_000))
        assert within.length == 5


def test_every_algorithm_is_in_the_tables_above():
    named = {configuration.partition(",")[0].partition(":")[0] for configuration in SEARCHES + LOCAL}
    assert named == set(catalog.ALGORITHMS)


@pytest.mark.parametrize("configuration", ["bfs", *slow("dfs", "astar", "beam,width=10000000")])
def test_a_memory_limit_is_passed_by_less_than_64_mb(configuration):
    allowed = resident_bytes() + (150 << 20)
    result = solve(Bits(), configuration, engine="compiled", limits=Limits(memory=allowed, seconds=60))
    assert result.stopped_by == "memory"
    assert allowed - (80 << 20) < result.stats.peak_memory <= allowed + (64 << 20)


PROGRAM = textwrap.dedent(
    """
    import json, os, signal, sys, threading
    sys.path.insert(0, "tests")
    from spaces import Bits
    from procura import Limits, solve
    solve(Bits(), "bfs", engine=sys.argv[1], limits=Limits(nodes=10))
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    result = solve(Bits(), "bfs", engine=sys.argv[1])
    print(json.dumps([result.outcome, result.stopped_by, result.stats.expanded > 0]))
    """
)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_ctrl_c_returns_the_best_so_far(engine):
    run = subprocess.run([sys.executable, "-c", PROGRAM, engine], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == ["not_found", "cancelled", True]


def test_ctrl_c_works_as_usual_after_a_run():
    solve(Counter(5), "bfs", engine="python")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Narrow(Counter):
    """One move in every state: paths are long and nothing waits beside them."""

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        return 1


def test_tree_dfs_ends_when_its_path_has_no_more_room(monkeypatch):
    from procura.compiled import dfs

    monkeypatch.setattr(dfs, "LONGEST_PATH", 5000)
    result = solve(Narrow(), "dfs,tree=true", engine="compiled", limits=Limits(seconds=20))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "memory")
    assert result.stats.depth == 5000


def test_the_heap_takes_over_from_the_buckets_only_once():
    """Costs that outgrow the buckets in the middle of a run of several slices: the queue must not fill up anew."""
    result = solve(Dear(), "astar", engine="compiled", limits=Limits(nodes=8000))
    plain = solve(Dear(), "astar", engine="python", limits=Limits(nodes=8000))
    for stat in ("generated", "expanded", "max_frontier"):
        assert getattr(result.stats, stat) == getattr(plain.stats, stat)


class Dear(Counter):
    """Like Counter, but from 1000 on a step costs a hundred thousand."""

    costs = "nonnegative"

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 1 if s[0] < 1000 else 100_000


def test_more_moves_than_declared_are_told():
    class Crowded(Counter):
        @kernel
        def moves(s, data, work, out):
            out[0] = 1
            return 3

    for engine in ("python", "compiled"):
        with pytest.raises(InputError, match="max_moves"):
            solve(Crowded(), "bfs", engine=engine)


LITTLE_SPACE = textwrap.dedent(
    """
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (4_000_000_000, resource.RLIM_INFINITY))
    import sys
    sys.path.insert(0, "tests")
    from spaces import Bits
    from procura import Limits, solve
    for algorithm in ("bfs", "astar", "dfs", "idastar"):
        result = solve(Bits(), algorithm, limits=Limits(seconds=3))
        print(result.outcome, result.stopped_by in ("time", "memory"))
    """
)


def test_little_address_space_is_a_limit_on_memory():
    run = subprocess.run([sys.executable, "-c", LITTLE_SPACE], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n")[:4] == ["not_found True"] * 4


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("configuration", ["astar:manhattan", "idastar:manhattan"])
def test_what_cannot_end_within_the_depth_limit_is_not_searched(configuration, engine):
    """With unit costs an admissible heuristic tells it; without, this board would take millions of nodes."""
    board = Sliding("2 4 5 6 0 3 14 13 1 11 9 7 12 15 10 8", goal="spiral")
    result = solve(board, configuration, engine=engine, limits=Limits(depth=27, nodes=5000))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "depth")
    enough = solve(board, configuration, engine=engine, limits=Limits(depth=28))
    assert (enough.cost, enough.optimal) == (28, True)


def test_counts_may_be_floats_that_are_whole():
    limits = Limits(nodes=1e6, depth=4.0)
    assert (limits.nodes, limits.depth) == (10**6, 4)
    assert isinstance(limits.nodes, int)
    with pytest.raises(InputError, match="expected a whole number"):
        Limits(nodes=1.5)


def test_events_are_a_list_not_one_word():
    with pytest.raises(InputError, match=r"expected a list, such as \['goal'\]"):
        solve(Counter(3), "bfs", engine="python", events="goal")


class Ladder(Problem):
    """Numbers from 0 on without end; by a clock of its own a step takes nothing, from ``slow_from`` on 50 ms."""

    initial = 0

    def __init__(self, monkeypatch, slow_from):
        self.now, self.slow_from = 0.0, slow_from
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def actions(self, state):
        return [1]

    def result(self, state, action):
        self.now += 0.05 if state >= self.slow_from else 1e-6
        return state + 1

    def is_goal(self, state):
        return False


@pytest.mark.parametrize("slow_from", [0, *range(500, 505)])
@pytest.mark.parametrize("configuration", ["astar", "bfs"])
def test_a_time_limit_holds_when_nodes_begin_to_take_long(monkeypatch, configuration, slow_from):
    result = solve(Ladder(monkeypatch, slow_from), configuration, limits=Limits(seconds=0.01))
    assert result.stopped_by == "time" and slow_from < result.stats.expanded
    assert result.stats.seconds <= 0.01 + 0.2


class Fan(Ladder):
    """0 has many successors; to look at one takes nothing, from the one that is ``slow_from``-th on 50 ms."""

    looks = 0

    def actions(self, state):
        return range(1, 1001)

    def result(self, state, action):
        return action

    def is_goal(self, state):
        self.looks += 1
        self.now += 0.05 if self.looks >= self.slow_from else 1e-6
        return False


@pytest.mark.parametrize("configuration", ["astar", "bfs"])
def test_a_time_limit_holds_among_nodes_that_are_too_deep_to_be_expanded(monkeypatch, configuration):
    result = solve(Fan(monkeypatch, 100), configuration, limits=Limits(seconds=1, depth=1))
    assert (result.stopped_by, result.stats.expanded) == ("time", 1)
    assert result.stats.seconds <= 1.2


@pytest.mark.parametrize("configuration", ["astar", "bfs"])
def test_ctrl_c_ends_a_run_before_the_next_node(configuration):
    class Interrupted(Narrow):
        def actions(self, state):
            if state[0] == 70:
                signal.raise_signal(signal.SIGINT)
            return super().actions(state)

    result = solve(Interrupted(), configuration, engine="python")
    assert (result.stopped_by, result.stats.expanded) == ("cancelled", 71)
