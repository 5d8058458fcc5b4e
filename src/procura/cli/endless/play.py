"""``procura endless play``: by hand on the whole screen of a terminal, with a controller that hints and takes over."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from procura.cli.harmless import echo
from procura.cli.interrupt import noted_interrupts
from procura.cli.play_paint import help_lines, painted, wants_colours, window, wrapped
from procura.cli.playing import SEEDS, shows_unicode
from procura.cli.status import FOUND, INTERRUPTED
from procura.cli.terminal import END_OF_FILE, Keyboard, Screen, full_screen, is_interactive, size
from procura.control import Control, Event
from procura.errors import InputError, KernelError
from procura.words import counted

if TYPE_CHECKING:
    from procura.puzzles.tetris.endless.controllers import Controller
    from procura.puzzles.tetris.endless.falling import Adviser, Game

KEYS = "? keys  h hint  c controller  p pause  q quit"
HELP = (
    ("left right", "move the piece"),
    ("up, x", "turn it; z turns it back"),
    ("down", "let it fall by a row, for a point"),
    ("space", "drop it, for two points a row"),
    ("h", "show where the controller would drop it"),
    ("c", "let the controller play, and take the game back"),
    ("p", "pause, and go on"),
    ("n", "a new game, when one is lost"),
    ("q", "leave"),
)
LEAVING = ("q", "escape", END_OF_FILE)
COMPILING = "loading the controller, or compiling it, once"
POLL_SECONDS = 0.05
REST_SECONDS = 0.5
"""How long a piece that lies on something can still be moved."""
LOOK_SECONDS = 0.5
"""How often the size of the terminal is looked at while time stands still."""


@dataclass(frozen=True)
class Request:
    """What game is to be played, and how."""

    size: str
    known: int
    level: int
    seed: int | None
    controller: str
    watch: bool
    """The controller plays from the beginning."""
    delay: float
    """Seconds between its pieces."""
    most_pieces: int | None
    """How many it drops at most."""
    ascii_only: bool


def play(request: Request) -> int:
    """Play until the game is left; the exit status."""
    from procura.puzzles.tetris.endless.controllers import read_controller
    from procura.puzzles.tetris.endless.falling import Game
    from procura.puzzles.tetris.endless.table import read_rows

    controller = read_controller(request.controller)
    seed = int.from_bytes(os.urandom(8)) % SEEDS if request.seed is None else request.seed
    game = Game(read_rows(request.size), seed, known=request.known, level=request.level)
    ascii_only = request.ascii_only or not shows_unicode()
    if not is_interactive():
        if not request.watch:
            raise InputError("endless play by hand: expected a terminal, or --watch to see a controller play")
        return _print_game(game, controller, request, ascii_only)
    with full_screen() as (screen, keyboard):
        view = _View(game, controller, screen, keyboard, ascii_only, request)
        view.play()
    for line in _lines(view.game):
        print(painted(line, wants_colours(), ascii_only))
    echo(_summary(view.game))
    return FOUND


def _print_game(game: Game, controller: Controller, request: Request, ascii_only: bool) -> int:
    """Print every piece of a game that a controller plays, one picture after the other."""
    from procura.puzzles.tetris.endless.falling import watched

    with noted_interrupts() as interrupt:
        for _ in watched(controller, game, request.most_pieces):
            print("\n".join(painted(line, False, ascii_only).rstrip() for line in _lines(game)) + "\n", flush=True)
            if interrupt.noted:
                break
    echo(_summary(game))
    return INTERRUPTED if interrupt.noted and not game.lost else FOUND


def _lines(game: Game, hint: tuple[int, int] | None = None) -> list[list[tuple[str, str]]]:
    from procura.puzzles.tetris.endless.picture import picture

    return picture(game, hint)


def _summary(game: Game) -> str:
    """How the game stands."""
    how = "lost after " if game.lost else ""
    figures = f"{counted(game.pieces, 'piece')}, {counted(game.lines, 'line')}, {counted(game.points, 'point')}"
    return f"{how}{figures}, level {game.level}; --seed {game.seed} gives the same pieces"


class _View:
    """The screen and the keys of one game, and the controller beside it."""

    def __init__(
        self, game: Game, controller: Controller, screen: Screen, keyboard: Keyboard, ascii_only: bool, request: Request
    ) -> None:
        self.game, self.controller, self.screen, self.keyboard = game, controller, screen, keyboard
        self.ascii_only, self.request = ascii_only, request
        self.adviser: Adviser | None = None
        self.hint: tuple[int, int] | None = None
        self.message = ""
        self.paused = self.resting = self.automatic = self.left = False
        self.dropped = 0
        """The pieces of this game that the controller has dropped."""
        self._shown: list[str] = []
        """The lines on the screen."""

    def play(self) -> None:
        """Let time and keys work on the game until somebody leaves."""
        if self.request.watch:
            self._take_over()
        due = time.monotonic() + self._wait()
        while not self.left:
            self._draw()
            still, automatic = self.paused or self.game.lost, self.automatic
            key = self.keyboard.key(LOOK_SECONDS if still else max(due - time.monotonic(), 0))
            if key is not None:
                self._obey(key)
            elif not still:
                self._tick()
            if key is None or still or self.automatic != automatic:
                due = time.monotonic() + self._wait()

    def _wait(self) -> float:
        """Seconds until something happens by itself."""
        if self.automatic:
            return self.request.delay
        return REST_SECONDS if self.resting else self.game.row_seconds

    def _tick(self) -> None:
        """What time does: the piece falls, or comes to rest, or stays; or the controller drops it."""
        if self.automatic:
            self.game.drop()
            self.dropped += 1
            if self.dropped == self.request.most_pieces:
                self.left = True
            else:
                self._take_over()
        elif self.game.fall():
            self.resting = False
        elif self.resting:
            self._let(self.game.land)
        else:
            self.resting = True

    def _let(self, land: Callable[[], None]) -> None:
        """Let the piece stay; what was said of it is over."""
        land()
        self.resting, self.hint, self.message = False, None, ""

    def _obey(self, key: str) -> None:
        """Do what a key asks for."""
        if key in LEAVING:
            self.left = True
        elif key == "?":
            self._show_help()
        elif self.game.lost:
            if key == "n":
                self._new_game()
        elif key == "p":
            self.paused = not self.paused
        elif key == "c" and self.automatic:
            self.automatic = False
        elif key == "c":
            self.paused = False
            self._take_over()
        elif not self.paused and not self.automatic:
            self._steer(key)

    def _steer(self, key: str) -> None:
        game = self.game
        if key in ("left", "right"):
            game.move(1 if key == "right" else -1)
        elif key in ("up", "x"):
            game.turn()
        elif key == "z":
            game.turn(-1)
        elif key == "down":
            game.push()
        elif key == " ":
            self._let(game.drop)
        elif key == "h" and (adviser := self._ask()) is not None:
            self.hint = adviser.advise()
            self.message = "the controller would drop it at []" if self.hint else "it fits nowhere"

    def _ask(self) -> Adviser | None:
        """The controller, ready to advise; None if it cannot be had on this machine."""
        from procura.puzzles.tetris.endless.falling import Adviser

        if self.adviser is None and self._compiled():
            try:
                self.adviser = Adviser(self.controller, self.game)
            except (InputError, KernelError) as error:
                self.message = str(error)
        return self.adviser

    def _compiled(self) -> bool:
        """Let another process compile the controller, if there can be one; False if somebody leaves meanwhile."""
        from procura.handover import forked_compiler

        self._draw(COMPILING)
        compiler = forked_compiler(self._compile)
        while compiler is not None and compiler.poll() is None:
            self._draw(f"{compiler.preparing or COMPILING}; q leaves")
            if self.keyboard.key(POLL_SECONDS) in LEAVING:
                compiler.end()
                self.left = True
                return False
        return True

    def _compile(self, tell: Callable[[Event], None] | None) -> None:
        """Compile all that advice needs, or find it compiled."""
        from procura.puzzles.tetris.endless.falling import Adviser

        with Control(on_event=tell, events=["progress"]).in_charge():
            Adviser(self.controller, self.game).advise()

    def _take_over(self) -> None:
        """Let the controller put the piece above where it will drop it."""
        adviser = self._ask()
        if adviser is not None:
            self.automatic, self.hint, self.message = True, None, ""
            adviser.take()

    def _said(self) -> str:
        """What there is to say."""
        if self.game.lost:
            return "lost; n begins a new game, q leaves"
        if self.paused:
            return "paused; p goes on"
        return f"{self.controller.name} plays; c takes the game back" if self.automatic else self.message

    def _new_game(self) -> None:
        game = self.game
        self.game = type(game)(game.rows, game.seed + 1, known=game.known, level=game.first_level)
        self.adviser = None
        self.paused = self.resting = self.automatic = False
        self.message, self.dropped = "", 0

    def _show_help(self) -> None:
        self.paused, self._shown = True, []
        columns, rows = size()
        below = wrapped("any key: back to the game, which is paused", columns, "dim")
        lines = help_lines(HELP, columns)
        room = rows - len(below)
        for first in range(0, len(lines), room):
            last = first + room >= len(lines)
            shown = [*lines[first : first + room], *(below if last else [[("any key: more", "dim")]])]
            self.screen.show([painted(line, wants_colours(), self.ascii_only) for line in shown])
            self.keyboard.key()

    def _draw(self, message: str | None = None) -> None:
        columns, rows = size()
        said = self._said() if message is None else message
        below = wrapped(said, columns, "message") if said else wrapped(KEYS, columns, "dim")
        picture = _lines(self.game, self.hint)
        room = max(rows - len(below), 1)
        focus = max(len(picture) - 1 - self.game.row, 0)
        shown = [*window(picture, (focus, 0), columns, room), *below][:rows]
        lines = [painted(line, wants_colours(), self.ascii_only) for line in shown]
        if lines != self._shown:
            self.screen.show(lines)
            self._shown = lines
