"""How a puzzle is solved by reasoning, step by step, as a puzzle that has an ``explain`` method tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from procura.result import Outcome


@dataclass(frozen=True)
class ExplainedStep:
    """One step of reasoning.

    >>> from procura import Sudoku
    >>> step = Sudoku(".14.3......1.23.").explain().steps[0]
    >>> step.technique, step.actions
    ('hidden single', ([0, 0, 2],))
    """

    technique: str
    reason: str
    actions: tuple[Any, ...] = ()
    """The actions it makes, in their JSON form; none if it only rules something out."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else its puzzle tells of it, as JSON."""
    picture: Callable[[], str] | None = field(default=None, compare=False, repr=False)
    """Draws the position with the step marked, as SVG."""

    def record(self) -> dict[str, Any]:
        """The step as a plain dict."""
        return {
            "technique": self.technique, "reason": self.reason, "actions": list(self.actions), **self.details,
        }  # fmt: skip


@dataclass(frozen=True)
class Explanation:
    """The steps from a board to its solution, or as far as reasoning goes.

    A puzzle whose class has ``explain(self) -> Explanation`` is explained by ``procura explain``.

    >>> from procura import Sudoku
    >>> explanation = Sudoku(".14.3......1.23.").explain()
    >>> explanation.outcome.value, explanation.rating, len(explanation.steps)
    ('solved', 'easy', 10)
    """

    steps: tuple[ExplainedStep, ...]
    outcome: Outcome
    final: Any
    """The state at the end, as ``draw`` and ``to_text`` of the problem take it."""
    hardest: str | None = None
    """The hardest technique among the steps."""
    rating: str | None = None
    """How hard the board is, in a word of its puzzle."""
    note: str | None = None
    """A sentence about what stands in the way of an answer."""

    @property
    def techniques(self) -> dict[str, int]:
        """How often each technique was needed, in the order of their first use."""
        return dict(Counter(step.technique for step in self.steps))

    def record(self) -> dict[str, Any]:
        """The explanation as a plain dict."""
        return {
            "outcome": self.outcome.value,
            "rating": self.rating,
            "hardest": self.hardest,
            "techniques": self.techniques,
            "steps": [step.record() for step in self.steps],
            "note": self.note,
        }
