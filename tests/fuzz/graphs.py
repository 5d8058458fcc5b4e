"""Small graphs as search problems, on Python objects and in rows, with declarations that may be lies."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from procura import DEAD, ArrayProblem, Configuration, Data, Estimate, Problem, catalog, kernel

WORDS: dict[Any, Any] = {
    "dead": DEAD, "inf": math.inf, "-inf": -math.inf, "nan": math.nan, "none": None, "text": "5",
    "third": Fraction(1, 3), "tenth": Decimal("0.1"), "true": True,
}  # fmt: skip
"""What stands for a value that is no plain number."""
MARKS = {"dead": -(1 << 62), "inf": -(1 << 62) - 1, "-inf": -(1 << 62) - 2, "nan": -(1 << 62) - 3}
"""The same in the rows of a problem."""
DEAD_MARK, INF_MARK, MINUS_MARK, NAN_MARK = MARKS.values()
INF, MINUS, NAN = math.inf, -math.inf, math.nan
FAR_END = float(DEAD)

Number = int | str
"""A numerator, or one of ``WORDS``."""


def value_of(number: Number, scale: int | None) -> Any:
    """What a problem returns: a whole number, or a quotient if there is a scale."""
    if isinstance(number, str):
        return WORDS[number]
    return number if scale is None else float(number) / float(scale)


@dataclass(frozen=True)
class Table:
    """A heuristic as a table, and what the problem says of it."""

    values: tuple[Number, ...]
    scale: int | None = None
    admissible: bool = False
    consistent: bool = False
    integer: bool = True
    step: bool = False


@dataclass(frozen=True)
class World:
    """A graph and what is declared of it; the way leads from vertex 0 to any of ``goals``."""

    vertices: int
    arcs: tuple[tuple[int, int, Number], ...]
    """(from, to, cost), in the order in which they are listed."""
    goals: tuple[int, ...]
    scale: int | None = None
    """Costs are divided by it; None: they are whole."""
    costs: str = "nonnegative"
    integer_costs: bool = True
    acyclic: bool = False
    paired: bool = False
    """Arc 2k + 1 takes back arc 2k, and the problem says so."""
    a: Table | None = None
    b: Table | None = None

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The heuristics by name."""
        return {name: table for name, table in (("a", self.a), ("b", self.b)) if table is not None}


@dataclass(frozen=True)
class Case:
    """What is run, on which graph, in which ways."""

    world: World
    searches: tuple[str, ...]
    """Configurations; a portfolio takes all, everything else the first."""
    ways: tuple[str, ...] = ("plain",)
    """Some of plain, told (of events), python, compiled, auto, portfolio and batch."""
    nodes: int = 300
    depth: int | None = None
    tiny: bool = False
    """Compiled searches begin with stores that are far too small."""
    jobs: int = 1
    """The threads of portfolios and batches."""

    @cached_property
    def configurations(self) -> list[tuple[catalog.Algorithm, str | None, dict[str, Any]]]:
        """The algorithm, heuristic and options of each search."""
        return [_read(text) for text in self.searches]


def _read(text: str) -> tuple[catalog.Algorithm, str | None, dict[str, Any]]:
    search = Configuration.parse(text)
    return search.info, None if search.heuristic is None else search.heuristic.text, search.all_options


class PlainGraph(Problem):
    """The graph on Python objects: states are vertices, actions the numbers of arcs."""

    initial = 0

    def __init__(self, world: World) -> None:
        self.costs, self.integer_costs, self.acyclic = world.costs, world.integer_costs, world.acyclic  # type: ignore[assignment]
        self.arcs = [(target, value_of(cost, world.scale)) for _, target, cost in world.arcs]
        self.listed = [[a for a, arc in enumerate(world.arcs) if arc[0] == v] for v in range(world.vertices)]
        self.goals, self.paired = world.goals, world.paired
        self.heuristics = {}
        for name, table in world.tables.items():
            values = [value_of(number, table.scale) for number in table.values]
            self.heuristics[name] = Estimate(
                values.__getitem__, table.admissible, table.consistent, integer=table.integer
            )

    def actions(self, state: int) -> list[int]:
        return self.listed[state]

    def result(self, state: int, action: int) -> int:
        return self.arcs[action][0]

    def cost(self, state: int, action: int, next_state: int) -> Any:
        return self.arcs[action][1]

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def undoes(self, action: int, last: int) -> bool:
        return self.paired and last ^ 1 == action


