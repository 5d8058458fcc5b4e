"""A problem made ready for compiled searches, and the loop that runs a search in slices under its limits."""

from __future__ import annotations

import atexit
import operator
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numba
import numpy as np

from procura.compiled import signs
from procura.compiled.build import Part, Seen, Specialised, check_kernels, content, diagnose, plain, unchanged
from procura.compiled.packed import AnyRow, Lengths, PackedRow
from procura.compiled.templates import counts as c, estimates
from procura.compiled.templates.counts import Counters
from procura.control import FIRST_SLICE, Control, Found, in_charge, next_slice
from procura.data import DataMemo, integers
from procura.debug import wide_rows
from procura.errors import InputError, RangeError, shown
from procura.heuristics import BoundHeuristic
from procura.problem import COST_RANGE, DEAD, ArrayProblem, Estimate
from procura.rows import DTYPES, Rows, made_of
from procura.search.node import checked_successors
from procura.tables import Table

MORE_MEMORY = 1.25
"""With so many times the memory that a search may use, its stores would have been larger."""
CEILING = 1 << 52
"""Whole estimates up to this, and costs up to ``EXACT`` less this, have a sum that is exact as a float."""
_compiled: dict[Any, Specialised] = {}
_compiling = threading.Lock()


@atexit.register
def _let_compiling_end() -> None:
    """Threads do not keep the program from ending, but one that compiles must not find LLVM taken away."""
    with suppress(KeyboardInterrupt):
        _compiling.acquire()


_CODES = {
    "+": estimates.ADD, "-": estimates.SUBTRACT, "*": estimates.MULTIPLY, "/": estimates.DIVIDE,
    "max": estimates.MAXIMUM, "min": estimates.MINIMUM,
}  # fmt: skip


def compile_for(
    control: Control,
    template: Callable[..., Any],
    bindings: Mapping[str, Any],
    arguments: tuple[Any, ...],
    kernels: Callable[[], dict[str, Any]] = dict,
    digest: str | None = None,
) -> Specialised:
    """``template`` with its globals bound, compiled for the types of ``arguments``; once in a process.

    ``kernels()`` gives what to look at for the cause if it does not compile; ``digest`` is its ``content``, if known.
    """
    run, started = in_charge.get() or control, time.perf_counter()
    key = digest or content(template, bindings, control.debug)[0], *map(_kind, arguments)
    function = _compiled.get(key)
    if function is None:
        with _compiling:
            function = _compiled.get(key)
            if function is None:
                check_kernels(bindings)
                function = Specialised(template, bindings, control.debug)
                telling = _Telling(run)
                try:
                    function.prepare(*arguments, tell=telling)
                except Exception as error:
                    if telling.error is not None:
                        raise telling.error from None
                    raise diagnose(kernels(), error) from (error if control.debug else None)
                finally:
                    run.preparing = None
                _compiled[key] = function
    run.kernels.append(function.file)
    control.stats.compile_seconds += time.perf_counter() - started
    return function


class _Telling:
    """Tells a run what is compiled for it; what whoever listens raises is no fault of a kernel."""

    error: Exception | None = None

    def __init__(self, control: Control) -> None:
        self.control = control

    def __call__(self, name: str, done: int, of: int) -> None:
        told = f"compiling, once, for this run and later ones: {done} of {of} functions, {name} just now"
        self.control.preparing = told
        try:
            self.control.report_progress()
        except Exception as error:
            self.error = error
            raise


