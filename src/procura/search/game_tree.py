"""Minimax and alpha-beta on any game for two: values are what the first player ends up ahead by."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from procura.algorithm import Algorithm, Option, Options, Order
from procura.control import Control
from procura.debug import fold
from procura.errors import InputError, shown
from procura.game import FIRST, SECOND, ArrayGame, Game, Valued
from procura.problem import as_number

DEEPEST = 400
"""The most moves ahead; what lies beyond is estimated."""
EXACT, LOWER, UPPER = 0, 1, 2
"""What a value in the table is: the value itself, or a bound on it."""

ValueOf = Callable[[Any, int, Any, Any], tuple[Any, bool]]
"""The value of a state within a window, looked so many moves ahead, and whether it is proved; raises ``Stopped``."""


class Stopped(Exception):
    """A limit, or the user, ends the search."""


class GameTree:
    """The tree of a game, searched depth first: what ``minimax`` and ``alphabeta`` share.

    A value is proved if nothing that it rests on was estimated. The table keeps values less the score so far, so that
    positions which differ in nothing else share an entry.
    """

    def __init__(self, game: Game, control: Control, prune: bool, room: int) -> None:
        self.game, self.control, self.prune, self.room = game, control, prune, room
        self.table: dict[Any, tuple[float, int, Any, bool, Any]] = {}

    def value(self, state: Any, left: int, alpha: Any, beta: Any, ply: int = 1) -> tuple[Any, bool]:
        """The value of ``state`` with ``left`` moves to look ahead, exact if it lies between alpha and beta."""
        game, control = self.game, self.control
        node = control.stats.generated
        if game.is_over(state):
            return self._known(node, ply, number(game, state, game.score(state)), True, "over")
        if left == 0:
            return self._known(node, ply, number(game, state, game.estimate(state)), False, "estimate")
        key, score, first = None, 0, None
        if self.room:
            key, score = game.table_key(state), number(game, state, game.score(state))
            entry = self.table.get(key)
            if entry is not None:
                depth, kind, rest, proved, first = entry
                known = score + rest
                if depth >= left and (kind == EXACT or (known >= beta if kind == LOWER else known <= alpha)):
                    return self._known(node, ply, known, proved, "table")
        actions = expand(game, control, state, ply, node, (alpha, beta) if self.prune else None)
        if first is not None and first in actions:
            actions.remove(first)
            actions.insert(0, first)
        maximises = player(game, state) == FIRST
        low, high = alpha, beta
        best: Any = None
        best_action, best_proved, all_proved, cut = None, False, True, False
        for action in actions:
            child = step(game, control, state, action, ply, node)
            value, proved = self.value(child, left - 1, low, high, ply + 1)
            all_proved = all_proved and proved
            if best is None or (value > best if maximises else value < best):
                best, best_action, best_proved = value, action, proved
                if self.prune:
                    low, high = (max(low, best), high) if maximises else (low, min(high, best))
                    if low >= high:
                        cut = True
                        report_cut(control, state, ply, node, low, high)
                        break
        proved = best_proved if cut else all_proved
        if self.room and (key in self.table or len(self.table) < self.room):
            kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            self.table[key] = (math.inf if proved else left, kind, best - score, proved, best_action)
            control.stats.stored = len(self.table)
        return self._known(node, ply, best, proved, "cut" if cut else "moves")

    def _known(self, node: int, ply: int, value: Any, proved: bool, by: str) -> tuple[Any, bool]:
        """The value of a position and whether it is proved, reported with where it comes from."""
        if self.control.traced:
            self.control.emit("value", node=node, depth=ply, value=value, figures={"by": by, "proved": proved})
        return value, proved


def number(game: Game, state: Any, value: Any) -> Any:
    """A score as an int or a float; raises ``InputError`` if it is no number."""
    if type(value) is int:
        return value
    made = as_number(value)
    if made is None or not -math.inf < made < math.inf:
        raise InputError(f"{game.name}: the score of {shown(state)} is {shown(value)}: expected a finite number")
    return made


def player(game: Game, state: Any) -> int:
    """Whose turn it is; raises ``InputError`` if it is nobody's."""
    turn = game.to_move(state)
    if turn not in (FIRST, SECOND):
        raise InputError(f"{game.name}.to_move gives {shown(turn)} in {shown(state)}: expected 0 or 1")
    return turn


