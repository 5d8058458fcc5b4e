"""How the database of a pattern is built: least costs in the abstract space, level by level from the goals back.

Where moves have inverses and the goals are listed, the rows before a row are found by its moves. Elsewhere the abstract
space is explored forwards from the initial row first, and every step is kept, to go back by. Rows of one value, a
level, are found by going through the table; those that come into it meanwhile, by steps that cost nothing, are put on
a stack. What does not fit the room that was declared ends the build: all that is then known of the rest is that it
costs no less than the level at hand, or 1 more if every step costs 1.

The functions run compiled, or interpreted where there is little to do or no Numba; both write the same table.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from typing import Any

from procura.compiled.kernels import can_compile
from procura.control import FIRST_SLICE, Control, in_charge, next_slice
from procura.data import Data
from procura.debug import debugging
from procura.errors import InputError
from procura.patterns import (
    CEILING,
    GREATEST,
    HEADER,
    MISSING,
    SCRATCH,
    SIZE,
    UNKNOWN,
    VALUE_MASK,
    WORDS,
    abstract_goals,
    bound,
    facts,
    find,
    goes_back,
    pack,
    unpack,
)
from procura.problem import DEAD, ArrayProblem
from procura.tables import Report

PATTERN, LEVEL, NEXT, PLACE, TOP, STORED, ROOM, EXPANDED, UNTIL, STEPS, COUNTERS = range(11)
"""Indexes into ``at``: the pattern's number; the value of the level and the next greater one; where the table is gone
through; the entries of the stack; the rows stored and how many may be; those expanded and how many shall be; steps."""
RUNNING, DONE, FULL, TOO_MANY, NEGATIVE, ONE_WAY = range(6)
"""What a portion of the work ends with."""
ENTER, EXPLORE, MARK, SPREAD = range(4)
"""The parts of the work."""
FEW = 2000
"""So many rows are interpreted sooner than kernels are loaded."""
LOOKED_AT = 300
COMPILED_SPEED = 100
"""How much faster compiled code is, about."""
WEIGHED = False  # steps need not cost 1


def moves(s: Any, data: Any, work: Any, out: Any) -> Any:  # this and those below are bound to the problem's
    return 0


def apply(s: Any, data: Any, work: Any, move: Any) -> Any:
    return 1


def inverse(data: Any, move: Any) -> Any:
    return move


def is_goal(s: Any, data: Any, work: Any) -> Any:
    return False


def weigh(s: Any, data: Any, work: Any, pattern: Any, move: Any) -> Any:
    """What a step costs; this is bound to the problem's ``counts`` if it has one."""
    return apply(s, data, work, move)


def copy(source: Any, target: Any) -> None:
    """Copy a row."""
    for i in range(SIZE):
        target[i] = source[i]


def store(table: Any, at: Any, work: Any) -> Any:
    """Where the row in ``work`` is recorded, now if it was not; -1 if there is no room."""
    place = find(table, work)
    if table[place] == 0:
        if at[STORED] == at[ROOM]:
            return -1
        at[STORED] += 1
        table[place] = work[SCRATCH] | (UNKNOWN + 1)
        for w in range(1, WORDS):
            table[place + w] = work[SCRATCH + w]
    return place


def lower(table: Any, stack: Any, at: Any, place: Any, value: Any) -> None:
    """Record a value if it is less than what was known."""
    value = min(value, GREATEST)
    known = (table[place] & VALUE_MASK) - 1
    if value < known:
        table[place] += value - known
        if value > at[LEVEL]:
            at[NEXT] = min(at[NEXT], value)
        elif place < at[PLACE]:
            stack[at[TOP]] = place
            at[TOP] += 1


