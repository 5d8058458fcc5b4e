"""Tic-tac-toe: three in a row. A game on plain Python objects, to be read first.

procura analyse examples/tic_tac_toe.py:TicTacToe
procura analyse examples/tic_tac_toe.py:TicTacToe "X.O .X. ..O"
procura play examples/tic_tac_toe.py:TicTacToe
"""

from __future__ import annotations

from procura import Game, InputError

ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


class TicTacToe(Game):
    """A state is the nine fields as text: X begins."""

    most = 1

    def __init__(self, board: str = "........."):
        self.initial = "".join(board.split()).upper()
        if len(self.initial) != 9 or set(self.initial) - set("XO."):
            raise InputError(f"board {board!r}: expected nine fields, each X, O or a dot")
        if self.initial.count("X") - self.initial.count("O") not in (0, 1):
            raise InputError(f"board {board!r}: expected as many X as O, or one more")

    def actions(self, state):
        return [field for field in range(9) if state[field] == "."]

    def result(self, state, action):
        return state[:action] + "XO"[self.to_move(state)] + state[action + 1 :]

    def to_move(self, state):
        return (9 - state.count(".")) % 2

    def score(self, state):
        lines = ["".join(state[int(field)] for field in row) for row in ROWS]
        return ("XXX" in lines) - ("OOO" in lines)

    def is_over(self, state):
        return "." not in state or self.score(state) != 0

    def symmetries(self, state):
        """The board turned and mirrored: eight in all."""
        for _ in range(4):
            state = "".join(state[field] for field in (6, 3, 0, 7, 4, 1, 8, 5, 2))
            yield state
            yield "".join(state[field] for field in (2, 1, 0, 5, 4, 3, 8, 7, 6))

    # For people

    @classmethod
    def from_text(cls, text):
        return cls(text)

    def to_text(self, state):
        return "\n".join(" ".join(state[row : row + 3]) for row in (0, 3, 6))

    def board_text(self):
        return self.initial

    def action_text(self, value):
        return "abc"[value % 3] + "321"[value // 3]
