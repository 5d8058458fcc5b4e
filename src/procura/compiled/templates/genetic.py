"""The genetic algorithm: a kernel that makes the individuals of the next population, one after the other."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.intrinsics import named, window
from procura.compiled.templates.counts import RUNNING, SOLVED
from procura.compiled.templates.rows import ROW_SIZE, SIZE, check, copy_row
from procura.compiled.templates.rules import change, cross, energy, propose, randomise
from procura.rng import below, uniform

ROUND = 100  # what a slice returns when the next population is complete

People = namedtuple("People", "rows energies")
"""A population: its rows one after the other, and the energy of each."""


def spin(sums, rng):
    """A number drawn by roulette: the first whose running sum lies above a random point of the wheel."""
    point = uniform(rng) * sums[sums.size - 1]
    low = np.int64(0)
    high = np.int64(sums.size)
    while low < high:
        middle = (low + high) // 2
        if point < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return min(low, np.int64(sums.size - 1))


def joust(energies, rounds, rng):
    """The best of some drawn at random, the first among equals."""
    best = np.int64(below(rng, energies.size))
    for _ in range(rounds - 1):
        other = np.int64(below(rng, energies.size))
        if energies[other] < energies[best] or (energies[other] == energies[best] and other < best):
            best = other
    return best


def parent(people, sums, counts, rng):
    """The number of a parent."""
    if counts.roulette != 0:
        return spin(sums, rng)
    return joust(people.energies, counts.tournament, rng)


def run(people, following, sums, initial, best, rng, counts, data, work):
    """Make children, then newcomers, until the next population is complete, a solution or the end of the slice."""
    counts = named(counts)
    made = counts.made
    status = RUNNING
    while True:
        if made >= following.energies.size:
            status = ROUND
            break
        if counts.generated >= counts.until:
            break
        row = window(following.rows, made * ROW_SIZE, SIZE)
        copy_row(initial, row)
        if made < counts.children_until:
            a = window(people.rows, parent(people, sums, counts, rng) * ROW_SIZE, SIZE)
            b = window(people.rows, parent(people, sums, counts, rng) * ROW_SIZE, SIZE)
            cross(a, b, row, data, work, rng)
            e = np.float64(energy(row, data, work))
            if uniform(rng) < counts.mutation:
                e += np.float64(change(row, data, work, propose(row, data, work, rng)))
        else:
            randomise(row, data, work, rng)
            e = np.float64(energy(row, data, work))
        check(row)
        following.energies[made] = e
        made += 1
        counts.generated += 1
        counts.expanded += 1
        if e < counts.best:
            counts.best = e
            copy_row(row, best)
            if counts.early_goal != 0 and e <= 0:
                status = SOLVED
                break
    counts.made = made
    return status
