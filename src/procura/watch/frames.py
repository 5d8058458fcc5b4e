"""Events grouped into steps, and what there is to see after each: a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from procura import catalog
from procura.algorithm import Order
from procura.control import Event
from procura.errors import InputError
from procura.problem import DEAD
from procura.solving import Plan
from procura.watch.frontier import Changes, Entry, Frontier


@dataclass(frozen=True, slots=True)
class Successor:
    """A successor of the node at hand, and what became of it."""

    action: Any
    g: Any
    h: Any = None
    f: Any = None
    fate: str = "kept"
    """``kept``, ``known``, ``cheaper`` (a known state at less cost), ``bound`` (above it), ``dead``, ``cut`` or
    ``cost``."""
    number: int | None = None
    """Of its node, if it is kept."""


@dataclass(slots=True)
class Frame:
    """What there is to see after a step; not to be changed once the step is done."""

    number: int
    kind: str
    """``start``, ``expand``, ``back`` (at a node again), ``skip`` (taken, not expanded), ``bound``, ``goal``, ``round``
    or ``improve``."""
    state: Any
    """The board: of the problem or, in local search, a whole state of its local view."""
    entry: Entry | None = None
    """The node at hand."""
    successors: list[Successor] = field(default_factory=list)
    expanded: int = 0
    generated: int = 0
    duplicates: int = 0
    dropped: int = 0
    """Nodes and successors given up, but for duplicates."""
    waiting: int = 1
    """Nodes in the frontier; idastar: on the path."""
    largest: int = 1
    """The most that ever waited."""
    bound: Any = None
    """Of this iteration: on f, on depth, or the width of the beam."""
    level: Any = None
    """What changes when an iteration begins, or whatever comes nearest in a search without any."""
    why: str | None = None
    """Why a node was skipped: ``depth`` or ``known``."""
    energy: Any = None
    best: Any = None
    figures: Mapping[str, Any] | None = None
    """Local search: energy, the least so far, and what a round tells beside."""

    @property
    def solved(self) -> bool:
        """Whether this step found a solution."""
        return self.kind == "goal" or (self.best is not None and self.best <= 0)


def _order(plan: Plan) -> Order:
    """How the search orders its nodes; raises ``InputError`` if its steps cannot be followed."""
    if plan.info.order is None:
        known = ", ".join(name for name, info in catalog.ALGORITHMS.items() if info.order is not None)
        raise InputError(f"{plan.info.name} does not report its steps: expected one of {known}")
    return plan.info.order(plan.options)


class Grouping:
    """Which events make one step: that of taking a node and all its successors, or of one round."""

    def __init__(self) -> None:
        self._node: int | None = None
        self._generated = -1

    def opens(self, event: Event) -> bool:
        """Whether an event begins a step; called once with each."""
        generated, self._generated = self._generated, event.generated
        if event.kind in ("expand", "goal") or (event.kind == "drop" and event.value in ("depth", "known")):
            self._node = event.node
            return True
        if event.kind in ("bound", "round"):
            self._node = None
            return True
        if event.kind == "improve":
            return event.generated != generated
        if event.parent == self._node or (event.kind == "drop" and event.value in ("width", "surpassed")):
            return False
        self._node = event.parent
        return True


class Frames:
    """The frame at hand and the frontier, which go from step to step."""

    def __init__(self, plan: Plan) -> None:
        self.problem = plan.problem
        self.order = _order(plan)
        self.frontier = Frontier()
        self._serial = 0
        self._local = plan.info.local
        self._h = plan.h(plan.problem.initial) if plan.info.uses_heuristic else None
        root = self._root()
        self.frontier.restart(*self._begun(root))
        waiting = int(not self._local and not self._dead)
        self.frame = Frame(0, "start", root.state, None if self._local else root, waiting=waiting, largest=waiting)

    @property
    def _path_only(self) -> bool:
        return self._local or self.order.path_only

    @property
    def _dead(self) -> bool:
        """Whether the heuristic has proved, before the first step, that there is no way."""
        return self._h is not None and bool(self._h >= DEAD)

    def _begun(self, root: Entry) -> list[Entry]:
        """What waits when an iteration begins."""
        return [] if self._path_only or self._dead else [root]

    def _root(self) -> Entry:
        f = None if self.order.f is None or self._h is None else self.order.f(0, self._h)
        return Entry(0, self.problem.initial, h=self._h, f=f)

    def grouping(self) -> Grouping:
        """What parts events into steps."""
        return Grouping()

    def first(self, frame: Frame, most: int) -> list[Entry]:
        """The nodes that are taken next, in order; where only a path is kept, those on it, the last first."""
        if self.order.path_only:
            return [] if frame.entry is None else frame.entry.line()[::-1][:most]
        return self.frontier.first(most)

    def step(self, events: Sequence[Event]) -> tuple[Frame, Changes]:
        """Make the step of these events; the frame after it, and what it changed."""
        changes = self.frontier.begin()
        before = self.frame.entry
        frame = self.frame = replace(self.frame, number=self.frame.number + 1, successors=[], why=None)
        first, *rest = events
        self._open(first)
        for event in rest:
            self._follow(event)
        frame.expanded, frame.generated = events[-1].expanded, events[-1].generated
        frame.waiting = frame.waiting if self._path_only else len(self.frontier)
        frame.largest = max(frame.largest, frame.waiting)
        frame.level = self._level(before)
        return frame, changes

    def _open(self, event: Event) -> None:
        """The event that the step begins with."""
        frame = self.frame
        if event.kind == "bound":
            self._serial = 0
            frame.kind, frame.bound, frame.entry, frame.waiting = "bound", event.value, self._root(), 1
            frame.state = frame.entry.state
            self.frontier.restart(*self._begun(frame.entry))
        elif event.kind in ("round", "improve"):
            self._energy(event, event.kind)
        elif event.kind in ("expand", "goal", "drop") and event.node is not None:
            self._at(self._taken(event), "skip" if event.kind == "drop" else event.kind)
            if event.kind == "drop":
                frame.why = event.value
                frame.dropped += event.value == "depth"
                frame.duplicates += event.value == "known"
        else:
            entry = self._above(event.parent)
            assert entry is not None
            self._at(entry, "back")
            self._follow(event)

    def _at(self, entry: Entry, kind: str) -> None:
        frame = self.frame
        frame.kind, frame.entry, frame.state = kind, entry, entry.state
        frame.waiting = entry.depth + (kind in ("expand", "back"))

    def _taken(self, event: Event) -> Entry:
        """The node that an event tells, out of the frontier; h may not have been known before."""
        waited = self.frontier.take(event.node)
        parent = self._above(event.parent) if waited is None else waited.parent
        return self._entry(event, parent)

    def _entry(self, event: Event, parent: Entry | None, place: Any = 0) -> Entry:
        assert event.node is not None and event.depth is not None
        f = None if self.order.f is None or event.h is None else self.order.f(event.g, event.h)
        return Entry(event.node, event.state, parent, event.action, event.g, event.h, f, event.depth, place)

    def _above(self, number: int | None) -> Entry | None:
        """The node of that number on the path to the node at hand."""
        entry = self.frame.entry
        while entry is not None and entry.number != number:
            entry = entry.parent
        return entry

    def _follow(self, event: Event) -> None:
        """An event that belongs to the step."""
        if event.kind == "improve":
            self._energy(event, self.frame.kind)
        elif event.kind in ("generate", "reopen"):
            self._queue(event)
        elif event.kind == "duplicate":
            self._successor(Successor(event.action, event.g, fate="known"), duplicates=1)
        elif event.node is not None:  # dropped while it waited
            self.frontier.take(event.node)
            self.frame.dropped += 1
        else:
            self._successor(Successor(event.action, event.g, fate=event.value), dropped=1)

    def _queue(self, event: Event) -> None:
        """A successor that is kept, at least for now."""
        self._serial += 1
        place = self.order.place(event.depth or 0, event.g, event.h, self._serial)
        entry = self._entry(event, self._above(event.parent), place)
        fate = "kept" if event.kind == "generate" else "cheaper"
        if self._path_only:
            fate = self._within_bound(entry)
        else:
            if event.kind == "reopen":
                self._forget_rival(entry)
            self.frontier.put(entry)
            self.frame.largest = max(self.frame.largest, len(self.frontier))
        self._successor(
            Successor(event.action, entry.g, entry.h, entry.f, fate, entry.number),
            dropped=int(fate in ("dead", "bound")),
        )

    def _within_bound(self, entry: Entry) -> str:
        if entry.h is not None and entry.h >= DEAD:
            return "dead"
        return "kept" if self.frame.bound is None or entry.f <= self.frame.bound else "bound"

    def _forget_rival(self, entry: Entry) -> None:
        """In a beam a cheaper path to a candidate is a new node, which takes its place."""
        if self.order.level != "depth":
            return
        identity = self.problem.identity(entry.state)
        for other in self.frontier.entries():
            if other.depth == entry.depth and self.problem.identity(other.state) == identity:
                self.frontier.take(other.number)

    def _successor(self, successor: Successor, duplicates: int = 0, dropped: int = 0) -> None:
        self.frame.successors.append(successor)
        self.frame.duplicates += duplicates
        self.frame.dropped += dropped

    def _energy(self, event: Event, kind: str) -> None:
        """A round of local search, or its best candidate so far."""
        frame = self.frame
        frame.kind, frame.state, frame.energy = kind, event.state, event.value
        if event.kind == "improve":
            frame.best = event.value
        if event.figures is not None:
            frame.figures = event.figures

    def _level(self, at: Entry | None) -> Any:
        """What is compared to see whether an iteration has begun; ``at`` is the node before this one."""
        frame, what, before = self.frame, self.order.level, self.frame.level
        entry = frame.entry
        if what == "bound":
            return frame.bound
        if what == "energy":
            return frame.best
        if entry is None or frame.kind == "bound":
            return before
        if what == "depth":
            return frame.bound, entry.depth
        if what == "turns":
            return (before or 0) + (entry.parent is not at and entry.parent is not None)
        taken = entry.f
        if before is None or taken is None:
            return taken
        return max(before, taken) if what == "f" else min(before, taken)
