"""A kernel is compiled without Numba's test for negative indexes only where none can be negative."""

from __future__ import annotations

import functools
import importlib
import linecache

import pytest

from procura import ArrayProblem, Data, kernel, solve
from procura.compiled import build, inside
from procura.compiled.engine import BoundProblem
from procura.compiled.signs import ROW, from_the_start
from procura.control import Control

N = 3
BELOW = -1


def helper(row, at):
    return row[at]


def moves(s, data, work, out):
    out[0] = data.table[s[0]]
    return 1


def apply(s, data, work, move):
    n = len(data.table)
    for i in range(n - 1, -1, -1):
        work[i] = s[i] + N
    s[work[0] % n], s[move * 2] = s[move], helper(s, move)
    return 1


def solved(s, data, work):
    return s[-1] == 0


def names(*kernels, negative=()):
    return {function.__name__ for function in from_the_start(tuple(kernels), frozenset(negative))}


RULES = (("moves", moves), ("apply", apply), ("solved", solved))


def test_indexes_made_of_lengths_loops_rows_and_tables_are_natural():
    assert names(*RULES) == {"moves", "apply", "solved", "helper"}


def test_a_table_with_negative_entries_takes_its_moves_along():
    assert names(*RULES, negative={"data.table"}) == {"moves", "solved"}


def test_of_a_row_that_begins_negative_entries_are_no_indexes():
    assert names(*RULES, negative={ROW}) == {"apply", "solved", "helper"}


def less(s, data, work, move):
    s[1] = s[0] - 1
    return s[s[1]]


def from_global(s, data, work):
    return s[BELOW]


def aliased(s, data, work):
    row = s if data.table[0] else work
    row[0] = -5
    return 0


def unread(s, data, work):
    return max(s[0], BELOW) + s[abs(BELOW)] + s[min(s[0], BELOW)]


def by_name(s, data, work):
    helper(row=s, at=0)
    return s[s[0]]


def by_another_name(s, data, work):
    other = helper
    return other(s, BELOW)


def shadowed(s, data, work):
    helper = data.table
    return helper[0] + s[s[0]]


def upwards(s, data, work):
    total = 0
    for i in range(BELOW, 0, +1):
        total += s[i]
    return total


def upwards_from_a_number(s, data, work):
    total = 0
    for i in range(-1, 0, +1):
        total += s[i]
    return total


def filled(s, data, work):
    work.fill(-1)
    return s[work[0]]


def nested(s, data, work):
    def inner(i):
        return s[i]

    return inner(BELOW)


def stepped(s, data, work):
    total = 0
    for i in range(s[0] - 5, 3, s[1]):
        total += s[i]
    return total


@pytest.mark.parametrize(
    ("role", "function", "left"),
    [
        ("change", less, {"apply", "solved", "helper"}),
        ("heuristic", from_global, {"moves", "apply", "solved", "helper"}),
        ("heuristic", aliased, {"apply", "solved", "helper", "aliased"}),
        ("energy", unread, {"moves", "apply", "solved", "helper"}),
        ("heuristic", by_name, {"apply", "solved"}),
        ("heuristic", by_another_name, {"apply", "solved", "by_another_name"}),
        ("heuristic", shadowed, {"moves", "apply", "solved", "helper", "shadowed"}),
        ("heuristic", upwards, {"moves", "apply", "solved", "helper"}),
        ("heuristic", upwards_from_a_number, {"moves", "apply", "solved", "helper"}),
        ("heuristic", filled, {"moves", "apply", "solved", "helper"}),
        ("heuristic", nested, {"apply", "solved", "helper"}),
        ("heuristic", stepped, {"moves", "apply", "solved", "helper"}),
    ],
)
def test_what_may_be_negative_is_compiled_as_numba_does(role, function, left):
    assert names(*RULES, (role, function)) == left


def test_a_function_without_source_is_not_trusted():
    scope = {}
    exec("def apply(s, data, work, move):\n    s[0] = 1\n    return 1\n", scope)
    assert names(("moves", moves), ("apply", scope["apply"]), ("solved", solved)) == {"solved"}


def test_a_function_whose_file_has_changed_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    place = tmp_path / "changing.py"
    place.write_text("def energy(s, data, work):\n    return s[s[0] - 1]\n")
    function = importlib.import_module("changing").energy
    place.write_text("def energy(s, data, work):\n    return s[s[0]]\n")
    linecache.checkcache()
    assert names(("energy", function)) == set()


def test_the_function_that_another_wraps_is_not_taken_for_it():
    @functools.wraps(solved)
    def outer(s, data, work):
        return s[s[0] - 1]

    assert names(("solved", outer)) == set()


def test_a_constant_that_changes_is_looked_at_again(monkeypatch):
    assert "unread" not in names(("energy", unread))
    monkeypatch.setitem(globals(), "BELOW", 0)
    assert "unread" in names(("energy", unread))


class Circle(ArrayProblem):
    """A token goes round a circle; its row is read from the end as lists are."""

    def __init__(self, table):
        super().__init__(size=4, max_moves=1, data=Data(table=table))

    def start(self):
        return [1, 0, 0, 0]

    @kernel
    def moves(s, data, work, out):
        out[0] = 0
        return 1

    @kernel
    def apply(s, data, work, move):
        last = s[-1]
        for i in range(3):
            s[2 - i + 1] = s[data.table[i]]
        s[0] = last
        return 1

    @kernel
    def solved(s, data, work):
        return s[-1] == 1


@pytest.mark.parametrize("table", [[2, 1, 0], [-2, -3, -4]])
def test_both_engines_read_rows_from_the_end_alike(table):
    lengths = [len(solve(Circle(table), "bfs", engine=engine).path) for engine in ("python", "compiled")]
    assert lengths == [3, 3]


def test_without_the_private_parts_of_numba_kernels_are_compiled_without_the_cache(monkeypatch):
    monkeypatch.setattr(build, "CAN_CACHE", False)
    monkeypatch.setattr(inside, "CompilerBase", None)
    monkeypatch.setattr(inside, "Listener", None)
    bound = BoundProblem(Circle([2, 1, 0]), Control())
    made = build.Specialised(Circle.solved, bound.bindings, debug=False)
    made.prepare(bound.s, bound.data, bound.work)
    assert made.file is None and not made(bound.s, bound.data, bound.work)