def _kind(argument: Any) -> Any:
    """What makes two arguments the same to Numba; quicker than its own ``typeof``."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        return argument.dtype.char, argument.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable
    if isinstance(argument, tuple):
        return (type(argument), *map(_kind, argument))
    return numba.typeof(argument)


class BoundRows:
    """The buffers, constants and kernels with which templates are specialised to one problem or game."""

    def __init__(self, problem: Rows, control: Control) -> None:
        self.rows = problem
        self.control = control
        self._memory_ceiling = control.memory_ceiling
        self.dtype = "int64" if wide_rows() else problem.dtype
        width, declared = DTYPES[self.dtype], DTYPES[problem.dtype]
        key_bits = problem.bits or declared
        key_words = -(-problem.key * key_bits // 64)
        payload_bits = (problem.size - problem.key) * width
        payload_words = -(-payload_bits // 64)
        self.row_words = -(-problem.size * width // 64)
        self.words = key_words + payload_words
        self.key_words = key_words
        self.bindings: dict[str, Any] = {
            "PACKED": False, "ROW": AnyRow(),
            "SIZE": problem.size, "KEY": problem.key,
            "ROW_WORDS": self.row_words, "ROW_SIZE": self.row_words * 64 // width,
            "KEY_BITS": key_bits, "KEY_MASK": _mask(key_bits), "ROW_BITS": width, "PER_WORD": 64 // width,
            "TIGHT": key_bits == width, **_pairs(width, key_bits),
            "FIRST": problem.key * width // 64, "FIRST_BIT": problem.key * width % 64, "PAYLOAD_END": payload_bits % 64,
            "KEY_WORDS": key_words, "WORDS": self.words, "DEBUG": control.debug,
            "WIDE": width > declared, "SIGN": 1 << (declared - 1) if width > declared and not problem.bits else 0,
            "KEY_RANGE": (0, (1 << key_bits) - 1) if problem.bits else _signed(declared), "RANGE": _signed(declared),
            **{name: getattr(problem, name) for name in problem.required_kernels},
        }  # fmt: skip
        self._rests_on: dict[Any, Seen | None] = {}
        """By template the globals that its kernels look up; None if they may change without being seen to."""
        self._files: dict[Any, str | None] = {}
        """By template the file of what was compiled, in the cache."""
        self._parts: list[Any] = []
        """What ``data`` was made of: constants, and the tables that are open."""
        self._negative_fields: set[str] = set()
        self._bind_data()
        self.work = np.zeros(problem.scratch, dtype=np.int64)
        self.out = np.zeros(problem.max_moves, dtype=np.int64)
        self.digest = np.zeros(1, dtype=np.uint64)
        self.s, self.s_words = self.new_row()
        self.s[:] = problem.initial

    def _bind_data(self, *heuristics: str) -> None:
        """Make ready the constants of the problem, with the tables that its rules and these heuristics read."""
        problem = self.rows
        problem.open_tables(*heuristics)
        constants = _as_arrays.of(problem.data, partial(made_of, problem.data, _array, _closed))
        parts = [constants, *problem.opened.values()]
        if len(parts) != len(self._parts) or any(map(operator.is_not, parts, self._parts)):
            self._parts = parts
            self.data = constants._replace(**{name: np.asarray(view) for name, view in problem.opened.items()})
            fields = zip(self.data._fields, problem.data, constants, strict=True)
            self._negative_fields = {
                f"data.{name}" for name, field, array in fields if isinstance(field, Table) or array.min(initial=0) < 0
            }
        first = {signs.ROW} if min(problem.initial) < 0 else set()
        self._negative = frozenset(self._negative_fields | first)

    def new_row(self) -> tuple[Any, Any]:
        """A row, and the same memory as 64-bit words."""
        words = np.zeros(self.row_words, dtype=np.int64)
        return words.view(self.dtype)[: self.rows.size], words

    def pack_rows(self, roles: Collection[str]) -> None:
        """Give kernels rows in words from now on, if key and payload are a word each and the kernels cannot tell.

        ``roles`` names the kernels of which that is asked, those that the search calls.
        """
        rows, width, bits = self.rows, DTYPES[self.dtype], self.bindings["KEY_BITS"]
        fits = max(rows.key * bits, (rows.size - rows.key) * width) <= 64 and not wide_rows()
        kernels = tuple(one for one in self._roles() if one[0] in roles)
        if not fits or not signs.only_index_rows(kernels) or (bits < width and signs.reread_rows(kernels)):
            return
        self.bindings |= {
            "PACKED": True, "ROW": PackedRow(numba.from_dtype(np.dtype(self.dtype)), rows.size, rows.key, bits),
            "ROW_BITS": bits, "PER_WORD": 64 // bits, "TIGHT": True, "FIRST": 1, "FIRST_BIT": 0,
            "ROW_WORDS": self.words,
        }  # fmt: skip

    def compile(self, template: Callable[..., Any], *arguments: Any) -> Specialised:
        """``template`` bound to this problem and compiled for the types of ``arguments``."""
        bindings = {
            **self.bindings, "LENGTHS": Lengths(self._lengths()),
            "FROM_THE_START": signs.from_the_start(self._roles(), self._negative),
        }  # fmt: skip
        digest, seen = content(template, bindings, self.control.debug)
        made = compile_for(self.control, template, bindings, arguments, self._kernels, digest)
        self._rests_on[template], self._files[template] = seen, made.file
        return made

    def _lengths(self) -> tuple[int | None, ...]:
        """The lengths of the fields of ``data``, as far as kernels are compiled for them."""
        known = (self.rows.size, self.rows.key)
        return tuple([len(field) if len(field) in known else None for field in self.data])

    def _roles(self) -> tuple[tuple[str, Callable[..., Any]], ...]:
        """Every kernel that may run beside the template, with its role."""
        names = (*self.rows.required_kernels, *self.rows.optional_kernels)
        named = zip(names, self.rows.kernels_by_name, strict=True)
        return tuple([(role, plain(kernel)) for role, kernel in named if kernel is not None])

    def _kernels(self) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Every kernel of the problem with arguments of the types it is called with."""
        raise NotImplementedError


