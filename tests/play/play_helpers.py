"""What the tests of playing share: small games of every kind, random play, and a terminal of their own."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path
from struct import pack

from procura import Dots, Sliding, Sudoku, Tetris
from procura.play.saving import new_game

ROOT = Path(__file__).parents[2]
SMALL_SUDOKU = ".14.3......1.23."
FOUR_SOLUTIONS = "12.. .... .... ..21"
CORNER = "(3 (((1 0) (0 0) (1 0)) ((1 0) (0 0) (0 1))))"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"


def games():
    """A fresh game of every kind, by name."""
    return {
        "sliding": new_game("sliding", Sliding("4 1 2 0 5 3", size="2x3")),
        "sudoku": new_game("sudoku", Sudoku(SMALL_SUDOKU)),
        "tetris": new_game("tetris", Tetris("##..##\n#...##", "loi", rows=8, columns=6)),
        "dots": new_game("dots", Dots.from_text(CORNER)),
        "duel": new_game("dots", Dots.from_text(CORNER), against="computer", seed=7),
        "any": new_game("Sliding", Sliding("1 2 3 4 5 6 0 7 8")),
    }


KINDS = tuple(games())


def play_at_random(game, choices):
    """Make, take back and make again: each choice is one of these, or a legal move by its number."""
    for choice in choices:
        if choice % 6 == 0:
            game.undo()
        elif choice % 6 == 1:
            game.redo()
        else:
            legal = game.legal()
            if legal:
                game.play(legal[choice // 6 % len(legal)])
                answer_all(game)


def answer_all(game):
    """Let the other player make its moves."""
    while (move := game.answer()) is not None:
        game.play(move)


def command(*arguments):
    """The command line that plays."""
    return [sys.executable, "-m", "procura", "play", *map(str, arguments)]


def play_lines(*arguments, text, **keywords):
    """Play through pipes, a command a line."""
    pipes = {"capture_output": True, "text": True, "timeout": 120, **keywords}
    return subprocess.run(command(*arguments), input=text, **pipes)


class Terminal:
    """A game in a pseudo-terminal: what is typed goes in, what is shown is kept as a screen."""

    def __init__(self, *arguments, columns=80, rows=24, env=None):
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            command(*arguments), stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
            env={**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(env or {})},
        )  # fmt: skip
        self.columns = columns
        self.output = ""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def press(self, *keys):
        """Press keys, each after the game has taken the last one."""
        for key in keys:
            os.write(self.master, key.encode())
            self._settle()

    def send(self, text):
        """Send text at once and look at nothing."""
        os.write(self.master, text.encode())

    def type(self, text):
        """Type a command after a colon."""
        self.send(f":{text}\r")
        self._settle()

    def _settle(self, quiet=0.1, most=60.0):
        """Read until a screen was shown and nothing more comes for a moment."""
        end = time.monotonic() + most
        seen = len(self.output)
        while time.monotonic() < end:
            got = self._read(quiet)
            if not got and (len(self.output) > seen or self.process.poll() is not None):
                return

    def _read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            content = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += content.decode("utf-8", "replace")
        return bool(content)

    def wait_for(self, text, most=60.0):
        """Read until the last screen holds ``text``; the screen."""
        end = time.monotonic() + most
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} in:\n{self.screen}"
            if not self._read(0.2) and self.process.poll() is not None and text not in self.screen:
                raise AssertionError(f"ended with {self.process.returncode} before {text!r}:\n{self.screen}")
        return self.screen

    @property
    def screen(self):
        """What was drawn last, without colours."""
        last = self.output.rpartition("\x1b[H")[2]
        return plain(last)

    def ended(self, most=60.0):
        """Wait for the end; the exit status."""
        end = time.monotonic() + most
        while self.process.poll() is None and time.monotonic() < end:
            self._read(0.1)
        while self._read(0.1):
            pass
        return self.process.wait(1)

    def interrupt(self):
        """Press Ctrl-C."""
        self.send("\x03")

    def is_clean(self):
        """Whether the terminal is as it was before: its modes, its screen and its cursor."""
        modes = termios.tcgetattr(self.slave)[:4] == self.before[:4]
        normal = self.output.rfind("\x1b[?1049l") > self.output.rfind("\x1b[?1049h")
        return modes and normal and self.output.rfind("\x1b[?25h") > self.output.rfind("\x1b[?25l")

    def hang_up(self):
        """End the session as a terminal does that is closed."""
        os.kill(self.process.pid, signal.SIGHUP)


def plain(text):
    """The text without what colours it and moves the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
