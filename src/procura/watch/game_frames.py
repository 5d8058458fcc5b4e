"""What there is to see of a search through a game for two, step by step: windows and cut-offs, visits and means.

Values, alpha and beta are what the first player ends up ahead by: the first player maximises, the second minimises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from procura import catalog
from procura.analysing import GamePlan
from procura.control import Event
from procura.errors import InputError
from procura.game import FIRST
from procura.watch.frontier import Changes, Entry, Frontier


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move of a position, and what is known of it."""

    action: Any
    fate: str = "open"
    """``open`` (not looked at yet), ``now`` (the search is below it), ``valued`` or ``cut`` (need not be looked at)."""
    value: Any = None
    """Of the position that it leads to; in mcts the mean of the games that began with it."""
    bound: str = "exact"
    """Whether the value is ``exact`` or, where that is all that must be known, the ``most`` or the ``least``."""
    proved: bool = False
    by: str | None = None
    """Where the value comes from: ``over`` (the end of the game), ``estimate`` (the depth limit), ``table`` (the
    position was met before), ``cut`` (one of its moves was enough), ``moves`` (all of them) or ``games`` (random)."""
    number: int | None = None
    """Of the node that it leads to, once there is one."""
    visits: int | None = None
    """mcts: the games that began with it."""


@dataclass(frozen=True, slots=True)
class Position:
    """A node of the line of play at hand."""

    number: int
    state: Any
    player: int
    """Who is to move: 0 the first player, who maximises, 1 the second."""
    parent: Position | None = None
    action: Any = None
    """The move that led here."""
    alpha: Any = None
    beta: Any = None
    """The window: what lies outside it cannot matter; None in searches without."""
    value: Any = None
    """The best so far."""
    moves: tuple[Move, ...] = ()
    """In the order of ``actions``."""
    visits: int | None = None
    """mcts: the games that went through it."""

    def line(self) -> list[Position]:
        """The positions from the root to here."""
        found: list[Position] = []
        position: Position | None = self
        while position is not None:
            found.append(position)
            position = position.parent
        return found[::-1]


@dataclass(frozen=True, slots=True)
class GameFrame:
    """What there is to see after a step."""

    number: int
    kind: str
    """``start``, ``bound`` (a search of another depth begins), ``expand`` (a position's moves are listed), ``leaf``
    (the move at hand has its value at once), ``value`` (back at a position: the move at hand has its value), ``cut``
    (and the other moves need not be looked at), ``depth`` (the search of this depth is done), or ``game`` (mcts: a
    random one)."""
    state: Any
    """The board: of the position at hand; of a leaf, the leaf's."""
    position: Position | None = None
    """The position at hand, with its moves; in mcts the last one of the tree that the game went through."""
    root: Position | None = None
    """The initial state with what is known of its moves; mcts only, else the first of the position's line."""
    move: Move | None = None
    """The move whose value has come."""
    expanded: int = 0
    generated: int = 0
    cuts: int = 0
    """Positions some of whose moves need not be looked at."""
    bound: int | None = None
    """How many moves the search looks ahead."""
    value: Any = None
    """Of the initial state, after a search of the last depth; mcts: how the game at hand ended."""
    level: Any = None
    """It changes where an iteration begins."""
    solved = False


class GameGrouping:
    """Which events make one step: a move is made together with what it leads to, a value with the cut it causes."""

    def __init__(self) -> None:
        self._last: str | None = None

    def opens(self, event: Event) -> bool:
        """Whether an event begins a step; called once with each."""
        last, self._last = self._last, event.kind
        return event.kind != "drop" and not (last == "generate" and event.kind in ("expand", "value"))


