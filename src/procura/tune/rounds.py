"""Rounds of jobs: claims free slots of the journal, has them evaluated, waits for what others work at."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from procura.errors import InputError
from procura.tune.jobs import Job, Outcome
from procura.tune.journal import Book, Journal
from procura.tune.workers import Evaluator, Reply

POLL_SECONDS = 0.05


class Stopped(Exception):
    """Time is over, or somebody cancelled, in the middle of a round."""


class Watcher(Protocol):
    """Who is told how it goes."""

    def started(self, job: Job) -> None:
        """A job is being evaluated here."""

    def ended(self, job: Job, outcome: Outcome | None) -> None:
        """A job is settled, or this process gave it up."""

    def failed(self, job: Job, reason: str) -> None:
        """A worker ended in the middle of a job."""


class Rounds:
    """Drives an evaluator over the slots of a journal; other processes do the same with theirs."""

    def __init__(
        self, journal: Journal, evaluator: Evaluator, watcher: Watcher, over: Callable[[], bool],
        value: Callable[[Outcome, Job], float],
    ) -> None:  # fmt: skip
        self.journal, self.evaluator, self.watcher, self.over, self.value = journal, evaluator, watcher, over, value
        self._numbers: dict[str, int] = {}
        self.made = 0
        """Jobs that this process finished."""

    def round(self, jobs: Sequence[Job], book: Book) -> list[Outcome]:
        """The outcomes of jobs, in their order; those that the journal has are not made again.

        Raises ``Stopped`` when it is over before all are settled.
        """
        book.refresh()
        open_jobs = {job.slot: job for job in jobs}
        outcomes: dict[str, Outcome] = {}
        try:
            while True:
                for slot, job in list(open_jobs.items()):
                    outcome = book.outcome(job)
                    if outcome is not None:
                        outcomes[slot] = outcome
                        del open_jobs[slot]
                        self.watcher.ended(job, outcome)
                if not open_jobs:
                    return [outcomes[job.slot] for job in jobs]
                if self.over():
                    raise Stopped
                self._start_some(list(open_jobs.values()), book)
                for job, reply in self.evaluator.wait(POLL_SECONDS):
                    self._take(job, reply, book)
                self.journal.beat()
                book.refresh()
        finally:
            self._drop(book)

    def _start_some(self, jobs: Sequence[Job], book: Book) -> None:
        signs = self.journal.signs()
        for job in jobs:
            if not self.evaluator.is_free():
                return
            if job.slot in self._numbers or not book.is_free(job, signs):
                continue
            number = book.claim(job)
            if number is not None:
                self._numbers[job.slot] = number
                self.evaluator.start(job)
                self.watcher.started(job)

    def _take(self, job: Job, reply: Reply, book: Book) -> None:
        number = self._numbers.pop(job.slot)
        if "error" in reply:
            book.fail(number, str(reply["error"]))
            raise InputError(str(reply["error"]))
        if "unbegun" in reply:
            book.fail(number, str(reply["unbegun"]))
            return
        if "failed" in reply:
            book.fail(number, str(reply["failed"]), crash=True)
            self.watcher.failed(job, str(reply["failed"]))
            return
        scores = tuple(reply["scores"])
        outcome = Outcome(job.weights, scores, len(scores) < job.task["count"])
        value = self.value(outcome, job)
        if not math.isfinite(value):
            book.fail(number, f"its score is {value}", crash=True)
            self.watcher.failed(job, f"its score is {value}")
            return
        self.made += 1
        book.finish(number, outcome, value)

    def _drop(self, book: Book) -> None:
        """Give up what is under way here, so that whoever goes on need not wait."""
        for job in self.evaluator.drop():
            self.watcher.ended(job, None)
        for number in self._numbers.values():
            book.fail(number, "given up: the run was ended")
        self._numbers.clear()


def deadline(seconds: float | None, cancel: Callable[[], bool]) -> Callable[[], bool]:
    """Whether so many seconds from now are over, or somebody cancelled."""
    end = None if seconds is None else time.monotonic() + seconds
    return lambda: cancel() or (end is not None and time.monotonic() >= end)
