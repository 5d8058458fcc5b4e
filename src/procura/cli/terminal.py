"""The terminal as a screen and a keyboard: single keys, the size, the other screen, all put back at the end."""

from __future__ import annotations

import importlib.util
import os
import select
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

from procura.interrupts import at_sudden_end

_SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
    "[3~": "delete", "[5~": "page_up", "[6~": "page_down", "[Z": "back_tab",
}  # fmt: skip
"""What terminals send after an escape character for keys that are no characters."""
_NAMES = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\t": "tab", "\x04": "end_of_file"}
ESCAPE_SECONDS = 0.05
"""An escape character that nothing follows for so long is the key Esc."""
END_OF_FILE = "end_of_file"


_CONSOLE = {
    "H": "up", "P": "down", "K": "left", "M": "right", "G": "home", "O": "end", "S": "delete", "I": "page_up",
    "Q": "page_down", "\x0f": "back_tab",
}  # fmt: skip
"""What the console of Windows sends after a character of ``_PREFIXES`` for such keys."""
_PREFIXES = ("\x00", "\xe0")
POLL_SECONDS = 0.01
"""How often the console of Windows is asked for a key: it has no way to wait for one and for the time."""


def is_interactive() -> bool:
    """Whether somebody sits at a terminal that can move its cursor and give single keys."""
    if sys.stdin is None or sys.stdout is None:
        return False
    if not has_console() and os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        if not has_console():
            import termios  # noqa: F401

        return sys.stdin.isatty() and sys.stdout.isatty()
    except (ImportError, ValueError):
        return False


def has_console() -> bool:
    """Whether the terminal is a console of Windows."""
    return importlib.util.find_spec("msvcrt") is not None


def size() -> tuple[int, int]:
    """(columns, rows) of the terminal; 80 and 24 if there is none. The variables COLUMNS and LINES have their say."""
    columns, rows = shutil.get_terminal_size((80, 24))
    return max(columns, 20), max(rows, 6)


class Keyboard:
    """Keys as they are pressed; a context, inside which the terminal neither waits for Enter nor echoes.

    Ctrl-C still interrupts.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._handle = (sys.stdin if stream is None else stream).fileno()
        self._bytes = bytearray()
        self._saved: Any = None

    def __enter__(self) -> Keyboard:
        import termios

        self._saved = termios.tcgetattr(self._handle)
        self._set()
        return self

    def __exit__(self, *exception: Any) -> None:
        import termios

        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(self._handle, termios.TCSADRAIN, self._saved)

    def _set(self) -> None:
        import termios

        mode = termios.tcgetattr(self._handle)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._handle, termios.TCSADRAIN, mode)

    def key(self, timeout: float | None = None) -> str | None:
        """The next key: a character, or a name such as ``left``, ``enter``, ``escape``; None after ``timeout`` seconds.

        A terminal that is gone gives ``end_of_file``, and so does Ctrl-D.
        """
        first = self._character(timeout)
        if first is None or first == "":
            return None if first is None else END_OF_FILE
        if first != "\x1b":
            return _NAMES.get(first, first)
        return self._after_escape()

    def _after_escape(self) -> str:
        """The key that an escape character begins; an unknown sequence is read to its end and is no key."""
        sequence = ""
        while (character := self._character(ESCAPE_SECONDS)) is not None:
            if character in ("", "\x1b"):
                break
            sequence += character
            if sequence not in ("[", "O") and (character.isalpha() or character == "~"):
                return _SEQUENCES.get(sequence, "unknown")
        return "escape" if not sequence else "unknown"

    def _character(self, timeout: float | None) -> str | None:
        """The next character; None after ``timeout`` seconds, the empty text at the end."""
        while True:
            if self._bytes:
                needed = _length(self._bytes[0])
                if len(self._bytes) >= needed:
                    taken = bytes(self._bytes[:needed])
                    del self._bytes[:needed]
                    return taken.decode("utf-8", "replace")
            if not select.select([self._handle], [], [], timeout)[0]:
                return None
            try:
                content = os.read(self._handle, 1024)
            except OSError:  # a terminal that was closed
                content = b""
            if not content:
                return ""
            self._bytes += content


class ConsoleKeyboard(Keyboard):
    """The same on a console of Windows, which gives single keys without more ado."""

    def __init__(self) -> None:
        super().__init__()
        import msvcrt

        self._console: Any = msvcrt

    def __enter__(self) -> ConsoleKeyboard:
        return self

    def __exit__(self, *exception: Any) -> None:
        pass

    def _set(self) -> None:
        pass

    def key(self, timeout: float | None = None) -> str | None:
        until = None if timeout is None else time.monotonic() + timeout
        while not self._console.kbhit():
            if until is not None and time.monotonic() >= until:
                return None
            time.sleep(POLL_SECONDS)
        character: str = self._console.getwch()
        if character == "\x03":
            raise KeyboardInterrupt
        if character in _PREFIXES:
            return _CONSOLE.get(self._console.getwch(), "unknown")
        if character == "\x1a":  # Ctrl-Z ends a file there
            return END_OF_FILE
        return "escape" if character == "\x1b" else _NAMES.get(character, character)


def new_keyboard() -> Keyboard:
    """The keyboard of this system's terminals."""
    return ConsoleKeyboard() if has_console() else Keyboard()


def _length(first: int) -> int:
    """How many bytes a character of UTF-8 has, by its first."""
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


class Screen:
    """The terminal's other screen, without a cursor; a context that brings back what stood there before."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stdout if stream is None else stream

    def __enter__(self) -> Screen:
        if has_console():
            os.system("")  # which makes older consoles heed what follows
        self._write("\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H")
        return self

    def __exit__(self, *exception: Any) -> None:
        with suppress(OSError, ValueError):
            self._write("\x1b[?25h\x1b[?1049l")

    def show(self, lines: Sequence[str]) -> None:
        """Show lines from the top, which may hold colours, in place of whatever stood there; as many as fit."""
        fitting = lines[: size()[1]]
        self._write("\x1b[H" + "\r\n".join(f"{line}\x1b[0m\x1b[K" for line in fitting) + "\x1b[J")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


@contextmanager
def full_screen() -> Iterator[tuple[Screen, Keyboard]]:
    """A screen and a keyboard; whatever ends the program, the terminal is as it was before."""
    with ends_orderly(), new_keyboard() as keyboard, Screen() as screen, _continued(keyboard):

        def put_back() -> None:
            screen.__exit__()
            keyboard.__exit__()

        with at_sudden_end(put_back):
            yield screen, keyboard


@contextmanager
def ends_orderly() -> Iterator[None]:
    """Let the signals that end a program unwind it, so that the terminal is put back."""

    def end(signum: int, frame: Any) -> NoReturn:
        raise SystemExit(128 + signum)

    with _handled(dict.fromkeys(("SIGTERM", "SIGHUP"), end)):
        yield


@contextmanager
def _continued(keyboard: Keyboard) -> Iterator[None]:
    """Set the keyboard again when the program goes on after Ctrl-Z."""
    with _handled({"SIGCONT": lambda signum, frame: keyboard._set()}):
        yield


@contextmanager
def _handled(handlers: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Handle signals, where the system has them and this is the main thread."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        known = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
        before = {number: signal.signal(number, handler) for number, handler in known.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
