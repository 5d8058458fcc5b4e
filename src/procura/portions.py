"""Boards solved in portions: what is done with every board, on one thread or on several.

An algorithm that solves many at once (``Algorithm.many``) gets up to ``PORTION`` boards, and what it answers stays in
columns, in a ``Block``; others get one board at a time. One that solves many rows at once (``Algorithm.many_rows``)
does so for who asks for a column: who asks for one board after the other is not to wait for those after it, which may
be hard.
"""

from __future__ import annotations

import inspect
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

from procura import catalog, handover
from procura.block import Block
from procura.compiled.kernels import can_compile
from procura.configuration import Configuration
from procura.control import Control
from procura.debug import checked
from procura.errors import InputError, KernelError
from procura.preparing import Stopped, open_tables
from procura.problem import ArrayProblem, Problem
from procura.replay import replayed
from procura.result import Limits, Outcome, Result
from procura.solving import HINT_SECONDS, Plan, answered, execute, notes, plan, solve

AHEAD = 16
"""Boards that each thread may be ahead of what has been asked for."""
PORTION, PORTIONS_AHEAD = 1024, 2
"""The most boards that are solved at once, and such portions that each thread may be ahead."""

Row = Result | InputError | Block | None
"""What is known of a board: its result, what is wrong with it, the block that has its answer, or None: the batch was
ended before its turn."""
Portion = tuple[list[Any], list[Row]]
"""Boards, and what is known of each."""

_READING = ("__init__", "from_text")
"""What a board is read by."""
_ready: set[tuple[type[Problem], str]] = set()
"""The puzzles and algorithms by which many boards have been solved at once in this process: kernels are there."""


