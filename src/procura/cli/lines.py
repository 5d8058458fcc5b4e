"""Files and pipes of boards, one a line: read as they are needed, solved in portions, written in bulk.

However long the file is, only a few portions of it are held at a time.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, BinaryIO

from procura.block import Block
from procura.cli.boards import decoded
from procura.cli.interrupt import noted_interrupts
from procura.cli.progress import Line
from procura.cli.running import Report, Run
from procura.cli.settings import Settings
from procura.cli.status import BAD_INPUT, FOUND, INTERRUPTED, NO_SOLUTION, close_stdout, say, status_of, worse
from procura.control import Control
from procura.debug import debugging
from procura.errors import InputError, one_line
from procura.portions import PORTION, BoardSolver, Row
from procura.problem import Problem
from procura.reading.boards import line_task
from procura.reading.puzzles import ChosenPuzzle
from procura.texts import Options, Source, Task

CHUNK = 1 << 20


class BoardLines:
    """The lines of a file or pipe that hold something, comments left out."""

    def __init__(self, file: BinaryIO, place: str, size: int | None = None) -> None:
        self.place, self.size = place, size
        self.read = 0
        """Bytes read so far, of ``size`` in all if that is known."""
        self._file = file
        self._numbers: deque[Sequence[int]] = deque()
        self._first, beginning = b"", list[str]()
        while len(beginning) < 2 and (chunk := self._chunk()):  # a pipe may give a line at a time
            self._first += chunk
            beginning = _written(self._first.decode("utf-8-sig", "replace"), 1)[1]
        self._beginning = beginning

    @classmethod
    def of(cls, board: str) -> BoardLines | None:
        """Those of the file or pipe that BOARD names; None if it is the text of a board."""
        if board == "-" and sys.stdin is not None:
            return cls(sys.stdin.buffer, "standard input")
        if board == "-" or not os.path.exists(board) or os.path.isdir(board):
            return None
        try:
            return cls(open(board, "rb"), board, os.path.getsize(board) or None)
        except OSError as error:
            raise InputError(f"{board} cannot be read: {error.strerror}") from None

    def hold_boards(self, cls: type[Problem]) -> bool:
        """Whether they are several boards, each on a line; some of the first may be bad. What has a NUL is UTF-16
        or no text at all, and holds none."""
        return b"\0" not in self._first and len(self._beginning) > 1 and any(map(cls.is_line, self._beginning))

    def tasks(self, puzzle: ChosenPuzzle, options: Options) -> Iterator[Task]:
        """The problems, each made when its turn comes."""
        for portion in self.portions():
            for number, line in zip(self.numbers(), portion, strict=True):
                yield line_task(puzzle, line, options, f"{self.place}, line {number}")

    def source(self) -> Source:
        """All that there is, as one text."""
        return Source(decoded(self._first + self._file.read(), self.place), self.place)

    def portions(self) -> Iterator[list[str]]:
        """The lines, as many at a time as are there, up to ``PORTION``."""
        number, rest, chunk = 1, b"", self._first.removeprefix(b"\xef\xbb\xbf")
        while chunk:
            lines, newline, rest = (rest + chunk).rpartition(b"\n")
            text = (lines + newline).decode("utf-8", "replace")
            yield from self._divided(*_written(text, number))
            number += len(text.splitlines())
            chunk = self._chunk()
        yield from self._divided(*_written(rest.decode("utf-8", "replace"), number))

    def numbers(self) -> Sequence[int]:
        """The numbers of the lines of the first portion that has not been asked for."""
        return self._numbers.popleft()

    def _divided(self, numbers: Sequence[int], lines: list[str]) -> Iterator[list[str]]:
        for at in range(0, len(lines), PORTION):
            self._numbers.append(numbers[at : at + PORTION])
            yield lines[at : at + PORTION]

    def _chunk(self) -> bytes:
        read1 = getattr(self._file, "read1", self._file.read)
        chunk: bytes = read1(CHUNK)
        self.read += len(chunk)
        return chunk


def _written(text: str, number: int) -> tuple[Sequence[int], list[str]]:
    """The lines that hold something, without the space around them, and their numbers from ``number`` on."""
    lines = list(map(str.strip, text.splitlines()))
    if all(lines) and "#" not in text:
        return range(number, number + len(lines)), lines
    kept = [(at, line) for at, line in enumerate(lines, number) if line and not line.startswith("#")]
    return [at for at, _ in kept], [line for _, line in kept]


class Answers:
    """Solved boards and nothing else, each as a grid or on a line; an empty line for one without a solution."""

    def __init__(self, form: str) -> None:
        self.form = form

    def write(self, texts: Sequence[str]) -> None:
        """Several boards, of which each is written out; empty for none."""
        end = "\n" if self.form == "line" else "\n\n"
        _write(end.join(texts) + end)

    def result(self, run: Run) -> None:
        text = run.result.final_line if self.form == "line" else run.result.final_text
        self.write([text if text is not None and run.result.solved else ""])

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self.write([""])

    def problem_done(self, task: Task) -> None:
        sys.stdout.flush()

    def end(self) -> None:
        pass


def _write(text: str) -> None:
    """Write to stdout to the last byte, though a signal comes while a pipe is full and stdout has no buffer."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
        return
    left = memoryview(text.encode())
    while left:
        left = left[buffer.write(left) or 0 :]


