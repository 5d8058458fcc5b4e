"""The sliding puzzle as a game: the moves of the blank, as in solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procura.play.attempt import Attempt
from procura.play.face import Face
from procura.puzzles.sliding import Sliding

WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}
EDGES = {"U": "in the top row", "D": "in the bottom row", "L": "in the left column", "R": "in the right column"}


class SlidingAttempt(Attempt):
    """Bring the tiles into order by moves of the blank."""

    problem: Sliding
    others = ("astar:manhattan,weight=3",)

    def __init__(self, problem: Sliding, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem, problem.board_options())

    def face(self) -> Face:
        from procura.puzzles.sliding.face import SlidingFace

        return SlidingFace(self)

    def refusal(self, move: Any) -> str:
        return f"the blank cannot move {WORDS[move]}: it is {EDGES[move]}"

    @property
    def blank(self) -> int:
        """Where the blank is, in reading order."""
        return int(self.state[self.problem.key])
