"""The rules of Dots and Boxes for two: draw lines in turn; who closes a box owns it and draws again; most boxes win.

A row of integers holds one entry a line, as in ``rules``: 1 if it is drawn; then whose turn it is, and as payload what
the first player is ahead by. Boxes that are closed at the start belong to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from procura.algorithm import Algorithm, Option
from procura.data import Data
from procura.errors import InputError
from procura.game import ArrayGame
from procura.puzzles.arguments import read_size
from procura.puzzles.dots.formats import Problem, check_size, choose, find, labels, read_items, write_problem
from procura.puzzles.dots.rules import Dots
from procura.rows import kernel
from procura.texts import Source, Task

MOST = 62
"""The most free lines, and open boxes, that ``chains`` takes."""


def _too_large(game: Any, options: Mapping[str, Any]) -> str | None:
    free, boxes = game.initial[: game.lines].count(0), game.most
    if free <= MOST and boxes <= MOST:
        return None
    return f"has {free} free lines and {boxes} open boxes: chains takes at most {MOST} of each"


CHAINS = Algorithm(
    name="chains",
    about="alpha-beta that knows chains and loops: captures without a choice, double-dealing, one line a chain",
    requires=f"the rules of Dots and Boxes, and at most {MOST} free lines and open boxes",
    guarantees="exact if no limit ends it",
    compiled="procura.puzzles.dots.chains_search:chains",
    stand_in="alphabeta",
    options=(
        Option("moves", "choice", "all", "a value for every move, or only for a best one", ("all", "best")),
        Option("table", "int", None, "positions that are remembered; none: up to 2^24", low=1, high=1 << 30),
    ),
    refusal=_too_large,
    tree=False,
    progress="value",
)


def sides_drawn(s: Any, data: Any, box: int) -> int:
    """How many lines of a box are drawn."""
    drawn = 0
    for side in range(4 * box, 4 * box + 4):
        drawn += s[data.sides[side]]
    return drawn


def most_drawn(s: Any, data: Any, line: int) -> int:
    """The greatest number of lines drawn around a box beside a line."""
    most = 0
    for side in range(2 * line, 2 * line + 2):
        if data.beside[side] >= 0:
            most = max(most, sides_drawn(s, data, data.beside[side]))
    return most


class DotsGame(ArrayGame):
    """Dots and Boxes for two, from a board or, without one, from an empty board of ``size``.

    >>> game = DotsGame(size="2x2")
    >>> after = game.result(game.initial, game.action_from_json(["h", 0, 1]))
    >>> game.to_move(after), game.score(after), game.is_over(after)
    (1, 0, False)
    """

    auto = "chains"
    specialists = (CHAINS,)
    step_noun = "line"

    def __init__(self, board: Any = None, *, size: Any = None) -> None:
        if (board is None) == (size is None):
            raise InputError("a game of dots: expected a board, or the size of an empty one, such as 3x3 (--size 3x3)")
        if size is not None:
            rows, columns = read_size(size, "rows and columns of boxes, such as 3x4")
            check_size(rows, columns)
            board = [[[0] * columns] * (rows + 1), [[0] * rows] * (columns + 1)]
        self.puzzle = Dots(board, 0, order="any")
        """The board as a puzzle, which knows its lines, its texts and its pictures."""
        self.rows, self.columns, self.lines = self.puzzle.rows, self.puzzle.columns, len(self.puzzle.arcs)
        boxes = self.rows * self.columns
        super().__init__(
            size=self.lines + 2,
            key=self.lines + 1,
            bits=1,
            dtype="int8" if boxes <= 127 else "int16",
            max_moves=max(1, self.puzzle.arcs.count(0)),
            data=Data(lines=[self.lines], sides=self.puzzle.data.sides, beside=self.puzzle.data.beside),
            symmetries=self._symmetries(),
        )
        self.most = boxes - self.puzzle.initial[-1]
        if _too_large(self, {}):
            self.auto = "alphabeta"

    def start(self) -> list[int]:
        return [*self.puzzle.arcs, 0, 0]

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Every free line: those that close a box, those that give none away, the others."""
        count = 0
        for turn in range(3):
            for line in range(data.lines[0]):
                if s[line] == 0:
                    most = most_drawn(s, data, line)
                    if (0 if most == 3 else 2 if most == 2 else 1) == turn:
                        out[count] = line
                        count += 1
        return count

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> None:
        """Draw the line; who closes boxes is ahead by as many more, and draws again."""
        s[move] = 1
        closed = 0
        for side in range(2 * move, 2 * move + 2):
            box = data.beside[side]
            if box >= 0 and sides_drawn(s, data, box) == 4:
                closed += 1
        turn = data.lines[0]
        if closed == 0:
            s[turn] = 1 - s[turn]
        elif s[turn] == 0:
            s[turn + 1] += closed
        else:
            s[turn + 1] -= closed

    @kernel
    def over(s: Any, data: Any, work: Any) -> bool:
        """All lines are drawn."""
        for line in range(data.lines[0]):
            if s[line] == 0:
                return False
        return True

    @kernel
    def turn(s: Any, data: Any, work: Any) -> int:
        return s[data.lines[0]]

    @kernel
    def score(s: Any, data: Any, work: Any) -> int:  # type: ignore[override]
        return s[data.lines[0] + 1]

    def _symmetries(self) -> list[list[int]]:
        """The board turned and mirrored, as permutations of its lines."""
        number, rows, columns = self.puzzle.action_from_json, self.rows, self.columns
        found = []
        for turned in (False, True) if rows == columns else (False,):
            for down in (False, True):
                for right in (False, True):
                    images = []
                    for line in range(self.lines):
                        kind, i, j = self.puzzle.action_to_json(line)
                        ends = (i, j, j + 1, "h") if kind == "h" else (i, j, j + 1, "v")
                        images.append(number(self._image(*ends, down, right, turned)))
                    found.append([*images, self.lines])
        return found

    def _image(self, i: int, j: int, k: int, kind: str, down: bool, right: bool, turned: bool) -> list[Any]:
        """Where a line comes to lie; ``h`` i is the row of dots, ``v`` i the column of dots, from j to k along it."""
        across, along = (down, right) if kind == "h" else (right, down)
        last, length = (self.rows, self.columns) if kind == "h" else (self.columns, self.rows)
        i = last - i if across else i
        j = length - k if along else j
        return [kind if not turned else "v" if kind == "h" else "h", i, j]

    def from_centre(self, line: int) -> int:
        """How far a line lies from the centre of the board, in half boxes."""
        kind, i, j = self.action_to_json(line)
        row, column = (2 * i, 2 * j + 1) if kind == "h" else (2 * j + 1, 2 * i)
        return abs(row - self.rows) + abs(column - self.columns)

    # Texts

    @classmethod
    def from_text(cls, text: str, *, problem: str | None = None) -> DotsGame:  # type: ignore[override]
        """The board of the only problem of the text, or of the one called ``problem``; targets do not matter."""
        chosen = choose(read_items(text), problem)
        return cls([chosen.horizontals, chosen.verticals])

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Any:
        """An empty board of ``size``."""
        return cls(size=options["size"]) if set(options) == {"size"} else None

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        items = read_items(source.text)
        chosen = [find(items, options["problem"])] if "problem" in options else range(len(items))
        names = labels(items)

        def task(i: int) -> Task:
            place = source.at(f"problem {names[i]}") if len(items) > 1 else source.place
            build = partial(cls.from_text, source.text, problem=names[i] if len(items) > 1 else None)
            return Task(build, items[i].name, place)

        return [task(i) for i in chosen]

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        return {name: {"board": arguments["board"]} for name, arguments in Dots.samples().items()}

    @classmethod
    def usual_boards(cls) -> Mapping[str, Any]:
        return {"3x3": cls(size="3x3")}

    @cached_property
    def name(self) -> str:
        return "dots"

    def board_text(self) -> str:
        return write_problem(Problem(None, None, *self.puzzle.board))

    def to_text(self, state: Any) -> str:
        return self.puzzle.to_text(state[: self.lines])

    def draw(self, state: Any) -> str:
        return self.puzzle.draw(state[: self.lines])

    def to_svg(self, state: Any) -> str:
        return self.puzzle.to_svg(state[: self.lines])

    def action_to_json(self, action: int) -> list[Any]:
        return self.puzzle.action_to_json(action)

    def action_from_json(self, value: Any) -> int:
        return self.puzzle.action_from_json(value)

    def action_text(self, value: Any) -> str:
        return self.puzzle.action_text(value)
