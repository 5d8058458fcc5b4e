"""Runs on a dask cluster: each is recorded once and as it is here, whoever dies meanwhile, and no child is left."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter

import pytest
from cluster_helpers import Machines
from processes import descendants, gone, marked, run, start
from study_helpers import hostile_study, results, write_study
from test_tune_processes import QUICK, broken
from tune_helpers import result, trials

from procura import Sliding
from procura.runners import dask
from procura.runners.dask import Cluster
from procura.runners.runner import RunnerError
from procura.study.execute import execute
from procura.study.plan import read_study
from procura.study.store import Results, read_results

pytest.importorskip("distributed", reason="dask is not installed: pip install 'procura[cluster]'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc"),
]
ELSEWHERE = {
    "seconds", "wall_seconds", "load_seconds", "cpu_seconds", "peak_memory", "started", "ended", "machine",
}  # fmt: skip
"""What of a record depends on when and where a run was made."""


class Nobody:
    """Is told everything and does nothing."""

    def __getattr__(self, name):
        return lambda *arguments: None


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    mark = f"PROCURA_TEST_MARK={uuid.uuid4().hex}"
    with Machines(tmp_path_factory.mktemp("machines"), mark, 2) as found:
        yield found


def same(record):
    return {name: value for name, value in record.items() if name not in ELSEWHERE}


def by_key(path):
    return {key: same(record) for key, record in read_results(path).records.items()}


def children(mark):
    """The runs that are under way below a cluster: what fork servers have forked."""
    found = []
    for pid in descendants(mark):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                if "procura.runners.fork_server" in file.read():
                    found.append(pid)
        except OSError:
            continue
    return found


def wait_for(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_500_runs_are_each_recorded_once_though_workers_and_clients_are_killed(tmp_path, mark):
    study = write_study(
        tmp_path, 'engine = "python"', "repeats = 25", "[[problems]]", 'puzzle = "sliding"',
        'generate = {count = 10, seed = 1, size = "2x3"}', "[[configurations]]", 'with = ["bfs", "astar:manhattan"]',
    )  # fmt: skip
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert run("study", study, "--results", here).returncode == 0
    rng, kills, clients = random.Random(1), 0, 0
    with Machines(tmp_path, mark, 4) as machines:
        arguments = ("study", study, "--results", there, "--on", machines.file)
        client = start(*arguments)
        stops, losses = [150, 300], [50, 200, 350]
        while client.poll() is None:
            time.sleep(0.05)
            done = there.read_bytes().count(b"\n") if there.exists() else 0
            if losses and done >= losses[0]:
                losses.pop(0)
                victim = machines.workers.pop(rng.randrange(len(machines.workers)))
                victim.kill()
                victim.wait()
                machines.add()
                kills += 1
            if stops and done >= stops[0]:
                stops.pop(0)
                client.kill()
                client.communicate()
                clients += 1
                client = start(*arguments)
        _, err = client.communicate()
    assert client.returncode == 0, err
    assert clients == 2 and kills == 3
    keys = Counter(record["key"] for record in read_lines(there))
    assert len(keys) == 500 and set(keys.values()) == {1}
    assert by_key(there) == by_key(here)
    assert gone(mark, 30)


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_tuning_makes_the_same_trials_as_here(tmp_path, machines):
    told = {}
    for name, on in (("here", "local"), ("there", machines.file)):
        path = tmp_path / f"{name}.log"
        arguments = ("--method", "genetic", "--trials", 14, "--jobs", 2, "--journal", path, "--on", on)
        told[name] = result(run("tune", *QUICK, *arguments)), trials(path)
    assert told["here"] == told["there"] and len(told["here"][1]) == 14


def test_runs_that_misbehave_end_as_they_do_here_and_no_child_is_left(tmp_path, machines):
    boards = ("ignore", "allocate", "breed", "die", "walk")
    study = hostile_study(tmp_path, *boards, limits="seconds = 1, memory = '200MB'")
    (tmp_path / "here").mkdir()
    here = hostile_study(tmp_path / "here", *boards, limits="seconds = 1, memory = '200MB'")
    assert run("study", here, "--allow-code").returncode == 70
    done = run("study", study, "--allow-code", "--on", machines.file)
    assert done.returncode == 70, done.err
    ends = [
        {record["run"]["board"]: (record["ending"], record["exit"]) for record in results(one)} for one in (here, study)
    ]
    assert ends[0] == ends[1]
    assert all({"host", "worker", "load"} <= set(record["machine"]) for record in results(study))
    wait_for(lambda: not children(machines.mark))


def test_the_children_of_a_client_that_is_killed_end_with_its_lease(tmp_path, machines):
    study = hostile_study(tmp_path, "ignore", limits="seconds = 1000")
    client = start("study", study, "--allow-code", "--on", machines.file)
    wait_for(lambda: len(children(machines.mark)) >= 2)
    client.kill()
    client.communicate()
    wait_for(lambda: not children(machines.mark), 60 + dask.LEASE_SECONDS)
    assert results(study) == []


def test_ctrl_c_ends_the_children_at_once(tmp_path, machines):
    study = hostile_study(tmp_path, "ignore", limits="seconds = 1000")
    client = start("study", study, "--allow-code", "--on", machines.file)
    wait_for(lambda: len(children(machines.mark)) >= 2)
    client.send_signal(signal.SIGINT)
    out, err = client.communicate(timeout=60)
    assert client.returncode == 130 and "1 interrupted" in " ".join(out.split()) and "Traceback" not in err
    wait_for(lambda: not children(machines.mark), dask.LEASE_SECONDS)


def test_a_worker_with_other_versions_is_refused_with_a_sentence(tmp_path, machines, monkeypatch):
    monkeypatch.setattr(dask, "versions", lambda: {"procura": "0.0.0"})
    study, said = read_study(str(hostile_study(tmp_path, "walk")), allow_code=True), []
    with (
        Results(tmp_path / "results.jsonl") as kept,
        pytest.raises(RunnerError, match=r"no worker can be used: .*procura .*: expected 0\.0\.0, as the client has"),
    ):
        cluster = Cluster(str(machines.file), None, False, True, said.append)
        execute(study, study.runs.values(), kept, runner=cluster, watcher=Nobody())
    assert len(said) == 2 and kept.contents.records == {}


def test_a_worker_that_hangs_is_passed_over(tmp_path, mark, monkeypatch):
    monkeypatch.setattr(dask, "SILENT_SECONDS", 3.0)
    monkeypatch.setattr(dask, "RENEW_SECONDS", 0.5)
    study = read_study(str(hostile_study(tmp_path, "nap", more=["repeats = 40"])), allow_code=True)
    with Machines(tmp_path, mark, 2) as machines, Results(tmp_path / "results.jsonl") as kept:

        class Stopper(Nobody):
            ends = 0

            def ended(self, cell, record):
                self.ends += 1
                if self.ends == 5:
                    os.kill(machines.workers[0].pid, signal.SIGSTOP)

        cluster = Cluster(str(machines.file), None, False, True, lambda sentence: None)
        summary = execute(study, study.runs.values(), kept, runner=cluster, watcher=Stopper())
        assert [record["ending"] for record in summary.done] == ["solved"] * 40
    assert gone(mark, 30)


def test_a_scheduler_that_dies_ends_the_study_with_a_sentence_and_another_finishes_it(tmp_path, mark):
    study = hostile_study(tmp_path, "nap", more=["repeats = 100"])
    with Machines(tmp_path, mark, 2) as machines:
        client = start("study", study, "--allow-code", "--on", machines.file)
        path = study.with_suffix(".results.jsonl")
        wait_for(lambda: path.exists() and len(results(study)) > 3)
        machines.scheduler.kill()
        _, err = client.communicate(timeout=120)
        assert client.returncode == 70 and "scheduler" in err and "start the study again" in err
        assert "Traceback" not in err
        made = len(results(study))
    assert gone(mark, 30)
    machines.file.unlink()
    with Machines(tmp_path, mark, 1) as machines:
        assert run("study", study, "--allow-code", "--on", machines.file).returncode == 0
    assert 3 < made < 100 and len({record["key"] for record in results(study)}) == len(results(study)) == 100


def test_a_batch_comes_out_in_order_as_it_does_here(tmp_path, machines):
    boards = tmp_path / "boards.txt"
    lines = [Sliding.generate(i, size="3x3", moves=12).board_text().replace(" / ", " ") for i in range(300)]
    lines[7] = "1 2 3 rubbish"
    boards.write_text("\n".join(line.replace("\n", " ") for line in lines) + "\n")
    arguments = ("solve", "sliding", boards, "--with", "astar:manhattan", "--engine", "python", "--output", "line")
    here, there = run(*arguments), run(*arguments, "--on", machines.file)
    assert there.out == here.out and there.out.count("\n") == 300
    assert (there.returncode, there.err) == (here.returncode, here.err)


def test_a_class_of_ones_own_goes_to_a_cluster_only_if_that_is_allowed(tmp_path, machines):
    arguments = ("tune", *broken(tmp_path, "fine"), "--method", "random", "--trials", 3, "--on", machines.file)
    done = run(*arguments)
    assert done.returncode == 2 and "allow it by --allow-code" in done.err
    assert result(run(*arguments, "--allow-code"))["trials"] == 3


def test_workers_are_started_here_if_no_cluster_is_named(tmp_path, mark):
    study = hostile_study(tmp_path, "walk", "nap")
    done = run("study", study, "--allow-code", "--on", "dask", "--jobs", 2, env=marked(mark))
    assert done.returncode == 0, done.err
    assert gone(mark, 30)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_the_encryption_that_dask_is_told_to_use_is_used(tmp_path, mark):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=procura", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    prefix = "DASK_DISTRIBUTED__COMM__"
    settings = {f"{prefix}REQUIRE_ENCRYPTION": "true", f"{prefix}TLS__CA_FILE": str(certificate)}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        settings |= {f"{prefix}TLS__{role}__CERT": str(certificate), f"{prefix}TLS__{role}__KEY": str(key)}
    settings[f"{prefix}DEFAULT_SCHEME"] = "tls"
    study = hostile_study(tmp_path, "walk")
    with Machines(tmp_path, mark, 1, settings) as machines:
        address = json.loads(machines.file.read_text())["address"]
        assert address.startswith("tls://")
        place = address.replace("tls://", "dask://")
        plain = run("study", study, "--allow-code", "--on", address.replace("tls://", "tcp://"))
        assert plain.returncode == 70 and "no scheduler answers" in plain.err and "Traceback" not in plain.err
        done = run("study", study, "--allow-code", "--on", place, env={**os.environ, **settings})
        assert done.returncode == 0, done.err


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("moon", "expected local, dask, dask://HOST:PORT"),
        ("nowhere.json", "there is no such scheduler file"),
    ],
)
def test_a_place_that_is_none_is_told(tmp_path, place, sentence):
    done = run("study", hostile_study(tmp_path, "walk"), "--allow-code", "--on", place)
    assert done.returncode != 0 and sentence in done.err and "Traceback" not in done.err
