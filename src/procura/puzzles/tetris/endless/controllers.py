"""Controllers: weights of features, by name or from a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from procura.errors import InputError, unknown
from procura.puzzles.tetris.endless.features import FEATURES, LANDING_HEIGHT

DIGITS = 9


@dataclass(frozen=True)
class Controller:
    """Makes the placement with the greatest weighted sum of features; of equal ones the first in action order.

    >>> Controller("lazy", {"height": -1}).weights
    {'height': -1.0}
    """

    name: str
    weights: Mapping[str, float]
    about: str = ""
    found: Mapping[str, Any] = field(default_factory=dict)
    """How the weights were found."""

    def __post_init__(self) -> None:
        weights = {}
        for feature, weight in self.weights.items():
            if feature not in FEATURES:
                raise unknown(f"controller {self.name}: there is no feature", feature, FEATURES)
            if not isinstance(weight, int | float) or isinstance(weight, bool) or not math.isfinite(weight):
                raise InputError(f"controller {self.name}: {feature} = {weight!r}: expected a number")
            if weight:
                weights[feature] = float(weight)
        if not weights:
            raise InputError(f"controller {self.name}: expected a feature with a weight other than 0")
        object.__setattr__(self, "weights", weights)

    def integers(self) -> list[int]:
        """The weights in the order of ``FEATURES``, as integers, so that values are exact.

        They are the decimals as written, times a power of ten that leaves the largest ten digits before the point.
        The landing height counts in halves, so the others are doubled.
        """
        written = {feature: Decimal(repr(weight)) for feature, weight in self.weights.items()}
        shift = DIGITS - max(weight.adjusted() for weight in written.values())
        integers = [int(written.get(feature, Decimal(0)).scaleb(shift).to_integral_value()) for feature in FEATURES]
        return [value if place == LANDING_HEIGHT else 2 * value for place, value in enumerate(integers)]

    def used(self) -> int:
        """The features that have a weight, as bits in the order of ``FEATURES``."""
        return sum(1 << place for place, feature in enumerate(FEATURES) if feature in self.weights)


_DELLACHERIE = ("landing_height", "eroded_cells", "row_transitions", "column_transitions", "holes", "wells")
_THIERY = (*_DELLACHERIE, "hole_depth", "rows_with_holes")


def _of(name: str, features: tuple[str, ...], weights: tuple[float, ...], about: str) -> Controller:
    return Controller(name, dict(zip(features, weights, strict=True)), about)


CONTROLLERS = {
    made.name: made
    for made in (
        Controller(
            "report1",
            {
                "column_transitions": -0.17679017 / 85 / 2,
                "bumpiness": -0.99800133 / 162,
                "height": -0.47329903 / 180,
                "points": (1 + 0.36889546) / 4800,
            },
            "the first report's best weights of holes, relief, height and opportunity cost",
        ),
        _of(
            "four",
            ("height", "lines", "holes", "bumpiness"),
            (-0.510066, 0.760666, -0.35663, -0.184483),
            "four features with well-known weights",
        ),
        _of("dellacherie", _DELLACHERIE, (-1, 1, -1, -1, -4, -1), "Dellacherie's six features, weighed by hand"),
        _of(
            "bcts",
            _THIERY,
            (-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04),
            "eight features, weights by Thiery and Scherrer's cross-entropy",
        ),
        _of(
            "dt10",
            (*_THIERY, "diversity"),
            (-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27),
            "nine features, weights by CBMPI on boards of ten rows",
        ),
    )
}
"""The controllers that are known by name.

``report1`` is the search heuristic of the first report turned into a controller of one piece. Its holes are empty
cells straight below a filled one; a column with n of them has 2n + 1 transitions, so they weigh half on transitions.
A placement that makes points lowers the path cost by points / 4800 and the opportunity cost by as much.
"""


TUNED = Path(__file__).with_name("tuned.toml")
"""The weights that our own tuning found, and how."""


def read_controller(text: str) -> Controller:
    """The controller of a name, or of a file given as ``@file``: TOML with lines ``feature = weight``.

    Beside the weights a file may have ``about`` (a text) and a table ``found`` that says how they were found.

    >>> read_controller("dellacherie").weights["holes"]
    -4.0
    """
    if text == TUNED.stem:
        return parse_controller(text, TUNED.read_text(encoding="utf-8"))
    if not text.startswith("@"):
        if text not in CONTROLLERS:
            raise unknown("there is no controller", text, [*CONTROLLERS, TUNED.stem])
        return CONTROLLERS[text]
    try:
        content = Path(text[1:]).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8 text"
        raise InputError(f"controller {text!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
    return parse_controller(text, content)


def controllers() -> list[Controller]:
    """All controllers that are known by name."""
    return [*CONTROLLERS.values(), read_controller(TUNED.stem)]


def parse_controller(name: str, text: str) -> Controller:
    """The controller that a file describes."""
    import tomllib

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # that of tomllib, or too many digits or brackets
        raise InputError(f"controller {name!r}: expected lines feature = weight ({error})") from None
    about, found = values.pop("about", ""), values.pop("found", {})
    if not isinstance(about, str) or not isinstance(found, dict):
        raise InputError(f"controller {name!r}: expected about as a text and found as a table")
    return Controller(name, values, about, found)


def controller_text(controller: Controller) -> str:
    """The controller as a file that ``read_controller`` reads."""
    lines = [f"about = {_toml(controller.about)}"] if controller.about else []
    lines += [f"{feature} = {weight!r}" for feature, weight in controller.weights.items()]
    if controller.found:
        lines += ["", "[found]", *(f"{name} = {_toml(value)}" for name, value in controller.found.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)  # text, numbers and truth values are written alike
