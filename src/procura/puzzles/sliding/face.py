"""The face of the sliding puzzle: arrows move a tile, letters move the blank."""

from __future__ import annotations

from typing import Any

from procura.play.attempt import IllegalMove
from procura.play.face import ARROWS, Face, Line, Step
from procura.puzzles.sliding.drawing import draw_board
from procura.puzzles.sliding.formats import read_goal
from procura.puzzles.sliding.play import WORDS, SlidingAttempt

OPPOSITE = {"up": "D", "down": "U", "left": "R", "right": "L"}
"""The blank's move that lets a tile go up, down, left or right."""
ACROSS = {"up": "in the bottom row", "down": "in the top row", "left": "in the right column",
          "right": "in the left column"}  # fmt: skip


class SlidingFace(Face):
    """Tiles in boxes, those at their goal in another colour."""

    game: SlidingAttempt
    letters = "udlr"
    numbered = False
    help = (
        ("arrows", "move the tile beside the blank that way, into the blank"),
        ("u d l r", "move the blank up, down, left or right, as solutions are written; several can be typed: RRD"),
        ("8", "typed: move tile 8 into the blank"),
    )

    def title(self) -> str:
        problem = self.game.problem
        return f"Sliding puzzle {problem.rows}x{problem.columns}: bring the tiles into order"

    def picture(self) -> list[Line]:
        problem = self.game.problem
        lines = self._board(self.game.state[: problem.key], "home", "away")
        if problem.goal != read_goal("blank-last", problem.rows, problem.columns):
            goal = self._board(problem.goal, "dim", "dim")
            middle = len(lines) // 2
            lines = [
                [*left, (" goal " if row == middle else "      ", "dim"), *right]
                for row, (left, right) in enumerate(zip(lines, goal, strict=True))
            ]
        return lines

    def _board(self, cells: Any, home: str, away: str) -> list[Line]:
        problem = self.game.problem
        lines: list[Line] = []
        for row, line in enumerate(draw_board(cells, problem.columns).splitlines()):
            if row % 2 == 0:
                lines.append([(line, "frame")])
                continue
            spans = [("│", "frame")]
            for column, text in enumerate(line.split("│")[1:-1]):
                cell = row // 2 * problem.columns + column
                spans += [(text, home if cells[cell] == problem.goal[cell] else away), ("│", "frame")]
            lines.append(spans)
        return lines

    def focus(self) -> tuple[int, int]:
        row, column = divmod(self.game.blank, self.game.problem.columns)
        return 2 * row + 1, column * (3 + len(str(self.game.problem.key - 1)))

    def status(self) -> str:
        return f"moves: {len(self.game.moves)}"

    def command(self, text: str) -> Step | None:
        if text in ARROWS:
            move = OPPOSITE[text]
            if move not in self.game.legal():
                raise IllegalMove(f"no tile can move {text}: the blank is {ACROSS[text]}")
            return Step((move,))
        letters = text.replace(" ", "").upper()
        if letters and set(letters) <= set(WORDS):
            return Step(tuple(letters))
        return self._tile(int(text)) if text.isdecimal() and len(text) < 6 else None

    def _tile(self, tile: int) -> Step:
        """The move that brings a tile into the blank."""
        problem, cells = self.game.problem, list(self.game.state[: self.game.problem.key])
        if tile not in range(1, len(cells)):
            raise IllegalMove(f"there is no tile {tile}: expected 1 to {len(cells) - 1}")
        for move in self.game.legal():
            after = problem.result(self.game.state, problem.action_from_json(move))
            if after[problem.key] == cells.index(tile):
                return Step((move,))
        raise IllegalMove(f"tile {tile} is not beside the blank")

    def words(self, move: Any) -> str:
        problem = self.game.problem
        after = problem.result(self.game.state, problem.action_from_json(move))
        tile = self.game.state[after[problem.key]]
        way = next(word for word, blank in OPPOSITE.items() if blank == move)
        return f"{move}: tile {tile} goes {way}"
