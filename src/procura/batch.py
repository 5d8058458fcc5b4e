"""solve_many(): one configuration on many boards, and ``Batch``, what comes of it: columns, and results when asked for.

A ``Batch`` is lazy. It begins when something is first asked of it, and does what is needed to answer: iterating
solves board after board, ``batch[7]`` the first eight, a column or ``batch.errors`` all. On several threads it works
a little ahead. Nothing is done twice.
"""

from __future__ import annotations

import inspect
import sys
import threading
import weakref
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, TypeVar, overload

from procura import catalog
from procura.control import Control, interruptible
from procura.debug import checked, debugging
from procura.errors import InputError, unknown
from procura.heuristics import Heuristic
from procura.portfolio import read_jobs
from procura.problem import Problem
from procura.result import Limits, Outcome, Result
from procura.runs import Run, Settings
from procura.solving import Plan, configurations, execute, plan, solve

AHEAD = 16
"""Boards that each thread may be ahead of what has been asked for."""

T = TypeVar("T")
Row = Run | Result | InputError | None
"""What is known of a board: its run, what is wrong with it, or None: the batch was ended before its turn."""


def solve_many(
    puzzle: str | type[Problem],
    boards: Iterable[Any],
    algorithm: str | Sequence[str] = "auto",
    *,
    heuristic: str | Heuristic | None = None,
    limits: Limits | None = None,
    engine: str = "auto",
    seed: int | None = None,
    jobs: int | str | None = 1,
    cancel: Callable[[], bool] | threading.Event | None = None,
    **options: Any,
) -> Batch:
    """Solve many boards of a puzzle; each as ``solve`` would, with the same result.

    - ``puzzle``: a class, or a name of the catalog.
    - ``boards``: for each problem what its class takes first (text or lists), its arguments by name in a dict, or
      a ``Problem``. They are read when it is their turn, so a generator will do.
    - ``options``: those of the puzzle (``goal``, ``pieces``, ...) go to every board, the others to the algorithm.
    - ``limits`` and ``seed`` are those of each run. A limit on memory is one on the process, so with several threads
      any run can meet it.
    - ``jobs``: threads; 0, None or ``"all"`` for one a core. Compiled searches run at the same time, interpreted ones
      take turns.
    - ``cancel`` and Ctrl-C end the batch: results that are there stay, runs under way end with their best so far, and
      the rest are ``not_found``, stopped by ``cancelled``.

    A board that cannot be used does not stop the others: ``batch.errors`` has its ``InputError``.

    >>> batch = solve_many("sliding", ["1 2 3 4 5 6 7 0 8", "1 2 3", "1 2 3 4 5 6 0 7 8"], "bfs", engine="python")
    >>> batch.cost, batch[2].actions
    ([1, None, 2], ('R', 'R'))
    >>> list(batch.errors)
    [1]
    """
    kind = catalog.puzzle(puzzle).load() if isinstance(puzzle, str) else puzzle
    if not isinstance(kind, type) or not issubclass(kind, Problem):
        raise InputError(f"puzzle {puzzle!r}: expected a name such as 'sliding', or a class of problems")
    several = configurations(algorithm)
    own = _options_of_the_puzzle(kind, several, options)
    rest = {name: value for name, value in options.items() if name not in own}
    _check(kind, several, rest)
    if isinstance(boards, str | bytes | Mapping):
        raise InputError(f"boards: expected a list of boards, not one {type(boards).__name__}")
    task = _Task(kind, own, several, heuristic, limits, engine, seed, rest, debugging())
    return Batch(task, boards, read_jobs(jobs), cancel)