class BoardSolver:
    """What is to be done with every board."""

    def __init__(
        self, kind: type[Problem], own: dict[str, Any], several: Sequence[Configuration], limits: Limits | None,
        engine: str, seed: int | None, debug: bool, *, at_once: bool, columns: bool = False,
    ) -> None:  # fmt: skip
        self.kind, self.own, self.several = kind, own, several
        self.limits, self.engine, self.seed, self.debug, self.at_once = limits, engine, seed, debug, at_once
        self._columns = columns
        Control(limits)  # a limit that is none is refused before any board is read
        self.many = self._solves_many()
        self._alone = at_once and engine == "auto" and self._named not in _ready
        """Boards are solved one by one, the first of them at once, until kernels are there."""
        self.failure: Exception | None = None
        """What was raised at a board, to be raised again once those before it are handed on."""

    @property
    def _named(self) -> tuple[type[Problem], str]:
        """What is solved, and by what."""
        return self.kind, str(self.many)

    def _solves_many(self) -> Configuration | None:
        """The configuration that solves many boards at once, if it does that as well as one by one."""
        limited = self.limits is not None and self.limits != Limits()
        if limited or self.debug or self.engine == "python" or len(self.several) > 1 or not can_compile():
            return None
        preset, found = self.several[0].preset(self.kind), self.several[0].resolve(self.kind)
        if found.algorithm == "auto" and isinstance(self.kind.auto, str) and catalog.keeps_rules(self.kind):
            found = Configuration.parse(self.kind.auto).changed(found).resolve(self.kind)
        if found.algorithm == "auto" or (preset is not None and preset.options):
            return None
        whole = found.info.many is not None and not self.own and _reads_as_declared(self.kind)
        rows = found.info.many_rows is not None and self._columns and issubclass(self.kind, ArrayProblem)
        return found if whole or rows else None

    @property
    def streams(self) -> bool:
        """Whether boards are to be solved one by one as long as not all are asked for."""
        return self.many is None or self.many.info.many is None

    def portion(self, boards: list[Any], end: Control) -> Portion:
        """Solve several boards; those before the one at which something was raised, if anything was."""
        rows: list[Row] = []
        several = not self.streams or len(boards) > 1
        for board in boards:
            if self.many is not None and several and not self._alone and not end.asked_to_end():
                break
            rows.append(self.attempt(board, end))
            self._alone = self._alone and getattr(rows[-1], "engine", None) != "compiled"
        rows += self._block(boards[len(rows) :], len(rows), end)
        return boards[: len(rows)], rows

    def _block(self, boards: list[Any], start: int, end: Control) -> list[Row]:
        """Solve boards at once, of which the first is number ``start`` of its portion."""
        many, block = self.many, None  # another thread may have found that boards are to be solved one by one
        if many is not None and boards:
            expected = Exception if self.streams else (InputError, KernelError, ImportError)
            try:
                if self.streams:
                    block = self._rows(boards, end)
                else:
                    block = many.info.solve_many(boards, end.asked_to_end, many.all_options)
            except expected:  # the results of single boards say what is wrong, or stood in
                self.many = None
        if block is None:
            return self._one_by_one(boards, [None] * len(boards), end)
        _ready.add(self._named)
        block.start = start
        if self.streams and 2 * sum(block.answered) < len(block):
            self.many = None
        return self._one_by_one(boards, [block if known else None for known in block.answered], end)

    def _one_by_one(self, boards: list[Any], known: list[Block | None], end: Control) -> list[Row]:
        """Solve those of the boards that are not in a block already."""
        rows: list[Row] = []
        for board, block in zip(boards, known, strict=True):
            try:
                rows.append(block or self.attempt(board, end))
            except Exception as error:
                if not rows or not self.at_once:
                    raise
                self.failure = error
                break
        return rows

    def _rows(self, boards: list[Any], end: Control) -> Block | None:
        """The boards that are like the first which can be used, searched at once; None if that answers none."""
        problems = [self._usable(board) for board in boards]
        first = next((problem for problem in problems if problem is not None), None)
        if first is None:
            return None
        what, run = self._plan(first), Control()
        refusal = what.info.refusal
        if refusal is not None:
            problems = [None if one is None or refusal(one, what.options) else one for one in problems]
        try:
            open_tables(first, end, what.h.names)
        except Stopped:
            return None
        with run.in_charge():
            block = what.info.solve_rows(problems, what.h, end.asked_to_end, what.options)
        if block is not None:
            if block.stats.compile_seconds > HINT_SECONDS:
                handover.note_kernels(what.problem, what.configuration, run)
            _replay(block, problems)
        return block

    def _usable(self, board: Any) -> Problem | None:
        """The problem that a board stands for; None if it is not to be searched with others."""
        with suppress(Exception):  # which is raised again when the board is tried by itself
            problem = self.problem(board)
            return None if problem.proved_unsolvable() else problem
        return None

    def portions(self, portions: Iterable[list[Any]], jobs: int, end: Control) -> Iterator[Portion]:
        """Solve portions of boards, in order; on several threads, a few of them ahead."""
        if jobs > 1:
            yield from Pool(jobs, self, end).portions(portions)
            return
        for portion in portions:
            yield self.portion(portion, end)
            if self.failure is not None:
                raise self.failure

    def problem(self, board: Any) -> Problem:
        """The problem that a board stands for; raises ``InputError``."""
        if isinstance(board, Problem):
            return board.with_options(**self.own) if self.own else board
        make: Any = self.kind
        if isinstance(board, str) and "from_text" in _defined(self.kind):
            make = self.kind.from_text
        positional = () if isinstance(board, Mapping) else (board,)
        named = {**self.own, **board} if isinstance(board, Mapping) else self.own
        if named:
            try:
                inspect.signature(make).bind(*positional, **named)
            except TypeError as error:
                raise InputError(f"{self.kind.__name__}: {error}") from None
        made: Problem = make(*positional, **named)
        return made

    def attempt(self, board: Any, end: Control) -> Row:
        """Solve a board; None if the batch has ended before."""
        if end.asked_to_end():
            return None
        try:
            with checked(self.debug):
                return self._run(self.problem(board), end.asked_to_end)
        except InputError as error:
            return error

    def _run(self, problem: Problem, cancel: Callable[[], bool]) -> Result:
        """Solve a problem; the result is kept small, without the problem, unless it is a portfolio's."""
        if len(self.several) > 1:
            return solve(
                problem, self.several, limits=self.limits, engine=self.engine, seed=self.seed, cancel=cancel, jobs=1
            )
        what = self._plan(problem)
        result = execute(what, Control(self.limits, None, None, cancel, self.debug))
        path = result.path
        if path is not None and all(type(action) is int for action in path):
            with suppress(OverflowError):
                path = array("H", path)
        return replace(result, path=path, problem=None)

    def _plan(self, problem: Problem) -> Plan:
        what = plan(problem, self.several[0], self.engine, self.seed)
        if not self.at_once:
            what.first = None
        return what

    def result(self, board: Any, row: Row, at: int) -> Result:
        """The ``Result`` of a row, whose problem is made again; raises the row's error if it is one.

        ``at`` is the number of the board, counted as the first of its block is.
        """
        if isinstance(row, InputError):
            raise row
        if isinstance(row, Result) and row.problem is not None:
            return row
        what = self._plan(self.problem(board))
        if isinstance(row, Block):
            return answered(what, row.found(at - row.start, what.problem), row.stats_of(at - row.start))
        if row is None:
            row = Result(what.configuration, what.engine, what.seed, Outcome.NOT_FOUND, "cancelled", notes=notes(what))
        return replace(row, problem=what.problem, path=None if row.path is None else list(row.path))


