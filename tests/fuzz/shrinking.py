"""A counter-example made small, and written as Python that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from fuzz.graphs import Case, Table, World, value_of

from procura import Configuration, heuristic
from procura.heuristics import Name, Number, Operation

T = TypeVar("T")

SECONDS = 20.0
"""How long one counter-example may be worked on."""


def shrink(
    case: T, fails: Callable[[T], bool], simpler_ones: Callable[[T], Iterator[T]], seconds: float = SECONDS
) -> T:
    """The smallest case found that still fails: one simpler part after the other, as long as any helps."""
    until = time.monotonic() + seconds
    while True:
        for simpler in simpler_ones(case):
            if time.monotonic() > until:
                return case
            if fails(simpler):
                case = simpler
                break
        else:
            return case


def simpler_cases(case: Case) -> Iterator[Case]:
    """The case with one thing left out or made plainer, the largest steps first."""
    for at in range(len(case.ways)):
        if len(case.ways) > 1:
            yield replace(case, ways=case.ways[:at] + case.ways[at + 1 :])
    for at in range(1, len(case.searches)):
        yield replace(case, searches=case.searches[:at] + case.searches[at + 1 :])
    for world in simpler_worlds(case.world):
        yield replace(case, world=world)
    for at, text in enumerate(case.searches):
        for plainer in plainer_texts(text):
            yield replace(case, searches=(*case.searches[:at], plainer, *case.searches[at + 1 :]))
    for name, plain in (("depth", None), ("nodes", 300), ("tiny", False), ("jobs", 1)):
        if getattr(case, name) != plain:
            yield replace(case, **{name: plain})


def plainer_texts(text: str) -> Iterator[str]:
    """A configuration with an option or a part of its heuristic less."""
    search = Configuration.parse(text)
    for at in range(len(search.options)):
        yield str(replace(search, options=search.options[:at] + search.options[at + 1 :]))
    if search.heuristic is not None:
        for tree in plainer_trees(search.heuristic.tree):
            yield str(replace(search, heuristic=heuristic(written_tree(tree))))


def plainer_trees(tree: Any) -> Iterator[Any]:
    """A heuristic with one operation less, or a plainer number."""
    if isinstance(tree, Operation):
        yield from (tree.left, tree.right)
        yield from (replace(tree, left=plainer) for plainer in plainer_trees(tree.left))
        yield from (replace(tree, right=plainer) for plainer in plainer_trees(tree.right))
    elif isinstance(tree, Number) and tree.value not in (1, 2):
        yield from (Number(1.0), Number(2.0))


def written_tree(tree: Any) -> str:
    """A heuristic as text."""
    if not isinstance(tree, Operation):
        return tree.name if isinstance(tree, Name) else str(tree.value)
    left, right = written_tree(tree.left), written_tree(tree.right)
    if tree.operator in ("max", "min"):
        return f"{tree.operator}({left}, {right})"
    return f"({left} {tree.operator} {right})"


def simpler_worlds(world: World) -> Iterator[World]:
    """A graph with an arc, a vertex, a goal, a heuristic or a fact less, or a plainer cost."""
    step = 2 if world.paired else 1
    for at in range(0, len(world.arcs), step):
        yield replace(world, arcs=world.arcs[:at] + world.arcs[at + step :])
    for vertex in range(1, world.vertices):
        yield without(world, vertex)
    if world.paired:
        yield replace(world, paired=False)
    for goal in world.goals:
        yield replace(world, goals=tuple(other for other in world.goals if other != goal))
    for name in ("a", "b"):
        table = getattr(world, name)
        if table is not None:
            yield replace(world, **{name: None})
            yield from (replace(world, **{name: plainer}) for plainer in plainer_tables(table))
    for at, (source, target, cost) in enumerate(world.arcs):
        for number in plainer_numbers(cost):
            yield replace(world, arcs=(*world.arcs[:at], (source, target, number), *world.arcs[at + 1 :]))
    for name, plain in (("acyclic", False), ("integer_costs", True), ("costs", "nonnegative"), ("scale", None)):
        if getattr(world, name) != plain:
            yield replace(world, **{name: plain})


def without(world: World, vertex: int) -> World:
    """The world without one vertex and its arcs; not if arcs must stay in pairs."""
    new = [v - (v > vertex) for v in range(world.vertices)]
    tables = {
        name: replace(table, values=table.values[:vertex] + table.values[vertex + 1 :])
        for name, table in world.tables.items()
    }
    return replace(
        world,
        vertices=world.vertices - 1,
        arcs=tuple((new[u], new[v], cost) for u, v, cost in world.arcs if vertex not in (u, v)),
        goals=tuple(new[goal] for goal in world.goals if goal != vertex),
        **tables,
    )


def plainer_tables(table: Table) -> Iterator[Table]:
    """A heuristic with one value plainer, or one fact less."""
    for at, number in enumerate(table.values):
        for plainer in plainer_numbers(number):
            yield replace(table, values=(*table.values[:at], plainer, *table.values[at + 1 :]))
    plain_facts = {"step": False, "consistent": False, "admissible": False, "integer": True, "scale": None}
    for name, plain in plain_facts.items():
        if getattr(table, name) != plain:
            yield replace(table, **{name: plain})


def plainer_numbers(number: int | str) -> Iterator[int]:
    """Numbers that are easier to read; each is of less weight than the number itself."""
    if isinstance(number, str):
        yield from (0, 1)
        return
    powers = [(abs(number) // base) * base for base in (10**9, 10**6, 1000, 10)]
    for plainer in (0, 1, *powers, number // 2, abs(number), number - 1):
        if _weight(plainer) < _weight(number):
            yield plainer


def _weight(number: int) -> tuple[int, int, bool]:
    return len(str(abs(number)).rstrip("0")), abs(number), number < 0


# ---- as Python


def snippet(case: Case) -> str:
    """Python that runs the case: by itself where a plain Problem shows it, else with the fuzzer's own classes."""
    return _plain(case) if case.ways == ("plain",) else _with_fuzzer(case)


