"""A portfolio: several configurations search one problem at once, each on a thread, and the first proof wins.

``solve(problem, ["idastar:manhattan", "astar:manhattan"], jobs=2)``, or ``"idastar:manhattan | astar:manhattan"``.

- A result settles the problem if it proves its solution optimal, or that there is none; where any solution will do,
  any solution settles it. The first such result is returned and the others are cancelled.
- If none settles it, the solution of least cost is returned, with the best bound that any of them proved; without a
  solution, the result whose bound is highest.
- ``jobs`` is how many run at one time, by default as many as the machine has cores; the others wait.
- Limits: ``seconds`` bounds the portfolio, whose later configurations get what is left; ``nodes`` and ``depth`` bound
  each configuration; ``memory`` is that of the process, and ends whichever configuration meets it.
- The result is the winner's: its algorithm, options and figures. Its ``notes`` name the others.
- The threads share the problem. A ``Problem`` that changes itself while it is searched must see to that.
- ``on_event`` is told by all of them, by one at a time, on their threads.
- A configuration whose problem or kernels cannot be used with it is out; if all are, the first error is raised.
"""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from procura.control import Control, Event, interruptible
from procura.debug import debugging
from procura.errors import InputError, KernelError
from procura.result import Limits, Outcome, Result

Start = Callable[[Control], Result]
"""Makes one run under a control."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_jobs(jobs: Any) -> int:
    """How many threads are meant; None, 0 and ``"all"`` are one for each core."""
    if jobs is None or jobs == "all" or (jobs == 0 and not isinstance(jobs, bool)):
        return cores()
    if isinstance(jobs, str) and jobs.isdecimal():
        return read_jobs(int(jobs))
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= 1024:
        raise InputError(f"jobs={jobs!r}: expected a whole number from 1 to 1024, or all")
    return jobs


def race(
    runs: Sequence[Start],
    names: Sequence[str],
    jobs: Any,
    limits: Limits | None,
    on_event: Callable[[Event], None] | None,
    events: Collection[str] | None,
    cancel: Callable[[], bool] | threading.Event | None,
) -> Result:
    """Make all runs until one settles the problem; ``names`` are what their configurations are called."""
    threads = min(read_jobs(jobs), len(runs))
    together = _Race(runs, threads, Control(limits, on_event, events, cancel, debugging()))
    with interruptible(together.control):
        try:
            for _ in range(threads):
                run = contextvars.copy_context().run
                threading.Thread(target=run, args=(together.work,), daemon=True).start()
            together.wait()
        finally:
            together.over.set()
    return together.result(names)


class _Race:
    """What the threads of a portfolio share.

    A thread that is compiling when the race is over ends by itself; one inside a kernel that never returns does not
    keep the program from ending.
    """

    def __init__(self, runs: Sequence[Start], threads: int, control: Control) -> None:
        self.runs, self.threads, self.control = runs, threads, control
        self.over = threading.Event()
        self.results: list[Result | None] = [None] * len(runs)
        self.errors: list[Exception | None] = [None] * len(runs)
        self.settled: int | None = None
        self._lock = threading.Condition()
        self._taken = self._ended = 0
        self._telling = threading.Lock()
        self._asked = control.asked_to_end

    def wait(self) -> None:
        """Until the problem is settled or every run has ended."""
        with self._lock:
            while self.settled is None and self._ended < len(self.runs):
                self._lock.wait()

    def work(self) -> None:
        """Make one run after the other as long as any is left."""
        while True:
            with self._lock:
                number = self._taken
                if number >= len(self.runs) or self.over.is_set():
                    return
                self._taken += 1
            result: Result | None = None
            error: Exception | None = None
            try:
                result = self._run(number)
            except Exception as raised:
                error = raised
            with self._lock:
                self.results[number], self.errors[number] = result, error
                self._ended += 1
                if self.settled is None and result is not None and settles(result):
                    self.settled = number
                    self.over.set()
                self._lock.notify_all()

    def _run(self, number: int) -> Result:
        main, limits = self.control, self.control.limits
        if limits.seconds is not None and number >= self.threads:
            limits = replace(limits, seconds=max(limits.seconds - main.seconds, 0))
        on_event = None if main.on_event is None else self._tell
        return self.runs[number](Control(limits, on_event, main.kinds, self._cancelled, main.debug))

    def _cancelled(self) -> bool:
        return self.over.is_set() or self._asked()

    def _tell(self, event: Event) -> None:
        with self._telling:
            if not self.over.is_set() and self.control.on_event is not None:
                self.control.on_event(event)

    def result(self, names: Sequence[str]) -> Result:
        """The winner's result, which says who the others were."""
        ended = [number for number, result in enumerate(self.results) if result is not None]
        for error in self.errors:
            if error is not None and not (ended and isinstance(error, InputError | KernelError)):
                raise error
        number = self.settled if self.settled is not None else self._best(ended)
        winner = self.results[number]
        assert winner is not None
        if self.settled is None:
            winner = self._with_best_bound(winner, ended)
        others = ", ".join(name for i, name in enumerate(names) if i != number)
        how = (
            "did best, and is proved by a bound of"
            if winner.optimal
            else "did best, though it settled nothing, of it and"
        )
        how = "settled it before" if self.settled is not None else how
        note = f"portfolio: {names[number]} {how} {others}"
        return replace(winner, notes=(*winner.notes, note))

    def _best(self, ended: list[int]) -> int:
        """The run with the cheapest solution; without one the run with the highest bound; the first of equals."""

        def merit(number: int) -> tuple[bool, Any]:
            result = self.results[number]
            assert result is not None
            if result.solved:
                return True, -result.cost if result.cost is not None else 0
            return False, result.bound if result.bound is not None else float("-inf")

        return max(ended, key=merit)

    def _with_best_bound(self, winner: Result, ended: list[int]) -> Result:
        """The winner with what the others proved of the same problem."""
        if winner.problem.any_solution_will_do or (winner.optimal is None and winner.solved):
            return winner
        results = [result for number in ended if (result := self.results[number]) is not None]
        bounds = [r.bound for r in results if r.problem is winner.problem and r.bound is not None]
        if not bounds:
            return winner
        bound = max(bounds)
        if not winner.solved:
            return replace(winner, bound=bound)
        if winner.cost is None or bound > winner.cost:
            return winner
        optimal = bound >= winner.cost
        return replace(winner, bound=bound, optimal=optimal, unproved=None if optimal else winner.unproved)


def settles(result: Result) -> bool:
    """Whether nothing is left to be found out."""
    if result.outcome is Outcome.NO_SOLUTION:
        return True
    return result.solved and (bool(result.optimal) or result.problem.any_solution_will_do)
