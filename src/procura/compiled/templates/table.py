"""Exact duplicate detection: an open-addressing table from keys to node numbers.

A slot has 32 bits: 0, or 1 + the number of the node in as many bits as the number of a slot has, and in those above,
however many are left, a mark of the key's hash, so that other nodes are seldom looked at. A slot whose mark fits is
settled by comparing the keys themselves. The table doubles by entering all nodes anew, one after the other.
"""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import prefetch
from procura.compiled.templates.rows import KEY_WORDS

STRIDE = 1  # words from one node to the next
LOW = 0xFFFFFFFF
AHEAD = 16  # nodes whose slots are asked for before they are entered


def hash_of(words, base):
    """64 well-mixed bits of the key at ``words[base:]``."""
    h = np.uint64(0)
    for w in range(KEY_WORDS):
        h = (h ^ np.uint64(words[base + w])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return np.int64(h ^ (h >> np.uint64(32)))


def slot_of(key_hash, shift):
    """Where a key belongs, if nothing else is there."""
    return np.int64(np.uint64(key_hash) >> np.uint64(shift))


def mark_of(key_hash, mask):
    """The bits of the hash that fit into a slot, above the node."""
    return key_hash & (LOW ^ mask)


def find(table, shift, key_hash, words, at, nodes):
    """The slot of the key at ``words[at:]``: where its node stands, or the free slot where it belongs."""
    mask = table.size - 1
    mark = mark_of(key_hash, mask)
    slot = slot_of(key_hash, shift)
    while True:
        entry = np.int64(table[slot])
        if entry == 0:
            return slot
        if entry & (LOW ^ mask) == mark:
            base = ((entry & mask) - 1) * STRIDE
            same = True
            for w in range(KEY_WORDS):
                if nodes[base + w] != words[at + w]:
                    same = False
            if same:
                return slot
        slot = (slot + 1) & mask


def node_in(table, slot):
    """The number of the node in a slot, -1 if it is free."""
    return (np.int64(table[slot]) & (table.size - 1)) - 1


def enter(table, slot, key_hash, node):
    """Put a node into the slot that was found for its key."""
    table[slot] = mark_of(key_hash, table.size - 1) | (node + 1)


def fetch(table, shift, key_hash, nodes):
    """Ask for the node that may have the key of this hash, once its slot has been asked for.

    If there is none, what lies before the first node is asked for: a branch would be foretold wrongly half of the time.
    """
    mask = table.size - 1
    entry = np.int64(table[slot_of(key_hash, shift)])
    fits = np.int64(entry & (LOW ^ mask) == mark_of(key_hash, mask))
    prefetch(nodes, ((entry & mask & -fits) - 1) * STRIDE)


def reenter(nodes, table, shift, start, stop):
    """Enter the nodes ``start`` to ``stop``, each in place of an older one with the same key."""
    for node in range(start, stop):
        prefetch(table, slot_of(hash_of(nodes, min(node + AHEAD, stop - 1) * STRIDE), shift))
        key_hash = hash_of(nodes, node * STRIDE)
        enter(table, find(table, shift, key_hash, nodes, node * STRIDE, nodes), key_hash, node)
