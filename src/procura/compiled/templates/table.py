"""Exact duplicate detection: an open-addressing table from keys to node numbers.

A slot is 0 or ``tag << 32 | node + 1``. The tag is 32 bits of the key's hash; its high bits are also the slot's
number, so that the table doubles in one pass over the old one, reading and writing in order, without looking at a
single node. A slot whose tag fits is settled by comparing the keys themselves.
"""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import prefetch
from procura.compiled.templates.rows import KEY_WORDS

STRIDE = 1  # words from one node to the next
LOW = 0xFFFFFFFF


def tag_of(words, base):
    """32 well-mixed bits of the key at ``words[base:]``."""
    h = np.uint64(0)
    for w in range(KEY_WORDS):
        h = (h ^ np.uint64(words[base + w])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return np.int64(h >> np.uint64(32))


def find(table, shift, tag, words, at, nodes):
    """The slot of the key at ``words[at:]``: where its node stands, or the free slot where it belongs."""
    mask = table.size - 1
    slot = tag >> shift
    while True:
        entry = table[slot]
        if entry == 0:
            return slot
        if (entry >> 32) & LOW == tag:
            base = ((entry & LOW) - 1) * STRIDE
            same = True
            for w in range(KEY_WORDS):
                if nodes[base + w] != words[at + w]:
                    same = False
            if same:
                return slot
        slot = (slot + 1) & mask


def fetch(table, shift, tag, nodes):
    """Ask for the node that may have the key of ``tag``, once its slot has been asked for."""
    entry = table[tag >> shift]
    if entry != 0 and (entry >> 32) & LOW == tag:
        prefetch(nodes, ((entry & LOW) - 1) * STRIDE)


def entry_for(tag, node):
    """What a slot holds for ``node``."""
    return (tag << 32) | (node + 1)


def rehash(old, new, new_shift, start, stop):
    """Carry the slots ``start`` to ``stop`` of the old table over to a larger one."""
    mask = new.size - 1
    for i in range(start, stop):
        entry = old[i]
        if entry != 0:
            slot = ((entry >> 32) & LOW) >> new_shift
            while new[slot] != 0:
                slot = (slot + 1) & mask
            new[slot] = entry
