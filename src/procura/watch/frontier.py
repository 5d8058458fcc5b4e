"""The nodes that wait, as events report them; every change can be taken back and made again."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A node, and the node it was reached from."""

    number: int
    state: Any
    parent: Entry | None = None
    action: Any = None
    g: Any = 0
    h: Any = None
    f: Any = None
    depth: int = 0
    place: Any = 0
    """Among those that wait; the least is taken next."""

    def path(self) -> list[Any]:
        """The actions from the root to here."""
        return [entry.action for entry in self.line()[1:]]

    def line(self) -> list[Entry]:
        """The nodes from the root to here."""
        found: list[Entry] = []
        entry: Entry | None = self
        while entry is not None:
            found.append(entry)
            entry = entry.parent
        return found[::-1]


@dataclass(slots=True)
class Changes:
    """What one step did to the frontier."""

    exchanged: tuple[dict[int, Entry], dict[int, Entry]] | None = None
    """All that waited before and after a new start."""
    entries: list[tuple[int, Entry | None, Entry | None]] = field(default_factory=list)
    """After that, in order: a number, and who had it before and after."""


class Frontier:
    """Entries by number. ``begin`` starts the list of changes that ``undo`` and ``redo`` take."""

    def __init__(self) -> None:
        self._waiting: dict[int, Entry] = {}
        self._places: list[tuple[Any, int]] = []
        """Place and number of all that wait, in order."""
        self._changes = Changes()

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self) -> Changes:
        """The changes from now on."""
        self._changes = Changes()
        return self._changes

    def restart(self, *entries: Entry) -> None:
        """Let only these wait; the first change of a step."""
        self._changes.exchanged = self._waiting, {entry.number: entry for entry in entries}
        self._exchange(self._changes.exchanged[1])

    def put(self, entry: Entry) -> None:
        """Let an entry wait, in place of one of the same number."""
        self._change(entry.number, entry)

    def take(self, number: int | None) -> Entry | None:
        """Take an entry out; None if there is none of that number."""
        if number is None or number not in self._waiting:
            return None
        entry = self._waiting[number]
        self._change(number, None)
        return entry

    def first(self, most: int) -> list[Entry]:
        """The entries that are taken next, in order."""
        return [self._waiting[number] for _, number in self._places[: max(most, 0)]]

    def entries(self) -> list[Entry]:
        """All entries, in no order."""
        return list(self._waiting.values())

    def _change(self, number: int, after: Entry | None) -> None:
        self._changes.entries.append((number, self._waiting.get(number), after))
        self._set(number, after)

    def _set(self, number: int, entry: Entry | None) -> None:
        before = self._waiting.pop(number, None)
        if before is not None:
            del self._places[bisect_left(self._places, (before.place, number))]
        if entry is not None:
            self._waiting[number] = entry
            insort(self._places, (entry.place, number))

    def _exchange(self, waiting: dict[int, Entry]) -> None:
        self._waiting = waiting
        self._places = sorted((entry.place, number) for number, entry in waiting.items())

    def undo(self, changes: Changes) -> None:
        """Take a step's changes back; they must be the last."""
        for number, before, _ in reversed(changes.entries):
            self._set(number, before)
        if changes.exchanged is not None:
            self._exchange(changes.exchanged[0])

    def redo(self, changes: Changes) -> None:
        """Make changes again that were taken back."""
        if changes.exchanged is not None:
            self._exchange(changes.exchanged[1])
        for number, _, after in changes.entries:
            self._set(number, after)
