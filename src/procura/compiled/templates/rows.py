"""Rows in stores: a row is packed into 64-bit words, the key first, then the payload in words of its own.

With 4 bits an entry a key of 16 entries is one word, so that hashing and comparing it is one operation::

    words of a node   | key ... | payload ... | what the search keeps |
                        KEY_WORDS  WORDS - KEY_WORDS

Entry i of the key has the KEY_BITS bits from KEY_BITS * i on, whatever word they lie in. An unpacked row is whole words
of memory too, and it is those that are packed and unpacked, all their entries at once. Where key and payload are a word
each, kernels may get a row as it is stored (``PACKED``; ``compiled/packed.py``).
"""

from __future__ import annotations

import numpy as np

from procura.compiled.intrinsics import put_word, word_at
from procura.compiled.packed import AnyRow, Lengths
from procura.debug import fold

SIZE = KEY = 1  # integers in a row, and of those in its key
KEY_BITS = ROW_BITS = 8  # bits of an entry of a stored key, and of a row
KEY_MASK = 0xFF
KEY_WORDS = WORDS = 1
ROW_WORDS = ROW_SIZE = 1  # from one unpacked row to the next, in words and in integers
PACKED = False  # kernels get rows as they are stored
ROW = AnyRow()  # what they get
LENGTHS = Lengths(())  # of the fields of ``data``
DEBUG = False
WIDE = False  # in debug: rows have 64 bits an entry, and are checked
SIGN = 0  # then, if the entries of the key are signed: the bit that says so
RANGE = KEY_RANGE = (0, 0)  # the least and the greatest that an entry may be

PER_WORD = 64 // ROW_BITS
TIGHT = True  # the entries of a stored key have as many bits as those of a row
PAIR_LOW = PAIR_CLOSE = PAIR_APART = (0, 0, 0)
"""To join neighbours in pairs, in fours, in eights: the bits of the lower ones; of the upper ones, joined and not."""
FIRST = KEY * ROW_BITS // 64  # the word of a row in which the payload begins, and the bit
FIRST_BIT = KEY * ROW_BITS % 64
PAYLOAD_END = (SIZE - KEY) * ROW_BITS % 64  # bits of the last word of a payload; 0 if it is full


def check(s):
    """In debug: raise if an entry of a row does not fit its type."""
    if WIDE:
        for i in range(SIZE):
            low, high = KEY_RANGE if i < KEY else RANGE
            if s[i] < low or s[i] > high:
                raise OverflowError("an entry of a row does not fit its type")


def joined(x):
    """The entries of a word of a row side by side, without the bits between that a key does not keep."""
    if TIGHT:
        return x
    if PER_WORD >= 2:
        x = (x & PAIR_LOW[0]) | ((x >> (ROW_BITS - KEY_BITS)) & PAIR_CLOSE[0])
    if PER_WORD >= 4:
        x = (x & PAIR_LOW[1]) | ((x >> (2 * (ROW_BITS - KEY_BITS))) & PAIR_CLOSE[1])
    if PER_WORD >= 8:
        x = (x & PAIR_LOW[2]) | ((x >> (4 * (ROW_BITS - KEY_BITS))) & PAIR_CLOSE[2])
    return x


def parted(x):
    """The reverse of ``joined``."""
    if TIGHT:
        return x
    if PER_WORD >= 8:
        x = (x & PAIR_LOW[2]) | ((x << (4 * (ROW_BITS - KEY_BITS))) & PAIR_APART[2])
    if PER_WORD >= 4:
        x = (x & PAIR_LOW[1]) | ((x << (2 * (ROW_BITS - KEY_BITS))) & PAIR_APART[1])
    if PER_WORD >= 2:
        x = (x & PAIR_LOW[0]) | ((x << (ROW_BITS - KEY_BITS)) & PAIR_APART[0])
    return x


def low(x, bits):
    """The lowest bits of a word, of which ``bits`` counts 1 to 64."""
    return x & np.int64(np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - bits))


def down(x, bits):
    """A word shifted down by 1 to 63 bits, without its sign."""
    return np.int64(np.uint64(x) >> np.uint64(bits))


def pack(s, words, base):
    """Store the row ``s`` at ``words[base:]``."""
    check(s)
    word = np.int64(0)
    at = np.int64(0)
    for i in range(0, KEY, PER_WORD):
        count = min(PER_WORD, KEY - i)
        x = word_at(s, i // PER_WORD)
        x = joined(low(x, count * ROW_BITS)) if PER_WORD > 1 else x & KEY_MASK
        bit = i * KEY_BITS % 64
        word |= x << bit
        if bit + count * KEY_BITS >= 64:
            words[base + at] = word
            at += 1
            word = down(x, 64 - bit) if bit > 0 else np.int64(0)
    if KEY * KEY_BITS % 64 > 0:
        words[base + at] = word
    for i in range(WORDS - KEY_WORDS):
        x = word_at(s, FIRST + i)
        if FIRST_BIT > 0:
            x = down(x, FIRST_BIT)
            if FIRST + i + 1 < ROW_WORDS:
                x |= word_at(s, FIRST + i + 1) << (64 - FIRST_BIT)
        if PAYLOAD_END > 0 and i == WORDS - KEY_WORDS - 1:
            x = low(x, PAYLOAD_END)
        words[base + KEY_WORDS + i] = x


def payload_word(words, base, i):
    """A word of a stored payload, without what a search keeps in its upper bits."""
    x = words[base + KEY_WORDS + i]
    return low(x, PAYLOAD_END) if PAYLOAD_END > 0 and i == WORDS - KEY_WORDS - 1 else x


def unpack(words, base, s):
    """Fetch the row stored at ``words[base:]`` into ``s``."""
    for r in range(ROW_WORDS):
        i = r * PER_WORD
        x = np.int64(0)
        if i < KEY:
            bits = min(PER_WORD, KEY - i) * KEY_BITS
            at, bit = base + i * KEY_BITS // 64, i * KEY_BITS % 64
            x = words[at] if bit == 0 else down(words[at], bit)
            if bit + bits > 64:
                x |= words[at + 1] << (64 - bit)
            x = parted(low(x, bits)) if PER_WORD > 1 else (low(x, bits) ^ SIGN) - SIGN
        i = r - FIRST
        if FIRST_BIT > 0 and 0 < i <= WORDS - KEY_WORDS:
            x |= down(payload_word(words, base, i - 1), 64 - FIRST_BIT)
        if 0 <= i < WORDS - KEY_WORDS:
            x |= payload_word(words, base, i) << FIRST_BIT
        put_word(s, r, x)


def write_row(source, target):
    """Where rows are packed, make one of an array, or an array of one; else both are the same."""
    if PACKED:
        for i in range(SIZE):
            target[i] = source[i]


def copy_row(source, target):
    """Copy a row."""
    for w in range(ROW_WORDS):
        put_word(target, w, word_at(source, w))


def hand_back(s, spare, array):
    """Write the row in hand into the array that Python reads, by way of another, so that ``s`` stays in registers."""
    copy_row(s, spare)
    write_row(spare, array)


def reverse(out, count):
    """Turn the first ``count`` entries round."""
    for i in range(count // 2):
        out[i], out[count - 1 - i] = out[count - 1 - i], out[i]


def note(digest, s):
    """In debug: fold an expanded state into the digest."""
    if DEBUG:
        fold(digest, s, KEY)
