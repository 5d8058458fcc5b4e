"""Texts that hold several problems: where a text is from, the problems in it, and two ways to split it.

A puzzle splits its texts by ``Problem.split_text``; most have one board a line or boards apart by blank lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from procura.errors import InputError

if TYPE_CHECKING:
    from procura.problem import Problem

Options = Mapping[str, Any]
Lines = list[tuple[int, str]]
"""Lines with their numbers."""


@dataclass(frozen=True)
class Source:
    """A text and where it came from."""

    text: str
    place: str = ""

    def at(self, detail: str) -> str:
        """A place inside it, for messages."""
        return f"{self.place}, {detail}" if self.place else detail


@dataclass(frozen=True)
class Task:
    """One problem to solve: how to make it, its name if it has one, and where it was read."""

    build: Callable[[], Any]
    name: str | None = None
    place: str = ""
    sketch: Callable[[], Problem] | None = None
    """The same to look at only, though something may be missing to solve it; None: as it is built."""

    def problem(self) -> Any:
        """The problem, or the game; raises ``InputError`` that names the place."""
        return self._made(self.build)

    def drawing(self) -> Problem:
        """The problem to look at; raises ``InputError`` that names the place."""
        return self._made(self.sketch or self.build)

    def _made(self, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except InputError as error:
            raise InputError(f"{self.place}: {error}" if self.place else str(error)) from error


def numbered(text: str) -> Lines:
    """All lines, with their numbers."""
    return list(enumerate(text.splitlines(), 1))


def joined(lines: Lines) -> str:
    """The lines as text."""
    return "\n".join(line for _, line in lines)


def written_lines(text: str) -> Lines:
    """The lines that hold something, with their numbers; ``#`` starts a line of comment.

    >>> written_lines("# two boards\\n12\\n\\n 34")
    [(2, '12'), (4, '34')]
    """
    lines = [(number, line.strip()) for number, line in numbered(text)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def blocks(lines: Lines) -> list[Lines]:
    """The runs of lines between blank ones.

    >>> blocks(numbered("1 2\\n3 0\\n\\n2 1"))
    [[(1, '1 2'), (2, '3 0')], [(4, '2 1')]]
    """
    runs = groupby(lines, key=lambda line: bool(line[1].strip()))
    return [list(block) for filled, block in runs if filled]


def one_a_line(read: Callable[[str], Problem], source: Source, batch: bool = True) -> list[Task]:
    """A task for each written line of a batch, else one for all of them; none if that is the text as it stands."""

    def task(text: str, place: str) -> Task:
        return Task(lambda: read(text), None, place)

    lines = written_lines(source.text)
    if not lines or (len(lines) == 1 and lines[0][1] == source.text.strip()):
        return []
    if not batch or len(lines) == 1:
        return [task(joined(lines), source.place)]
    return [task(line, source.at(f"line {number}")) for number, line in lines]


def one_a_block(read: Callable[[str], Problem], source: Source, found: list[Lines]) -> list[Task]:
    """A task for each board of several lines, such as ``blocks`` gives them."""

    def task(number: int, block: Lines) -> Task:
        text = joined(block)
        first = min(line for line, _ in block)
        return Task(lambda: read(text), None, source.at(f"board {number} (line {first})"))

    return [task(number, block) for number, block in enumerate(found, 1)]
