"""The hand-over of ``engine="auto"``: an interpreted run gives way to the compiled one when the kernels for it come.

Both engines go through the same nodes, so it does not matter which of them finishes. Kernels are asked for once the
interpreted runs of a class and configuration have taken ``BLINK`` seconds in this process. They are loaded if a hint
says that the cache has them, or compiled in a child process while the interpreted run goes on; a class that only this
process knows is compiled in a copy of it, and where none can be made, or nothing can be kept, here.

The interpreted run looks around for them between two expansions (``FirstPhase.stop``), so no thread is needed.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.metadata
import os
import platform
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from weakref import WeakKeyDictionary

from procura import __version__
from procura.compiled import process
from procura.compiled.kernels import can_compile, hint, hinted, kernel_folder
from procura.configuration import Configuration
from procura.control import Control, Event, resident_bytes
from procura.debug import debugging, wide_rows
from procura.problem import ArrayProblem, Problem

BLINK = 0.1
"""The seconds that interpreted runs of a kind may take in all before kernels are asked for."""
LOOK_SECONDS = 0.02

Prepare = Callable[[Callable[[Event], None] | None], object]


class HandOver(Exception):
    """Raised in an interpreted run: the kernels are there."""


@dataclass(frozen=True)
class Job:
    """What is to be compiled: all that a compiled run of this problem needs."""

    problem: Problem
    configuration: Configuration
    prepare: Callable[[Callable[[Event], None] | None, Callable[[], bool] | None], Control]
    """Compile or load it here, tell how far it is, and ask whether to go on."""

    def request(self) -> dict[str, Any] | None:
        """The job by name, for a process that can import the class and read the board; None if it cannot be named."""
        kind = type(self.problem)
        module = sys.modules.get(kind.__module__)
        if "<" in kind.__qualname__ or module is None or not _importable(module):
            return None
        try:
            board, options = self.problem.board_text(), self.problem.board_options()
        except Exception:  # a user's own code
            return None
        return {
            "module": module.__name__, "file": module.__file__, "class": kind.__qualname__, "board": board,
            "options": dict(options), "configuration": str(self.configuration), "debug": debugging(),
        }  # fmt: skip

    def compile(self, report: process.Report) -> None:
        """Compile, and say how far it is and how it ended."""
        _compile(lambda tell: self.prepare(tell, None), report)


def _compile(prepare: Prepare, report: process.Report) -> None:
    try:
        prepare(lambda event: report(event.figures or {}) if event.kind == "progress" else None)
    except Exception as error:
        report({"failed": _sentence(error)})
    else:
        report({"ready": True})


def _sentence(error: Exception) -> str:
    """What an error says, the last line of it."""
    return (str(error).strip() or type(error).__name__).splitlines()[-1]


def _importable(module: Any) -> bool:
    """Whether another process that imports the module's name gets the same file."""
    package, _, _ = module.__name__.rpartition(".")
    file = getattr(module, "__file__", None)
    if module.__name__ == "__main__" or file is None or (package and package not in sys.modules):
        return False
    paths = getattr(sys.modules[package], "__path__", None) if package else [path or os.getcwd() for path in sys.path]
    spec = importlib.machinery.PathFinder.find_spec(module.__name__, paths)
    return spec is not None and spec.origin == file


