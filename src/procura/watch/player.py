"""A recording played step by step: next, back, to a step, to the next iteration, to the goal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from procura.control import Event
from procura.result import Result
from procura.watch.frames import Frame, Frames, Grouping
from procura.watch.frontier import Changes, Entry
from procura.watch.orders import Order
from procura.watch.recording import Recording

KEPT = 200_000
"""Of so many events the steps are kept, to go back."""


class Player:
    """The frame at hand of a recording, and the way to others.

    Steps further back than ``kept`` events are forgotten, so that memory is bounded by the search itself.
    """

    def __init__(self, recording: Recording, kept: int = KEPT) -> None:
        self.recording, self.kept = recording, kept
        self._frames = Frames(recording.plan)
        self._start = self._frames.frame
        self._grouping = Grouping()
        self._pending: list[Event] = []
        """The events of the step that comes next, as far as they are known."""
        self._history: deque[tuple[Frame, Changes, int]] = deque()
        """For each step that is kept: the frame after it, what it changed, how many events it was."""
        self._events = 0
        self._at = 0
        """How many steps of the history are made."""
        self.forgotten = 0
        """How many steps are no longer kept."""
        self.ended = False
        """Whether the search has told all."""

    @property
    def order(self) -> Order:
        """What the search takes next, and what its iterations are."""
        return self._frames.order

    def check(self) -> None:
        """Raise now what the search raises before its first step."""
        with suppress(TimeoutError):
            if self.forward(timeout=0.5):
                self.back()

    @property
    def frame(self) -> Frame:
        """What there is to see."""
        return self._history[self._at - 1][0] if self._at else self._start

    @property
    def result(self) -> Result | None:
        """How the search ended, once the last step has been reached."""
        return self.recording.result if self.at_end else None

    @property
    def at_end(self) -> bool:
        """Whether there is no further step."""
        return self.ended and self._at == len(self._history)

    @property
    def known(self) -> int:
        """The number of the last step known so far."""
        return self.forgotten + len(self._history)

    def first(self, most: int) -> list[Entry]:
        """The nodes that are taken next, in order; idastar: those on the path, the last first."""
        frame = self.frame
        if self.order.path_only:
            return [] if frame.entry is None else frame.entry.line()[::-1][:most]
        return self._frames.frontier.first(most)

    def forward(self, timeout: float | None = None) -> bool:
        """Go to the next step; False at the end. ``TimeoutError`` if the search does not get there in time."""
        if self._at < len(self._history):
            self._frames.frontier.redo(self._history[self._at][1])
            self._at += 1
            return True
        events = self._next_events(timeout)
        if not events:
            return False
        frame, changes = self._frames.step(events)
        self._history.append((frame, changes, len(events)))
        self._at += 1
        self._events += len(events)
        while self._events > self.kept and len(self._history) > 1:
            self._start, _, count = self._history.popleft()
            self._events -= count
            self._at -= 1
            self.forgotten += 1
        return True

    def back(self) -> bool:
        """Go to the step before; False at the first that is kept."""
        if not self._at:
            return False
        self._at -= 1
        self._frames.frontier.undo(self._history[self._at][1])
        return True

    def go_to(self, number: int, go_on: Callable[[], bool] = lambda: True) -> None:
        """Go to the step of that number, or as near as there is one, as long as ``go_on`` says so."""
        while self.frame.number > number and self.back():
            pass
        self.run(lambda frame: frame.number >= number, go_on)

    def run_to_iteration(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Go on to where an iteration begins: a bound, a depth, a greater f, a lower h, a better candidate."""
        level = self.frame.level
        self._move(lambda frame: frame.level != level or frame.kind == "goal", go_on)

    def run_to_goal(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Go on to the next solution, or to the end."""
        self._move(lambda frame: frame.solved, go_on)

    def run(self, there: Callable[[Frame], bool], go_on: Callable[[], bool] = lambda: True) -> None:
        """Go on to the first frame that is ``there``, be it the one at hand."""
        if not there(self.frame):
            self._move(there, go_on)

    def _move(self, there: Callable[[Frame], bool], go_on: Callable[[], bool]) -> None:
        moved = True
        while moved and go_on():
            try:
                moved = self.forward(timeout=0.1)
            except TimeoutError:
                continue
            if moved and there(self.frame):
                return

    def _next_events(self, timeout: float | None) -> list[Event]:
        """The events of the next step; it is complete when the next but one begins."""
        while not self.ended:
            event = self.recording.next(timeout)
            self.ended = event is None
            if event is not None:
                complete = self._grouping.opens(event) and bool(self._pending)
                done, self._pending = self._pending, [*([] if complete else self._pending), event]
                if complete:
                    return done
        done, self._pending = self._pending, []
        return done

    def close(self) -> None:
        """End the search."""
        self.recording.stop()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
