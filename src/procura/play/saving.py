"""Attempts as JSON text, and the attempt that a problem's puzzle names."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from procura import catalog
from procura.algorithm import load
from procura.errors import InputError, unknown
from procura.play.attempt import Attempt
from procura.problem import Problem

FORMAT, VERSION = "procura game", 1


def new_game(
    problem: Problem, options: Mapping[str, Any] | None = None, *, against: str | None = None, seed: int = 0
) -> Attempt:
    """An attempt at ``problem`` by the class that its puzzle names, alone or against somebody."""
    kind = _kind(problem)
    if against is None:
        return kind(problem, options, seed)
    if against not in kind.opponents:
        able = [name for name, entry in catalog.PUZZLES.items() if _kind(entry.load()).opponents]
        raise InputError(
            f"{problem.name} against {against!r:.40}: only {' and '.join(able)} can be played against somebody"
        )
    return kind.opponents[against](problem, options, seed)


def opponents(problem: Problem | type[Problem]) -> list[str]:
    """Who it can be played against."""
    return list(_kind(problem).opponents)


def _kind(problem: Problem | type[Problem]) -> type[Attempt]:
    """The class that plays a problem."""
    kind: type[Attempt] = Attempt if problem.attempt is None else load(problem.attempt)
    return kind


def write_game(puzzle: str, game: Attempt) -> str:
    """The game as text that ``read_game`` reads."""
    return json.dumps(_fields(puzzle, game), indent=1) + "\n"


def _fields(puzzle: str, game: Attempt) -> dict[str, Any]:
    """All that is saved of a game."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "puzzle": puzzle,
        "board": game.problem.board_text(),
        "options": game.options,
        **game.details(),
        "moves": game.moves,
        "undone": game.undone,
        "hints": game.hints,
        "shown": game.shown,
        "seconds": round(game.seconds, 1),
    }


def saved_puzzle(text: str) -> str:
    """The name of the puzzle of a saved game; one of the catalog, or that of a class of the user's own."""
    name = _parsed(text).get("puzzle")
    if not isinstance(name, str):
        raise InputError(f"the saved game's 'puzzle' is {name!r:.40}: expected text")
    return name


def read_game(text: str, puzzle: str, cls: type[Problem]) -> Attempt:
    """The game that was saved as ``text``, its moves made again; raises ``InputError`` that says what is wrong.

    The class comes from the caller, never from the text.
    """
    saved = _parsed(text)
    if saved.get("puzzle") != puzzle:
        raise InputError(f"the saved game is one of {saved.get('puzzle')!r}, not of {puzzle!r}")
    board, options = _field(saved, "board", str), _field(saved, "options", dict)
    try:
        problem = cls.from_text(board, **options)
    except TypeError:
        raise InputError(f"options {options!r}: {puzzle} does not take them") from None
    game = new_game(problem, options, against=_against(saved))
    known = _fields(puzzle, game)
    for name in saved:
        if name not in known:
            raise unknown("a saved game of this kind has no field", name, known)
    game.take_details(saved)
    game.replay(_field(saved, "moves", list), _field(saved, "undone", list))
    game.hints, game.shown = _field(saved, "hints", int), _field(saved, "shown", int)
    game.seconds = float(_field(saved, "seconds", (int, float)))
    if min(game.hints, game.shown) < 0 or not 0 <= game.seconds < math.inf:
        raise InputError("the saved game's hints, shown and seconds: expected numbers from 0")
    return game


def _against(saved: Mapping[str, Any]) -> str | None:
    against = saved.get("against")
    if not isinstance(against, str | None):
        raise InputError(f"the saved game's 'against' is {against!r:.40}: expected text")
    return against


def _parsed(text: str) -> dict[str, Any]:
    try:
        saved = json.loads(text, object_pairs_hook=_object)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        detail = f": {error}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"expected a saved game, but it is no JSON{detail}") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise InputError(f'expected a saved game, but it has no "format": "{FORMAT}"')
    if saved.get("version") != VERSION:
        raise InputError(f"the saved game has version {saved.get('version')!r}: expected {VERSION}")
    return saved


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a name that stands twice is refused, where JSON would forget the first."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"expected a saved game, but {name!r:.40} stands twice in one object")
        found[name] = value
    return found


def _field(saved: Mapping[str, Any], name: str, kind: Any) -> Any:
    value = saved.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"the saved game's {name!r} is {value!r:.40}: expected {_WORDS[name]}")
    return value


_WORDS = {
    "board": "text", "options": "an object", "moves": "a list", "undone": "a list", "hints": "a number",
    "shown": "a number", "seconds": "a number",
}  # fmt: skip
