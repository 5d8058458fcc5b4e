"""Iterative-deepening A* on pattern databases: iterations of ``descent``, on threads or by turns with beams."""

from __future__ import annotations

import math
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from procura.compiled.anytime import Answers, take_turns
from procura.compiled.build import Specialised
from procura.compiled.engine import BoundProblem, compile_for, new_counts, run_slices
from procura.compiled.templates.counts import EXHAUSTED, FULL, RUNNING, SOLVED
from procura.control import Control, Found
from procura.data import Data
from procura.heuristics import BoundHeuristic, heuristic
from procura.preparing import open_table
from procura.puzzles.sliding.databases import Shape, neighbours, ranks_of, turns_of, weights_of
from procura.puzzles.sliding.descent import FRAME, FROM_THE_START, PATTERNS, START, UNDO, begin, run
from procura.puzzles.sliding.patterns import Cells, Layout, mirror
from procura.puzzles.sliding.specialist import databases

if TYPE_CHECKING:
    from procura.puzzles.sliding.rules import Sliding

WAYS = (3, 2, 1, 0)
"""The ways of the blank in the order in which they are tried: right, left, down, up; way ^ 1 is the way back."""
FIRST_DEPTH = 128
SERIAL_SECONDS = 0.05
ALONE, SHARE = 10_000_000, 0.01
"""The nodes that a search expands by itself, before beams look for an answer beside it; and those that beams expand
then for each one of the search.
"""
LARGE, ALONE_ON_LARGE, SHARE_ON_LARGE = 17, 100_000, 0.2
"""The same on boards of so many cells or more, few of which are proved in any time: beams come earlier and do more."""
FIRST_WIDTH, GUIDE = 64, "linear_conflict"
"""The width of the first beam, and what beams go by."""
BEFORE_SPLITTING = 200_000
"""The nodes that beams expand before the search is split among threads."""
MOST_TURNED = 8
"""The tiles of a pattern whose ranks are followed by a table."""
_SPLIT = -1


def pdb(problem: Sliding, control: Control, h: Any, *, partition: str, jobs: int) -> Found:
    """Iterations with a bound that rises by 2 from the estimate of the initial board; long searches split if asked.

    A board that takes long has an answer of a beam first, and better ones while the search goes on.
    """
    search = new_search(problem, control, partition)
    control.start()
    prover = _Prover(search, jobs)
    alone, share = (ALONE, SHARE) if len(problem.goal) < LARGE else (ALONE_ON_LARGE, SHARE_ON_LARGE)
    control.turn = alone if jobs == 1 else math.inf
    over = prover.go_on()
    control.turn = math.inf
    if over and not prover.splits:
        return prover.found
    answers = _answers(problem, control)
    if not prover.splits:
        return take_turns(problem, control, h, prover, answers, {"prove": "idastar", "share": share})
    from procura.compiled.subtrees import search_subtrees

    control.turn = control.stats.expanded + BEFORE_SPLITTING
    answers.go_on()
    control.turn = math.inf
    if answers.found.cost is not None and answers.found.cost <= search.counts.bound:
        return Found(path=answers.found.path, cost=answers.found.cost, bound=int(search.counts.bound))
    search.counts.expanded, search.counts.generated = control.stats.expanded, control.stats.generated
    found = search_subtrees(cast(Any, search), cast(Any, _Estimate(search)), jobs)
    if found.path is None:
        found.path, found.cost = answers.found.path, answers.found.cost
    return found


def new_search(problem: Sliding, control: Control, partition: str) -> Search:
    """A search of a board, its databases open and its kernels ready."""
    layout, patterns, table = databases(problem, partition)
    bits = np.asarray(open_table(table, control))
    maps = _maps(tuple(problem.goal), tuple(problem.data.target), layout, patterns)
    search = Search(problem, control, maps._replace(bits=bits))
    search.prepare()
    return search


def _answers(problem: Sliding, control: Control) -> Answers:
    """Beams for a board that takes long; the time to compile them does not count."""
    started = time.perf_counter()
    answers = Answers(problem, control, BoundHeuristic(heuristic(GUIDE), problem), FIRST_WIDTH)
    answers.prepare()
    control.forgive(time.perf_counter() - started)
    return answers