class GameFrames:
    """The frame at hand, which goes from step to step."""

    def __init__(self, plan: GamePlan) -> None:
        info = plan.info
        if info.order is None:
            known = ", ".join(name for name, other in catalog.GAME_ALGORITHMS.items() if other.order is not None)
            raise InputError(f"{info.name} does not report its steps: expected one of {known}")
        self.game, self.order = plan.problem, info.order(plan.configuration.all_options)
        self.frontier = Frontier()
        self.frame = GameFrame(0, "start", self.game.initial)

    def grouping(self) -> GameGrouping:
        """What parts events into steps."""
        return GameGrouping()

    def first(self, frame: GameFrame, most: int) -> list[Entry]:
        """Nothing waits."""
        return []

    def step(self, events: Sequence[Event]) -> tuple[GameFrame, Changes]:
        """Make the step of these events; the frame after it. There is no frontier to change."""
        last = events[-1]
        frame = replace(self.frame, number=self.frame.number + 1, move=None)
        frame = replace(frame, expanded=last.expanded, generated=last.generated)
        for event in events:
            frame = self._after(frame, event)
        self.frame = replace(frame, level=self._level(frame))
        return self.frame, Changes()

    def _after(self, frame: GameFrame, event: Event) -> GameFrame:
        if event.kind == "bound":
            return replace(frame, kind="bound", bound=event.value, state=self.game.initial, position=None)
        if event.kind == "improve":
            return replace(frame, kind="depth", value=event.value, state=self.game.initial)
        if event.kind == "generate":
            return self._made(frame, event)
        if event.kind == "value":
            return self._valued(frame, event)
        if event.kind == "drop":
            return self._cut(frame)
        if event.figures is not None and "line" in event.figures:
            return self._random_game(frame, event)
        return self._expanded(frame, event)

    # Minimax and alpha-beta

    def _expanded(self, frame: GameFrame, event: Event) -> GameFrame:
        window = event.figures or {}
        parent = frame.position if event.node else None
        made = None if parent is None else next(move for move in parent.moves if move.fate == "now")
        position = self._position(event.node or 0, event.state, parent, made and made.action)
        position = replace(position, alpha=window.get("alpha"), beta=window.get("beta"))
        return replace(frame, kind="expand", state=event.state, position=position)

    def _position(self, number: int, state: Any, parent: Position | None = None, action: Any = None) -> Position:
        moves = tuple(Move(action) for action in self.game.actions(state))
        return Position(number, state, self.game.to_move(state), parent, action, moves=moves)

    def _made(self, frame: GameFrame, event: Event) -> GameFrame:
        """A move is made; what it leads to is told by the next event."""
        assert frame.position is not None
        i = next(i for i, move in enumerate(frame.position.moves) if move.action == event.action)
        move = replace(frame.position.moves[i], fate="now", number=event.node)
        return replace(frame, kind="expand", state=event.state, position=_changed(frame.position, i, move))

    def _valued(self, frame: GameFrame, event: Event) -> GameFrame:
        """The value of the move at hand is known; that of a position that was expanded leads back to its parent."""
        position, figures = frame.position, event.figures or {}
        assert position is not None
        leaf = position.number != event.node
        if not leaf:
            assert position.parent is not None
            position = position.parent
        i = next(i for i, move in enumerate(position.moves) if move.fate == "now")
        move = replace(
            position.moves[i], fate="valued", value=event.value, proved=figures["proved"], by=figures["by"],
            bound=self._bound(position, event.value, figures["by"]),
        )  # fmt: skip
        position = _improved(_changed(position, i, move), event.value)
        state = frame.state if leaf else position.state
        return replace(frame, kind="leaf" if leaf else "value", state=state, position=position, move=move)

    def _bound(self, position: Position, value: Any, by: str) -> str:
        """What a value says that was looked for in the window of the position above."""
        most = self.game.most
        if position.alpha is None or by in ("over", "estimate") or (most is not None and abs(value) >= most):
            return "exact"
        return "most" if value <= position.alpha else "least" if value >= position.beta else "exact"

    def _cut(self, frame: GameFrame) -> GameFrame:
        position = frame.position
        assert position is not None
        moves = tuple(replace(move, fate="cut") if move.fate == "open" else move for move in position.moves)
        return replace(frame, kind="cut", position=replace(position, moves=moves), cuts=frame.cuts + 1)

    # Random games

    def _random_game(self, frame: GameFrame, event: Event) -> GameFrame:
        """A random game; the position at hand is the last of the tree that it went through."""
        assert event.figures is not None
        root = frame.root or self._position(0, self.game.initial)
        position: Position | None = None
        state = self.game.initial
        for depth, step in enumerate(event.figures["line"]):
            if depth == 0:
                i = next(i for i, move in enumerate(root.moves) if move.action == step["action"])
                seen = {"number": step["node"], "value": step["mean"], "visits": step["visits"]}
                root = _changed(root, i, replace(root.moves[i], fate="valued", by="games", **seen))
                root = position = replace(root, value=self._best_mean(root), visits=(root.visits or 0) + 1)
            state = self.game.result(state, step["action"])
            player = position.player if position is not None and self.game.is_over(state) else self.game.to_move(state)
            position = Position(
                step["node"], state, player, position, step["action"], value=step["mean"], visits=step["visits"]
            )
        return replace(
            frame, kind="game", state=state, position=position, root=root, value=event.figures["end"]
        )  # fmt: skip

    def _best_mean(self, root: Position) -> Any:
        means = [move.value for move in root.moves if move.visits]
        return max(means) if root.player == FIRST else min(means)

    def _level(self, frame: GameFrame) -> Any:
        """What is compared to see whether an iteration has begun."""
        if self.order.level == "bound":
            return frame.bound
        if self.order.level == "favourite":
            moves = () if frame.root is None else frame.root.moves
            return max(range(len(moves)), key=lambda i: moves[i].visits or 0, default=None)
        root = None if frame.position is None else frame.position.line()[0]
        return 0 if root is None else sum(move.fate == "valued" for move in root.moves)


def _changed(position: Position, i: int, move: Move) -> Position:
    return replace(position, moves=(*position.moves[:i], move, *position.moves[i + 1 :]))


def _improved(position: Position, value: Any) -> Position:
    """The position once one of its moves is worth so much: if that is the best so far, the window gets narrower."""
    first = position.player == FIRST
    if position.value is not None and not (value > position.value if first else value < position.value):
        return position
    position = replace(position, value=value)
    if position.alpha is None:
        return position
    if first:
        return replace(position, alpha=max(position.alpha, value))
    return replace(position, beta=min(position.beta, value))