class BoundProblem(BoundRows):
    """The same for a problem, with its costs and heuristics."""

    def __init__(self, problem: ArrayProblem, control: Control) -> None:
        super().__init__(problem, control)
        self.problem = problem
        self.bindings |= {"WHOLE_COSTS": problem.integer_costs, "FOLLOW_LARGEST": not problem.integer_costs}
        self.bindings["LOWEST"], self.bindings["HIGHEST"] = COST_RANGE[problem.costs]
        self.h = BoundHeuristic(None, problem)
        self._compiled_for = _compiled_for(problem, self.h)
        self._estimates: list[tuple[str, Any]] = []
        self.program = _program(self.h, [], False)

    def _kernels(self) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Every kernel of the problem with arguments of the types it is called with."""
        problem, s, data, work = self.problem, self.s, self.data, self.work
        rng = np.zeros(1, dtype=np.uint64)
        arguments = {
            "moves": (s, data, work, self.out), "apply": (s, data, work, 0), "solved": (s, data, work),
            "inverse": (data, 0), "blur": (s, data, work, 0, 0), "counts": (s, data, work, 0, 0),
            "randomise": (s, data, work, rng), "propose": (s, data, work, rng),
            "change": (s, data, work, 0), "revert": (s, data, work, 0), "preview": (s, data, work, 0),
            "energy": (s, data, work), "cross": (s, s, s, data, work, rng),
        }  # fmt: skip
        kernels = {name: (getattr(problem, name), values) for name, values in arguments.items()}
        for name, declared in problem.heuristics.items():
            if isinstance(declared, Estimate):
                kernels[name] = (declared.function, (s, data, work))
                kernels[f"{name} step"] = (declared.step, (s, data, work, 0, 0))
        return {name: (kernel, values) for name, (kernel, values) in kernels.items() if kernel is not None}

    def _roles(self) -> tuple[tuple[str, Callable[..., Any]], ...]:
        more = [*self._estimates, *(("cross", kernel) for kernel in self.problem.crossovers.values())]
        return super()._roles() + tuple((role, plain(kernel)) for role, kernel in more if kernel is not None)

    def heuristic(self, h: BoundHeuristic) -> tuple[dict[str, Any], Any]:
        """The bindings for a heuristic, and its program: empty unless it is composed."""
        declared = {name: e for name, e in self.problem.heuristics.items() if isinstance(e, Estimate)}
        parts: dict[str, Estimate] = {}
        if h.single == "zero":
            bindings: dict[str, Any] = {"estimate": estimates.zero}
        elif h.single is not None:
            estimate = declared[h.single]
            bindings = {"estimate": estimates.single, "heuristic_kernel": estimate.function, "gather": estimates.gather}
            if _steps(estimate):
                bindings |= {"STEP": True, "step": estimates.single_step, "heuristic_step": estimate.step}
        else:
            parts = {step: declared[step] for step in h.program if isinstance(step, str) and step != "zero"}
            bindings = {"estimate": estimates.composed, "gather": estimates.gather} | _chains(list(parts.values()))
        self.h = h
        self._bind_data(*h.names)
        self._compiled_for = _compiled_for(self.problem, h)
        used = [declared[name] for name in h.names]
        self._estimates = [*(("heuristic", one.function) for one in used), *(("step", one.step) for one in used)]
        self.program = _program(h, list(parts), "STEP" in bindings)
        return {"STEP": False, **bindings}, self.program

    def rebind(self, problem: ArrayProblem, control: Control, h: BoundHeuristic) -> bool:
        """Serve another problem from now on, by the kernels that are compiled; False if it needs others, and then this
        serves none."""
        data, lengths, negative = self.data, self._lengths(), self._negative
        if control.memory_ceiling > MORE_MEMORY * self._memory_ceiling:
            return False
        if not all(seen is not None and unchanged(seen) for seen in self._rests_on.values()):
            return False
        if self._compiled_for != _compiled_for(problem, h):
            return False
        self.rows = self.problem = problem
        self.control, self.h = control, h
        self._bind_data(*h.names)
        if self._negative != negative:
            return False
        if self.data is not data and (self._lengths() != lengths or _kind(self.data) != _kind(data)):
            return False
        self.s[:] = problem.initial
        for array in (self.work, self.out, self.digest, self.program.largest):
            array[:] = 0
        (in_charge.get() or control).kernels += self._files.values()
        return True

    def differs_by_row(self, problem: ArrayProblem) -> bool:
        """Whether a problem is like the one that is served now, but for its initial row."""
        if self._compiled_for != _compiled_for(problem, self.h):
            return False
        known_sign = signs.ROW in self._negative or min(problem.initial) >= 0
        return known_sign and _as_arrays.known(problem.data) is self._parts[0]

    def note_largest(self, program: Any) -> None:
        """Tell the heuristic the greatest magnitude that a composition of it was made of; None: nothing is composed."""
        if program is not None:
            self.h.largest = max(self.h.largest, float(program.largest[0]))

    def refusal(self) -> InputError:
        """The error for a number that a kernel may not return, at the state in hand or after one of its moves."""
        state, problem = tuple(int(value) for value in self.s), self.problem
        try:
            self.h(state)
            for _, after, _ in checked_successors(problem, state):
                self.h(after)
        except InputError as error:
            return error
        return InputError(
            f"{problem.name}: a cost or an estimate in {shown(state)}, or after a move from there, is no number"
        )


def _compiled_for(problem: ArrayProblem, h: BoundHeuristic) -> tuple[Any, ...]:
    """What searches are compiled for, apart from the constants."""
    return (
        type(problem), type(problem.data), problem.size, problem.key, problem.bits, problem.dtype, problem.max_moves,
        problem.scratch, problem.costs, problem.integer_costs, problem.kernels_by_name, *problem.crossovers.values(),
        h.program, *map(problem.heuristics.get, h.names),
    )  # fmt: skip


def _steps(estimate: Estimate) -> bool:
    """Whether a heuristic can follow a move."""
    return estimate.step is not None and estimate.integer


def _chains(parts: list[Estimate]) -> dict[str, Any]:
    """The bindings for the parts of a composition: how all are evaluated and, if each has a step, how they follow."""
    others, other_steps = Part(estimates.no_others, ()), Part(estimates.no_other_steps, ())
    steps = bool(parts) and all(map(_steps, parts))
    for number, estimate in reversed(list(enumerate(parts))):
        kernel = {"HERE": number, "heuristic_kernel": estimate.function, "others": others}
        others = Part(estimates.evaluate, tuple(kernel.items()))
        step = {"HERE": number, "heuristic_step": estimate.step, "other_steps": other_steps}
        other_steps = Part(estimates.follow, tuple(step.items()))
    bindings: dict[str, Any] = {"PARTS": len(parts), "others": others}
    if steps:
        bindings |= {"STEP": True, "step": estimates.composed_step, "other_steps": other_steps}
    return bindings


def _program(h: BoundHeuristic, parts: list[str], steps: bool) -> Any:
    """The postfix program of a composition of these parts, with room for two records; empty for a single heuristic."""
    codes, values = [], []
    for step in () if h.single is not None else h.program:
        constant = step == "zero" or not isinstance(step, str | tuple)
        codes.append(
            estimates.CONSTANT if constant else parts.index(step) if isinstance(step, str) else _CODES[step[0]]
        )
        values.append(step if isinstance(step, float) else 0.0)
    return estimates.Program(
        codes=np.array(codes, dtype=np.int64),
        values=np.array(values, dtype=np.float64),
        stack=np.zeros(len(codes)),
        parts=np.zeros(2 * len(parts), dtype=np.int64 if steps else np.float64),
        largest=np.zeros(1),
        rounding=np.array(h.rounding),
    )


def _signed(bits: int) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _mask(bits: int) -> int:
    return -1 if bits == 64 else (1 << bits) - 1


def _pairs(width: int, bits: int) -> dict[str, tuple[int, ...]]:
    """The masks with which entries of ``width`` bits are packed into ``bits`` bits: pairs, then fours, then eights."""
    masks: dict[str, tuple[int, ...]] = {"PAIR_LOW": (), "PAIR_CLOSE": (), "PAIR_APART": ()}
    for size in (1, 2, 4):
        each = sum(((1 << size * bits) - 1) << at for at in range(0, 64, 2 * size * width))
        for name, shift in (("PAIR_LOW", 0), ("PAIR_CLOSE", size * bits), ("PAIR_APART", size * width)):
            masks[name] += ((each << shift) & (1 << 63) - 1,)
    return masks


_as_arrays = DataMemo(Table)


def _array(field: Any) -> Any:
    """A field of ``data`` as kernels get it."""
    if isinstance(field, np.ndarray):
        array = np.ascontiguousarray(field)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"data: expected sequences of integers, got {array.dtype} of {array.ndim} dimensions")
        return array
    plain = integers(field)
    try:
        return np.array(plain, dtype=np.int64)
    except OverflowError:
        raise RangeError(f"data: {max(plain, key=abs)} does not fit 64 bits and needs engine='python'") from None


def _closed(table: Table) -> Any:
    """The same of a table that no kernel reads."""
    return np.asarray(table.closed())


def exactness(whole: bool) -> dict[str, Any]:
    """The bindings of a search whose numbers are all whole, or not: what is exact in it."""
    largest, ceiling = (c.LARGEST_COST, CEILING) if whole else (c.EXACT, float(DEAD))
    return {"INTEGER": whole, "LARGEST": largest, "CEILING": ceiling}


def new_counts(control: Control) -> Counters:
    """The counters of a search at its start."""
    counts = Counters()
    limit = control.limits.depth
    counts.depth_limit = c.NO_DEPTH_LIMIT if limit is None else min(limit, c.NO_DEPTH_LIMIT - 1)
    return counts


def conclude(bound: BoundProblem, counts: Counters, status: int) -> Found:
    """What a search that ended with ``status`` has to say, apart from its solution."""
    if bound.control.debug:
        bound.control.stats.digest = int(bound.digest[0])
    bound.note_largest(bound.program)
    if status == c.INVALID:
        raise bound.refusal()
    if status == c.TOO_MANY:
        raise InputError(f"{bound.problem.name}.moves lists more moves than max_moves, {bound.problem.max_moves:,}")
    if status == c.LARGE:
        raise RangeError(
            f"{bound.problem.name}: costs beyond {c.LARGEST_COST:,}, estimates beyond {CEILING:,} or paths of more "
            "than 65,534 steps need engine='python'"
        )
    if status in (c.FULL, c.REQUEUE):
        bound.control.stopped_by = "memory"
    pruned = "depth" if counts.pruned_depth else "cut" if counts.pruned_cut else None
    return Found(exhausted=status == c.EXHAUSTED, pruned=pruned)


def run_slices(
    control: Control,
    counts: Counters,
    kernel: Specialised,
    run: Callable[[], int],
    attend: Callable[[int], bool],
    tried: str = "expanded",
) -> int:
    """Call ``run``, which calls ``kernel``, for slices of about 20 ms until it ends or a limit does; the last status.

    ``attend(status)`` sees to what the search needs from Python and says whether it can go on; every status it does
    not know ends the search. ``tried`` is the counter that the limit on nodes bounds. A search whose turn is over ends
    with RUNNING as well; nothing has stopped it.
    """
    stats, limit = control.stats, control.limits.nodes
    budget = min(kernel.pace, FIRST_SLICE)
    while not control.stop():
        until = getattr(counts, tried) + budget
        counts.until = min(until, control.turn if limit is None else min(limit, control.turn))
        counts.takes = budget
        started = time.perf_counter()
        status = run()
        kernel.pace = following = next_slice(budget, time.perf_counter() - started)
        stats.expanded, stats.generated = counts.expanded, counts.generated
        stats.max_frontier, stats.depth = counts.max_frontier, counts.depth
        stats.stored = counts.nodes
        control.frontier = counts.frontier
        if status == c.RUNNING:
            if limit is not None and getattr(counts, tried) >= limit:
                control.stopped_by = "nodes"
                return status
            if getattr(counts, tried) >= control.turn:
                return status
            budget = following
        elif not attend(status):
            return status
    return c.RUNNING
