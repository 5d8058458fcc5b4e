"""Searches on several threads: idastar with ``jobs``, and portfolios. The answer is that of one thread."""

import json
import subprocess
import sys
import textwrap
import threading

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from instances import HEURISTICS, PUZZLES
from spaces import Bits, Counter, Doubling, Graph, least_costs, random_graph, true_h

from procura import DEAD, InputError, Limits, Outcome, Sliding, kernel, solve
from procura.portfolio import read_jobs

relaxed = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
HARD = Sliding("8 6 7 2 5 4 3 0 1")


@pytest.fixture(autouse=True)
def split_at_once(monkeypatch):
    """Searches of a few nodes go to the threads, in pieces too small and paths too short."""
    from procura.compiled import engine, idastar, subtrees

    monkeypatch.setattr(engine, "FIRST_SLICE", 1)
    monkeypatch.setattr(idastar, "SERIAL_SECONDS", -1.0)
    monkeypatch.setattr(idastar, "FIRST_DEPTH", 4)
    monkeypatch.setattr(subtrees, "SUBTREES", 6)


def answer(result):
    return result.outcome, result.stopped_by, result.actions, result.cost, result.optimal, result.bound, result.final


@given(
    seed=st.integers(0, 10**9),
    slack=st.integers(0, 5),
    admissible=st.booleans(),
    kind=st.sampled_from([(0, False), (0, True), (-5, True)]),
    composed=st.booleans(),
    depth=st.sampled_from([None, None, 0, 2, 5]),
)
@relaxed
def test_idastar_on_threads_answers_as_on_one(seed, slack, admissible, kind, composed, depth):
    """Costs of every kind, heuristics true or not, whole or not, depth limits: the very same solution and proof."""
    low, acyclic = kind
    _, arcs = random_graph(seed, low=low, acyclic=acyclic)
    h = true_h(seed, least_costs(12, arcs), slack)
    if not admissible:
        h = [value if value == DEAD else value + 2 * (i % 3) for i, value in enumerate(h)]
    costs = "any" if low < 0 else "nonnegative"
    problem = Graph(12, arcs, h, costs=costs, acyclic=acyclic, admissible=admissible)
    configuration = "idastar:0.7*table + 0.1" if composed else "idastar:table"
    one = solve(problem, configuration, limits=Limits(nodes=20_000, depth=depth))
    if one.stopped_by != "nodes":
        several = solve(problem, configuration, jobs=3, limits=Limits(nodes=400_000, depth=depth))
        assert answer(several) == answer(one)
        assert several.notes == one.notes


@pytest.mark.parametrize("puzzle", ["sliding", "dots", "rush_hour"])
@given(data=st.data())
@relaxed
def test_puzzles_on_threads_are_answered_as_on_one(puzzle, data):
    problem = data.draw(PUZZLES[puzzle])
    configuration = f"idastar:{HEURISTICS[puzzle][0]}"
    one = solve(problem, configuration, limits=Limits(nodes=20_000))
    if one.stopped_by is None:
        assert answer(solve(problem, configuration, jobs=2, limits=Limits(nodes=400_000))) == answer(one)


def test_the_hardest_board_on_threads(monkeypatch):
    from procura.compiled import subtrees

    seen = []
    work = subtrees._Member.work
    monkeypatch.setattr(subtrees._Member, "work", lambda self: (seen.append(threading.current_thread()), work(self)))
    one, two = solve(HARD, "idastar:manhattan"), solve(HARD, "idastar:manhattan,jobs=2")
    assert answer(two) == answer(one)
    assert (two.cost, two.optimal) == (31, True)
    assert two.stats.expanded > 0 and two.stats.depth == one.stats.depth
    assert len(set(seen)) > 1 and threading.current_thread() not in seen


class TestLimitsHoldAcrossThreads:
    def test_time(self):
        result = solve(Bits(), "idastar", jobs=3, limits=Limits(seconds=0.3))
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "time")
        assert result.stats.generated > 0

    @pytest.mark.parametrize("nodes", [0, 1, 17, 77, 5000])
    def test_nodes_to_the_last_one(self, nodes):
        result = solve(Bits(), "idastar", jobs=3, limits=Limits(nodes=nodes))
        assert (result.outcome, result.stopped_by, result.stats.expanded) == (Outcome.NOT_FOUND, "nodes", nodes)

    def test_memory(self):
        result = solve(Bits(), "idastar", jobs=3, limits=Limits(memory=1))
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "memory")

    def test_cancel(self):
        cancel = threading.Event()
        threading.Timer(0.2, cancel.set).start()
        result = solve(Bits(), "idastar", jobs=3, cancel=cancel)
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "cancelled")

    def test_depth(self):
        result = solve(Counter(1000), "idastar", jobs=3, limits=Limits(depth=5))
        assert (result.outcome, result.stopped_by, result.stats.depth) == (Outcome.NOT_FOUND, "depth", 5)


class Line(Counter):
    """One move in every state: nothing to share among threads."""

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        return 1


def test_a_long_path_grows_on_its_thread():
    result = solve(Line(300), "idastar", jobs=2)
    assert (result.cost, result.optimal) == (300, True)


def test_events_tell_the_bounds_of_threads():
    one, several = [], []
    solve(HARD, "idastar:manhattan", on_event=one.append, events=["bound", "goal"])
    solve(HARD, "idastar:manhattan", jobs=2, on_event=several.append, events=["bound", "goal"])
    assert [(event.kind, event.value, event.depth) for event in several] == [
        (event.kind, event.value, event.depth) for event in one
    ]