def _options_of_the_puzzle(kind: type[Problem], several: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of ``options`` that the puzzle takes by name; one that the algorithm takes as well is refused."""
    parameters = {*inspect.signature(kind).parameters, *inspect.signature(kind.from_text).parameters}
    own = {name: value for name, value in options.items() if name in parameters}
    for configuration in several:
        info = catalog.ALGORITHMS.get(catalog.parse_configuration(configuration)[0])
        for option in info.options if info is not None else ():
            if option.name in own:
                raise InputError(
                    f"option {option.name} could be that of {kind.__name__} or of {configuration}: write it into the "
                    f"boards, as dicts, or into the configuration, as '{configuration},{option.name}=...'"
                )
    return own


def _check(kind: type[Problem], several: list[str], options: Mapping[str, Any]) -> None:
    """Refuse at once what no board could be solved with."""
    for configuration in several:
        name, _, given = catalog.parse_configuration(configuration)
        if name == "auto" or name in kind.presets:
            continue
        if name not in catalog.ALGORITHMS:
            raise unknown("there is no algorithm", name, [*catalog.ALGORITHMS, *kind.presets])
        catalog.algorithm(name).read_options({**given, **options})


class _Task:
    """What is to be done with every board."""

    def __init__(
        self, kind: type[Problem], own: dict[str, Any], several: list[str], heuristic: str | Heuristic | None,
        limits: Limits | None, engine: str, seed: int | None, options: dict[str, Any], debug: bool,
    ) -> None:  # fmt: skip
        self.kind, self.own, self.several = kind, own, several
        self.heuristic, self.limits, self.engine, self.seed, self.options = heuristic, limits, engine, seed, options
        self.debug = debug
        Control(limits)  # a limit that is none is refused before any board is read
        self._settings: dict[Any, Settings] = {}

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

    def _run(self, problem: Problem, cancel: Callable[[], bool]) -> Run | Result:
        """Solve a problem; a portfolio's result is the only one that is made at once."""
        if len(self.several) > 1:
            return solve(
                problem, self.several, heuristic=self.heuristic, limits=self.limits, engine=self.engine,
                seed=self.seed, cancel=cancel, jobs=1, **self.options,
            )  # fmt: skip
        what = self._plan(problem)
        run = execute(what, Control(self.limits, None, None, cancel, self.debug))
        run.settings = self._shared(run.settings)
        if run.path is not None:
            with suppress(TypeError, ValueError, OverflowError):
                run.path = array("H", run.path)
        return run

    def _plan(self, problem: Problem) -> Plan:
        return plan(problem, self.several[0], self.heuristic, self.engine, self.seed, self.options)

    def _shared(self, settings: Settings) -> Settings:
        """Equal settings, once for all runs."""
        key = (settings.algorithm, str(settings.options), settings.heuristic, settings.engine, settings.notes)
        return self._settings.setdefault(key, settings)

    def result(self, board: Any, run: Row) -> Result:
        """The ``Result`` of a row, whose problem is made again; raises the row's error if it is one."""
        if isinstance(run, InputError):
            raise run
        if isinstance(run, Result):
            return run
        what = self._plan(self.problem(board))
        return (run or Run(what.settings(), Outcome.NOT_FOUND, "cancelled")).result(what.problem)


def _defined(kind: type[Problem]) -> set[str]:
    """What a class and those above it define, ``Problem`` itself not counted."""
    return {name for cls in kind.__mro__ if cls is not Problem for name in vars(cls)}


class Column(Generic[T]):
    """A column of a ``Batch``: one value for each board, None where there is none."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, batch: Batch | None, owner: type) -> list[T | None]:
        return [] if batch is None else batch.column(self.name)


class Batch(Sequence[Result]):
    """The results of ``solve_many``, in the order of the boards.

    ``batch[i]`` makes the ``Result`` of board ``i``, or raises its ``InputError``. Iterating gives for each board its
    ``Result`` or its ``InputError``, as soon as it is there. The columns below have one entry a board.
    """

    outcome = Column[Outcome]()
    stopped_by = Column[str]()
    cost = Column[Any]()
    length = Column[int]()
    optimal = Column[bool]()
    bound = Column[Any]()
    generated = Column[int]()
    expanded = Column[int]()
    max_frontier = Column[int]()
    depth = Column[int]()
    seconds = Column[float]()
    compile_seconds = Column[float]()
    peak_memory = Column[int]()

    def __init__(
        self, task: _Task, boards: Iterable[Any], jobs: int, cancel: Callable[[], bool] | threading.Event | None
    ) -> None:
        self._task, self._source = task, boards
        self._boards: list[Any] = []
        self._rows: list[Row] = []
        self._end = Control(None, None, None, cancel)
        if jobs == 1:
            self._work = self._steps()
        else:
            pool = _Pool(jobs, task, self._end)
            weakref.finalize(self, pool.close)
            self._work = self._threaded_steps(pool)

    def __len__(self) -> int:
        if isinstance(self._source, Sized):
            return len(self._source)
        self._finish()
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        at = 0
        while self._reach(at):
            row = self._rows[at]
            yield row if isinstance(row, InputError) else self._task.result(self._boards[at], row)
            at += 1

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if at < 0 or not self._reach(at):
            raise IndexError(f"result {index} of a batch of {len(self)}")
        return self._task.result(self._boards[at], self._rows[at])

    @property
    def errors(self) -> dict[int, InputError]:
        """The boards that could not be used, by number, and why."""
        self._finish()
        return {at: row for at, row in enumerate(self._rows) if isinstance(row, InputError)}

    def column(self, name: str) -> list[Any]:
        """The values of one field, for all boards."""
        self._finish()
        return [_field(row, name) for row in self._rows]

    def _reach(self, at: int) -> bool:
        """Solve boards until number ``at`` is done; False if there are not so many."""
        if len(self._rows) <= at:
            with interruptible(self._end):
                while len(self._rows) <= at:
                    if next(self._work, self) is self:
                        return False
        return True

    def _finish(self) -> None:
        self._reach(sys.maxsize)

    def _steps(self) -> Iterator[None]:
        """Solve one board after the other."""
        for board in self._unread():
            row = self._task.attempt(board, self._end)
            self._boards.append(board)
            self._rows.append(row)
            yield

    def _threaded_steps(self, pool: _Pool) -> Iterator[None]:
        """Solve boards on threads, some ahead, and take them in order."""
        waiting: deque[tuple[Any, _Answer]] = deque()
        unread = self._unread()
        try:
            while True:
                while len(waiting) < pool.jobs * AHEAD:
                    try:
                        board = next(unread)
                    except StopIteration:
                        break
                    waiting.append((board, pool.submit(board)))
                if not waiting:
                    return
                board, answer = waiting[0]
                row = answer.wait()
                waiting.popleft()
                self._boards.append(board)
                self._rows.append(row)
                yield
        finally:
            pool.close()

    def _unread(self) -> Iterator[Any]:
        """The boards; once the batch has been ended, only those that are sure to come to an end."""
        for board in self._source:
            if self._end.asked_to_end() and not isinstance(self._source, Sized):
                return
            yield board


def _field(row: Row, name: str) -> Any:
    if row is None:
        return {"outcome": Outcome.NOT_FOUND, "stopped_by": "cancelled"}.get(name)
    if isinstance(row, InputError):
        return None
    return getattr(row.stats if isinstance(row, Result) and not hasattr(row, name) else row, name)


class _Answer:
    """What a thread will say of one board."""

    def __init__(self, board: Any) -> None:
        self.board = board
        self.row: Row = None
        self.error: BaseException | None = None
        self.ready = threading.Event()

    def wait(self) -> Row:
        """The row, when it is there."""
        self.ready.wait()
        if self.error is not None:
            raise self.error
        return self.row


class _Pool:
    """Threads that solve boards; they do not keep the program from ending."""

    def __init__(self, jobs: int, task: _Task, end: Control) -> None:
        self.jobs, self._task, self._end = jobs, task, end
        self._queue: SimpleQueue[_Answer | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def submit(self, board: Any) -> _Answer:
        """Have a board solved."""
        answer = _Answer(board)
        self._queue.put(answer)
        if len(self._threads) < self.jobs:
            self._threads.append(threading.Thread(target=self._serve, daemon=True))
            self._threads[-1].start()
        return answer

    def _serve(self) -> None:
        while (answer := self._queue.get()) is not None:
            try:
                answer.row = self._task.attempt(answer.board, self._end)
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
