"""Games of the studio. A message carries the whole game as it would be saved, so that no page depends on a memory here.

What a search found out about a game is remembered for a few games, so that hints after the first come at once.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from procura.errors import InputError, unknown
from procura.play.advice import Cancel, Rest, plain
from procura.play.attempt import Attempt
from procura.play.face import Face
from procura.play.saving import new_game, read_game, write_game
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle
from procura.studio.messages import number, text

MOST_GAMES = 8
MOST_MOVES = 10_000


class Games:
    """Plays moves in games that come with each message."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Attempt] = OrderedDict()
        self._acts = {
            "start": self._look, "look": self._look, "move": self._move, "undo": self._undo, "redo": self._redo,
            "restart": self._restart, "hint": self._hint, "show": self._show, "best": self._best, "set": self._set,
        }  # fmt: skip

    def play(
        self, chosen: ChosenPuzzle, problem: Problem | None, message: dict[str, Any], cancel: Cancel | None
    ) -> dict[str, Any]:
        """The game after what the message does in it; ``says`` is what there is to say, ``hint`` a move to point at."""
        act = text(message, "act", "look")
        if act not in self._acts:
            raise unknown("there is no act", act, self._acts)
        game = self.game(chosen, problem, message)
        told: dict[str, Any] = {"says": "", "hint": None}
        before = len(game.moves)
        try:
            self._acts[act](game, message, told, cancel)
        except InputError as error:
            told["says"], told["refused"] = str(error), True
        told["made"] = game.moves[before:]
        return {**_shown(chosen, game), **told}

    def game(self, chosen: ChosenPuzzle, problem: Problem | None, message: dict[str, Any]) -> Attempt:
        """The game that a message speaks of: a new one, or one that goes on."""
        if problem is not None:
            seed = number(message, "seed", 0, 2**53) or 0
            game = new_game(problem, problem.board_options(), against=message.get("against"), seed=seed)
            return self._kept(game, _key(json.loads(write_game(chosen.name, game))))
        saved = message["game"]
        if not isinstance(saved, dict) or len(saved.get("moves") or ()) > MOST_MOVES:
            raise InputError(f"game: expected an object with at most {MOST_MOVES:,} moves")
        game = read_game(json.dumps(saved), chosen.name, chosen.cls)
        return self._kept(game, _key(saved))

    def _kept(self, game: Attempt, key: str) -> Attempt:
        """The game, with what is known of others on the same board."""
        known = self._games.pop(key, None)
        if known is not None:
            game.remember_from(known)
        self._games[key] = game
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return game

    # What can be done in a game

    def _look(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        self._answers(game, told)

    def _move(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        game.play(message.get("move"))
        self._answers(game, told)

    def _answers(self, game: Attempt, told: dict[str, Any]) -> None:
        """Let the other player move until it is the player's turn."""
        while (move := game.answer()) is not None:
            told["says"] = game.answers
            game.play(move)

    def _undo(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        if not game.undo():
            raise InputError("there is no move to take back")

    def _redo(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        if not game.redo():
            raise InputError("there is nothing to make again")
        self._answers(game, told)

    def _restart(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        while game.undo():
            pass
        game.hints = game.shown = 0
        game.seconds = 0.0

    def _hint(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        face = game.face()
        if message.get("at") is not None:
            _point(face, message["at"])
        hint = face.hint(cancel)
        told["says"] = hint.why if hint.move is None else f"{face.listed(hint.move)}: {hint.why}"
        told["hint"] = hint.move

    def _show(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        """Make the next move of a best solution, or all of them, in the player's place."""
        most = number(message, "moves", 1, MOST_MOVES) or 1
        for _ in range(most):
            hint = game.suggest(cancel)
            if hint.move is None:
                if not game.over:
                    raise InputError(hint.why)
                return
            told["says"] = game.face().words(hint.move)
            game.play(hint.move)
            game.shown += 1
            self._answers(game, told)
            if game.over or (cancel is not None and cancel()):
                return

    def _best(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        """What the best solution of the whole board comes to, as far as a few seconds tell."""
        best = game.best(4.0, cancel)
        told["best"] = {**_rest(best), **_worth(game, best)}

    def _set(self, game: Attempt, message: Any, told: dict[str, Any], cancel: Cancel | None) -> None:
        """A detail of this kind of game, such as whether clashes are refused."""
        details = message.get("details")
        if not isinstance(details, dict):
            raise InputError(f"details {details!r:.40}: expected an object")
        game.take_details({**game.details(), **details})


def _shown(chosen: ChosenPuzzle, game: Attempt) -> dict[str, Any]:
    face, problem = game.face(), game.problem
    over = game.over
    legal = [] if over or chosen.entry is not None else game.legal()
    view = face.view() if chosen.entry is not None else {**face.view(), "svg": problem.to_svg(game.state)}
    return {
        "puzzle": chosen.name,
        "game": json.loads(write_game(chosen.name, game)),
        "view": view,
        "start": problem.to_text(problem.initial),
        "facts": problem.page_facts(),
        "title": face.title(),
        "status": face.status() if chosen.entry is not None else "",
        "legal": [{"move": move, "words": face.words(move)} for move in legal],
        "over": over,
        "won": game.won,
        "comparable": game.comparable,
        "summary": game.summary(game.known_best()) if over else "",
        "duel": bool(game.details().get("against")),
    }


def _point(face: Face, at: Any) -> None:
    try:
        face.point_at(at)
    except (TypeError, ValueError, IndexError):
        raise InputError(f"at {at!r:.40}: expected a move") from None


def _rest(rest: Rest) -> dict[str, Any]:
    return {"outcome": rest.outcome.value, "optimal": rest.optimal, "length": len(rest.moves) if rest.found else None}


def _worth(game: Attempt, rest: Rest) -> dict[str, Any]:
    """The points of the best solution and of the game, where points are counted."""
    state = game.whole().initial
    if not rest.found or game.problem.points(game.states[0]) is None:
        return {}
    for move in rest.moves:
        state = game.problem.result(state, game.problem.action_from_json(move))
    return {"points": game.problem.points(state), "yours": game.problem.points(game.state)}


def _key(saved: dict[str, Any]) -> str:
    """What games on the same board have in common."""
    return json.dumps([plain(saved.get(name)) for name in ("puzzle", "board", "options", "against", "seed")])
