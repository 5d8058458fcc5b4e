"""The runs of ``chains``: the value of a position of Dots and Boxes for two, and of every move, by narrow windows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from procura.compiled.engine import compile_for, run_slices
from procura.compiled.templates import counts as c
from procura.compiled.templates.counts import Counters
from procura.control import Control
from procura.game import FIRST, Valued
from procura.puzzles.dots import chains as kernels

if TYPE_CHECKING:
    from procura.puzzles.dots.game import DotsGame

LARGEST_TABLE = 24
"""At most 2 to the power of this many positions are remembered unless more are asked for."""


class Stopped(Exception):
    """A limit, or the user, ends the search."""


def chains(game: Any, control: Control, seed: int, *, moves: str, table: int | None) -> Valued:
    """The value of the initial state, then that of every move unless ``moves`` is ``best``; all of it proved."""
    state = game.initial
    turn = 1 if game.to_move(state) == FIRST else -1
    score, actions = game.score(state), list(game.actions(state))
    solver = Solver(game, state, control, table)
    found: dict[int, int] = {}
    try:
        value = solver.value(np.uint64(0))
        best_line = solver.best(actions, value)
        found[best_line] = value
        if moves == "all":
            for line in actions:
                if line not in found:
                    found[line] = solver.after(line, value)
    except Stopped:
        low, high = solver.proved
        known = low == high or bool(found)
        value = max(found.values()) if found else min(max(0, low), high)
        return _valued(actions, found, value, known, turn, score)
    return _valued(actions, found, value, True, turn, score)


def _valued(actions: Sequence[int], found: dict[int, int], value: int, proved: bool, turn: int, score: int) -> Valued:
    """In terms of the first player, with what was won before."""
    moves = [(line, score + turn * found[line] if line in found else None, line in found) for line in actions]
    return Valued(moves, score + turn * value, proved)


class Solver:
    """The free lines of a position, and the table of what is known of the positions that follow."""

    def __init__(self, game: DotsGame, state: Sequence[int], control: Control, table: int | None = None) -> None:
        self.control = control
        free = [line for line in range(game.lines) if not state[line]]
        self.number = {line: i for i, line in enumerate(free)}
        self.lines = packed(game, free, self.number)
        self.proved = (-int(self.lines.shape[kernels.BOXES]), int(self.lines.shape[kernels.BOXES]))
        """What is proved of the initial position: its value lies between these."""
        count = len(free)
        bits = min(max(count, 4), LARGEST_TABLE) if table is None else max(table - 1, 1).bit_length()
        while bits > 10 and not control.memory_allows(12 << bits):
            bits -= 1
        keys, bounds = np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.int32)
        self.positions = np.zeros(count + 2, dtype=np.uint64)
        self.levels = np.zeros((count + 2) * kernels.LEVEL, dtype=np.int64)
        lists = np.zeros((count + 2) * (count + 1), dtype=np.int64)
        stack, lengths = np.zeros(kernels.MOST + 2, dtype=np.int64), np.zeros(count + 2, dtype=np.int64)
        self.search, self.counts = np.zeros(kernels.SEARCH, dtype=np.int64), Counters()
        self.arguments = (
            self.lines, keys, bounds, self.positions, self.levels, lists, stack, lengths, self.search,
            self.counts.words,
        )  # fmt: skip
        self.kernel = compile_for(control, kernels.run, {}, self.arguments)
        control.start()

    def boxes(self, position: Any) -> int:
        """How many boxes are not closed."""
        return sum(1 for box in self.lines.boxes if int(box) & ~int(position))

    def test(self, position: Any, target: int) -> int:
        """A bound on the value of a position: at least ``target`` if the value is, else less; raises ``Stopped``."""
        self.positions[0] = position
        self.levels[kernels.ALPHA], self.levels[kernels.BETA] = target - 1, target
        self.search[kernels.PHASE], self.counts.head = kernels.ENTER, 0
        status = run_slices(
            self.control, self.counts, self.kernel, lambda: int(self.kernel(*self.arguments)), lambda _: False
        )
        if status != c.SOLVED:
            raise Stopped
        return int(self.search[kernels.VALUE])

    def value(self, position: Any, guess: int = 0) -> int:
        """The value of a position; the nearer the guess, the quicker. Values differ from the boxes by even numbers."""
        rest = self.boxes(position)
        low, high = -rest, rest
        guess = min(max(guess, low), high)
        guess += (guess - rest) % 2
        while low < high:
            bound = self.test(position, guess)
            if bound >= guess:
                low = max(bound, guess)
            else:
                high = min(bound, guess - 2)
            if position == 0:
                self.proved = low, high
                self.control.progress_value = f"{low} to {high}"
            guess = low + 2 if bound >= guess else high
        return low

    def after(self, line: int, guess: int, position: int = 0) -> int:
        """What a move is worth to who makes it."""
        following, gain = self._move(position, line)
        if gain:
            return gain + self.value(following, guess - gain)
        return -self.value(following, -guess)

    def best(self, actions: Sequence[int], value: int, position: int = 0) -> int:
        """A move that is worth ``value``, which is the most there is."""
        for line in actions:
            following, gain = self._move(position, line)
            if gain and gain + self.test(following, value - gain) >= value:
                return line
            if not gain and -self.test(following, 1 - value) >= value:
                return line
        raise AssertionError("no move is worth what the position is")

    def _move(self, position: int, line: int) -> tuple[Any, int]:
        """The position after a line, and the boxes that it closes."""
        following = position | 1 << self.number[line]
        return np.uint64(following), self.boxes(position) - self.boxes(following)

    def position(self, arcs: Sequence[int]) -> int:
        """A later position of the same board, of whose lines it is known which are drawn."""
        return sum(1 << i for line, i in self.number.items() if arcs[line])

    def begin(self, control: Control) -> None:
        """Go on under other limits, with all that is known."""
        self.control = control
        self.counts.words[:] = 0
        control.start()


def packed(game: DotsGame, free: Sequence[int], number: dict[int, int]) -> Any:
    """The free lines of a board and its open boxes, as the kernels have them."""
    sides = [game.data.sides[4 * box : 4 * box + 4] for box in range(game.rows * game.columns)]
    open_boxes = [[number.get(line, -1) for line in box] for box in sides if any(line in number for line in box)]
    beside: list[int] = [-1] * (2 * len(free))
    for i, box in enumerate(open_boxes):
        for line in box:
            if line >= 0:
                beside[2 * line + (beside[2 * line] >= 0)] = i
    images = [
        [number[permutation[line]] for line in free]
        for permutation in [list(range(game.key)), *game.permutations]
        if all((permutation[line] in number) for line in free)
    ]
    twins = _twins(open_boxes, beside)
    count = -(-len(free) // 8)
    table = [
        sum(1 << image[8 * byte + bit] for bit in range(8) if part >> bit & 1 and 8 * byte + bit < len(free))
        for image in images
        for byte in range(count)
        for part in range(256)
    ]
    return kernels.Lines(
        boxes=np.array([sum(1 << line for line in box if line >= 0) for box in open_boxes] or [0], dtype=np.uint64),
        beside=np.array(beside or [-1], dtype=np.int64),
        sides=np.array([line for box in open_boxes for line in box] or [-1], dtype=np.int64),
        twins=np.array([line for pair in twins for line in pair] or [0], dtype=np.int64),
        images=np.array(table or [0], dtype=np.uint64),
        order=np.array([game.from_centre(line) for line in free] or [0], dtype=np.int64),
        shape=np.array([len(free), len(open_boxes), len(twins), len(images), count], dtype=np.int64),
    )


def _twins(open_boxes: Sequence[Sequence[int]], beside: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs that sort the equal lines of a box, those that border no other open box, drawn ones first."""
    pairs = []
    for box in open_boxes:
        equal = sorted(line for line in box if line >= 0 and beside[2 * line + 1] < 0)
        for _ in equal[1:]:
            pairs += list(pairwise(equal))
    return pairs
