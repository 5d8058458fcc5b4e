"""Runs in child processes: every ending has its name, hard limits hold, and no process is left behind."""

from __future__ import annotations

import os
import signal
import sys
import time
import uuid

import pytest
from study_helpers import descendants, gone, hostile_study, parent_of, results, run, start, write_study

from procura.study import processes
from procura.study.endings import ABOUT, Ending, ending_of
from procura.study.execute import execute
from procura.study.plan import read_study
from procura.study.processes import NurseryError
from procura.study.store import Results

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")


@pytest.fixture
def mark():
    """Something in the environment of a study and all processes it starts, by which they are found."""
    return f"STUDY_MARK={uuid.uuid4().hex}"


def marked(mark):
    name, _, value = mark.partition("=")
    return {**os.environ, name: value}


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
    boards = ("abort", "fail", "die", "leave", "allocate", "demand", "breed_memory", "walk")
    study = hostile_study(tmp_path, *boards, limits="seconds = 20, memory = '200MB'")
    done = run("study", study, "--allow-code", env=marked(mark))
    found = by_board(study)
    assert {board: found[board]["ending"] for board in boards} == {
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


@linux
def test_a_run_that_ignores_signals_is_dead_within_a_second_of_its_time_limit(tmp_path, mark):
    study = hostile_study(tmp_path, "ignore", "hold", "breed", limits="seconds = 0.5")
    done = run("study", study, "--allow-code", "--jobs", 3, env=marked(mark))
    assert done.returncode == 0
    for record in results(study):
        assert record["ending"] == "killed_time"
        assert 0.5 < record["wall_seconds"] <= 1.5, record["run"]["board"]
        assert record["seconds"] == record["wall_seconds"]
    assert gone(mark)


@linux
def test_no_process_outlives_a_study_that_is_killed(tmp_path, mark):
    study = hostile_study(tmp_path, "ignore", "hold", "breed", limits="seconds = 100")
    process = start("study", study, "--allow-code", "--jobs", 3, env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 6)  # the study, the nursery, three runs and what one of them bred
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
    assert "1 missing" in " ".join(out.split()) and "Traceback" not in err
    assert [record["run"]["board"] for record in results(study)] == ["walk"]
    assert gone(mark)


@linux
def test_a_study_whose_nursery_is_killed_goes_on(tmp_path, mark):
    study = hostile_study(tmp_path, "breed", "walk", limits="seconds = 30")
    process = start("study", study, "--allow-code", "--jobs", 1, env=marked(mark))
    wait_for(lambda: len(descendants(mark)) == 4)  # the study, the nursery, a run and what it bred
    (nursery,) = [pid for pid in descendants(mark) if parent_of(pid) == process.pid]
    os.kill(nursery, signal.SIGKILL)
    process.communicate(timeout=60)
    found = by_board(study)
    assert (found["breed"]["ending"], found["walk"]["ending"]) == ("killed_outside", "solved")
    assert gone(mark)


class Nobody:
    """Is told everything and does nothing."""

    def __getattr__(self, name):
        return lambda *arguments: None


def test_a_run_that_never_gets_ready_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "LOADING_SECONDS", 0.1)
    study = read_study(str(hostile_study(tmp_path, "stall", "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept:
        execute(study, study.runs.values(), kept, jobs=2, watcher=Nobody())
        found = {record["run"]["board"]: record["ending"] for record in kept.contents.records.values()}
    assert found["stall"] == "killed_loading"


def test_a_nursery_that_cannot_work_ends_the_study(tmp_path, monkeypatch):
    monkeypatch.setattr(processes.sys, "executable", "/bin/false")
    study = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True)
    with Results(tmp_path / "results.jsonl") as kept, pytest.raises(NurseryError):
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
