"""Where the solvers of Sudoku keep their counters, and what they return."""

FOUND, GUESSES, DEPTH, DIRTY, ROOM, BASE, ZERO, NEXT, BEGUN, COUNTERS = range(10)
"""Counters of a search: solutions found, guesses made, the level it stands on (-1 at the end), the digits or units to
look at, how many solutions to write and from which row on, what stands for an empty cell; of a block of boards: the
board it stands at and whether that has begun."""

MORE, ALL = 0, 1
"""A search can go on, or it has seen every solution."""
UNREADABLE, REPEATED = -1, -2
"""Cells that are no board: a character that is no digit, a digit given twice in a row, column or block."""
