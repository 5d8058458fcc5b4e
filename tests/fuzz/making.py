"""Random cases: graphs with costs and heuristics of every kind, any option of any algorithm, true and false words."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from fuzz.graphs import Case, Number, Table, World, in_rows
from fuzz.truth import Truth, least_costs

from procura import catalog

BASES = (1 << 29, 1 << 30, 1 << 31, 1 << 32, 10**10, 1 << 52, 1 << 53, 1 << 60, (1 << 62) - 5)
SCALES = (10, 3, 7, 1024, 10**9, 1, 10**6)


def _cost_maker(rng: random.Random) -> tuple[Any, int | None]:
    """A function that draws numerators, and their scale."""
    kind = rng.randrange(14)
    base = rng.choice(BASES)
    scale = rng.choice(SCALES) if rng.random() < 0.3 else None
    if kind < 2:
        return (lambda: 1), None
    if kind < 5:
        return (lambda: rng.randrange(10)), scale
    if kind == 5:
        return (lambda: rng.randrange(2)), scale
    if kind < 8:
        return (lambda: rng.randrange(-5, 10)), scale
    if kind == 8:
        return (lambda: rng.choice((0, 1, base, base + rng.randrange(-5, 6)))), scale
    if kind == 9:
        return (lambda: base + rng.randrange(-3, 4)), scale
    if kind == 10:
        return (lambda: rng.choice((-base, base, 0, 1, -1, base + 1))), scale
    if kind == 11:
        return (lambda: rng.randrange(1 << rng.randrange(1, 50))), scale
    if kind == 12:
        return (lambda: 10**9 + rng.randrange(-2, 3)), rng.choice((10**9, 10))
    return (lambda: rng.randrange(1000)), rng.choice(SCALES)


def _arcs(rng: random.Random, n: int, acyclic: bool, paired: bool, cost: Any) -> Iterator[tuple[int, int, int]]:
    """Random arcs; most often some that lead along most vertices, and others that mostly stay near."""
    ends = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randrange(2 * n + 1))]
    if rng.random() < 0.8:
        line = [0, *(v for v in range(1, n - 1) if rng.random() < 0.7), n - 1]
        ends += pairwise(line)
        ends += [(u, min(n - 1, max(0, u + rng.choice((-1, 1, 2, 3))))) for u in rng.sample(range(n), (n + 1) // 2)]
        rng.shuffle(ends)
    for u, v in ends:
        if acyclic:
            if u == v:
                continue
            u, v = min(u, v), max(u, v)
        yield u, v, cost()
        if paired:
            yield v, u, cost()


def _table(rng: random.Random, truth: Truth, least: list[Any], fractions: bool) -> Table:
    """A heuristic: what is left to go, less or more of it, or anything."""
    kind = rng.randrange(12)
    span = max([1, *(abs(c) for c in least if isinstance(c, int))])
    values: list[Number] = []
    for rest in least:
        if rest is None:
            values.append(rng.choice(("dead", "dead", 0, 1, span, "inf")))
        elif rest == -math.inf or kind == 0:
            values.append(rng.randrange(-3, 10))
        elif kind < 4:
            values.append(rest)
        elif kind < 7:
            values.append(rest - rng.randrange(4))
        elif kind == 7:
            values.append(rest - rng.randrange(span + 1))
        elif kind == 8:
            values.append(rest + rng.choice((0, 0, 0, 1, 5)))
        elif kind == 9:
            values.append(rng.choice((0, rest)))
        elif kind == 10:
            values.append(-rng.randrange(span + 1))
        else:
            values.append(0)
    scale = truth.world.scale
    if scale is None and "inf" in values:
        values = ["dead" if value == "inf" else value for value in values]
    if scale is None and fractions:
        scale = rng.choice((1, 2, 10))
        values = [value if isinstance(value, str) else value * scale - rng.randrange(2) for value in values]
    if rng.random() < 0.03:
        values[rng.randrange(len(values))] = rng.choice(("nan", "none", "text", "-inf", "third", "tenth", "true"))
    table = Table(tuple(values), scale, step=rng.random() < 0.3)
    lies = rng.random() < 0.12
    return Table(
        table.values, scale,
        admissible=lies or (rng.random() < 0.85 and truth.is_admissible(table)),
        consistent=(lies and rng.random() < 0.5) or (rng.random() < 0.7 and truth.is_consistent(table)),
        integer=(lies and rng.random() < 0.2) or (rng.random() < 0.9 and truth.is_whole(table)),
        step=table.step,
    )  # fmt: skip


FACTORS = ("0", "0.5", "1", "2", "3", "0.1", "0.9", "1e-9", "1.0000000009", "1e10", "0.333", "7")


def _expression(rng: random.Random, depth: int = 2) -> str:
    """A heuristic in words."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(("a", "a", "b", "zero"))
    one, other = _expression(rng, depth - 1), _expression(rng, depth - 1)
    factor = rng.choice(FACTORS)
    return rng.choice(
        (
            f"{factor}*({one})", f"({one})*{factor}", f"max({one}, {other})", f"min({one}, {other})",
            f"{one} + {other}", f"0.5*({one}) + 0.5*({other})", f"{one} - {factor}", f"{one} + {factor}",
            f"({one}) / {rng.choice(FACTORS[1:])}", f"{one} - ({other})", f"-({one})", f"({one})*({other})",
        )
    )  # fmt: skip


