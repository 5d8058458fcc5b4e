"""Monte Carlo tree search on any game for two: random games, more of them where they go well (UCT)."""

from __future__ import annotations

import math
from typing import Any

from procura.algorithm import Algorithm, Option, Options, Order
from procura.control import Control
from procura.game import FIRST, Game, Valued
from procura.rng import below, stream
from procura.search.game_tree import legal, nothing, number, player

LONGEST = 1000
"""A random game is estimated after so many moves."""


class Node:
    """A position of the tree: the games that went through it, and what the first player was ahead by in their ends."""

    __slots__ = ("action", "children", "number", "total", "visits")

    def __init__(self, action: Any) -> None:
        self.action = action
        self.number = 0
        """The game that was the first to go through it; 0 the root."""
        self.children: list[Node] | None = None
        self.visits, self.total = 0, 0


def mcts(game: Game, control: Control, seed: int, *, playouts: int, exploration: float) -> Valued:
    """Play random games from the most promising position of a tree, which each of them makes larger by one.

    Requires: actions, result, to_move, is_over, score. A move's value is the mean of the games that began with it.
    ``expanded`` counts the games.
    """
    search = Search(game, control, seed, exploration)
    while control.stats.expanded < playouts and not control.stop_before_expanding(0):
        search.play_one()
    return search.found()


class Search:
    """A tree and its random numbers."""

    def __init__(self, game: Game, control: Control, seed: int, exploration: float) -> None:
        self.game, self.control, self.exploration = game, control, exploration
        self.rng = [stream(seed)]
        self.root = Node(None)
        self.largest: Any = 0
        """The most that any game ended with, by which means are scaled."""
        control.stats.stored = 1

    def play_one(self) -> None:
        """One game: down the tree, one node more, then at random to the end."""
        game, stats = self.game, self.control.stats
        state, node, path = game.initial, self.root, [self.root]
        while not game.is_over(state) and (node.visits > 0 or node is self.root) and len(path) < LONGEST:
            if node.children is None:
                node.children = [Node(action) for action in legal(game, state)]
                stats.stored += len(node.children)
            node = self._selected(node, player(game, state) == FIRST)
            state = game.result(state, node.action)
            stats.generated += 1
            path.append(node)
        stats.depth = max(stats.depth, len(path) - 1)
        stats.expanded += 1
        end = self._played_out(state)
        self.largest = max(self.largest, abs(end))
        if node.visits == 0 and node is not self.root:
            node.number = stats.expanded
        for passed in path:
            passed.visits += 1
            passed.total += end
        self._report(path, state, end)

    def _selected(self, node: Node, maximises: bool) -> Node:
        """The first child without a game, else the one with the greatest upper bound."""
        assert node.children is not None
        best, best_bound = node.children[0], -math.inf
        log = math.log(node.visits) if node.visits else 0.0
        scale = self.largest or 1
        for child in node.children:
            if child.visits == 0:
                return child
            mean = child.total / child.visits / scale
            bound = (mean if maximises else -mean) + self.exploration * math.sqrt(log / child.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        return best

    def _played_out(self, state: Any) -> Any:
        """What the first player is ahead by at the end of a random game."""
        game, stats = self.game, self.control.stats
        for _ in range(LONGEST):
            if game.is_over(state):
                return number(game, state, game.score(state))
            actions = legal(game, state)
            state = game.result(state, actions[below(self.rng, len(actions))])
            stats.generated += 1
        return number(game, state, game.estimate(state))

    def _report(self, path: list[Node], state: Any, end: Any) -> None:
        if not self.control.traced:
            return
        line = [
            {"node": node.number, "action": node.action, "visits": node.visits, "mean": node.total / node.visits}
            for node in path[1:]
        ]
        figures = {"line": line, "end": end}
        self.control.emit("expand", node=path[-1].number, state=state, depth=len(line), figures=figures)

    def found(self) -> Valued:
        """The means of the moves; the best of them is the position's."""
        children = self.root.children or []
        tried = [child.total / child.visits for child in children if child.visits]
        if not tried:
            return nothing(self.game)
        maximises = player(self.game, self.game.initial) == FIRST
        moves = [(child.action, child.total / child.visits if child.visits else None, False) for child in children]
        return Valued(moves, max(tried) if maximises else min(tried), False, self.control.stats.depth)


def _by_best_move(options: Options) -> Order:
    """How it is watched: from one most visited move to another."""
    return Order("favourite", path_only=True)


MCTS = Algorithm(
    name="mcts",
    about="Monte Carlo tree search: random games, more of them where they go well",
    requires="nothing but the rules",
    guarantees="nothing is proved; with more games the best move comes out",
    python=mcts,
    compiled="procura.compiled.mcts:mcts",
    options=(
        Option("playouts", "int", 10_000, "random games", low=1),
        Option("exploration", "float", 1.4, "how much moves with few games are favoured", low=0),
    ),
    random=True,
    tree=False,
    order=_by_best_move,
)
