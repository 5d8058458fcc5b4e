"""The books of a cluster's runner, without dask: whatever workers do, each task ends once and none is forgotten."""

from __future__ import annotations

import queue
import threading
import time

import pytest
from hypothesis import given, settings, strategies as st

from procura.errors import InputError
from procura.result import Limits
from procura.runners.code import own_code, own_files
from procura.runners.dask import MOST_LOST, Cluster
from procura.runners.endings import Ending
from procura.runners.local import Workers
from procura.runners.remote import Keeper, Lease, _moved, _refusal, _unpacked
from procura.runners.runner import RunnerError, Setup, Task, versions

ENDED = {
    "result": {"made": True}, "ending": None, "exit": "", "last_lines": [], "load_seconds": 0.0, "wall_seconds": 0.0,
    "cpu_seconds": 0.0, "peak_memory": 0, "started": "", "ended": "", "machine": {},
}  # fmt: skip


class Link:
    """Notes what is submitted, and brings what a test says."""

    def __init__(self):
        self.events, self.submitted, self.forgotten = queue.SimpleQueue(), {}, []

    def submit(self, name, worker, payload):
        self.submitted[name] = worker

    def forget(self, names, worker):
        self.forgotten += names


def cluster(said=None, allow_code=False, jobs=None):
    made = Cluster("dask://nowhere", jobs, False, allow_code, (said if said is not None else []).append)
    made._link = Link()
    return made


def tell(made, *event):
    made._link.events.put(event)
    return made.wait(0.0)


def under_way(made):
    return {name: attempt.worker for name, attempt in made._attempts.items()}


@settings(max_examples=200)
@given(st.data())
def test_every_task_ends_once_whatever_the_workers_do(data):
    made = cluster()
    tasks = [Task({"number": number}, Limits(), number) for number in range(data.draw(st.integers(1, 12)))]
    left, ended, past, most = list(tasks), [], [], {}
    for _ in range(data.draw(st.integers(0, 60))):
        while left and made.is_free():
            made.start(left.pop())
        past += under_way(made)
        choice = data.draw(st.sampled_from(["workers", "answer", "lost", "failed", "silent", "answers", "late"]))
        names, workers = list(under_way(made)), list(made._workers)
        if choice == "workers":
            event = ("workers", None, data.draw(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3))))
            most |= {address: max(slots, most.get(address, 0)) for address, slots in event[2].items()}
        elif choice in ("silent", "answers") and workers:
            event = (choice, data.draw(st.sampled_from(workers)), None)
        elif choice == "late" and past:
            event = ("answer", data.draw(st.sampled_from(past)), {"ended": ENDED})
        elif choice in ("answer", "lost", "failed") and names:
            answer = {"answer": {"ended": ENDED}, "lost": {"lost": "why"}, "failed": OSError("no")}[choice]
            event = ("failed" if choice == "failed" else "answer", data.draw(st.sampled_from(names)), answer)
        else:
            continue
        ended += tell(made, *event)
        for address, worker in made._workers.items():
            at = sum(where == address for where in under_way(made).values())
            assert worker.busy == at
            assert at <= most[address], "its slots, or those it had when they were taken"
    ended += tell(made, "workers", None, {"z": 100})
    for address in list(made._workers):
        ended += tell(made, "answers", address, None)
    while left or made._attempts:
        while left and made.is_free():
            made.start(left.pop())
        for name in under_way(made):
            ended += tell(made, "answer", name, {"ended": ENDED})
    assert sorted(task.tag for task, _ in ended) == list(range(len(tasks)))


def test_a_task_lost_time_and_again_has_ended_with_that():
    made = cluster()
    tell(made, "workers", None, {"a": 1})
    task = Task({}, Limits())
    made.start(task)
    done = []
    for _ in range(MOST_LOST):
        (name,) = under_way(made)
        done += tell(made, "answer", name, {"lost": "the machine went down"})
    ((same, ended),) = done
    assert same is task and ended.ending is Ending.KILLED_OUTSIDE and "the machine went down" in ended.last_lines
    assert not made._attempts and made.is_free()


def test_a_worker_that_is_refused_gets_nothing_more_and_the_others_go_on():
    said = []
    made = cluster(said)
    tell(made, "workers", None, {"a": 1, "b": 1})
    made.start(Task({}, Limits()))
    ((name, worker),) = under_way(made).items()
    tell(made, "answer", name, {"refused": "it is too old"})
    ((name, other),) = under_way(made).items()
    assert {worker, other} == {"a", "b"} and said == [f"worker {worker} is not used: it is too old"]
    with pytest.raises(RunnerError, match=r"no worker can be used: .*No module named 'procura'"):
        tell(made, "failed", name, ModuleNotFoundError("No module named 'procura'"))


