"""TOML with line numbers: ``tomllib`` reads the file, a scanner notes on which line each key stands."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from procura.errors import InputError, unknown

T = TypeVar("T")
Place = tuple[str | int, ...]
"""Where a value stands: keys, and numbers in arrays."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_PLAIN = re.compile(r"[^,\]}\n#]*")


@dataclass(frozen=True)
class Document:
    """A TOML file that was read, and on which line each of its keys stands."""

    path: str
    data: dict[str, Any]
    lines: dict[Place, int]

    def error(self, place: Place, message: str) -> InputError:
        """An error that names the file and the line of ``place``, or of what holds it."""
        while place and place not in self.lines:
            place = place[:-1]
        line = self.lines.get(place, 1)
        return InputError(f"{self.path}, line {line}: {self._which(place, line)}{message}")

    def _which(self, place: Place, line: int) -> str:
        """Which element of an array ``place`` is, if others stand on its line."""
        *array, number = place or (0,)
        if not array or not isinstance(number, int):
            return ""
        others = [self.lines.get((*array, other)) for other in (number - 1, number + 1)]
        return f"{array[-1]}, number {number + 1}: " if line in others else ""

    def at(self, place: Place) -> Any:
        """The value at ``place``."""
        value: Any = self.data
        for step in place:
            value = value[step]
        return value

    def guarded(self, place: Place, make: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """What ``make`` returns; an ``InputError`` from it is told with its line."""
        try:
            return make(*arguments, **named)
        except InputError as error:
            raise self.error(place, str(error)) from error

    def check_keys(self, place: Place, known: Any, what: str) -> None:
        """Refuse a key of the table at ``place`` that nobody reads."""
        for key in self.at(place):
            if key not in known:
                raise self.error((*place, key), str(unknown(f"{what} has no key", key, known)))

    def read(self, place: Place, key: str, kinds: type | tuple[type, ...], expected: str, default: Any = None) -> Any:
        """The value of ``key`` in the table at ``place`` if it is one of ``kinds``; the default if it is not there."""
        table = self.at(place)
        if key not in table:
            return default
        value = table[key]
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise self.error((*place, key), f"{key} = {shown(value)}: expected {expected}")
        return value

    def line(self, place: Place, key: str, default: str | None = None) -> Any:
        """A text that names something, and so is one line; the default if it is not there."""
        text = self.read(place, key, str, "text", default)
        return text if text is None else self.one_line((*place, key), text)

    def one_line(self, place: Place, text: str) -> str:
        """The text, if it can stand in the cell of a table."""
        if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text):
            raise self.error(place, f"{text!r}: expected a name on one line, without control characters")
        return text

    def tables(self, place: Place) -> list[Place]:
        """The places of the tables in the array at ``place``; none if there is none."""
        *above, key = place
        found = self.at(tuple(above)).get(key, [])
        if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
            raise self.error(place, f"{key}: expected tables that begin with [[{'.'.join(map(str, place))}]]")
        return [(*place, number) for number in range(len(found))]


def shown(value: Any) -> str:
    """A value in a sentence, near to how TOML writes it.

    >>> shown(["a", True]), shown({"count": 1})
    ("['a', true]", '{count = 1}')
    """
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {shown(one)}' for key, one in value.items())}}}"
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, str) else str(value)


def read_document(path: str) -> Document:
    """Read a TOML file; what is wrong with it is one sentence that names the line."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, byte {error.start}: expected text in UTF-8") from None
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # that of tomllib, or that a number has too many digits
        raise _syntax(path, text, str(error)) from None
    except RecursionError:
        raise InputError(f"{path}, line 1: brackets within brackets, too many to read") from None
    return Document(path, data, _Scanner(text).scan())


def _syntax(path: str, text: str, message: str) -> InputError:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = match[1] if match else str(text.count("\n") + 1)
    told = re.sub(r"\s*\(at [^)]*\)", "", message)
    return InputError(f"{path}, line {line}: not TOML: {told[:1].lower()}{told[1:]}")


class _Scanner:
    """Walks over text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.lines: dict[Place, int] = {}
        self.lengths: dict[Place, int] = {}

    def scan(self) -> dict[Place, int]:
        """The line of every key and array element."""
        table: Place = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.lines

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        taken = match[0] if match else ""
        self.at += len(taken)
        self.line += taken.count("\n")
        return taken

    def note(self, place: Place) -> Place:
        for length in range(1, len(place) + 1):
            self.lines.setdefault(place[:length], self.line)
        return place

    def header(self) -> Place:
        """``[a.b]`` or ``[[a.b]]``: the place that the lines below belong to."""
        double = self.text.startswith("[[", self.at)
        self.at += 1 + double
        place: Place = ()
        names = self.key()
        for number, name in enumerate(names, 1):
            place = (*place, name)
            if number == len(names) and double:
                self.lengths[place] = self.lengths.get(place, 0) + 1
            if place in self.lengths:
                place = self.note((*place, self.lengths[place] - 1))
        self.at += 1 + double
        return self.note(place)

    def key(self) -> list[str]:
        """A key, dotted or not."""
        names = []
        while True:
            self.skip(_SPACE)
            quoted = self.text[self.at] in "\"'"
            name = self.skip(_STRING if quoted else _BARE)
            names.append(next(iter(tomllib.loads(f"{name} = 0"))))
            self.skip(_SPACE)
            if self.text[self.at] != ".":
                return names
            self.at += 1

    def pair(self, table: Place) -> None:
        """``key = value``."""
        place = self.note((*table, *self.key()))
        self.at += 1
        self.value(place)

    def value(self, place: Place) -> None:
        self.skip(_SPACE)
        opened = self.text[self.at]
        if opened in "\"'":
            self.skip(_STRING)
        elif opened in "[{":
            self.several(place, "]" if opened == "[" else "}")
        else:
            self.skip(_PLAIN)

    def several(self, place: Place, closing: str) -> None:
        """The elements of an array, or the pairs of an inline table."""
        self.at += 1
        number = 0
        while True:
            self.skip(_BLANK)
            if self.text[self.at] == closing:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
            elif closing == "}":
                self.pair(place)
            else:
                self.value(self.note((*place, number)))
                number += 1
