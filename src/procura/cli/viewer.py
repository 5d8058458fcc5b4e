"""A frame of a search as lines of text: the board beside the node, the counts, the successors and the frontier."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.text import Text

from procura import words
from procura.cli.harmless import harmless
from procura.cli.render import cells, picture
from procura.problem import DEAD
from procura.watch.frames import Frame, Successor
from procura.watch.frontier import Entry
from procura.watch.player import Player
from procura.watch.steps import action_text

KEYS = "n next  b back  j jump  r run  g goal  q quit  ? help"
NARROWEST = 28
"""The columns that the text beside a board needs; with fewer it stands below."""
_TITLES = {
    "start": "before the search",
    "expand": "expands a node",
    "back": "is back at a node",
    "skip": "takes a node and leaves it",
    "goal": "finds a goal",
    "round": "begins a round",
    "improve": "has a better candidate",
}
_WHY = {"depth": "at the depth limit", "known": "entered before"}
_FATES = {
    "kept": "", "known": "known", "cheaper": "cheaper path", "bound": "above bound", "dead": "no way on",
    "cut": "above the cut", "cost": "cannot be better",
}  # fmt: skip
_LEVELS = {
    "bound": "the next bound", "depth": "the next depth", "f": "a greater f", "h": "a lower h",
    "turns": "where it turns back", "energy": "a better candidate",
}  # fmt: skip


def _harmless(line: Text) -> Text:
    """The line; one with characters that could steer the terminal shows them, and loses its colours."""
    plain = harmless(line.plain)
    return line if plain == line.plain else Text(plain)


class Viewer:
    """How the frames of one search are shown."""

    about: tuple[str, ...] = ("A step takes one node and makes its successors; in local", "search it is a round.")

    def __init__(self, player: Player, ascii_only: bool = False) -> None:
        self.player, self.ascii_only = player, ascii_only
        plan: Any = player.recording.plan
        self.plan, self.problem = plan, plan.problem
        self.view = plan.problem.local() if plan.info.local else None
        used = f" with {plan.h.text}" if plan.info.uses_heuristic else ""
        self.search = plan.info.name + used
        self.levels = _LEVELS

    def lines(self, columns: int, rows: int | None = None, message: str = "") -> list[Text]:
        """The frame at hand in so many columns and, if it must fit, rows."""
        frame = self.player.frame
        head = self._head(frame, columns)
        foot = [Text(""), *self._end(columns), *([Text(message, "yellow")] if message else [])]
        space = None if rows is None else max(rows - len(head) - len(foot), 1)
        body = self._body(frame, columns, space)
        lines = [_harmless(line) for line in [*head, *(body if space is None else body[:space]), *foot]]
        for line in lines:
            line.truncate(columns)
        return lines

    def _body(self, frame: Frame, columns: int, space: int | None) -> list[Text]:
        board = self._board(frame)
        width = max((line.cell_len for line in board), default=0)
        if width + 3 + NARROWEST > columns:
            left = None if space is None else space - len(board) - 1
            if left is not None and left < len(self._node(frame)) + len(self._counts(frame)):
                return [*self._node(frame)[:1], *self._counts(frame)[:2], *board]
            return [*board, Text(""), *self._text(frame, columns, left)]
        beside = self._text(frame, columns - width - 3, space)
        blank = Text(" " * width)
        rows = []
        for row in range(max(len(board), len(beside))):
            line = board[row].copy() if row < len(board) else blank.copy()
            line.pad_right(width + 3 - line.cell_len)
            if row < len(beside):
                line.append_text(beside[row])
            rows.append(line)
        return rows

    def _head(self, frame: Frame, columns: int) -> list[Text]:
        """Which step it is, what it does, and the search: on the same line if there is room."""
        known = "" if self.player.ended else "+"
        text = Text(f"step {frame.number:,} of {self.player.known:,}{known}  ", "dim")
        text.append(self._title(frame), "bold green" if frame.solved else "bold")
        room = columns - text.cell_len - len(self.search)
        if room < 2:
            return [text, Text(self.search, "dim")]
        return [text.append(" " * room).append(self.search, "dim"), Text("")]

    def _title(self, frame: Any) -> str:
        return _TITLES.get(frame.kind) or f"begins with {self.plan.info.bound} {words.number(frame.bound)}"

    def _board(self, frame: Frame) -> list[Text]:
        """The board, with what the last action changed in colour."""
        problem = self.problem if self.view is None or frame.kind == "start" else self.view
        drawn = picture(problem, frame.state, self.ascii_only).splitlines()
        earlier = self._earlier(frame)
        before = [] if earlier is None else picture(problem, earlier, self.ascii_only).splitlines()
        lines = []
        for row, line in enumerate(drawn):
            old = before[row] if row < len(before) else line
            text = Text()
            for new, was in cells(line, old):
                text.append(new, "bold green" if was and was != new else "")
            lines.append(text)
        return lines

    def _earlier(self, frame: Any) -> Any:
        """The state before the last action; None if there is none."""
        parent = None if frame.entry is None else frame.entry.parent
        return None if parent is None else parent.state

    def _text(self, frame: Any, columns: int, space: int | None) -> list[Text]:
        """All that is told beside the board, as far as there is space."""
        rows = [*self._node(frame), *self._counts(frame)]
        left = 30 if space is None else space - len(rows)
        made = self._successors(frame, min(left - 4, 8) if space is not None else left)
        left -= len(made)
        return rows + made + self._frontier(columns, min(left - 2, 10))

    def _node(self, frame: Any) -> list[Text]:
        entry = frame.entry
        if self.view is not None:
            return self._energy(frame)
        if entry is None:
            return []
        values = [("f", entry.f), ("g", entry.g), ("h", _h(self.plan.info.uses_heuristic, entry.h))]
        told = "  ".join(f"{name} {words.number(value)}" for name, value in values if value is not None)
        rows = [Text(f"node {entry.number:,}  ", "bold").append(f"{told}  depth {entry.depth:,}", "bold cyan")]
        if entry.action is not None:
            rows.append(Text("reached by ", "dim").append(self.action(entry.action), "not dim"))
        if frame.why is not None:
            rows.append(Text(f"not expanded: {_WHY[frame.why]}", "yellow"))
        return rows

    def _energy(self, frame: Frame) -> list[Text]:
        """Local search: the energy, and the figures of the round."""
        rows = []
        if frame.energy is not None:
            label = self.plan.info.energy if frame.kind == "round" else "energy"
            rows.append(Text(f"{label} {words.number(frame.energy)}", "bold cyan"))
        figures = {**(frame.figures or {}), "least so far": frame.best}
        return rows + [row(label, words.number(value)) for label, value in figures.items() if value is not None]

    def _counts(self, frame: Any) -> list[Text]:
        local = self.view is not None
        rows = [
            ("accepted" if local else "expanded", f"{frame.expanded:,}"),
            ("tried" if local else "generated", f"{frame.generated:,}"),
        ]
        if not local:
            label = "path" if self.player.order.path_only else "frontier"
            rows += [
                (label, f"{frame.waiting:,}, at most {frame.largest:,}"),
                ("duplicates", f"{frame.duplicates:,}"),
                ("dropped", f"{frame.dropped:,}"),
            ]
        if frame.bound is not None:
            rows.append((self.plan.info.bound, str(words.number(frame.bound))))
        return [row(label, value) for label, value in rows]

    def _successors(self, frame: Any, most: int) -> list[Text]:
        if not frame.successors or most < 1:
            return []
        shown = frame.successors[:most]
        width = max(4, *(len(self.action(made.action)) for made in shown))
        rows = [Text(""), Text("successors", "dim"), *(self._successor(made, width) for made in shown)]
        if len(shown) < len(frame.successors):
            rows[1].append(f" (the first {len(shown)} of {len(frame.successors)})")
        return rows

    def _successor(self, made: Successor, width: int) -> Text:
        text = Text(f"  {self.action(made.action):<{width}} ")
        h = _h(self.plan.info.uses_heuristic, made.h)
        values = [("f", made.f), ("g", made.g), ("h", h)]
        text.append("  ".join(f"{name} {words.number(value)}" for name, value in values if value is not None))
        return text.append(f"  {_FATES.get(made.fate, made.fate)}".rstrip(), "dim")

    def _frontier(self, columns: int, most: int) -> list[Text]:
        """The nodes that come next."""
        entries = [] if self.view is not None or most < 1 else self.player.first(most)
        if not entries:
            return []
        columns_of = {"f": [entry.f for entry in entries], "g": [entry.g for entry in entries]}
        if self.plan.info.uses_heuristic:
            columns_of["h"] = [entry.h for entry in entries]
        shown = [(name, [words.number(value) or "" for value in values]) for name, values in columns_of.items()]
        shown = [(name, told) for name, told in shown if any(told)]
        widths = [max(len(name), *map(len, told)) for name, told in shown]
        path_only = self.player.order.path_only
        heading = "".join(f"{name:>{width}}  " for (name, _), width in zip(shown, widths, strict=True))
        heading += "path, the end first" if path_only else "next in the frontier"
        rows = [Text(""), Text(f"  {heading}", "dim")]
        for i, entry in enumerate(entries):
            figures = "".join(f"{told[i]:>{width}}  " for (_, told), width in zip(shown, widths, strict=True))
            tail = self._last_action(entry) if path_only else self._path(entry, columns - len(figures) - 2)
            rows.append(Text("  " + figures).append(tail, "" if i else "bold"))
        return rows

    def _end(self, columns: int) -> list[Text]:
        """How the search ended, if this is where it did; or that there is no way back."""
        result = self.player.result
        if result is not None:
            style, sentence = self._outcome(result)
            return [Text(line, style) for line in textwrap.wrap(f"the search has ended: {sentence}", columns)]
        if self.player.forgotten and self.player.frame.number == self.player.forgotten:
            return [Text("the steps before this one are no longer kept", "yellow")]
        return []

    def _outcome(self, result: Any) -> tuple[str, str]:
        """A style, and how the search ended."""
        return "bold green" if result.solved else "bold yellow", words.outcome(result)

    def _last_action(self, entry: Entry) -> str:
        return "the root" if entry.action is None else self.action(entry.action)

    def _path(self, entry: Entry, columns: int) -> str:
        """The actions that lead to a node; the last ones, if not all fit."""
        told = [self.action(action) for action in entry.path()]
        if not told:
            return "the root"
        letters = all(len(action) == 1 and action.isalpha() for action in told)
        text = ("" if letters else " ").join(told)
        return text if len(text) <= columns else ".." + text[len(text) - max(columns - 2, 1) :]

    def action(self, action: Any) -> str:
        """An action as people write it."""
        return action_text(self.problem, action)

    def help(self) -> list[str]:
        """What the keys do."""
        return [
            f"{self.search}, step by step",
            "",
            "space, right, n, Enter   the next step",
            "left, b                  the step before",
            "j, or digits             jump to a step by its number",
            f"r                        run to {self.levels[self.player.order.level]}",
            "g                        run to the goal, or to the end",
            "q, Esc                   quit",
            "",
            *self.about,
            "Any key stops a run.",
        ]


def row(label: str, value: str | None) -> Text:
    """A figure with what it is."""
    return Text(f"{label:<13}", "dim").append(str(value), "not dim")


def _h(used: bool, h: Any) -> Any:
    """h as it is told: not by searches that use none, and a proof of a dead end is no number."""
    if not used or h is None:
        return None
    return h if h < DEAD else float("inf")
