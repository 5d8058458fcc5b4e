"""The kernels of the player, bound to the features of a controller and to the widths of pieces."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from procura.compiled.build import Part
from procura.puzzles.tetris.endless import ahead, measures, placements, player
from procura.puzzles.tetris.endless.features import FEATURES

_STEPS = ("diversity", "unit_steps", "flat_steps")
TABLES: dict[Callable[..., Any], Collection[str]] = {
    placements.table_bumps: ("bumpiness",),
    placements.table_wells: ("wells",),
    placements.table_filled: ("hole_depth",),
    placements.table_holed: ("rows_with_holes",),
    placements.table_steps: _STEPS,
}
"""The tables of the board, and the features that need them."""

MADE: dict[Callable[..., Any], Collection[str]] = {
    placements.column_transitions_made: ("column_transitions",),
    placements.wells_made: ("wells",),
    placements.filled_below: ("hole_depth",),
    placements.rows_with_holes_made: ("rows_with_holes",),
    placements.steps_around: _STEPS,
    placements.peak_made: ("peak",),
    placements.bumps_around: ("bumpiness",),
}
"""What is looked at of each placement, by the width of the piece, and the features that need it."""


def bound_player(used: int) -> dict[str, Part]:
    """The kernels to call from Python, for the features ``used``, given as bits; other features are not computed.

    ``play`` knows the piece at hand, ``play_ahead`` searches several.
    """
    names = {feature for place, feature in enumerate(FEATURES) if used >> place & 1}
    absent = {name: measures.none for name in FEATURES if hasattr(measures, name) and name not in names}
    board_value = _part(measures.board_value, **absent)
    place = _part(player.place, board_value=board_value)
    begin = _part(player.begin, board_value=board_value)

    def play(decide: Part) -> Part:
        step = _part(player.step, decide=decide, place=place)
        return _part(player.play, begin=begin, step=step)

    best = _part(player.decide, choose=_choose(names, board_value, note=placements.note_none))
    survey = _part(ahead.survey, choose=_choose(names, board_value, note=placements.note))
    grow = _part(ahead.grow, place=place)
    ways = _part(ahead.look_ahead, survey=survey, grow=grow)
    return {"board_value": board_value, "play": play(best), "play_ahead": play(ways)}


def _choose(names: set[str], board_value: Part, note: Callable[..., Any]) -> Part:
    """What values the placements of a piece; ``note`` is told of each."""
    tables = {table.__name__: placements.table_none for table, of in TABLES.items() if names.isdisjoint(of)}
    widths = {f"try_form_{width}": _try_form(names, width, board_value, note) for width in range(1, 5)}
    return _part(player.choose, prepare=_part(placements.prepare, **tables), **widths)


def _try_form(names: set[str], width: int, board_value: Part, note: Callable[..., Any]) -> Part:
    """What values the placements of a form that is so wide."""
    made: dict[str, Any] = {
        function.__name__: placements.none_made if names.isdisjoint(of) else _part(function, WIDTH=width)
        for function, of in MADE.items()
    }
    if "row_transitions" not in names:
        made["row_transitions_made"] = placements.no_transitions_made
    return _part(
        placements.try_form,
        WIDTH=width,
        base_row=_part(placements.base_row, WIDTH=width),
        form_slope=_part(placements.form_slope, WIDTH=width),
        cleared_value=_part(placements.cleared_value, board_value=board_value),
        note=note,
        **made,
    )


def _part(function: Callable[..., Any], **bindings: Any) -> Part:
    return Part(function, tuple(bindings.items()))
