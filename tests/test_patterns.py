"""Pattern databases of any array problem, against plain searches in the abstract space."""

from __future__ import annotations

import heapq
import os
import time
from array import array
from collections import defaultdict
from functools import partial
from itertools import permutations
from types import ModuleType

import pytest
from hypothesis import given, settings, strategies as st

from procura import ArrayProblem, Data, Estimate, InputError, Limits, Outcome, handover, kernel, solve, testing
from procura.compiled import databases
from procura.configuration import Configuration
from procura.control import Control, resident_bytes
from procura.heuristics import BoundHeuristic, heuristic
from procura.patterns import CEILING, FIELD, abstract_row, bound, code_digest, facts, forecast, pack, unpack
from procura.preparing import TableWatch
from procura.problem import DEAD
from procura.solving import plan, prepare

BLURRED = 7
KEPT = os.environ.get("PROCURA_CACHE", "")


@pytest.fixture(autouse=True, scope="module")
def nothing_kept():
    """Hundreds of small databases are not worth keeping."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROCURA_CACHE", "off")
        yield


class Places(ArrayProblem):
    """Tiles on as many places; a move carries each to another place. Move ``2g + 1`` takes back move ``2g``.

    ``turns`` are the permutations, ``groups`` the group of each tile, ``costs`` what each move costs.
    """

    costs = "nonnegative"

    def __init__(self, start, turns, groups, prices, goal=None, rows=1000):
        n = len(start)
        self.tiles, self.goal = tuple(start), tuple(goal or range(n))
        both = []
        for turn in turns:
            both += [*turn, *(turn.index(i) for i in range(n))]
        fields = Data(turn=both, group=[*groups, *[-1] * (BLURRED + 1 - n)], price=prices)
        named = {f"group{group}": rows for group in sorted(set(groups))}
        super().__init__(size=n, max_moves=2 * len(turns), bits=3, scratch=n, data=fields, patterns=named)

    def start(self):
        return self.tiles

    @kernel
    def moves(s, data, work, out):
        for move in range(len(data.price)):
            out[move] = move
        return len(data.price)

    @kernel
    def apply(s, data, work, move):
        n = len(s)
        for i in range(n):
            work[i] = s[data.turn[n * move + i]]
        for i in range(n):
            s[i] = work[i]
        return data.price[move]

    @kernel
    def inverse(data, move):
        return move ^ 1

    @kernel
    def solved(s, data, work):
        for i in range(len(s)):
            if s[i] != i:
                return False
        return True

    @kernel
    def blur(s, data, work, pattern, i):
        return s[i] if data.group[s[i]] == pattern else BLURRED

    def goals(self, pattern):
        return [self.goal]

    def is_goal(self, state):
        return state == self.goal


class OneWay(Places):
    """The same without an inverse: databases are made by exploring forwards."""

    inverse = None

    @kernel
    def moves(s, data, work, out):
        for move in range(0, len(data.price), 2):
            out[move // 2] = move
        return len(data.price) // 2


class Shared(Places):
    """A move counts for the group of the tile that it takes from the first place."""

    @kernel
    def counts(s, data, work, pattern, move):
        return data.price[move] if s[0] != BLURRED else 0


class SharedOneWay(OneWay, Shared):
    """Both."""


KINDS = (Places, OneWay, Shared, SharedOneWay)
ROOMY = st.just(1000)


@st.composite
def problems(draw, kinds=KINDS, rows=ROOMY, most=3):
    n = draw(st.integers(2, 5))
    turns = draw(st.lists(st.permutations(range(n)), min_size=1, max_size=3))
    groups = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    groups[0] = 0
    prices = draw(st.lists(st.integers(0, most), min_size=2 * len(turns), max_size=2 * len(turns)))
    start, goal = draw(st.permutations(range(n))), draw(st.permutations(range(n)))
    return draw(st.sampled_from(kinds))(start, turns, groups, prices, goal, draw(rows))


def steps_of(problem, number, row):
    """The abstract steps from a row: (row after, what it counts)."""
    for move in problem.actions(row):
        after, cost = problem.step(row, move)
        if problem.counts is not None:
            cost = int(problem.counts(problem.row(row), problem.lists, problem.work(), number, move))
        yield abstract_row(problem, number, after), cost


def least_costs(problem, number, starts):
    """From every abstract row within reach of these to the goal, by Dijkstra along the steps turned round."""
    reverse, waiting, met = defaultdict(list), list(starts), set(starts)
    while waiting:
        row = waiting.pop()
        for after, cost in steps_of(problem, number, row):
            reverse[after].append((row, cost))
            if after not in met:
                met.add(after)
                waiting.append(after)
    least, frontier = {}, [(0, abstract_row(problem, number, problem.goal))]
    while frontier:
        g, row = heapq.heappop(frontier)
        if row not in least:
            least[row] = g
            for before, cost in reverse[row]:
                heapq.heappush(frontier, (g + cost, before))
    return {row: least.get(row, DEAD) for row in met}


def reachable(problem):
    met, waiting = {problem.initial}, [problem.initial]
    while waiting:
        for _, after, _ in problem.successors(waiting.pop()):
            if after not in met:
                met.add(after)
                waiting.append(after)
    return met


def true_costs(problem):
    """The least cost from each state within reach to the goal; DEAD where there is no way."""
    reverse = defaultdict(list)
    states = reachable(problem)
    for state in states:
        for _, after, cost in problem.successors(state):
            reverse[after].append((state, cost))
    least, frontier = {}, [(0, problem.goal)] if problem.goal in states else []
    while frontier:
        g, state = heapq.heappop(frontier)
        if state not in least:
            least[state] = g
            for before, cost in reverse[state]:
                heapq.heappush(frontier, (g + cost, before))
    return {state: least.get(state, DEAD) for state in states}


@settings(max_examples=60, deadline=None)
@given(problems())
def test_values_are_the_least_costs_in_the_abstract_space(problem):
    states = [*reachable(problem), *permutations(range(problem.size))] if problem.inverse else reachable(problem)
    for number, name in enumerate(problem.patterns):
        rows = {state: abstract_row(problem, number, state) for state in states}
        least = least_costs(problem, number, set(rows.values()))
        for state, row in rows.items():
            assert problem.estimate(name, state) == least[row]


@settings(max_examples=60, deadline=None)
@given(problems(rows=st.integers(2, 30)))
def test_values_with_room_or_without_are_admissible_consistent_and_add_up(problem):
    true = true_costs(problem)
    names = ["pdb", *problem.patterns]
    values = {name: {state: problem.estimate(name, state) for state in true} for name in names}
    for name in names:
        for state, least in true.items():
            assert values[name][state] <= least
            for _, after, cost in problem.successors(state):
                assert values[name][state] == DEAD or values[name][state] <= cost + values[name][after]
    for state in true:
        each = [values[name][state] for name in problem.patterns]
        together = sum(each) if problem.counts is not None and DEAD not in each else max(each)
        assert values["pdb"][state] == together


@settings(max_examples=60, deadline=None)
@given(problems(kinds=(Places, Shared), rows=st.integers(2, 30)))
def test_a_build_that_meets_its_cap_knows_all_up_to_a_depth(problem):
    roomy = type(problem)(problem.tiles, *_as_made(problem), goal=problem.goal, rows=1000)
    for number, name in enumerate(problem.patterns):
        problem.estimate(name)
        ceiling = problem.opened[FIELD + name][CEILING]
        for state in permutations(range(problem.size)):
            exact = roomy.estimate(name, state)
            assert problem.estimate(name, state) == min(exact, ceiling)
        rows = {abstract_row(problem, number, state) for state in permutations(range(problem.size))}
        if len(rows) <= problem.data._asdict()[FIELD + name].rows:
            assert ceiling == DEAD


def _as_made(problem):
    n, data = problem.size, problem.data
    turns = [data.turn[i : i + n] for i in range(0, len(data.turn), 2 * n)]
    return turns, data.group[:n], data.price


def unit(rows, start=(4, 3, 2, 1, 0), kind=Places):
    """Five tiles, of which neighbours change places; each move costs 1."""
    turns = [(*range(i), i + 1, i, *range(i + 2, 5)) for i in range(4)]

    class Unit(kind):
        costs = "unit"

    return Unit(start, turns, [0, 0, 0, 1, 1], [1] * 8, rows=rows)


def test_beyond_a_cap_the_value_is_the_depth_plus_1():
    exact, capped = unit(1000), unit(20)
    states = list(permutations(range(5)))
    values = [capped.estimate("group0", state) for state in states]
    pairs = list(zip(values, states, strict=True))
    assert max(values) < max(exact.estimate("group0", state) for state in states)
    assert all(value == min(exact.estimate("group0", state), max(values)) for value, state in pairs)
    rows = {abstract_row(exact, 0, state): exact.estimate("group0", state) for state in states}
    assert (
        sum(value < max(values) for value in rows.values()) <= 20 < sum(value <= max(values) for value in rows.values())
    )


def test_without_an_inverse_what_is_unexplored_is_worth_0():
    exact, capped = unit(1000, kind=OneWay), unit(20, kind=OneWay)
    states = list(permutations(range(5)))
    assert all(capped.estimate("pdb", state) <= exact.estimate("pdb", state) for state in states)
    assert any(capped.estimate("pdb", state) == 0 < exact.estimate("pdb", state) for state in states)


def test_a_table_for_one_goal_is_never_used_for_another():
    turns = [(1, 2, 3, 0)]
    one, other = (Places((0, 1, 2, 3), turns, [0] * 4, [1, 1], goal) for goal in ((0, 1, 2, 3), (1, 2, 3, 0)))
    tables = [problem.data.pattern_group0 for problem in (one, other)]
    assert tables[0] != tables[1]
    assert (one.estimate("group0"), other.estimate("group0")) == (0, 1)
    again = Places((1, 2, 3, 0), turns, [0] * 4, [1, 1], (0, 1, 2, 3))
    assert again.data.pattern_group0 == tables[0]


def test_a_table_belongs_to_the_rules_the_constants_and_the_pattern():
    def table(kind=Places, prices=(1, 1), groups=(0, 0, 1), start=(0, 1, 2), name="group0"):
        return getattr(kind(start, [(1, 2, 0)], groups, list(prices)).data, FIELD + name)

    class Dearer(Places):
        @kernel
        def apply(s, data, work, move):
            s[0], s[1], s[2] = s[1], s[2], s[0]
            return 2

    tables = [table(), table(Dearer), table(Shared), table(OneWay), table(prices=(1, 2)), table(groups=(0, 1, 1))]
    tables += [table(name="group1"), table(OneWay, start=(1, 2, 0))]
    assert len(set(tables)) == len(tables)
    assert table(start=(2, 1, 0)) == table()


BOX, LOOKUP, SEEN = [1], {0: 1}, {1, 2}
CONFIGURED = ModuleType("configured")
CONFIGURED.N = 1


class Settings:
    N = 1


class Jitted:
    """What Numba makes of a function, as far as it matters here."""

    def __init__(self, function):
        self.py_func = function


FACTOR = 1
jitted = Jitted(lambda x: x * FACTOR)


def added(n):
    return lambda x: x + n


def keyed(x, *, n=1):
    return x + n


@pytest.mark.parametrize(
    ("function", "change"),
    [
        (lambda x: CONFIGURED.N, lambda patch: patch.setattr(CONFIGURED, "N", 2)),
        (lambda x: BOX[0], lambda patch: patch.setitem(globals(), "BOX", [2])),
        (lambda x: LOOKUP[0], lambda patch: patch.setitem(LOOKUP, 0, 2)),
        (lambda x: Settings.N, lambda patch: patch.setattr(Settings, "N", 2)),
        (lambda x: jitted(x), lambda patch: patch.setitem(globals(), "FACTOR", 2)),
        (lambda x: [FACTOR for _ in range(x)], lambda patch: patch.setitem(globals(), "FACTOR", 2)),
        (lambda x: x in SEEN, lambda patch: patch.setitem(globals(), "SEEN", {1, 3})),
        (keyed, lambda patch: patch.setattr(keyed, "__kwdefaults__", {"n": 2})),
    ],
)
def test_a_digest_of_code_changes_with_all_that_it_reads(function, change, monkeypatch):
    before = code_digest([function])
    assert code_digest([function]) == before
    change(monkeypatch)
    assert code_digest([function]) != before


def test_a_digest_of_code_changes_with_the_variables_of_an_enclosing_function():
    assert code_digest([added(1)]) == code_digest([added(1)]) != code_digest([added(2)])


def test_what_cannot_be_told_apart_is_refused():
    strange = object()
    with pytest.raises(InputError, match=r"reads <object object at .*: patterns need numbers, sequences of them"):
        code_digest([lambda x: strange])


def test_a_table_for_other_rules_is_not_reused(monkeypatch, tmp_path):
    class Boxed(OneWay):
        @kernel
        def apply(s, data, work, move):
            s[0], s[1], s[2] = s[1], s[2], s[0]
            return BOX[0]

    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    values = []
    for price in (2, 1):
        monkeypatch.setitem(globals(), "BOX", [price])
        values.append(Boxed((1, 2, 0), [(1, 2, 0)], [0] * 3, [1, 1]).estimate("pdb"))
    assert values == [4, 2]


class Mixed(ArrayProblem):
    """Rows of any type and length, to be packed."""

    def __init__(self, row, dtype, bits):
        self.given = row
        super().__init__(size=len(row), max_moves=1, dtype=dtype, bits=bits, patterns={"all": 5})

    def start(self):
        return self.given

    @kernel
    def moves(s, data, work, out):
        return 0

    @kernel
    def apply(s, data, work, move):
        return 1

    @kernel
    def solved(s, data, work):
        return True

    @kernel
    def blur(s, data, work, pattern, i):
        return s[i]


@given(st.data())
def test_a_row_is_unpacked_as_it_was_packed(data):
    dtype, width = data.draw(st.sampled_from([("int8", 8), ("int16", 16), ("int32", 32)]))
    bits = data.draw(st.none() | st.integers(1, width - 1))
    entries = st.integers(0, 2**bits - 1) if bits else st.integers(-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    row = data.draw(st.lists(entries, min_size=1, max_size=40))
    problem = Mixed(row, dtype, bits)
    names, work, back = facts(problem), problem.work(), [0] * len(row)
    bound(pack, names)(row, problem.lists, work, 0)
    assert all(0 <= word < 1 << 63 for word in work)
    bound(unpack, names)(work, names["SCRATCH"], back)
    assert back == row


def test_where_goals_are_not_listed_solved_is_asked_of_abstract_rows():
    class Unlisted(Places):
        def goals(self, pattern):
            return None

        @kernel
        def solved(s, data, work):
            for i in range(len(s)):
                if s[i] != i and s[i] != BLURRED:
                    return False
            return True

    turns, groups = [(1, 0, 2, 3), (1, 2, 3, 0)], [0, 0, 1, 1]
    listed, unlisted = (kind((3, 1, 0, 2), turns, groups, [1, 2, 1, 1]) for kind in (Places, Unlisted))
    for state in reachable(listed):
        for name in listed.patterns:
            assert unlisted.estimate(name, state) == listed.estimate(name, state)


def wipe(work):
    for i in range(len(work)):
        work[i] = 5


class Wiping(Shared):
    """All kernels overwrite all of ``work``."""

    @kernel
    def moves(s, data, work, out):
        wipe(work)
        return Shared.moves(s, data, work, out)

    @kernel
    def apply(s, data, work, move):
        cost = Shared.apply(s, data, work, move)
        wipe(work)
        return cost

    @kernel
    def blur(s, data, work, pattern, i):
        wipe(work)
        return s[i] if data.group[s[i]] == pattern else BLURRED

    @kernel
    def counts(s, data, work, pattern, move):
        wipe(work)
        return Shared.counts(s, data, work, pattern, move)

    @kernel
    def solved(s, data, work):
        wipe(work)
        return Shared.solved(s, data, work)


@pytest.mark.parametrize("inverse", [True, False])
def test_kernels_may_overwrite_all_of_their_scratch(inverse):
    kinds = (Shared, Wiping) if inverse else (SharedOneWay, type("OneWay", (Wiping,), {"inverse": None}))
    plain, wiping = (unit(1000, kind=kind) for kind in kinds)
    for state in permutations(range(5)):
        assert wiping.estimate("pdb", state) == plain.estimate("pdb", state)


def test_a_row_of_several_words_is_packed_whatever_blur_leaves_in_its_scratch():
    class Messy(Mixed):
        @kernel
        def blur(s, data, work, pattern, i):
            wipe(work)
            return s[i]

    row = list(range(-20, 20))
    plain, messy = Mixed(row, "int32", None), Messy(row, "int32", None)
    names, work = facts(plain), plain.work()
    bound(pack, names)(row, plain.lists, work, 0)
    again = messy.work()
    bound(pack, facts(messy))(row, messy.lists, again, 0)
    assert again[names["SCRATCH"] :] == work[names["SCRATCH"] :]


@pytest.mark.parametrize("inverse", [True, False])
def test_kernels_may_read_data_by_number_and_variables_of_an_enclosing_function(inverse):
    blurred = BLURRED

    class Reads(Places if inverse else OneWay):
        @kernel
        def apply(s, data, work, move):
            n = len(s)
            for i in range(n):
                work[i] = s[data[0][n * move + i]]
            for i in range(n):
                s[i] = work[i]
            return data[2][move]

        @kernel
        def blur(s, data, work, pattern, i):
            return s[i] if data[1][s[i]] == pattern else blurred

    problem, plain = unit(1000, kind=Reads), unit(1000, kind=Places if inverse else OneWay)
    assert problem.estimate("group0") == plain.estimate("group0") > 0
    assert "pattern_group1" not in problem.opened


def test_goals_can_be_listed_for_some_patterns_only():
    class Half(Places):
        def goals(self, pattern):
            return [self.goal] if pattern == 0 else None

        @kernel
        def solved(s, data, work):
            for i in range(len(s)):
                if s[i] != i and s[i] != BLURRED:
                    return False
            return True

    listed, half = (unit(1000, kind=kind) for kind in (Places, Half))
    for state in permutations(range(5)):
        assert half.estimate("pdb", state) == listed.estimate("pdb", state)


def test_a_heuristic_of_one_pattern_builds_no_other():
    problem = unit(1000, kind=Shared)
    problem.estimate("group1")
    assert "pattern_group0" not in problem.opened and "pattern_group1" in problem.opened


@pytest.mark.parametrize(
    ("text", "admissible", "consistent"),
    [
        ("pdb", True, True),
        ("group0", True, True),
        ("group0 + group1", True, True),
        ("group1 + 0.5*group0", True, True),
        ("group0/2 + group1 + group0*0.5", True, True),
        ("max(group0 + group1, pdb)", True, True),
        ("0.5*(group0 + group1) + 0.5*pdb", True, True),
        ("group0 + group1 + group0", False, False),
        ("group0 + 1.5*group1", False, False),
        ("group0 + pdb", False, False),
        ("group0 + group1 + 1", False, False),
    ],
)
def test_sums_of_additive_heuristics_are_known_to_be_admissible(text, admissible, consistent):
    h = BoundHeuristic(heuristic(text), unit(1000, kind=Shared))
    assert (h.admissible, h.consistent) == (admissible, consistent)


def test_sums_of_others_are_not():
    h = BoundHeuristic(heuristic("group0 + group1"), unit(1000))
    assert not h.admissible
    assert BoundHeuristic(heuristic("max(group0, group1)"), unit(1000)).consistent


@pytest.mark.parametrize("kind", KINDS)
def test_conformance(kind):
    report = testing.check(unit(1000, kind=kind), walks=4, length=10, engines=False)
    assert set(report.heuristics) == {"group0", "group1", "pdb"} and min(report.heuristics.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_both_engines_agree_and_build_the_same_table(kind, monkeypatch):
    monkeypatch.setenv("PROCURA_CACHE", KEPT)
    searches = ["astar:pdb"]
    if kind is Shared:
        searches += ["idastar:pdb", "astar:group0 + group1", "astar:max(group0, 0.5*group1)"]
    for search in searches:
        testing.assert_same_on_both_engines(unit(1000, kind=kind), search, limits=Limits(nodes=500))
    for rows in (1000, 20):
        problem, built = unit(rows, kind=kind), []
        for compiled in (False, True):
            entries = memoryview(array("q", bytes(8 * problem.data.pattern_group0.length)))
            databases.Build(problem, 0, rows, entries, compiled).build(lambda part: None)
            built.append(entries.tolist())
        assert built[0] == built[1]


def broken(**kernels):
    """A problem with kernels that break what patterns rely on."""
    return unit(1000, kind=type("Broken", (Shared,), {name: kernel(each) for name, each in kernels.items()}))


@pytest.mark.parametrize(
    ("kernels", "message"),
    [
        ({"counts": lambda s, data, work, pattern, move: 1}, "the patterns count .1, 1. for move"),
        ({"counts": lambda s, data, work, pattern, move: -1}, "none below 0"),
        ({"blur": lambda s, data, work, pattern, i: (s[i] + 1) % 8}, "and that to another row"),
        ({"blur": lambda s, data, work, pattern, i: 9}, "9 does not fit 3 bits"),
        ({"blur": lambda s, data, work, pattern, i: s[i] if i else 7}, "does not lead by move"),
        ({"blur": lambda s, data, work, pattern, i: max(work[0], 0) % 8}, "depends on what it finds in the scratch"),
        ({"inverse": lambda data, move: move | 1}, "move 0 is not the inverse of its own inverse, 1"),
    ],
)
def test_check_finds_patterns_that_break_their_rules(kernels, message):
    with pytest.raises(testing.ConformanceError, match=message):
        testing.check(broken(**kernels), walks=4, length=10, engines=False)


def test_check_finds_goals_that_are_left_out():
    class Wrong(Places):
        def goals(self, pattern):
            return [(1, 0, 2)]

    with pytest.raises(testing.ConformanceError, match=r"which the goal .* is blurred to, is none of pattern 0"):
        testing.check(Wrong((0, 1, 2), [(1, 2, 0)], [0, 0, 1], [1, 1]), walks=2, engines=False)


def test_moves_that_are_not_allowed_when_blurred_are_found():
    class Shy(Places):
        @kernel
        def moves(s, data, work, out):
            out[0] = 0
            return 1 if s[0] != BLURRED else 0

        inverse = None

    with pytest.raises(testing.ConformanceError, match="does not allow its move 0"):
        testing.check(Shy((0, 1, 2), [(1, 2, 0)], [0, 0, 1], [1, 1]), walks=2, engines=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"blur": None}, "defines no kernel blur, which patterns need"),
        ({"costs": "any"}, "patterns need costs that are whole and not negative"),
        ({"integer_costs": False}, "patterns need costs that are whole and not negative"),
        ({"heuristics": {"group0": Estimate(abs)}}, "pattern 'group0': expected a name that no heuristic has"),
        ({"heuristics": {"pdb": Estimate(abs)}}, "a heuristic is named pdb, as all patterns together are"),
        ({"goals": lambda self, pattern: []}, "lists no rows"),
        ({"goals": lambda self, pattern: [(1, 2)]}, "expected a row of 5 integers"),
        ({"inverse": kernel(lambda data, move: 0)}, "need moves that are their inverse's inverse"),
        ({"apply": kernel(lambda s, data, work, move: -1)}, "less than 0 for an abstract row"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    kind = type("Changed", (Places,), change)
    with pytest.raises(InputError, match=message):
        kind((0, 1, 2, 3, 4), [(1, 2, 3, 4, 0)], [0] * 5, [1, 1]).estimate("pdb")


@pytest.mark.parametrize(
    ("rows", "message"), [(0, "0 rows: expected 1 to"), (1 << 40, "rows: expected 1 to"), (1.5, "1.5 rows")]
)
def test_rows_are_checked(rows, message):
    with pytest.raises(InputError, match=message):
        unit(rows)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"patterns": ["a"]}, r"patterns \['a'\]: expected names, each with its rows"),
        ({"patterns": {"a": 5}, "data": Data(pattern_a=[1])}, "data pattern_a: expected another name"),
    ],
)
def test_what_is_declared_is_checked(declared, message):
    class Declared(Mixed):
        def __init__(self):
            ArrayProblem.__init__(self, size=1, max_moves=1, **declared)

    with pytest.raises(InputError, match=message):
        Declared()


@pytest.mark.parametrize("change", [{}, {"inverse": kernel(lambda data, move: move)}])
def test_more_steps_than_can_be_kept_are_refused(change):
    class Wide(Mixed):
        def __init__(self):
            self.given = [0]
            ArrayProblem.__init__(self, size=1, max_moves=1 << 16, patterns={"all": 1 << 15})

    with pytest.raises(InputError, match="pattern 'all': 32,768 rows of 65,536 moves are too many steps to keep"):
        type("Wide", (Wide,), change)().estimate("all")


def test_the_memory_that_a_build_needs_is_known_before():
    problem = Mixed(range(60), "int32", None)
    table = problem.data.pattern_all
    build = databases.Build(problem, 0, table.rows, memoryview(array("q", bytes(table.size))), compiled=False)
    _, stack, steps, *_ = build._arguments
    assert table.needed == table.size + 8 * len(stack) + 4 * sum(map(len, steps))


def test_more_goals_than_room_is_an_error():
    with pytest.raises(InputError, match="the pattern 'group0' of 1 rows has more goals than that"):
        Many((0, 1, 2), [(1, 2, 0)], [0] * 3, [1, 1], rows=1).estimate("pdb")


def test_a_limit_on_memory_holds_before_a_database_is_built(monkeypatch):
    monkeypatch.setattr(databases, "Build", None)  # which nobody may call
    limits = Limits(memory=resident_bytes() + 50_000_000)
    result = solve(unit(10_000_000), "astar:pdb", engine="python", limits=limits)
    assert result.stopped_by == "memory" and result.stats.expanded == 0


def test_compiling_what_builds_a_database_takes_no_time_of_the_search(monkeypatch):
    engine = pytest.importorskip("procura.compiled.engine")
    clock, late = time.perf_counter, [0]

    def compile_for(control, function, *rest):
        late[0] += 1000
        return function

    monkeypatch.setattr(databases, "FEW", 0)
    monkeypatch.setattr(engine, "compile_for", compile_for)
    monkeypatch.setattr(engine, "wide_rows", lambda: True)
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + late[0])
    result = solve(unit(997), "astar:group0", engine="python", limits=Limits(seconds=500))
    assert (result.solved, late) == (True, [1000])
    assert result.stats.seconds < 500 < 1000 <= result.stats.compile_seconds < 1500


def test_a_database_that_the_time_is_too_short_for_is_begun_once(monkeypatch):
    pytest.importorskip("numba")
    begun, allow = [], TableWatch.allow
    monkeypatch.setattr(TableWatch, "allow", lambda watch, table: (begun.append(table), allow(watch, table)))
    result = solve(unit(10_000_000), "astar:pdb", limits=Limits(seconds=1e-9))
    assert (result.outcome, result.stopped_by, result.engine) == (Outcome.NOT_FOUND, "time", "python")
    assert len(begun) == 1


def test_before_a_compiled_run_databases_are_built_within_its_limits():
    pytest.importorskip("numba")
    configuration = Configuration.parse("astar:pdb")
    what = plan(unit(10_000_000), configuration, "compiled")
    assert prepare(what, cancel=lambda: True).stopped_by == "cancelled"
    assert prepare(what, limits=Limits(memory=resident_bytes() + 50_000_000)).stopped_by == "memory"
    assert prepare(what, limits=Limits(seconds=1e-9)).stopped_by == "time"
    kernels = handover.Kernels()
    kernels._load(handover.Job(what.problem, configuration, partial(prepare, what)), Control(cancel=lambda: True))
    assert not kernels.loaded


class Many(Places):
    """Any row is a goal."""

    def goals(self, pattern):
        return list(permutations(range(self.size)))


def test_a_forecast_says_what_a_database_takes(monkeypatch):
    small = forecast(unit(1000), "group0")
    assert small.rows == 60 and small.table_bytes == unit(1000).data.pattern_group0.size < small.build_bytes
    large = forecast(unit(40), "group0")
    assert large.rows == 40
    monkeypatch.setattr(databases, "LOOKED_AT", 50)
    many = forecast(unit(1000, kind=Many), "group0")
    assert many.rows == 60
    with pytest.raises(InputError, match="Unit has no pattern 'group9'"):
        forecast(unit(1000), "group9")
