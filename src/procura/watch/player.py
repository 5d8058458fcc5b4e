"""A recording played step by step: next, back, to a step, to the next iteration, to the goal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

from procura.algorithm import Order
from procura.analysing import GamePlan
from procura.control import Event
from procura.game import Analysis
from procura.result import Result
from procura.watch.frames import Frame, Frames, Grouping
from procura.watch.frontier import Changes, Entry
from procura.watch.game_frames import GameFrame, GameFrames, GameGrouping
from procura.watch.recording import Recording
from procura.watch.steps import ToBoard, board_text, step_of

KEPT = 200_000
"""Of so many events the steps are kept, to go back."""
AHEAD = 1024
"""So many events at least are recorded ahead of the step at hand."""
CHECK_SECONDS = 0.5
GoOn = Callable[[], bool]
"""Whether to go on, asked all the time."""
AnyFrame = Frame | GameFrame
There = Callable[[Any], bool]
"""Whether a frame is the one that is looked for."""


def always() -> bool:
    """Go on."""
    return True


class Player:
    """The frame at hand of a recording, and the way to others.

    Steps further back than ``kept`` events are forgotten, so that memory is bounded by the search itself.

    >>> from procura import Configuration, Sliding
    >>> from procura.solving import plan
    >>> player = Player(Recording(plan(Sliding("1 2 3 4 5 6 0 7 8"), Configuration.parse("bfs"), "python")))
    >>> [(step["kind"], step["expanded"], step["frontier"]) for step in player.steps(0, 3)]
    [('start', 0, [0]), ('expand', 1, [1, 2]), ('expand', 2, [2, 3, 4])]
    """

    def __init__(self, recording: Recording, kept: int = KEPT) -> None:
        self.recording, self.kept = recording, kept
        self._frames: Any = (
            GameFrames(recording.plan) if isinstance(recording.plan, GamePlan) else Frames(recording.plan)
        )
        self._start: AnyFrame = self._frames.frame
        self._grouping: Grouping | GameGrouping = self._frames.grouping()
        self._ahead: deque[Event] = deque()
        """Events of which no steps are made yet."""
        self._seen = 0
        """How many events are known, those ahead among them."""
        self._pending: list[Event] = []
        """The events of the step that comes next, as far as they are known."""
        self._history: deque[tuple[AnyFrame, Changes, int]] = deque()
        """For each step that is kept: the frame after it, what it changed, how many events it was."""
        self._events = 0
        self._at = 0
        """How many steps of the history are made."""
        self.forgotten = 0
        """How many steps are no longer kept."""
        self.ahead: GoOn | None = None
        """Whether to record ahead of the step at hand, asked all the time; if None, whoever moves is asked."""

    @property
    def order(self) -> Order:
        """What the search takes next, and what its iterations are."""
        order: Order = self._frames.order
        return order

    def check(self) -> None:
        """Raise now what the search raises before its first step."""
        end = time.monotonic() + CHECK_SECONDS
        if self.forward(lambda: time.monotonic() < end):
            self.back()

    @property
    def frame(self) -> Any:
        """What there is to see: a ``Frame``, of a game a ``GameFrame``."""
        return self._history[self._at - 1][0] if self._at else self._start

    @property
    def result(self) -> Result | Analysis | None:
        """How the search ended, once the last step has been reached."""
        return self.recording.result if self.at_end else None

    @property
    def ended(self) -> bool:
        """Whether there is no step that is not known."""
        return self.recording.result is not None and not self._ahead and not self._pending

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
        entries: list[Entry] = self._frames.first(self.frame, most)
        return entries

    def steps(
        self, first: int, end: int, go_on: GoOn = always, board: ToBoard = board_text, most: int = 30
    ) -> list[dict[str, Any]]:
        """The steps from ``first`` to before ``end`` as JSON has them, as far as there are such; see ``recording``.

        ``board`` makes of a problem and a state what stands for it; ``most`` nodes of the frontier are named.
        """
        made: list[dict[str, Any]] = []
        self.go_to(first, go_on)
        while first <= self.frame.number < end:
            made.append(step_of(self.recording.plan, self.frame, self.first(most), board))
            if self.frame.number == end - 1 or not self.forward(go_on):
                break
        return made

    def forward(self, go_on: GoOn = always) -> bool:
        """Go to the next step; False at the end, or if ``go_on`` has said so before."""
        before = self.frame.number
        self._move(lambda frame: True, go_on)
        return self.frame.number > before

    def back(self) -> bool:
        """Go to the step before; False at the first that is kept."""
        if not self._at:
            return False
        self._at -= 1
        self._frames.frontier.undo(self._history[self._at][1])
        return True

    def go_to(self, number: int, go_on: GoOn = always) -> None:
        """Go to the step of that number, or as near as there is one, as long as ``go_on`` says so."""
        while self.frame.number > number and self.back():
            pass
        self.run(lambda frame: frame.number >= number, go_on)

    def run_to_iteration(self, go_on: GoOn = always) -> None:
        """Go on to where an iteration begins: a bound, a depth, a greater f, a lower h, a better candidate."""
        level = self.frame.level
        self._move(lambda frame: frame.level != level or frame.kind == "goal", go_on)

    def run_to_goal(self, go_on: GoOn = always) -> None:
        """Go on to the next solution, or to the end."""
        self._move(lambda frame: frame.solved, go_on)

    def run(self, there: There, go_on: GoOn = always) -> None:
        """Go on to the first frame that is ``there``, be it the one at hand."""
        if not there(self.frame):
            self._move(there, go_on)

    def _move(self, there: There, go_on: GoOn) -> None:
        """Go on to the next frame that is ``there``: through the steps that are made, the events ahead, the search."""
        while self._at < len(self._history):
            if not go_on():
                return
            self._frames.frontier.redo(self._history[self._at][1])
            self._at += 1
            if there(self.frame):
                return
        while self._ahead:
            if not go_on() or (self._take(self._ahead.popleft()) and there(self.frame)):
                return
        if self.recording.result is None and self._record(there, go_on):
            return
        if self.recording.result is not None and self._pending:
            self._make_step(self._pending)
            self._pending = []

    def _record(self, there: There, go_on: GoOn) -> bool:
        """Make the run again and go on where it was left; whether it is ``there``, with some events ahead."""
        arrived = False

        def take(event: Event) -> bool:
            nonlocal arrived
            self._seen += 1
            if arrived:
                self._ahead.append(event)
                return len(self._ahead) < min(max(AHEAD, self._seen // 2), self.kept // 2)
            arrived = self._take(event) and there(self.frame)
            return True

        def still() -> bool:
            return self.ahead() if arrived and self.ahead is not None else go_on()

        try:
            self.recording.play(self._seen, take, still)
        except Exception:
            if not arrived:  # else it is raised again by who gets there
                raise
        return arrived

    def _take(self, event: Event) -> bool:
        """Add an event; whether it completed a step, which it does by beginning the next."""
        complete = self._grouping.opens(event) and bool(self._pending)
        if complete:
            self._make_step(self._pending)
            self._pending = []
        self._pending.append(event)
        return complete

    def _make_step(self, events: list[Event]) -> None:
        """Make a step after the last one, and go there."""
        frame, changes = self._frames.step(events)
        self._history.append((frame, changes, len(events)))
        self._at += 1
        self._events += len(events)
        while self._events > self.kept and len(self._history) > 1:
            self._start, _, count = self._history.popleft()
            self._events -= count
            self._at -= 1
            self.forgotten += 1