def _plain(case: Case) -> str:
    world = case.world
    arcs = [(u, v, value_of(cost, world.scale)) for u, v, cost in world.arcs]
    lines = [
        "from decimal import Decimal", "from fractions import Fraction", "from math import inf, nan", "",
        "from procura import DEAD, Estimate, Limits, Problem, solve", "", f"ARCS = {arcs}  # (from, to, cost)",
    ]  # fmt: skip
    declared = []
    for name, table in world.tables.items():
        values = [value_of(number, table.scale) for number in table.values]
        shown = ", ".join(
            "DEAD" if number == "dead" else repr(value) for number, value in zip(table.values, values, strict=True)
        )
        lines.append(f"{name.upper()} = [{shown}]")
        facts = f"admissible={table.admissible}, consistent={table.consistent}, integer={table.integer}"
        declared.append(f'"{name}": Estimate({name.upper()}.__getitem__, {facts})')
    lines += [
        "",
        "class G(Problem):",
        f"    initial, costs, integer_costs, acyclic = 0, {world.costs!r}, {world.integer_costs}, {world.acyclic}",
        f"    heuristics = {{{', '.join(declared)}}}",
        "    def actions(self, s): return [a for a, arc in enumerate(ARCS) if arc[0] == s]",
        "    def result(self, s, a): return ARCS[a][1]",
        "    def cost(self, s, a, t): return ARCS[a][2]",
        f"    def is_goal(self, s): return s in {set(world.goals) or '()'}",
    ]
    if world.paired:
        lines.append("    def undoes(self, action, last): return last ^ 1 == action")
    limits = f"Limits(nodes={case.nodes}{'' if case.depth is None else f', depth={case.depth}'})"
    lines += ["", f"print(solve(G(), {case.searches[0]!r}, limits={limits}))"]
    return "\n".join(lines)


def _with_fuzzer(case: Case) -> str:
    lines = [
        "# PYTHONPATH=tests",
        "from fuzz.claims import faults, run, seen",
        "from fuzz.graphs import Case, Table, World",
        "",
        f"world = {_written(case.world)}",
        f"case = {_written(replace(case, world=None))}".replace("world=None", "world=world"),  # type: ignore[arg-type]
        *(f"print({way!r}, seen(run(case, {way!r})[0]))" for way in case.ways),
        "print(*faults(case), sep='\\n')",
    ]
    return "\n".join(lines)


def _written(thing: Any) -> str:
    """A dataclass as Python writes it, without what is the default."""
    parts = []
    for field in fields(thing):
        value = getattr(thing, field.name)
        if value != field.default:
            parts.append(f"{field.name}={_written(value) if isinstance(value, Table) else repr(value)}")
    return f"{type(thing).__name__}({', '.join(parts)})"
