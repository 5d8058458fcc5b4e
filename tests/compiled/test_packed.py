"""A row in one or two words is to kernels what a list is; it is stored as arrays are, and given to kernels that can."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from procura import ArrayProblem, Data, Estimate, InputError, kernel, solve
from procura.compiled.engine import BoundProblem
from procura.compiled.intrinsics import word_at
from procura.compiled.packed import PackedRow, new_row
from procura.compiled.signs import only_index_rows, reread_rows
from procura.control import Control
from procura.debug import checked
from procura.errors import KernelFault

SHAPES = [("int8", 4, 17, 16), ("int8", 8, 8, 8), ("int8", 8, 9, 5), ("int8", 5, 13, 12), ("int16", 10, 7, 6),
          ("int32", 32, 3, 1), ("int64", 64, 2, 1), ("int64", 64, 1, 1)]  # fmt: skip


def played(shape):
    """A compiled function that fills a row, makes changes, and gives back its entries and its words."""
    dtype, bits, size, key = shape
    row_type, two = PackedRow(getattr(numba.types, dtype), size, key, bits), size > key

    @numba.njit
    def play(values, changes, entries, words):
        s = new_row(values, row_type)
        for i in range(len(s)):
            s[i] = values[i]
        for k in range(0, changes.size, 2):
            s[changes[k]], s[changes[k + 1]] = s[changes[k + 1]], s[changes[k]]
            s[changes[k]] = s[np.uint64(changes[k] % size)]
        for i in range(size):
            entries[i] = s[i - size]
        words[0] = word_at(s, 0)
        if two:
            words[1] = word_at(s, 1)

    return play


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_packed_row_reads_and_writes_as_a_list_does(shape):
    dtype, bits, size, key = shape
    width = int(dtype.removeprefix("int"))
    play = played(shape)
    signed = st.integers(-(1 << (width - 1)), (1 << (width - 1)) - 1)
    natural = st.integers(0, (1 << bits) - 1) if bits < width else signed
    index = st.integers(-size, size - 1)

    @settings(max_examples=50, deadline=None)
    @given(st.lists(natural, min_size=size, max_size=size), st.lists(st.tuples(index, index), max_size=8))
    def holds(row, swaps):
        changes = np.array([i for pair in swaps for i in pair], dtype=np.int64)
        entries, words = np.zeros(size, dtype=dtype), np.zeros(2, dtype=np.int64)
        play(np.array(row, dtype=dtype), changes, entries, words)
        for i, j in swaps:
            row[i], row[j] = row[j], row[i]
        assert entries.tolist() == row
        stored = [(row[:key], bits), (row[key:], width)]
        for word, (part, each) in zip(words.view(np.uint64).tolist(), stored, strict=True):
            assert word & ((1 << len(part) * each) - 1) == sum(
                (value & ((1 << each) - 1)) << each * i for i, value in enumerate(part)
            )

    holds()


def helper(row, at):
    return row[at]


def entries(s, data, work):
    s[0] += helper(s, len(s) - 1)
    return s[-1]


def sliced(s, data, work):
    return s[1:][0]


def gone_through(s, data, work):
    total = 0
    for value in s:
        total += value
    return total


def measured(s, data, work):
    return s.size


def renamed(s, data, work):
    row = s
    return row[0]


def handed_on(s, data, work):
    return helper(np.abs(s), 0)


def by_a_helper(s, data, work):
    return measured(s, data, work)


def test_rows_that_are_only_indexed_are_told_from_others():
    assert only_index_rows((("solved", entries),))
    for other in (sliced, gone_through, measured, renamed, handed_on, by_a_helper):
        assert not only_index_rows((("solved", other),)), other


def swapped(s, data, work, move):
    first = s[0]
    s[0] = s[move]
    s[move] = first
    return 1


def cleared(s, data, work, move):
    s[0] = 0
    return helper(s, move)


def counted(s, data, work, move):
    s[0] += move
    s[1] += 1
    return 1


def corrected(s, data, work, move):
    s[0] += 8
    if s[0] >= 8:
        s[0] = 5
    return 1


def turned(s, data, work, move):
    for i in range(move):
        s[i] = s[i + 1]
    return 1


def told(s, data, work, move):
    s[0] = move
    return helper(s, 0)


def changed(row):
    row[0] = 9


def changed_elsewhere(s, data, work, move):
    changed(s)
    return s[0]


def in_one_line(s, data, work, move):
    s[0], s[1] = move, s[0]
    return s[1]


def test_rows_that_are_read_again_are_told_from_others():
    for kind in (swapped, cleared, counted):
        assert not reread_rows((("apply", kind),)), kind
    for kind in (corrected, turned, told, changed_elsewhere, in_one_line):
        assert reread_rows((("apply", kind),)), kind


class Corrected(ArrayProblem):
    """A step goes beyond the bits of an entry for a moment, and is put right by what it reads there."""

    def __init__(self):
        super().__init__(size=1, bits=3, max_moves=1)

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 0
        return 1

    @kernel
    def apply(s, data, work, move):
        s[0] += 8
        if s[0] >= 8:
            s[0] = 5
        return 1

    @kernel
    def solved(s, data, work):
        return s[0] == 5


@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_what_an_entry_cannot_hold_for_long_is_put_right_on_both_engines(algorithm):
    for engine in ("python", "compiled"):
        assert solve(Corrected(), algorithm, engine=engine).cost == 1


class Steps(ArrayProblem):
    """From 0 up to 9 by steps of 1 and 2; the second entry counts the steps and is no part of the key."""

    costs = "nonnegative"

    def __init__(self, costs=(1, 3)):
        super().__init__(size=2, key=1, bits=5, max_moves=2, data=Data(costs=costs))

    def start(self):
        return [0, 0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        out[1] = 2
        return 2

    @kernel
    def apply(s, data, work, move):
        after = min(s[0] + move, 20)
        s[0] = after
        s[1] = s[1] + 1
        return data.costs[move - 1] if after != 5 else data.costs[0]

    @kernel
    def solved(s, data, work):
        return s[0] == 9


class Whole(Steps):
    """The same, with a kernel that takes a row as a whole."""

    @kernel
    def solved(s, data, work):
        first = s[:1]
        return first[0] == 9


def row_of(problem):
    bound = BoundProblem(problem, Control())
    bound.pack_rows(("moves", "apply", "solved"))
    return bound.bindings["ROW"]


def test_rows_are_packed_only_for_kernels_that_index_them():
    assert isinstance(row_of(Steps()), PackedRow)
    assert not isinstance(row_of(Whole()), PackedRow)


@pytest.mark.parametrize("configuration", ["bfs", "ucs", "astar,ties=fifo"])
def test_packed_rows_and_arrays_are_searched_alike(configuration):
    runs = [
        solve(problem, configuration, engine=engine)
        for problem, engine in ((Steps(), "compiled"), (Whole(), "compiled"), (Steps(), "python"))
    ]
    assert len({(run.cost, tuple(run.actions), run.stats.expanded, run.stats.generated) for run in runs}) == 1


@pytest.mark.parametrize("configuration", ["bfs", "astar"])
def test_a_wrong_cost_is_reported_with_the_state_in_hand(configuration):
    problem = Steps((1, -3))
    told = []
    for engine in ("python", "compiled"):
        with pytest.raises(InputError) as error:
            solve(problem, configuration, engine=engine)
        told.append(str(error.value))
    assert told[0] == told[1] and "-3" in told[0]


def halves(s, data, work):
    return 0.5 if s[0] == 6 else 0


class Halves(Steps):
    """A heuristic that is not as declared in a state that is no neighbour of the first."""

    heuristics = {"halves": Estimate(halves)}


@pytest.mark.parametrize("configuration", ["astar:halves", "greedy:halves"])
def test_a_wrong_estimate_is_reported_with_the_state_in_hand(configuration):
    with pytest.raises(InputError, match=r"'halves' returns 0.5 in \(6, "):
        solve(Halves(), configuration, engine="compiled")


class Outside(Steps):
    """Rows of 64 bits an entry, as in debug; a kernel goes outside, and no solution is there to be replayed."""

    def __init__(self):
        ArrayProblem.__init__(self, size=2, key=1, max_moves=2, dtype="int64", data=Data(costs=(1, 3)))

    @kernel
    def apply(s, data, work, move):
        s[0] = min(s[0] + move, 3)
        s[s[0]] = 1
        return data.costs[move - 1]


@pytest.mark.parametrize("configuration", ["bfs", "astar"])
def test_indexes_of_rows_are_checked_in_debug_whatever_the_dtype(configuration):
    with checked(True), pytest.raises(KernelFault, match="size is 2"):
        solve(Outside(), configuration, engine="compiled")