def test_what_goes_wrong_on_a_thread_is_told():
    with pytest.raises(InputError, match="engine='python'"):
        arcs = {(v, m): (v + 1, 1 << 29) for v in range(7) for m in range(3)}
        solve(Graph(8, arcs), "idastar", jobs=2)

    class Crowded(Counter):
        @kernel
        def moves(s, data, work, out):
            out[0] = 1
            return 1 if s[0] < 40 else 3

    with pytest.raises(InputError, match="max_moves"):
        solve(Crowded(), "idastar", jobs=2, limits=Limits(nodes=10_000))


def test_an_interpreted_search_notes_that_it_has_one_thread():
    result = solve(Doubling(), "idastar", jobs=4)
    assert result.actions == ("right", "left", "right")
    assert result.notes == ("jobs=4: an interpreted idastar runs on one thread",)


# Portfolios.


@given(seed=st.integers(0, 10**9), slack=st.integers(0, 3), jobs=st.sampled_from([None, 1, 2, 5]))
@relaxed
def test_a_portfolio_proves_what_its_members_prove(seed, slack, jobs):
    _, arcs = random_graph(seed, acyclic=True)
    least = least_costs(12, arcs)
    problem = Graph(12, arcs, true_h(seed, least, slack), acyclic=True, admissible=True)
    result = solve(problem, ["dfs", "greedy:table", "idastar:table", "astar:table", "ucs"], jobs=jobs)
    assert (result.outcome is Outcome.NO_SOLUTION) == (least[0] is None)
    if result.solved:
        assert (result.cost, result.optimal) == (least[0], True)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_the_first_proof_ends_those_that_would_never_end(engine):
    before = threading.active_count()
    result = solve(Counter(9), "dfs,tree=true | bfs", jobs=2, engine=engine)
    assert (result.algorithm, result.cost, result.optimal) == ("bfs", 5, True)
    assert result.notes == ("portfolio: bfs settled it before dfs,tree=true",)
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(10)
    assert threading.active_count() <= before


def test_without_a_proof_the_cheapest_solution_is_returned():
    result = solve(HARD, ["greedy:manhattan,ties=fifo", "greedy:manhattan", "bfs"], limits=Limits(nodes=400))
    alone = [solve(HARD, f"greedy:manhattan,ties={ties}", limits=Limits(nodes=400)).cost for ties in ("fifo", "lifo")]
    assert (result.cost, result.optimal) == (min(alone), False)
    assert "settled nothing" in result.notes[0]


def test_one_members_bound_proves_anothers_solution():
    """Depth-first search finds a solution of cost 2 at once; idastar gets no further than to prove 2 a bound."""
    arcs = {(v, 0): (v + 1, 0) for v in range(10)} | {(0, 1): (11, 2), (10, 0): (11, 2)}
    problem = Graph(12, arcs, [2] * 11 + [0], admissible=True)
    result = solve(problem, ["idastar:table", "dfs"], limits=Limits(nodes=5), engine="python")
    assert (result.algorithm, result.cost, result.bound, result.optimal) == ("dfs", 2, 2, True)


def test_a_board_without_a_solution_settles_a_portfolio():
    assert solve(Sliding("1 2 3 4 5 6 8 7 0"), "bfs|idastar:manhattan").outcome is Outcome.NO_SOLUTION


def test_limits_hold_for_a_portfolio():
    result = solve(Bits(), ["bfs", "idastar", "astar"], jobs=1, engine="python", limits=Limits(seconds=0.3))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "time")
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    assert solve(Bits(), ["bfs", "idastar"], cancel=cancel, engine="python").stopped_by == "cancelled"


def test_a_portfolio_passes_on_the_events_of_its_members():
    seen = []
    solve(HARD, ["idastar:manhattan", "idastar:misplaced"], on_event=seen.append, events=["goal", "bound"])
    assert {event.kind for event in seen} == {"goal", "bound"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": ["bfs", "astr"]}, "did you mean 'astar'"),
        ({"algorithm": "bfs |"}, "ALGORITHM"),
        ({"algorithm": []}, "expected text"),
        ({"algorithm": [1, 2]}, "expected text"),
        ({"algorithm": "bfs | dfs", "jobs": -1}, "jobs=-1"),
        ({"algorithm": "bfs | dfs", "jobs": "many"}, "1 to 1024, or all"),
        ({"algorithm": "bfs | dfs", "ties": "fifo"}, "bfs has no option 'ties'"),
        ({"algorithm": "idastar:manhattan", "jobs": 0}, "from 1"),
        ({"algorithm": "annealing | hill"}, "no whole states to improve"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        solve(Sliding("1 2 3 4 5 6 7 0 8"), **arguments)


def test_jobs_may_be_all():
    assert read_jobs(None) == read_jobs("all") == read_jobs(0) == read_jobs("0") >= 1
    assert read_jobs("3") == 3


PROGRAM = textwrap.dedent(
    """
    import json, os, signal, sys, threading
    sys.path.insert(0, "tests")
    from spaces import Bits
    from procura import Limits, solve, solve_many
    solve(Bits(), "idastar", limits=Limits(nodes=10))
    threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    if sys.argv[1] == "idastar":
        results = [solve(Bits(), "idastar", jobs=2)]
    elif sys.argv[1] == "portfolio":
        results = [solve(Bits(), "idastar | iddfs", engine="python")]
    else:
        results = list(solve_many(Bits, [Bits() for _ in range(4)], "idastar", jobs=int(sys.argv[1])))
    print(json.dumps([[result.outcome, result.stopped_by] for result in results]))
    """
)


@pytest.mark.parametrize(("what", "runs"), [("idastar", 1), ("portfolio", 1), ("1", 4), ("2", 4)])
def test_ctrl_c_ends_all_threads(what, runs):
    run = subprocess.run([sys.executable, "-c", PROGRAM, what], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [["not_found", "cancelled"]] * runs
