"""The report's searches of Dots and Boxes, each under a name."""

from __future__ import annotations

from procura.problem import Preset

_LISTED = {"order": "report"}

PRESETS = {
    "report_dfs": Preset(
        "dfs,tree=true,successors=first,early_goal=true",
        "the report's depth-first search: the first line first, a goal seen as soon as it is drawn",
        _LISTED,
    ),
    "report_bfs": Preset(
        "bfs,early_goal=true,tree=true", "the report's breadth-first search: it recognises no board again", _LISTED
    ),
}
