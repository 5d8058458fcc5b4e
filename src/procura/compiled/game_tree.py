"""Minimax and alpha-beta, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from procura.compiled.engine import BoundRows, new_counts, run_slices
from procura.compiled.templates import counts as c, game_tree as template
from procura.control import Control
from procura.errors import InputError
from procura.game import ArrayGame, Valued
from procura.search.game_tree import DEEPEST, Stopped, deepen, legal, player, whole_tree


def minimax(game: ArrayGame, control: Control, seed: int) -> Valued:
    """As ``search.game_tree.minimax``."""
    return whole_tree(game, control, CompiledTree(game, control, prune=False, room=0).value)


def alphabeta(game: ArrayGame, control: Control, seed: int, *, moves: str, table: int) -> Valued:
    """As ``search.game_tree.alphabeta``."""
    return deepen(game, control, CompiledTree(game, control, prune=True, room=table).value, moves == "all")


class BoundGame(BoundRows):
    """The buffers, constants and kernels with which templates are specialised to one game."""

    def __init__(self, game: ArrayGame, control: Control) -> None:
        super().__init__(game, control)
        self.game = game
        self.bindings["estimate_kernel"] = game.estimate_kernel or game.score_kernel

    def _kernels(self) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
        game, s, data, work = self.game, self.s, self.data, self.work
        of_state = {name: (getattr(game, name), (s, data, work)) for name in ("over", "turn", "score_kernel")}
        if game.estimate_kernel is not None:
            of_state["estimate_kernel"] = (game.estimate_kernel, (s, data, work))
        return {"moves": (game.moves, (s, data, work, self.out)), "play": (game.apply, (s, data, work, 0)), **of_state}

    def refusal(self, state: tuple[int, ...]) -> InputError:
        """The error for a state in which nobody can move, or whose moves are too many."""
        try:
            player(self.game, state)
            legal(self.game, state)
        except InputError as error:
            return error
        return InputError(f"{self.game.name}: a kernel gives other moves compiled than interpreted in {state}")


class CompiledTree:
    """The buffers of a search, and its table."""

    def __init__(self, game: ArrayGame, control: Control, prune: bool, room: int) -> None:
        self.control, self.bound = control, BoundGame(game, control)
        levels, bound = DEEPEST + 2, self.bound
        self.words = np.zeros(levels * bound.row_words, dtype=np.int64)
        self.rows = self.words.view(bound.dtype)
        self.levels = np.zeros(levels * template.LEVEL, dtype=np.int64)
        slots = 1 << max(2 * room - 1, 1).bit_length()
        arrays = (
            np.zeros(levels * game.max_moves, dtype=np.int64),
            np.zeros(slots * (bound.key_words + 2) if room else 1, dtype=np.int64),
            bound.new_row()[0],
            np.zeros(bound.words, dtype=np.int64),
            np.array([place for p in game.permutations for place in p] or [0], dtype=np.int64),
        )
        self.search, self.counts = np.zeros(template.SEARCH, dtype=np.int64), new_counts(control)
        self.search[template.PRUNE], self.search[template.ROOM] = prune, room
        self.search[template.MASK], self.search[template.SYMMETRIES] = slots - 1, len(game.permutations)
        self.counts.most_moves = game.max_moves
        self.arguments = (
            self.rows, self.words, self.levels, *arrays, self.search, bound.digest, self.counts.words, bound.data,
            bound.work,
        )  # fmt: skip
        self.kernel = bound.compile(template.run, *self.arguments)
        control.start()

    def value(self, state: Any, left: int, alpha: Any, beta: Any) -> tuple[Any, bool]:
        """As ``GameTree.value``."""
        stats, counts, search = self.control.stats, self.counts, self.search
        self.rows[: len(state)] = state
        self.levels[template.ALPHA] = max(alpha, -template.FAR)
        self.levels[template.BETA] = min(beta, template.FAR)
        search[template.PHASE], search[template.LEFT], counts.head = template.ENTER, left, 0
        counts.expanded, counts.generated = stats.expanded, stats.generated
        counts.max_frontier, counts.depth = stats.max_frontier, stats.depth
        if self.control.debug:
            self.bound.digest[0] = stats.digest or 0
        status = run_slices(
            self.control, counts, self.kernel, lambda: int(self.kernel(*self.arguments)), lambda _: False
        )
        if self.control.debug:
            stats.digest = int(self.bound.digest[0])
        if status in (c.INVALID, c.TOO_MANY):
            start = counts.head * self.bound.bindings["ROW_SIZE"]
            raise self.bound.refusal(tuple(int(v) for v in self.rows[start : start + len(state)]))
        if status != c.SOLVED:
            raise Stopped
        return int(search[template.VALUE]), bool(search[template.PROVED])
