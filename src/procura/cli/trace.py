"""``--trace``: the events of runs as JSON lines, written as they happen.

Each line has ``problem``, the problem's number from 1, and ``event``: ``start``, a kind of ``procura.control.Event``
with the fields it fills, or ``end`` with the record of the run. States are text, actions in their JSON form.
"""

from __future__ import annotations

import json
from typing import Any

from procura.cli.files import Output, emptied, open_for_writing
from procura.cli.running import Run, Subscriber
from procura.cli.settings import Settings
from procura.control import Event
from procura.problem import Problem
from procura.record import plain, record
from procura.texts import Task

_COUNTS = ("expanded", "generated", "frontier", "seconds")
_FIELDS = ("node", "parent", "action", "state", "g", "h", "depth", "value", "figures")
_LOCAL = ("improve", "round")


class Trace(Output):
    """An observer that writes every event; a context that closes the file."""

    def __init__(self, path: str, puzzle: str) -> None:
        super().__init__(path, "--trace")
        self.puzzle = puzzle
        self._file = open_for_writing(path, self.option)
        self._number = 0

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close(self._file.close)

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> Subscriber:
        """Write what is run, and follow it."""
        if self._number == 0:
            emptied(self._file)
        self._number = number
        initial = problem.to_text(problem.initial)
        configuration = " | ".join(map(str, settings.configurations))
        self._write("start", puzzle=self.puzzle, name=task.name, configuration=configuration, initial=initial)
        view: Problem | None = None

        def tell(event: Event) -> None:
            nonlocal view
            if event.kind in _LOCAL and view is None:
                view = problem.local()
            self._write(event.kind, **_told(event, problem, view if event.kind in _LOCAL else None))

        return tell

    def end(self, run: Run | None) -> None:
        """Write how it ended, and see that all is written."""
        if run is not None:
            self._write("end", **record(run.result, puzzle=self.puzzle, name=run.task.name, solutions=run.solutions))
        with self.writing():
            self._file.flush()

    def _write(self, kind: str, **fields: Any) -> None:
        if self.failure is None:
            told = {"problem": self._number, "event": kind, **fields}
            with self.writing():
                self._file.write(json.dumps(plain(told), allow_nan=False) + "\n")


def _told(event: Event, problem: Problem, view: Problem | None) -> dict[str, Any]:
    """The fields that the event fills, in what JSON has."""
    fields = {name: getattr(event, name) for name in _COUNTS}
    fields |= {name: getattr(event, name) for name in _FIELDS if getattr(event, name) is not None}
    if event.state is not None:
        fields["state"] = (view or problem).to_text(event.state)
    if event.action is not None:
        fields["action"] = problem.action_to_json(event.action)
    return fields
