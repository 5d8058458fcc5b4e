"""A heuristic inside a compiled search: none, one kernel, or a composition.

The parts of a composition are the kernels that it names, each once. Their values at a state stand in ``parts``, a
record of ``PARTS`` numbers; a postfix program makes one number of them. So a search is compiled for the kernels that
are named, not for the weights or for what is done with them. If every part has a ``step``, records are whole numbers,
and that of a child follows from that of its parent and stands behind it.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from procura.compiled.templates.counts import DEAD
from procura.rounding import NOISE, ROUNDOFF

Program = namedtuple("Program", "codes values stack parts largest rounding")
"""A composed heuristic: a part's number or one of the codes below for each step, with constants beside.

``largest`` is the greatest magnitude of a part so far; ``rounding`` says what error that means, as in
``BoundHeuristic``.
"""

GREATEST = math.nextafter(float(DEAD), 0.0)  # of a composition: only a kernel can prove a dead end, no weight

CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM = -1, -2, -3, -4, -5, -6, -7

HERE = 0  # the number of a part
PARTS = 0  # how many there are
STEP = False  # each of them has a step
USUAL, LOST, USELESS = 0, 1, 2  # what the parts of a state say together: a number, a dead end, nothing


def heuristic_kernel(s, data, work):  # bound to the problem's
    return 0


def heuristic_step(s, data, work, move, h):  # bound to the problem's
    return 0


def others(s, data, work, program, at):  # bound to ``evaluate`` of the next part, last to ``no_others``
    return 0


def other_steps(s, data, work, move, program, at):  # bound to ``follow`` of the next part, last to ``no_other_steps``
    return 0


def zero(s, data, work, program):
    """No heuristic."""
    return 0


def single(s, data, work, program):
    """One kernel, called directly."""
    return heuristic_kernel(s, data, work)


def single_step(s, data, work, move, h, program, at):
    """What one kernel is after a move, by its step."""
    return heuristic_step(s, data, work, move, h)


def judge(value, program):
    """What the value of a part means; the greatest magnitude is noted."""
    largest = program.largest[0]
    magnitude = np.float64(value)
    if not -largest <= magnitude <= largest:
        if value == DEAD or value == math.inf:
            return LOST
        if not -DEAD < magnitude < DEAD:
            return USELESS
        program.largest[0] = abs(magnitude)
    return USELESS if STEP and value % 1 != 0 else USUAL


def evaluate(s, data, work, program, at):
    """Put the value of a part into the record at ``at``, then those of the others."""
    value = heuristic_kernel(s, data, work)
    program.parts[at + HERE] = value
    verdict = judge(value, program)
    return others(s, data, work, program, at) if verdict == USUAL else verdict


def no_others(s, data, work, program, at):
    """The end of the parts."""
    return USUAL


def follow(s, data, work, move, program, at):
    """Put the value of a part after a move into the record behind the one at ``at``, then those of the others."""
    value = heuristic_step(s, data, work, move, program.parts[at + HERE])
    program.parts[at + PARTS + HERE] = value
    verdict = judge(value, program)
    return other_steps(s, data, work, move, program, at) if verdict == USUAL else verdict


def no_other_steps(s, data, work, move, program, at):
    """The end of the parts."""
    return USUAL


def gather(s, data, work, program):
    """Where a composition goes by steps: make the record of a state whose children are to follow from it."""
    if PARTS > 0:
        others(s, data, work, program, 0)


def composed(s, data, work, program):
    """The value of a composition at a state; a part that proves a dead end decides for all."""
    return result(others(s, data, work, program, 0), program, 0)


def composed_step(s, data, work, move, h, program, at):
    """What a composition is after a move, by the steps of its parts, whose record at ``s`` is at ``at``."""
    return result(other_steps(s, data, work, move, program, at), program, at + PARTS)


def result(verdict, program, at):
    """Run the postfix program on the record at ``at``. NaN if a part's value is no use."""
    if verdict != USUAL:
        return np.float64(DEAD) if verdict == LOST else math.nan
    stack = program.stack
    top = 0
    for i in range(program.codes.size):
        code = program.codes[i]
        if code >= 0:
            stack[top] = np.float64(program.parts[at + code])
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
    value = stack[0]
    if value > GREATEST:
        return GREATEST
    return -GREATEST if value < -GREATEST else value


def margin(h, program):
    """What rounding can have added to an estimate, and a little more."""
    error = program.rounding[0] * program.largest[0] + program.rounding[1]
    return error + NOISE + 4 * ROUNDOFF * abs(h)
