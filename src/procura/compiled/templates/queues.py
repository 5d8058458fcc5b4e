"""Priority queues with the order (f, tie term, serial): buckets of linked entries, and a 4-ary heap.

Entry ``serial`` of ``entries`` is ``next << 32 | node``, where ``next`` is 1 + the serial that follows in its
bucket, 0 at the end. Ties ``lifo`` and ``fifo`` have one bucket for each f, ``high_g`` and ``low_g`` one for each
(f, g). An entry whose f or g lies outside the buckets is set aside until Python has made room. The heap serves
numbers that are not whole, and whole ones too far apart for buckets; a record of it is ``f, g, serial``, the first
two read through ``numbers``, the same memory as the search's type of number.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

Queue = namedtuple("Queue", "entries heads tails tops aside control heap numbers")

BUCKETS = True  # costs are whole numbers, so buckets are possible
LOW = 0xFFFFFFFF

INLINED = ("push", "take", "_bucket_push", "_bucket_take")
"""What the compiler is to inline, however large it is: a call would hand on every field of the queue."""

LIFO, FIFO, HIGH_G, LOW_G = 0, 1, 2, 3

(
    TIES,  # one of the four rules above
    HEAPED,  # 0: buckets; 1: the heap is to take over; 2: it has
    HEAP_SIZE,
    F0,  # the first f that has buckets, and how many do
    F_COUNT,
    G0,
    G_COUNT,
    CURRENT,  # no bucket before that of this f is in use
    ASIDE,  # entries set aside
    CONTROL,
) = range(10)
"""Indexes into ``Queue.control``."""


def push(q, f, g, serial, node):
    """Queue ``node`` under ``serial``."""
    q.entries[serial] = node
    if BUCKETS and q.control[HEAPED] == 0:
        _bucket_push(q, f, g, serial)
    else:
        _heap_push(q, f, g, serial)


def take(q):
    """Take the first entry out of a queue that is not empty: (f, serial, serial of the next one if known, or -1)."""
    if BUCKETS and q.control[HEAPED] == 0:
        return _bucket_take(q)
    return _heap_take(q)


def requeue(q):
    """Queue what was set aside, now that there is room; or all there is, if the heap has just come into use."""
    if BUCKETS:
        if q.control[HEAPED] == 1:
            q.control[HEAPED] = 2
            columns = q.control[G_COUNT]
            for slot in range(q.heads.size):
                head = np.int64(q.heads[slot])
                while head != 0:
                    _heap_push(q, slot // columns + q.control[F0], slot % columns + q.control[G0], head - 1)
                    head = (q.entries[head - 1] >> 32) & LOW
        count = q.control[ASIDE]
        q.control[ASIDE] = 0
        for i in range(count):
            f, g, serial = q.aside[3 * i], q.aside[3 * i + 1], q.aside[3 * i + 2]
            if q.control[HEAPED] != 0:
                _heap_push(q, f, g, serial)
            else:
                _bucket_push(q, f, g, serial)


def _bucket_push(q, f, g, serial):
    ties = q.control[TIES]
    row = f - q.control[F0]
    column = g - q.control[G0]
    columns = q.control[G_COUNT]
    if row < 0 or row >= q.control[F_COUNT] or (ties >= HIGH_G and (column < 0 or column >= columns)):
        at = 3 * q.control[ASIDE]
        q.aside[at] = f
        q.aside[at + 1] = g
        q.aside[at + 2] = serial
        q.control[ASIDE] += 1
        return
    if row < q.control[CURRENT]:
        q.control[CURRENT] = row
    slot = row
    if ties >= HIGH_G:
        slot = row * columns + column
        if ties == HIGH_G:
            if column > q.tops[row]:
                q.tops[row] = column
        elif column < q.tops[row]:
            q.tops[row] = column
    head = np.int64(q.heads[slot])
    if ties == FIFO and head != 0:
        q.entries[np.int64(q.tails[slot]) - 1] |= (serial + 1) << 32
    else:
        q.entries[serial] |= head << 32
        q.heads[slot] = serial + 1
    if ties == FIFO:
        q.tails[slot] = serial + 1


def _bucket_take(q):
    ties = q.control[TIES]
    row = q.control[CURRENT]
    columns = q.control[G_COUNT]
    while True:
        slot = row
        if ties >= HIGH_G:
            column = q.tops[row]
            if ties == HIGH_G:
                while column >= 0 and q.heads[row * columns + column] == 0:
                    column -= 1
            else:
                while column < columns and q.heads[row * columns + column] == 0:
                    column += 1
            q.tops[row] = column
            if column < 0 or column >= columns:
                row += 1
                continue
            slot = row * columns + column
        head = np.int64(q.heads[slot])
        if head != 0:
            q.control[CURRENT] = row
            following = (q.entries[head - 1] >> 32) & LOW
            q.heads[slot] = following
            return row + q.control[F0], head - 1, following - 1
        row += 1


def _before(ties, f, g, serial, f2, g2, serial2):
    """Whether the first key comes before the second."""
    if f != f2:
        return f < f2
    if ties >= HIGH_G and g != g2:
        return g > g2 if ties == HIGH_G else g < g2
    return serial < serial2 if ties == FIFO else serial > serial2


def _heap_push(q, f, g, serial):
    ties = q.control[TIES]
    heap, numbers = q.heap, q.numbers
    i = 3 * q.control[HEAP_SIZE]
    q.control[HEAP_SIZE] += 1
    while i > 0:
        up = 3 * ((i // 3 - 1) // 4)
        if not _before(ties, f, g, serial, numbers[up], numbers[up + 1], heap[up + 2]):
            break
        heap[i] = heap[up]
        heap[i + 1] = heap[up + 1]
        heap[i + 2] = heap[up + 2]
        i = up
    numbers[i] = f
    numbers[i + 1] = g
    heap[i + 2] = serial


def _heap_take(q):
    ties = q.control[TIES]
    heap, numbers = q.heap, q.numbers
    first_f = numbers[0]
    first_serial = heap[2]
    q.control[HEAP_SIZE] -= 1
    end = 3 * q.control[HEAP_SIZE]
    f, g, serial = numbers[end], numbers[end + 1], heap[end + 2]
    i = 0
    while True:
        best = 4 * i + 3
        if best >= end:
            break
        for other in range(best + 3, min(best + 12, end), 3):
            if _before(
                ties, numbers[other], numbers[other + 1], heap[other + 2],
                numbers[best], numbers[best + 1], heap[best + 2],
            ):  # fmt: skip
                best = other
        if not _before(ties, numbers[best], numbers[best + 1], heap[best + 2], f, g, serial):
            break
        heap[i] = heap[best]
        heap[i + 1] = heap[best + 1]
        heap[i + 2] = heap[best + 2]
        i = best
    numbers[i] = f
    numbers[i + 1] = g
    heap[i + 2] = serial
    return first_f, first_serial, np.int64(-1)
