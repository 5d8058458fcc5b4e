"""One run under way: its limits, clock, counts, events and best so far; shared by both engines."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from procura.errors import InputError
from procura.interrupts import Interrupts
from procura.result import Limits, Stats

MEMORY_CHECK_SECONDS = 0.02
SLICE_SECONDS = 0.02
FIRST_SLICE = 16
"""Nodes in the first slice of a run, at most; a kernel that is new begins with one, for a node may take long."""
GROWTH = 16
UNASKED, UNASKED_WITHIN_LIMITS = 16, 4
"""The nodes that an interpreted search may expand between two looks at the clock: few if time or memory is limited, for
the next ones may take 50 ms each."""
QUICK_SECONDS = 0.001
"""If the last look was longer ago than this, there is one before every node."""
LONGEST_SLICE = 10_000_000
NODE_KINDS = frozenset(("expand", "generate", "duplicate", "reopen", "drop", "value"))
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
    - ``value``: what a position of a game is worth to the first player is known; node, depth, value, figures
    - ``bound``: a new iteration begins (idastar: bound on f, iddfs and alphabeta: depth, beam: width); value
    - ``improve``: local search has a better state; value, state. anytime has a better solution; value is its cost,
      figures are the bound and the gap, as far as they are known
    - ``round``: local search begins a round with this energy and state; value, state, figures
    - ``goal``: a solution was found; node, state, g, depth
    - ``progress``: about ten times a second; value where there is one; while a table is built or kernels are compiled
      ``figures["preparing"]``, in words

    Interpreted runs report every event; compiled runs only bound, improve, goal and progress.

    >>> from procura import Sliding, solve
    >>> seen = []
    >>> _ = solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python", on_event=seen.append, events=["expand", "goal"])
    >>> [(event.kind, event.depth) for event in seen]
    [('expand', 0), ('expand', 1), ('expand', 1), ('goal', 1)]
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
    largest: float = 0.0
    """The greatest magnitude of g met, where costs are real: what their rounding grows with."""
    solutions: int | None = None
    """How many solutions there are, counted as far as was asked; None if that was not."""
    others: Sequence[list[Any]] = ()
    """Further solutions, if several were asked for: the actions of each, in any order."""


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
        self.follows_all = self.traced or self.follows_rounds
        """Whether anyone asks for what only interpreted runs tell."""
        self._cancel = cancel.is_set if isinstance(cancel, threading.Event) else cancel
        if self._cancel is not None and not callable(self._cancel):
            raise InputError(f"cancel {cancel!r}: expected a function that says whether to end, or a threading.Event")
        self.interrupted = False
        self.debug = debug
        self.stopped_by: str | None = None
        self.stats = Stats(started=time.time(), digest=0 if debug else None)
        """What the run has done so far; whatever counts, counts here."""
        self.turn = math.inf
        """The nodes expanded, by all searches of the run, at which the one at hand pauses to let another go on."""
        self.kernels: list[str | None] = []
        """The files of the kernels it uses in the cache; None for one that cannot be kept."""
        self.frontier = 0
        self.progress_value: Any = None
        self.preparing: str | None = None
        """What the search waits for, if it has not begun: a phrase."""
        self.notes: list[str] = []
        """What a reader of the result should know, in sentences."""
        self._most_nodes = sys.maxsize if self.limits.nodes is None else self.limits.nodes
        self.ask_at = 0
        """The nodes expanded at which a search has to ask whether to stop; before, it need not."""
        self._unasked = self._may_go_unasked()
        self._asked = 0.0
        self._next_memory_check = self._next_progress = 0.0
        self.start()

    def start(self) -> None:
        """Start the clock of the search; called again once kernels are compiled."""
        self.started = time.perf_counter()
        self._deadline = None if self.limits.seconds is None else self.started + self.limits.seconds
        self._next_progress = self.started + 0.1
        self._quiet_until = 0.0
        """Before then ``stop`` finds nothing to do, apart from Ctrl-C."""

    def _may_go_unasked(self) -> int:
        """How many nodes may be expanded before the next look at the clock, as long as they are quick."""
        if self.on_event is not None or self._cancel is not None:
            return 0
        if self.limits.depth is not None:  # what lies that deep is taken but not expanded, and would not count
            return 0
        limited = self.limits.seconds is not None or self.limits.memory is not None
        return UNASKED_WITHIN_LIMITS if limited else UNASKED

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """A context in which kernels are compiled for this run, whoever asks for them."""
        token = in_charge.set(self)
        try:
            yield
        finally:
            in_charge.reset(token)

    @property
    def seconds(self) -> float:
        """Search time so far."""
        return time.perf_counter() - self.started

    def end(self) -> Stats:
        """Note that the search has ended; all that it did and used."""
        self.stats.seconds, self.stats.ended = self.seconds, time.time()
        self.memory_allows(0)
        return self.stats

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
            self.report_progress()
        if self._cancel is None:
            ends = math.inf if self._deadline is None else self._deadline
            tells = math.inf if self.on_event is None else self._next_progress
            self._quiet_until = min(self._next_memory_check, ends, tells)
        return self.stopped_by is not None

    def report_progress(self) -> None:
        """Tell how far the run, or what it waits for, is, unless that was told less than a tenth of a second ago."""
        now = time.perf_counter()
        if now >= self._next_progress:
            self._next_progress = now + 0.1
            figures = None if self.preparing is None else {"preparing": self.preparing}
            self.emit("progress", value=self.progress_value, figures=figures)

    def memory_allows(self, more: int) -> bool:
        """Whether ``more`` bytes on top of what the process holds stay within the memory limit."""
        resident = resident_bytes()
        self.stats.peak_memory = max(self.stats.peak_memory, resident)
        return resident + more <= self.memory_ceiling

    def stop_before_expanding(self, frontier: int) -> bool:
        """For interpreted searches, before each expansion: note the frontier, then whether a limit ends the run.

        One that notes ``max_frontier`` itself need not ask before ``ask_at``.
        """
        self.frontier, stats = frontier, self.stats
        if frontier > stats.max_frontier:
            stats.max_frontier = frontier
        if stats.expanded >= self._most_nodes:
            self.stopped_by = "nodes"
            return True
        now = time.perf_counter()
        if now >= self._quiet_until or self.interrupted or self.stopped_by is not None:
            return self.stop()
        ask_at = stats.expanded + (self._unasked if now < self._asked + QUICK_SECONDS else 0)
        self.ask_at = ask_at if ask_at < self._most_nodes else self._most_nodes
        self._asked = now
        return False

    def slices(self) -> Iterator[int]:
        """For searches that do many nodes at one go: how many the next slice may expand, about 20 ms of them.

        It ends when a limit does; a search that is done leaves the loop. Each slice adds to ``stats.expanded``.

        >>> control = Control(Limits(nodes=100))
        >>> for nodes in control.slices():
        ...     control.stats.expanded += nodes
        >>> control.stats.expanded, control.stopped_by
        (100, 'nodes')
        """
        nodes, limit = FIRST_SLICE, self.limits.nodes
        while not self.stop():
            if limit is not None and self.stats.expanded >= limit:
                self.stopped_by = "nodes"
                return
            started = time.perf_counter()
            yield nodes if limit is None else min(nodes, limit - self.stats.expanded)
            nodes = next_slice(nodes, time.perf_counter() - started)

    def emit(self, kind: str, **fields: Any) -> None:
        """Tell the subscriber, if there is one."""
        if self.on_event is not None and kind in self.kinds:
            stats = self.stats
            self.on_event(Event(kind, stats.expanded, stats.generated, self.frontier, self.seconds, **fields))


def next_slice(budget: int, elapsed: float) -> int:
    """How many nodes the next slice may expand, if ``budget`` of them took ``elapsed`` seconds."""
    return min(int(budget * min(max(SLICE_SECONDS / max(elapsed, 1e-9), 0.25), GROWTH)) + 1, LONGEST_SLICE)


in_charge: ContextVar[Control | None] = ContextVar("in_charge", default=None)
"""The run for which kernels are compiled."""

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
STATM, MEMINFO = "/proc/self/statm", "/proc/meminfo"
"""Where Linux tells the memory of this process, and of the machine; elsewhere psutil does."""


def resident_bytes() -> int:
    """The resident memory of this process; without ``/proc`` and psutil the most it ever was, 0 if nobody tells."""
    try:
        handle = os.open(STATM, os.O_RDONLY)
        try:
            return int(os.read(handle, 100).split()[1]) * _PAGE
        finally:
            os.close(handle)
    except OSError:
        pass
    with suppress(ImportError):
        import psutil

        return int(psutil.Process().memory_info().rss)
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
    try:
        with open(MEMINFO, "rb") as file:
            available = next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"MemAvailable:"))
    except (OSError, StopIteration):
        with suppress(ImportError):
            import psutil

            available = int(psutil.virtual_memory().available)
    with suppress(OSError, ValueError):
        allowed, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
        available = min(available, max(allowed - used, 0))
    return available


def interruptible(control: Control) -> Interrupts:
    """A context in which the first Ctrl-C ends the run; a second one interrupts, or ends, the program."""

    def note() -> None:
        control.interrupted, control.ask_at = True, 0

    return Interrupts(note)
