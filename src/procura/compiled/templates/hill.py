"""Hill climbing as one resumable loop over moves."""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.counts import RUNNING, SOLVED
from procura.compiled.templates.rows import check, copy_row
from procura.compiled.templates.rules import drop, propose, take, weigh

STUCK = 100  # what a slice returns when no move has helped for long enough


def run(s, best, rng, counts, data, work):
    """Try moves until a solution, a dead end or the end of the slice."""
    counts = named(counts)
    current = counts.energy
    waited = counts.waited
    tried = counts.generated
    status = RUNNING
    while True:
        if current < counts.best:
            counts.best = current
            copy_row(s, best)
        if current <= 0:
            status = SOLVED
            break
        if waited >= counts.patience:
            status = STUCK
            break
        if tried >= counts.until:
            break
        move = propose(s, data, work, rng)
        difference = np.float64(weigh(s, data, work, move))
        check(s)
        tried += 1
        waited += 1
        if difference < 0 or (counts.sideways and difference == 0):
            take(s, data, work, move)
            check(s)
            current += difference
            counts.expanded += 1
            if difference < 0:
                waited = 0
        else:
            drop(s, data, work, move)
    counts.energy = current
    counts.waited = waited
    counts.generated = tried
    return status