def _replay(block: Block, problems: Sequence[Any]) -> None:
    """Make every solution again by the rules; a board whose solution they refuse is left to be solved by itself."""
    finals, costs = {}, block.column("cost")
    for at, problem in enumerate(problems):
        if block.answered[at]:
            try:
                finals[at], _ = replayed(problem, block.path(at, problem), costs[at])
            except Exception:  # which a run of its own raises again
                block.answered[at] = block.solved[at] = False
    block.final = finals.__getitem__


def _reads_as_declared(kind: type[Problem]) -> bool:
    """Whether boards are read as the class reads them that says which specialists there are."""
    home: Any = next(cls for cls in kind.__mro__ if "specialists" in vars(cls))
    return all(inspect.getattr_static(kind, name) is inspect.getattr_static(home, name) for name in _READING)


def _defined(kind: type[Problem]) -> set[str]:
    """What a class and those above it define, ``Problem`` itself not counted."""
    return {name for cls in kind.__mro__ if cls is not Problem for name in vars(cls)}


class _Answer:
    """What a thread will say of a portion of boards."""

    def __init__(self, boards: list[Any]) -> None:
        self.boards = boards
        self.portion: Portion | None = None
        self.error: BaseException | None = None
        self.ready = threading.Event()

    def wait(self) -> Portion:
        """The portion, when it is there."""
        self.ready.wait()
        if self.error is not None:
            raise self.error
        assert self.portion is not None
        return self.portion


class Pool:
    """Threads that solve boards; they do not keep the program from ending."""

    def __init__(self, jobs: int, task: BoardSolver, end: Control) -> None:
        self.jobs, self._task, self._end = jobs, task, end
        self._queue: SimpleQueue[_Answer | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def portions(self, portions: Iterable[list[Any]]) -> Iterator[Portion]:
        """Solve portions, some ahead, and hand them on in order."""
        waiting: deque[_Answer] = deque()
        unread = iter(portions)
        failure: Exception | None = None  # of the source, to be raised after the boards that came before it
        ahead = self.jobs * (AHEAD if self._task.many is None else PORTIONS_AHEAD)
        try:
            while True:
                while failure is None and len(waiting) < ahead:
                    try:
                        waiting.append(self.submit(next(unread)))
                    except StopIteration:
                        break
                    except Exception as error:
                        failure = error
                if not waiting and failure is not None:
                    raise failure
                if not waiting:
                    return
                done = waiting[0].wait()
                waiting.popleft()
                yield done
        finally:
            self.close()

    def submit(self, boards: list[Any]) -> _Answer:
        """Have boards solved."""
        answer = _Answer(boards)
        self._queue.put(answer)
        if len(self._threads) < self.jobs:
            self._threads.append(threading.Thread(target=self._serve, daemon=True))
            self._threads[-1].start()
        return answer

    def _serve(self) -> None:
        while (answer := self._queue.get()) is not None:
            try:
                answer.portion = self._task.portion(answer.boards, self._end)
            except BaseException as error:  # to be raised where the row is asked for
                answer.error = error
            answer.ready.set()

    def close(self) -> None:
        """End what is under way, and the threads."""
        self._end.interrupted = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(1)
