"""Questions with numbered answers, read key by key on a terminal and line by line elsewhere."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TypeVar

from procura.cli.harmless import harmless
from procura.cli.render import new_console, show_text
from procura.cli.terminal import END_OF_FILE, Keyboard, is_interactive, new_keyboard, size
from procura.errors import InputError

T = TypeVar("T")

BACK = "back"
"""What is typed to go back where 0 is an answer; ``0`` does it elsewhere, and the key Esc everywhere."""
QUIT = ("q", "quit")


class Back(Exception):
    """The user goes back."""


class End(Exception):
    """The user leaves, or there are no more answers."""


def counted_from_1(answer: str, count: int) -> int | None:
    """Which of ``count`` things, counted from 1, an answer means by its number; None if it is no such number."""
    number = int(answer) if re.fullmatch("[0-9]{1,9}", answer) else 0
    return number if 1 <= number <= count else None


def still_usable(read: Callable[[str], object], answer: str | None) -> str | None:
    """The answer of last time, if ``read`` takes it today."""
    try:
        return answer if answer is None or read(answer) is not None else None
    except (InputError, Back):
        return None


class Questions:
    """Asks until an answer can be used; Enter takes the default."""

    def __init__(self) -> None:
        self.console = new_console()
        self._keyboard = new_keyboard() if is_interactive() else None

    @property
    def columns(self) -> int:
        """How wide lines may be."""
        return min(size()[0], 100)

    def say(self, text: str = "", style: str = "") -> None:
        """Print a paragraph, broken between words to fit."""
        for paragraph in text.split("\n"):
            for line in textwrap.wrap(paragraph, self.columns - 1) or [""]:
                show_text(self.console, line, style)

    def show(self, text: str) -> None:
        """Print lines as they are."""
        show_text(self.console, text)

    def choose(
        self, title: str, rows: Sequence[tuple[str, str]], default: str | None = None, back: str = "back"
    ) -> str:
        """The name of one of the rows, each a name and what it is, by number or name; 0 goes back."""
        names = [name for name, _ in rows]
        default = default if default in names else None
        self.say(f"\n{title}", "bold")
        self.listing(rows, back)
        shown = None if default is None else f"{names.index(default) + 1} {default}"

        def read(answer: str) -> str:
            if answer in names:
                return answer
            if answer == "0":
                raise Back
            number = counted_from_1(answer, len(names))
            if number is not None:
                return names[number - 1]
            raise InputError(f"{answer!r:.40}: expected a number from 0 to {len(names)}, or a name from the list")

        return self.ask("number", read, shown, default)

    def listing(self, rows: Sequence[tuple[str, str]], back: str = "back") -> None:
        """Print numbered rows, with what each is beside or below its name."""
        widest = max(len(name) for name, _ in rows)
        beside = min(widest, 22) + 7
        for number, (name, about) in enumerate(rows, 1):
            head = f"{number:>3}  {name}"
            lines = textwrap.wrap(about, max(self.columns - 1 - beside, 20)) or [""]
            first = [head] if len(head) > beside - 2 else [f"{head:<{beside}}{lines.pop(0)}"]
            for line in [*first, *(" " * beside + line for line in lines)]:
                show_text(self.console, line.rstrip())
        show_text(self.console, f"  0  {back}")

    def ask(self, what: str, read: Callable[[str], T], shown: str | None = None, default: T | None = None) -> T:
        """What ``read`` makes of the answer; asked again with its sentence while it raises ``InputError``.

        An empty answer is the default, if there is one, which is ``shown``.
        """
        while True:
            answer = self.line(what if shown is None else f"{what} [{shown}]").strip()
            try:
                if answer.lower() in QUIT:
                    raise End
                if answer.lower() == BACK:
                    raise Back
                if answer:
                    return read(answer)
                if default is not None:
                    return default
                raise InputError("an empty answer: expected one, or 0 or Esc to go back")
            except InputError as error:
                self.say(str(error), "yellow")

    def line(self, prompt: str) -> str:
        """One line of answer; Esc raises ``Back``, the end of the answers ``End``."""
        prompt = harmless(prompt)
        if self._keyboard is None:
            return self._read(prompt)
        with self._keyboard:
            self._write(f"{prompt}: ")
            try:
                return self._typed(self._keyboard)
            finally:
                self._write("\n")

    def _read(self, prompt: str) -> str:
        """A line from a pipe, a file, or a terminal that has no single keys."""
        self._write(f"{prompt}: ")
        answer = "" if sys.stdin is None else sys.stdin.readline()
        if not answer:
            self._write("\n")
            raise End
        answer = answer.rstrip("\r\n")
        if not sys.stdin.isatty():
            self._write(f"{harmless(answer)}\n")  # so that what was asked and answered can be read
        if answer.strip() == "\x1b":
            raise Back
        return answer

    def _typed(self, keyboard: Keyboard) -> str:
        """A line typed key by key."""
        text = ""
        while True:
            key = keyboard.key() or ""
            if key == "enter":
                return text
            if key == "escape":
                raise Back
            if key == END_OF_FILE and not text:
                raise End
            if key == "backspace" and text:
                self._write("\b \b")
                text = text[:-1]
            elif key == "\x15":  # Ctrl-U
                self._write("\b \b" * len(text))
                text = ""
            elif key == "tab" or (len(key) == 1 and key.isprintable()):
                text += " " if key == "tab" else key
                self._write(text[-1])

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
