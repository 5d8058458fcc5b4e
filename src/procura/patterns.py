"""Pattern databases of any array problem: how a state is seen through a pattern, and what is then looked up.

Through a pattern a state is an abstract row, whose entry ``i`` is ``blur(s, data, work, pattern, i)``. The database of
a pattern is a ``Table`` with the least cost from every abstract row to a goal: a hash table with open addressing, of
64-bit words::

    word 0    no value counts for more than this: DEAD, or what is certain beyond the cap that the build met
    word 1    what a row is worth that is not in it
    then      records of WORDS words: in the first one 15 bits hold the value plus 1, 0 if the record is free;
              the entries of the row follow, BITS each, none across two words; no word uses its sign

The functions here run interpreted and compiled, on numbers that never pass 63 bits. The names in capitals, and those of
kernels, are bound to a problem and a pattern by ``bound``. How a database is built is in ``compiled/databases.py``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import FunctionType
from typing import Any, NamedTuple

from procura.algorithm import load
from procura.code_digest import code_digest
from procura.data import Data, integers
from procura.errors import InputError, shown
from procura.problem import DEAD, ArrayProblem, Estimate
from procura.rows import DTYPES
from procura.tables import Report, Table

CEILING, MISSING, HEADER = 0, 1, 2
VALUE_BITS = 15
VALUE_MASK = (1 << VALUE_BITS) - 1
UNKNOWN = VALUE_MASK - 1
"""In a record: no way to a goal is known, or in the end, there is none."""
GREATEST = UNKNOWN - 1
"""The greatest value that is told apart from greater ones."""
WORD_BITS = 63
MOST_ROWS = 1 << 27
MOST_STEPS = (1 << 31) - 1
"""Steps are kept in 32-bit numbers."""
LOAD = 0.75
"""Of a hash table that is full."""
FIELD = "pattern_"
"""What the names of the tables in ``data`` begin with."""
TOGETHER = "pdb"
"""The heuristic that takes all patterns together."""
BUILDER = "procura.compiled.databases"

SIZE = WORDS = 1  # integers in a row, and words in a record
BITS, MASK, SIGN = 8, 255, 128  # of an entry; SIGN is 0 if there are no negative ones
SCRATCH = 0  # where in ``work`` the words of a row are put together; kernels are given what is before it
PATTERN = 0  # the number of a pattern
LOW = 0xFFFFFFFF


def blur(s: Any, data: Any, work: Any, pattern: int, i: int) -> Any:  # bound to the problem's
    return s[i]


def pack(s: Any, data: Any, work: Any, pattern: Any) -> None:
    """Put the abstract row of ``s`` into ``work``, as in a record that has no value yet."""
    word, shift, at, own = 0, VALUE_BITS, SCRATCH, work[:SCRATCH]
    for i in range(SIZE):
        if shift + BITS > WORD_BITS:
            work[at] = word
            word, shift, at = 0, 0, at + 1
        word |= (blur(s, data, own, pattern, i) & MASK) << shift
        shift += BITS
    work[at] = word


def unpack(words: Any, at: Any, s: Any) -> None:
    """The row of the record at ``words[at:]``."""
    word, shift = words[at], VALUE_BITS
    for i in range(SIZE):
        if shift + BITS > WORD_BITS:
            at += 1
            word, shift = words[at], 0
        s[i] = (((word >> shift) & MASK) ^ SIGN) - SIGN
        shift += BITS


def mixed(bits: Any) -> Any:
    """32 bits, well mixed."""
    product = bits * 0x5BD1E995
    return (product ^ (product >> 31)) & LOW


def find(table: Any, work: Any) -> Any:
    """Where the record of the row in ``work`` begins, or the free one that is to be its."""
    h = 0
    for w in range(WORDS):
        h = mixed(mixed(h ^ (work[SCRATCH + w] >> 32)) ^ (work[SCRATCH + w] & LOW))
    at = HEADER + (h * ((len(table) - HEADER) // WORDS) >> 32) * WORDS
    while table[at] != 0:
        same = table[at] >> VALUE_BITS == work[SCRATCH] >> VALUE_BITS
        for w in range(1, WORDS):
            same = same and table[at + w] == work[SCRATCH + w]
        if same:
            return at
        at += WORDS
        if at >= len(table):
            at = HEADER
    return at


def look_up(s: Any, data: Any, work: Any, table: Any, pattern: Any) -> Any:
    """The value of a state in the table of a pattern."""
    pack(s, data, work, pattern)
    record = table[find(table, work)]
    if record == 0:
        return table[MISSING]
    value = (record & VALUE_MASK) - 1
    return DEAD if value == UNKNOWN else min(value, table[CEILING])


def heuristic(s: Any, data: Any, work: Any) -> Any:
    """The heuristic of a pattern; ``TABLE`` stands for the field of its table."""
    return look_up(s, data, work, data.TABLE, PATTERN)


def first(s: Any, data: Any, work: Any) -> Any:  # bound to the heuristic of a pattern
    return 0


def others(s: Any, data: Any, work: Any) -> Any:  # bound to the heuristic of those after it
    return 0


def largest(s: Any, data: Any, work: Any) -> Any:
    """The maximum of several patterns."""
    return max(first(s, data, work), others(s, data, work))


def total(s: Any, data: Any, work: Any) -> Any:
    """The sum of several patterns that count different steps."""
    one, more = first(s, data, work), others(s, data, work)
    return DEAD if one == DEAD or more == DEAD else one + more


def bound(function: Any, bindings: Mapping[str, Any]) -> Any:
    """A copy of a function, and of what it calls of this package, whose globals have these values."""
    scope = {**function.__globals__, **bindings}
    for name in function.__code__.co_names:
        value = scope.get(name)
        if name not in bindings and isinstance(value, FunctionType) and value.__module__ in (__name__, BUILDER):
            scope[name] = bound(value, bindings)
    return FunctionType(function.__code__, scope, function.__name__)


def facts(problem: ArrayProblem) -> dict[str, Any]:
    """What the functions of this module are bound to for a problem."""
    return {**_shape(problem), "SCRATCH": problem.pattern_scratch, "blur": problem.required("blur")}


def _shape(problem: ArrayProblem) -> dict[str, int]:
    """How the rows of a problem lie in records."""
    narrow = problem.bits is not None and problem.key == problem.size
    bits = problem.bits if narrow and problem.bits else DTYPES[problem.dtype]
    in_first, in_others = (WORD_BITS - VALUE_BITS) // bits, WORD_BITS // bits
    if in_first == 0:
        raise InputError(f"{problem.name}: patterns need rows of int32 or less, or bits, of 48 at most")
    words = 1 + max(-(-(problem.size - in_first) // in_others), 0)
    sign = 0 if narrow else 1 << (bits - 1)
    return {"SIZE": problem.size, "WORDS": words, "BITS": bits, "MASK": (1 << bits) - 1, "SIGN": sign}


def declare(problem: ArrayProblem, patterns: Mapping[str, int]) -> None:
    """Give a problem the tables and heuristics of its patterns: their names, and the abstract rows each may keep."""
    _check(problem, patterns)
    problem.patterns, problem.pattern_scratch = tuple(patterns), problem.scratch
    problem.scratch += _shape(problem)["WORDS"]
    tables = {FIELD + name: PatternTable(problem, i, name, rows) for i, (name, rows) in enumerate(patterns.items())}
    problem.data = Data(**problem.data._asdict(), **tables)
    counted = problem.counts is not None
    lookup = _lookup(*facts(problem).items())
    functions = [_kernel(name, i, lookup) for i, name in enumerate(patterns)]
    told = "moves counted for" if counted else "cost to the goal as seen through"
    problem.heuristics = {
        **problem.heuristics,
        **{
            name: Estimate(
                function, admissible=True, consistent=True, additive=counted, about=f"{told} the pattern {name}"
            )
            for name, function in zip(patterns, functions, strict=True)
        },
        TOGETHER: Estimate(
            _together(total if counted else largest, *functions),
            admissible=True,
            consistent=True,
            about=("the sum of " if counted else "the largest of ") + ", ".join(patterns),
        ),
    }


def _check(problem: ArrayProblem, patterns: Mapping[str, int]) -> None:
    """Refuse patterns that cannot be."""
    if not isinstance(patterns, Mapping):
        raise InputError(f"{problem.name}: patterns {shown(patterns)}: expected names, each with its rows")
    if problem.blur is None:
        raise InputError(f"{problem.name} defines no kernel blur, which patterns need")
    if problem.costs == "any" or not problem.integer_costs:
        raise InputError(f"{problem.name}: patterns need costs that are whole and not negative")
    if TOGETHER in problem.heuristics:
        raise InputError(f"{problem.name}: a heuristic is named {TOGETHER}, as all patterns together are")
    for name, rows in patterns.items():
        if not isinstance(name, str) or not name.isidentifier() or name in (TOGETHER, "zero", *problem.heuristics):
            raise InputError(f"{problem.name}: pattern {name!r}: expected a name that no heuristic has")
        if FIELD + name in problem.data._fields:
            raise InputError(f"{problem.name}: data {FIELD + name}: expected another name, since a pattern is {name!r}")
        if not isinstance(rows, int) or not 1 <= rows <= MOST_ROWS:
            raise InputError(f"{problem.name}: pattern {name!r}: {rows!r} rows: expected 1 to {MOST_ROWS:,}")
        if problem.inverse is None:
            _check_steps(problem, name, rows)


def _check_steps(problem: ArrayProblem, name: str, rows: int) -> None:
    """Refuse a database for which too many steps would have to be kept."""
    if max(rows * problem.max_moves, _length(problem, rows)) > MOST_STEPS:
        raise InputError(
            f"{problem.name}: pattern {name!r}: {rows:,} rows of {problem.max_moves:,} moves are too many steps to "
            "keep: expected fewer than 2^31 in all, or an inverse and goals"
        )


def _length(problem: ArrayProblem, rows: int) -> int:
    """The words of a table with room for so many rows."""
    return HEADER + _shape(problem)["WORDS"] * (int(rows / LOAD) + 1)


@lru_cache(maxsize=256)
def _lookup(*bindings: tuple[str, Any]) -> Any:
    """``look_up``, the same for all patterns of a problem, so that it is compiled once."""
    return bound(look_up, dict(bindings))


@lru_cache(maxsize=256)
def _kernel(name: str, number: int, lookup: Any) -> Any:
    """The heuristic of a pattern, which reads the field of its table."""
    function = bound(heuristic, {"look_up": lookup, "PATTERN": number})
    names = tuple(FIELD + name if each == "TABLE" else each for each in function.__code__.co_names)
    function.__code__ = function.__code__.replace(co_names=names, co_name=name, co_qualname=name)
    function.__name__ = function.__qualname__ = name
    return function


@lru_cache(maxsize=256)
def _together(joined: Any, *functions: Any) -> Any:
    """One heuristic of those of several patterns."""
    if len(functions) == 1:
        return functions[0]
    return bound(joined, {"first": functions[0], "others": _together(joined, *functions[1:])})


class PatternTable(Table):
    """The database of a pattern, with room for as many abstract rows as are declared."""

    by_name = True

    def __init__(self, problem: ArrayProblem, number: int, name: str, rows: int) -> None:
        self.dtype, self.sources = "int64", (BUILDER,)
        self.number, self.pattern, self.rows = number, name, rows
        self.length = _length(problem, rows)
        self.problem, self.build = problem, self._write

    @cached_property
    def purpose(self) -> str:  # type: ignore[override]
        """What it is for, with a hash of all that its entries depend on: rules, constants, goals."""
        problem = self.problem
        goals = abstract_goals(problem, self.number)
        begin = None if goes_back(problem, self.number) else abstract_row(problem, self.number, problem.initial)
        rows = problem.size, problem.key, problem.dtype, problem.bits, problem.max_moves, problem.costs
        names = ("moves", "apply", "inverse", "blur", "counts", *(("solved",) if goals is None else ()))
        kernels = [getattr(problem, name) for name in names]
        constants = {
            name: (field.identity if isinstance(field, Table) else integers(field))
            for name, field in problem.data._asdict().items()
            if not isinstance(field, PatternTable)
        }
        told = repr((self.number, rows, goals, begin, code_digest(kernels), constants))
        digest = hashlib.blake2b(told.encode(), digest_size=8).hexdigest()
        return f"the pattern {self.pattern} of {problem.name} ({digest})"

    @property
    def needed(self) -> int:
        """The bytes of the table and of what is needed beside it while it is built."""
        records = (self.length - HEADER) // _shape(self.problem)["WORDS"]
        most = self.rows * self.problem.max_moves + 1
        steps = 0 if goes_back(self.problem, self.number) else 12 * most + 4 * records
        return self.size + 8 * self.rows + steps

    def _write(self, entries: memoryview, report: Report) -> None:
        if not goes_back(self.problem, self.number):
            _check_steps(self.problem, self.pattern, self.rows)
        load(f"{BUILDER}:fill")(self.problem, self.number, self.rows, entries, report)


def abstract_row(problem: ArrayProblem, number: int, state: Sequence[int]) -> tuple[int, ...]:
    """A state as it is seen through a pattern."""
    blurred, row, data, work = problem.required("blur"), problem.row(state), problem.lists, problem.work()
    return tuple(int(blurred(row, data, work, number, i)) for i in range(problem.size))


def goes_back(problem: ArrayProblem, number: int) -> bool:
    """Whether a database is built from the goals back: they are listed, and moves can be taken back."""
    return problem.inverse is not None and problem.goals(number) is not None


def abstract_goals(problem: ArrayProblem, number: int) -> list[tuple[int, ...]] | None:
    """The goals as they are seen through a pattern, each once; None if the problem does not list them."""
    rows = problem.goals(number)
    if rows is None:
        return None
    goals = sorted({abstract_row(problem, number, problem.checked_state(row)) for row in rows})
    if not goals:
        raise InputError(f"{problem.name}.goals({number}) lists no rows")
    return goals


class Forecast(NamedTuple):
    """What the database of a pattern takes at most, as far as can be told before it is built.

    >>> Forecast(rows=60, table_bytes=656, build_bytes=1136, seconds=0.01).rows
    60
    """

    rows: int
    """Abstract rows: as many as are declared, or fewer if a look around met all of them."""
    table_bytes: int
    build_bytes: int
    """With all that is needed while it is built."""
    seconds: float
    """To build it, about."""


def forecast(problem: ArrayProblem, pattern: str) -> Forecast:
    """What the database of a pattern will take, by a short look around in its abstract space.

    >>> from procura import kernel
    >>> class Turn(ArrayProblem):
    ...     def __init__(self, ring):
    ...         self.ring = ring
    ...         super().__init__(size=len(ring), max_moves=1, patterns={"first": 100})
    ...     def start(self):
    ...         return self.ring
    ...     @kernel
    ...     def moves(s, data, work, out):
    ...         out[0] = 0
    ...         return 1
    ...     @kernel
    ...     def apply(s, data, work, move):
    ...         for i in range(len(s) - 1):
    ...             s[i], s[i + 1] = s[i + 1], s[i]
    ...         return 1
    ...     @kernel
    ...     def solved(s, data, work):
    ...         return s[0] == 0
    ...     @kernel
    ...     def blur(s, data, work, pattern, i):
    ...         return s[i] if s[i] == 0 else -1
    >>> forecast(Turn([1, 2, 3, 4, 0]), "first").rows, Turn([1, 2, 3, 4, 0]).estimate("first")
    (5, 4)
    """
    table = getattr(problem.data, FIELD + pattern, None)
    if not isinstance(table, PatternTable):
        raise InputError(f"{problem.name} has no pattern {pattern!r}")
    rows, seconds = load(f"{BUILDER}:look_around")(problem, table.number, table.rows)
    return Forecast(rows, table.size, table.needed, seconds)
