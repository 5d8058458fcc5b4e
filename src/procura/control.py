"""One run under way: its limits, clock, counts, events and best so far; shared by both engines."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from procura.errors import InputError
from procura.result import Limits

MEMORY_CHECK_SECONDS = 0.02
NODE_KINDS = frozenset(("expand", "generate", "duplicate", "reopen", "drop"))
"""The events of single nodes."""
EVENT_KINDS = NODE_KINDS | {"bound", "improve", "round", "goal", "progress"}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run: its kind, the counts so far, and the fields that its kind fills.

    - ``expand``: the node's moves are about to be listed; node, state, g, h, depth
    - ``generate``: a successor was made and kept; node, parent, action, state, g, h, depth
    - ``duplicate``: a successor was made and dropped as already known; parent, action, state, g, depth
    - ``reopen``: a known state was reached at less cost; as generate
    - ``drop``: a node is not expanded, with its fields, or a successor is not kept, as duplicate; value says why
    - ``bound``: a new iteration begins (idastar: bound on f, iddfs: depth, beam: width); value
    - ``improve``: local search has a better state; value, state
    - ``round``: local search begins a round with this energy and state; value, state, figures
    - ``goal``: a solution was found; node, state, g, depth
    - ``progress``: about ten times a second; value where there is one

    Interpreted runs report every event; compiled runs only bound, improve, goal and progress.
    """

    kind: str
    expanded: int
    generated: int
    frontier: int
    seconds: float
    node: int | None = None
    parent: int | None = None
    action: Any = None
    state: Any = None
    g: Any = None
    h: Any = None
    depth: int | None = None
    value: Any = None
    figures: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Found:
    """What an algorithm hands back: a path of actions or, from local search, a state."""

    path: list[Any] | None = None
    state: Any = None
    cost: Any = None
    exhausted: bool = False
    """The whole space was searched, apart from what ``pruned`` names."""
    pruned: str | None = None
    """What was left out on the way: ``depth``, ``cut`` or another option's name."""
    bound: Any = None
    """A lower bound on the cost, if the heuristic is admissible."""


class Control:
    """The state of a run that is not the algorithm's own: what it may use, and what it has done."""

    def __init__(
        self,
        limits: Limits | None = None,
        on_event: Callable[[Event], None] | None = None,
        events: Collection[str] | None = None,
        cancel: Callable[[], bool] | threading.Event | None = None,
        debug: bool = False,
    ) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise InputError(f"limits {limits!r}: expected Limits(seconds=..., nodes=..., memory=..., depth=...)")
        self.limits = limits or Limits()
        self.memory_ceiling = memory_ceiling(self.limits)
        self.on_event = on_event
        if isinstance(events, str):
            raise InputError(f"events {events!r}: expected a list, such as [{events!r}]")
        self.kinds = EVENT_KINDS if events is None else frozenset(events)
        if self.kinds - EVENT_KINDS:
            raise InputError(f"events {sorted(self.kinds - EVENT_KINDS)}: expected some of {sorted(EVENT_KINDS)}")
        self.traced = on_event is not None and bool(self.kinds & NODE_KINDS)
        """Whether anyone asks for events of single nodes."""
        self.follows_rounds = on_event is not None and "round" in self.kinds
        """Whether anyone asks for the rounds of local search."""
        self._cancel = cancel.is_set if isinstance(cancel, threading.Event) else cancel
        self.interrupted = False
        self.debug = debug
        self.stopped_by: str | None = None
        self.generated = self.expanded = self.max_frontier = self.depth = self.stored = self.frontier = 0
        self.digest = 0
        self.compile_seconds = 0.0
        self.peak_memory = 0
        self.progress_value: Any = None
        self._next_memory_check = self._next_progress = 0.0
        self.start()

    def start(self) -> None:
        """Start the clock of the search; called again once kernels are compiled."""
        self.started = time.perf_counter()
        self._deadline = None if self.limits.seconds is None else self.started + self.limits.seconds
        self._next_progress = self.started + 0.1

    @property
    def seconds(self) -> float:
        """Search time so far."""
        return time.perf_counter() - self.started

    def forgive(self, seconds: float) -> None:
        """Do not count so many seconds, in which the run was held up."""
        self.started += seconds
        if self._deadline is not None:
            self._deadline += seconds

    def asked_to_end(self) -> bool:
        """Whether Ctrl-C or ``cancel`` ends the run."""
        return self.interrupted or (self._cancel is not None and self._cancel())

    def stop(self) -> bool:
        """Whether time, memory or the user ends the run now; says which in ``stopped_by``. Reports progress."""
        now = time.perf_counter()
        if self.asked_to_end():
            self.stopped_by = "cancelled"
        elif self._deadline is not None and now >= self._deadline:
            self.stopped_by = "time"
        elif now >= self._next_memory_check:
            self._next_memory_check = now + MEMORY_CHECK_SECONDS
            if not self.memory_allows(0):
                self.stopped_by = "memory"
        if self.on_event is not None and now >= self._next_progress:
            self._next_progress = now + 0.1
            self.emit("progress", value=self.progress_value)
        return self.stopped_by is not None

    def memory_allows(self, more: int) -> bool:
        """Whether ``more`` bytes on top of what the process holds stay within the memory limit."""
        resident = resident_bytes()
        self.peak_memory = max(self.peak_memory, resident)
        return resident + more <= self.memory_ceiling

    def stop_before_expanding(self, frontier: int) -> bool:
        """For interpreted searches, before each expansion: note the frontier, then whether a limit ends the run."""
        self.frontier = frontier
        if frontier > self.max_frontier:
            self.max_frontier = frontier
        if self.limits.nodes is not None and self.expanded >= self.limits.nodes:
            self.stopped_by = "nodes"
            return True
        return self.stop()

    def emit(self, kind: str, **fields: Any) -> None:
        """Tell the subscriber, if there is one."""
        if self.on_event is not None and kind in self.kinds:
            self.on_event(Event(kind, self.expanded, self.generated, self.frontier, self.seconds, **fields))


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def resident_bytes() -> int:
    """The resident memory of this process; where the system does not tell, the most it ever was."""
    try:
        handle = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(handle, 100).split()[1]) * _PAGE
        finally:
            os.close(handle)
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


_seen_ceiling = (-1.0, 0)  # when it was looked up last, and what it was
CEILING_SECONDS = 0.05


def memory_ceiling(limits: Limits) -> int:
    """The resident bytes at which a run ends: its limit, or nine tenths of what the machine has left for us.

    The system is asked anew after ``CEILING_SECONDS``, so that runs of a few microseconds do not wait for it.
    """
    global _seen_ceiling
    if limits.memory is not None:
        return limits.memory
    now, (seen, ceiling) = time.perf_counter(), _seen_ceiling
    if not seen <= now < seen + CEILING_SECONDS or seen < 0:
        ceiling = resident_bytes() + _available_bytes() * 9 // 10
        _seen_ceiling = now, ceiling
    return ceiling


def _available_bytes() -> int:
    """What the system could still give this process: what is free, or what its container leaves it."""
    available = 8 << 30
    with suppress(OSError, StopIteration), open("/proc/meminfo", "rb") as file:
        available = next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"MemAvailable:"))
    with suppress(OSError, ValueError):
        allowed, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
        available = min(available, max(allowed - used, 0))
    return available


@contextmanager
def interruptible(control: Control) -> Iterator[None]:
    """Turn the first Ctrl-C into a cancelled run; a second one interrupts Python as usual."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def note(signum: int, frame: Any) -> None:
        control.interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
