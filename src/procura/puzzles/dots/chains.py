"""Dots and Boxes for two, solved: kernels of a search that knows chains and loops.

A position is a word with a bit for each line that was free at the start, set once it is drawn; what is worth knowing
of a position is how many boxes more than the other the player to move still gets. The search is alpha-beta with

- a table of positions: the least of those that symmetry makes of one, of equal lines at a corner the first drawn first;
- of boxes that can be closed, those taken at once that are no sacrifice to take; where the last two of a chain or
  the last four of a loop are left, the choice to take them or to leave them to the other player (double-dealing);
- where nothing can be closed, the lines that give nothing away, and one line of each chain and loop: the same boxes
  are closed whichever it is (the middle one of two boxes, so that the other player has no choice).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from procura.compiled.intrinsics import bit_count, lowest_bit, named, window
from procura.compiled.templates.counts import RUNNING, SOLVED

Lines = namedtuple("Lines", "boxes beside sides twins images order shape")
"""The free lines and open boxes of a board: of each box the word of its lines; of each line its two boxes, of each box
its four lines (-1: none); pairs of equal lines; images of each byte of a word under the symmetries; of each line when
it is tried; and the numbers below."""
LINES, BOXES, TWINS, SYMMETRIES, BYTES = range(5)

ALPHA, BETA, LOW, BEST, DONE, LISTED, GAIN, LEVEL = range(8)
"""Indexes into a level: the window, alpha as far as it has risen, the moves, and what the last one closed."""
PHASE, VALUE, SEARCH = range(3)
ENTER, NEXT, RETURN = range(3)
ONE = np.uint64(1)
MOST = 62  # lines, and boxes
ZERO = 1 << 8  # bounds are kept as two halves of an int32 that are never negative


def free_lines(lines: Any, position: Any, box: Any) -> Any:
    """How many lines a box still needs."""
    return np.int64(bit_count(lines.boxes[box] & ~position))


def drawn(position: Any, line: Any) -> bool:
    """Whether a line is drawn."""
    return (position >> np.uint64(line)) & ONE != 0


def with_line(position: Any, line: Any) -> Any:
    """The position with one line more."""
    return position | (ONE << np.uint64(line))


def free_line(lines: Any, position: Any, box: Any, but: Any) -> Any:
    """A free line of a box, another than ``but``."""
    for side in range(4 * box, 4 * box + 4):
        line = lines.sides[side]
        if line >= 0 and line != but and not drawn(position, line):
            return line
    return -1


def across(lines: Any, line: Any, box: Any) -> Any:
    """The box on the other side of a line; -1 if there is none."""
    return lines.beside[2 * line + 1] if lines.beside[2 * line] == box else lines.beside[2 * line]


def closed_by(lines: Any, position: Any, line: Any) -> Any:
    """How many boxes a line closes."""
    closed = 0
    for side in range(2 * line, 2 * line + 2):
        box = lines.beside[side]
        if box >= 0 and free_lines(lines, position, box) == 1:
            closed += 1
    return closed


def open_boxes(lines: Any, position: Any) -> Any:
    """How many boxes are not closed."""
    count = 0
    for box in range(lines.shape[BOXES]):
        if lines.boxes[box] & ~position != 0:
            count += 1
    return count


def canonical(lines: Any, position: Any) -> Any:
    """The least of the positions that symmetry and equal lines make of one."""
    least = ~np.uint64(0)
    for symmetry in range(lines.shape[SYMMETRIES]):
        image = np.uint64(0)
        for byte in range(lines.shape[BYTES]):
            part = np.int64((position >> np.uint64(8 * byte)) & np.uint64(255))
            image |= lines.images[(symmetry * lines.shape[BYTES] + byte) * 256 + part]
        for pair in range(lines.shape[TWINS]):
            low, high = lines.twins[2 * pair], lines.twins[2 * pair + 1]
            if drawn(image, high) and not drawn(image, low):
                image ^= (ONE << np.uint64(low)) | (ONE << np.uint64(high))
        least = min(least, image)
    return least


def captures(lines: Any, position: Any, out: Any) -> Any:
    """Where boxes can be closed: the one line to draw, or the two worth a choice; 0 if none can be closed."""
    chains, loops, any_box = 0, 0, False
    chain_take = chain_leave = loop_take = loop_leave = np.int64(-1)
    for box in range(lines.shape[BOXES]):
        if free_lines(lines, position, box) != 1:
            continue
        any_box = True
        line = np.int64(free_line(lines, position, box, -1))
        here = across(lines, line, box)
        if here < 0 or free_lines(lines, position, here) != 2:
            out[0] = line
            return 1
        length, before, second, last, both_ends = 1, line, np.int64(-1), np.int64(-1), False
        while True:
            length += 1
            after = np.int64(free_line(lines, position, here, before))
            if length == 2:
                second = after
            beyond = across(lines, after, here)
            needs = free_lines(lines, position, beyond) if beyond >= 0 else 3
            if needs > 2:
                last = after
                break
            if needs == 1:
                length += 1
                both_ends = True
                break
            before, here = after, beyond
        if both_ends:
            if length != 4:
                out[0] = line
                return 1
            loops += 1
            loop_take, loop_leave = line, second
        else:
            if length != 2:
                out[0] = line
                return 1
            chains += 1
            chain_take, chain_leave = line, last
    if not any_box:
        return 0
    if loops > 0 and (chains > 0 or loops > 2):
        out[0] = loop_take
        return 1
    if chains > 1:
        out[0] = chain_take
        return 1
    out[0], out[1] = (chain_take, chain_leave) if chains > 0 else (loop_take, loop_leave)
    return 2


def gives_away(lines: Any, position: Any, line: Any) -> bool:
    """Whether the other player can close a box once a line is drawn that closes none."""
    for side in range(2 * line, 2 * line + 2):
        box = lines.beside[side]
        if box >= 0 and free_lines(lines, position, box) == 2:
            return True
    return False


def chain_of(lines: Any, position: Any, start: Any, stack: Any) -> Any:
    """The lines of the chain or loop that a line belongs to, as a word; how many boxes it has; the line to draw."""
    group, seen, boxes, waiting = ONE << np.uint64(start), np.uint64(0), 0, 0
    middle = np.int64(start)
    for side in range(2 * start, 2 * start + 2):
        box = lines.beside[side]
        if box >= 0 and free_lines(lines, position, box) == 2:
            seen = with_line(seen, box)
            stack[waiting] = box
            waiting += 1
    while waiting > 0:
        waiting -= 1
        box = stack[waiting]
        boxes += 1
        for side in range(4 * box, 4 * box + 4):
            line = lines.sides[side]
            if line < 0 or drawn(position, line):
                continue
            group = with_line(group, line)
            other = across(lines, line, box)
            if other >= 0 and free_lines(lines, position, other) == 2:
                middle = np.int64(line)
                if not drawn(seen, other):
                    seen = with_line(seen, other)
                    stack[waiting] = other
                    waiting += 1
    return group, boxes, middle if boxes == 2 else np.int64(start)


def moves_of(lines: Any, position: Any, out: Any, stack: Any, lengths: Any) -> Any:
    """Write the moves worth trying; how many."""
    count = captures(lines, position, out)
    if count > 0:
        return count
    free = ((ONE << np.uint64(lines.shape[LINES])) - ONE) & ~position
    for pair in range(lines.shape[TWINS]):
        low, high = lines.twins[2 * pair], lines.twins[2 * pair + 1]
        if not drawn(position, low) and not drawn(position, high):
            free &= ~(ONE << np.uint64(high))
    chains, left = np.uint64(0), free
    while left != 0:
        line = np.int64(lowest_bit(left))
        left &= left - ONE
        if gives_away(lines, position, line):
            chains = with_line(chains, line)
            continue
        at = count
        while at > 0 and lines.order[out[at - 1]] > lines.order[line]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = line
        count += 1
    safe = count
    while chains != 0:
        group, boxes, line = chain_of(lines, position, np.int64(lowest_bit(chains)), stack)
        chains &= ~group
        at = count
        while at > safe and lengths[at - 1] > boxes:
            out[at], lengths[at] = out[at - 1], lengths[at - 1]
            at -= 1
        out[at], lengths[at] = line, boxes
        count += 1
    return count


def run(
    lines: Any, keys: Any, bounds: Any, positions: Any, levels: Any, lists: Any, stack: Any, lengths: Any, search: Any,
    counts: Any,
) -> Any:  # fmt: skip
    """Search the position of level 0 within its window until its value is known, or the slice ends."""
    counts = named(counts)
    level, phase = counts.head, search[PHASE]
    width = lines.shape[LINES] + 1
    mask = np.uint64(keys.size - 1)
    value = np.int64(0)
    while True:
        at = level * LEVEL
        if phase == ENTER:
            rest = open_boxes(lines, positions[level])
            alpha, beta = levels[at + ALPHA], levels[at + BETA]
            if rest <= alpha or rest == 0:
                value, phase = np.int64(rest), RETURN
                continue
            if -rest >= beta:
                value, phase = np.int64(-rest), RETURN
                continue
            position = canonical(lines, positions[level])
            positions[level] = position
            slot = np.int64((position * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask)
            if keys[slot] == position + ONE:
                low = np.int64(bounds[slot] >> 16) - ZERO
                high = np.int64(bounds[slot] & 0xFFFF) - ZERO
                if low >= beta or low == high:
                    value, phase = low, RETURN
                    continue
                if high <= alpha:
                    value, phase = high, RETURN
                    continue
                alpha, beta = max(alpha, low), min(beta, high)
            if counts.expanded >= counts.until:
                counts.head, search[PHASE] = level, ENTER
                return RUNNING
            counts.expanded += 1
            out = window(lists, level * width, width)
            levels[at + LISTED] = moves_of(lines, position, out, stack, lengths)
            levels[at + ALPHA], levels[at + BETA], levels[at + LOW] = alpha, beta, alpha
            levels[at + DONE], levels[at + BEST] = 0, -100
            phase = NEXT
        elif phase == NEXT:
            done = levels[at + DONE]
            if done == levels[at + LISTED] or levels[at + LOW] >= levels[at + BETA]:
                value = levels[at + BEST]
                remember(keys, bounds, positions[level], mask, value, levels[at + ALPHA], levels[at + BETA],
                         open_boxes(lines, positions[level]))  # fmt: skip
                phase = RETURN
                continue
            line = np.int64(lists[level * width + done])
            gain = closed_by(lines, positions[level], line)
            levels[at + DONE], levels[at + GAIN] = done + 1, gain
            positions[level + 1] = with_line(positions[level], line)
            counts.generated += 1
            if gain > 0:
                levels[at + LEVEL + ALPHA] = levels[at + LOW] - gain
                levels[at + LEVEL + BETA] = levels[at + BETA] - gain
            else:
                levels[at + LEVEL + ALPHA] = -levels[at + BETA]
                levels[at + LEVEL + BETA] = -levels[at + LOW]
            level += 1
            phase = ENTER
        else:
            if level == 0:
                counts.head, search[PHASE], search[VALUE] = 0, ENTER, value
                return SOLVED
            level -= 1
            at = level * LEVEL
            gain = levels[at + GAIN]
            value = gain + value if gain > 0 else -value
            levels[at + BEST] = max(levels[at + BEST], value)
            levels[at + LOW] = max(levels[at + LOW], value)
            phase = NEXT


def remember(keys: Any, bounds: Any, position: Any, mask: Any, value: Any, alpha: Any, beta: Any, rest: Any) -> None:
    """Keep what is known of a position."""
    slot = np.int64((position * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask)
    low, high = -rest, rest
    if keys[slot] == position + ONE:
        low = np.int64(bounds[slot] >> 16) - ZERO
        high = np.int64(bounds[slot] & 0xFFFF) - ZERO
    if value > alpha:
        low = max(low, value)
    if value < beta:
        high = min(high, value)
    keys[slot] = position + ONE
    bounds[slot] = (low + ZERO) << 16 | (high + ZERO)
