"""The score of a run, as a study defines it: a figure of the result, and a value where there is no answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from procura.errors import unknown
from procura.study.lines import Document

FIGURES = ("points", "cost", "length", "seconds", "expanded", "generated", "solved")
KEYS = ("of", "missing", "no_solution")


@dataclass(frozen=True)
class Score:
    """``of`` is a figure of the result, with a minus before it if less is better.

    >>> Score("points", False, -500.0, -500.0).value({"outcome": "not_found"})
    -500.0
    >>> Score("cost", True, -500.0, 0.0).value({"outcome": "solved", "cost": 42})
    -42
    """

    of: str
    negative: bool
    missing: float
    no_solution: float

    def value(self, record: Mapping[str, Any]) -> float | int:
        """The score of a result."""
        if record.get("outcome") == "no_solution":
            return self.no_solution
        figure = 1 if self.of == "solved" else record.get(self.of)
        if record.get("outcome") != "solved" or figure is None:
            return self.missing
        return -figure if self.negative else figure


def read_score(document: Document) -> Score | None:
    """The table ``[score]`` of a study file; None without one."""
    if document.read((), "score", dict, "a table") is None:
        return None
    place = ("score",)
    document.check_keys(place, KEYS, "score")
    of: str = document.read(place, "of", str, "the name of a figure", "points")
    name = of.removeprefix("-")
    if name not in FIGURES:
        raise document.error((*place, "of"), str(unknown("results have no figure", name, FIGURES)))
    missing = document.read(place, "missing", (int, float), "a number", 0)
    no_solution = document.read(place, "no_solution", (int, float), "a number", missing)
    for key, value in (("missing", missing), ("no_solution", no_solution)):
        if not math.isfinite(value):
            raise document.error((*place, key), f"{key} is {value}: expected a finite number")
    return Score(name, of.startswith("-"), missing, no_solution)
