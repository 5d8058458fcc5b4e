"""The names under which templates call a problem's kernels; ``build`` binds them."""

from __future__ import annotations


def moves(s, data, work, out):
    return 0


def apply(s, data, work, move):
    return 1


def solved(s, data, work):
    return False


def inverse(data, move):
    return -1


def estimate(s, data, work, program):
    return 0


def step(s, data, work, move, h, program, at):
    return h


def gather(s, data, work, program):
    return


def randomise(s, data, work, rng):
    return


def propose(s, data, work, rng):
    return 0


def change(s, data, work, move):
    return 0


def weigh(s, data, work, move):
    return 0


def take(s, data, work, move):
    return


def drop(s, data, work, move):
    return


def energy(s, data, work):
    return 0


def cross(a, b, child, data, work, rng):
    return


def over(s, data, work):
    return False


def turn(s, data, work):
    return 0


def score_kernel(s, data, work):
    return 0


def estimate_kernel(s, data, work):
    return 0
