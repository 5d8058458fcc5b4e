"""How a game is seen and steered, whatever shows it: a picture in styled pieces, keys, and commands to type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura.play.advice import Cancel, plain
from procura.play.attempt import Attempt, Hint

Line = list[tuple[str, str]]
"""A line of a picture: texts, each with the name of its style."""

ARROWS = ("up", "down", "left", "right")
ASCII = str.maketrans("┌┬┐├┼┤└┴┘┏┳┓┣╋┫┗┻┛•─━│┃═║┄┆█▒░·", "++++++++++++++++++.--||=!~:#%:.")
"""One ASCII character for each that pictures hold."""


@dataclass(frozen=True)
class Step:
    """What a command comes to: moves to make one after the other, and something to say."""

    moves: tuple[Any, ...] = ()
    say: str = ""


class Face:
    """The face of any game: the puzzle's own drawing, and moves by their number, in words or in their JSON form."""

    keys: Mapping[str, str] = {}
    """Commands for keys that are no letters and no arrows."""
    numbered = True
    """Whether moves are listed by number."""
    letters = ""
    """Letters that are commands of this puzzle and so not of every game."""
    help: Sequence[tuple[str, str]] = (("3", "the third of the moves listed"),)
    """Keys or commands of this puzzle, and what they do."""

    def __init__(self, game: Attempt) -> None:
        self.game: Any = game
        self.changed()

    def picture(self) -> list[Line]:
        """The board as it stands."""
        return [[(line, "")] for line in self.game.problem.draw(self.game.state).splitlines()]

    def view(self) -> dict[str, Any]:
        """The board as it stands for a page that draws it by itself, as JSON has it."""
        problem, state = self.game.problem, self.game.state
        return {"text": problem.to_text(state), "points": problem.points(state)}

    def focus(self) -> tuple[int, int]:
        """The line and column of the picture that must be seen if not all of it fits."""
        return 0, 0

    def status(self) -> str:
        """One line on what can be done now."""
        moves = [f"{i}: {self.words(move)}" for i, move in enumerate(self.game.legal(), 1)]
        return "moves: " + ("  ".join(moves) or "none")

    def title(self) -> str:
        """The name of the puzzle, and what is to be done."""
        return self.game.problem.name

    def command(self, text: str) -> Step | None:
        """What a typed command or key comes to; None if it is none of this puzzle's."""
        legal = self.game.legal()
        number = numbers(text, 1)
        if number is not None:
            return Step((legal[number[0] - 1],)) if 1 <= number[0] <= len(legal) else None
        return next(
            (Step((move,)) for move in legal if text in (self.words(move), json.dumps(move, default=str))), None
        )

    def hint(self, cancel: Cancel | None = None) -> Hint:
        """A hint, where it is wanted."""
        hint = self.game.hint(cancel)
        if hint.move is not None:
            self.point_at(hint.move)
        return hint

    def point_at(self, move: Any) -> None:
        """Put the cursor where ``move`` would be made."""

    def changed(self) -> None:
        """Take note that the state is another one."""

    def words(self, move: Any) -> str:
        """A move in words."""
        text: str = self.game.problem.action_text(move)
        return text

    def listed(self, move: Any) -> str:
        """A move in words, after its number if moves are listed by number."""
        if not self.numbered:
            return self.words(move)
        legal = list(map(plain, self.game.legal()))
        return f"move {legal.index(plain(move)) + 1}, {self.words(move)}"


def numbers(text: str, count: int) -> list[int] | None:
    """The whole numbers of a text with spaces or commas between them, if there are so many and nothing else."""
    words = text.replace(",", " ").split()
    if len(words) != count or not all(word.isdecimal() and len(word) < 10 for word in words):
        return None
    return [int(word) for word in words]
