"""A game on the whole screen of a terminal, steered by single keys."""

from __future__ import annotations

import time

from procura.cli.play_paint import help_lines, painted, wants_colours, window, wrapped
from procura.cli.terminal import END_OF_FILE, Keyboard, Screen, full_screen, size
from procura.play.face import Line
from procura.play.session import COMMANDS, Session

KEYS = "h hint  z undo  y redo  s solve  : type  ? help  q quit"
THINKING = "thinking; any key stops it"
ANSWER_SECONDS = 0.4
"""Between the moves of the other player."""
STEP_SECONDS = 0.35
"""Between the moves of a solution that is shown; a long one goes faster."""
SHOW_SECONDS = 12.0
"""The most that showing a solution takes."""
LOOK_SECONDS = 0.5
"""How often the size of the terminal is looked at while no key is pressed."""
LEAST_ROWS = 3
"""Lines of the picture that are shown, whatever is left out."""


def play_on_screen(session: Session, ascii_only: bool) -> None:
    """Play until somebody leaves; the last board and how the game stands remain on the terminal."""
    with full_screen() as (screen, keyboard):
        view = _View(session, screen, keyboard, ascii_only)
        view.play()
    final = [*session.face.picture(), *wrapped(session.game.summary(), size()[0], "")]
    print("\n".join(painted(line, wants_colours(), ascii_only) for line in final), flush=True)


class _View:
    """The screen and the keys of one game."""

    def __init__(self, session: Session, screen: Screen, keyboard: Keyboard, ascii_only: bool) -> None:
        self.session, self.screen, self.keyboard, self.ascii_only = session, screen, keyboard, ascii_only
        self._stopped = False

    def play(self) -> None:
        """Take keys until somebody leaves."""
        self._answers()
        if self.session.game.over:
            self._conclude()
        while True:
            self.draw()
            key = self._key()
            was_over = self.session.game.over
            if not self._take(self._command(key)):
                return
            if self.session.game.over and not was_over:
                self._conclude()

    def _command(self, key: str) -> str:
        """What a key asks for; a terminal that is gone asks to leave, again and again."""
        if key == ":":
            return self._typed()
        return "quit" if key == END_OF_FILE else self.session.face.keys.get(key, key)

    def _take(self, command: str) -> bool:
        """Obey a command; False to leave."""
        self._stopped = False
        if command in COMMANDS["hint"]:
            self.draw(THINKING)
        then = self.session.do(command, self._cancel)
        if then == "help":
            self._show_help()
        elif then == "solve":
            self._show_solution()
        self._answers()
        return then != "leave"

    def _key(self) -> str:
        """The next key, whose wait counts as the player's time; the screen is drawn again if its size changes."""
        self.session.waits()
        shape = size()
        while (key := self.keyboard.key(LOOK_SECONDS)) is None:
            if size() != shape:
                shape = size()
                self.draw()
        self.session.heard()
        return key

    def _typed(self) -> str:
        """A command typed on the last line; empty if Esc takes it back."""
        text = ""
        while True:
            self.draw(prompt=f":{text}")
            key = self._key()
            if key == "enter":
                return text
            if key in ("escape", END_OF_FILE) or (key == "backspace" and not text):
                return ""
            text = text[:-1] if key == "backspace" else text + key if len(key) == 1 and key.isprintable() else text

    def _cancel(self) -> bool:
        """Whether a key was pressed while a search runs."""
        if not self._stopped:
            self._stopped = self.keyboard.key(0) is not None
        return self._stopped

    def _answers(self) -> None:
        """Let the other player move, slowly enough to be followed."""
        while self.session.game.others_turn:
            self.draw(self.session.pondering())
            self.session.answer()
            self.draw()
            if self.session.game.others_turn:
                time.sleep(ANSWER_SECONDS)

    def _show_solution(self) -> None:
        """Make the moves of a solution one by one until a key is pressed."""
        shown = 0.0
        self.draw(THINKING)
        while self.session.show_next(self._cancel) and not self._stopped:
            self.draw(f"{self.session.message} (any key stops)")
            pause = STEP_SECONDS if shown < SHOW_SECONDS / 2 else STEP_SECONDS / 8
            if self.keyboard.key(pause) is not None:
                return
            shown += pause

    def _conclude(self) -> None:
        self._stopped = False
        self.draw("the end")
        self.session.conclude(self._cancel)

    def _show_help(self) -> None:
        columns, rows = size()
        lines = help_lines(self.session.help(), columns)
        first = 0
        while True:
            shown = lines[first : first + rows - 1]
            first += len(shown)
            more = "any key: more" if first < len(lines) else "any key: back to the game"
            self._show([*shown, [(more, "dim")]])
            self.keyboard.key()
            if first >= len(lines):
                return

    def draw(self, message: str | None = None, prompt: str | None = None) -> None:
        """Show the game: title, picture, what can be done, what there is to say, and the keys."""
        columns, rows = size()
        face = self.session.face
        said = self.session.message if message is None else message
        above = wrapped(face.title(), columns, "title")
        below = [*wrapped(face.status(), columns, ""), *wrapped(said, columns, "message")]
        below += [[(prompt[-columns:], "")]] if prompt is not None else wrapped(KEYS, columns, "dim")
        picture = face.picture()
        if len(above) + len(picture) + len(below) > rows:
            above = []
        below = below[-max(rows - LEAST_ROWS, 1) :]
        room = rows - len(above) - len(below)
        gap: list[Line] = [[]] if room > len(picture) + 1 else []
        self._show([*above, *gap, *window(picture, face.focus(), columns, room), *gap, *below][:rows])

    def _show(self, lines: list[Line]) -> None:
        self.screen.show([painted(line, wants_colours(), self.ascii_only) for line in lines])
