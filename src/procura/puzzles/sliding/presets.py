"""The report's searches of the 15-puzzle, each under a name."""

from __future__ import annotations

from procura.problem import Preset

_ABOUT = {
    "h1": "cells that are wrong",
    "h2": "pairs of tiles out of sequence",
    "h3": "Manhattan distance",
    "h4": "its weighted mean of the three",
    "h5": "the greatest of the three",
}

PRESETS = {
    f"report_astar_{h}": Preset(
        f"astar:report_{h},ties=fifo", f"the report's A* by {h}, {about}; the oldest of equal f"
    )
    for h, about in _ABOUT.items()
}
