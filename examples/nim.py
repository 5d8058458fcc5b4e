"""Nim: take counters from one heap; who takes the last one wins. A game on rows of integers, which runs compiled.

procura analyse examples/nim.py:Nim
procura analyse examples/nim.py:Nim "3 4 5 6"
"""

from __future__ import annotations

from itertools import permutations

from procura import ArrayGame, Data, InputError, kernel

LARGEST = 100


class Nim(ArrayGame):
    """A row holds the heaps, then whose turn it is; a move is a heap times LARGEST plus what is taken, less one."""

    most = 1

    def __init__(self, heaps=(3, 4, 5)):
        self.heaps = list(heaps)
        if not 1 <= len(self.heaps) <= 6 or not all(0 <= heap <= LARGEST for heap in self.heaps):
            raise InputError(f"heaps {self.heaps}: expected one to six of 0 to {LARGEST} counters")
        count = len(self.heaps)
        orders = permutations(range(count)) if count < 5 else ()
        super().__init__(
            size=count + 1,
            max_moves=max(1, sum(self.heaps)),
            data=Data(heaps=[count]),
            symmetries=[(*order, count) for order in orders],
        )

    def start(self):
        return [*self.heaps, 0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        for heap in range(data.heaps[0]):
            for taken in range(s[heap]):
                out[count] = heap * LARGEST + taken
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[move // LARGEST] -= move % LARGEST + 1
        s[data.heaps[0]] = 1 - s[data.heaps[0]]

    @kernel
    def over(s, data, work):
        for heap in range(data.heaps[0]):
            if s[heap] > 0:
                return False
        return True

    @kernel
    def turn(s, data, work):
        return s[data.heaps[0]]

    @kernel
    def score(s, data, work):
        """The player who cannot move has lost."""
        for heap in range(data.heaps[0]):
            if s[heap] > 0:
                return 0
        return 2 * s[data.heaps[0]] - 1

    # For people

    @classmethod
    def from_text(cls, text):
        try:
            return cls([int(word) for word in text.split()])
        except ValueError:
            raise InputError(f"heaps {text!r}: expected numbers") from None

    def to_text(self, state):
        return " ".join(map(str, state[: len(self.heaps)]))

    def action_to_json(self, action):
        heap, taken = divmod(action, LARGEST)
        return [heap, taken + 1]

    def action_from_json(self, value):
        heap, taken = value
        return heap * LARGEST + taken - 1

    def action_text(self, value):
        heap, taken = value
        return f"{taken} from heap {heap + 1}"
