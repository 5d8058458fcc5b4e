"""The command in processes of its own: shared journals, kills at any moment, crashing workers, nothing left behind."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter

import pytest
from processes import descendants, gone, marked
from tune_helpers import SMALL, log, result, run, start, trials

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
QUICK = ("sliding", *SMALL, "--population", "4", "--json")


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("method", ["genetic", pytest.param("tpe", marks=pytest.mark.slow)])
def test_the_same_seed_gives_the_same_trials_whatever_the_processes(method, tmp_path):
    made = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.log"
        told = result(run(*QUICK, "--method", method, "--trials", 14, "--jobs", jobs, "--journal", path))
        made.append((trials(path), told))
    assert made[0] == made[1]
    assert len(made[0][0]) == 14


@pytest.mark.slow
@linux
def test_a_run_killed_at_any_moment_and_started_again_ends_with_the_same_trials(tmp_path, mark):
    whole, killed = tmp_path / "whole.log", tmp_path / "killed.log"
    arguments = (*QUICK, "--method", "cmaes", "--trials", 60)
    expected = result(run(*arguments, "--jobs", 2, "--journal", whole))
    rng, kills, seen = random.Random(5), 0, []
    for _ in range(4):
        process = start(*arguments, "--jobs", 2, "--journal", killed, env=marked(mark))
        before = lines(killed)
        while lines(killed) < before + rng.randrange(3, 40) and process.poll() is None:
            time.sleep(0.002)
        kills += process.poll() is None
        process.kill()
        process.communicate()
        assert gone(mark)
        now = trials(killed) if lines(killed) > 4 else []
        assert set(seen) <= set(now), "a finished trial was lost"
        seen = now
    assert kills, "it was never killed"
    told = result(run(*arguments, "--jobs", 1, "--journal", killed))
    assert trials(killed) == trials(whole)
    assert {**told, "made_here": 0} == {**expected, "made_here": 0}


def test_two_processes_on_one_journal_share_the_work(tmp_path):
    alone, shared = tmp_path / "alone.log", tmp_path / "shared.log"
    arguments = (*QUICK, "--method", "random", "--trials", 120, "--jobs", 1)
    both = [start(*arguments, "--journal", shared) for _ in range(2)]
    for process in both:
        process.out, process.err = process.communicate(timeout=120)
    told = [result(process) for process in both]
    assert all(one["made_here"] > 0 for one in told), "each did some of the work"
    assert {**told[0], "made_here": 0} == {**told[1], "made_here": 0}
    result(run(*arguments, "--journal", alone))
    assert trials(shared) == trials(alone)
    slots = Counter(trial[0] for trial in trials(shared))
    assert len(slots) == 120 and set(slots.values()) == {1}


def test_what_a_killed_process_worked_at_is_taken_by_the_other(tmp_path):
    alone, shared = tmp_path / "alone.log", tmp_path / "shared.log"
    arguments = (*QUICK, "--method", "genetic", "--trials", 60, "--jobs", 2)
    one, other = (start(*arguments, "--journal", shared) for _ in range(2))
    while lines(shared) < 60 and one.poll() is None:
        time.sleep(0.005)
    one.kill()
    one.communicate()
    other.out, other.err = other.communicate(timeout=120)
    told = result(other)
    assert told["trials"] == 60
    result(run(*arguments, "--journal", alone))
    assert trials(shared) == trials(alone)


BROKEN = '''
"""A problem whose heuristic ends its process under some weights."""
import os, pathlib, signal, time
from procura import Problem
from procura.problem import Estimate

class Broken(Problem):
    """Count to five."""
    heuristics = {"left": Estimate(lambda state: 5 - state), "none": Estimate(lambda state: 0)}

    def __init__(self, how):
        self.how, self.initial = how, 0

    @classmethod
    def from_text(cls, text):
        return cls(text)

    def board_text(self):
        return self.how

    def actions(self, state):
        flag = pathlib.Path(__file__).with_name("struck")
        if self.how == "once" and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "always":
            os.abort()
        if self.how == "sleep":
            time.sleep(100)
        if self.how == "wrong":
            raise ZeroDivisionError("a broken rule")
        return ["go"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 5
'''


def broken(folder, how):
    (folder / "broken.py").write_text(BROKEN)
    (folder / "board.txt").write_text(how)
    return (f"{folder / 'broken.py'}:Broken", "--with", "astar:left + none", "--boards", folder / "board.txt", "--json")


def test_a_worker_that_is_killed_is_replaced_and_its_trial_made_again(tmp_path):
    path = tmp_path / "kept.log"
    arguments = broken(tmp_path, "once")
    done = run(*arguments, "--method", "random", "--trials", 4, "--jobs", 1, "--journal", path)
    told = result(done)
    assert told["trials"] == 4 and told["best"]["train"]["mean"] > 5
    assert "trial 0.0 failed: its process was ended by SIGKILL" in done.err
    assert sum(line.get("state") == 3 for line in log(path)) == 1, "one trial failed"


@linux
def test_weights_that_end_every_process_end_the_run_with_a_sentence(tmp_path, mark):
    done = run(*broken(tmp_path, "always"), "--method", "random", "--trials", 1, "--jobs", 1, env=marked(mark))
    assert done.returncode == 2 and "no candidate could be evaluated: its process was ended by SIGABRT" in done.err
    told = [line for line in done.err.splitlines() if line.startswith("trial 0.0 failed: its process was ended by")]
    assert len(told) == 2 and told[1].endswith("(3 times in all)"), "the same line is not told three times"
    assert "Traceback" not in done.err and gone(mark)


def test_workers_that_do_not_start_count_against_no_trial(tmp_path):
    path = tmp_path / "kept.log"
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif 'procura.runners.fork_server' in sys.orig_argv: raise SystemExit('no worker today')\n"
    )
    arguments = (*QUICK, "--method", "random", "--trials", 4, "--jobs", 1, "--journal", path)
    done = run(*arguments, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode != 0 and "no worker today" in done.err and "Traceback" not in done.err
    told = [line["user_attr"] for line in log(path) if "user_attr" in line]
    assert not any("crash" in each for each in told)
    assert result(run(*arguments))["trials"] == 4


def test_a_rule_that_raises_is_named(tmp_path):
    done = run(*broken(tmp_path, "wrong"), "--method", "random", "--trials", 1, "--jobs", 1)
    assert done.returncode == 2 and "no candidate could be evaluated: ZeroDivisionError: a broken rule" in done.err


@linux
def test_ctrl_c_before_the_first_trial_ends_with_130_and_leaves_no_process(tmp_path, mark):
    process = start(*broken(tmp_path, "sleep"), "--method", "random", "--jobs", 2, env=marked(mark))
    while len(descendants(mark)) < 3:  # the command and two workers
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    assert gone(mark)


@linux
def test_ctrl_c_keeps_the_best_so_far(tmp_path, mark):
    path, out = tmp_path / "kept.log", tmp_path / "weights.txt"
    arguments = ("--method", "random", "--rounds", 100000, "--jobs", 1, "--journal", path, "--out", out)
    process = start(*QUICK, *arguments, env=marked(mark))
    while lines(path) < 60:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.out, process.err = process.communicate(timeout=60)
    told = result(process)
    assert told["interrupted"] and told["trials"] == len(trials(path)) > 0
    assert told["heuristic"] in out.read_text() and "# no validation was made\n" in out.read_text()
    assert gone(mark)


@linux
def test_no_process_outlives_a_run_that_is_killed(tmp_path, mark):
    process = start(*broken(tmp_path, "sleep"), "--method", "random", "--jobs", 2, env=marked(mark))
    while len(descendants(mark)) < 3:
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert gone(mark)
