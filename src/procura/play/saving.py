"""Games as JSON text, and games by the name of their puzzle."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from procura.errors import InputError
from procura.play.game import Game
from procura.problem import Problem

FORMAT, VERSION = "procura game", 1
AGAINST = ("computer",)


def new_game(
    puzzle: str,
    problem: Problem,
    options: Mapping[str, Any] | None = None,
    *,
    against: str | None = None,
    seed: int = 0,
) -> Game:
    """A game of ``problem``; ``puzzle`` is its name in the catalog, or of a class of the user's own."""
    if against is not None and (against not in AGAINST or puzzle != "dots"):
        raise InputError(f"{puzzle} against {against!r}: only dots can be played against somebody, the computer")
    if puzzle == "dots":
        from procura.play.dots import DotsDuel, DotsGame
        from procura.puzzles.dots import Dots

        assert isinstance(problem, Dots)
        return DotsDuel(problem, options, seed) if against else DotsGame(problem, options)
    if puzzle == "sliding":
        from procura.play.sliding import SlidingGame as Kind
    elif puzzle == "sudoku":
        from procura.play.sudoku import SudokuGame as Kind  # type: ignore[assignment]
    elif puzzle == "tetris":
        from procura.play.tetris import TetrisGame as Kind  # type: ignore[assignment]
    else:
        return Game(problem, options)
    return Kind(problem, options)  # type: ignore[arg-type]


def write_game(puzzle: str, game: Game) -> str:
    """The game as text that ``read_game`` reads."""
    saved = {
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
    return json.dumps(saved, indent=1) + "\n"


def saved_puzzle(text: str) -> str:
    """The name of the puzzle of a saved game; one of the catalog, or that of a class of the user's own."""
    name = _parsed(text).get("puzzle")
    if not isinstance(name, str):
        raise InputError(f"the saved game's 'puzzle' is {name!r:.40}: expected text")
    return name


def read_game(text: str, puzzle: str, cls: type[Problem]) -> Game:
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
    game = new_game(puzzle, problem, options, against=saved.get("against"))
    game.take_details(saved)
    game.replay(_field(saved, "moves", list), _field(saved, "undone", list))
    game.hints, game.shown = _field(saved, "hints", int), _field(saved, "shown", int)
    game.seconds = float(_field(saved, "seconds", (int, float)))
    if min(game.hints, game.shown) < 0 or not 0 <= game.seconds < math.inf:
        raise InputError("the saved game's hints, shown and seconds: expected numbers from 0")
    return game


def _parsed(text: str) -> dict[str, Any]:
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError) as error:
        detail = f": {error}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"expected a saved game, but it is no JSON{detail}") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise InputError(f'expected a saved game, but it has no "format": "{FORMAT}"')
    if saved.get("version") != VERSION:
        raise InputError(f"the saved game has version {saved.get('version')!r}: expected {VERSION}")
    return saved


def _field(saved: Mapping[str, Any], name: str, kind: Any) -> Any:
    value = saved.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"the saved game's {name!r} is {value!r:.40}: expected {_WORDS[name]}")
    return value


_WORDS = {
    "board": "text", "options": "an object", "moves": "a list", "undone": "a list", "hints": "a number",
    "shown": "a number", "seconds": "a number",
}  # fmt: skip
