"""A solution made again by compiled rules."""

from __future__ import annotations

from procura.compiled.templates.checks import wrong_cost
from procura.compiled.templates.rows import copy_row
from procura.compiled.templates.rules import apply, moves

MOST = 1 << 62  # what a sum of whole numbers may come to; of real ones any

COST, MAGNITUDE = 0, 1


def run(path, s, before, out, sums, data, work):
    """Make the moves in ``path`` as long as each is legal and costs what it may; how many were made."""
    for i in range(path.size):
        count = moves(s, data, work, out)
        if count > out.size or count < 0 or sums[MAGNITUDE] > MOST:
            return i
        legal = False
        for k in range(count):
            if out[k] == path[i]:
                legal = True
        copy_row(s, before)
        cost = apply(s, data, work, path[i]) if legal else 0
        if not legal or wrong_cost(cost):
            copy_row(before, s)
            return i
        sums[COST] += cost
        sums[MAGNITUDE] += abs(cost)
    return path.size
