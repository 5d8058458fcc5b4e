"""Texts that hold several problems: boards one a line, boards apart by blank lines, and files of Dots problems.

A splitter gives the problems of a text, in order; none if the text is to be read as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError
from procura.problem import Problem

Options = Mapping[str, Any]
Lines = list[tuple[int, str]]


@dataclass(frozen=True)
class Source:
    """The text of BOARD and where it came from."""

    text: str
    place: str = ""

    def at(self, detail: str) -> str:
        """A place inside it, for messages."""
        return f"{self.place}, {detail}" if self.place else detail


@dataclass(frozen=True)
class Task:
    """One problem to solve: how to make it, its name if it has one, and where it was read."""

    build: Callable[[], Problem]
    name: str | None = None
    place: str = ""

    def problem(self) -> Problem:
        """The problem; raises ``InputError`` that names the place."""
        try:
            return self.build()
        except InputError as error:
            raise InputError(f"{self.place}: {error}" if self.place else str(error)) from error


def split_sudoku(cls: Any, source: Source, options: Options) -> list[Task]:
    """One board a line if a line has the cells of a whole one; sixteen lines of sixteen cells are one board."""
    lines = _lines(source.text)
    counts = {len("".join(line.split())) for _, line in lines}
    batch = bool(counts & {81, 256}) or (16 in counts and len(lines) != 16)
    return _line_tasks(cls, source, lines, batch, options)


def split_sliding(cls: Any, source: Source, options: Options) -> list[Task]:
    """One board a line, or one of several lines between blank ones, if all together are none and one of them is."""
    lines = _lines(source.text)
    size = {"size": options["size"]} if "size" in options else {}

    def is_board(text: str) -> bool:
        try:
            return cls.from_text(text, **size) is not None
        except InputError:
            return False

    whole = is_board("\n".join(line for _, line in lines))
    blocks = _blocks(source.text, comment="#")
    if not whole and len(blocks) > 1 and any("\n" in text and is_board(text) for _, text in blocks):
        return _block_tasks(lambda text: cls.from_text(text, **options), source, blocks)
    batch = not whole and any(is_board(line) for _, line in lines)
    return _line_tasks(cls, source, lines, batch, options)


def split_tetris(cls: Any, source: Source, options: Options) -> list[Task]:
    """The boards between blank lines; a heading such as ``pieces: t i`` begins one too."""
    from procura.puzzles.tetris.formats import undrawn

    source = Source(undrawn(source.text), source.place)
    parts: Lines = []
    for start, text in _blocks(source.text):
        for number, line in enumerate(text.splitlines(), start):
            begins = number == start or _is_heading(line)
            if parts and (not begins or all(_is_heading(above) for above in parts[-1][1].splitlines())):
                parts[-1] = (parts[-1][0], f"{parts[-1][1]}\n{line}")
            else:
                parts.append((number, line))
    if len(parts) == 1:
        return [Task(lambda: _tetris(cls, source.text, options), None, source.place)]
    return _block_tasks(lambda text: _tetris(cls, text, options), source, parts)


def _tetris(cls: Any, text: str, options: Options) -> Problem:
    """The board, if it or the command line says which pieces come."""
    from procura.puzzles.tetris.formats import split_headings

    if not (options.get("pieces") or split_headings(text)[0].get("pieces")):
        raise InputError("there are no pieces: expected letters such as 't i l l', by --pieces or a line 'pieces: ...'")
    problem: Problem = cls.from_text(text, **options)
    return problem


def _is_heading(line: str) -> bool:
    """Whether a line is ``pieces: t i l l`` or another that stands before the rows of a board."""
    return ":" in line


def _blocks(text: str, comment: str | None = None) -> Lines:
    """The runs of lines between blank ones, each with the number of its first line; comments left out."""
    blocks: Lines = []
    ended = True
    for number, line in enumerate(text.splitlines(), 1):
        if comment is not None and line.lstrip().startswith(comment):
            continue
        if not line.strip():
            ended = True
        elif ended:
            blocks.append((number, line))
            ended = False
        else:
            blocks[-1] = (blocks[-1][0], f"{blocks[-1][1]}\n{line}")
    return blocks


def _block_tasks(read: Callable[[str], Problem], source: Source, blocks: Lines) -> list[Task]:
    def task(number: int, line: int, text: str) -> Task:
        return Task(lambda: read(text), None, source.at(f"board {number} (line {line})"))

    return [task(number, line, text) for number, (line, text) in enumerate(blocks, 1)]


def _lines(text: str) -> Lines:
    """The lines that hold something, with their numbers; ``#`` starts a line of comment."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _line_tasks(cls: Any, source: Source, lines: Lines, batch: bool, options: Options) -> list[Task]:
    """A task for each line of a batch, else one for all lines."""

    def task(text: str, place: str) -> Task:
        return Task(lambda: cls.from_text(text, **options), None, place)

    if len(lines) < 2:
        return []
    if not batch:
        return [task("\n".join(line for _, line in lines), source.place)]
    return [task(line, source.at(f"line {number}")) for number, line in lines]


