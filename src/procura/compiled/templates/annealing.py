"""Simulated annealing as one resumable loop over moves; the schedule lives in two rows of numbers."""

from __future__ import annotations

import math

import numpy as np

from procura.compiled.intrinsics import named
from procura.compiled.templates.counts import RUNNING, SOLVED
from procura.compiled.templates.rows import check, copy_row
from procura.compiled.templates.rules import drop, energy, propose, randomise, take, weigh
from procura.rng import uniform

ROUND = 100  # what a slice returns at the end of a round

SMALL = 8  # the chances of moves that cost 0, 1, ... more are kept, since they are asked for again and again


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


def run(s, best, rng, counts, chances, data, work):
    """Try moves until a solution, the end of a round at this temperature, or the end of the slice."""
    counts = named(counts)
    current = counts.energy
    least = counts.best
    attempt_least = counts.attempt_best
    temperature = counts.temperature
    tried = counts.generated
    accepted = counts.expanded
    in_round = counts.in_round
    status = RUNNING
    for small in range(SMALL):
        chances[small] = math.exp(-small / temperature)
    while True:
        if current < attempt_least:
            attempt_least = current
        if current < least:
            least = current
            copy_row(s, best)
        if current <= 0:
            status = SOLVED
            break
        if in_round >= counts.round_moves:
            status = ROUND
            break
        if tried >= counts.until:
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
            taken = uniform(rng) < (chances[small] if known else math.exp(-difference / temperature))
        if taken:
            take(s, data, work, move)
            check(s)
            current += difference
            accepted += 1
        else:
            drop(s, data, work, move)
    counts.energy = current
    counts.best = least
    counts.attempt_best = attempt_least
    counts.generated = tried
    counts.expanded = accepted
    counts.in_round = in_round
    return status
