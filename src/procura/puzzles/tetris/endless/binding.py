"""The kernels of the player, bound to the features of a controller and to the widths of pieces."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from procura.compiled.build import Part
from procura.puzzles.tetris.endless import measures, placements, player
from procura.puzzles.tetris.endless.features import FEATURES

TABLES = {
    "bumpiness": placements.table_bumps,
    "wells": placements.table_wells,
    "hole_depth": placements.table_filled,
    "rows_with_holes": placements.table_holed,
    "diversity": placements.table_steps,
}
"""The features that need a table of the board."""

MADE: dict[str, Callable[..., Any]] = {
    "column_transitions": placements.column_transitions_made,
    "wells": placements.wells_made,
    "hole_depth": placements.filled_below,
    "rows_with_holes": placements.rows_with_holes_made,
    "diversity": placements.diversity_around,
    "bumpiness": placements.bumps_around,
}
"""What a placement changes of each feature, by the width of the piece."""


def bound_player(used: int) -> dict[str, Part]:
    """The kernels to call from Python, for the features ``used``, given as bits; other features are not computed."""
    names = {feature for place, feature in enumerate(FEATURES) if used >> place & 1}
    absent = {name: measures.none for name in FEATURES if hasattr(measures, name) and name not in names}
    board_value = _part(measures.board_value, **absent)
    tables = {table.__name__: placements.table_none for name, table in TABLES.items() if name not in names}
    widths = {f"try_form_{width}": _try_form(names, width, board_value) for width in range(1, 5)}
    choose = _part(player.choose, prepare=_part(placements.prepare, **tables), **widths)
    place = _part(player.place, board_value=board_value)
    begin = _part(player.begin, board_value=board_value)
    step = _part(player.step, choose=choose, place=place)
    play = _part(player.play, begin=begin, step=step)
    return {"board_value": board_value, "play": play}


def _try_form(names: Collection[str], width: int, board_value: Part) -> Part:
    """What values the placements of a form that is so wide."""
    made: dict[str, Any] = {
        function.__name__: _part(function, WIDTH=width) if name in names else placements.none_made
        for name, function in MADE.items()
    }
    if "row_transitions" not in names:
        made["row_transitions_made"] = placements.no_transitions_made
    return _part(
        placements.try_form,
        WIDTH=width,
        base_row=_part(placements.base_row, WIDTH=width),
        form_slope=_part(placements.form_slope, WIDTH=width),
        cleared_value=_part(placements.cleared_value, board_value=board_value),
        **made,
    )


def _part(function: Callable[..., Any], **bindings: Any) -> Part:
    return Part(function, tuple(bindings.items()))
