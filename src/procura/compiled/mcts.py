"""Monte Carlo tree search, compiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from procura.compiled.engine import new_counts, run_slices
from procura.compiled.game_tree import BoundGame
from procura.compiled.stores import reserve
from procura.compiled.templates import counts as c, mcts as template
from procura.control import Control
from procura.game import FIRST, ArrayGame, Valued
from procura.rng import stream
from procura.search.game_tree import nothing, player
from procura.search.mcts import LONGEST

assert LONGEST == template.LONGEST


def mcts(game: ArrayGame, control: Control, seed: int, *, playouts: int, exploration: float) -> Valued:
    """As ``search.mcts.mcts``."""
    bound = BoundGame(game, control)
    counts = new_counts(control)
    nodes, capacity = reserve(control, template.NODE, playouts * game.max_moves + 2)
    counts.most_moves, counts.node_capacity, counts.nodes = game.max_moves, capacity, 1
    s, words = bound.new_row()
    rng, search = np.array([stream(seed)], dtype=np.uint64), np.zeros(1, dtype=np.int64)
    path = np.zeros(LONGEST, dtype=np.int64)
    arguments = (
        s, words, bound.s_words, nodes, path, bound.out, rng, exploration, search, counts.words, bound.data, bound.work,
    )  # fmt: skip
    kernel = bound.compile(template.run, *arguments)
    control.start()
    limit = control.limits.nodes
    games = playouts if limit is None else min(playouts, limit)
    control.limits = replace(control.limits, nodes=games)
    status = run_slices(control, counts, kernel, lambda: int(kernel(*arguments)), lambda _: False)
    if control.stopped_by == "nodes" and games == playouts:
        control.stopped_by = None
    if status in (c.INVALID, c.TOO_MANY):
        raise bound.refusal(tuple(int(v) for v in s))
    if status == c.FULL:
        control.stopped_by = "memory"
    return _found(game, control, nodes)


def _found(game: ArrayGame, control: Control, nodes: np.ndarray) -> Valued:
    """The means of the moves; the best of them is the position's."""
    first, count = int(nodes[template.CHILD]), int(nodes[template.CHILDREN])
    moves = []
    for at in range(first * template.NODE, (first + count) * template.NODE, template.NODE):
        games, total = int(nodes[at + template.VISITS]), int(nodes[at + template.TOTAL])
        moves.append((int(nodes[at + template.MOVE]), total / games if games else None, False))
    tried = [mean for _, mean, _ in moves if mean is not None]
    if not tried:
        return nothing(game)
    maximises = player(game, game.initial) == FIRST
    return Valued(moves, max(tried) if maximises else min(tried), False, control.stats.depth)
