"""What a search knows of the rest of a game: the moves from here to a solution, and whether any is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from procura.problem import Problem
from procura.result import Limits, Outcome, Result
from procura.solving import solve

Cancel = Callable[[], bool]

MEMORY = 1_500_000_000


@dataclass(frozen=True)
class Rest:
    """What is known of the way from a state to a solution."""

    outcome: Outcome
    moves: tuple[Any, ...] = ()
    """A solution in the JSON form of its actions, if one was found."""
    optimal: bool | None = None
    """Whether it is proved that none is better; None where the word means nothing."""
    cancelled: bool = False

    @property
    def found(self) -> bool:
        """Whether there are moves to follow, or none are needed."""
        return self.outcome is Outcome.SOLVED

    @property
    def settled(self) -> bool:
        """Whether more time would change nothing."""
        return self.outcome is Outcome.NO_SOLUTION or (self.found and self.optimal is not False)


def find_rest(problem: Problem, others: Sequence[str] = (), seconds: float = 4.0, cancel: Cancel | None = None) -> Rest:
    """Look for the best solution by the puzzle's ``auto``, then for any by the ``others``; ``seconds`` for each.

    ``cancel`` ends it without an answer. Ctrl-C raises ``KeyboardInterrupt``, though ``solve`` only notes it.
    """
    rest = Rest(Outcome.NOT_FOUND)
    limits = Limits(seconds=seconds, memory=MEMORY)
    for configuration in ("auto", *others):
        result = solve(problem, configuration, limits=limits, cancel=cancel)
        if result.stopped_by == "cancelled" and not result.solved:
            if cancel is None or not cancel():
                raise KeyboardInterrupt
            return Rest(Outcome.NOT_FOUND, cancelled=True)
        rest = _rest(result)
        if rest.outcome is not Outcome.NOT_FOUND:
            return rest
    return rest


def _rest(result: Result) -> Rest:
    return Rest(result.outcome, tuple(map(plain, result.actions or ())), result.optimal)


def plain(value: Any) -> Any:
    """The value as JSON gives it back: lists, not tuples."""
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
