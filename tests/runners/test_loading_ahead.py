"""What runs need is loaded once, before they are forked: only what is safe to load, and it does no harm if it fails."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from study_helpers import write_study

from procura import Sliding, solve
from procura.kept import NotKept, only_kept
from procura.result import Limits
from procura.runners import local
from procura.runners.local import Workers
from procura.runners.processes import ForkServerError, Processes
from procura.runners.runner import Task
from procura.study.execute import execute, request as request_of
from procura.study.plan import read_study
from procura.study.store import Results
from procura.study.work import load_ahead

HELPERS = "ahead_helpers"
LIMITS = Limits(seconds=60.0)
BOARD = "1 2 3 4 5 6 0 7 8"
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


class Nobody:
    """Is told everything and does nothing."""

    def __getattr__(self, name):
        return lambda *arguments: None


@pytest.fixture(autouse=True)
def helpers(monkeypatch):
    """Let fork servers import the helpers."""
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def ahead(function, what="a", **more):
    """A request for which ``function`` of the helpers loads what it needs."""
    return {"work": f"{HELPERS}:tell", "what": what, "ahead": {"load": f"{HELPERS}:{function}", "for": what}, **more}


def told(processes):
    """What a child says that is started now."""
    child = processes.start({"work": f"{HELPERS}:tell"}, LIMITS, None)
    while not processes.wait():
        pass
    child.close()
    return child.result


def sliding(engine="compiled", **more):
    """The request of a run."""
    return {
        "puzzle": "sliding", "code": None, "board": BOARD, "options": {}, "configuration": "bfs", "engine": engine,
        "seed": None, **more,
    }  # fmt: skip


def test_children_find_what_the_fork_server_has_loaded():
    with Processes(False, HELPERS) as processes:
        assert told(processes)["loaded"] == []
        processes.load(ahead("note"))
        found = told(processes)
    assert found["loaded"] == [[found["server"], "a"]]


@pytest.mark.parametrize("function", ["fail", "leave", "missing"])
def test_what_goes_wrong_in_loading_is_of_no_account(function):
    with Processes(False, HELPERS) as processes:
        processes.load(ahead(function))
        processes.load({"no": "ahead"})
        processes.load(ahead("note"))
        found = told(processes)
    assert found["loaded"] == [[found["server"], "a"]]


def test_a_fork_server_that_is_stuck_in_loading_is_ended(monkeypatch):
    monkeypatch.setenv("AHEAD_STUCK_SECONDS", "0.1")
    with Processes(False, HELPERS) as processes:
        processes.load(ahead("stick"))
        with pytest.raises(ForkServerError):
            told(processes)
        assert processes._process.wait(60) == -signal.SIGALRM


@linux
def test_a_fork_server_that_has_grown_loads_no_more():
    with Processes(False, HELPERS) as processes:
        processes.load(ahead("note", "a"))
        processes.load(ahead("grow"))
        processes.load(ahead("note", "b"))
        found = told(processes)
    assert [what for _, what in found["loaded"]] == ["a", 100_000_000]


@pytest.fixture
def loads(monkeypatch):
    """What fork servers are asked to load."""
    asked, usual = [], Processes.load

    def noted(self, request):
        asked.append(request["what"])
        usual(self, request)

    monkeypatch.setattr(Processes, "load", noted)
    return asked


def made(workers, *requests):
    """What came of these requests, one after the other."""
    ends = []
    for request in requests:
        workers.start(Task(request, LIMITS))
        while not (done := workers.wait(1.0)):
            pass
        ends += [ended.result for _, ended in done]
    return ends


def test_it_is_loaded_once_when_a_child_has_shown_that_it_can_be(loads):
    with Workers(1, False) as workers:
        first, second, third, other = made(workers, *(ahead("note", what) for what in "aaab"))
    assert loads == ["a"]
    assert first["loaded"] == [] and [what for _, what in second["loaded"]] == ["a"]
    assert second["loaded"] == third["loaded"] == other["loaded"]


def test_nothing_is_loaded_of_a_run_that_crashed(loads):
    with Workers(1, False) as workers:
        made(workers, ahead("note") | {"work": f"{HELPERS}:crash"}, ahead("note"))
    assert loads == []


def test_nothing_is_loaded_that_took_long(loads, monkeypatch):
    monkeypatch.setattr(local, "QUICK_SECONDS", 0.0)
    with Workers(1, False) as workers:
        made(workers, ahead("note"), ahead("note"))
    assert loads == []


def test_after_a_fork_server_is_lost_nothing_is_loaded(loads):
    with Workers(1, False) as workers:
        made(workers, ahead("note"))
        workers.processes._process.kill()
        workers.processes._process.wait()
        found = made(workers, ahead("note"), ahead("note"))
    assert loads in ([], ["a"]) and [one["loaded"] for one in found] == [[], []]


def test_a_fork_server_in_place_of_one_that_was_closed_loads_it_again(loads):
    with Workers(1, False) as workers:
        made(workers, ahead("note"), ahead("note"))
        workers.close()
        (found,) = made(workers, ahead("note"))
    assert loads == ["a", "a"] and found["loaded"] == [[found["server"], "a"]]


def test_children_find_kernels_and_no_thread_is_left_in_the_fork_server():
    solve(Sliding(BOARD), "bfs", engine="compiled")  # so that the kernels are kept
    with Processes(True, HELPERS) as processes:
        assert told(processes)["kernels"] == 0
        processes.load(ahead("kernels", **sliding()))
        found = told(processes)
    assert found["kernels"] > 0 and found["threads"] == [1]


def test_a_kernel_that_is_not_kept_is_not_compiled_ahead(tmp_path, monkeypatch):
    from procura.compiled import engine

    solve(Sliding(BOARD), "bfs", engine="compiled")
    monkeypatch.setattr(engine, "_compiled", {})
    load_ahead(sliding())
    assert engine._compiled
    monkeypatch.setattr(engine, "_compiled", {})
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    with pytest.raises(NotKept):
        load_ahead(sliding())
    assert not engine._compiled and not list(tmp_path.rglob("*.kernel"))


def test_for_an_interpreted_run_no_search_is_made_ahead(monkeypatch):
    monkeypatch.setattr("procura.study.work.solve", None)
    load_ahead(sliding("python"))
    with pytest.raises(TypeError):
        load_ahead(sliding())


LOGGING = '''
import os
from pathlib import Path
from procura import Problem

with open(Path(__file__).with_suffix(".log"), "a") as log:
    print(os.getpid(), os.getppid(), file=log)

class Logging(Problem):
    """The states are numbers and 3 is the goal."""
    initial = 0
    def actions(self, state):
        return [1]
    def result(self, state, action):
        return state + action
    def is_goal(self, state):
        return state == 3
    @classmethod
    def from_text(cls, text):
        return cls()
'''


@pytest.fixture
def logging(tmp_path):
    """A study of a user's class whose file tells in which processes it is loaded."""
    (tmp_path / "logging.py").write_text(LOGGING)
    return write_study(
        tmp_path, "repeats = 3", "[[problems]]", 'puzzle = "logging.py:Logging"', 'board = "a"', "[[configurations]]",
        'with = "bfs"',
    )  # fmt: skip


