"""When a candidate is hopeless: by an exact argument, so that what would be best is never stopped.

Scores count as the greater the better. A candidate that has seen some instances can reach at most what it has plus the
ceilings of the rest, a ceiling being a proved limit of what any weights can score there. If that lies below a bar that
is never above the best so far, the candidate cannot become the best, and knowing how bad it is changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

MARGIN = 1e-9
"""Of the bar, for the rounding of sums."""


def rests(ceilings: Sequence[float]) -> list[float]:
    """What can still come after each number of instances.

    >>> rests([3, 2, 1])
    [6, 3, 1, 0]
    """
    sums: list[float] = [0]
    for ceiling in reversed(ceilings):
        sums.append(sums[-1] + ceiling)
    return sums[::-1]


def is_hopeless(seen: float, rest: float, bar: float) -> bool:
    """Whether a sum of scores so far cannot reach the bar, another sum, with all that can still come."""
    return seen + rest < bar - MARGIN * max(1.0, abs(bar))
