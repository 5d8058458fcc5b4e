"""What is tuned if nothing else is said: the search, the weights, the score and the boards of each puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from procura.result import Limits


@dataclass(frozen=True)
class Default:
    """The tuning of a puzzle."""

    configuration: str
    heuristic: str | None
    """A weighted sum; its own weights are what the result is compared with."""
    scoring: str
    space: str
    limits: Limits
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the puzzle."""
    generator: Mapping[str, Any] = field(default_factory=dict)
    types: tuple[Mapping[str, Any], ...] = ({},)
    """Kinds of random boards, taken in turn; an option that is given goes before theirs."""


DEFAULTS: Mapping[str, Default] = {
    "tetris": Default(
        "astar,tree=true,ties=lifo", "report1_sum", "points", "box", Limits(nodes=2000), {"cost": "report1"},
        {"pieces": "7"}, ({"d": 0.2}, {"d": 0.5}, {"d": 0.055}),
    ),
    "sliding": Default(
        "astar,ties=high_g", "report_h4", "expansions", "shares", Limits(nodes=20_000), {},
        {"goal": "spiral", "moves": 24},
    ),
    "dots": Default(
        "astar", "0*base + 0*half + 0*half_sharing + polyomino", "cost", "box", Limits(nodes=20_000), {},
        {"size": "3x3", "drawn": 0.3},
    ),
}  # fmt: skip
GENERIC = Default("astar", None, "cost", "box", Limits(nodes=20_000))
"""Of other puzzles, and of users' own."""
