"""Rows in stores: a row is packed into 64-bit words, the key first, then the payload in words of its own.

With 4 bits an entry a key of 16 entries is one word, so that hashing and comparing it is one operation::

    words of a node   | key ... | payload ... | what the search keeps |
                        KEY_WORDS  WORDS - KEY_WORDS
"""

from __future__ import annotations

import numpy as np

from procura.debug import fold

SIZE = KEY = 1  # integers in a row, and of those in its key
KEY_BITS = ROW_BITS = 8  # bits of a stored entry of the key, and of the payload
KEY_WORDS = WORDS = 1
ROW_WORDS = ROW_SIZE = 1  # from one unpacked row to the next, in words and in integers
DEBUG = False

KEY_PER_WORD = 64 // KEY_BITS
ROW_PER_WORD = 64 // ROW_BITS
KEY_MASK = (1 << KEY_BITS) - 1
ROW_MASK = (1 << ROW_BITS) - 1


def pack(s, words, base):
    """Store the row ``s`` at ``words[base:]``."""
    i = 0
    for w in range(KEY_WORDS):
        word = np.int64(0)
        shift = np.int64(0)
        for _ in range(min(KEY_PER_WORD, KEY - w * KEY_PER_WORD)):
            word |= (np.int64(s[i]) & KEY_MASK) << shift
            shift += KEY_BITS
            i += 1
        words[base + w] = word
    for w in range(WORDS - KEY_WORDS):
        word = np.int64(0)
        shift = np.int64(0)
        for _ in range(min(ROW_PER_WORD, SIZE - KEY - w * ROW_PER_WORD)):
            word |= (np.int64(s[i]) & ROW_MASK) << shift
            shift += ROW_BITS
            i += 1
        words[base + KEY_WORDS + w] = word


def unpack(words, base, s):
    """Fetch the row stored at ``words[base:]`` into ``s``."""
    i = 0
    for w in range(KEY_WORDS):
        word = words[base + w]
        for _ in range(min(KEY_PER_WORD, KEY - w * KEY_PER_WORD)):
            s[i] = word & KEY_MASK
            word >>= KEY_BITS
            i += 1
    for w in range(WORDS - KEY_WORDS):
        word = words[base + KEY_WORDS + w]
        for _ in range(min(ROW_PER_WORD, SIZE - KEY - w * ROW_PER_WORD)):
            s[i] = word & ROW_MASK
            word >>= ROW_BITS
            i += 1


def copy_row(source, target):
    """Copy a row."""
    for i in range(SIZE):
        target[i] = source[i]


def note(digest, s):
    """In debug: fold an expanded state into the digest."""
    if DEBUG:
        fold(digest, s, KEY)