def random_value(rng: random.Random, option: catalog.Option, numbers: list[float]) -> Any:
    """Any value that an option of the catalog takes; ``numbers`` are some that matter in the case."""
    if option.takes_none and rng.random() < 0.5:
        return None
    if option.kind == "bool":
        return rng.random() < 0.5
    if option.kind == "choice":
        return rng.choice(option.choices)
    if option.kind == "text":
        return option.default
    pool: list[Any]
    if option.kind == "int":
        pool = [1, 1, 2, 2, 3, 5, 8, option.default, option.low]
    else:
        pool = [0.0, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 3.0, 1.0000000009, 0.1, 7.0, option.default, option.low, *numbers]
    fitting = [x for x in pool if x is not None and math.isfinite(x) and option.low <= x <= option.high]
    return rng.choice(fitting)


def random_search(rng: random.Random, info: catalog.Algorithm, numbers: list[float]) -> str:
    """A configuration of an algorithm with any of its options."""
    text = info.name
    if info.uses_heuristic and rng.random() < 0.93:
        text += ":" + ("a" if rng.random() < 0.65 else _expression(rng))
    for option in info.options:
        if rng.random() < 0.6:
            text += f",{option.name}={_written(random_value(rng, option, numbers))}"
    return text


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def random_world(rng: random.Random) -> World:
    """A graph with declarations and heuristics."""
    n = rng.choice((1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 10, 12))
    cost, scale = _cost_maker(rng)
    acyclic = rng.random() < 0.45
    paired = not acyclic and rng.random() < 0.25
    arcs: list[Any] = list(_arcs(rng, n, acyclic, paired, cost))
    if rng.random() < 0.02 and arcs:
        at = rng.randrange(len(arcs))
        arcs[at] = (*arcs[at][:2], rng.choice(("nan", "none", "text", "inf", "-inf", "third", "tenth", "true")))
    goals = rng.choice(((n - 1,), (n - 1,), (n - 1,), (n - 1,), (0,), (), tuple({rng.randrange(n), n - 1})))
    world = World(n, tuple(arcs), goals, scale=scale, paired=paired)
    truth = Truth(world)
    lies = rng.random() < 0.1
    costs = rng.choice(("unit", "nonnegative", "any") if lies else sorted(truth.costs))
    if not lies and rng.random() < 0.5:
        costs = max(truth.costs, key=("any", "nonnegative", "unit").index)
    whole = all(cost == int(cost) for cost in truth.used_costs)
    least = least_costs(n, [(u, v, cost) for u, v, cost in arcs if isinstance(cost, int)], goals)
    fractions = rng.random() < 0.1
    return replace(
        world,
        costs=costs,
        acyclic=(lies and rng.random() < 0.3) or (truth.is_acyclic and rng.random() < 0.8),
        integer_costs=(lies and rng.random() < 0.3) or (whole and rng.random() < 0.9),
        a=_table(rng, truth, least, fractions),
        b=_table(rng, truth, least, fractions),
    )


@dataclass(frozen=True)
class Mix:
    """How often each way of solving is taken."""

    compiled: float = 0.3
    unusual: float = 0.2
    """Of what few kernels do not serve, how much is compiled for all that; there are about 150 kernels."""
    portfolio: float = 0.03
    batch: float = 0.03
    algorithms: tuple[str, ...] = tuple(info.name for info in catalog.ALGORITHMS.values() if not info.local)
    """Those that search graphs."""


def random_cases(rng: random.Random, mix: Mix, count: int = 8) -> Iterator[Case]:
    """Searches of one graph."""
    world = random_world(rng)
    truth = Truth(world)
    numbers = [float(x) for x in (truth.optimum, truth.largest) if x is not None and abs(x) < 1e300]
    numbers += [number + 1 for number in numbers] + [number - 1 for number in numbers]
    for _ in range(count):
        yield _random_case(rng, mix, world, numbers)


def _random_case(rng: random.Random, mix: Mix, world: World, numbers: list[float]) -> Case:
    portfolio = rng.random() < mix.portfolio
    infos = [catalog.ALGORITHMS[rng.choice(mix.algorithms)] for _ in range(rng.choice((2, 3)) if portfolio else 1)]
    searches = [random_search(rng, info, numbers) for info in infos]
    case = Case(
        world,
        tuple(searches),
        nodes=rng.choice((300, 300, 300, 300, 300, 60, 20, rng.randrange(10))),
        depth=rng.choice((None, None, rng.randrange(world.vertices + 1))),
        tiny=rng.random() < 0.5,
        jobs=rng.choice((1, 2)),
    )
    if portfolio:
        return replace(case, ways=("portfolio",))
    ways = ["plain"]
    if rng.random() < mix.compiled and in_rows(world) and (is_usual(case) or rng.random() < mix.unusual):
        ways += ["python", rng.choice(("compiled", "compiled", "auto"))]
    elif rng.random() < 0.1 and in_rows(world):
        ways += ["python"]
    if rng.random() < mix.batch:
        ways += [rng.choice(("batch", "told"))]
    return replace(case, ways=tuple(ways))


def is_usual(case: Case) -> bool:
    """Whether one of few kernels can run it."""
    world, (info, heuristic, options) = case.world, case.configurations[0]
    if world.scale is not None or not world.integer_costs or options.get("weight", 1) != 1:
        return False
    if not info.uses_heuristic:
        return True
    table = world.a
    single = heuristic == "a" and table is not None and table.integer and table.scale is None and not table.step
    beam = info.name in ("beam", "anytime")
    return single and not (beam and (world.costs != "nonnegative" or not table.admissible)) and not world.paired
