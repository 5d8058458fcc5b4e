"""What a run costs on a dask cluster, beside the same run here: seconds of processor, and runs a second.

    python benchmarks/cluster.py [--runs 100] [--workers 1,2,4] [--sleep 0.5]

Workers are processes of this machine. Short runs give the cost of a run: the processor seconds of the client, of the
scheduler and of all else (worker, fork server, child) divided by the runs. Runs that sleep give the runs a second that
a number of workers comes to, which is that number divided by the sleep if nothing else takes time.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from procura.result import Limits
from procura.runners.code import own_code
from procura.runners.dask import Cluster
from procura.runners.local import Workers
from procura.runners.runner import Runner, Task
from procura.study.store import Results

SLEEPER = '''
"""Three steps; the board says how long each sleeps."""
import time
from procura import Problem

class Sleeper(Problem):
    initial = 0
    def __init__(self, seconds):
        self.seconds = seconds
    @classmethod
    def from_text(cls, text):
        return cls(float(text))
    def actions(self, state):
        return ["go"]
    def result(self, state, action):
        time.sleep(self.seconds)
        return state + 1
    def is_goal(self, state):
        return state == 3
'''
STEPS = 6
"""Three of the search, and the same when its answer is replayed."""
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--sleep", type=float, default=0.5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sleeper.py"
        path.write_text(SLEEPER)
        idle: list[tuple[float, ...]] = []
        print("| where | workers | ms of processor a run | of it client | scheduler | runs/s, each sleeps |")
        print("| --- | --- | --- | --- | --- | --- |")
        for number in map(int, given.workers.split(",")):
            local = Workers(number, compiled=False)
            with local:
                show("here", number, local, path, given, lambda: 0.0)
            with Machines(Path(folder) / f"{number}.json", number) as machines:
                cluster = Cluster(str(machines.file), None, False, True, print)
                with cluster:
                    show("dask", number, cluster, path, given, machines.scheduler_seconds)
                    idle.append((number, *idling(cluster, machines, number)))
        for number, client, scheduler, worker in idle:
            told = f"client {client:.1f}, scheduler {scheduler:.1f}, each worker {worker:.1f}"
            print(f"\nidle, ms of processor a second, {number} workers: {told}")
        print(f"\nappending a result to the results file: {append_seconds(Path(folder)) * 1e3:.2f} ms")


def show(where: str, number: int, runner: Runner, path: Path, given: argparse.Namespace, scheduler) -> None:
    """A row of the table."""
    make(runner, path, 2 * number, 0.0, number)  # everything is started
    before, before_scheduler = all_seconds(), scheduler()
    own = own_seconds()
    make(runner, path, given.runs, 0.0, number)
    spent, spent_scheduler, spent_own = all_seconds() - before, scheduler() - before_scheduler, own_seconds() - own
    count = 8 * number
    seconds = make(runner, path, count, given.sleep / STEPS, number)
    told = [1e3 * one / given.runs for one in (spent, spent_own, spent_scheduler)]
    print(
        f"| {where} | {number} | {told[0]:.1f} | {told[1]:.1f} | {told[2]:.1f} | {count / seconds:.2f} of "
        f"{number / given.sleep:.2f} |",
        flush=True,
    )


def make(runner: Runner, path: Path, count: int, seconds: float, most: int) -> float:
    """Make so many runs; how long that took."""
    request = {
        "work": "procura.study.work:run", "puzzle": f"{path}:Sleeper", "code": own_code(path), "board": str(seconds),
        "options": {}, "configuration": "bfs", "engine": "python", "seed": None, "limits": {},
    }  # fmt: skip
    while not runner.is_free():
        runner.wait(0.1)
    began, left, under_way = time.perf_counter(), count, 0
    while left or under_way:
        while left and under_way < most and runner.is_free():
            runner.start(Task(request, Limits(), own=path))
            left, under_way = left - 1, under_way + 1
        under_way -= len(runner.wait(0.1))
    return time.perf_counter() - began


def idling(runner: Runner, machines: Machines, number: int, seconds: float = 20.0) -> tuple[float, float, float]:
    """What leases and heartbeats cost, in ms of processor a second."""
    pids = [process.pid for process in machines.processes]
    before = [own_seconds(), *map(process_seconds, pids)]
    began = time.perf_counter()
    while time.perf_counter() < began + seconds:
        runner.wait(1.0)
    after = [own_seconds(), *map(process_seconds, pids)]
    client, scheduler, *workers = (1e3 * (b - a) / seconds for a, b in zip(before, after, strict=True))
    return client, scheduler, sum(workers) / number


class Machines:
    """A scheduler and workers."""

    def __init__(self, file: Path, count: int) -> None:
        self.file, self.count = file, count

    def __enter__(self) -> Machines:
        self.processes = [self._start("dask_scheduler", "--port", "0", "--no-show")]
        while not self.file.exists():
            time.sleep(0.05)
        self.processes += [self._start("dask_worker", "--no-nanny", "--nthreads", "1") for _ in range(self.count)]
        return self

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        name, *more = words
        command = [sys.executable, "-m", f"distributed.cli.{name}", *more, "--host", "127.0.0.1", "--no-dashboard"]
        command += ["--scheduler-file", str(self.file)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __exit__(self, *exception: object) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def scheduler_seconds(self) -> float:
        """What the scheduler has used of the processor."""
        return process_seconds(self.processes[0].pid)


def process_seconds(pid: int) -> float:
    """Processor seconds of a process and of those below it that it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def own_seconds() -> float:
    """Processor seconds of this process, its children not counted."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def all_seconds() -> float:
    """Processor seconds of all processes below this one, and of itself."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    below, found = {os.getpid()}, 0
    while len(below) != found:
        found = len(below)
        below |= {pid for pid, parent in parents.items() if parent in below}
    return sum(map(process_seconds, below))


def append_seconds(folder: Path, count: int = 200) -> float:
    """What it takes to keep a result, the disk included."""
    run = {"puzzle": "p", "board": "b", "options": {}, "engine": "python", "repeat": 1, "searches": []}
    names = {"problem": "p", "group": "g", "configuration": "c", "ending": "solved", "run": run}
    with Results(folder / "results.jsonl") as results:
        began = time.perf_counter()
        for number in range(count):
            results.append({"schema": 1, "key": str(number), **names, "actions": ["go"] * 100})
        return (time.perf_counter() - began) / count


if __name__ == "__main__":
    main()
