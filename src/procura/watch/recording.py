"""A search that runs in a thread of its own and waits while nobody asks for its events."""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue

from procura.control import EVENT_KINDS, Control, Event
from procura.debug import debugging
from procura.result import Limits, Result
from procura.solving import Plan, execute

AHEAD = 1024
"""So many events the search is ahead of who watches it."""
PATIENCE_SECONDS = 5.0
"""So long a search that is told to end is waited for; rules that never return are left behind."""
_KINDS = EVENT_KINDS - {"progress"}


class Recording:
    """The events of a run on the python engine, one after the other; the time that it waits does not count.

    It begins when the first event is asked for. So an endless search can be watched: what is not asked for is not
    searched, but for ``ahead`` events.
    """

    def __init__(self, plan: Plan, limits: Limits | None = None, ahead: int = AHEAD) -> None:
        self.plan, self.ahead = plan, ahead
        self.result: Result | None = None
        """The result, once the run has ended."""
        self._error: BaseException | None = None
        self._events: SimpleQueue[Event | None] = SimpleQueue()
        self._room = threading.Event()
        self._stopped = False
        self._control = Control(limits, self._tell, _KINDS, lambda: self._stopped, debugging())
        self._thread = threading.Thread(target=self._run, name="procura watch", daemon=True)
        self._ended = False

    def next(self, timeout: float | None = None) -> Event | None:
        """The next event, or None at the end; raises what the search raised, and ``TimeoutError`` after ``timeout``."""
        if self._ended:
            return None
        if self._thread.ident is None:
            self._thread.start()
        try:
            event = self._events.get(timeout=timeout)
        except Empty:
            raise TimeoutError from None
        if self._events.qsize() <= self.ahead // 2:
            self._room.set()
        if event is None:
            self._ended = True
            self._thread.join()
            if self._error is not None:
                raise self._error
        return event

    def stop(self) -> None:
        """End the run; it may have a result of what it has done so far."""
        self._stopped = True
        self._room.set()
        if self._thread.ident is not None:
            self._thread.join(PATIENCE_SECONDS)

    def _tell(self, event: Event) -> None:
        self._events.put(event)
        if self._events.qsize() < self.ahead:
            return
        began = time.perf_counter()
        self._room.clear()
        if self._events.qsize() >= self.ahead and not self._stopped:
            self._room.wait()
        self._control.forgive(time.perf_counter() - began)

    def _run(self) -> None:
        try:
            self.result = execute(self.plan, self._control).result(self.plan.problem)
        except BaseException as error:  # told to who asks for the next event
            self._error = error
        self._events.put(None)
