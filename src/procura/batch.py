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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import fields
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from procura import catalog
from procura.block import Block
from procura.configuration import Asked, Configuration, configurations
from procura.control import Control, interruptible
from procura.debug import debugging
from procura.errors import InputError
from procura.heuristics import Heuristic
from procura.portfolio import read_jobs
from procura.portions import PORTION, BoardSolver, Pool, Row
from procura.problem import Problem
from procura.result import Limits, Outcome, Result, Stats
from procura.solving import check_asked

FIGURES = frozenset((*(field.name for field in fields(Stats)), "penetrance", "branching_factor"))
FIELDS = frozenset(field.name for field in fields(Result))
"""What a ``Result`` has as it is; the rest it works out with its problem."""
T = TypeVar("T")


def solve_many(
    puzzle: str | type[Problem],
    boards: Iterable[Any],
    algorithm: Asked = "auto",
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
      take turns; with several threads ``engine="auto"`` is ``compiled`` from the first board on.
    - ``cancel`` and Ctrl-C end the batch: results that are there stay, runs under way end with their best so far, and
      the rest are ``not_found``, stopped by ``cancelled``.

    A board that cannot be used does not stop the others: ``batch.errors`` has its ``InputError``. What a generator of
    boards raises, or a defect, ends the batch: boards before it keep their results, and whoever asks for more gets the
    same error, each time.

    >>> batch = solve_many("sliding", ["1 2 3 4 5 6 7 0 8", "1 2 3", "1 2 3 4 5 6 0 7 8"], "bfs", engine="python")
    >>> batch.cost, batch[2].actions
    ([1, None, 2], ('R', 'R'))
    >>> list(batch.errors)
    [1]
    """
    kind = catalog.puzzle(puzzle).load() if isinstance(puzzle, str) else puzzle
    if not isinstance(kind, type) or not issubclass(kind, Problem):
        raise InputError(f"puzzle {puzzle!r}: expected the name of a puzzle, or a class of problems")
    own = _options_of_the_puzzle(kind, configurations(algorithm), options)
    rest = {name: value for name, value in options.items() if name not in own}
    several = configurations(algorithm, heuristic, rest)
    for configuration in several:
        configuration.resolve(kind)  # what no board could be solved with is refused at once
    check_asked(engine, seed)
    if isinstance(boards, str | bytes | Mapping):
        raise InputError(f"boards: expected a list of boards, not one {type(boards).__name__}")
    threads = read_jobs(jobs)
    task = BoardSolver(
        kind, own, several, limits, engine, seed, debugging(), at_once=threads == 1, columns=threads == 1
    )
    return Batch(task, boards, threads, cancel)


def _options_of_the_puzzle(
    kind: type[Problem], several: Sequence[Configuration], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Those of ``options`` that the puzzle takes by name; one that the algorithm takes as well is refused."""
    known = _parameters(kind)  # type: ignore[arg-type]  # a class is hashable
    own = {name: value for name, value in options.items() if name in known}
    for configuration in several:
        info = catalog.algorithms(kind).get(configuration.algorithm)
        for option in info.options if info is not None else ():
            if option.name in own:
                raise InputError(
                    f"option {option.name} could be that of {kind.__name__} or of {configuration}: write it into the "
                    f"boards, as dicts, or into the configuration, as '{configuration},{option.name}=...'"
                )
    return own


@lru_cache(maxsize=64)
def _parameters(kind: Any) -> frozenset[str]:
    """What a puzzle takes by name."""
    return frozenset((*inspect.signature(kind).parameters, *inspect.signature(kind.from_text).parameters))


class Column(Generic[T]):
    """A column of a ``Batch``: one value for each board, None where there is none."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, batch: Batch | None, owner: type) -> list[T | None]:
        return [] if batch is None else batch.column(self.name)


class Batch(Sequence[Result]):
    """The results of ``solve_many``, in the order of the boards.

    ``batch[i]`` makes the ``Result`` of board ``i``, or raises its ``InputError``. Iterating gives for each board its
    ``Result`` or its ``InputError``, as soon as it is there. The columns below have one entry a board, and so have
    those of every field of ``Stats``: ``batch.expanded``, ``batch.seconds``.

    >>> batch = solve_many("sliding", ["1 2 3 4 5 6 7 0 8", "1 2 3 4 5 6 0 7 8"], "bfs", engine="python")
    >>> len(batch), batch.outcome, batch.length, batch[1].actions
    (2, [<Outcome.SOLVED: 'solved'>, <Outcome.SOLVED: 'solved'>], [1, 2], ('R', 'R'))
    """

    outcome = Column[Outcome]()
    stopped_by = Column[str]()
    cost = Column[Any]()
    length = Column[int]()
    optimal = Column[bool]()
    bound = Column[Any]()
    solutions = Column[int]()

    def __init__(
        self, task: BoardSolver, boards: Iterable[Any], jobs: int, cancel: Callable[[], bool] | threading.Event | None
    ) -> None:
        self._task, self._source = task, boards
        self._boards: list[Any] = []
        self._rows: list[Row] = []
        self._blocks: list[Block] = []
        self._wanted = 0
        """The boards that are to be done before anybody asks again."""
        self._end = Control(None, None, None, cancel)
        self._failure: BaseException | None = None
        """What ended the batch early, to be raised again whenever more is asked for."""
        if jobs == 1:
            self._work = task.portions(self._portions(), 1, self._end)
        else:
            pool = Pool(jobs, task, self._end)
            weakref.finalize(self, pool.close)
            self._work = pool.portions(self._portions())

    def __repr__(self) -> str:
        boards = f"{len(self._source):,}" if isinstance(self._source, Sized) else "some"
        return f"<Batch: {boards} boards, {len(self._rows):,} of them solved or tried so far>"

    def __len__(self) -> int:
        if isinstance(self._source, Sized):
            return len(self._source)
        self._finish()
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        at = 0
        while self._reach(at):
            row = self._rows[at]
            yield row if isinstance(row, InputError) else self._result(at)
            at += 1

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if not isinstance(index, int | slice):
            raise InputError(f"batch[{index!r}]: expected the number of a board, or a slice; batch.cost is a column")
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if at < 0 or not self._reach(at):
            raise IndexError(f"result {index} of a batch of {len(self)}")
        return self._result(at)

    def _result(self, at: int) -> Result:
        return self._task.result(self._boards[at], self._rows[at], at)

    def lines(self) -> list[str | None]:
        """For each board the last state of its solution, as the puzzle writes it on one line; None without one.

        >>> solve_many("sudoku", ["1234 3412 2143 43..", "123. .... ...4 ...."], engine="python").lines()
        ['1234341221434321', None]
        """

        def in_block(block: Block) -> Sequence[str | None]:
            if block.lines is None:
                return [alone(block.start + at) if solved else None for at, solved in enumerate(block.solved)]
            if all(block.solved):
                return block.lines()
            return [line if solved else None for line, solved in zip(block.lines(), block.solved, strict=True)]

        def alone(at: int) -> str | None:
            row = self._rows[at]
            unsolved = row is None or isinstance(row, InputError) or (isinstance(row, Result) and not row.solved)
            return None if unsolved else self._result(at).final_line

        return self._values(in_block, alone)

    @property
    def errors(self) -> dict[int, InputError]:
        """The boards that could not be used, by number, and why."""
        self._finish()
        return {at: row for at, row in enumerate(self._rows) if isinstance(row, InputError)}

    def __getattr__(self, name: str) -> list[Any]:
        if name not in FIGURES:
            raise AttributeError(f"a batch has no {name!r}: expected a column such as cost or expanded")
        return self.column(name)

    def column(self, name: str) -> list[Any]:
        """The values of one field, for all boards."""
        if name not in FIGURES and not hasattr(Result, name) and name not in FIELDS:
            raise InputError(f"a batch has no column {name!r}: expected a field of a result, such as cost or expanded")

        def in_block(block: Block) -> Sequence[Any]:
            if block.knows(name):
                return block.column(name)
            places = range(block.start, block.start + len(block))
            return [_field(self._result(at), name) if block.answered[at - block.start] else None for at in places]

        def alone(at: int) -> Any:
            row = self._rows[at]
            bare = name in FIGURES or name in FIELDS or not isinstance(row, Result)
            return _field(row if bare else self._result(at), name)

        return self._values(in_block, alone)

    def _values(self, in_block: Callable[[Block], Sequence[T]], alone: Callable[[int], T]) -> list[T]:
        """A value for each board: those of a block all at once, others one by one."""
        self._finish()
        values: list[T] = []
        for block in self._blocks:
            values += map(alone, range(len(values), block.start))
            made = in_block(block)
            if not all(block.answered):
                known = enumerate(block.answered)
                made = [made[at] if answered else alone(block.start + at) for at, answered in known]
            values += made
        return [*values, *map(alone, range(len(values), len(self._rows)))]

    def _reach(self, at: int) -> bool:
        """Solve boards until number ``at`` is done; False if there are not so many."""
        if len(self._rows) <= at:
            if self._failure is not None:
                raise self._failure
            self._wanted = at + 1
            try:
                with interruptible(self._end):
                    while len(self._rows) <= at:
                        done = next(self._work, None)
                        if done is None:
                            return False
                        self._keep(*done)
            except BaseException as error:
                self._failure = error
                raise
        return True

    def _finish(self) -> None:
        self._reach(sys.maxsize)

    def _keep(self, boards: list[Any], rows: list[Row]) -> None:
        block = next((row for row in rows if isinstance(row, Block)), None)
        if block is not None:
            block.start += len(self._rows)
            self._blocks.append(block)
        self._boards += boards
        self._rows += rows

    def _portions(self) -> Iterator[list[Any]]:
        """The boards that are solved together; what their source raises comes after those before it."""
        if self._task.many is not None and isinstance(self._source, list | tuple):
            at = 0
            while portion := list(self._source[at : at + self._size()]):
                at += len(portion)
                yield portion
            return
        unread = self._unread()
        while True:
            portion, failure = [], None
            try:
                for board in islice(unread, self._size()):
                    portion.append(board)
            except Exception as error:
                failure = error
            if portion:
                yield portion
            if failure is not None:
                raise failure
            if not portion:
                return

    def _size(self) -> int:
        """How many boards to solve next: as many as are asked for, or from a list as many as are done, the larger."""
        if self._task.many is None or (self._task.streams and self._wanted < sys.maxsize):
            return 1
        size = self._wanted - len(self._rows)
        if isinstance(self._source, Sized):
            size = max(size, len(self._rows))
        return min(max(size, 1), PORTION)

    def _unread(self) -> Iterator[Any]:
        """The boards; once the batch has been ended, only those that are sure to come to an end."""
        for board in self._source:
            if self._end.asked_to_end() and not isinstance(self._source, Sized):
                return
            yield board


def _field(row: Row, name: str) -> Any:
    if row is None:
        return {"outcome": Outcome.NOT_FOUND, "stopped_by": "cancelled"}.get(name)
    if not isinstance(row, Result):
        return None
    return getattr(row.stats if name in FIGURES else row, name)
