"""Simulated annealing as one resumable loop over moves; the schedule lives in two rows of numbers."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.templates.counts import ENTRY_CAPACITY, EXPANDED, GENERATED, RUNNING, SERIAL, SOLVED, UNTIL
from procura.compiled.templates.local import BEST, ENERGY, OWN
from procura.compiled.templates.rows import check, copy_row
from procura.compiled.templates.rules import drop, energy, propose, randomise, take, weigh
from procura.rng import uniform

ROUND = 100  # what a slice returns at the end of a round

IN_ROUND, ROUND_MOVES = SERIAL, ENTRY_CAPACITY  # counters that other searches use otherwise
TEMPERATURE, ATTEMPT_BEST, CHANCES = OWN, OWN + 1, OWN + 2
SMALL = 8
REALS = CHANCES + SMALL  # the chances of moves that cost 0, 1, ... more, most of which are asked for again and again


def measure(s, rng, data, work, count):
    """The standard deviation of the energy of random states."""
    total = 0.0
    squares = 0.0
    for _ in range(count):
        randomise(s, data, work, rng)
        check(s)
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
    for small in range(SMALL):
        reals[CHANCES + small] = math.exp(-small / temperature)
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
        difference = np.float64(weigh(s, data, work, move))
        check(s)
        tried += 1
        in_round += 1
        taken = difference <= 0
        if not taken:
            small = np.int64(difference) if difference < SMALL else SMALL
            known = small < SMALL and small == difference
            taken = uniform(rng) < (reals[CHANCES + small] if known else math.exp(-difference / temperature))
        if taken:
            take(s, data, work, move)
            check(s)
            current += difference
            accepted += 1
        else:
            drop(s, data, work, move)
    reals[ENERGY] = current
    reals[BEST] = least
    reals[ATTEMPT_BEST] = attempt_least
    counts[GENERATED] = tried
    counts[EXPANDED] = accepted
    counts[IN_ROUND] = in_round
    return status