class Kernels:
    """What this process knows of the kernels for one kind of run."""

    def __init__(self) -> None:
        self.spent = 0.0
        """The seconds that interpreted runs have taken in all."""
        self.loaded = False
        """They are in this process: the next run starts compiled."""
        self.noted = False
        """A hint to them was left, or was there; see ``note_kernels``."""
        self.refusal: str | None = None
        """Why they cannot be had, in words."""
        self._compiler: process.Compiler | None = None
        self._asked = False
        self._busy = threading.Lock()

    def wanted(self, control: Control) -> bool:
        """Whether the run has gone on for long enough to ask for them."""
        return self.spent + control.seconds >= BLINK

    @property
    def coming(self) -> bool:
        """Whether they are neither there nor known not to come."""
        return not self.loaded and self.refusal is None

    @property
    def preparing(self) -> str | None:
        """How far the compiler is, in words, if one is at work."""
        compiler = self._compiler
        return None if compiler is None else compiler.preparing

    def look(self, job: Job, control: Control) -> bool:
        """See to it that the kernels come, and load them when they can be loaded; whether they are loaded."""
        if self.loaded or self.refusal is not None or not self._busy.acquire(blocking=False):
            return self.loaded
        try:
            if self._come(job):
                self._load(job, control)
            return self.loaded
        finally:
            self._busy.release()

    def _come(self, job: Job) -> bool:
        """Whether there is nothing to wait for."""
        if not self._asked:
            if not can_compile():
                self.refusal = "Numba is not installed"
                return False
            if hinted(digest(job.problem, job.configuration)) or not _keeps_kernels():
                self._asked = True
                return True
            if process.all_busy():
                return False
            self._asked = True
            self._compiler = _compiler(job)
        if self._compiler is None:
            return True
        ended = self._compiler.poll()
        if ended is None:
            return False
        self._compiler = None
        self.refusal = ended.get("failed")
        return self.refusal is None

    def _load(self, job: Job, control: Control) -> None:
        """Load them from the cache; if they are not there after all, compile them here.

        A table that they need and that a limit ends is left to the compiled run, which has its limits anew.
        """
        try:
            prepared = job.prepare(control.on_event if "progress" in control.kinds else None, control.asked_to_end)
        except Exception as error:
            self.refusal = _sentence(error)
        else:
            self.loaded = prepared.stopped_by != "cancelled"

    def wait(self, job: Job, control: Control) -> bool:
        """Wait until they are loaded; False if they cannot be had, or the run is to end before."""
        while not self.look(job, control):
            if self.refusal is not None or control.asked_to_end():
                return False
            control.report_progress()
            time.sleep(LOOK_SECONDS)
        return True


def _compiler(job: Job) -> process.Compiler | None:
    """A child that does the job; None if it has to be done here."""
    if not process.possible():
        return None
    request = job.request()
    if request is not None:
        return process.spawn(request)
    return process.fork(job.compile) if process.can_fork() else None


def forked_compiler(prepare: Prepare) -> process.Compiler | None:
    """A copy of this process that compiles into the cache; None if it has to be done here."""
    if not process.can_fork() or not _keeps_kernels():
        return None
    return process.fork(partial(_compile, prepare))


def _keeps_kernels() -> bool:
    """Whether there is a folder in which another process can leave kernels."""
    try:
        with kernel_folder() as folder:
            return os.access(folder.path, os.W_OK)
    except OSError:
        return False


_known: WeakKeyDictionary[type, dict[Any, Kernels]] = WeakKeyDictionary()


def _forget() -> None:
    """In a process that was forked: the compilers are its parent's, and locks may be held by threads that are not."""
    _known.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def kernels_of(problem: Problem, configuration: Configuration) -> Kernels:
    """What is known of the kernels for runs of this kind."""
    kinds = _known.get(type(problem))
    if kinds is None:
        kinds = _known.setdefault(type(problem), {})
    key = (*_shape(problem), _searches(configuration), debugging())
    kernels = kinds.get(key)
    return kinds.setdefault(key, Kernels()) if kernels is None else kernels


def _shape(problem: Problem) -> tuple[Any, ...]:
    """What sets apart the kernels for problems of one class, as far as can be told at a glance."""
    facts = problem.costs, problem.integer_costs
    if not isinstance(problem, ArrayProblem):
        return facts
    rows = problem.size, problem.key, problem.dtype, problem.bits
    return *facts, *rows, problem.apply.__qualname__, type(problem.data)


def _searches(configuration: Configuration) -> str:
    heuristic = configuration.heuristic
    return _without_numbers(configuration.algorithm, heuristic and heuristic.text, configuration.options)


