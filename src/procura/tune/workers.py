"""Who evaluates: processes of a runner that are replaced when they crash, or this process itself."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Protocol, Self

from procura.errors import InputError
from procura.result import Limits
from procura.runners.endings import Ending
from procura.runners.runner import Ended, Runner, RunnerError, Setup, Task
from procura.tune.jobs import Job, Objective

MOST_FALSE_STARTS = 3
"""Processes that may end one after the other before they are ready."""
SLACK_SECONDS = 10.0
"""What a job may take beside its searches, if these have a time limit."""


class Reply(dict[str, Any]):
    """What came of a job: ``scores``, ``error`` (a sentence), ``failed`` (why its worker ended), or ``unbegun`` (why
    its worker ended before it was ready, which is no fault of the job)."""


class Evaluator(Protocol):
    """Evaluates jobs, some at once."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

    def is_free(self) -> bool:
        """Whether one more job can be started."""

    def start(self, job: Job) -> None:
        """Have a job evaluated."""

    def wait(self, seconds: float) -> list[tuple[Job, Reply]]:
        """The jobs that are done within so many seconds, with what came of them."""

    def drop(self) -> list[Job]:
        """Give up what is under way; what that was."""


class Inline:
    """Evaluates in this process, one job after the other."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._job: Job | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def is_free(self) -> bool:
        return self._job is None

    def start(self, job: Job) -> None:
        self._job = job

    def wait(self, seconds: float) -> list[tuple[Job, Reply]]:
        if self._job is None:
            time.sleep(seconds)
            return []
        job, self._job = self._job, None
        return [(job, Reply(scores=self.objective.evaluate(job.weights, job.task)))]

    def drop(self) -> list[Job]:
        dropped, self._job = self._job, None
        return [] if dropped is None else [dropped]


class Evaluations:
    """Has jobs evaluated by a runner, in processes each of which makes the objective once."""

    def __init__(self, objective: Objective, runner: Runner) -> None:
        self.runner, self.limits = runner, objective.limits
        hard = {name: value for name, value in (("memory", self.limits.memory),) if value is not None}
        self.setup = Setup(
            {"work": "procura.tune.work:serve", "objective": objective.spec(), "code": objective.code, "limits": hard}
        )
        self.own = None if objective.code is None else Path(objective.spec()["puzzle"].rpartition(":")[0])
        self._false_starts = 0

    def __enter__(self) -> Self:
        self.runner.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.runner.__exit__(*exception)

    def is_free(self) -> bool:
        return self.runner.is_free()

    def start(self, job: Job) -> None:
        seconds = self.limits.seconds
        most = None if seconds is None else seconds * job.task["count"] + SLACK_SECONDS
        limits = Limits(seconds=most, memory=self.limits.memory)
        self.runner.start(
            Task({"weights": job.weights, "task": job.task}, limits, job, self.setup, self.setup.key, self.own)
        )

    def wait(self, seconds: float) -> list[tuple[Job, Reply]]:
        return [(task.tag, self._reply(ended)) for task, ended in self.runner.wait(seconds)]

    def _reply(self, ended: Ended) -> Reply:
        if ended.result is not None:
            self._false_starts = 0
            return Reply(ended.result)
        if ended.ending is Ending.CODE_CHANGED:
            raise InputError(ended.last_lines[-1])
        if ended.wall_seconds is not None:
            self._false_starts = 0
            return Reply(failed=ended.words)
        self._false_starts += 1
        if self._false_starts == MOST_FALSE_STARTS:
            raise RunnerError(f"processes do not start: {ended.words}")
        return Reply(unbegun=ended.words)

    def drop(self) -> list[Job]:
        return [task.tag for task in self.runner.drop()]
