"""Who evaluates: worker processes that are replaced when they crash, or this process itself."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol, Self

from procura.errors import InputError, ProcuraError
from procura.tune.jobs import Job, Objective

MOST_FALSE_STARTS = 3
"""Workers that may end one after the other before they are ready."""


class WorkerError(ProcuraError):
    """Workers cannot be started."""


class Reply(dict[str, Any]):
    """What came of a job: ``scores``, ``error`` (a sentence), ``failed`` (why its worker ended), or ``unbegun`` (why
    its worker ended before it was ready, which is no fault of the job)."""


class Crew(Protocol):
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


class _Worker:
    """A worker process, seen from here."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.channel, theirs = socket.socketpair()
        self.output = tempfile.TemporaryFile()  # noqa: SIM115
        command = [sys.executable, "-P", "-m", "procura.tune.worker", str(theirs.fileno()), str(os.getpid())]
        self.process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output,
        )  # fmt: skip
        theirs.close()
        self.job: Job | None = None
        self.ready = False
        self._text = b""
        self.tell(spec)

    def fileno(self) -> int:
        """Of its channel, for ``select``."""
        return self.channel.fileno()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send it a line; if it is dead, its end will be heard."""
        with suppress(OSError):
            self.channel.sendall(json.dumps(message).encode() + b"\n")

    def hear(self) -> list[dict[str, Any]] | None:
        """What it has said; None if it has ended."""
        try:
            text = self.channel.recv(1 << 20)
        except OSError:
            text = b""
        if not text:
            return None
        self._text += text
        *lines, self._text = self._text.split(b"\n")
        return [json.loads(line) for line in lines]

    def end(self) -> str:
        """Kill it with all that it started; how it had ended, in words."""
        try:
            status: int | None = self.process.wait(0.5 if self.process.poll() is None and not self.job else 0.05)
        except subprocess.TimeoutExpired:
            status = None
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.channel.close()
        words = "killed by us" if status is None else _words(status)
        self.output.seek(0)
        last = self.output.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        self.output.close()
        return f"{words}: {last[0]}" if last else words


def _words(status: int) -> str:
    if status < 0:
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process was ended by signal {-status}"
    return f"its process ended with status {status}"


class Workers:
    """So many worker processes; leaving the context kills them."""

    def __init__(self, objective: Objective, jobs: int) -> None:
        if os.name != "posix":
            raise InputError("tuning in worker processes needs process groups, which this system does not have")
        self.spec, self.jobs = objective.spec(), jobs
        self._workers: list[_Worker] = []
        self._false_starts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        while self._workers:
            self._kill(self._workers.pop())

    def is_free(self) -> bool:
        return len(self._workers) < self.jobs or any(worker.job is None for worker in self._workers)

    def start(self, job: Job) -> None:
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            worker = _Worker(self.spec)
            self._workers.append(worker)
        worker.job = job
        worker.tell({"weights": job.weights, "task": job.task})

    def wait(self, seconds: float) -> list[tuple[Job, Reply]]:
        if not self._workers:
            time.sleep(seconds)
            return []
        heard, _, _ = select.select(self._workers, [], [], seconds)
        done = []
        for worker in heard:
            messages = worker.hear()
            if messages is None:
                done += self._ended(worker)
                continue
            for message in messages:
                if "ready" in message:
                    worker.ready, self._false_starts = True, 0
                elif "error" in message and not worker.ready:
                    raise WorkerError(message["error"])
                elif worker.job is not None:
                    done.append((worker.job, Reply(message)))
                    worker.job = None
        return done

    def _ended(self, worker: _Worker) -> list[tuple[Job, Reply]]:
        self._workers.remove(worker)
        job = worker.job
        words = worker.end()
        if not worker.ready:
            self._false_starts += 1
            if self._false_starts == MOST_FALSE_STARTS:
                raise WorkerError(f"workers do not start: {words}")
        return [] if job is None else [(job, Reply(failed=words) if worker.ready else Reply(unbegun=words))]

    def drop(self) -> list[Job]:
        """Kill the workers that are at work."""
        busy = [worker for worker in self._workers if worker.job is not None]
        for worker in busy:
            self._workers.remove(worker)
            self._kill(worker)
        return [worker.job for worker in busy if worker.job is not None]

    def _kill(self, worker: _Worker) -> None:
        with suppress(OSError):
            os.killpg(worker.process.pid, signal.SIGKILL)
        worker.end()
