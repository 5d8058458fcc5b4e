"""Long solutions made again by compiled rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from procura.compiled.engine import BoundProblem
from procura.compiled.templates import replay as template
from procura.control import Control
from procura.debug import debugging
from procura.problem import ArrayProblem


def replay(
    problem: ArrayProblem, state: Sequence[int], path: Sequence[int], cost: Any
) -> tuple[int, list[int], Any, Any]:
    """(how many moves of ``path`` could be made, the row after them, ``cost`` and all they cost, their magnitude).

    It ends before a move that is not legal or whose cost is not as declared, for the interpreted rules to say why.
    """
    bound = BoundProblem(problem, Control(debug=debugging()))
    whole = problem.integer_costs
    bound.bindings["MOST"] = template.MOST if whole else math.inf
    bound.s[:] = state
    sums = np.array([0, 0], dtype=np.int64) if whole else np.array([cost, 0], dtype=np.float64)
    moves, before = np.array(path, dtype=np.int64), bound.new_row()[0]
    arguments = (moves, bound.s, before, bound.out, sums, bound.data, bound.work)
    made = int(bound.compile(template.run, *arguments)(*arguments))
    added, magnitude = sums.tolist()
    return made, bound.s.tolist(), cost + added if whole else added, magnitude
