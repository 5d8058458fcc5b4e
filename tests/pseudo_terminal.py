"""A command driven through a pseudo-terminal: keys go in, the screen as a person would see it comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from processes import command

PATIENCE = 60.0
"""Seconds until a screen that does not come is a failure; generous, for machines under load."""
_PART = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^\[]|[\r\n\b\x07]|[^\x1b\r\n\b\x07]+")
KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "escape": "\x1b", "enter": "\r"}


class Display:
    """What escape sequences and text leave on a screen of so many columns and rows; the little that we send."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [""] * rows
        self.row = self.column = 0
        self.other = False
        self._whole = list(self.lines)
        """The other screen when it was last drawn to its end, which clears what is below."""
        self.cursor = True
        self.overrun = False
        """Whether a line of the other screen has gone on in the next one, being too long."""
        self.scrolled = []
        """The lines that have left at the top, on the first screen."""

    def feed(self, text):
        for part in _PART.findall(text):
            if part.startswith("\x1b"):
                self._control(part)
            elif part == "\r":
                self.column = 0
            elif part == "\n":
                self._new_line()
            elif part == "\b":
                self.column = max(self.column - 1, 0)
            elif part != "\x07":
                for character in part:
                    self._put(character)

    def _control(self, part):
        if part == "\x1b[H":
            self.row = self.column = 0
        elif part == "\x1b[K":
            self.lines[self.row] = self.lines[self.row][: self.column]
        elif part == "\x1b[J":
            self.lines[self.row] = self.lines[self.row][: self.column]
            self.lines[self.row + 1 :] = [""] * (self.rows - self.row - 1)
            self._whole = list(self.lines)
        elif part == "\x1b[2J":
            self.lines = [""] * self.rows
        elif part in ("\x1b[?1049h", "\x1b[?1049l"):
            self.other = part.endswith("h")
        elif part in ("\x1b[?25h", "\x1b[?25l"):
            self.cursor = part.endswith("h")
        else:
            assert part.endswith("m"), f"unexpected escape sequence {part!r}"

    def _put(self, character):
        if self.column == self.columns:
            self.overrun = self.overrun or self.other
            self._new_line()
            self.column = 0
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
        self.column += 1

    def _new_line(self):
        self.row += 1
        if self.row == self.rows:
            self.row -= 1
            self.scrolled.append(self.lines.pop(0))
            self.lines.append("")

    @property
    def text(self):
        """The screen, without blanks at the ends of lines; never one that is drawn in part."""
        lines = self._whole if self.other else self.lines
        return "\n".join(line.rstrip() for line in lines).rstrip()


class Terminal:
    """A command under a pseudo-terminal; a context that ends it."""

    def __init__(self, *arguments, columns=60, rows=24, env=None, cwd=None):
        self.display = Display(columns, rows)
        self.raw = ""
        self._handle, inner = pty.openpty()
        self._inner = inner
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes = termios.tcgetattr(inner)
        variables = {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", **(env or {})}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            if name not in (env or {}):
                variables.pop(name, None)
        self.process = subprocess.Popen(
            command(*arguments, first="import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"),
            stdin=inner, stdout=inner, stderr=inner, env=variables, cwd=cwd, start_new_session=True,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._handle)
        os.close(self._inner)

    def send(self, *keys):
        """Press keys: characters, or names of ``KEYS``."""
        for key in keys:
            os.write(self._handle, KEYS.get(key, key).encode())

    def line(self, text=""):
        """Type a line."""
        self.send(text + "\r")

    def interrupt(self):
        """Ctrl-C, as the terminal turns it into a signal."""
        self.send("\x03")

    def until(self, there, what="the screen"):
        """Read until ``there`` (a text on the screen, or a claim about it) holds; the screen."""
        claim = there if callable(there) else lambda text: there in text
        deadline = time.monotonic() + PATIENCE
        while not claim(self.display.text):
            left = deadline - time.monotonic()
            assert left > 0, f"{what} did not come: {there!r}\n{self.display.text}"
            if not self._read(min(left, 1.0)) and self.process.poll() is not None and not self._read(0.2):
                raise AssertionError(f"ended before {there!r} came:\n{self.all}")
        return self.display.text

    def settle(self, quiet=0.1):
        """Read until something was shown and nothing more comes for a moment."""
        deadline, seen = time.monotonic() + PATIENCE, len(self.raw)
        while self._read(quiet) or (len(self.raw) == seen and self.process.poll() is None):
            assert time.monotonic() < deadline, f"nothing came:\n{self.display.text}"

    def quiet(self, seconds):
        """Whether nothing is shown for so long; what is shown is read."""
        return not self._read(seconds)

    def _read(self, timeout):
        if not select.select([self._handle], [], [], timeout)[0]:
            return False
        try:
            content = os.read(self._handle, 65536)
        except OSError:
            return False
        text = content.decode(errors="replace")
        self.raw += text
        self.display.feed(text)
        return bool(content)

    @property
    def all(self):
        """All lines of the first screen, those that have left it as well."""
        return "\n".join([*(line.rstrip() for line in self.display.scrolled), self.display.text])

    def end(self):
        """Read until the command has ended; its status."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"did not end:\n{self.display.text}"
            self._read(0.2)
        while self._read(0.2):
            pass
        return self.process.returncode

    def restored(self):
        """Whether the terminal is as it was: its modes, its screen, its cursor."""
        return termios.tcgetattr(self._inner) == self.modes and not self.display.other and self.display.cursor

    def hang_up(self):
        """End it as a terminal does that is closed."""
        self.process.send_signal(signal.SIGHUP)

    def terminate(self):
        """Ask it to end, as ``kill`` does."""
        self.process.send_signal(signal.SIGTERM)
