"""Iterative-deepening A* on several threads: in each iteration they share the subtrees below the first levels.

The tree's top is split in Python until there are enough subtrees whose f is within the bound. They are numbered as a
search on one thread would come to them. A thread takes the next one, and searches it with the same kernel, which
releases the interpreter's lock. A goal ends the iteration once every subtree before it has been searched, so the
solution is the one that a single thread finds; the bounds, too, rise to the same last one.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from procura.compiled.engine import conclude
from procura.compiled.idastar import Search, beyond, number
from procura.compiled.templates import counts as c
from procura.control import SLICE_SECONDS, Control, Found, next_slice
from procura.heuristics import BoundHeuristic
from procura.problem import DEAD
from procura.search.idastar import whole_estimate
from procura.search.node import checked_successors, deepest_f

SUBTREES = 128
"""Subtrees within the bound for each thread: enough that all are busy until the end of an iteration."""
MOST_ROUNDS = 64


@dataclass(slots=True)
class Subtree:
    """A path from the initial state, below which a thread searches."""

    state: Any
    path: tuple[int, ...]
    g: Any
    top: Any
    """The greatest f on the path: it is within the bound if this is."""
    leaf: bool
    """Not to be split: a goal, or as deep as the limit allows."""


def search_subtrees(first: Search, h: BoundHeuristic, jobs: int) -> Found:
    """Go on from where ``first`` is, at the beginning of its iteration."""
    control = first.bound.control
    team = _Team(first, h, jobs)
    bound = number(first.counts.bound, first.whole)
    deepest = deepest_f(first.bound.problem, control, h)
    while True:
        control.progress_value = bound
        next_bound = team.iteration(bound)
        found = team.found(bound)
        if found.path is not None or control.stopped_by is not None:
            return found
        if next_bound == math.inf or next_bound > deepest:
            found.exhausted = True
            found.pruned = found.pruned if next_bound == math.inf else "depth"
            return found
        if beyond(next_bound, first.whole):
            conclude(first.bound, first.counts, c.LARGE)
        bound = number(next_bound, first.whole)
        control.emit("bound", value=bound)


class _Team:
    """The threads, and what they share under one lock."""

    def __init__(self, first: Search, h: BoundHeuristic, jobs: int) -> None:
        self.bound, self.problem = first.bound, first.bound.problem
        self.control: Control = first.bound.control
        self.estimate = whole_estimate(self.problem, h)
        self.members = [_Member(self, first.another()) for _ in range(jobs)]
        self.enough = SUBTREES * jobs
        self.trees = self._made([((), self.problem.initial, 0)], -math.inf)
        self.lock = threading.Condition()
        self.expanded = first.counts.expanded
        self.generated = first.counts.generated
        self.pruned = bool(first.counts.pruned_depth)
        self.largest = first.counts.largest_g
        self.value: Any = None
        self.error: BaseException | None = None
        limit = self.control.limits.nodes
        self.nodes_left = math.inf if limit is None else limit - self.expanded
        self.nodes_lent = 0

    def _made(self, steps: Iterable[tuple[tuple[int, ...], Any, Any]], top: Any) -> list[Subtree]:
        """The subtrees at (path, state, g), below a path on which the greatest f is ``top``."""
        made, limit = [], self.control.limits.depth
        for path, state, g in steps:
            value = self.estimate(state)
            if value < DEAD:
                leaf = (limit is not None and len(path) >= limit) or self.problem.is_goal(state)
                made.append(Subtree(state, path, g, max(top, g + value), leaf))
        return made

    def iteration(self, value: Any) -> float:
        """Search all paths whose f is up to ``value``; the least f above it."""
        self.value = value
        self._split()
        self.active = [tree for tree in self.trees if tree.top <= value]
        self.next_bound = min((float(tree.top) for tree in self.trees if tree.top > value), default=math.inf)
        self.taken = 0
        self.goal, self.goal_cost = len(self.active), None
        self.goal_path: tuple[int, ...] = ()
        self.stopping = self.control.stopped_by is not None
        threads = [threading.Thread(target=member.work, daemon=True) for member in self.members]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(SLICE_SECONDS)
                    self._report()
                    if self.control.stopped_by is None and not self.stopping and self.control.stop():
                        self.stop(self.control.stopped_by)
        finally:
            self.stop(None)
            for thread in threads:
                thread.join(10 * SLICE_SECONDS)  # after a second Ctrl-C one may be inside a kernel that never returns
        self._report()
        if self.error is not None:
            raise self.error
        return self.next_bound

    def found(self, value: Any) -> Found:
        """What an iteration with this bound found."""
        pruned = self.pruned or any(member.search.counts.pruned_depth for member in self.members)
        largest = max([self.largest, *(member.search.counts.largest_g for member in self.members)])
        for member in self.members:
            self.bound.note_largest(member.search.program)
        found = Found(bound=value, pruned="depth" if pruned else None, largest=largest)
        if self.goal < len(self.active):
            found.path = [*self.active[self.goal].path, *self.goal_path]
            found.cost = self.goal_cost
            self.control.emit("goal", depth=len(found.path))
        return found

    def _split(self) -> None:
        """Put successors in the place of subtrees within the bound until there are enough of them."""
        for _ in range(MOST_ROUNDS):
            active = sum(tree.top <= self.value for tree in self.trees)
            if active >= self.enough or all(tree.leaf for tree in self.trees if tree.top <= self.value):
                return
            trees: list[Subtree] = []
            for at, tree in enumerate(self.trees):
                if tree.leaf or tree.top > self.value:
                    trees.append(tree)
                    continue
                if self.control.stop_before_expanding(len(tree.path)):
                    self.trees = trees + self.trees[at:]
                    return
                trees += self._successors(tree)
            self.trees = trees

    def _successors(self, tree: Subtree) -> list[Subtree]:
        stats = self.control.stats
        after = tree.path[-1] if tree.path else None
        made = list(checked_successors(self.problem, tree.state, after))
        if not self.problem.integer_costs:
            self.largest = max([self.largest, *(abs(tree.g + cost) for _, _, cost in made)])
        stats.expanded = self.expanded = self.expanded + 1
        stats.generated = self.generated = self.generated + len(made)
        stats.depth = max(stats.depth, len(tree.path) + bool(made))
        self.nodes_left -= 1
        return self._made((((*tree.path, move), state, tree.g + cost) for move, state, cost in made), tree.top)

    def _report(self) -> None:
        """Bring the figures of the run up to date."""
        stats, members = self.control.stats, self.members
        stats.expanded = self.expanded + sum(member.search.counts.expanded for member in members)
        stats.generated = self.generated + sum(member.search.counts.generated for member in members)
        stats.depth = max(stats.depth, *(member.depth for member in members))
        stats.max_frontier = max(stats.max_frontier, *(member.longest for member in members))

    # What follows is called by the threads.

    def take(self) -> int | None:
        """The number of a subtree nobody has searched, if one is left that matters."""
        with self.lock:
            if self.stopping or self.taken >= self.goal:
                return None
            self.taken += 1
            return self.taken - 1

    def dropped(self, number: int) -> bool:
        """Whether a subtree no longer matters."""
        return self.stopping or number > self.goal

    def lend(self, nodes: int) -> int:
        """So many of the nodes that may still be expanded, or as many as there are; 0 ends the run."""
        with self.lock:
            while self.nodes_left <= 0 and self.nodes_lent and not self.stopping:
                self.lock.wait()
            lent = int(min(nodes, max(self.nodes_left, 0)))
            self.nodes_left -= lent
            self.nodes_lent += lent
            return lent

    def give_back(self, lent: int, used: int) -> None:
        """Return what a slice did not use."""
        with self.lock:
            self.nodes_left += lent - used
            self.nodes_lent -= lent
            self.lock.notify_all()

    def stop(self, why: str | None) -> None:
        """End the iteration; ``why`` is the limit that ends the run, if one does."""
        with self.lock:
            if why is not None:
                self.control.stopped_by = why
            self.stopping = True
            self.lock.notify_all()

    def note(self, next_bound: float) -> None:
        """A subtree has been searched, or part of it: the least f above the bound there."""
        with self.lock:
            self.next_bound = min(self.next_bound, next_bound)

    def note_goal(self, number: int, path: list[int], cost: Any) -> None:
        """A subtree has a goal."""
        with self.lock:
            if number < self.goal:
                self.goal, self.goal_path, self.goal_cost = number, tuple(path), cost

    def fail(self, error: BaseException) -> None:
        """A thread cannot go on."""
        self.error = error
        self.stop(None)


class _Member:
    """One thread's search."""

    def __init__(self, team: _Team, search: Search) -> None:
        self.team, self.search = team, search
        self.budget = search.kernel.pace
        self.depth = self.longest = 0

    def work(self) -> None:
        """Search subtrees as long as there are any."""
        try:
            number = self.team.take()
            while number is not None:
                self._search(number)
                number = self.team.take()
        except BaseException as error:
            self.team.fail(error)

    def _search(self, at: int) -> None:
        team, search, counts = self.team, self.search, self.search.counts
        tree = team.active[at]
        self._begin(tree)
        while not team.dropped(at):
            lent = team.lend(self.budget)
            if not lent:
                team.stop("nodes")
                return
            before = counts.expanded
            counts.until = before + lent
            started = time.perf_counter()
            try:
                status = search.slice()
            finally:
                team.give_back(lent, counts.expanded - before)
            self.depth = max(self.depth, len(tree.path) + counts.depth)
            self.longest = max(self.longest, len(tree.path) + counts.max_frontier)
            if status == c.RUNNING:
                self.budget = next_slice(self.budget, time.perf_counter() - started)
            elif status == c.FULL and search.lengthen():
                continue
            else:
                self._end(at, status)
                return

    def _begin(self, tree: Subtree) -> None:
        problem, search, counts = self.team.problem, self.search, self.search.counts
        row, words = search.bound.new_row()
        row[:] = tree.state
        undo = -1
        if problem.inverse is not None and tree.path:
            undo = int(problem.inverse(problem.lists, tree.path[-1]))
        search.begin(words, tree.g, undo)
        search.counts.bound = self.team.value
        limit = self.team.control.limits.depth
        if limit is not None:
            counts.depth_limit = min(limit - len(tree.path), c.NO_DEPTH_LIMIT - 1)
        counts.depth = counts.max_frontier = 0

    def _end(self, at: int, status: int) -> None:
        team, search = self.team, self.search
        if status == c.FULL:
            team.stop("memory")
        elif status in (c.LARGE, c.INVALID, c.TOO_MANY):
            search.bound.s[:] = search.row()
            conclude(search.bound, search.counts, status)
        elif status == c.SOLVED:
            team.note_goal(at, search.actions(), number(search.counts.g, search.whole))
        team.note(search.counts.next_bound)