def by_moves(table: Any, stack: Any, steps: Any, at: Any, place: Any, rows: Any, out: Any, data: Any, work: Any) -> int:
    """Lower the values of all rows from which a move leads to the one at ``place``, by taking moves back."""
    s, t, u = rows
    own = work[:SCRATCH]
    unpack(table, place, s)
    count = moves(s, data, own, out)
    if count > len(out):
        return TOO_MANY
    for k in range(count):
        move, cost = out[k], 1
        copy(s, t)
        apply(t, data, own, move)
        pack(t, data, work, at[PATTERN])
        if WEIGHED:
            forward = inverse(data, move)
            if inverse(data, forward) != move:
                return ONE_WAY
            unpack(work, SCRATCH, u)
            cost = int(weigh(u, data, own, at[PATTERN], forward))
            if cost < 0:
                return NEGATIVE
        before = store(table, at, work)
        if before < 0:
            return FULL
        lower(table, stack, at, before, at[LEVEL] + cost)
    return RUNNING


def by_steps(table: Any, stack: Any, steps: Any, at: Any, place: Any, rows: Any, out: Any, data: Any, work: Any) -> int:
    """The same by the steps that were kept."""
    step = steps.last[(place - HEADER) // WORDS]
    while step != 0:
        lower(table, stack, at, steps.source[step], at[LEVEL] + steps.cost[step])
        step = steps.before[step]
    return RUNNING


def expand(table: Any, stack: Any, steps: Any, at: Any, place: Any, rows: Any, out: Any, data: Any, work: Any) -> int:
    return RUNNING  # bound to ``by_moves`` or ``by_steps``


def explore(table: Any, stack: Any, steps: Any, at: Any, rows: Any, out: Any, data: Any, work: Any) -> int:
    """Store all rows within reach of those stored, in the order of ``stack``, and keep the steps between them."""
    s, t, u = rows
    own = work[:SCRATCH]
    while at[EXPANDED] < at[UNTIL]:
        if at[EXPANDED] == at[STORED]:
            return DONE
        place = stack[at[EXPANDED]]
        unpack(table, place, s)
        count = moves(s, data, own, out)
        if count > len(out):
            return TOO_MANY
        for k in range(count):
            move, cost = out[k], 1
            if WEIGHED:
                copy(s, u)
                cost = int(weigh(u, data, own, at[PATTERN], move))
                if cost < 0:
                    return NEGATIVE
            copy(s, t)
            apply(t, data, own, move)
            pack(t, data, work, at[PATTERN])
            stored = at[STORED]
            after = store(table, at, work)
            if after < 0:
                return FULL
            if at[STORED] > stored:
                stack[stored] = after
            at[STEPS] += 1
            steps.source[at[STEPS]], steps.cost[at[STEPS]] = place, min(cost, GREATEST)
            steps.before[at[STEPS]] = steps.last[(after - HEADER) // WORDS]
            steps.last[(after - HEADER) // WORDS] = at[STEPS]
        at[EXPANDED] += 1
    return RUNNING


def mark(table: Any, stack: Any, at: Any, rows: Any, data: Any, work: Any) -> int:
    """Give the value 0 to explored rows that are goals, and to those that were left unexplored."""
    s, own = rows[0], work[:SCRATCH]
    for k in range(at[STORED]):
        unpack(table, stack[k], s)
        if k >= at[EXPANDED] or is_goal(s, data, own):
            table[stack[k]] -= table[stack[k]] & VALUE_MASK
            table[stack[k]] += 1
    return DONE


def enter(table: Any, stack: Any, at: Any, rows: Any, data: Any, work: Any, value: Any) -> int:
    """Store the row at hand, if it is not, with a value that is less than any it has."""
    pack(rows[0], data, work, at[PATTERN])
    stored = at[STORED]
    place = store(table, at, work)
    if place < 0:
        return FULL
    if at[STORED] > stored:
        stack[stored] = place
    table[place] += value - UNKNOWN
    return DONE


def spread(table: Any, stack: Any, steps: Any, at: Any, rows: Any, out: Any, data: Any, work: Any) -> int:
    """Go on from level to level until so many rows are expanded, or all."""
    while at[EXPANDED] < at[UNTIL]:
        if at[TOP] > 0:
            at[TOP] -= 1
            place = stack[at[TOP]]
        elif at[PLACE] < len(table):
            place = at[PLACE]
            at[PLACE] += WORDS
            value = (table[place] & VALUE_MASK) - 1
            if value > at[LEVEL]:
                at[NEXT] = min(at[NEXT], value)
            if value != at[LEVEL]:
                continue
        elif at[NEXT] == UNKNOWN:
            return DONE
        else:
            at[LEVEL], at[NEXT], at[PLACE] = at[NEXT], UNKNOWN, HEADER
            continue
        at[EXPANDED] += 1
        status = expand(table, stack, steps, at, place, rows, out, data, work)
        if status != RUNNING:
            return status
    return RUNNING


def run(
    part: int, value: int, table: Any, stack: Any, steps: Any, at: Any, rows: Any, out: Any, data: Any, work: Any
) -> int:
    """A portion of a part of the work."""
    if part == ENTER:
        return enter(table, stack, at, rows, data, work, value)
    if part == EXPLORE:
        return explore(table, stack, steps, at, rows, out, data, work)
    if part == MARK:
        return mark(table, stack, at, rows, data, work)
    return spread(table, stack, steps, at, rows, out, data, work)


class Build:
    """A database that is being built."""

    def __init__(self, problem: ArrayProblem, number: int, rows: int, entries: memoryview, compiled: bool) -> None:
        self.problem, self.number, self.entries = problem, number, entries
        self.goals, self.back = abstract_goals(problem, number), goes_back(problem, number)
        self.expanded = 0
        """The rows whose steps were looked at."""
        self.weighed = problem.costs != "unit" or problem.counts is not None
        function = bound(run, self._bindings())
        self._run, self._rows, self._arguments = (self._compiled if compiled else self._interpreted)(function, rows)
        self.at: Any = self._arguments[3]
        self.at[PATTERN], self.at[ROOM] = number, rows

    def _bindings(self) -> dict[str, Any]:
        problem = self.problem
        kernels: dict[str, Any] = {"moves": problem.moves, "apply": problem.apply}
        kernels |= {"inverse": problem.inverse} if problem.inverse is not None else {}
        kernels |= {"weigh": problem.counts} if problem.counts is not None else {}
        kernels |= {"is_goal": problem.solved} if self.goals is None else {}
        found = {**facts(problem), **kernels, "WEIGHED": self.weighed}
        return {**found, "expand": bound(by_moves if self.back else by_steps, found)}

    def _interpreted(self, function: Any, rows: int) -> tuple[Callable[..., int], Any, tuple[Any, ...]]:
        problem = self.problem
        steps = Data(**{name: array("i", bytes(4 * length)) for name, length in self._steps(rows).items()})
        places = tuple(problem.row(problem.initial) for _ in range(3))
        rest = (places, problem.new_out(), problem.lists, problem.work())
        return function, places, (self.entries, array("q", bytes(8 * rows)), steps, [0] * COUNTERS, *rest)

    def _compiled(self, function: Any, rows: int) -> tuple[Callable[..., int], Any, tuple[Any, ...]]:
        started = time.perf_counter()
        import numpy as np

        from procura.compiled.engine import BoundProblem, compile_for

        control = in_charge.get() or Control(debug=debugging())
        before = control.stats.compile_seconds
        ready = BoundProblem(self.problem, control)
        steps = Data(**{name: np.zeros(length, dtype=np.int32) for name, length in self._steps(rows).items()})
        places = tuple(ready.new_row()[0] for _ in range(3))
        stack, at = np.zeros(rows, dtype=np.int64), np.zeros(COUNTERS, dtype=np.int64)
        arguments = (np.asarray(self.entries), stack, steps, at, places, ready.out, ready.data, ready.work)
        made = compile_for(control, function, {}, (0, 0, *arguments), ready._kernels)
        took = time.perf_counter() - started
        control.stats.compile_seconds = before + took
        control.forgive(took)
        return made, places, arguments

    def _steps(self, rows: int) -> dict[str, int]:
        """The lengths of what steps are kept in: for each record its last one, and each one's before it."""
        if self.back:
            return dict.fromkeys(("last", "before", "source", "cost"), 1)
        records = (len(self.entries) - HEADER) // facts(self.problem)["WORDS"]
        most = rows * self.problem.max_moves + 1
        return {"last": records, "before": most, "source": most, "cost": most}

    def build(self, report: Report) -> None:
        """Write the database."""
        complete = True
        if not self.back:
            self._enter(self.problem.initial, UNKNOWN)
        for goal in self.goals or ():
            self._enter(goal, 0)
        if not self.back:
            complete = self._go_on(EXPLORE, report)
            self._run(MARK, 0, *self._arguments)
            self.expanded = int(self.at[EXPANDED])
        self.at[LEVEL], self.at[NEXT], self.at[PLACE], self.at[EXPANDED] = 0, UNKNOWN, HEADER, 0
        complete = self._go_on(SPREAD, report) and complete
        self.expanded = max(self.expanded, int(self.at[EXPANDED]))
        beyond = int(self.at[LEVEL]) + (not self.weighed)
        self.entries[CEILING] = DEAD if complete or not self.back else beyond
        self.entries[MISSING] = 0 if not self.back else DEAD if complete else beyond

    def _enter(self, row: Any, value: int) -> None:
        for i, entry in enumerate(row):
            self._rows[0][i] = entry
        if self._run(ENTER, value, *self._arguments) == FULL:
            problem, room = self.problem, int(self.at[ROOM])
            pattern = problem.patterns[self.number]
            raise InputError(f"{problem.name}: the pattern {pattern!r} of {room} rows has more goals than that")

    def _go_on(self, part: int, report: Report) -> bool:
        """Do a part of the work; whether all of it could be done."""
        at, nodes, status = self.at, FIRST_SLICE, RUNNING
        while status == RUNNING:
            report(float(at[STORED]) / float(at[ROOM]))
            at[UNTIL], started = at[EXPANDED] + nodes, time.perf_counter()
            status = self._run(part, 0, *self._arguments)
            nodes = next_slice(nodes, time.perf_counter() - started)
        name = self.problem.name
        if status == TOO_MANY:
            raise InputError(f"{name}.moves lists more moves than max_moves, {self.problem.max_moves:,}")
        if status == NEGATIVE:
            what = "apply" if self.problem.counts is None else "counts"
            raise InputError(f"{name}.{what} gives less than 0 for an abstract row: patterns need costs of 0 or more")
        if status == ONE_WAY:
            raise InputError(f"{name}: patterns whose steps differ in cost need moves that are their inverse's inverse")
        return bool(status == DONE)


def fill(problem: ArrayProblem, number: int, rows: int, entries: memoryview, report: Report) -> None:
    """Write the database of a pattern."""
    Build(problem, number, rows, entries, rows > FEW and can_compile()).build(report)


def look_around(problem: ArrayProblem, number: int, rows: int) -> tuple[int, float]:
    """How many rows a database of ``rows`` at most will have, and the seconds to build it; by a small one."""
    looked_at = min(rows, max(LOOKED_AT, len(abstract_goals(problem, number) or ()) + 1))
    words = facts(problem)["WORDS"]
    started = time.perf_counter()
    with memoryview(array("q", bytes(8 * (HEADER + 2 * looked_at * words)))) as entries:
        build = Build(problem, number, looked_at, entries, compiled=False)
        build.build(lambda part: None)
    seconds, stored = time.perf_counter() - started, int(build.at[STORED])
    rows = rows if stored == looked_at else stored
    return rows, seconds * rows / max(build.expanded, 1) / (COMPILED_SPEED if rows > FEW and can_compile() else 1)
