"""``engine="auto"``: a run starts interpreted and the compiled one finishes it; every rule of the hand-over."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from weakref import WeakKeyDictionary

import pytest
from arriving import Arriving, Late, kernels

from procura import (
    ArrayProblem,
    KernelError,
    Limits,
    Outcome,
    Sliding,
    Sudoku,
    Tetris,
    handover,
    kernel,
    solve,
    solve_many,
)
from procura.compiled import process
from procura.configuration import Configuration
from procura.solving import plan, prepare

BOARD = Sliding("8 6 7 2 5 4 3 0 1")
HARD = Sliding("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", goal="blank-first")
TETRIS = Tetris("empty", "tilt")
SUDOKU = Sudoku("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..")


class Count(ArrayProblem):
    """Count to ``end``, by one or by none; each step costs so much."""

    costs = "nonnegative"

    def __init__(self, end=3, cost=1):
        from procura import Data

        super().__init__(size=1, max_moves=1, dtype="int32", data=Data(end=[end], cost=[cost]))

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        return 1

    @kernel
    def apply(s, data, work, move):
        s[0] += 1
        return data.cost[0]

    @kernel
    def solved(s, data, work):
        return s[0] == data.end[0]


class Uncompilable(Count):
    """Its goal is tested by what Numba does not know."""

    @kernel
    def solved(s, data, work):
        return str(s[0]) == "".join(map(str, [data.end[0]]))


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """A process that has made no runs."""
    from weakref import WeakKeyDictionary

    monkeypatch.setattr(handover, "_known", WeakKeyDictionary())


def python(code, **environment):
    """What a new Python prints, and its status."""
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True, text=True, env={**os.environ, **environment}, timeout=300,
    )  # fmt: skip
    return run.stdout.strip(), run.stderr.strip(), run.returncode


def test_an_easy_board_is_answered_without_numba():
    code = """
    import sys
    from procura import Sliding, solve
    result = solve(Sliding("1 2 3 4 5 6 0 7 8"))
    print(result.engine, result.cost, "numba" in sys.modules, "numpy" in sys.modules)
    """
    assert python(code) == ("python 2 False False", "", 0)


def test_the_compiled_run_finishes_what_the_interpreted_one_began():
    with kernels(Arriving(500)):
        result = solve(BOARD, "astar:manhattan")
    alone = solve(BOARD, "astar:manhattan", engine="compiled")
    assert result.engine == "compiled" and result.notes == ()
    assert (result.cost, result.actions, result.stats.expanded) == (alone.cost, alone.actions, alone.stats.expanded)


def test_the_time_before_the_compiled_run_is_told_as_that_of_compiling():
    with kernels(Late(200, looks=10)):
        began = time.perf_counter()
        result = solve(BOARD, "astar:manhattan")
        whole = time.perf_counter() - began
    assert 0 < result.stats.compile_seconds <= whole - result.stats.seconds
    assert result.stats.started + result.stats.compile_seconds <= result.stats.ended


def test_a_run_that_ends_before_its_kernels_come_has_compiled_nothing():
    with kernels(Late(0, looks=10**9)):
        result = solve(BOARD, "astar:manhattan")
    assert (result.engine, result.stats.compile_seconds, result.notes) == ("python", 0, ())


def test_time_is_counted_over_all_runs_of_a_class_and_configuration(monkeypatch):
    asked = []
    monkeypatch.setattr(handover, "_compiler", lambda job: asked.append(job) or Silent())
    monkeypatch.setattr(handover, "hinted", lambda digest: False)
    known = handover.kernels_of(BOARD, Configuration.parse("astar:manhattan"))
    solve(BOARD, "astar:manhattan", limits=Limits(nodes=5))
    assert not asked and 0 < known.spent < handover.BLINK
    known.spent = handover.BLINK
    solve(BOARD, "astar:misplaced", limits=Limits(nodes=5))
    assert not asked
    solve(BOARD, "astar:manhattan", limits=Limits(nodes=5))
    solve(BOARD, "astar:manhattan", limits=Limits(nodes=5))
    assert len(asked) == 1


def test_numbers_of_a_configuration_make_no_other_kind_of_run():
    kinds = [
        handover.kernels_of(BOARD, Configuration.parse(text))
        for text in ("beam:0.5*manhattan + 2*misplaced,width=10", "beam:.25*manhattan + 1e3*misplaced,width=20")
    ]
    assert kinds[0] is kinds[1]
    assert kinds[0] is not handover.kernels_of(BOARD, Configuration.parse("beam:2*manhattan,width=10"))


class Silent:
    """A compiler at work."""

    preparing = None

    def poll(self):
        return None


def test_once_loaded_runs_start_compiled():
    known = Arriving(10)
    with kernels(known):
        assert solve(BOARD, "astar:manhattan").engine == "compiled" and known.loaded
        assert solve(Sliding("1 2 3 4 5 6 7 0 8"), "astar:manhattan").engine == "compiled"


# Time and nodes


def test_out_of_time_without_an_answer_it_waits_for_the_compiled_run():
    with kernels(Late(0, looks=5)):
        result = solve(BOARD, "astar:manhattan", limits=Limits(seconds=0))
    assert (result.engine, result.stopped_by) == ("compiled", "time")


def test_the_compiled_run_gets_the_full_time():
    with kernels(Late(0, looks=3)) as known:
        result = solve(HARD, "idastar:manhattan", limits=Limits(seconds=0.05))
    assert known.loaded and result.engine == "compiled" and result.stopped_by == "time"
    assert result.stats.seconds >= 0.05


def test_out_of_time_with_an_answer_it_returns():
    with kernels(Late(0, looks=10**9)):
        result = solve(BOARD, "beam:manhattan,width=2,widen=true", limits=Limits(seconds=1))
    assert result.solved and result.engine == "python"
    assert ("cache warm" in "".join(result.notes)) == (result.stopped_by == "time")


def test_out_of_time_and_without_kernels_its_own_end_stands():
    with kernels(Late(0, looks=1, refusal="no luck")):
        result = solve(HARD, "idastar:manhattan", limits=Limits(seconds=0.01))
    assert (result.engine, result.stopped_by, result.outcome) == ("python", "time", Outcome.NOT_FOUND)
    assert result.notes[-1] == "idastar:manhattan ran interpreted to its end: no luck"


def test_a_limit_on_nodes_met_interpreted_is_met():
    with kernels(Late(0, looks=10**9)):
        result = solve(BOARD, "astar:manhattan", limits=Limits(nodes=100))
    assert (result.engine, result.stopped_by, result.stats.expanded) == ("python", "nodes", 100)


# Memory


def test_at_a_quarter_of_its_memory_it_waits(monkeypatch):
    monkeypatch.setattr(handover.FirstPhase, "_full", lambda phase: phase.stats.expanded >= 100)
    with kernels(Late(0, looks=150)):
        result = solve(BOARD, "astar:manhattan")
    assert result.engine == "compiled"


def test_without_kernels_it_gets_all_of_its_memory(monkeypatch):
    monkeypatch.setattr(handover.FirstPhase, "_full", lambda phase: phase.stats.expanded >= 100)
    with kernels(Late(0, looks=150, refusal="no luck")):
        result = solve(BOARD, "astar:manhattan")
    assert result.engine == "python" and result.solved


def test_a_quarter_is_of_what_is_left_below_the_limit(monkeypatch):
    resident = iter([100, 100, 174, 176])
    monkeypatch.setattr(handover, "resident_bytes", lambda: next(resident))
    phase = handover.FirstPhase(handover.Control(Limits(memory=400)), Arriving(), None)
    assert [phase._full() for _ in range(4)] == [False, False, False, True]


# Events


def told(known, problem, configuration, kinds, **keywords):
    seen = []
    with kernels(known):
        result = solve(problem, configuration, on_event=seen.append, events=kinds, **keywords)
    return result, seen


def test_who_asks_for_events_of_nodes_gets_the_interpreted_engine_alone():
    for kinds in (["expand"], ["goal", "generate"], ["round"], None):
        result, _ = told(Arriving(), BOARD, "astar:manhattan", kinds)
        assert result.engine == "python"


def test_bounds_and_the_goal_are_told_once():
    for known in (Late(0, looks=10**9), Arriving(500)):
        _, seen = told(known, BOARD, "idastar:manhattan", ["bound", "goal", "improve"])
        assert [(event.kind, event.value) for event in seen] == [
            (event.kind, event.value)
            for event in told(Arriving(), BOARD, "idastar:manhattan", ["bound", "goal", "improve"])[1]
        ]
        assert seen[-1].kind == "goal"


@pytest.mark.parametrize("moment", [0, 1, 300, 3000, 10**9])
def test_improvements_are_told_once_and_each_is_better(moment):
    result, seen = told(Arriving(moment), SUDOKU, "annealing", ["improve"], limits=Limits(nodes=20_000), seed=3)
    values = [event.value for event in seen]
    assert values == sorted(set(values), reverse=True) and values[-1] == result.cost


def test_how_far_compiling_is_comes_with_progress(monkeypatch):
    seen = []
    monkeypatch.setattr(Late, "preparing", "compiling")
    control = handover.Control(None, seen.append, ["progress"])
    handover.FirstPhase(control, Late(), None).emit("progress")
    assert seen[0].figures == {"preparing": "compiling"}


# Failure


def test_what_does_not_compile_runs_interpreted_and_says_why():
    problem = Uncompilable(400)
    with kernels(Arriving()):
        result = solve(problem, "bfs")
    assert result.solved and result.engine == "python"
    (note,) = result.notes
    assert "ran interpreted to its end: " in note and "Uncompilable.solved" in note
    with pytest.raises(KernelError, match=r"Uncompilable\.solved"):
        solve(problem, "bfs", engine="compiled")


def test_a_run_that_needed_no_kernels_says_nothing_of_them(monkeypatch):
    monkeypatch.setattr(handover, "BLINK", 1e9)
    known = handover.kernels_of(BOARD, Configuration.parse("bfs"))
    known.refusal = "no luck"
    assert solve(BOARD, "bfs", limits=Limits(nodes=3)).notes == ()


def test_without_numba_it_runs_interpreted(monkeypatch):
    monkeypatch.setattr(handover, "can_compile", lambda: False)
    monkeypatch.setattr(handover, "BLINK", 0.0)
    result = solve(BOARD, "bfs", limits=Limits(nodes=50))
    assert result.engine == "python" and "Numba is not installed" in result.notes[-1]


def test_numbers_that_kernels_cannot_hold_are_searched_interpreted():
    with kernels(Arriving()):
        result = solve(Count(3, cost=1 << 62), "astar")
    assert (result.engine, result.cost) == ("python", 3 << 62)
    assert "need engine='python'" in result.notes[-1]
    with kernels(Arriving()):
        result = solve(Count(3, cost=1 << 70), "astar")
    assert (result.engine, result.cost) == ("python", 3 << 70)


def test_what_is_wrong_with_a_problem_is_raised_whoever_finds_it():
    from procura import InputError

    for nodes in (0, 10**9):
        with (
            kernels(Arriving(nodes)),
            pytest.raises(InputError, match="costs = 'nonnegative'"),
        ):
            solve(Count(3, cost=-1), "astar")


# The child


def ended(monkeypatch, how):
    """What becomes of a run whose compiler ends so."""

    class Ended(Silent):
        def poll(self):
            return how

    monkeypatch.setattr(handover, "_compiler", lambda job: Ended())
    monkeypatch.setattr(handover, "hinted", lambda digest: False)
    monkeypatch.setattr(handover, "BLINK", 0.0)
    return solve(BOARD, "bfs", limits=Limits(nodes=300))


def test_a_child_that_fails_leaves_the_run_interpreted(monkeypatch):
    result = ended(monkeypatch, {"failed": "the process that compiles died"})
    assert result.engine == "python" and "the process that compiles died" in result.notes[-1]


def test_what_the_child_does_not_know_is_compiled_here(monkeypatch):
    result = ended(monkeypatch, {"unknown": "no such module"})
    assert result.engine == "compiled" and result.notes == ()


def child(code):
    """A child whose work is some code."""
    return process.spawn({"work": code})


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """In place of the module that compiles: one that does what it is told."""
    (tmp_path / "stand_in.py").write_text(
        "import json, sys, time, os\n"
        "from procura.compiled import process\n"
        "request = json.loads(sys.stdin.buffer.readline())\n"
        "process.serve(1, 0, request['parent'], lambda report: exec(request['work']))\n"
    )
    monkeypatch.setattr(process, "MODULE", "stand_in")
    monkeypatch.syspath_prepend(str(tmp_path))


def outcome(compiler):
    while (said := compiler.poll()) is None:
        time.sleep(0.01)
    return said


def test_a_child_reports_how_far_it_is_and_how_it_ends(stand_in):
    compiler = child("report({'preparing': 'moves'}); report({'ready': True})")
    assert outcome(compiler) == {"ready": True}
    assert compiler.preparing == "moves"


def test_a_child_that_dies_is_noticed(stand_in):
    assert outcome(child("os.kill(os.getpid(), 9)")) == {"failed": "the process that compiles died"}


def test_a_child_that_hangs_is_ended(stand_in, monkeypatch):
    compiler = child("time.sleep(1000)")
    monkeypatch.setattr(process, "SILENCE_SECONDS", 0.0)
    assert outcome(compiler) == {"failed": "the process that compiles says nothing any more"}
    assert not os.path.exists(f"/proc/{compiler._pid}")


def test_ctrl_c_does_not_reach_the_child(stand_in):
    compiler = child("report({'preparing': 'moves'}); time.sleep(1000)")
    while not compiler.preparing:
        compiler.poll()
        time.sleep(0.01)
    assert os.getpgid(compiler._pid) != os.getpgid(0)
    os.kill(compiler._pid, signal.SIGINT)
    assert compiler.poll() is None
    compiler.end()


WHOSE_CHILD_SLEEPS = """
import os, sys, time
from procura.compiled import process
process.MODULE = "stand_in"
compiler = process.spawn({"work": "report({'preparing': 'moves'}); time.sleep(1000)"})
while not compiler.preparing:
    compiler.poll()
