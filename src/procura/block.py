"""Block: the answers to many boards at once, in columns, as an algorithm hands them to a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from procura.control import Found
from procura.result import Outcome, Stats

if TYPE_CHECKING:
    from procura.problem import Problem

COUNTED = frozenset(field.name for field in fields(Stats))
"""What ``Stats`` holds of a run, apart from what follows from that."""


@dataclass(eq=False)
class Block:
    """What ``Algorithm.many`` returns, each solution replayed by the puzzle's rules; of ``many_rows`` not yet.

    >>> block = Block(
    ...     answered=[True, True], solved=[True, False], columns={"cost": lambda: [3, 0]},
    ...     path=lambda at, problem: ["on"] * 3, final=lambda at: 3, lines=lambda: ["3", ""],
    ... )
    >>> block.column("cost"), block.column("outcome")[1].value
    ([3, None], 'no_solution')
    """

    answered: list[bool]
    """For each board whether it was solved or proved to have no solution; one that was not is solved by itself."""
    solved: list[bool]
    """For each board whether it has a solution."""
    columns: Mapping[str, Callable[[], Sequence[Any]]]
    """How to make the columns that there are: ``cost``, ``expanded``, ``generated``; ``length`` where that is not the
    cost, ``bound`` if there is one, ``solutions`` if counted, other fields of ``Stats``."""
    path: Callable[[int, Problem], list[Any]]
    """The solution of a board, in its problem's own actions."""
    final: Callable[[int], Any]
    """The last state of the solution of a board; of ``many_rows`` not known before it is replayed."""
    lines: Callable[[], Sequence[str]] | None = None
    """The same of every board, as ``to_line`` writes it; of a board without a solution, anything. None: they are made
    one by one."""
    bound: Callable[[int], Any] | None = None
    """The bound that the search of a board got to, if it is no column: what it proves is for its result to say."""
    others: Callable[[int, Problem], list[list[Any]]] = lambda at, problem: []
    """Further solutions of a board, if several were asked for, as ``Found.others`` has them."""
    stats: Stats = field(default_factory=Stats)
    """Of all boards together; each has had its share of the seconds."""
    start: int = 0
    """The number of its first board in the batch."""

    def __len__(self) -> int:
        return len(self.answered)

    def knows(self, name: str) -> bool:
        """Whether ``column`` has this field; what it does not have is in each board's ``Result``."""
        return name in ("outcome", "cost", "length", "stopped_by") or name in self.columns or name in COUNTED

    def column(self, name: str) -> Sequence[Any]:
        """The values of a field of ``Result`` or of ``Stats``."""
        if name == "outcome":
            return [Outcome.SOLVED if solved else Outcome.NO_SOLUTION for solved in self.solved]
        if name in ("cost", "length"):
            values = self.columns[name]() if name in self.columns else self._costs
            return [value if solved else None for value, solved in zip(values, self.solved, strict=True)]
        if name in self.columns:
            return self.columns[name]()
        if name == "seconds":
            return [self.stats.seconds / len(self)] * len(self)
        return [getattr(self.stats, name, None)] * len(self)

    @property
    def _costs(self) -> Sequence[Any]:
        return self.columns["cost"]()

    def found(self, at: int, problem: Problem) -> Found:
        """The answer to a board, as the search itself would have handed it back."""
        counted = self.columns["solutions"]()[at] if "solutions" in self.columns else None
        if not self.solved[at]:
            return Found(exhausted=True, solutions=counted)
        others = self.others(at, problem) if counted is not None and counted > 1 else []
        if "bound" in self.columns:
            bound = self.columns["bound"]()[at]
        else:
            bound = None if self.bound is None else self.bound(at)
        return Found(
            path=self.path(at, problem), cost=self._costs[at], bound=bound, solutions=counted, others=others
        )  # fmt: skip

    def stats_of(self, at: int) -> Stats:
        """What was done for a board."""
        counted = [name for name in self.columns if name in COUNTED]
        names = ("seconds", "compile_seconds", "peak_memory", "started", "ended")
        return Stats(**{name: self.column(name)[at] for name in (*counted, *names)})
