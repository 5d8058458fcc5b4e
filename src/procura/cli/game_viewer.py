"""A frame of a search through a game for two as lines of text: the window and the moves, or the visits and means."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from procura import words
from procura.cli.viewer import Viewer, row
from procura.game import FIRST
from procura.watch.game_frames import GameFrame, Move, Position
from procura.watch.player import Player

_TITLES = {
    "start": "before the search",
    "expand": "lists a position's moves",
    "leaf": "has the value of a move",
    "value": "is back with a value",
    "cut": "cuts off the other moves",
    "depth": "has searched this depth",
    "game": "plays a random game",
}
_BY = {
    "over": "the game is over", "estimate": "estimated at the depth limit", "table": "known from the table",
    "cut": "after a cut-off", "moves": "of all its moves", "games": "of random games",
}  # fmt: skip
_BOUNDS = {"exact": "", "most": "at most ", "least": "at least "}
_LEVELS = {"bound": "the next depth", "move": "the next move's value", "favourite": "another favourite move"}
PLAYERS = ("first player, maximises", "second player, minimises")


class GameViewer(Viewer):
    """How the frames of a search through a game are shown."""

    about = ("A step makes a move and lists what follows, or has a value;", "in mcts it is a random game.")

    def __init__(self, player: Player, ascii_only: bool = False) -> None:
        super().__init__(player, ascii_only)
        self.search = str(self.plan.configuration)
        self.levels = _LEVELS

    def _title(self, frame: GameFrame) -> str:
        return _TITLES.get(frame.kind) or f"looks {words.counted(frame.bound or 0, 'move')} ahead"

    def _earlier(self, frame: GameFrame) -> Any:
        position = frame.position
        if position is None:
            return None
        if frame.state != position.state:
            return position.state
        return None if position.parent is None else position.parent.state

    def _outcome(self, result: Any) -> tuple[str, str]:
        return "bold green" if result.proved else "bold yellow", words.verdict(result)

    def _end(self, columns: int) -> list[Text]:
        """How the search ended; before its first step, what stands in for what was asked."""
        notes = self.plan.notes if self.player.frame.kind == "start" else ()
        return [*(Text(note, "yellow") for note in notes), *super()._end(columns)]

    def _node(self, frame: GameFrame) -> list[Text]:
        position = frame.position
        if position is None:
            return []
        depth = len(position.line()) - 1
        rows = [Text(f"node {position.number:,}  ", "bold").append(f"depth {depth:,}", "bold cyan")]
        if depth:
            rows.append(Text("reached by ", "dim").append(self.action(position.action), "not dim"))
        if frame.kind == "game":
            return [*rows, row("game ended", signed(frame.value))]
        rows.append(Text(PLAYERS[position.player], "cyan"))
        if position.alpha is not None:
            rows.append(row("window", f"alpha {signed(position.alpha)}, beta {signed(position.beta)}"))
        if position.value is not None:
            rows.append(row("best so far", signed(position.value)))
        if frame.move is not None and frame.move.by is not None:
            rows.append(
                Text(f"{self.action(frame.move.action)}: {_value(frame.move)}, {_BY[frame.move.by]}", "bold green")
            )
        return rows

    def _counts(self, frame: GameFrame) -> list[Text]:
        games = self.player.order.level == "favourite"
        rows = [row("games" if games else "expanded", f"{frame.expanded:,}"), row("generated", f"{frame.generated:,}")]
        if not games:
            rows.append(row("cut-offs", f"{frame.cuts:,}"))
        if frame.bound is not None:
            rows.append(row("depth", f"{frame.bound:,}"))
        if frame.value is not None and not games:
            rows.append(row("root", f"{signed(frame.value)} at the last depth"))
        return rows

    def _successors(self, frame: GameFrame, most: int) -> list[Text]:
        """The moves of the position; in mcts those of the root, the most visited first."""
        listed = frame.root or frame.position
        if listed is None or most < 1:
            return []
        moves = list(listed.moves)
        if frame.root is not None:
            moves.sort(key=lambda move: -(move.visits or 0))
        shown = _around(moves, most, frame.move)
        width = max((len(self.action(move.action)) for move in shown), default=0)
        title = "moves, what they are worth to the first player" if frame.root is None else "moves of the root"
        rows = [Text(""), Text(title, "dim"), *(self._move(move, max(width, 4)) for move in shown)]
        if len(shown) < len(moves):
            rows[1].append(f" ({len(shown)} of {len(moves)})")
        return rows

    def _move(self, move: Move, width: int) -> Text:
        text = Text(f"  {self.action(move.action):<{width}} ")
        if move.visits is not None:
            return text.append(f"{words.counted(move.visits, 'visit'):>12}, mean {signed(move.value)}")
        if move.fate == "valued":
            return text.append(_value(move)).append("" if move.proved else "  estimated", "dim")
        told = {"now": ("looked at", "bold"), "cut": ("cut off", "yellow")}.get(move.fate, ("", ""))
        return text.append(*told)

    def _frontier(self, columns: int, most: int) -> list[Text]:
        """The line of play, the end first."""
        position = self.player.frame.position
        line = [] if position is None else position.line()[:0:-1]
        if not line or most < 1:
            return []
        return [Text(""), Text("  line of play, the end first", "dim"), *map(self._on_line, line[:most])]

    def _on_line(self, position: Position) -> Text:
        text = Text(f"  {self.action(position.action):<6} ")
        if position.visits is not None:
            return text.append(f"{words.counted(position.visits, 'visit')}, mean {signed(position.value)}")
        text.append("max" if position.player == FIRST else "min")
        if position.alpha is not None:
            text.append(f"  window {signed(position.alpha)} to {signed(position.beta)}")
        return text


def signed(value: Any) -> str:
    """A value with its sign."""
    if value is None or abs(value) == float("inf"):
        return "none" if value is None else "-inf" if value < 0 else "+inf"
    return f"{value:+.4g}" if value else "0"


def _value(move: Move) -> str:
    return _BOUNDS[move.bound] + signed(move.value)


def _around(moves: list[Move], most: int, valued: Move | None) -> list[Move]:
    """So many of the moves, among them the one at hand: whose value has come, else below which the search is."""
    at = next((i for i, move in enumerate(moves) if move == valued or (valued is None and move.fate == "now")), 0)
    begin = max(0, min(at - most // 2, len(moves) - most))
    return moves[begin : begin + most]
