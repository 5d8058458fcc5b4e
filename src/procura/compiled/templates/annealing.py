"""Simulated annealing as one resumable loop over moves; the schedule lives in two rows of numbers."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.templates.counts import ENTRY_CAPACITY, EXPANDED, GENERATED, RUNNING, SERIAL, SOLVED, UNTIL
from procura.compiled.templates.local import BEST, ENERGY, OWN
from procura.compiled.templates.rows import copy_row
from procura.compiled.templates.rules import change, energy, propose, randomise, revert
from procura.rng import uniform

ROUND = 100  # what a slice returns at the end of a round

IN_ROUND, ROUND_MOVES = SERIAL, ENTRY_CAPACITY  # counters that other searches use otherwise
TEMPERATURE, ATTEMPT_BEST, REALS = OWN, OWN + 1, OWN + 2


def measure(s, rng, data, work, count):
    """The standard deviation of the energy of random states."""
    total = 0.0
    squares = 0.0
    for _ in range(count):
        randomise(s, data, work, rng)
        e = np.float64(energy(s, data, work))
        total += e
        squares += e * e
    mean = total / count
    return math.sqrt(max(squares / count - mean * mean, 0.0))


def run(s, best, rng, counts, reals, data, work):
    """Try moves until a solution, the end of a round at this temperature, or the end of the slice."""
    current = reals[ENERGY]
    least = reals[BEST]
    attempt_least = reals[ATTEMPT_BEST]
    temperature = reals[TEMPERATURE]
    tried = counts[GENERATED]
    accepted = counts[EXPANDED]
    in_round = counts[IN_ROUND]
    status = RUNNING
    while True:
        if current < attempt_least:
            attempt_least = current
        if current < least:
            least = current
            copy_row(s, best)
        if current <= 0:
            status = SOLVED
            break
        if in_round >= counts[ROUND_MOVES]:
            status = ROUND
            break
        if tried >= counts[UNTIL]:
            break
        move = propose(s, data, work, rng)
        difference = np.float64(change(s, data, work, move))
        tried += 1
        in_round += 1
        if difference <= 0 or uniform(rng) < math.exp(-difference / temperature):
            current += difference
            accepted += 1
        else:
            revert(s, data, work, move)
    reals[ENERGY] = current
    reals[BEST] = least
    reals[ATTEMPT_BEST] = attempt_least
    counts[GENERATED] = tried
    counts[EXPANDED] = accepted
    counts[IN_ROUND] = in_round
    return status
