"""Child processes of this machine, so many at once, under hard limits."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from procura.runners.endings import Ending
from procura.runners.processes import Child, ForkServerError, Processes, StartError
from procura.runners.runner import Ended, Task, machine

MOST_FRUITLESS = 3
"""Fork servers that may be lost one after the other without a single task."""
PATIENCE = 60.0
"""Seconds for which the system may refuse to start a single process."""
PAUSE = 0.25
"""Seconds until it is asked again."""
QUICK_SECONDS = 0.5
"""What takes a child no longer to load, the fork server may load; it does nothing else meanwhile."""


@dataclass(frozen=True)
class _Job:
    """What a child works at, since when, and how busy the machine was then."""

    task: Task
    started: str
    machine: dict[str, Any]


class Workers:
    """A runner of this machine. A fork server that is lost is replaced."""

    def __init__(self, jobs: int, compiled: bool) -> None:
        self.jobs, self.compiled = jobs, compiled
        self.processes: Processes | None = None
        self._waiting: deque[Task] = deque()
        self._lost: list[tuple[Task, Ended]] = []
        """Tasks that ended with their fork server and have not been handed back."""
        self._quick: dict[str, Task] = {}
        """For what can be loaded ahead, a task whose child loaded it quickly and ended well."""
        self._loaded: set[str] = set()
        """What the fork server was asked to load."""
        self._loads = True
        """Whether no fork server was lost; if one was, the next ones load nothing, lest that be why."""
        self._fruitless = 0
        self._next_start = 0.0
        self._stuck_since: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._waiting.clear()
        self.close()

    def close(self) -> None:
        """End all processes; they are started anew when they are needed."""
        if self.processes is not None:
            self.processes.__exit__()
            self.processes = None
            self._loaded.clear()

    def wake(self) -> None:
        """Have ``wait`` return soon; any thread may call it."""
        processes = self.processes
        if processes is not None:
            processes.wake()

    def _children(self) -> list[Child]:
        return [] if self.processes is None else list(self.processes.children.values())

    def _busy(self) -> list[Child]:
        return [child for child in self._children() if child.tag is not None]

    def is_free(self) -> bool:
        return len(self._waiting) + len(self._busy()) < self.jobs

    def start(self, task: Task) -> None:
        self._waiting.append(task)
        self._start_waiting()

    def _start_waiting(self) -> None:
        while self._waiting and time.monotonic() >= self._next_start and self._start(self._waiting[0]):
            self._waiting.popleft()

    def _start(self, task: Task) -> bool:
        """Begin a task, if the system can; else fewer run at once for a while."""
        job = _Job(task, _now(), {**machine(), "jobs": self.jobs})
        try:
            if self.processes is None:
                work: str = (task.setup or task).request["work"]
                self.processes = Processes(self.compiled, work.partition(":")[0]).__enter__()
            if task.setup is None:
                self._load_ahead(self.processes, task)
                self.processes.start(task.request, task.limits, job)
            else:
                self._serve(self.processes, task, job)
        except StartError:
            now = time.monotonic()
            self._next_start = now + PAUSE
            if self._busy():
                self._stuck_since = None
            elif self._stuck_since is None:
                self._stuck_since = now
            elif now - self._stuck_since > PATIENCE:
                raise
            return False
        except ForkServerError as error:
            self._replace(error)
            return False
        self._stuck_since = None
        return True

    def _load_ahead(self, processes: Processes, task: Task) -> None:
        """Have the fork server load what a task needs, once a child has loaded the same quickly and ended well."""
        what = task.request.get("ahead", {}).get("for")
        if self._loads and what in self._quick and what not in self._loaded:
            self._loaded.add(what)
            processes.load(self._quick[what].request)

    def _note_quick(self, child: Child) -> None:
        """Note a task whose child shows what can be loaded ahead."""
        task: Task = child.tag.task
        quick = child.ready is not None and child.ready - child.started <= QUICK_SECONDS
        if "ahead" in task.request and quick and child.result is not None and child.status == 0:
            self._quick.setdefault(task.request["ahead"]["for"], task)

    def _serve(self, processes: Processes, task: Task, job: _Job) -> None:
        """Give a task to a child that was set up for such; there is one more if all are busy."""
        assert task.setup is not None
        living = [child for child in processes.children.values() if not child.dying and child.status is None]
        idle = [child for child in living if child.tag is None]
        child = next((child for child in idle if child.setup == task.setup.key), None)
        if child is None:
            if len(living) >= self.jobs and idle:
                processes.kill(idle[0], signal.SIGKILL)
            child = processes.start(task.setup.request, task.limits, job)
            child.setup = task.setup.key
        child.serve(task.request, task.limits, job)

    def wait(self, seconds: float) -> list[tuple[Task, Ended]]:
        end = time.monotonic() + seconds
        while True:
            self._start_waiting()
            done = self._wait()
            if done or time.monotonic() >= end:
                return done

    def _wait(self) -> list[tuple[Task, Ended]]:
        """What has ended after a little while."""
        if self.processes is None:
            if not self._lost:
                time.sleep(PAUSE if self._waiting else 0.02)
            done, self._lost = self._lost, []
            return done
        try:
            ended = self.processes.wait()
        except ForkServerError as error:
            self._replace(error)
            return self._wait()
        done, self._lost = self._lost, []
        for child in ended:
            if child.tag is not None:
                self._note_quick(child)
                done.append(_ended(child))
            child.close()
        for child in self._busy():
            if child.setup is not None and child.result is not None:
                done.append(_ended(child))
                child.rest()
                if child.dying:  # asked to end, it answered
                    self.processes.kill(child, signal.SIGKILL)
        if done:
            self._fruitless = 0
        return done

    def _replace(self, error: ForkServerError) -> None:
        """The fork server was killed, and its children with it; those that had sent their result have it."""
        lost = []
        for child in self._children():
            child.hear()
            if child.status is None:
                child.killed, child.status = child.killed or Ending.KILLED_OUTSIDE, signal.SIGKILL
            if child.tag is not None:
                lost.append(_ended(child, str(error)))
        self._lost += lost
        self._loads = False
        self.close()
        self._fruitless = 0 if lost else self._fruitless + 1
        if self._fruitless == MOST_FRUITLESS:
            raise error

    def drop(self) -> list[Task]:
        busy = self._busy()
        dropped = [*self._waiting, *(child.tag.task for child in busy), *(task for task, _ in self._lost)]
        self._waiting.clear()
        self._lost.clear()
        for child in busy:
            child.tag = None
            if self.processes is not None:
                self.processes.kill(child, signal.SIGKILL)
        return dropped

    def cancel(self, task: Task) -> None:
        """Give up one task."""
        if task in self._waiting:
            self._waiting.remove(task)
        self._lost = [(lost, ended) for lost, ended in self._lost if lost is not task]
        for child in self._busy():
            if child.tag.task is task and self.processes is not None:
                child.tag = None
                self.processes.kill(child, signal.SIGKILL)

    def warm(self, tasks: Sequence[Task], told: Callable[[int, int], None], cancel: Callable[[], bool]) -> None:
        """Each task says how far it is; its tag is the number of its steps."""
        waiting, total, ended = deque(tasks), sum(task.tag for task in tasks), 0
        while (waiting or self._waiting or self._busy() or self._lost) and not cancel():
            while waiting and self.is_free():
                self.start(waiting.popleft())
            ended += sum(task.tag for task, _ in self.wait(0.0))
            told(ended + sum(child.steps for child in self._busy()), total)

    def words(self) -> str:
        return ""


def _ended(child: Child, *more: str) -> tuple[Task, Ended]:
    """What came of the task of a child."""
    end = child.ended or time.monotonic()
    job: _Job = child.tag
    return job.task, Ended(
        result=child.result,
        ending=child.ending,
        exit=child.exit,
        last_lines=[] if child.result is not None else [*child.last_lines(), *more],
        load_seconds=(child.ready or end) - child.started,
        wall_seconds=None if child.ready is None else end - child.ready,
        cpu_seconds=child.cpu_seconds,
        peak_memory=child.peak,
        started=job.started,
        ended=_now(),
        machine=job.machine,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
