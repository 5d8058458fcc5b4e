"""A problem made ready for compiled searches, and the loop that runs a search in slices under its limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np

from procura.compiled.build import Part, Specialised, content, diagnose
from procura.compiled.templates import counts as c, estimates
from procura.control import Control, Found
from procura.data import integers, keep
from procura.errors import InputError
from procura.heuristics import BoundHeuristic
from procura.problem import DTYPES, ArrayProblem, Estimate

SLICE_SECONDS = 0.02
FIRST_SLICE = 16
LONGEST_SLICE = 10_000_000

_compiled: dict[Any, Specialised] = {}
_compiling = threading.Lock()

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
) -> Specialised:
    """``template`` with its globals bound, compiled for the types of ``arguments``; once in a process.

    ``kernels()`` gives what to look at for the cause if it does not compile.
    """
    started = time.perf_counter()
    key = (content(template, bindings, control.debug), *map(_kind, arguments))
    function = _compiled.get(key)
    if function is None:
        with _compiling:
            function = _compiled.get(key)
            if function is None:
                function = Specialised(template, bindings, control.debug)
                try:
                    function.prepare(*arguments)
                except Exception as error:
                    raise diagnose(kernels(), error) from (error if control.debug else None)
                _compiled[key] = function
    control.compile_seconds += time.perf_counter() - started
    return function


def _kind(argument: Any) -> Any:
    """What makes two arguments the same to Numba; quicker than its own ``typeof``."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        return argument.dtype.char, argument.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable
    if isinstance(argument, tuple):
        return (type(argument), *map(_kind, argument))
    return numba.typeof(argument)