def test_tasks_that_are_dropped_are_given_up_on_their_workers():
    made = cluster()
    tell(made, "workers", None, {"a": 2})
    tasks = [Task({}, Limits(), number) for number in range(3)]
    for task in tasks:
        made.start(task)
    names = set(under_way(made))
    assert sorted(task.tag for task in made.drop()) == [0, 1, 2]
    assert set(made._link.forgotten) == names and not made._attempts and made.is_free()


def test_no_more_are_made_at_once_than_are_asked_for():
    made = cluster(jobs=2)
    tell(made, "workers", None, {"a": 8})
    for _ in range(2):
        assert made.is_free()
        made.start(Task({}, Limits()))
    assert not made.is_free()


def test_a_scheduler_that_is_gone_is_told():
    with pytest.raises(RunnerError, match="the scheduler at dask://nowhere is gone: no route"):
        tell(cluster(), "gone", None, "no route")


def test_code_of_ones_own_is_not_sent_unless_allowed(tmp_path):
    with pytest.raises(InputError, match="allow it by --allow-code"):
        cluster().start(Task({}, Limits(), own=tmp_path / "own.py"))


def test_code_is_unpacked_with_all_that_it_imports(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text("import beside\nfrom parts import one\n")
    (tmp_path / "beside.py").write_text("number = 1\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.py").write_text("")
    (tmp_path / "stranger.py").write_text("")
    files, code = own_files(tmp_path / "own.py"), own_code(tmp_path / "own.py")
    assert list(files) == ["own.py", "beside.py", "parts/one.py"]
    place = _unpacked(files, code)
    assert own_code(place) == code and place.parent != tmp_path and not (place.parent / "stranger.py").exists()
    (place.parent / "beside.py").write_text("number = 2\n")
    assert own_code(_unpacked(files, code)) == code, "what was changed is put right"
    assert _moved({"objective": {"puzzle": "/a/own.py:Own"}, "x": 1}, "/b/own.py") == {
        "objective": {"puzzle": "/b/own.py:Own"}, "x": 1,
    }  # fmt: skip


def test_a_lease_ends_by_itself_or_when_told():
    lease = Lease()
    assert not lease.holds("a") and not lease.any_holds()
    lease.renew("a", 1000.0)
    lease.renew("b", -1.0)
    assert lease.holds("a") and not lease.holds("b") and lease.any_holds()
    lease.end("a")
    assert not lease.any_holds()


@pytest.mark.parametrize("name", list(versions()))
def test_each_version_counts(name):
    assert _refusal(versions()) is None
    assert "as the client has" in _refusal({**versions(), name: "another"})


def test_a_version_that_is_not_there_is_told_in_plain_words():
    assert _refusal({"numbb": "1.0"}) == "it has no numbb: expected 1.0, as the client has"
    assert _refusal({"procura": None}).endswith(": expected none, as the client has")


def test_threads_of_a_worker_leave_each_others_code_alone(tmp_path):
    (tmp_path / "own.py").write_text("number = 3\n")
    files, code = own_files(tmp_path / "own.py"), own_code(tmp_path / "own.py")
    found = []
    threads = [threading.Thread(target=lambda: found.append(own_code(_unpacked(files, code)))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [code] * 16


def test_a_keeper_that_has_ended_begins_nothing():
    keeper = Keeper(False, lambda: True)
    assert keeper.make("first", "client", Task({}, Limits())).result(10) is None
    assert keeper.make("second", "client", Task({}, Limits())).result(10) is None


@pytest.mark.parametrize("give_up", [lambda workers, task: workers.cancel(task), lambda workers, task: workers.drop()])
def test_a_child_that_is_being_killed_gets_no_task(give_up, tmp_path, monkeypatch):
    (tmp_path / "sleeper.py").write_text(
        "import time\n\n\ndef serve(request, line):\n    line.send({'ready': True})\n"
        "    for task in line.requests():\n        time.sleep(task['seconds'])\n        line.send({'result': {}})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    setup = Setup({"work": "sleeper:serve"})
    long, short = (Task({"seconds": seconds}, Limits(), seconds, setup) for seconds in (1000, 0))
    with Workers(2, False) as workers:
        workers.start(long)
        end = time.monotonic() + 60
        while not any(child.ready for child in workers._busy()) and time.monotonic() < end:
            workers.wait(0.0)
        give_up(workers, long)
        workers.start(short)
        ((task, ended),) = workers.wait(60)
    assert task is short and ended.result == {}