def real(number, scale):
    """A quotient, or what a mark stands for; the same arithmetic in both engines."""
    if number == DEAD_MARK:
        return FAR_END
    if number == INF_MARK:
        return INF
    if number == MINUS_MARK:
        return MINUS
    if number == NAN_MARK:
        return NAN
    return float(number) / float(scale)


def whole_a(s, data, work):
    return data.a[s[0]]


def whole_b(s, data, work):
    return data.b[s[0]]


def real_a(s, data, work):
    return real(data.a[s[0]], data.scales[1])


def real_b(s, data, work):
    return real(data.b[s[0]], data.scales[2])


def step_a(s, data, work, move, h):
    return data.a[data.to[move]]


def step_b(s, data, work, move, h):
    return data.b[data.to[move]]


KERNELS = {"a": (whole_a, real_a, step_a), "b": (whole_b, real_b, step_b)}


class Graph(ArrayProblem):
    """The graph in rows of one integer: one class, so that a kernel serves all graphs."""

    def __init__(self, world: World) -> None:
        self.costs, self.integer_costs, self.acyclic = world.costs, world.integer_costs, world.acyclic  # type: ignore[assignment]
        listed = sorted(range(len(world.arcs)), key=lambda a: (world.arcs[a][0], a))
        first = [sum(u < v for u, _, _ in world.arcs) for v in range(world.vertices + 1)]
        self.heuristics = {}
        fields: dict[str, list[int]] = {"a": [0], "b": [0]}
        scales = [world.scale or 1, 1, 1]
        for at, (name, table) in enumerate(world.tables.items(), 1):
            whole, quotient, step = KERNELS[name]
            kept = table.scale is None
            scales[at] = table.scale or 1
            fields[name] = [_stored(number, kept) for number in table.values]
            self.heuristics[name] = Estimate(
                whole if kept else quotient, table.admissible, table.consistent,
                step if kept and table.step else None, table.integer,
            )  # fmt: skip
        data = Data(
            to=[target for _, target, _ in world.arcs] or [0],
            cost=[_stored(cost, world.scale is None) for _, _, cost in world.arcs] or [0],
            first=first, listed=listed or [0], goals=[int(v in world.goals) for v in range(world.vertices)],
            scales=scales, **fields,
        )  # fmt: skip
        most = max(1, *(b - a for a, b in itertools.pairwise(first)))
        super().__init__(size=1, dtype="int16", max_moves=most, data=data)

    def start(self) -> list[int]:
        return [0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        for at in range(data.first[s[0]], data.first[s[0] + 1]):
            out[count] = data.listed[at]
            count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[0] = data.to[move]
        return data.cost[move]

    @kernel
    def solved(s, data, work):
        return data.goals[s[0]] != 0


class RealGraph(Graph):
    """The same with costs that are quotients."""

    @kernel
    def apply(s, data, work, move):
        s[0] = data.to[move]
        return real(data.cost[move], data.scales[0])


class PairedGraph(Graph):
    """The same with moves that can be taken back."""

    @kernel
    def inverse(data, move):
        return move ^ 1


class PairedRealGraph(RealGraph):
    """The same with both."""

    @kernel
    def inverse(data, move):
        return move ^ 1


def _stored(number: Number, whole: bool) -> int:
    if isinstance(number, int):
        return number
    return int(DEAD) if whole else MARKS[number]


def in_rows(world: World) -> bool:
    """Whether rows can hold what the graph has: their rules give numbers, of one type each."""
    tables = list(world.tables.values())
    costs = {cost for _, _, cost in world.arcs if isinstance(cost, str)}
    words = {number for table in tables for number in table.values if isinstance(number, str)}
    if (costs | words) - set(MARKS) or (world.scale is None and costs):
        return False
    return all(table.scale is not None or not ({"inf", "-inf", "nan"} & set(table.values)) for table in tables)


def rows(world: World) -> ArrayProblem:
    """The graph as a problem in rows."""
    kinds = (Graph, RealGraph, PairedGraph, PairedRealGraph)
    return kinds[(world.scale is not None) + 2 * world.paired](world)
