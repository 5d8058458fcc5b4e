"""The face of Dots and Boxes: a cursor on the arcs, alone or against the computer."""

from __future__ import annotations

import re
from typing import Any

from procura.play.attempt import counted
from procura.play.face import ARROWS, Face, Line, Step
from procura.puzzles.dots.drawing import write_drawing
from procura.puzzles.dots.play import COMPUTER, YOU, DotsAttempt, DotsDuel

OWNERS = {YOU: (" Y ", "you"), COMPUTER: (" C ", "computer")}


class DotsFace(Face):
    """The board between its dots, whose rows and columns are numbered from 0.

    The cursor stands on an arc: ``line`` counts the lines of arcs from the top, horizontal ones even, vertical ones
    odd; ``place`` the arcs of that line from the left.
    """

    game: DotsAttempt | DotsDuel
    numbered = False
    keys = {" ": "draw", "enter": "draw"}
    help = (
        ("arrows", "move the cursor from line to line"),
        ("space enter", "draw the line"),
        ("h0,1", "typed: draw from dot 1 of row 0 to the right"),
        ("v0,1", "typed: draw from dot 1 of column 0 down"),
    )

    def __init__(self, game: DotsAttempt | DotsDuel) -> None:
        self.line, self.place = 0, 0
        super().__init__(game)
        free = next((arc for arc, drawn in enumerate(game.arcs) if not drawn), 0)
        self.point_at(game.problem.action_to_json(free))

    def title(self) -> str:
        boxes = counted(self.game.problem.target, "box")
        return f"Dots and Boxes: close {boxes} with the fewest lines"

    def status(self) -> str:
        game: Any = self.game
        return f"lines drawn: {len(game.moves)}, boxes closed: {game.closed} of {game.problem.target}"

    def picture(self) -> list[Line]:
        problem = self.game.problem
        lines: list[Line] = [[("   " + "".join(f"{c:<4}" for c in range(problem.columns + 1)).rstrip(), "dim")]]
        for line in range(2 * problem.rows + 1):
            spans: Line = [(f"{line // 2:>2} " if line % 2 == 0 else "   ", "dim")]
            for column in range(problem.columns + 1):
                across = line % 2 == 0
                if across:
                    spans.append(("•", "dot"))
                if not across or column < problem.columns:
                    spans.append(self._drawn(line, column, across))
                if not across and column < problem.columns:
                    spans.append(self._box(line // 2, column))
            lines.append(spans)
        return lines

    def view(self) -> dict[str, Any]:
        return {"text": write_drawing(self.game.arcs, self.game.problem.rows, self.game.problem.columns)}

    def _drawn(self, line: int, place: int, across: bool) -> tuple[str, str]:
        """An arc in characters: thin if given, else thick; the one under the cursor stands out."""
        arc = self._arc(line, place)
        drawn, here = self.game.arcs[arc] == 1, (line, place) == (self.line, self.place)
        given = self.game.problem.arcs[arc]
        if here:
            text = ("═" if across else "║") if drawn else ("┄" if across else "┆")
        else:
            text = " " if not drawn else ("─" if across else "│") if given else ("━" if across else "┃")
        style = "cursor" if here else "given" if given else self._arc_style(arc)
        return text * (3 if across else 1), style

    def _arc_style(self, arc: int) -> str:
        return "filled"

    def _box(self, row: int, column: int) -> tuple[str, str]:
        problem = self.game.problem
        box = row * problem.columns + column
        if not all(self.game.arcs[arc] == 1 for arc in problem.lists.sides[4 * box : 4 * box + 4]):
            return "   ", ""
        return self._closed(box)

    def _closed(self, box: int) -> tuple[str, str]:
        return "░░░", "home"

    def _arc(self, line: int, place: int) -> int:
        problem = self.game.problem
        if line % 2 == 0:
            return line // 2 * problem.columns + place
        return int(problem.first_vertical) + place * problem.rows + line // 2

    def focus(self) -> tuple[int, int]:
        return 1 + self.line, 3 + 4 * self.place

    def command(self, text: str) -> Step | None:
        if text in ARROWS:
            self._go(text)
            return Step()
        if text == "draw":
            return Step((self.game.problem.action_to_json(self._arc(self.line, self.place)),))
        match = re.fullmatch(r"([hv])\s*(\d{1,4})[ ,]\s*(\d{1,4})", text)
        return Step(([match[1], int(match[2]), int(match[3])],)) if match else None

    def _go(self, way: str) -> None:
        problem = self.game.problem
        if way in ("left", "right"):
            count = problem.columns + self.line % 2
            self.place = (self.place + (1 if way == "right" else -1)) % count
            return
        self.line = (self.line + (1 if way == "down" else -1)) % (2 * problem.rows + 1)
        self.place = min(self.place, problem.columns - 1 + self.line % 2)

    def point_at(self, move: Any) -> None:
        kind, i, j = move
        self.line, self.place = (2 * i, j) if kind == "h" else (2 * j + 1, i)


class DuelFace(DotsFace):
    """The same board with the owners of the boxes: Y you, C the computer."""

    game: DotsDuel

    def title(self) -> str:
        return "Dots and Boxes against the computer: close more boxes; who closes one draws again"

    def status(self) -> str:
        left = counted(list(self.game.arcs).count(0), "line")
        return f"you (Y) {self.game.boxes(YOU)}, computer (C) {self.game.boxes(COMPUTER)}, {left} left"

    def view(self) -> dict[str, Any]:
        game = self.game
        mine, other = game.boxes(YOU), game.boxes(COMPUTER)
        return {**super().view(), "owners": list(game.state.owners), "yours": mine, "computers": other}

    def _arc_style(self, arc: int) -> str:
        """The arcs that the computer drew since your last move stand out."""
        game = self.game
        for made in range(len(game.moves) - 1, -1, -1):
            if game.states[made].turn == YOU:
                break
            if game.problem.action_from_json(game.moves[made]) == arc:
                return "computer"
        return "filled"

    def _closed(self, box: int) -> tuple[str, str]:
        return OWNERS.get(self.game.state.owners[box], ("░░░", "dim"))
