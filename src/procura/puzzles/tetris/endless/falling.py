"""A game by hand: a piece that falls, is moved and turned, and lands; no terminal and no clock."""

from __future__ import annotations

from collections.abc import Iterator

from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.layout import COLUMNS, FULL_ROW
from procura.puzzles.tetris.endless.table import Player, check_known, check_rows
from procura.puzzles.tetris.pieces import LETTERS, POINTS, ROTATIONS, shape, width
from procura.rng import below, stream

ABOVE = 4
"""Rows above the board, in which a piece begins."""
LINES_A_LEVEL = 10
MOST_LEVEL = 20
KICKS = (0, -1, 1, -2, 2)
"""By how many columns a piece may give way when it is turned."""


def flat(letter: str) -> int:
    """The first of the rotations in which a piece is lowest: so it comes.

    >>> flat("i"), flat("t")
    (1, 0)
    """
    return min(range(len(ROTATIONS[letter])), key=lambda rotation: len(shape(letter, rotation)))


class Game:
    """Endless Tetris by hand; the same pieces as game ``number`` of the seed for a controller.

    A piece begins above the board, so what a controller can do can be done by hand, and more: a piece may be moved
    below what hangs over. A piece that comes to rest beyond the top loses the game.

    >>> game = Game(rows=10, seed=7)
    >>> game.letter, game.queue, game.row
    ('s', ['j'], 10)
    >>> game.drop()
    >>> game.letter, game.masks[:2], game.points
    ('j', [24, 48], 20)
    """

    def __init__(self, rows: int = 20, seed: int = 0, number: int = 0, known: int = 2, level: int = 1) -> None:
        check_rows(rows)
        check_known(known)
        self.rows, self.seed, self.known, self.first_level = rows, seed, known, level
        self.masks = [0] * (rows + ABOVE)
        """The rows as bits, the bottom one first, column 0 the lowest bit."""
        self._rng = [stream(seed, number)]
        self.queue: list[str] = []
        """The pieces that are known beside that at hand."""
        self.pieces = self.lines = self.points = 0
        self.lost = False
        self._next()

    def _next(self) -> None:
        """Take the next piece."""
        while len(self.queue) < self.known:
            self.queue.append(LETTERS[below(self._rng, len(LETTERS))])
        self.letter = self.queue.pop(0)
        self.rotation, self.row = flat(self.letter), self.rows
        self.column = (COLUMNS - width(self.letter, self.rotation)) // 2

    @property
    def level(self) -> int:
        """One more for every ten lines."""
        return min(self.first_level + self.lines // LINES_A_LEVEL, MOST_LEVEL)

    @property
    def row_seconds(self) -> float:
        """How long a piece takes to fall by a row."""
        return 0.8 * 0.8 ** (self.level - 1)

    def cells(self) -> list[tuple[int, int]]:
        """The (row, column) of the cells of the piece at hand."""
        return self._cells(self.rotation, self.column, self.row)

    def landing(self, placement: tuple[int, int] | None = None) -> list[tuple[int, int]]:
        """The cells on which it comes to rest if it is dropped from where it is, or in a rotation and column."""
        rotation, column, row = (self.rotation, self.column, self.row) if placement is None else (*placement, self.rows)
        return self._cells(rotation, column, self._landing_row(rotation, column, row))

    def _cells(self, rotation: int, column: int, row: int) -> list[tuple[int, int]]:
        rows = enumerate(shape(self.letter, rotation))
        return [(row + r, column + c) for r, cells in rows for c, cell in enumerate(cells) if cell == "#"]

    def _landing_row(self, rotation: int, column: int, row: int) -> int:
        while self._fits(rotation, column, row - 1):
            row -= 1
        return row

    def move(self, columns: int) -> bool:
        """Move the piece to the right, or with a negative number to the left; whether it can."""
        return self._try(self.rotation, self.column + columns, self.row)

    def turn(self, by: int = 1) -> bool:
        """Turn the piece about its middle, a little aside if it must; whether it can."""
        rotation = (self.rotation + by) % len(ROTATIONS[self.letter])
        column = self.column + width(self.letter, self.rotation) // 2 - width(self.letter, rotation) // 2
        return any(self._try(rotation, column + aside, self.row) for aside in KICKS)

    def fall(self) -> bool:
        """Let the piece fall by a row; False if it lies on something."""
        return self._try(self.rotation, self.column, self.row - 1)

    def push(self) -> bool:
        """Let it fall by a row, for a point."""
        fallen = self.fall()
        self.points += fallen
        return fallen

    def drop(self) -> None:
        """Let it fall as far as it can, for two points a row, and stay there."""
        row = self._landing_row(self.rotation, self.column, self.row)
        self.points += 2 * (self.row - row)
        self.row = row
        self.land()

    def put(self, rotation: int, column: int) -> None:
        """Put the piece at hand above the board, in a rotation and column."""
        self.rotation, self.column, self.row = rotation, column, self.rows

    def land(self) -> None:
        """The piece stays where it is: full rows go, for 100 to 800 points times the level, and the next one comes."""
        cells = self.cells()
        if any(row >= self.rows for row, _ in cells):
            self.lost = True
            return
        for row, column in cells:
            self.masks[row] |= 1 << column
        kept = [mask for mask in self.masks if mask != FULL_ROW]
        full = len(self.masks) - len(kept)
        self.masks = kept + [0] * full
        self.points += POINTS[full] * self.level
        self.lines += full
        self.pieces += 1
        self._next()

    def _try(self, rotation: int, column: int, row: int) -> bool:
        if self.lost or not self._fits(rotation, column, row):
            return False
        self.rotation, self.column, self.row = rotation, column, row
        return True

    def _fits(self, rotation: int, column: int, row: int) -> bool:
        if row < 0 or not 0 <= column <= COLUMNS - width(self.letter, rotation):
            return False
        return not any(self.masks[r] >> c & 1 for r, c in self._cells(rotation, column, row))


class Adviser:
    """A controller that sees a game by hand."""

    def __init__(self, controller: Controller, game: Game) -> None:
        self.game, self._player = game, Player(controller, game.rows, game.known)

    def advise(self) -> tuple[int, int] | None:
        """The rotation and column in which it would drop the piece at hand; None if that fits nowhere."""
        game = self.game
        return self._player.advise(game.masks[: game.rows], [game.letter, *game.queue])

    def take(self) -> bool:
        """Put the piece where it would drop it; False, and the game is lost, if it fits nowhere."""
        advice = self.advise()
        if advice is None:
            self.game.lost = True
            return False
        self.game.put(*advice)
        return True


def watched(controller: Controller, game: Game, most_pieces: int | None = None) -> Iterator[Game]:
    """A game that a controller plays: at every piece, once it is put above where it will be dropped."""
    adviser = Adviser(controller, game)
    while game.pieces != most_pieces and adviser.take():
        yield game
        game.drop()