class _Prover:
    """The iterations, which can take turns with beams."""

    def __init__(self, search: Search, jobs: int) -> None:
        self.search, self.jobs, self.found = search, jobs, Found()
        self.splits = False
        """Whether the iterations are long enough to be shared by threads."""
        limit = search.control.limits.depth
        self._deepest = math.inf if limit is None else limit
        search.counts.bound = search.begin_at(search.problem.initial)
        self._note_bound()

    def go_on(self) -> bool:
        """Search until the turn is over; whether the search is."""
        search, found, control = self.search, self.found, self.search.control
        if search.counts.bound > self._deepest:
            found.exhausted, found.pruned = True, "depth"
            return True
        search.counts.expanded, search.counts.generated = control.stats.expanded, control.stats.generated
        status = run_slices(control, search.counts, search.kernel, self._slice, self._attend)
        self.splits = status == _SPLIT
        if status == FULL:
            control.stopped_by = "memory"
        found.bound, found.exhausted = int(search.counts.bound), status == EXHAUSTED
        found.pruned = "depth" if status == EXHAUSTED else None
        if status == SOLVED:
            found.path, found.cost = search.actions(), int(search.counts.g)
            control.emit("goal", depth=found.cost)
        return status != RUNNING or control.stopped_by is not None

    def _slice(self) -> int:
        status = self.search.slice()
        split = self.jobs > 1 and status == RUNNING and self.search.control.seconds >= SERIAL_SECONDS
        return _SPLIT if split else status

    def _attend(self, status: int) -> bool:
        counts = self.search.counts
        if status == FULL:
            return self.search.lengthen()
        if status != EXHAUSTED or counts.next_bound > self._deepest:
            return False
        counts.bound, counts.next_bound = counts.next_bound, math.inf
        self._note_bound()
        return True

    def _note_bound(self) -> None:
        control = self.search.control
        control.progress_value = self.found.bound = int(self.search.counts.bound)
        control.emit("bound", value=control.progress_value)


@lru_cache(maxsize=16)
def _maps(goal: Cells, target: tuple[int, ...], layout: Layout, patterns: tuple[Cells, ...]) -> Any:
    """All that the kernel reads of a goal and its patterns, apart from the databases.

    ``target`` says where each move of the blank leads from each cell.
    """
    shared, number = _shared(layout, patterns), layout.number
    home = np.array([number[goal.index(tile)] for tile in range(layout.cells)], dtype=np.int64)
    moves = [0] * 4
    for move in range(4):
        start = next(cell for cell in range(layout.cells) if target[4 * cell + move] != cell)
        moves[(1, -1, layout.columns, -layout.columns).index(number[target[4 * start + move]] - number[start])] = move
    return shared._replace(home=home, moves=np.array(moves), number=np.array(number, dtype=np.int64))


