"""Runs in child processes: every ending has its name, hard limits hold, and no process is left behind."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import socket
import sys
import time

import pytest
from processes import descendants, gone, marked, run, start
from study_helpers import hostile_study, parent_of, results, write_study

from procura.cli.commands.study import command as study_command
from procura.runners import processes
from procura.runners.endings import ABOUT, Ending, ending_of
from procura.runners.fork_server import ForkServer
from procura.runners.processes import ForkServerError, Processes, StartError
from procura.study.execute import execute
from procura.study.plan import read_study
from procura.study.store import Results

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")


def by_board(study):
    return {record["run"]["board"]: record for record in results(study)}


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_every_ending_is_explained():
    assert set(ABOUT) == set(Ending)


@pytest.mark.parametrize(
    ("outcome", "stopped_by", "ending"),
    [
        ("solved", None, "solved"),
        ("solved", "time", "solved"),
        ("no_solution", None, "no_solution"),
        ("not_found", None, "not_found"),
        ("not_found", "time", "stopped_time"),
        ("not_found", "nodes", "stopped_nodes"),
        ("not_found", "memory", "stopped_memory"),
        ("not_found", "depth", "stopped_depth"),
    ],
)
def test_a_result_has_an_ending(outcome, stopped_by, ending):
    assert ending_of(outcome, stopped_by) == ending


@linux
def test_runs_that_misbehave_are_named_and_do_not_stop_the_rest(tmp_path, mark):
    boards = ("scribble", "abort", "fail", "die", "leave", "allocate", "demand", "breed_memory", "walk")
    study = hostile_study(tmp_path, *boards, limits="seconds = 20, memory = '200MB'")
    done = run("study", study, "--allow-code", env=marked(mark))
    found = by_board(study)
    assert {board: found[board]["ending"] for board in boards} == {
        "scribble": "solved",
        "abort": "crashed",
        "fail": "crashed",
        "die": "killed_outside",
        "leave": "crashed",
        "allocate": "killed_memory",
        "demand": "killed_memory",
        "breed_memory": "killed_memory",
        "walk": "solved",
    }
    assert done.returncode == 70
    assert found["abort"]["exit"] == "signal SIGABRT" and "the last words" in found["abort"]["last_lines"]
    assert found["fail"]["last_lines"][-1] == "RuntimeError: a broken rule"
    assert "RuntimeError: a broken rule" in done.out and "killed by somebody else" in done.out
    assert found["walk"]["actions"] == ["go"] * 3
    assert gone(mark)


@pytest.mark.slow
@linux
def test_a_run_that_ignores_signals_is_killed_after_its_time_limit(tmp_path, mark):
    study = hostile_study(tmp_path, "ignore", "hold", "breed", limits="seconds = 0.5")
    done = run("study", study, "--allow-code", "--jobs", 3, env=marked(mark))
    assert done.returncode == 0
    for record in results(study):
        assert record["ending"] == "killed_time"
        assert record["wall_seconds"] > 0.5, record["run"]["board"]
        assert record["seconds"] == record["wall_seconds"]
    assert gone(mark)


@pytest.mark.slow
@linux
def test_no_process_outlives_a_study_that_is_killed(tmp_path, mark):
    study = hostile_study(tmp_path, "ignore", "hold", "breed", limits="seconds = 100")
    process = start("study", study, "--allow-code", "--jobs", 3, env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 6)  # the study, the fork server, three runs and what one of them bred
    process.kill()
    process.communicate()
    assert gone(mark)
    assert results(study) == []


@linux
def test_ctrl_c_keeps_what_is_done_and_leaves_no_process(tmp_path, mark):
    study = hostile_study(tmp_path, "walk", "ignore", limits="seconds = 100")
    process = start("study", study, "--allow-code", env=marked(mark))
    wait_for(lambda: os.path.exists(study.with_suffix(".results.jsonl")) and len(results(study)) == 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    told = " ".join(out.split())
    assert "1 interrupted" in told and "1 missing" in told and "Traceback" not in err
    assert [record["run"]["board"] for record in results(study)] == ["walk"]
    assert gone(mark)


@linux
def test_a_study_whose_fork_server_is_killed_goes_on(tmp_path, mark):
    study = hostile_study(tmp_path, "breed", "walk", limits="seconds = 30")
    process = start("study", study, "--allow-code", "--jobs", 1, env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 4)  # the study, the fork server, a run and what it bred
    (server,) = [pid for pid in descendants(mark) if parent_of(pid) == process.pid]
    os.kill(server, signal.SIGKILL)
    process.communicate(timeout=60)
    found = by_board(study)
    assert (found["breed"]["ending"], found["walk"]["ending"]) == ("killed_outside", "solved")
    assert gone(mark)


@linux
def test_processes_that_a_run_detaches_are_gone_when_it_ends(tmp_path, mark):
    study = hostile_study(tmp_path, "detach", "detach_and_loop", "walk", limits="seconds = 1")
    assert run("study", study, "--allow-code", env=marked(mark)).returncode == 0
    assert {board: record["ending"] for board, record in by_board(study).items()} == {
        "detach": "solved",
        "detach_and_loop": "killed_time",
        "walk": "solved",
    }
    assert not descendants(mark)


@linux
def test_a_detached_process_dies_with_its_run_and_not_with_the_study(tmp_path, mark):
    study = hostile_study(tmp_path, "detach", "ignore", limits="seconds = 100")
    process = start("study", study, "--allow-code", "--jobs", 2, env=marked(mark))
    wait_for(lambda: os.path.exists(study.with_suffix(".results.jsonl")) and len(results(study)) == 1)
    assert len(descendants(mark)) == 3, "the study, the fork server and the run that goes on"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)


@linux
def test_the_memory_of_detached_processes_counts(tmp_path, mark):
    study = hostile_study(tmp_path, "detach_memory", limits="seconds = 60, memory = '200MB'")
    run("study", study, "--allow-code", env=marked(mark))
    assert by_board(study)["detach_memory"]["ending"] == "killed_memory"
    assert gone(mark)


@linux
@pytest.mark.parametrize("victim", ["study", "server"])
def test_no_detached_process_outlives_the_study_or_its_fork_server(tmp_path, mark, victim):
    study = hostile_study(tmp_path, "detach_and_loop", limits="seconds = 100")
    process = start("study", study, "--allow-code", env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 4)  # the study, the fork server, a run and what it detached
    (server,) = [pid for pid in descendants(mark) if parent_of(pid) == process.pid]
    os.kill({"study": process.pid, "server": server}[victim], signal.SIGKILL)
    process.communicate(timeout=60)
    assert gone(mark)
    assert [record["ending"] for record in results(study)] == {"study": [], "server": ["killed_outside"]}[victim]


@linux
def test_runs_die_when_the_study_and_its_fork_server_are_killed_together(tmp_path, mark):
    study = hostile_study(tmp_path, "ignore", "hold", limits="seconds = 100")
    process = start("study", study, "--allow-code", "--jobs", 2, env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 4)
    (server,) = [pid for pid in descendants(mark) if parent_of(pid) == process.pid]
    for signum in (signal.SIGSTOP, signal.SIGKILL):
        for pid in (process.pid, server):
            os.kill(pid, signum)
    process.communicate()
    assert gone(mark)


@linux
def test_with_few_descriptors_fewer_runs_are_made_at_once(tmp_path):
    study = hostile_study(tmp_path, "nap", more=["repeats = 12"])
    few_descriptors = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))"
    done = run("study", study, "--allow-code", "--jobs", 12, first=few_descriptors)
    assert done.returncode == 0, done.err
    assert [record["ending"] for record in results(study)] == ["solved"] * 12


class Nobody:
    """Is told everything and does nothing."""

    def __getattr__(self, name):
        return lambda *arguments: None


def test_a_run_that_never_gets_ready_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "LOADING_SECONDS", 0.1)
    study = read_study(str(hostile_study(tmp_path, "stall", "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        execute(study, study.runs.values(), kept, jobs=2, watcher=Nobody())
        found = {record["run"]["board"]: record for record in kept.contents.records.values()}
    assert found["stall"]["ending"] == "killed_loading"
    assert found["stall"]["seconds"] is found["stall"]["wall_seconds"] is None, "its clock never started"
    assert found["stall"]["load_seconds"] > 0.1


@pytest.mark.slow
def test_of_what_a_run_prints_without_end_only_the_end_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "MOST_OUTPUT", 1_000_000)
    sizes, usual = [], processes.Child.trim

    def trim(self):
        usual(self)
        sizes.append(os.fstat(self.output.fileno()).st_blocks * 512)

    monkeypatch.setattr(processes.Child, "trim", trim)
    study = read_study(str(hostile_study(tmp_path, "chatter", limits="seconds = 20")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        (record,) = execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody()).done
    assert record["ending"] == "crashed" and record["last_lines"][-1] == "RuntimeError: a broken rule"
    assert 0 < max(sizes) < 20_000_000, "of 40 MB"


@pytest.mark.slow
def test_without_a_terminal_a_line_now_and_then_says_how_it_goes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("procura.cli.commands.study.LINE_SECONDS", 0.1)
    status = study_command.callback(str(hostile_study(tmp_path, "nap")), 1, "local", None, False, False, True)
    assert status == 0 and re.search(r"^\d+ s: 0/1 done, 1 running$", capsys.readouterr().err, re.MULTILINE)


@pytest.mark.slow
def test_the_command_for_tables_works_as_it_is_told(tmp_path):
    study = hostile_study(tmp_path, "walk")
    done = run("study", study, "--allow-code", "--results", tmp_path / "some results.jsonl")
    _, *words = shlex.split(done.out.partition("tables by: ")[2])
    assert words == ["report", str(study), "--results", str(tmp_path / "some results.jsonl"), "--allow-code"]
    assert run(*words).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("patience", [0.3, 60.0])
def test_a_system_that_starts_no_process_is_asked_again(tmp_path, monkeypatch, patience):
    """It starts none for a second from when it is first asked, which is longer than the patience, or shorter."""
    monkeypatch.setattr("procura.runners.local.PATIENCE", patience)
    usual, asked = Processes.start, []

    def refused_for_a_while(self, *arguments):
        asked.append(time.monotonic())
        if asked[-1] < asked[0] + 1.0:
            raise StartError("no process can be started: no")
        return usual(self, *arguments)

    monkeypatch.setattr(Processes, "start", refused_for_a_while)
    study = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        if patience < 1:
            with pytest.raises(StartError, match="no process can be started"):
                execute(study, study.runs.values(), kept, jobs=2, watcher=Nobody())
        else:
            assert len(execute(study, study.runs.values(), kept, jobs=2, watcher=Nobody()).done) == 1


def test_a_long_run_uses_up_no_patience(tmp_path, monkeypatch):
    monkeypatch.setattr("procura.runners.local.PATIENCE", 0.3)
    usual, calls = Processes.start, []

    def refused_after_the_first(self, *arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise StartError("no process can be started: no")
        return usual(self, *arguments)

    monkeypatch.setattr(Processes, "start", refused_after_the_first)
    study = read_study(str(hostile_study(tmp_path, "nap", "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        summary = execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody())
    assert [record["ending"] for record in summary.done] == ["solved", "solved"] and len(calls) == 3


@pytest.mark.parametrize("descriptors", [0, 1, 2])
def test_a_fork_server_that_cannot_fork_refuses_and_keeps_no_descriptor(monkeypatch, descriptors):
    def no_fork():
        raise BlockingIOError(errno.EAGAIN, "no")

    monkeypatch.setattr(os, "fork", no_fork)
    ours, theirs = socket.socketpair()
    given = [os.dup(0) for _ in range(descriptors)]
    with ours, theirs:
        server = ForkServer.__new__(ForkServer)
        server.control, server._descriptors = theirs, list(given)
        server._start()
        assert ours.recv(100) == b"refused %d\n" % (errno.EAGAIN if descriptors == 2 else errno.EMFILE)
    for descriptor in given:
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(descriptor)


@linux
def test_a_run_whose_result_came_before_the_fork_server_was_lost_has_it(tmp_path, monkeypatch):
    def wait_and_lose(self):
        (child,) = self.children.values()
        child.channel.settimeout(60)
        while b"result" not in child.channel.recv(1 << 16, socket.MSG_PEEK):
            time.sleep(0.01)
        child.channel.setblocking(False)
        raise ForkServerError("lost")

    monkeypatch.setattr(Processes, "wait", wait_and_lose)
    study = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        summary = execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody())
    assert [record["ending"] for record in summary.done] == ["solved"]


@pytest.mark.slow
def test_a_fork_server_killed_before_it_is_ready_is_replaced(tmp_path, monkeypatch):
    usual, killed = Processes._expect, []

    def kill_the_first(self, *words):
        if not killed:
            killed.append(self._process.pid)
            self._process.kill()
        return usual(self, *words)

    monkeypatch.setattr(Processes, "_expect", kill_the_first)
    study = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        summary = execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody())
    assert [record["ending"] for record in summary.done] == ["solved"] and killed


def test_a_fork_server_that_cannot_work_ends_the_study(tmp_path, monkeypatch):
    monkeypatch.setattr(processes.sys, "executable", "/bin/false")
    study = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept, pytest.raises(ForkServerError):
        execute(study, study.runs.values(), kept, jobs=1, watcher=Nobody())


def test_limits_that_a_search_keeps_by_itself_are_named(tmp_path):
    study = write_study(
        tmp_path,
        'engine = "python"',
        "[[problems]]",
        'puzzle = "sliding"',
        'sample = "moodle-6"',
        "[[configurations]]",
        'with = "bfs"',
        'name = "nodes"',
        "limits = {nodes = 5}",
        "[[configurations]]",
        'with = "dfs,tree=true"',
        'name = "depth"',
        "limits = {depth = 3}",
        "[[configurations]]",
        'with = "idastar:misplaced"',
        'name = "time"',
        "limits = {seconds = 0.3}",
        "[[configurations]]",
        'with = "bfs"',
        'name = "memory"',
        "limits = {memory = '1MB'}",
    )
    assert run("study", study).returncode == 0
    assert {record["configuration"]: record["ending"] for record in results(study)} == {
        "nodes": "stopped_nodes",
        "depth": "stopped_depth",
        "time": "stopped_time",
        "memory": "stopped_memory",
    }
