"""The runs of ``profile``: exact by dynamic programming along the shorter side of a Dots board, or close to it.

A board up to ``EXACT`` boxes wide is solved exactly. On a wider one, or where memory does not suffice, a bounded number
of masks is kept in every layer, more of them each time; the best answer stands beside a bound that holds whatever was
dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from procura.compiled.engine import compile_for
from procura.control import Control, Found
from procura.puzzles.dots import profile as kernels
from procura.puzzles.dots.cuts import filled, hull
from procura.puzzles.dots.scan import BOTTOM, Scan
from procura.puzzles.dots.specialist import EXACT

if TYPE_CHECKING:
    from procura.puzzles.dots.rules import Dots

QUICK = 50_000_000
"""Numbers that are made in no time: an exact run of more has an answer first."""
SLICE = 10_000_000
"""Numbers made between two looks at the clock."""
FIRST_KEPT, MORE = 2, 4
"""Masks kept for each number of closed boxes at first, and how many times as many the next time."""

_compiled: set[tuple[bool, bool]] = set()
"""Whether the kernels of exact and of bounded runs, in debug or not, have been compiled in this process."""


class Layers:
    """The layers of one run of dynamic programming, and the kernels that fill them."""

    def __init__(self, scan: Scan, control: Control, keep: int | None, room: int) -> None:
        self.scan, self.control, self.keep = scan, control, keep
        boxes, line, width = scan.boxes, scan.line, scan.target + 1
        self.shape = np.array([line, boxes, scan.target, room], dtype=np.int64)
        self.free = np.array(scan.free, dtype=np.int64)
        whole = keep is None and boxes * room * width <= QUICK and control.memory_allows(boxes * room * width * 2)
        self.span = boxes if whole else line
        """So many boxes in a row have layers of their own; of those before only every ``span``-th is kept."""
        slots = list(range(boxes + 1))
        if not whole:
            ends = -(-boxes // line)
            slots = [b // line if b % line == 0 else ends + b % line for b in range(boxes)] + [ends + line]
        self.slots = np.array(slots, dtype=np.int64)
        self.sets = np.array([b % line if keep is None else b for b in range(boxes)], dtype=np.int64)
        self.rows = np.full(boxes, room, dtype=np.int64)
        self.done = 0
        """How many boxes have been gone through."""
        self.layers = np.empty((max(slots) + 1) * room * width + width, dtype=np.int16)
        number = (line if keep is None else boxes + 1) * room
        self.known = tuple(np.empty(number, dtype=np.int32) for _ in range(3))
        if keep is not None:
            self.rows_of = np.zeros(1 << line, dtype=np.int32)
            self.tally = np.zeros(2 * len(scan.problem.arcs) + 100, dtype=np.int64)
            self.kept = np.zeros(room, dtype=np.int8)

    @staticmethod
    def size(scan: Scan, room: int, exact: bool) -> int:
        """The bytes that a run will take."""
        layers = scan.boxes // scan.line + scan.line + 3
        masks = scan.line if exact else scan.boxes + (1 << scan.line) // room
        return layers * room * (scan.target + 1) * 2 + masks * room * 12

    def _call(self, kernel: Any, *arguments: Any) -> Any:
        return compile_for(self.control, kernel, {}, arguments)(*arguments)

    def run(self) -> Iterator[None]:
        """Fill all layers; yields now and then."""
        exact, boxes = self.keep is None, self.scan.boxes
        if exact:
            self._call(kernels.dense_parents, self.shape, *self.known)
        else:
            self.known[0][boxes * self.shape[kernels.ROOM]] = 0
        self._call(kernels.begin, self.shape, self.layers, int(self.shape[kernels.ROOM]) if exact else 1)
        before, count, box = boxes, 1, 0
        while box < boxes and self._may_fill():
            if exact:
                last = min(boxes, box + max(1, SLICE // int(self.shape[kernels.ROOM] * (self.scan.target + 1))))
                if self.control.limits.nodes is not None:
                    last = box + 1
                self._fill(box, last)
                self.control.stats.expanded += int(self.shape[kernels.ROOM]) * (last - box)
            else:
                last = box + 1
                count = self._call(kernels.children, self.shape, box, count, before, box, *self.known, self.rows_of)
                self.rows[box] = count
                self._fill(box, last)
                count = self._narrow(box, count)
                self.rows[box], before = count, box
                self.control.stats.expanded += count
            self.control.stats.generated = 2 * self.control.stats.expanded
            self.done = box = last
            yield

    def _may_fill(self) -> bool:
        """Whether the limit on nodes, which are masks, allows one more layer."""
        limit, room = self.control.limits.nodes, int(self.shape[kernels.ROOM])
        if limit is not None and self.control.stats.expanded + room > limit:
            self.control.stopped_by = "nodes"
            return False
        return True

    def _fill(self, first: int, last: int) -> None:
        self._call(
            kernels.fill, self.shape, self.free, self.layers, self.slots, self.sets, self.rows, *self.known, first, last
        )

    def _narrow(self, box: int, count: int) -> int:
        paid = 0
        for place in range(self.scan.line):
            last = box - (box - place) % self.scan.line
            if last >= 0 and self.scan.free[4 * last + BOTTOM]:
                paid |= 1 << place
        made: int = self._call(
            kernels.narrow, self.shape, box, count, self.keep, paid, box, int(self.slots[box + 1]), self.layers,
            *self.known, self.tally, self.kept,
        )  # fmt: skip
        return made

    def closed(self) -> tuple[int, Any | None]:
        """(the fewest arcs found, which boxes they close); None for the boxes if a limit ended the way back."""
        boxes, target, room = self.scan.boxes, self.scan.target, int(self.shape[kernels.ROOM])
        final = self.layers[int(self.slots[boxes]) * room * (target + 1) :][target :: target + 1][: self.rows[-1]]
        row = int(np.argmin(final))
        arcs = int(final[row])
        closed = np.zeros(boxes + 1, dtype=np.int64)
        closed[boxes] = target
        last = boxes
        while last > 0:
            first = (last - 1) // self.span * self.span
            if last < boxes:
                if self.control.stop():
                    return arcs, None
                self._fill(first, last)
            row = self._call(
                kernels.trace, self.shape, self.free, self.layers, self.slots, self.sets, *self.known,
                first, last, row, closed,
            )  # fmt: skip
            last = first
        return arcs, closed[:boxes]


class Best:
    """The best answer so far, and what is proved."""

    def __init__(self, scan: Scan, control: Control) -> None:
        self.scan, self.control = scan, control
        self.arcs: int | None = None
        self.path: list[int] | None = None
        self.bound = 0

    def take(self, arcs: int, closed: Any | None) -> None:
        """Take an answer if it is better."""
        depth = self.control.limits.depth
        if closed is not None and (self.arcs is None or arcs < self.arcs) and (depth is None or arcs <= depth):
            self.arcs, self.path = arcs, self.scan.path(closed)
            self.control.emit("improve", value=arcs)

    def proved(self, bound: int) -> None:
        """Take a lower bound."""
        self.bound = max(self.bound, bound)
        self.control.progress_value = self.bound

    @property
    def done(self) -> bool:
        """Whether nothing is left to be improved."""
        return self.arcs is not None and self.arcs <= self.bound

    def found(self, exhausted: bool = False) -> Found:
        """What the run hands back."""
        if self.path is not None:
            self.control.emit("goal", depth=self.arcs)
        if not self.done:
            self.proved(int(self.scan.problem.estimate("polyomino")))
        pruned = "depth" if self.path is None and exhausted else None
        return Found(path=self.path, cost=self.arcs, bound=self.bound, exhausted=exhausted, pruned=pruned)


def profile(problem: Dots, control: Control, h: Any, *, width: int) -> Found:
    """Exact if the board is narrow enough; else with more and more masks, up to ``width`` for each number of boxes."""
    scan = Scan(problem)
    exact = scan.line <= EXACT and control.memory_allows(Layers.size(scan, 1 << scan.line, exact=True))
    _compile(scan, control, exact)
    best = Best(scan, control)
    if not exact or scan.boxes * (scan.target + 1) << scan.line > QUICK:
        _near_the_hull(scan, best)
    if not best.done and exact:
        layers = Layers(scan, control, None, 1 << scan.line)
        if _filled(layers):
            arcs, closed = layers.closed()
            best.take(arcs, closed)
            best.proved(arcs)
            if closed is not None:
                return best.found(exhausted=True)
    elif not exact:
        keep = FIRST_KEPT
        while keep <= width and not best.done and control.stopped_by is None:
            room = min(2 * keep * (scan.target + 1), 1 << scan.line)
            if not control.memory_allows(Layers.size(scan, room, exact=False)):
                control.stopped_by = "memory"
                break
            layers = Layers(scan, control, keep, room)
            if not _filled(layers):
                break
            best.take(*layers.closed())
            keep *= MORE
    if best.path is None and control.stopped_by != "cancelled":
        _near_the_hull(scan, best)
    return best.found()


def _compile(scan: Scan, control: Control, exact: bool) -> None:
    """Compile the kernels, or load them, by a run on the board's first box; then the search begins."""
    if (exact, control.debug) in _compiled:
        return
    corner = copy(scan)
    corner.line = corner.boxes = 1
    corner.target = min(scan.target, 1)
    corner.free = scan.free[:4]
    trial = Control(debug=control.debug)
    layers = Layers(corner, trial, None if exact else 1, 2)
    if _filled(layers):
        layers.closed()
    _compiled.add((exact, control.debug))
    control.stats.compile_seconds += trial.stats.compile_seconds
    control.start()


def _near_the_hull(scan: Scan, best: Best) -> None:
    """A first answer and a bound, by minimum cuts, unless a limit ends them."""
    known = hull(scan.line, scan.free, scan.target, best.control.stop)
    best.proved(max(known.bound, int(scan.problem.estimate("polyomino"))))
    nearest = filled(scan.line, scan.free, known.below, scan.target)
    best.take(nearest.arcs, nearest.boxes)


def _filled(layers: Layers) -> bool:
    """Whether all layers could be filled before a limit ended it."""
    return not any(layers.control.stop() for _ in layers.run()) and layers.done == layers.scan.boxes
