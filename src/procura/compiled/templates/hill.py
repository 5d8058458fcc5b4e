"""Hill climbing as one resumable loop over moves."""

from __future__ import annotations

import numpy as np

from procura.compiled.templates.counts import EXPANDED, GENERATED, RUNNING, SOLVED, UNTIL
from procura.compiled.templates.local import BEST, ENERGY
from procura.compiled.templates.rows import check, copy_row
from procura.compiled.templates.rules import drop, propose, take, weigh

STUCK = 100  # what a slice returns when no move has helped for long enough

WAITED, PATIENCE, SIDEWAYS = 0, 1, 2


def run(s, best, rng, counts, settings, reals, data, work):
    """Try moves until a solution, a dead end or the end of the slice."""
    current = reals[ENERGY]
    waited = settings[WAITED]
    tried = counts[GENERATED]
    status = RUNNING
    while True:
        if current < reals[BEST]:
            reals[BEST] = current
            copy_row(s, best)
        if current <= 0:
            status = SOLVED
            break
        if waited >= settings[PATIENCE]:
            status = STUCK
            break
        if tried >= counts[UNTIL]:
            break
        move = propose(s, data, work, rng)
        difference = np.float64(weigh(s, data, work, move))
        check(s)
        tried += 1
        waited += 1
        if difference < 0 or (settings[SIDEWAYS] and difference == 0):
            take(s, data, work, move)
            check(s)
            current += difference
            counts[EXPANDED] += 1
            if difference < 0:
                waited = 0
        else:
            drop(s, data, work, move)
    reals[ENERGY] = current
    settings[WAITED] = waited
    counts[GENERATED] = tried
    return status
