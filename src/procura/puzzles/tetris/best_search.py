"""The runs of ``best``: beams that find many points, and layers of all boards that prove how many there can be.

The two take turns, and each gets more to do every time. A beam keeps of each layer the boards that look best by some
weights; the weights that did best so far, and others near them, are tried with wider and wider beams. An exact run
keeps every board that could still beat the best answer. If it gets to the last piece the answer is proved; if it has to
stop, the most points that any board of its last whole layer could come to are a bound.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procura.compiled.engine import BoundProblem, compile_for
from procura.control import FIRST_SLICE, Control, Found, next_slice
from procura.puzzles.tetris import beams, layers as kernels
from procura.puzzles.tetris.pieces import POINTS, most_lines
from procura.rng import stream, uniform

if TYPE_CHECKING:
    from procura.puzzles.tetris.rules import Tetris

FIRST_WIDTH, FIRST_BOARDS = 100, 20_000
"""Boards of a layer of the first beams, and those that the first exact run may keep in all."""
MORE = 4
"""How many times as much each of them may do the next time."""
BEAMS = 12
"""Weights tried in the first round; in each later one half as many as before, but no fewer than two."""
SPARE = 4
"""A beam has room for so many times the boards that it keeps of a layer."""
SURE = 0.8
"""The part of the time left that a beam may be expected to take."""

_compiled: set[bool] = set()
"""Whether the kernels have been compiled in this process, in debug or not."""


class Stopped(Exception):
    """A limit, or another thread's proof, ends a run."""


class Layer(NamedTuple):
    """The boards after so many pieces."""

    keys: Any
    points: Any
    parents: Any
    moves: Any


class Store(NamedTuple):
    """Boards of the next layer as they are made; ``values`` are their ranks, or the most points they can come to."""

    keys: Any
    points: Any
    parents: Any
    moves: Any
    values: Any
    table: Any

    def chosen(self, boards: Any, words: int) -> Layer:
        """The layer of some of them."""
        keys = self.keys.reshape(-1, words)[boards].reshape(-1)
        return Layer(keys, self.points[boards], self.parents[boards], self.moves[boards])


