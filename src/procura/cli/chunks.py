"""A file of boards solved on a cluster: cut into chunks, which processes elsewhere solve, and put together in order.

A process is told how to search once, and then gets chunk after chunk; it answers with what is to be printed. The size
of a chunk follows from how long the last one took. However long the file is, only a few chunks of it are held.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from procura.cli.interrupt import noted_interrupts
from procura.cli.lines import Answers, BoardLines, PortionReport, Rate
from procura.cli.reports import JsonReport
from procura.cli.running import Report
from procura.cli.settings import Settings, read_settings
from procura.cli.status import FOUND, INTERNAL, INTERRUPTED, close_stdout, say, worse
from procura.control import Control
from procura.errors import InputError, KernelError
from procura.portions import PORTION, BoardSolver, Row
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.result import Limits
from procura.runners.child import Line, Request, alone, limit_address_space, load_puzzle
from procura.runners.runner import Ended, Runner, Setup, Task
from procura.solving import plan, prepare
from procura.texts import Options, Task as Problem

FIRST, MOST = 32, 16 * PORTION
"""Boards of the first chunks, and of the largest."""
CHUNK_SECONDS = 2.0
"""What a chunk is to take."""
AHEAD = 4
"""Chunks that are held for each that may be under way, at the most."""
SLACK_SECONDS = 10.0
"""What a chunk may take beside its searches, if these have a time limit."""


class Board(NamedTuple):
    """A board as text; None if it is none, and then ``wrong`` says why."""

    text: str | None
    name: str | None
    place: str
    wrong: str = ""


class Chunk(NamedTuple):
    """Boards that follow each other in a file."""

    number: int
    boards: list[Board]


def boards_of_lines(lines: BoardLines) -> Iterator[Board]:
    """Those of a file with one a line."""
    for portion in lines.portions():
        for number, text in zip(lines.numbers(), portion, strict=True):
            yield Board(text, None, f"{lines.place}, line {number}")


def boards_of_tasks(tasks: Iterable[Problem]) -> Iterator[Board]:
    """Those of problems that a puzzle has found in a text."""
    for task in tasks:
        try:
            yield Board(task.problem().board_text(), task.name, task.place)
        except InputError as error:
            yield Board(None, task.name, task.place, str(error).removeprefix(f"{task.place}: "))


def report_of(puzzle: str, output: str | None) -> Report:
    """What prints the answers."""
    return JsonReport(puzzle) if output is None else Answers(output)


def serve(request: Request, line: Line) -> None:
    """In a child: solve chunks until the line is closed; the clock starts when all is compiled for the first."""
    if request["code"] is not None:
        load_puzzle(request["puzzle"], request["code"])
    puzzle = choose_puzzle(request["puzzle"])
    own = puzzle.read_options(request["own"])
    settings = read_settings(puzzle, **request["settings"], own=own)
    solver = _solver(puzzle, settings, own)
    limit_address_space(settings.limits)
    ready = False
    for chunk in line.requests():
        if not ready:
            with alone(request):
                _compile(solver, [Board(*board) for board in chunk["boards"]])
            line.send({"ready": True})
            ready = True
        line.send({"result": _solved(chunk, solver, settings, report_of(puzzle.name, request["output"]))})


def _compile(solver: BoardSolver, boards: Iterable[Board]) -> None:
    """Have the kernels compiled, or loaded, for boards such as these; what is wrong with them is told when solved."""
    for board in boards:
        with suppress(InputError, KernelError, ImportError):
            if board.text is not None and solver.many is not None:
                solver.portion([board.text], Control())
                return
            if board.text is not None:
                what = plan(solver.problem(board.text), solver.several[0], solver.engine, solver.seed)
                if what.engine == "compiled":
                    prepare(what)
                return


def _solver(puzzle: ChosenPuzzle, settings: Settings, own: Options) -> BoardSolver:
    return BoardSolver(
        puzzle.cls, dict(own), settings.configurations, settings.limits, settings.engine, settings.seed, False,
        at_once=False,
    )  # fmt: skip


def _solved(chunk: Request, solver: BoardSolver, settings: Settings, report: Report) -> dict[str, Any]:
    """What there is to print of a chunk, and its status."""
    out, err, status = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline=""), io.StringIO(), FOUND
    with redirect_stdout(out), redirect_stderr(err):
        boards = [Board(*board) for board in chunk["boards"]]
        for part in (boards[at : at + PORTION] for at in range(0, len(boards), PORTION)):
            rows: list[Row]
            if all(board.text is not None for board in part):
                rows = solver.portion([board.text for board in part], Control())[1]
            else:
                rows = [_row(board, solver) for board in part]
            told = [(board.name, board.place) for board in part]
            portion = PortionReport(solver, settings, told.__getitem__, [board.text for board in part], rows)
            status = worse(status, portion.report(report))
        out.flush()
        printed = out.buffer.getvalue().decode()
    return {"out": printed, "err": err.getvalue(), "status": status}


def _row(board: Board, solver: BoardSolver) -> Row:
    return InputError(board.wrong) if board.text is None else solver.attempt(board.text, Control())


class Batch:
    """Boards, solved by a runner."""

    def __init__(
        self, boards: Iterable[Board], runner: Runner, setup: Mapping[str, Any], settings: Settings, own: Path | None
    ) -> None:
        self.boards, self.runner, self.settings, self.own = iter(boards), runner, settings, own
        self.setup = Setup({"work": "procura.cli.chunks:serve", **setup})
        self.report = report_of(setup["name"], setup["output"])
        self.size = FIRST
        self.worst = FOUND
        self._ended: dict[int, tuple[Chunk, Ended]] = {}
        """What came before its turn."""

    def solve(self, progress: Rate) -> int:
        """Solve every board and print the answers, in order; the worst status."""
        chunks = self._chunks()
        read = printed = done = 0
        last = False
        with noted_interrupts() as interrupt, progress, self.runner:
            try:
                while not (last and printed == read) and not interrupt():
                    under_way = read - printed - len(self._ended)
                    while not last and read - printed < AHEAD * max(under_way, 1) and self.runner.is_free():
                        chunk = next(chunks, None)
                        last = chunk is None
                        if chunk is not None:
                            self._start(chunk)
                            read, under_way = read + 1, under_way + 1
                    for task, ended in self.runner.wait(0.1):
                        self._ended[task.tag.number] = task.tag, ended
                    while printed in self._ended:
                        progress.make_way()
                        done += self._print(*self._ended.pop(printed))
                        printed += 1
                        progress.show(done)
                progress.clear()
                self.report.end()
            except BrokenPipeError:
                close_stdout()
        return INTERRUPTED if interrupt.noted else self.worst

    def _chunks(self) -> Iterator[Chunk]:
        """The boards, as many at a time as a chunk is to have."""
        number = 0
        while part := list(islice(self.boards, self.size)):
            yield Chunk(number, part)
            number += 1

    def _start(self, chunk: Chunk) -> None:
        seconds = self.settings.limits.seconds
        most = None if seconds is None else seconds * len(chunk.boards) + SLACK_SECONDS
        limits = Limits(seconds=most, memory=self.settings.limits.memory)
        self.runner.start(Task(chunk._asdict(), limits, chunk, self.setup, self.setup.key, self.own))

    def _print(self, chunk: Chunk, ended: Ended) -> int:
        """Print the answers to a chunk; how many boards it had."""
        if ended.result is None:
            self._print_failure(chunk, ended)
            return len(chunk.boards)
        sys.stdout.write(ended.result["out"])
        sys.stdout.flush()
        sys.stderr.write(ended.result["err"])
        self.worst = worse(self.worst, ended.result["status"])
        if ended.wall_seconds:
            self.size = int(min(max(len(chunk.boards) * CHUNK_SECONDS / ended.wall_seconds, 1), 4 * self.size, MOST))
        return len(chunk.boards)

    def _print_failure(self, chunk: Chunk, ended: Ended) -> None:
        """The process of a chunk ended: none of its boards has an answer."""
        more = len(chunk.boards) - 1
        sentence = f"{chunk.boards[0].place}{f' and the {more} that follow' if more else ''}: {ended.words}"
        say(sentence)
        for board in chunk.boards:
            self.report.error(Problem(_no_problem, board.name, board.place), self.settings, sentence)
        self.worst = worse(self.worst, INTERNAL)


def _no_problem() -> Any:
    raise AssertionError("nobody looks at it")