def split_dots(cls: Any, source: Source, options: Options) -> list[Task]:
    """All problems of a text, or the one that ``problem`` names."""
    from procura.puzzles.dots import formats

    found = dots_problems(source.text)
    if "problem" in options:
        found = [formats.choose([item for item in found if isinstance(item, formats.Problem)], options["problem"])]
    rest = {name: value for name, value in options.items() if name not in ("problem", "boxes")}

    def build(item: formats.Problem | InputError) -> Problem:
        if isinstance(item, InputError):
            raise item
        boxes = options.get("boxes", item.target)
        if boxes is None:
            raise InputError("the problem has no target: expected --boxes, the number of boxes to close")
        problem: Problem = cls([item.horizontals, item.verticals], boxes, **rest)
        return problem

    def task(number: int, item: formats.Problem | InputError) -> Task:
        name = None if isinstance(item, InputError) else item.name
        place = source.at(f"problem {name or number}") if len(found) > 1 else source.place
        return Task(lambda: build(item), name, place)

    return [task(number, item) for number, item in enumerate(found, 1)]


def dots_problems(text: str) -> list[Any]:
    """The problems of a text; if it cannot be read whole, an ``InputError`` in place of each that cannot."""
    from procura.puzzles.dots.formats import read_problems

    def read(part: str) -> list[Any]:
        try:
            return list(read_problems(part))
        except InputError as error:
            return [error]

    whole = read(text)
    for depth in (0, 1) if isinstance(whole[0], InputError) else ():
        found = [item for part in bracketed(text, depth) for item in read(part)]
        if len(found) > 1 and not all(isinstance(item, InputError) for item in found):
            return found
    return whole


def bracketed(text: str, depth: int) -> list[str]:
    r"""The lists that stand inside ``depth`` brackets, each on the line where it was, comments left out.

    >>> bracketed("((1)\n (2)) ; two", 1)
    [' (1)', '\n (2)']
    """
    lines = [line.partition(";")[0] for line in text.splitlines()]
    parts, opened, start = [], 0, (0, 0)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            if character == "(":
                start = (row, column) if opened == depth else start
                opened += 1
            elif character == ")":
                opened -= 1
                if opened == depth:
                    parts.append(_cut(lines, start, (row, column + 1)))
    return parts


def _cut(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text between two places, after as many empty lines as stood above it."""
    kept = lines[start[0] : end[0] + 1]
    kept[-1] = kept[-1][: end[1]]
    kept[0] = " " * start[1] + kept[0][start[1] :]
    return "\n" * start[0] + "\n".join(kept)


SPLITTERS: Mapping[str, Callable[[Any, Source, Options], list[Task]]] = {
    "sliding": split_sliding,
    "sudoku": split_sudoku,
    "tetris": split_tetris,
    "dots": split_dots,
}
"""The puzzles of the catalog whose texts can hold several problems."""
