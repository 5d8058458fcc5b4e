"""Games for tests: random trees of any shape, a row of numbers to pick from, random boards of Dots and Boxes; and what
they are worth, plainly."""

from __future__ import annotations

from functools import cache

from procura import ArrayGame, Data, Game, kernel
from procura.puzzles.dots import DotsGame
from procura.rng import below, shuffled, stream


class Tree(Game):
    """A random tree: a state is the path to it; who moves, what is won and where it ends are drawn from the path."""

    initial = ()

    def __init__(self, seed, depth=4, width=3):
        self.seed, self.depth, self.width = seed, depth, width

    def draw(self, state, n):
        return below([stream(self.seed, hash((state, n)) & 0xFFFFFFFF)], n)

    def actions(self, state):
        return list(range(1 + self.draw((*state, 0), self.width)))

    def result(self, state, action):
        return (*state, action)

    def to_move(self, state):
        return self.draw((*state, 1), 2)

    def is_over(self, state):
        return len(state) >= self.depth or (len(state) > 1 and self.draw((*state, 2), 5) == 0)

    def score(self, state):
        return self.draw((*state, 3), 9) - 4


class Pick(ArrayGame):
    """Pick numbers in turn; a multiple of three lets one pick again. The row: what is picked, the turn, the lead."""

    def __init__(self, numbers, symmetries=()):
        size = len(numbers)
        data = Data(numbers=list(numbers))
        super().__init__(size=size + 2, key=size + 1, max_moves=size, data=data, symmetries=symmetries)

    def start(self):
        return [0] * self.size

    @kernel
    def moves(s, data, work, out):
        count = 0
        for i in range(len(data.numbers)):
            if s[i] == 0:
                out[count] = i
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        turn = len(data.numbers)
        number = data.numbers[move]
        s[move] = 1
        s[turn + 1] += number if s[turn] == 0 else -number
        if number % 3 != 0:
            s[turn] = 1 - s[turn]

    @kernel
    def over(s, data, work):
        for i in range(len(data.numbers)):
            if s[i] == 0:
                return False
        return True

    @kernel
    def turn(s, data, work):
        return s[len(data.numbers)]

    @kernel
    def score(s, data, work):
        return s[len(data.numbers) + 1]


def worth(game, state=None):
    """What the first player ends up ahead by, as the rules say it and nothing else."""
    state = game.initial if state is None else state
    if game.is_over(state):
        return game.score(state)
    after = [worth(game, game.result(state, action)) for action in game.actions(state)]
    return max(after) if game.to_move(state) == 0 else min(after)


def worths(game):
    """(value, value of each move) for the player to move."""
    sign = 1 if game.to_move(game.initial) == 0 else -1
    after = [sign * worth(game, game.result(game.initial, action)) for action in game.actions(game.initial)]
    return max(after), after


def random_dots_game(size, free, seed):
    """A board with so many free lines."""
    rows, columns = map(int, size.split("x"))
    across = (rows + 1) * columns
    count = across + (columns + 1) * rows
    lines = shuffled([stream(seed)], [0] * free + [1] * (count - free))
    horizontals = [lines[i : i + columns] for i in range(0, across, columns)]
    return DotsGame([horizontals, [lines[i : i + rows] for i in range(across, count, rows)]])


def every_dots_move(game):
    """The value of each move for who makes it, by trying everything; boxes are counted from scratch."""
    boxes = [set(game.data.sides[4 * box : 4 * box + 4]) for box in range(game.rows * game.columns)]

    def closed(drawn):
        return sum(box <= drawn for box in boxes)

    def move(drawn, line):
        after = drawn | {line}
        gain = closed(after) - closed(drawn)
        return gain + value(after) if gain else -value(after)

    @cache
    def value(drawn):
        return max((move(drawn, line) for line in range(game.lines) if line not in drawn), default=0)

    start = frozenset(line for line in range(game.lines) if game.initial[line])
    return [move(start, line) for line in game.actions(game.initial)]