class BoundProblem:
    """The buffers, constants and kernels with which templates are specialised to one problem."""

    def __init__(self, problem: ArrayProblem, control: Control) -> None:
        self.problem = problem
        self.control = control
        width = DTYPES[problem.dtype]
        key_bits = problem.bits or width
        key_words = -(-problem.key // (64 // key_bits))
        payload_words = -(-(problem.size - problem.key) // (64 // width))
        self.row_words = -(-problem.size * width // 64)
        self.words = key_words + payload_words
        self.key_words = key_words
        self.bindings: dict[str, Any] = {
            "SIZE": problem.size, "KEY": problem.key,
            "ROW_WORDS": self.row_words, "ROW_SIZE": self.row_words * 64 // width,
            "KEY_BITS": key_bits, "KEY_PER_WORD": 64 // key_bits, "KEY_MASK": _mask(key_bits),
            "ROW_BITS": width, "ROW_PER_WORD": 64 // width, "ROW_MASK": _mask(width),
            "KEY_WORDS": key_words, "WORDS": self.words, "DEBUG": control.debug,
            "moves": problem.moves, "apply": problem.apply, "solved": problem.solved,
        }  # fmt: skip
        self.data = type(problem.data)(*(_constants(field) for field in problem.data))
        self.work = np.zeros(problem.scratch, dtype=np.int64)
        self.out = np.zeros(problem.max_moves, dtype=np.int64)
        self.digest = np.zeros(1, dtype=np.uint64)
        self.s, self.s_words = self.new_row()
        self.s[:] = problem.initial

    def new_row(self) -> tuple[Any, Any]:
        """A row, and the same memory as 64-bit words."""
        words = np.zeros(self.row_words, dtype=np.int64)
        return words.view(self.problem.dtype)[: self.problem.size], words

    def compile(self, template: Callable[..., Any], *arguments: Any) -> Specialised:
        """``template`` bound to this problem and compiled for the types of ``arguments``."""
        return compile_for(self.control, template, self.bindings, arguments, self._kernels)

    def _kernels(self) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Every kernel of the problem with arguments of the types it is called with."""
        problem, s, data, work = self.problem, self.s, self.data, self.work
        rng = np.zeros(1, dtype=np.uint64)
        arguments = {
            "moves": (s, data, work, self.out), "apply": (s, data, work, 0), "solved": (s, data, work),
            "inverse": (data, 0), "randomise": (s, data, work, rng), "propose": (s, data, work, rng),
            "change": (s, data, work, 0), "revert": (s, data, work, 0), "energy": (s, data, work),
            "cross": (s, s, s, data, work, rng),
        }  # fmt: skip
        kernels = {name: (getattr(problem, name), values) for name, values in arguments.items()}
        for name, declared in problem.heuristics.items():
            if isinstance(declared, Estimate):
                kernels[name] = (declared.function, (s, data, work))
                kernels[f"{name} step"] = (declared.step, (s, data, work, 0, 0))
        return {name: (kernel, values) for name, (kernel, values) in kernels.items() if kernel is not None}

    def heuristic(self, h: BoundHeuristic) -> tuple[dict[str, Any], Any]:
        """The bindings for a heuristic, and its program: empty unless it is composed."""
        declared = [(name, e) for name, e in self.problem.heuristics.items() if isinstance(e, Estimate)]
        codes, values = [], []
        if h.single == "zero":
            bindings: dict[str, Any] = {"estimate": estimates.zero}
        elif h.single is not None:
            estimate = dict(declared)[h.single]
            bindings = {"estimate": estimates.single, "heuristic_kernel": estimate.function}
            if estimate.step is not None and estimate.integer:
                bindings |= {"STEP": True, "step": estimate.step}
        else:
            numbers = {name: i for i, (name, _) in enumerate(declared)}
            for step in h.program:
                if isinstance(step, tuple):
                    codes.append(_CODES[step[0]])
                    values.append(0.0)
                elif isinstance(step, str) and step != "zero":
                    codes.append(numbers[step])
                    values.append(0.0)
                else:
                    codes.append(estimates.CONSTANT)
                    values.append(0.0 if isinstance(step, str) else step)
            bindings = {"estimate": estimates.composed, "others": _chain([e for _, e in declared])}
        stack = np.zeros(len(codes) + 1)
        program = estimates.Program(np.array(codes, dtype=np.int64), np.array(values, dtype=np.float64), stack)
        return {"STEP": False, **bindings}, program


def _chain(declared: list[Estimate]) -> Part:
    """All kernels of a problem behind one function that takes a kernel's number."""
    others = Part(estimates.none_left, ())
    for number, estimate in reversed(list(enumerate(declared))):
        bindings = {"HERE": number, "heuristic_kernel": estimate.function, "others": others}
        others = Part(estimates.choose, tuple(bindings.items()))
    return others


def _mask(bits: int) -> int:
    return -1 if bits == 64 else (1 << bits) - 1


_arrays: dict[int, tuple[list[int], Any]] = {}


def _constants(field: Any) -> Any:
    """A field of ``data`` as kernels get it."""
    if isinstance(field, np.ndarray):
        array = np.ascontiguousarray(field)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"data: expected sequences of integers, got {array.dtype} of {array.ndim} dimensions")
        return array
    plain = integers(field)
    known = _arrays.get(id(plain))
    if known is not None and known[0] is plain:
        return known[1]
    array = np.array(plain, dtype=np.int64)
    if isinstance(field, list):
        keep(_arrays, id(plain), (plain, array), len(plain))
    return array


def new_counts(control: Control) -> Any:
    """The counters of a search at its start."""
    counts = np.zeros(c.COUNTERS, dtype=np.int64)
    limit = control.limits.depth
    counts[c.DEPTH_LIMIT] = c.NO_DEPTH_LIMIT if limit is None else min(limit, c.NO_DEPTH_LIMIT - 1)
    return counts


def conclude(bound: BoundProblem, counts: Any, status: int) -> Found:
    """What a search that ended with ``status`` has to say, apart from its solution."""
    bound.control.digest = int(bound.digest[0])
    if status == c.LARGE:
        raise InputError(
            f"{bound.problem.name}: costs beyond {c.LARGEST_COST:,} or paths of more than 65,534 steps "
            "need engine='python'"
        )
    if status in (c.FULL, c.REQUEUE):
        bound.control.stopped_by = "memory"
    pruned = "depth" if counts[c.PRUNED_DEPTH] else "cut" if counts[c.PRUNED_CUT] else None
    return Found(exhausted=status == c.EXHAUSTED, pruned=pruned)


def next_slice(budget: int, elapsed: float) -> int:
    """How many nodes the next slice may expand, if ``budget`` of them took ``elapsed`` seconds."""
    return min(int(budget * min(max(SLICE_SECONDS / max(elapsed, 1e-9), 0.25), 4.0)) + 1, LONGEST_SLICE)


def run_slices(
    control: Control,
    counts: Any,
    run: Callable[[], int],
    attend: Callable[[int], bool],
    tried: int = c.EXPANDED,
) -> int:
    """Call ``run`` for slices of about 20 ms until it ends or a limit does; the last status.

    ``attend(status)`` sees to what the search needs from Python and says whether it can go on; every status it does
    not know ends the search. ``tried`` is the counter that the limit on nodes bounds.
    """
    budget = FIRST_SLICE
    limit = control.limits.nodes
    while True:
        until = int(counts[tried]) + budget
        counts[c.UNTIL] = until if limit is None else min(until, limit)
        counts[c.TAKES] = budget
        started = time.perf_counter()
        status = run()
        elapsed = time.perf_counter() - started
        control.expanded, control.generated = int(counts[c.EXPANDED]), int(counts[c.GENERATED])
        control.frontier = int(counts[c.FRONTIER])
        control.max_frontier, control.depth = int(counts[c.MAX_FRONTIER]), int(counts[c.DEPTH])
        control.stored = int(counts[c.NODES])
        if status == c.RUNNING:
            if limit is not None and counts[tried] >= limit:
                control.stopped_by = "nodes"
                return status
            budget = next_slice(budget, elapsed)
        elif status == c.TOO_MANY:
            raise InputError("moves lists more moves than max_moves")
        elif not attend(status):
            return status
        if control.stop():
            return c.RUNNING
