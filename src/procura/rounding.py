"""What a bound on f proves: whole costs are compared exactly, real ones with an error that is computed, not guessed.

A search adds up costs in float64 unless they are whole numbers. One operation is off by ``ROUNDOFF`` of its result at
most. A cheapest path leads through states that the search has expanded, so it has no more steps than those are, and
the cost that the search gave its last one lies no further above the true one than all these errors together. If the
search never reopens a state, it can have closed one too early by the error of an f, at each step of the path.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procura.heuristics import BoundHeuristic
    from procura.problem import Problem

ROUNDOFF = 2.0**-53
NOISE = 1e-6
"""What the arithmetic of a declared heuristic may add to its value without harm, where costs are whole."""


def proved(
    problem: Problem,
    h: BoundHeuristic | None,
    bound: Any,
    cost: Any = None,
    *,
    weight: float = 1,
    steps: int = 0,
    largest: float = 0.0,
    reopened: bool = True,
) -> tuple[bool | None, Any]:
    """(whether ``cost`` is the least, the least that any solution can cost) by a search that got to ``bound``.

    ``bound`` is on f = g + weight h, or on g alone if h is None. No path in question has more than ``steps`` steps;
    ``largest`` is the greatest magnitude of g, for costs that can be negative; ``reopened``: the search took a cheaper
    way to any state that it found. A bound above ``cost`` shows that the heuristic is not what it says, and then
    nothing is proved.
    """
    nothing = (None if cost is None else False), None
    if bound is None or bound in (math.inf, -math.inf):
        return nothing
    if problem.integer_costs and weight == 1 and (h is None or h.integer):
        return _compared(math.ceil(bound), cost)
    if weight > 1:
        bound = Fraction(bound) / Fraction(weight)
    added = 4 * ROUNDOFF * abs(float(bound))
    if not problem.integer_costs:
        added += 2 * steps * ROUNDOFF * (largest if problem.costs == "any" else abs(float(bound)))
    error = 0.0 if h is None else h.error if reopened else 2 * steps * h.error
    if not math.isfinite(added + error):
        return nothing
    error += NOISE if problem.integer_costs else 0.0
    reached = Fraction(bound)
    bound, rounding = reached - Fraction(1.01 * error), Fraction(1.01 * added)
    if problem.integer_costs:
        return _compared(math.ceil(bound - rounding), cost)
    if cost is None or reached < cost or bound + rounding < cost:
        return nothing[0], _rounded_down(bound - rounding)
    return (False, None) if bound - rounding > cost else (True, cost)


def _compared(bound: int, cost: Any) -> tuple[bool | None, Any]:
    """What a bound proves of a solution, if both are exact."""
    if cost is None:
        return None, bound
    return (False, None) if bound > cost else (bound == cost, bound)


def _rounded_down(value: Fraction) -> float:
    """The greatest float that is no more than the value."""
    nearest = float(value)
    return nearest if nearest <= value else math.nextafter(nearest, -math.inf)