def test_code_of_a_user_is_loaded_by_runs_alone(logging, tmp_path):
    study = read_study(str(logging), allow_code=True)
    log = tmp_path / "logging.log"
    log.unlink()  # of reading it
    with Results(tmp_path / "results.jsonl") as kept:
        execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody())
    pids, parents = zip(*(line.split() for line in log.read_text().splitlines()), strict=True)
    assert len(set(pids)) == 3 and len(set(parents)) == 1 and not set(pids) & set(parents)


def test_code_of_a_user_is_refused_where_runs_are_forked(logging, tmp_path):
    (cell, *_) = read_study(str(logging), allow_code=True).runs.values()
    log = tmp_path / "logging.log"
    log.unlink()
    request = request_of(read_study(str(logging), allow_code=True), cell.run)
    log.unlink()
    assert "ahead" not in request
    for lie in ({}, {"code": None}):
        with pytest.raises(ValueError, match="user's own"):
            load_ahead({**request, **lie})
    assert not log.exists()


@pytest.mark.parametrize(
    ("engine", "search", "can_be"),
    [
        ("compiled", "bfs", True), ("python", "bfs", True), ("compiled", "idastar,jobs=2", False),
        ("compiled", "bfs | dfs", False),
    ],
)  # fmt: skip
def test_searches_with_threads_are_not_loaded_ahead(tmp_path, engine, search, can_be):
    path = write_study(
        tmp_path, f'engine = "{engine}"', "[[problems]]", 'puzzle = "sliding"', f'board = "{BOARD}"',
        "[[configurations]]", f'with = "{search}"',
    )  # fmt: skip
    study = read_study(str(path))
    (cell,) = study.runs.values()
    assert ("ahead" in request_of(study, cell.run)) == can_be


def test_what_is_kept_alone_is_over_when_its_context_is():
    from procura.kept import about_to_make

    with pytest.raises(NotKept), only_kept():
        about_to_make("anything")
    about_to_make("anything")
