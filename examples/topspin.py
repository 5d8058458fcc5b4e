"""TopSpin: numbered tokens on a ring, put in order by turning over four neighbours at a time.

A puzzle written from outside the package, with pattern databases. A board is the tokens, counted from 0, around the
ring; the move ``k`` turns over those at the places ``k`` to ``k + 3``, where the first place follows the last. It makes
two exchanges, so a board that is an odd number of exchanges from the goal has no solution.

Through a pattern only the tokens of one half can be told apart.
"""

from math import perm

from procura import ArrayProblem, InputError, kernel

TURNED = 4
MOST = 1_000_000
"""Abstract rows in a pattern database: what is farther from the goal is worth the depth that they reach."""


class TopSpin(ArrayProblem):
    """Put the ``tokens`` of a ring in order."""

    auto = "idastar:pdb"

    def __init__(self, tokens=(7, 2, 9, 4, 0, 8, 3, 1, 5, 6)):
        self.tokens, n = tuple(tokens), len(tokens)
        if n <= TURNED or sorted(self.tokens) != list(range(n)):
            raise InputError(f"tokens {self.tokens}: expected 0 to {n - 1}, each once, and more than {TURNED}")
        patterns = {"low": min(perm(n, n // 2), MOST), "high": min(perm(n, n - n // 2), MOST)}
        super().__init__(size=n, max_moves=n, bits=n.bit_length(), patterns=patterns)

    def start(self):
        return self.tokens

    @kernel
    def moves(s, data, work, out):
        for k in range(len(s)):
            out[k] = k
        return len(s)

    @kernel
    def apply(s, data, work, move):
        n = len(s)
        for i in range(TURNED // 2):
            a, b = (move + i) % n, (move + TURNED - 1 - i) % n
            s[a], s[b] = s[b], s[a]
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

    def why_unsolvable(self):
        n = self.size
        wrong = sum(self.tokens[i] > self.tokens[j] for i in range(n) for j in range(i + 1, n))
        return "the tokens are an odd number of exchanges from the goal" if wrong % 2 else None

    # Pattern databases.

    @kernel
    def blur(s, data, work, pattern, i):
        return s[i] if (s[i] >= len(s) // 2) == pattern else len(s)

    def goals(self, pattern):
        return [range(self.size)]

    # Text in and out.

    @classmethod
    def from_text(cls, text):
        words = text.split()
        if not words or not all(word.isdecimal() for word in words):
            raise InputError(f"tokens {text!r}: expected numbers such as 1 0 2 3 4 5")
        return cls([int(word) for word in words])

    def to_text(self, state):
        return " ".join(map(str, state))
