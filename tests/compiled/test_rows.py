"""Rows are packed and unpacked by words; entry by entry is the obvious way, and comes to the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from procura import ArrayProblem, kernel
from procura.compiled.engine import BoundRows
from procura.compiled.templates.rows import pack, unpack
from procura.control import Control
from procura.debug import checked

SHAPES = [
    ("int8", 4, 17, 16), ("int8", None, 5, 5), ("int8", 5, 30, 25), ("int8", 3, 24, 9), ("int8", 1, 70, 66),
    ("int16", 10, 11, 7), ("int16", None, 9, 3), ("int32", 17, 8, 5), ("int64", None, 3, 2), ("int64", 40, 4, 3),
]  # fmt: skip


class Any(ArrayProblem):
    def __init__(self, dtype, bits, size, key):
        super().__init__(size=size, key=key, bits=bits, dtype=dtype, max_moves=1)

    def start(self):
        return [0] * self.size

    @kernel
    def moves(s, data, work, out):
        return 0

    @kernel
    def apply(s, data, work, move):
        return 1

    @kernel
    def solved(s, data, work):
        return True


def stored(row, problem, width):
    """The words of a row, one bit after the other."""
    bits = problem.bits or width
    key = sum((value & ((1 << bits) - 1)) << (bits * i) for i, value in enumerate(row[: problem.key]))
    payload = sum((value & ((1 << width) - 1)) << (width * i) for i, value in enumerate(row[problem.key :]))
    words = []
    for number, length in ((key, bits * problem.key), (payload, width * (problem.size - problem.key))):
        words += [(number >> at) & ((1 << 64) - 1) for at in range(0, length, 64)]
    return words


@pytest.mark.parametrize("debug", [False, True], ids=["", "debug"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_row_is_stored_one_bit_after_the_other_and_comes_back(shape, debug):
    problem = Any(*shape)
    with checked(debug):
        bound = BoundRows(problem, Control(debug=debug))
    store = np.full(bound.words + 2, -1, dtype=np.int64)
    packing, unpacking = bound.compile(pack, bound.s, store, 1), bound.compile(unpack, store, 1, bound.s)
    width = int(problem.dtype.removeprefix("int"))
    signed = st.integers(-(1 << (width - 1)), (1 << (width - 1)) - 1)
    entries = st.integers(0, (1 << problem.bits) - 1) if problem.bits else signed

    @settings(max_examples=50, deadline=None)
    @given(st.lists(entries, min_size=problem.key, max_size=problem.key), st.data())
    def holds(key, data):
        rest = problem.size - problem.key
        row = key + data.draw(st.lists(signed, min_size=rest, max_size=rest))
        bound.s[:] = row
        packing(bound.s, store, 1)
        if not debug:
            assert store[1:-1].view(np.uint64).tolist() == stored(row, problem, width)
        assert store[0] == store[-1] == -1
        bound.s[:] = 0
        unpacking(store, 1, bound.s)
        assert bound.s.tolist() == row

    holds()
