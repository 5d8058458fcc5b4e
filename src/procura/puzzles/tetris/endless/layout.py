"""Where the player keeps things: a game is one row of integers, the forms of the pieces another.

A function that is called takes a few words an array, so one array of everything is quicker than many small ones.
"""

from __future__ import annotations

COLUMNS = 10
EDGE = 2
END = EDGE + COLUMNS
"""Column c stands at place c + EDGE of a table by column; END is the place after the last. Walls stand on both sides,
two places wide."""

(PLACED, CLEARED, VALUED, VALUE, PLACEMENT, BASE, ROWS, HOLED, HIGHEST, GAME, MOST_PIECES, KNOWN, TOTAL, FIRST,
 FIRST_VALUE) = range(15)  # fmt: skip
"""Pieces placed, lines cleared, placements valued in all games, the value of the board, the last placement
(form * 16 + column) and its base row, the height of the board, the rows with holes as bits, the height of the highest
column, the game under way, the most pieces of a game, the pieces that are known; and of a board in a search of known
pieces the values of the placements that led to it, the first of them and its value."""

MOST_KNOWN = 5
BEAM = 34
"""The most placements that a piece has: so all boards after the first of the known pieces are looked at, and as many
of those after the others."""
TOTALS, PLACES, ROWS_OF_BEAM = 2 * BEAM, 2 * BEAM + 1, 2 * BEAM + 2
"""The rows of a beam after those of two layers of boards: the best totals, and where each is from, as
board * 512 + placement."""
(BOARD, SPARE, HEIGHTS, FILLED, LEFT, RIGHT, BUMPS, STEPS_LEFT, STEPS_RIGHT, WELLS_AT) = range(16, 176, 16)
FLOOR = WELLS_AT + 32
WINDOWS = FLOOR + 4
QUEUE = WINDOWS + 32
VALUES = QUEUE + 8
MEMORY = VALUES + 64
"""The first place of each table:

=========== =============================================================================================
BOARD       the columns as bits, row 0 the lowest; walls have a bit set for every row
SPARE       the columns of a board that is only looked at
HEIGHTS     the heights of the columns
FILLED      the filled cells of each column
LEFT, RIGHT see ``placements.prepare``
BUMPS       the bumps left of a place
STEPS_LEFT  the height differences left of a place, as bits; STEPS_RIGHT: right of it
WELLS_AT    by row: the wells of the four rows from it
WINDOWS     by row: rows r to r + 3 in lanes of 16 bits, row r the lowest lane, column 0 the lowest bit; from FLOOR on
            stand those of rows -4 to -1, which are full
QUEUE       the known pieces, the one at hand first; -1: not drawn yet
VALUES      by rotation * 16 + column: the value of a placement in a search of known pieces
=========== =============================================================================================
"""

WIDE, TALL, WINDOW, LOWS, TOPS, INNER_BUMPS, INNER_STEPS, UNDER = range(8)
LOW, TOP, CELLS = 8, 12, 16
RECORD = 32
"""A form takes ``RECORD`` places: its width and height, itself as a window, the sums of ``LOW`` and of ``TOP``, its own
bumps and steps, the empty cells of its box below each of its cells; then for each of its columns the lowest row, the
row above the highest, and the cells as bits."""
FORMS = 28
ROTATIONS_OF = FORMS * RECORD
POINTS_FOR = ROTATIONS_OF + 8
TABLES = POINTS_FOR + 8
"""After the forms: the number of rotations of each kind, and the points for 0 to 4 lines."""

LANE = 0xFFFF
EACH_LANE = 0x0001000100010001
FULL_ROW = (1 << COLUMNS) - 1
CARRIES = EACH_LANE << COLUMNS
"""What the lanes of full rows carry to when 1 is added to each lane; the right wall, too."""

STEPS, UNITS, FLAT = 0b11111 << 30, 0b01010 << 30, 0b00100 << 30
"""The bits of the height differences -2 to 2, of -1 and 1, and of 0; see ``measures.step_bit``."""

NONE = -(1 << 62)
"""Less than the value of any placement."""
