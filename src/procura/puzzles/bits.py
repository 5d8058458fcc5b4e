"""Bit masks in kernels."""

from __future__ import annotations


def ones(mask: int) -> int:
    """How many of the low 31 bits of a mask are set."""
    pairs = mask - ((mask >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F
    return ((eights * 0x01010101) & 0xFFFFFFFF) >> 24
