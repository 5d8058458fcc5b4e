"""Searches that a page watches: their steps as plain data, and what was recorded of the last few kept.

A message says all of a search, so one that is not kept any more is recorded again, and tells the same.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from procura.algorithm import load
from procura.analysing import game_plan
from procura.configuration import Configuration
from procura.errors import InputError
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle
from procura.record import plain
from procura.result import Limits
from procura.solving import Plan, plan
from procura.studio.messages import number, search
from procura.watch.player import Player
from procura.watch.recording import Recording

MOST_PLAYERS = 4
MOST_STEPS = 1_000
"""Steps of one message."""
LAST_STEP = 100_000
FRONTIER = 30
"""Nodes of the frontier that a step names."""
NAMES = ("puzzle", "code", "board", "options", "number", "with", "limits", "seed", "game")
"""The fields of a message that say which search."""

ToFrame = Callable[[Any, Any], Any]


class Watched:
    """The recordings of a page."""

    def __init__(self) -> None:
        self._players: OrderedDict[str, Player] = OrderedDict()

    def steps(
        self,
        message: Mapping[str, Any],
        make: Callable[[], Recording],
        frame: ToFrame,
        cancel: Callable[[], bool] | None,
    ) -> dict[str, Any]:
        """The steps that a message asks for, from ``first`` to before ``end``, and whether there are more."""
        key = json.dumps([plain(message.get(name)) for name in NAMES], sort_keys=True)
        player = self._players.pop(key, None) or Player(make())
        self._players[key] = player
        if len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)
        first = number(message, "first", 0, LAST_STEP) or 0
        end = number(message, "end", first + 1, first + MOST_STEPS) or first + MOST_STEPS
        try:
            steps = player.steps(first, end, lambda: cancel is None or not cancel(), frame, FRONTIER)
        except Exception:
            del self._players[key]
            raise
        last = steps[-1]["step"] if steps else player.frame.number
        what = player.recording.plan
        return {
            "steps": steps,
            "ended": player.ended and last >= player.known,
            "level": player.order.level,
            "path_only": player.order.path_only,
            "local": isinstance(what, Plan) and what.info.local,
            "configuration": str(what.configuration),
        }


def search_recording(problem: Problem, message: Mapping[str, Any], limits: Limits) -> Recording:
    """The search that a message names, interpreted; it ends at the limits that do not depend on the clock."""
    configuration = Configuration.parse(search(message))
    what = plan(problem, configuration, "python", number(message, "seed", 0, 2**53))
    return Recording(what, Limits(nodes=limits.nodes, depth=limits.depth))


def game_recording(chosen: ChosenPuzzle, problem: Problem, message: Mapping[str, Any], limits: Limits) -> Recording:
    """The analysis that a message names, of the puzzle's game for two on this board."""
    if chosen.entry is None or chosen.entry.game is None:
        raise InputError(f"{chosen.name} is no game for two")
    game = load(chosen.entry.game).from_text(problem.board_text())
    what = game_plan(game, search(message, "minimax"), "python", number(message, "seed", 0, 2**53), traced=True)
    return Recording(what, Limits(nodes=limits.nodes, depth=limits.depth))