def legal(game: Game, state: Any) -> list[Any]:
    """The legal actions in a state that is not over."""
    actions = list(game.actions(state))
    if not actions:
        raise InputError(f"{game.name}: {shown(state)} has no actions, but is_over says that the game goes on")
    return actions


def expand(
    game: Game, control: Control, state: Any, ply: int, node: int, window: tuple[Any, Any] | None = None
) -> list[Any]:
    """The legal actions of a state, counted and reported as one expansion; raises ``Stopped``."""
    if control.stop_before_expanding(ply):
        raise Stopped
    control.stats.expanded += 1
    if control.debug and isinstance(game, ArrayGame):
        digest = [control.stats.digest or 0]
        fold(digest, state, game.key)
        control.stats.digest = digest[0]
    if control.traced:
        figures = None if window is None else {"alpha": window[0], "beta": window[1]}
        control.emit("expand", node=node, state=state, depth=ply, figures=figures)
    return legal(game, state)


def step(game: Game, control: Control, state: Any, action: Any, ply: int, parent: int) -> Any:
    """The state after an action, counted and reported."""
    control.stats.generated += 1
    control.stats.depth = max(control.stats.depth, ply + 1)
    child = game.result(state, action)
    if control.traced:
        node = control.stats.generated
        control.emit("generate", node=node, parent=parent, action=action, state=child, depth=ply + 1)
    return child


def report_cut(control: Control, state: Any, ply: int, node: int, low: Any, high: Any) -> None:
    """Report that the other moves of a node need not be looked at."""
    if control.traced:
        control.emit("drop", node=node, state=state, depth=ply, value="cut", figures={"alpha": low, "beta": high})


def minimax(game: Game, control: Control, seed: int) -> Valued:
    """Every line of play to the end, or to the depth limit, where positions are estimated.

    Requires: actions, result, to_move, is_over, score. Keeps one line of play in memory.
    """
    return whole_tree(game, control, GameTree(game, control, prune=False, room=0).value)


def whole_tree(game: Game, control: Control, value_of: ValueOf) -> Valued:
    """One search of every move as deep as may be; what was found of the moves if it is stopped."""
    found: dict[int, tuple[Any, bool]] = {}
    depth = deepest(control)
    if depth == 0:
        return nothing(game)
    try:
        actions = expand(game, control, game.initial, 0, 0)
    except Stopped:
        return nothing(game)
    try:
        for i, action in enumerate(actions):
            child = step(game, control, game.initial, action, 0, 0)
            found[i] = value_of(child, depth - 1, -math.inf, math.inf)
    except Stopped:
        pass
    return gathered(game, actions, found, depth, complete=len(found) == len(actions))


def alphabeta(game: Game, control: Control, seed: int, *, moves: str, table: int) -> Valued:
    """Deeper and deeper searches that leave out what cannot matter; positions met again are remembered.

    Requires: actions, result, to_move, is_over, score; uses ``symmetries``, ``identity``, ``estimate`` and ``most``.
    Ends when the value is proved; what a limit ends has the values of the last depth that was finished.
    """
    return deepen(game, control, GameTree(game, control, prune=True, room=table).value, moves == "all")


