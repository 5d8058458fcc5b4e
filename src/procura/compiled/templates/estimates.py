"""A heuristic inside a compiled search: none, one kernel, or a postfix program over all of a problem's kernels."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from procura.compiled.templates.counts import DEAD

Program = namedtuple("Program", "codes values stack")
"""A composed heuristic: a kernel's number or one of the codes below for each step, with constants beside."""

CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM = -1, -2, -3, -4, -5, -6, -7

HERE = 0


def heuristic_kernel(s, data, work):  # bound to the problem's
    return 0


def others(number, s, data, work):  # bound to the next ``choose``, last to ``none_left``
    return 0.0


def zero(s, data, work, program):
    """No heuristic."""
    return 0


def single(s, data, work, program):
    """One kernel, called directly."""
    return heuristic_kernel(s, data, work)


def choose(number, s, data, work):
    """The value of kernel ``number``: a chain of these, one for each kernel, each bound to its own."""
    if number == HERE:
        return np.float64(heuristic_kernel(s, data, work))
    return others(number, s, data, work)


def none_left(number, s, data, work):
    """The end of the chain."""
    return 0.0


def composed(s, data, work, program):
    """Run the postfix program; a kernel that proves a dead end decides for all."""
    stack = program.stack
    top = 0
    for i in range(program.codes.size):
        code = program.codes[i]
        if code >= 0:
            value = others(code, s, data, work)
            if value >= DEAD:
                return np.float64(DEAD)
            stack[top] = value
            top += 1
        elif code == CONSTANT:
            stack[top] = program.values[i]
            top += 1
        else:
            top -= 1
            a = stack[top - 1]
            b = stack[top]
            if code == ADD:
                stack[top - 1] = a + b
            elif code == SUBTRACT:
                stack[top - 1] = a - b
            elif code == MULTIPLY:
                stack[top - 1] = a * b
            elif code == DIVIDE:
                stack[top - 1] = a / b
            elif code == MAXIMUM:
                stack[top - 1] = a if a >= b else b
            else:
                stack[top - 1] = a if a <= b else b
    return min(stack[0], DEAD - 1.0)  # only a kernel can prove a dead end, no weight
