"""Commands for a game, one after the other, whoever types them and wherever it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from procura.errors import InputError
from procura.play.advice import Cancel
from procura.play.attempt import Attempt

Then = Literal["go on", "leave", "solve", "help"]
"""What is to happen after a command."""

COMMANDS = {
    "undo": ("z", "u", "undo"),
    "redo": ("y", "r", "redo"),
    "hint": ("h", "hint"),
    "solve": ("s", "solve"),
    "restart": ("restart",),
    "save": ("w", "save"),
    "help": ("?", "help"),
    "quit": ("q", "quit", "exit", "escape"),
}
"""What can be pressed or typed in every game; a puzzle's own commands go first."""
ABOUT = {
    "undo": "take the last move back",
    "redo": "make it again",
    "hint": "the next move of a best solution",
    "solve": "play the rest, move by move; any key stops it",
    "restart": "take all moves back",
    "save": "save the game; save FILE chooses where",
    "help": "this list",
    "quit": "leave",
}


class Session:
    """A game that is being played: takes commands, keeps the time, and says what came of each."""

    def __init__(
        self,
        game: Attempt,
        save: Callable[[str | None], str] | None = None,
        ask: bool = False,
        agreed: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """``save`` saves the game as a file, None for where it was saved last, and says so, or raises ``InputError``.

        ``ask``: somebody is there to be asked before a game is lost. ``agreed``: a place is agreed where the game is
        saved when it is left.
        """
        self.game, self.face = game, game.face()
        self.message = ""
        self._save = save
        self._ask, self._agreed, self._asked = ask, agreed, False
        self._now, self._since = now, now()

    # Time

    def waits(self) -> None:
        """From now on the player is thinking."""
        self._since = self._now()

    def heard(self) -> None:
        """The player has decided: the time since ``waits`` counts, unless the game is over."""
        if not self.game.over:
            self.game.seconds += self._now() - self._since
        self._since = self._now()

    # Commands

    def do(self, text: str, cancel: Cancel | None = None) -> Then:
        """Obey a command; what there is to say about it is in ``message``."""
        text = " ".join(text.split()) or text[:1]
        asked, self._asked, self.message = self._asked, False, ""
        if not text:
            return "go on"
        try:
            step = self.face.command(text) or self.face.command(text.lower())
            if step is None:
                return self._common(text, asked, cancel)
            self.message = step.say
            for move in step.moves:
                self.game.play(move)
                self.face.changed()
        except InputError as error:
            self.message = str(error)
        return "go on"

    def _common(self, text: str, asked: bool, cancel: Cancel | None) -> Then:
        word, _, rest = text.partition(" ")
        command = next((name for name, words in COMMANDS.items() if word.lower() in words), None)
        if command is None or (rest and command != "save"):
            self.message = f"{text[:30]!r} is no command here: ? lists them"
        elif command == "quit":
            return self._quit(asked)
        elif command == "save":
            self.save(rest or None)
        elif command == "hint":
            self._hint(cancel)
        elif command in ("undo", "redo", "restart"):
            self._go_back_or_forth(command)
        else:
            return "help" if command == "help" else "solve"
        return "go on"

    def _quit(self, asked: bool) -> Then:
        """Leave, unless the game would be lost that way and nobody was asked about it."""
        if self._ask and not asked:
            why = self._lost()
            if why is not None:
                self._asked = True
                self.message = f"{why} q again leaves, :save FILE saves, anything else goes on"
                return "go on"
        return "leave"

    def _lost(self) -> str | None:
        """What to say before leaving, which would lose the game; None if it would not."""
        if not self._agreed:
            return "leave without saving?" if self.game.moves and not self.game.over else None
        try:
            self.save(None)
        except InputError as error:
            return f"{error};"
        return None

    def _hint(self, cancel: Cancel | None) -> None:
        hint = self.face.hint(cancel)
        self.message = hint.why if hint.move is None else f"hint: {self.face.listed(hint.move)} ({hint.why})"

    def _go_back_or_forth(self, command: str) -> None:
        game = self.game
        if not (game.undone if command == "redo" else game.moves):
            self.message = "there is nothing to make again" if command == "redo" else "there is no move to take back"
            return
        if command == "redo":
            game.redo()
        else:
            game.undo()
            while command == "restart" and game.undo():
                pass
        self.face.changed()

    def save(self, path: str | None) -> None:
        """Save the game where it was agreed, or as ``path``; raises ``InputError`` if it was not saved."""
        if self._save is None:
            raise InputError("this game cannot be saved")
        self.message = self._save(path)
        self._agreed = True

    def help(self) -> list[tuple[str, str]]:
        """The keys and commands of this puzzle, then those of every game, and what they do."""
        own = self.face.letters
        common = [
            (" ".join(w for w in words if w not in own and w != "escape"), name) for name, words in COMMANDS.items()
        ]
        return [*self.face.help, *((words, ABOUT[name]) for words, name in common)]

    # What happens by itself

    def pondering(self) -> str:
        """What the other player does if it is its turn."""
        return "the computer thinks" + (", for a minute at most" if self.game.patient else "")

    def answer(self) -> bool:
        """Let the other player make one move; whether it was its turn."""
        move = self.game.answer()
        if move is None:
            return False
        self.game.play(move)
        self.face.changed()
        answers = self.game.answers
        before = f"{self.message}, then" if self.message.startswith(answers) else answers
        self.message = f"{before} {self.face.words(move)}"
        return True

    def show_next(self, cancel: Cancel | None = None) -> bool:
        """Make the next move of a best solution; whether there was one to make."""
        if self.answer():
            return True
        try:
            hint = self.game.suggest(cancel)
            if hint.move is None:
                self.message = hint.why
                return False
            words = self.face.words(hint.move)
            self.face.point_at(hint.move)
            self.game.play(hint.move)
        except InputError as error:
            self.message = str(error)
            return False
        self.face.changed()
        self.game.shown += 1
        self.message = words
        return True

    def conclude(self, cancel: Cancel | None = None) -> None:
        """Say how the game ended."""
        self.message = self.game.conclusion(cancel)
