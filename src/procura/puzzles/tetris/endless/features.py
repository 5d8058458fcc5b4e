"""The features by which a controller values a placement: their names, what they count, their places in a row."""

from __future__ import annotations

FEATURES = {
    "landing_height": "the row of the piece's lowest cell, from 0, plus half of the piece's height less one",
    "eroded_cells": "completed rows times the cells of the piece in them",
    "row_transitions": "changes between filled and empty along all rows, side walls filled",
    "column_transitions": "changes between filled and empty up all columns, floor filled and ceiling empty",
    "holes": "empty cells with a filled one somewhere above",
    "wells": "for each empty cell between two filled ones (or a wall), the empty cells from it downwards",
    "hole_depth": "the filled cells above each hole, summed",
    "rows_with_holes": "rows that have a hole",
    "diversity": "how many of the differences -2 to 2 occur between the heights of neighbouring columns",
    "unit_steps": "how many of the differences -1 and 1 occur there",
    "flat_steps": "1 if the difference 0 occurs there, else 0",
    "height": "the sum of the column heights",
    "peak": "the height of the highest column",
    "bumpiness": "the sum of the height differences between neighbouring columns",
    "lines": "completed rows",
    "points": "100, 300, 500 or 800 for one to four completed rows",
}
"""All but the first two and the last two are those of the board after completed rows are gone."""

(LANDING_HEIGHT, ERODED_CELLS, ROW_TRANSITIONS, COLUMN_TRANSITIONS, HOLES, WELLS, HOLE_DEPTH, ROWS_WITH_HOLES,
 DIVERSITY, UNIT_STEPS, FLAT_STEPS, HEIGHT, PEAK, BUMPINESS, LINES, POINTS) = range(16)  # fmt: skip
"""The places of the features in a row of weights."""