@lru_cache(maxsize=4)
def _shared(layout: Layout, patterns: tuple[Cells, ...]) -> Any:
    """The maps of all goals that lie alike.

    ``seen_at`` holds the cells as each view shows them; ``followed`` the place of ``board`` in which a view follows the
    pattern of the tile that belongs there; the fields from ``turn`` to ``goal_block`` are of these places.
    """
    cells = layout.cells
    shapes = {len(pattern): Shape(layout, len(pattern)) for pattern in patterns}
    starts, regions, length = {}, [], 0
    for tiles, shape in shapes.items():
        starts[tiles] = length
        regions.append((shape.block.reshape(-1, cells) - shape.first[:, None]).astype(np.int8).reshape(-1))
        length += len(shape.first)
    offsets, end = [], 0
    for pattern in patterns:
        offsets.append(end)
        end += -(-int(shapes[len(pattern)].count) * math.factorial(len(pattern)) // 8) * 8
    reflection = mirror(layout, patterns)
    views = [tuple(range(cells)), *([] if reflection is None else [reflection])]
    where = {cell: j for j, pattern in enumerate(patterns) for cell in pattern}
    turns, turning = [np.zeros(1, dtype=np.uint16)], {}
    for tiles in shapes:
        turning[tiles] = sum(map(len, turns)) if tiles <= MOST_TURNED else -1
        if tiles <= MOST_TURNED:
            turns.append(turns_of(tiles, layout.columns - 1))
    ranks, half = ranks_of(cells)
    both, sizes = [*patterns, *patterns], [len(pattern) for pattern in patterns] * 2

    def row(values: Any) -> Any:
        return np.array(values, dtype=np.int64)

    return Data(
        near=neighbours(layout).reshape(-1, 4)[:, WAYS].reshape(-1),
        moves=row(range(4)),
        seen_at=row(views).reshape(-1),
        number=row(layout.number),
        home=row(range(cells)),
        pattern=row([where.get(cell, -1) for cell in range(cells)]),
        followed=row([len(patterns) * v + where.get(seen, 0) for v, view in enumerate(views) for seen in view]),
        ranks=ranks,
        block=np.concatenate([shape.first for shape in shapes.values()]),
        region=np.concatenate(regions),
        turns=np.concatenate(turns),
        turn=row([turning[tiles] for tiles in sizes]),
        tiles=row(sizes),
        first=row([starts[tiles] for tiles in sizes]),
        offset=row(offsets * 2),
        size=row([math.factorial(tiles) for tiles in sizes]),
        weights=row([[*weights_of(tiles), *[0] * 16][:16] for tiles in sizes]).reshape(-1),
        goal_mask=row([sum(1 << cell for cell in pattern) for pattern in both]),
        goal_block=row([shapes[len(pattern)].goal(pattern) for pattern in both]),
        sizes=row([cells, half, len(views), len(patterns), layout.blank, layout.columns]),
        bits=np.zeros(1, dtype=np.int8),
    )


class Search:
    """A search under way, one of several if they share a tree."""

    whole = True
    program = None

    def __init__(self, problem: Sliding, control: Control, maps: Any) -> None:
        self.problem, self.control, self.maps = problem, control, maps
        self.counts = new_counts(control)
        self.counts.entry_capacity = FIRST_DEPTH
        cells, followed = len(problem.goal), 2 * int(maps.sizes[PATTERNS])
        rows = {"cells": cells, "seen": cells, "now": 5, "frames": FIRST_DEPTH * FRAME}
        rows |= dict.fromkeys(("masks", "rank", "values"), followed)
        self.board = Data(**{name: np.zeros(size, dtype=np.int64) for name, size in rows.items()})
        self._bound: BoundProblem | None = None

    kernel: Specialised
    _begin: Specialised

    def prepare(self) -> None:
        """Compile the kernels, or load them."""
        row = np.zeros(self.problem.size, dtype=np.int64)
        self._begin = compile_for(self.control, begin, {}, (row, self.board, self.maps))
        self.kernel = compile_for(
            self.control, run, {"FROM_THE_START": FROM_THE_START}, (self.board, self.maps, self.counts.words)
        )

    @property
    def bound(self) -> BoundProblem:
        """The problem's own rows, for those who split the tree."""
        if self._bound is None:
            self._bound = BoundProblem(self.problem, self.control)
        return self._bound

    def another(self) -> Search:
        """One more search of the same problem, to run beside this one."""
        search = Search(self.problem, self.control, self.maps)
        search.kernel, search._begin, search._bound = self.kernel, self._begin, self.bound
        return search

    def begin(self, words: Any, g: int = 0, undo: int = -1) -> None:
        """Be about to search from a row, reached at cost ``g``; ``undo`` is the move that would only go back."""
        self.begin_at(words.view(self.bound.dtype)[: self.problem.size], g, undo)

    def begin_at(self, state: Any, g: int = 0, undo: int = -1) -> int:
        """The same from a state; its estimate."""
        estimate = int(self._begin(np.array(state, dtype=np.int64), self.board, self.maps))
        self.board.now[START], self.board.now[UNDO] = g, list(self.maps.moves).index(undo) if undo >= 0 else -1
        self.counts.head = -1
        self.counts.next_bound = math.inf
        return estimate

    def slice(self) -> int:
        """Search until something needs Python."""
        return int(self.kernel(self.board, self.maps, self.counts.words))

    def lengthen(self) -> bool:
        """Room for twice as many depths; False if memory does not allow it."""
        frames = self.board.frames
        if not self.control.memory_allows(frames.nbytes):
            return False
        self.board = self.board._replace(frames=np.concatenate([frames, np.zeros_like(frames)]))
        self.counts.entry_capacity *= 2
        return True

    def actions(self) -> list[int]:
        """The moves to the goal."""
        ways = self.board.frames[: FRAME * self.counts.goal : FRAME]
        actions: list[int] = self.maps.moves[ways].tolist()
        return actions


class _Estimate:
    """The estimate of any state, for those who split the tree."""

    admissible = integer = bounded = True

    def __init__(self, search: Search) -> None:
        self._search = search.another()

    def value(self, state: Any) -> int:
        return self._search.begin_at(state)
