"""Pictures of games as text for a terminal: colours, ASCII, and the part that fits."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence

from procura.cli.harmless import harmless
from procura.play.face import ASCII, Line

_SGR = {
    "title": "1", "dim": "2", "frame": "2", "dot": "1", "home": "32", "away": "1", "given": "1", "filled": "36",
    "same": "1;33", "wrong": "1;31", "cursor": "1;7", "heap": "37", "you": "1;32", "computer": "1;35", "message": "33",
    "i": "96", "l": "33", "j": "94", "o": "93", "s": "92", "z": "91", "t": "95",
}  # fmt: skip
"""The colours of the styles, as terminals take them; those of one letter are pieces."""


def painted(line: Line, colours: bool, ascii_only: bool) -> str:
    """A line as text, with colours if wanted."""
    parts = []
    for text, style in line:
        text = harmless(text.translate(ASCII) if ascii_only else text)
        parts.append(f"\x1b[{_SGR[style]}m{text}\x1b[0m" if colours and style in _SGR else text)
    return "".join(parts)


def wants_colours() -> bool:
    """Whether nobody asked for none, by the variable NO_COLOR."""
    return not os.environ.get("NO_COLOR")


def window(picture: Sequence[Line], focus: tuple[int, int], columns: int, rows: int) -> list[Line]:
    """The part of a picture that fits, with the focus in it."""
    width = max((sum(len(text) for text, _ in line) for line in picture), default=0)
    top = _first(len(picture), rows, focus[0])
    left = _first(width, columns, focus[1])
    return [_cut(line, left, columns) for line in picture[top : top + rows]]


def _first(length: int, room: int, focus: int) -> int:
    """Where a window of ``room`` begins, as near the focus as the ends let it."""
    return max(0, min(focus - room // 2, length - room))


def _cut(line: Line, left: int, columns: int) -> Line:
    cut: Line = []
    at = 0
    for text, style in line:
        part = text[max(left - at, 0) : max(left + columns - at, 0)]
        at += len(text)
        if part:
            cut.append((part, style))
    return cut


def wrapped(text: str, columns: int, style: str) -> list[Line]:
    """A sentence in lines that fit."""
    return [[(line, style)] for line in textwrap.wrap(text, columns)]


def help_lines(rows: Sequence[tuple[str, str]], columns: int) -> list[Line]:
    """Keys, and beside them what they do; below them where there is little room."""
    wide = max(len(keys) for keys, _ in rows) + 2
    beside = columns - wide >= 20
    lines: list[Line] = []
    for keys, about in rows:
        if not beside:
            lines += wrapped(keys, columns, "title")
        for i, part in enumerate(textwrap.wrap(about, columns - (wide if beside else 2))):
            lines.append([((keys if i == 0 else "").ljust(wide) if beside else "  ", "title"), (part, "")])
    return lines