print(compiler._pid, flush=True)
"""


@pytest.mark.parametrize(
    "end", ["sys.exit(0)", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise ValueError", "os.fork() or os._exit(0)"]
)
def test_a_child_never_outlives_the_process(stand_in, tmp_path, end):
    pid, _, _ = python(WHOSE_CHILD_SLEEPS + end, PYTHONPATH=str(tmp_path))
    assert is_gone(int(pid))


def is_gone(pid):
    """Whether a process ends; a zombie that nobody waits for has."""
    for _ in range(1000):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def test_a_fork_has_no_children_to_end(stand_in, tmp_path):
    fork = """
if os.fork() == 0:
    process._end_all()
    os._exit(0)
os.wait()
print(compiler.poll())
"""
    out, _, status = python(WHOSE_CHILD_SLEEPS + fork, PYTHONPATH=str(tmp_path))
    assert (out.split()[1:], status) == (["None"], 0)


def test_a_child_that_has_ended_keeps_nobody_waiting(stand_in, monkeypatch):
    monkeypatch.setattr(process, "MOST", 1)
    compiler = child("report({'ready': True})")
    while process.all_busy():
        time.sleep(0.01)
    assert compiler.poll() == {"ready": True}


def test_a_fork_asks_for_its_kernels_itself():
    code = """
    import os
    from procura import Sliding, handover
    from procura.configuration import Configuration
    def kernels():
        return handover.kernels_of(Sliding("8 6 7 2 5 4 3 0 1"), Configuration.parse("bfs"))
    kernels().refusal = "no luck"
    if os.fork() == 0:
        os._exit(kernels().refusal is not None)
    print(os.wait()[1], kernels().refusal)
    """
    assert python(code) == ("0 no luck", "", 0)


def test_not_everybody_compiles_at_one_time(stand_in, monkeypatch):
    monkeypatch.setattr(process, "MOST", 1)
    compiler = child("time.sleep(1000)")
    monkeypatch.setattr(handover, "hinted", lambda digest: False)
    known = handover.Kernels()
    job = handover.Job(BOARD, Configuration.parse("bfs"), lambda tell, cancel: None)
    assert not known.look(job, handover.Control()) and known._compiler is None
    compiler.end()
    assert not process.all_busy()


SCRIPT = """
from procura import ArrayProblem, Data, kernel, solve, handover
from procura.compiled import process
handover.BLINK = 0.0