def deepen(game: Game, control: Control, value_of: ValueOf, every: bool) -> Valued:
    """Searches of depth 1, 2 and so on, until all is proved or a limit ends it; the last one that was finished.

    Each begins with the moves that were best the last time. With ``every`` each move gets its own value, else only
    one that is better than those before it.
    """
    known, order = nothing(game), None
    window = None if every else whole_window(game)
    for depth in range(1, deepest(control) + 1):
        control.progress_value = depth
        control.emit("bound", value=depth)
        try:
            actions = expand(game, control, game.initial, 0, 0, window)
            order = order or list(range(len(actions)))
            found = _iteration(game, control, value_of, actions, order, depth, every)
        except Stopped:
            return known
        complete = len(found) == len(actions)
        known = gathered(game, actions, found, depth, complete)
        control.emit("improve", value=known.value)
        if known.proved and (not every or all(proved for _, _, proved in known.moves)):
            return known
        sign = 1 if player(game, game.initial) == FIRST else -1
        order.sort(key=lambda i: -sign * found[i][0] if i in found and found[i][0] is not None else math.inf)
    control.stopped_by = "depth"
    return known


def _iteration(
    game: Game, control: Control, value_of: ValueOf, actions: list[Any], order: list[int], depth: int, every: bool
) -> dict[int, tuple[Any, bool]]:
    """One search of the moves, in this order: their values, None for those proved or estimated to be no better."""
    alpha, beta = whole_window(game)
    maximises = player(game, game.initial) == FIRST
    found: dict[int, tuple[Any, bool]] = {}
    for i in order:
        child = step(game, control, game.initial, actions[i], 0, 0)
        value, proved = value_of(child, depth - 1, alpha, beta)
        better = not found or (value > alpha if maximises else value < beta)
        found[i] = (value if better or every else None, proved)
        if not every and better:
            alpha, beta = (max(alpha, value), beta) if maximises else (alpha, min(beta, value))
            if alpha >= beta:
                break
    return found


def whole_window(game: Game) -> tuple[Any, Any]:
    """The least and the most that any end is worth."""
    most = math.inf if game.most is None else game.most
    return -most, most


def gathered(game: Game, actions: list[Any], found: dict[int, tuple[Any, bool]], depth: int, complete: bool) -> Valued:
    """The value of the initial state from those of its moves; ``complete``: none is missing."""
    maximises = player(game, game.initial) == FIRST
    values = [value for value, _ in found.values() if value is not None]
    if not values:
        return nothing(game)
    best = max(values) if maximises else min(values)
    unbeatable = game.most is not None and best == (game.most if maximises else -game.most)
    proved = complete and all(proved for _, proved in found.values())
    proved = proved or (unbeatable and any(proved and value == best for value, proved in found.values()))
    moves = [(action, *found.get(i, (None, False))) for i, action in enumerate(actions)]
    told = [(action, value, proved and value is not None) for action, value, proved in moves]
    return Valued(told, best, proved, depth)


def nothing(game: Game) -> Valued:
    """What is known before any search: an estimate."""
    state = game.initial
    moves = [(action, None, False) for action in legal(game, state)]
    return Valued(moves, number(game, state, game.estimate(state)), False)


def deepest(control: Control) -> int:
    """The most moves that a search looks ahead."""
    limit = control.limits.depth
    return DEEPEST if limit is None else min(limit, DEEPEST)


def _by_move(options: Options) -> Order:
    """How it is watched: from one move of the initial state to the next."""
    return Order("move", path_only=True)


def _by_depth(options: Options) -> Order:
    """How it is watched: from one depth to the next."""
    return Order("bound", path_only=True)


MINIMAX = Algorithm(
    name="minimax",
    about="every line of play to the end, or to the depth limit",
    requires="a game that is short enough",
    guarantees="exact if no limit ends it; memory for one line of play only",
    python=minimax,
    compiled="procura.compiled.game_tree:minimax",
    order=_by_move,
)
ALPHABETA = Algorithm(
    name="alphabeta",
    about="deeper and deeper minimax that leaves out what cannot matter and remembers positions",
    requires="nothing but the rules; an estimate helps where the end is far",
    guarantees="exact once no line of play is cut off by its depth; before that the estimates of the last depth",
    python=alphabeta,
    compiled="procura.compiled.game_tree:alphabeta",
    options=(
        Option("moves", "choice", "all", "a value for every move, or only for the best one", ("all", "best")),
        Option("table", "int", 1_000_000, "positions that are remembered", low=0, high=1 << 30),
    ),
    order=_by_depth,
    bound="depth",
    progress="depth",
)
