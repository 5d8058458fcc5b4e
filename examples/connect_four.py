"""Connect Four: drop discs into columns until four of one colour stand in a row.

procura analyse examples/connect_four.py:ConnectFour --with mcts
procura analyse examples/connect_four.py:ConnectFour "44444 2 6" --with alphabeta,moves=best
procura play examples/connect_four.py:ConnectFour
"""

from __future__ import annotations

from procura import ArrayGame, InputError, kernel

ROWS, COLUMNS = 6, 7
FIELDS = ROWS * COLUMNS
TURN, WON = FIELDS, FIELDS + 1
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def reach(s, column, row, right, up, disc):
    """How many discs of a colour stand next to a field in one direction."""
    count = 0
    column += right
    row += up
    while 0 <= column < COLUMNS and 0 <= row < ROWS and s[column * ROWS + row] == disc:
        count += 1
        column += right
        row += up
    return count


class ConnectFour(ArrayGame):
    """A row holds the fields, column by column from below: 0 empty, 1 the first player's, 2 the second's; then whose
    turn it is, and who has won (0: nobody). A position is written as the columns that were played, from 1 to 7."""

    most = 1

    def __init__(self, played=""):
        self.played = [int(column) - 1 for column in played if not column.isspace()]
        mirror = [(COLUMNS - 1 - field // ROWS) * ROWS + field % ROWS for field in range(FIELDS)]
        super().__init__(size=FIELDS + 2, bits=2, max_moves=COLUMNS, symmetries=[[*mirror, TURN, WON]])

    def start(self):
        row = [0] * (FIELDS + 2)
        for number, column in enumerate(self.played, 1):
            if ConnectFour.over(row, None, None) or row[column * ROWS + ROWS - 1]:
                raise InputError(f"move {number}, column {column + 1}: it is full, or the game is over")
            ConnectFour.apply(row, None, None, column)
        return row

    @kernel
    def moves(s, data, work, out):
        count = 0
        for column in CENTRE_FIRST:
            if s[column * ROWS + ROWS - 1] == 0:
                out[count] = column
                count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        row = 0
        while s[move * ROWS + row] != 0:
            row += 1
        disc = s[TURN] + 1
        s[move * ROWS + row] = disc
        s[TURN] = 1 - s[TURN]
        for right, up in ((0, 1), (1, -1), (1, 0), (1, 1)):
            if reach(s, move, row, right, up, disc) + reach(s, move, row, -right, -up, disc) >= 3:
                s[WON] = disc

    @kernel
    def over(s, data, work):
        if s[WON] > 0:
            return True
        for column in range(COLUMNS):
            if s[column * ROWS + ROWS - 1] == 0:
                return False
        return True

    @kernel
    def turn(s, data, work):
        return s[TURN]

    @kernel
    def score(s, data, work):
        return 0 if s[WON] == 0 else 3 - 2 * s[WON]

    # For people

    @classmethod
    def from_text(cls, text):
        if set(text) - set("1234567 \n"):
            raise InputError(f"position {text!r}: expected the columns that were played, 1 to 7")
        return cls(text)

    def board_text(self):
        return "".join(str(column + 1) for column in self.played)

    def to_text(self, state):
        rows = (
            " ".join(".XO"[state[column * ROWS + row]] for column in range(COLUMNS)) for row in reversed(range(ROWS))
        )
        return "\n".join([*rows, "1 2 3 4 5 6 7"])

    def action_to_json(self, action):
        return action + 1

    def action_from_json(self, value):
        return value - 1
