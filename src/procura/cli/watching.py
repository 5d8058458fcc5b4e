"""Watching a search: keys on a full screen, or commands line by line where there is none."""

from __future__ import annotations

import io
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from procura.analysing import GamePlan
from procura.cli.game_viewer import GameViewer
from procura.cli.render import new_console
from procura.cli.terminal import END_OF_FILE, Keyboard, Screen, full_screen, is_interactive, size
from procura.cli.viewer import KEYS, Viewer
from procura.watch.player import Player

LOOK_SECONDS = 0.2
"""How often a run is shown on its way, and a terminal asked for its size."""
AHEAD_SECONDS = 1.0
"""So long at most those who wait for the next step wait for others to be recorded, which saves them a run each."""
_KEYS = {
    " ": "n", "right": "n", "enter": "n", "down": "n", "left": "b", "up": "b", "backspace": "b", "escape": "q",
    END_OF_FILE: "q", "h": "?", "home": "0",
}  # fmt: skip
COMMANDS = "expected n (next), b (back), r (run), g (goal), a step's number, ? or q"


def watch(player: Player, ascii_only: bool = False) -> None:
    """Show the search until the user leaves."""
    is_game = isinstance(player.recording.plan, GamePlan)
    viewer = GameViewer(player, ascii_only) if is_game else Viewer(player, ascii_only)
    if is_interactive():
        with full_screen() as (screen, keyboard):
            _FullScreen(player, viewer, screen, keyboard).run()
    else:
        _LineByLine(player, viewer).run()


def _moves(player: Player) -> dict[str, Callable[[Callable[[], bool]], None]]:
    """What the keys that move do; each goes on as long as it is told to."""
    return {
        "n": lambda go_on: player.go_to(player.frame.number + 1, go_on),
        "b": lambda go_on: player.go_to(player.frame.number - 1, go_on),
        "r": player.run_to_iteration,
        "g": player.run_to_goal,
    }


class _LineByLine:
    """Commands from standard input, one a line; a frame after each."""

    def __init__(self, player: Player, viewer: Viewer) -> None:
        self.player, self.viewer = player, viewer
        self.console = new_console()

    def run(self) -> None:
        """Take commands until ``q`` or the end of the input."""
        moves = _moves(self.player)
        self._show()
        for line in iter(sys.stdin.readline, "") if sys.stdin is not None else ():
            command = line.strip().lower().removeprefix("j").strip() or "n"
            if command in ("q", "quit", "\x1b"):
                return
            if command == "?":
                self._print([Text(row) for row in self.viewer.help()])
            elif re.fullmatch("[0-9]{1,18}", command):
                self.player.go_to(int(command))
                self._show()
            elif command in moves:
                moves[command](lambda: True)
                self._show()
            else:
                self._print([Text(f"{line.strip()!r:.40}: {COMMANDS}")])

    def _show(self) -> None:
        columns = max(self.console.width, 40)
        self._print(self.viewer.lines(columns))

    def _print(self, lines: Sequence[Text]) -> None:
        for line in lines:
            line.rstrip()
            self.console.print(line, soft_wrap=True)
        self.console.print("")
        sys.stdout.flush()


class _FullScreen:
    """Single keys, and one frame in place of the other."""

    def __init__(self, player: Player, viewer: Viewer, screen: Screen, keyboard: Keyboard) -> None:
        self.player, self.viewer, self.screen, self.keyboard = player, viewer, screen, keyboard
        self.moves = _moves(player)
        self.message = ""
        self.waiting: deque[str] = deque()
        """The keys that were seen while something ran, and are obeyed after it."""
        self.began = 0.0
        self.arrived: float | None = None
        """When the last move began, and when it was where it was to be."""
        player.ahead = self._ahead

    def run(self) -> None:
        """Follow keys until one of them ends it."""
        while True:
            key = self._next_key()
            key = _KEYS.get(key, key)
            self.message = ""
            if key == "q":
                return
            if key == "?":
                self._help()
            elif key == "j" or key.isdigit():
                self._jump("" if key == "j" else key)
            elif key in self.moves:
                self._move(key)
            else:
                self.message = f"{key}: {COMMANDS}"

    def _next_key(self) -> str:
        """Show the frame, and again if the terminal changes its size, until there is a key."""
        shown: tuple[int, int] | None = None
        while True:
            if shown != size():
                shown = size()
                self._show()
            key = self._key(LOOK_SECONDS)
            if key is not None:
                return key

    def _key(self, timeout: float | None = None) -> str | None:
        return self.waiting.popleft() if self.waiting else self.keyboard.key(timeout)

    def _others(self) -> list[int]:
        """Look which keys wait, without taking any; where those are that ask for more than the next step."""
        while END_OF_FILE not in self.waiting and (key := self.keyboard.key(0)) is not None:
            self.waiting.append(key)
        return [i for i, key in enumerate(self.waiting) if _KEYS.get(key, key) != "n"]

    def _move(self, key: str) -> None:
        before = self.player.frame.number
        self.moves[key](self._go_on(step=key == "n"))
        if self.player.frame.number != before:
            return
        if key == "b":
            self.message = "this is the first step there is"
        elif self.player.at_end:
            self.message = "this is the last step"

    def _go_on(self, step: bool = False) -> Callable[[], bool]:
        """Whether to go on: until a key is pressed. Shows how far it is from time to time.

        Keys that ask for the next step do not keep a ``step`` from being made; another is obeyed at once in its place.
        """
        self.began = looked = time.monotonic()
        self.arrived = None

        def go_on() -> bool:
            nonlocal looked
            now = time.monotonic()
            if now < looked + LOOK_SECONDS:
                return True
            looked = now
            self.message = f"running: any key {'but n ' if step else ''}stops it"
            self._show()
            self.message = ""
            if not step:
                return self._key(0) is None
            others = self._others()
            for _ in range(others[0] if others else 0):
                self.waiting.popleft()
            return not others

        return go_on

    def _ahead(self) -> bool:
        """Whether to record ahead of the step that was asked for: until a key waits."""
        now = time.monotonic()
        if self.arrived is None:
            self.arrived = now
            self._show()
        others = self._others()
        enough = now - self.arrived >= min(self.arrived - self.began, AHEAD_SECONDS)
        return not others and not (self.waiting and enough)

    def _jump(self, digits: str) -> None:
        """Ask for the number of a step."""
        while True:
            self.message = f"jump to step {digits}_"
            key = self._next_key()
            self.message = ""
            if key == "enter" and digits:
                self.player.go_to(int(digits), self._go_on())
                return
            if key == "backspace":
                digits = digits[:-1]
            elif key.isdigit() and key.isascii():
                digits = (digits + key)[:9]
            else:
                return

    def _help(self) -> None:
        self.screen.show([*self.viewer.help(), "", "any key goes back"])
        self._key()

    def _show(self) -> None:
        columns, rows = size()
        lines = self.viewer.lines(columns, rows - 1, self.message)
        body = [_ansi(line, columns) for line in lines]
        body += [""] * (rows - 1 - len(body))
        self.screen.show([*body, _ansi(Text(KEYS, "reverse"), columns)])


def _ansi(text: Text, columns: int) -> str:
    """A line with its colours, as the terminal takes it."""
    console = Console(file=io.StringIO(), force_terminal=True, highlight=False, markup=False, emoji=False,
                      width=max(columns, 20))  # fmt: skip
    text.truncate(columns)
    console.print(text, soft_wrap=True, end="")
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
