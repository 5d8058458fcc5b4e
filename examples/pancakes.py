"""Pancakes: sort a stack, the smallest on top, by turning over its upper part with a spatula.

A puzzle written from outside the package, with pattern databases. A board is the sizes from top to bottom, counted
from 0; the move ``k`` turns over the pancakes down to position ``k``, from 1.

Through a pattern only the pancakes of one group can be told apart. A move counts for the group of the pancake that it
brings to the top, and for no other; so what the groups need adds up.
"""

from math import perm

from procura import ArrayProblem, InputError, kernel

GROUP = 4


class Pancakes(ArrayProblem):
    """Sort the stack of pancakes ``sizes``."""

    auto = "idastar:pdb"

    def __init__(self, sizes=(3, 6, 1, 5, 7, 0, 4, 2)):
        self.sizes, n = tuple(sizes), len(sizes)
        if n < 2 or sorted(self.sizes) != list(range(n)):
            raise InputError(f"pancakes {self.sizes}: expected the sizes 0 to {n - 1}, each once")
        patterns = {f"group{g}": perm(n, min(GROUP, n - GROUP * g)) for g in range(-(-n // GROUP))}
        super().__init__(size=n, max_moves=n - 1, bits=n.bit_length(), patterns=patterns)

    def start(self):
        return self.sizes

    @kernel
    def moves(s, data, work, out):
        for k in range(len(s) - 1):
            out[k] = k + 1
        return len(s) - 1

    @kernel
    def apply(s, data, work, move):
        for i in range((move + 1) // 2):
            s[i], s[move - i] = s[move - i], s[i]
        return 1

    @kernel
    def inverse(data, move):
        return move

    @kernel
    def solved(s, data, work):
        for i in range(len(s)):
            if s[i] != i:
                return False
        return True

    # Pattern databases.

    @kernel
    def blur(s, data, work, pattern, i):
        return s[i] if s[i] // GROUP == pattern else len(s)

    @kernel
    def counts(s, data, work, pattern, move):
        return s[move] < len(s)

    def goals(self, pattern):
        return [range(self.size)]

    # Text in and out.

    @classmethod
    def from_text(cls, text):
        words = text.split()
        if not words or not all(word.isdecimal() for word in words):
            raise InputError(f"pancakes {text!r}: expected numbers such as 2 0 3 1")
        return cls([int(word) for word in words])

    def to_text(self, state):
        return " ".join(map(str, state))