class Run:
    """What all layers of a problem share, for one thread."""

    def __init__(self, shared: Best, stop: Callable[[], bool]) -> None:
        self.shared, self.problem, self.control, self.stop = shared, shared.problem, shared.control, stop
        self.pace = FIRST_SLICE
        bound = BoundProblem(self.problem, self.control)
        self.data, self.work = bound.data, bound.work
        rows, columns = self.problem.rows, self.problem.columns
        self.board, self.s = np.zeros(rows, np.int64), np.zeros(rows + 3, np.int64)
        self.heights, self.outline = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
        self.per = 62 // columns
        self.words = -(-rows // self.per)
        self.bottoms, self.tops = beams.ends_of_columns()

    def start(self) -> Layer:
        """The layer of the board as it is given."""
        keys = np.zeros(self.words, dtype=np.int64)
        for row, mask in enumerate(self.problem.board):
            keys[row // self.per] |= mask << self.problem.columns * (row % self.per)
        return Layer(keys, np.zeros(1, np.int64), np.zeros(1, np.int32), np.zeros(1, np.int32))

    def _take(self) -> int:
        """How many boards may be expanded before the next look at the clock; raises ``Stopped`` if none."""
        shared, limit = self.shared, self.control.limits.nodes
        with shared.lock:
            taken = self.pace
            if limit is not None:
                taken = min(taken, limit - self.control.stats.expanded - shared.taken)
            if self.stop() or taken <= 0:
                raise Stopped
            shared.taken += taken
        return taken

    def _counts(self, placed: int, to_beat: int) -> Any:
        counts = np.zeros(9, dtype=np.int64)
        counts[[kernels.WORDS, kernels.PER_WORD, kernels.PLACED]] = self.words, self.per, placed
        counts[kernels.TO_BEAT] = counts[kernels.BEST] = to_beat
        return counts

    def _expand(self, layer: Layer, counts: Any, kernel: Callable[[], None]) -> bool:
        """Run ``kernel`` until all boards of the layer are expanded, or there is no room for more: False."""
        while counts[kernels.NEXT] < len(layer.points):
            before, taken, started = int(counts[kernels.NEXT]), self._take(), time.perf_counter()
            counts[kernels.LAST] = min(before + taken, len(layer.points))
            try:
                kernel()
            finally:
                self._count(taken, int(counts[kernels.NEXT]) - before, counts)
            self.pace = next_slice(max(1, int(counts[kernels.NEXT]) - before), time.perf_counter() - started)
            if counts[kernels.NEXT] < counts[kernels.LAST]:
                return False
        return True

    def _count(self, taken: int, expanded: int, counts: Any) -> None:
        stats = self.control.stats
        with self.shared.lock:
            self.shared.taken -= taken
            stats.expanded += expanded
            stats.generated += int(counts[kernels.CHILDREN])
        counts[kernels.CHILDREN] = 0

    def _store(self, size: int, values: Any) -> Store:
        """Room for so many boards; raises ``Stopped`` if memory does not allow it."""
        if not self.control.memory_allows(size * (8 * self.words + 40)):
            self.control.stopped_by = "memory"
            raise Stopped
        return Store(
            np.empty(size * self.words, np.int64), np.empty(size, np.int64), np.empty(size, np.int32),
            np.empty(size, np.int32), np.empty(size, values), np.zeros(1 << (2 * size).bit_length(), np.int32),
        )  # fmt: skip

    def _copy(self, old: Store, boards: Any, new: Store) -> None:
        """Put some boards, and no others, into a store; it may be the one they are in."""
        made = len(boards)
        layer, values = old.chosen(boards, self.words), old.values[boards]
        for column, now in zip((*layer, values), new[:-1], strict=True):
            now[: len(column)] = column
        new.table[:] = 0
        arguments = (new.keys, made, self.words, new.table)
        compile_for(self.control, kernels.refill, {}, arguments)(*arguments)

    def exact_layer(self, layer: Layer, placed: int, to_beat: int, room: int) -> tuple[Layer, int]:
        """(all boards that one more piece makes and that can beat so many points, the most any of them can come to)."""
        counts = self._counts(placed, to_beat)
        size = min(room, max(1024, 4 * len(layer.points)))
        new = self._store(size, np.int64)
        before = (
            self.data, self.work, self.bottoms, self.board, self.heights, self.s, counts, layer.keys, layer.points
        )  # fmt: skip
        kernel = compile_for(self.control, kernels.expand, {}, (*before, *new))
        while not self._expand(layer, counts, partial(kernel, *before, *new)):
            if size >= room:
                raise Stopped
            size = min(room, 2 * size)
            old, new = new, self._store(size, np.int64)
            self._copy(old, np.arange(counts[kernels.MADE]), new)
        return new.chosen(slice(0, counts[kernels.MADE]), self.words), int(counts[kernels.BEST])

    def beam_layer(self, layer: Layer, placed: int, to_beat: int, weights: Any, width: int, new: Store) -> Layer:
        """The boards of highest rank that one more piece makes."""
        shared, left = self.shared, len(self.problem.pieces) - placed
        counts, floor = self._counts(placed, to_beat), np.full(1, -np.inf)
        looks = min(1.0, left / 2)
        before = (
            self.data, self.bottoms, self.tops, self.board, self.heights, self.s, self.outline,
            weights * looks * max(self.problem.point_table) / max(POINTS),
            shared.ready[placed] * weights[beams.READY] * looks,
            beams.hopes_of(shared.by_cells[placed], left) * weights[beams.CELLS], shared.by_cells[placed],
            floor, counts, layer.keys, layer.points,
        )  # fmt: skip
        kernel = compile_for(self.control, beams.sweep, {}, (*before, *new))
        new.table[:] = 0
        while not self._expand(layer, counts, partial(kernel, *before, *new)):
            best = _highest(new.values, int(counts[kernels.MADE]), width)
            floor[0] = new.values[best].min()
            self._copy(new, best, new)
            counts[kernels.MADE] = len(best)
        return new.chosen(_highest(new.values, int(counts[kernels.MADE]), width), self.words)

    def beam(self, weights: tuple[float, ...], width: int, to_beat: int) -> tuple[int, list[int]] | None:
        """(points, moves) of the best of so many boards kept in each layer; None if none can beat so many points."""
        store = self._store(SPARE * (width + self.problem.columns), np.float64)
        every = [self.start()]
        for placed in range(1, len(self.problem.pieces) + 1):
            layer = self.beam_layer(every[-1], placed, to_beat, np.array(weights), width, store)
            if not len(layer.points):
                return None
            _add(every, layer)
        return _best_of(every)

    def exact(self, to_beat: int, most: int) -> Iterator[tuple[int, tuple[int, list[int]] | None]]:
        """(a bound on the points, None) after each layer; at last (the most points, the answer that makes them)."""
        every = [self.start()]
        kept = 0
        for placed in range(1, len(self.problem.pieces) + 1):
            layer, best = self.exact_layer(every[-1], placed, to_beat, most - kept)
            kept += len(layer.points)
            if not len(layer.points):
                yield to_beat, None
                return
            _add(every, layer)
            yield best, None
        yield int(layer.points.max()), _best_of(every)


def _add(every: list[Layer], layer: Layer) -> None:
    """Add a layer; of the one before it only the way back is kept."""
    every[-1] = every[-1]._replace(keys=None, points=None)
    every.append(layer)


def _highest(ranks: Any, made: int, count: int) -> Any:
    """So many of these boards, of the highest ranks."""
    return np.arange(made) if made <= count else np.argpartition(-ranks[:made], count)[:count]


def _best_of(every: list[Layer]) -> tuple[int, list[int]]:
    """The points and moves that lead to the best board of the last layer."""
    at = int(np.argmax(every[-1].points))
    points, moves = int(every[-1].points[at]), []
    for layer in reversed(every[1:]):
        moves.append(int(layer.moves[at]))
        at = int(layer.parents[at])
    return points, moves[::-1]


class Best:
    """The best answer so far and the least bound, shared by all threads."""

    def __init__(self, problem: Tetris, control: Control, most: int) -> None:
        self.problem, self.control = problem, control
        self.points, self.most = -1, most
        self.moves: list[int] | None = None
        self.weights: list[tuple[int, int, tuple[float, ...]]] = []
        """(points, width, weights) of the beams so far."""
        self.by_cells = beams.most_by_cells(problem)
        self.ready = _ready(problem)
        self.each = 0.0
        """Seconds that a beam took for each board of its width."""
        self.taken = 0
        """Boards that threads are about to expand."""
        self.failed = False
        """Whether a thread has raised something, which ends the others."""
        self.lock = threading.RLock()

    def cost(self, points: int) -> int:
        """What so many points cost."""
        lost = self.problem.data.maxima_left[0] if self.problem.cost_name == "opportunity" else 0
        return lost - points

    def take(self, found: tuple[int, list[int]] | None) -> None:
        """Take an answer if it is better."""
        with self.lock:
            if found is not None and found[0] > self.points:
                self.points, self.moves = found
                self.control.emit("improve", value=self.cost(self.points))

    def bounded(self, most: int) -> None:
        """Take a bound if it is lower."""
        with self.lock:
            self.most = min(self.most, max(most, self.points))
            self.control.progress_value = self.cost(self.most)

    @property
    def proved(self) -> bool:
        """Whether no more points can be made."""
        return self.points >= self.most

    def found(self) -> Found:
        """What the run hands back."""
        if self.moves is not None:
            self.control.emit("goal", depth=len(self.moves))
        bound = None if self.moves is None and self.proved else self.cost(self.most)
        return Found(path=self.moves, exhausted=self.proved, bound=bound)


def _ready(problem: Tetris) -> Any:
    """[pieces placed] -> the points that 0 to 4 rows make at once, as far as one of the pieces left completes them."""
    found = np.zeros((len(problem.pieces) + 1, 5))
    lines = 0
    for placed in range(len(problem.pieces) - 1, -1, -1):
        lines = max(lines, most_lines(problem.pieces[placed]))
        found[placed] = [problem.point_table[min(rows, lines)] for rows in range(5)]
    return found


def best(problem: Tetris, control: Control, h: Any, *, jobs: int) -> Found:
    """Beams and exact runs by turns, until the answer is proved or a limit ends it."""
    if control.limits.depth is not None and len(problem.pieces) > control.limits.depth:
        return Found(exhausted=True, pruned="depth")
    if problem.board[-1]:
        return Found(exhausted=True)
    _compile(problem, control)
    most = -problem.estimate("quality_bound")
    shared = Best(problem, control, most if most > -(10**9) else -1)
    if shared.proved:
        return shared.found()

    def stop() -> bool:
        with shared.lock:
            if shared.proved or shared.failed:
                return True
            limit = control.limits.nodes
            if limit is not None and control.stats.expanded >= limit:
                control.stopped_by = "nodes"
            return control.stop()

    schedule = _schedule(shared)

    def work(run: Run) -> None:
        try:
            while not stop():
                with shared.lock:
                    task = next(schedule)
                task(run)
        except BaseException:
            shared.failed = True
            raise

    runs = [Run(shared, stop) for _ in range(jobs)]
    if jobs == 1:
        work(runs[0])
    else:
        with ThreadPoolExecutor(jobs) as threads:
            list(threads.map(work, runs))
    return shared.found()


def _schedule(shared: Best) -> Iterator[Callable[[Run], None]]:
    """What to do, one after the other: some beams, an exact run, fewer but wider beams, a longer exact run."""
    rng = [stream(len(shared.problem.pieces), shared.problem.filled)]
    width, boards = FIRST_WIDTH, max(1, FIRST_BOARDS // max(1, len(shared.problem.pieces) - 10))
    beams, turn = BEAMS, 0
    while True:
        used: set[tuple[float, ...]] = set()
        for _ in range(beams):
            weights = _chosen(shared, turn, used, rng)
            used.add(weights)
            turn += 1
            yield partial(_beam, shared, weights, width)
        yield partial(_exact, shared, boards)
        width, boards, beams = width * MORE, boards * MORE, max(2, beams // 2)


def _chosen(shared: Best, turn: int, used: set[tuple[float, ...]], rng: list[int]) -> tuple[float, ...]:
    """The weights of beam number ``turn``; ``used`` are those that beams of its width have had.

    First come the two sets to begin with, and others near the best so far. Then in turn those that did best, those of
    ``surface``, and new ones near the best; none twice.
    """
    tried = [weights for *_, weights in sorted(shared.weights, reverse=True) if weights != beams.SURFACE]
    if turn == 0:
        return beams.WEIGHTS
    if turn % 3 == 1 and beams.SURFACE not in used:
        return beams.SURFACE
    again = [weights for weights in tried if weights not in used]
    if again and turn >= BEAMS and turn % 3 == 0:
        return again[0]
    return _near(tried[0] if tried else beams.WEIGHTS, rng)


def _near(weights: tuple[float, ...], rng: list[int]) -> tuple[float, ...]:
    """Each weight times something from a half to two."""
    return tuple(weight * 2 ** (2 * uniform(rng) - 1) for weight in weights)


def _beam(shared: Best, weights: tuple[float, ...], width: int, run: Run) -> None:
    """Run a beam, no wider than the time left allows."""
    control, started = shared.control, time.perf_counter()
    if control.limits.seconds is not None and shared.each:
        left = control.limits.seconds - control.seconds
        width = max(1, min(width, int(SURE * left / shared.each)))
    try:
        found = run.beam(weights, width, shared.points if width > FIRST_WIDTH else -1)
    except Stopped:
        return
    shared.each = (time.perf_counter() - started) / width
    shared.take(found)
    if found is not None:
        with shared.lock:
            shared.weights.append((found[0], width, weights))


def _exact(shared: Best, boards: int, run: Run) -> None:
    try:
        for most, found in run.exact(shared.points, boards):
            shared.take(found)
            shared.bounded(most)
    except Stopped:
        return


def _compile(problem: Tetris, control: Control) -> None:
    """Compile the kernels, or load them; then the search begins."""
    if control.debug in _compiled:
        return
    trial = Control(debug=control.debug)
    run = Run(Best(problem, trial, 0), lambda: False)
    run.exact_layer(run.start(), 1, -1, 1024)
    store = run._store(1024, np.float64)
    run.beam_layer(run.start(), 1, -1, np.array(beams.WEIGHTS), 1, store)
    run._copy(store, np.arange(0), store)
    _compiled.add(control.debug)
    control.stats.compile_seconds += trial.stats.compile_seconds
    control.start()
