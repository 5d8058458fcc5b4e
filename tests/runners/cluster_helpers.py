"""A dask cluster on this machine: a scheduler and workers as processes of their own that stand for machines."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress

from processes import marked

SCHEDULER = ("distributed.cli.dask_scheduler", "--no-dashboard", "--no-show", "--host", "127.0.0.1", "--port", "0")
WORKER = ("distributed.cli.dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1")


class Machines:
    """The processes of a cluster, found by the scheduler's file; leaving the context kills them."""

    def __init__(self, folder, mark, workers, settings=None):
        self.file, self.mark, self.count = folder / "scheduler.json", mark, workers
        self.settings = settings or {}
        """Of dask, as variables of the environment."""
        self.log = open(folder / "cluster.log", "wb")  # noqa: SIM115
        self.workers = []

    def __enter__(self):
        self.scheduler = self._start(*SCHEDULER)
        for _ in range(self.count):
            self.add()
        return self

    def __exit__(self, *exception):
        for process in (self.scheduler, *self.workers):
            with suppress(OSError):
                process.kill()
            process.wait()
        self.log.close()

    def _start(self, *words):
        command = [sys.executable, "-m", *words, "--scheduler-file", str(self.file)]
        return subprocess.Popen(command, env={**marked(self.mark), **self.settings}, stdout=self.log, stderr=self.log)

    def add(self):
        """One worker more; it waits for the scheduler if that is not there yet."""
        while not self.file.exists():
            assert self.scheduler.poll() is None, "the scheduler does not start"
            time.sleep(0.05)
        self.workers.append(self._start(*WORKER))
        return self.workers[-1]