@lru_cache(maxsize=256)
def _without_numbers(*configuration: Any) -> str:
    """A configuration without its numbers, which kernels are given when they run."""
    return re.sub(r"(?<![\w.])[\d.]+(e[-+]?\d+)?", "#", repr(configuration))


def digest(problem: Problem, configuration: Configuration) -> str:
    """The name of the hint for runs of this kind: a hash of what their kernels mostly depend on."""
    kind = type(problem)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    info = os.stat(file) if file is not None and os.path.exists(file) else None
    parts = (
        kind.__module__, kind.__qualname__, file, info and (info.st_mtime_ns, info.st_size),
        *_shape(problem), _searches(configuration), debugging(), wide_rows(),
        __version__, importlib.metadata.version("numba"), platform.python_version(), platform.machine(),
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def note_kernels(problem: Problem, configuration: Configuration, control: Control) -> None:
    """Leave a hint to the kernels that a run has compiled or loaded, if it was the first to do so."""
    kernels = kernels_of(problem, configuration)
    if kernels.noted:
        return
    kernels.noted = True
    names = [name for name in control.kernels if name is not None]
    kind = digest(problem, configuration)
    if len(names) == len(control.kernels) and not hinted(kind):
        hint(kind, names)


class FirstPhase(Control):
    """The control of an interpreted run that hands over when its kernels come, or goes on to its end without them."""

    def __init__(self, control: Control, kernels: Kernels, job: Job) -> None:
        self._whole, self._kernels, self._job = control, kernels, job
        self._held: list[Event] = []
        self._best: Any = None
        self._next_look = 0.0
        self._room: int | None = None
        on_event = None if control.on_event is None else self._tell
        super().__init__(control.limits, on_event, control.kinds, control.asked_to_end, control.debug)
        self.memory_ceiling = control.memory_ceiling

    def stop(self) -> bool:
        now = time.perf_counter()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._look(now)
        return super().stop()

    def _look(self, began: float) -> None:
        """Ask for the kernels or after them; without them it gets a quarter of the memory, and then waits for them."""
        if self.preparing is not None or self._kernels.refusal is not None or not self._kernels.wanted(self):
            return
        arrived = self._kernels.look(self._job, self)
        if not arrived and self._full():
            arrived = self._kernels.wait(self._job, self)
        if arrived:
            raise HandOver
        self.forgive(time.perf_counter() - began)

    def _full(self) -> bool:
        resident = resident_bytes()
        if self._room is None:
            self._room = resident + max(self.memory_ceiling - resident, 0) // 4
        return resident > self._room

    def emit(self, kind: str, **fields: Any) -> None:
        if kind == "progress" and self._kernels.preparing is not None:
            fields["figures"] = {"preparing": self._kernels.preparing}
        super().emit(kind, **fields)

    def _tell(self, event: Event) -> None:
        """Pass on progress and what is better than anything before; hold the rest until it is known who finishes."""
        assert self._whole.on_event is not None
        if event.kind == "improve":
            if self._best is not None and not event.value < self._best:
                return
            self._best = event.value
        elif event.kind != "progress":
            self._held.append(event)
            return
        self._whole.on_event(event)

    def finish(self) -> None:
        """This run is the one that counts: tell what was held."""
        for event in self._held:
            assert self._whole.on_event is not None
            self._whole.on_event(event)

    def hand_over(self) -> None:
        """The compiled run begins, with all of its time; it tells only what is better than anything told before."""
        control, best = self._whole, self._best
        control.start()
        control.stats.peak_memory = max(control.stats.peak_memory, self.stats.peak_memory)
        control.notes += self.notes
        tell = control.on_event
        if tell is None or best is None:
            return

        def better(event: Event) -> None:
            nonlocal best
            if event.kind == "improve" and best is not None:
                if not event.value < best:
                    return
                best = None
            tell(event)

        control.on_event = better