class Steps(ArrayProblem):
    def __init__(self, end):
        super().__init__(size=1, max_moves=1, dtype="int32", data=Data(end=[end]))
    def start(self):
        return [0]
    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        return 1
    @kernel
    def apply(s, data, work, move):
        s[0] += 1
        return 1
    @kernel
    def solved(s, data, work):
        return s[0] == data.end[0]
    @classmethod
    def from_text(cls, text):
        return cls(int(text))
    def board_text(self):
        return str(self.data.end[0])
"""
RUN = """
ways = []
for way in ("spawn", "fork"):
    setattr(process, way, lambda *a, do=getattr(process, way), way=way: ways.append(way) or do(*a))
import sys
compiled_before = "numba" in sys.modules
result = solve(Steps(30_000_000), "dfs,tree=true", limits=__import__("procura").Limits(nodes=2_000_000))
print(ways, result.engine, result.stats.expanded, result.notes)
"""


@pytest.mark.slow
def test_a_class_that_can_be_imported_is_compiled_by_another_python(tmp_path):
    (tmp_path / "steps.py").write_text(SCRIPT)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom steps import *\n{RUN}"
    out, err, status = python(code, PROCURA_CACHE=str(tmp_path / "cache"))
    assert (out, status) == ("['spawn'] compiled 2000000 ()", 0), err
    out, err, status = python(code, PROCURA_CACHE=str(tmp_path / "cache"))
    assert (out, status) == ("[] compiled 2000000 ()", 0), err  # the cache has it


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
@pytest.mark.slow
def test_a_class_that_only_this_process_knows_is_compiled_by_a_copy_of_it(tmp_path):
    out, err, status = python(SCRIPT + RUN, PROCURA_CACHE=str(tmp_path / "cache"))
    assert (out, status) == ("['fork'] compiled 2000000 ()", 0), err


@pytest.mark.slow
@pytest.mark.parametrize("why", ["a thread", "llvmlite", "no cache"])
def test_where_no_copy_can_be_made_it_is_compiled_here(tmp_path, why):
    cache = str(tmp_path / "cache")
    first = {
        "a thread": "import threading, time; threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        "llvmlite": "import numba",
        "no cache": "",
    }[why]
    code = f"{SCRIPT}\n{first}\n{RUN}"
    out, err, status = python(code, PROCURA_CACHE="off" if why == "no cache" else cache)
    assert (out, status) == ("[] compiled 2000000 ()", 0), err


def test_who_can_be_named_and_who_cannot():
    def request(problem):
        return handover.Job(problem, Configuration.parse("bfs"), lambda tell, cancel: None).request()

    class Local(Sliding):
        pass

    named = request(Sliding("1 2 3 4 5 6 7 0 8", goal="spiral"))
    assert json.loads(json.dumps(named))["class"] == "Sliding"
    assert Sliding.from_text(named["board"], **named["options"]).initial == Sliding("1 2 3 4 5 6 7 0 8").initial
    assert request(Local("1 2 3 4 5 6 7 0 8")) is None


# Whom it is not for


def test_portfolios_start_compiled():
    with kernels(Late(0, looks=10**9)):
        assert solve(BOARD, "bfs | astar:manhattan", jobs=1).engine == "compiled"


def test_several_threads_start_compiled():
    assert plan(BOARD, Configuration.parse("idastar:manhattan,jobs=2")).first is None
    assert plan(BOARD, Configuration.parse("idastar:manhattan")).first is not None
    with kernels(Late(0, looks=10**9)):
        assert solve_many(Sliding, [BOARD, BOARD], "bfs", jobs=2)[1].engine == "compiled"


@pytest.mark.slow
def test_a_batch_hands_over():
    with kernels(Arriving(500)):
        results = list(solve_many(Sliding, [BOARD] * 3, "astar:manhattan"))
    assert {result.engine for result in results} == {"compiled"}
    assert len({result.stats.expanded for result in results}) == 1


def test_cancel_ends_the_wait_for_kernels():
    known = Late(0, looks=10**9)
    with kernels(known):
        result = solve(HARD, "idastar:manhattan", limits=Limits(seconds=0), cancel=lambda: known.looks < 10**9 - 5)
    assert result.engine == "python" and not result.solved


# Hints


def test_a_run_leaves_a_hint_to_its_kernels(tmp_path, monkeypatch):
    from procura.compiled import engine
    from procura.compiled.kernels import HINTS, KERNELS, hinted, kernel_folder

    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    monkeypatch.setattr(engine, "_compiled", {})
    monkeypatch.setattr(handover, "_known", WeakKeyDictionary())
    problem, configuration = Count(3), Configuration.parse("dfs,tree=true")
    digest = handover.digest(problem, configuration)
    assert not hinted(digest)
    control = prepare(plan(problem, configuration))
    assert control.kernels and hinted(digest)
    with monkeypatch.context() as later:
        later.delattr(handover, "digest")  # once it is left nobody looks for it again
        handover.note_kernels(problem, configuration, control)
    assert handover.digest(problem, Configuration.parse("bfs")) != digest
    with kernel_folder() as folder:
        assert len(folder.files(HINTS)) == 1
        folder.clear(KERNELS)
    assert not hinted(digest)


@pytest.mark.parametrize(
    "content", [b"", b"procura hint ", b"procura hint nonsense", b"procura hint \xff", b"procura hint ../x"]
)
def test_a_damaged_hint_says_nothing(tmp_path, monkeypatch, content):
    from procura.compiled.kernels import hinted, kernel_folder

    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    with kernel_folder() as folder:
        folder.write("0" * 64 + ".hint", content)
    assert not hinted("0" * 64)


def test_a_folder_that_takes_no_files_keeps_no_kernels(tmp_path, monkeypatch):
    monkeypatch.setenv("PROCURA_CACHE", "off")
    assert not handover._keeps_kernels()
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    assert handover._keeps_kernels()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not handover._keeps_kernels()


# Specialists, which begin with their stand-in


def test_the_stand_in_of_a_specialist_answers_at_once():
    with kernels(Late(0, looks=10**9)):
        result = solve(SUDOKU)
    assert (result.algorithm, result.engine, result.solved, result.notes) == ("dfs", "python", True, ())


def test_the_specialist_takes_over_from_its_stand_in():
    with kernels(Arriving(20)):
        result = solve(SUDOKU)
    assert (result.algorithm, result.engine, result.solved, result.notes) == ("bands", "compiled", True, ())


def test_the_specialist_gets_the_full_time():
    class Slow(Arriving):
        def _load(self, job, control):
            super()._load(job, control)
            control.forgive(-1000)
            control._whole.forgive(-1000)

    with kernels(Slow(20)):
        result = solve(TETRIS, limits=Limits(seconds=500))
    assert (result.algorithm, result.engine, result.solved) == ("best", "compiled", True)
    assert result.stats.compile_seconds > 0


def test_a_stand_in_that_settles_nothing_waits_for_the_specialist():
    with kernels(Late(0, looks=50)):
        result = solve(SUDOKU, limits=Limits(nodes=40))
    assert result.algorithm == "bands"


def test_a_specialist_without_kernels_is_stood_in_for_and_says_so():
    with kernels(Late(0, looks=2, refusal="no luck")):
        result = solve(SUDOKU)
    assert (result.algorithm, result.notes) == ("dfs", ("bands: no luck: dfs ran instead",))


def test_options_that_the_stand_in_does_not_have_are_left_to_the_specialist():
    with kernels(Late(0, looks=10**9)):
        assert solve(SUDOKU, "bands,solutions=2").algorithm == "bands"
