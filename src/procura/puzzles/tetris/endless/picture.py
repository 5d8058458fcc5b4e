"""The picture of a game by hand: lines of texts, each with the name of its style."""

from __future__ import annotations

from itertools import zip_longest

from procura.puzzles.tetris.endless.falling import Game, flat
from procura.puzzles.tetris.endless.layout import COLUMNS
from procura.puzzles.tetris.pieces import shape

Line = list[tuple[str, str]]
SHOWN_ABOVE = 2
"""Rows above the board: every piece is that low when it comes."""


def picture(game: Game, hint: tuple[int, int] | None = None) -> list[Line]:
    """The board between its walls with the piece at hand, where it will land and where a controller would drop it.

    Beside it stand the figures and the next pieces.

    >>> game = Game(rows=6, seed=7)
    >>> for line in picture(game):
    ...     print("".join(text for text, _ in line).rstrip())
             ▒▒▒▒
           ▒▒▒▒
    │ · · · · · · · · · ·│   level   1
    │ · · · · · · · · · ·│   lines   0
    │ · · · · · · · · · ·│   points  0
    │ · · · · · · · · · ·│   pieces  0
    │ · · · ·░░░░ · · · ·│
    │ · · ·░░░░ · · · · ·│   next
    └────────────────────┘   ██
                             ██████
    """
    board, side = _board(game, hint), _side(game)
    room: Line = [(" " * (2 * COLUMNS + 2), "")]
    return [[*(line or room), *(beside or [])] for line, beside in zip_longest(board, side)]


def _board(game: Game, hint: tuple[int, int] | None) -> list[Line]:
    styles: dict[tuple[int, int], tuple[str, str]] = {}
    if not game.lost:
        styles |= dict.fromkeys(game.landing(), ("░░", "dim"))
        if hint is not None:
            styles |= dict.fromkeys(game.landing(hint), ("[]", "message"))
        styles |= dict.fromkeys(game.cells(), ("▒▒", game.letter))
    lines: list[Line] = []
    for row in range(game.rows + SHOWN_ABOVE - 1, -1, -1):
        inside = row < game.rows
        wall, free = ("│", "frame") if inside else (" ", ""), (" ·" if inside else "  ", "dim")
        cells = [
            ("██", "heap") if game.masks[row] >> column & 1 else styles.get((row, column), free)
            for column in range(COLUMNS)
        ]
        lines.append([wall, *cells, wall])
    return [*lines, [("└" + "──" * COLUMNS + "┘", "frame")]]


def _side(game: Game) -> list[Line]:
    figures = {"level": game.level, "lines": game.lines, "points": game.points, "pieces": game.pieces}
    side: list[Line] = [[] for _ in range(SHOWN_ABOVE)]
    side += [[(f"   {name:8}{value:,}", "title")] for name, value in figures.items()]
    for number, letter in enumerate(game.queue):
        side += [[], [(f"   {'then' if number else 'next'}", "dim")]] if number < 2 else [[]]
        for row in reversed(shape(letter, flat(letter))):
            side.append([("   " + "".join("██" if cell == "#" else "  " for cell in row), letter)])
    return side