def streamed(
    puzzle: ChosenPuzzle, lines: BoardLines, settings: Settings, own: Options, report: Report, jobs: int
) -> int | None:
    """Solve every board and report it, in order; the worst status. None if that is better done one by one."""
    solver = BoardSolver(
        puzzle.cls, dict(own), settings.configurations, settings.limits, settings.engine, settings.seed, debugging(),
        at_once=jobs == 1,
    )  # fmt: skip
    if not isinstance(report, Answers) and solver.many is None and jobs == 1:
        return None
    worst, done, progress = FOUND, 0, Rate(lines)
    with noted_interrupts() as interrupt, progress:
        try:
            for portion in solver.portions(lines.portions(), jobs, Control(cancel=interrupt)):
                progress.make_way()
                numbers = lines.numbers()
                portion_report = PortionReport(solver, settings, partial(_line, lines.place, numbers), *portion)
                worst = worse(worst, portion_report.report(report))
                sys.stdout.flush()
                done += len(portion[0])
                progress.show(done)
                if worst == INTERRUPTED:
                    break
            progress.clear()
            report.end()
        except BrokenPipeError:
            close_stdout()
    return INTERRUPTED if interrupt.noted else worst


def _line(place: str, numbers: Sequence[int], at: int) -> tuple[None, str]:
    """The name that a line has not, and its place."""
    return None, f"{place}, line {numbers[at]}"


class PortionReport:
    """Boards that were solved together; ``told`` has the name of each, if it has one, and its place."""

    def __init__(
        self, solver: BoardSolver, settings: Settings, told: Callable[[int], tuple[str | None, str]],
        boards: Sequence[Any], rows: Sequence[Row],
    ) -> None:  # fmt: skip
        self.solver, self.settings, self.told, self.boards, self.rows = solver, settings, told, boards, rows

    def report(self, report: Report) -> int:
        """Report every board, those that follow each other in a block together; the worst status."""
        worst, at = FOUND, 0
        lines: Sequence[str] = ()
        for _, alike in groupby(self.rows, key=id):
            rows = list(alike)
            row, first = rows[0], at
            at += len(rows)
            if row is None:
                return INTERRUPTED
            if isinstance(row, Block) and row.lines is not None and isinstance(report, Answers):
                lines = lines or row.lines()
                worst = worse(worst, self._write(report, row, range(first - row.start, at - row.start), lines))
                continue
            for number in range(first, at):
                worst = worse(worst, self._report(report, number, row))
        return worst

    def _write(self, answers: Answers, block: Block, among: range, lines: Sequence[str]) -> int:
        """Write the answers of a block to some of its boards; ``lines`` are those of all."""
        solved, texts = block.solved[among.start : among.stop], lines[among.start : among.stop]
        if answers.form == "grid":
            finals = zip(among, solved, strict=True)
            texts = [self._problem(block.start + at).to_text(block.final(at)) if found else "" for at, found in finals]
        elif not all(solved):
            texts = [text if found else "" for text, found in zip(texts, solved, strict=True)]
        answers.write(texts)
        return FOUND if all(solved) else NO_SOLUTION

    def _report(self, report: Report, at: int, row: Row) -> int:
        task = Task(partial(self._problem, at), *self.told(at))
        if isinstance(row, InputError):
            sentence = one_line(f"{task.place}: {row}")
            say(sentence)
            report.error(task, self.settings, sentence)
            return BAD_INPUT
        result = self.solver.result(self.boards[at], row, at)
        report.result(Run(task, self.settings, result, result.solutions))
        return status_of(result)

    def _problem(self, at: int) -> Problem:
        return self.solver.problem(self.boards[at])


class Rate(Line):
    """The boards done, how many a second, and the time that is left, on a terminal."""

    def __init__(self, lines: BoardLines | None) -> None:
        super().__init__()
        self._lines, self._started, self._next = lines, time.monotonic(), 0.0

    def show(self, done: int) -> None:
        """Show how far it is, a few times a second."""
        now = time.monotonic()
        if now < self._next or not sys.stderr.isatty():
            return
        self._next = now + 0.2
        self.write(self.words(done, now - self._started))

    def make_way(self) -> None:
        """Leave the line to answers that go to the same terminal."""
        if sys.stdout.isatty():
            self.clear()

    def words(self, done: int, seconds: float) -> str:
        """How far it is, in words."""
        told = f"{done:,} boards, {done / max(seconds, 1e-9):,.0f}/s"
        size, read = (None, 0) if self._lines is None else (self._lines.size, self._lines.read)
        left = seconds * (size - read) / read if size and read else None
        return told if left is None else f"{told}, {left:,.0f} s left"
