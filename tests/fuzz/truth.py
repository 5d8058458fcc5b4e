"""What is true of a graph, by the most obvious means: least costs, and which of its declarations hold."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from fuzz.graphs import Table, World, value_of

REAL = int | float | Fraction | Decimal


def exact(value: Any) -> Any:
    """A number without rounding."""
    return value if isinstance(value, int) else Fraction(value)


def is_finite(value: Any) -> bool:
    """Whether a value is a number that can be added."""
    return isinstance(value, REAL) and math.isfinite(value)


def least_costs(vertices: int, arcs: list[tuple[int, int, Any]], goals: tuple[int, ...]) -> list[Any]:
    """The least cost from each vertex to a goal, by Bellman and Ford: None without a way, -inf without an end."""
    best: list[Any] = [0 if v in goals else None for v in range(vertices)]
    for turn in range(2 * vertices + 1):
        for source, target, cost in arcs:
            if best[target] is None:
                continue
            through = best[target] if best[target] == -math.inf else cost + best[target]
            if best[source] is None or through < best[source]:
                best[source] = through if turn < vertices else -math.inf
    return best


def exact_least_costs(vertices: int, arcs: list[tuple[int, int, Any]], goals: tuple[int, ...]) -> list[Any]:
    """The same without rounding, where costs are floats: they are whole numbers over a common denominator."""
    if all(isinstance(cost, int) for _, _, cost in arcs):
        return least_costs(vertices, arcs, goals)
    unit = math.lcm(*(exact(cost).denominator for _, _, cost in arcs))
    least = least_costs(vertices, [(u, v, int(exact(cost) * unit)) for u, v, cost in arcs], goals)
    return [cost if cost is None or cost == -math.inf else Fraction(cost, unit) for cost in least]


@lru_cache(maxsize=64)
def truth_of(world: World) -> Truth:
    """What holds for a world."""
    return Truth(world)


class Truth:
    """What holds for a world, and which of its declarations do."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.values = [value_of(cost, world.scale) for _, _, cost in world.arcs]
        self.sound = [is_finite(value) for value in self.values]
        self.reached = self._reach()
        arcs = [(u, v, c) for (u, v, _), c, ok in zip(world.arcs, self.values, self.sound, strict=True) if ok]
        self.rest = exact_least_costs(world.vertices, arcs, world.goals)
        self.optimum = self.rest[0]
        self.used_costs = [c for u, _, c in arcs if u in self.reached]
        self.largest = max([0, *map(abs, self.used_costs)])
        self.exotic = any(isinstance(c, Fraction | Decimal) for c in self.used_costs)
        self.malformed = not all(ok for (u, _, _), ok in zip(world.arcs, self.sound, strict=True) if u in self.reached)

    def _reach(self) -> dict[int, int]:
        """Each vertex that can be reached, with its depth."""
        depths = {0: 0}
        waiting = [0]
        for v in waiting:
            for u, w, _ in self.world.arcs:
                if u == v and w not in depths:
                    depths[w] = depths[v] + 1
                    waiting.append(w)
        return depths

    @cached_property
    def goal_depth(self) -> int | None:
        """The fewest steps to a goal."""
        return min((d for v, d in self.reached.items() if v in self.world.goals), default=None)

    def least_within(self, depth: int) -> Any:
        """The least cost of a solution of at most ``depth`` steps; None if there is none."""
        best: list[Any] = [0 if v in self.world.goals else None for v in range(self.world.vertices)]
        arcs = [
            (u, v, exact(c)) for (u, v, _), c, ok in zip(self.world.arcs, self.values, self.sound, strict=True) if ok
        ]
        for _ in range(depth):
            after = list(best)
            for u, v, cost in arcs:
                if best[v] is not None and (after[u] is None or cost + best[v] < after[u]):
                    after[u] = cost + best[v]
            best = after
        return best[0]

    @cached_property
    def whole(self) -> bool:
        """Costs are to be compared without any error: they are whole and said to be, or too small for rounding."""
        if self.world.integer_costs and all(isinstance(c, int) for c in self.used_costs):
            return True
        return all(c == int(c) for c in self.used_costs) and self.largest * 1000 < 1 << 53

    @cached_property
    def is_acyclic(self) -> bool:
        left = set(self.reached)
        while True:
            free = {v for v in left if not any(u in left and w == v for u, w, _ in self.world.arcs)}
            if not free:
                return not left
            left -= free

    @cached_property
    def costs(self) -> set[str]:
        """What can truly be said of the costs."""
        kinds = {"any"}
        if all(c >= 0 for c in self.used_costs):
            kinds.add("nonnegative")
        if all(c == 1 for c in self.used_costs):
            kinds.add("unit")
        return kinds

    @cached_property
    def problem_is_honest(self) -> bool:
        world = self.world
        return (
            world.costs in self.costs
            and (not world.acyclic or self.is_acyclic)
            and (not world.integer_costs or all(c == int(c) for c in self.used_costs))
        )

    def estimates(self, table: Table) -> dict[int, Any]:
        """The values of a table at what can be reached; those that are numbers."""
        found = {v: value_of(table.values[v], table.scale) for v in self.reached}
        return {v: h for v, h in found.items() if isinstance(h, REAL) and h == h and h != -math.inf}

    def is_malformed(self, table: Table) -> bool:
        """Whether some value is no number."""
        return len(self.estimates(table)) < len(self.reached)

    def is_admissible(self, table: Table) -> bool:
        for v, h in self.estimates(table).items():
            rest = self.rest[v]
            if rest is not None and (rest == -math.inf or h == math.inf or exact(h) > rest + self.slack(h, rest)):
                return False
        return True

    def is_consistent(self, table: Table) -> bool:
        estimates = self.estimates(table)
        for (u, v, _), c, ok in zip(self.world.arcs, self.values, self.sound, strict=True):
            if not ok or u not in estimates or v not in estimates or _is_dead(table, v):
                continue
            if _is_dead(table, u) or exact(estimates[u]) > exact(c) + exact(estimates[v]) + self.slack(c, estimates[v]):
                return False
        return all(estimates.get(goal, 0) <= 0 for goal in self.world.goals)

    def is_whole(self, table: Table) -> bool:
        return all(h == math.inf or h == int(h) for h in self.estimates(table).values())

    def table_is_honest(self, table: Table) -> bool:
        """Whether what is said of a heuristic holds; a dead end is said by its value."""
        for v in self.reached:
            if _is_dead(table, v) and self.rest[v] is not None:
                return False
        return (
            (not table.admissible or self.is_admissible(table))
            and (not table.consistent or self.is_consistent(table))
            and (not table.integer or self.is_whole(table))
        )

    def slack(self, *numbers: Any) -> Any:
        """The rounding that sums of such numbers can have."""
        if self.whole:
            return 0
        return sum(abs(exact(number)) for number in numbers) * Fraction(self.world.vertices + 4, 1 << 52)


def _is_dead(table: Table, v: int) -> bool:
    return table.values[v] in ("dead", "inf")
