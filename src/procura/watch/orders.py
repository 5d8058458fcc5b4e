"""What each search takes next: the f of a node, its place among those that wait, and what its iterations are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError
from procura.search.best_first import TIES
from procura.solving import Plan

F = Callable[[Any, Any], Any]
Place = Callable[[int, Any, Any, int], Any]


@dataclass(frozen=True)
class Order:
    """How a search orders its nodes, as far as who watches it must know."""

    f: F | None
    """f of (g, h); None if the search has none."""
    place: Place
    """What (depth, g, h, serial) of a node are sorted by; the least is taken next."""
    level: str
    """What a new iteration is told by: ``bound``, ``depth``, ``f``, ``h``, ``turns`` or ``energy``."""
    path_only: bool = False
    """Nothing waits: the search keeps the path to the node at hand."""


def order(plan: Plan) -> Order:
    """The order of a search; raises ``InputError`` if its steps cannot be followed."""
    if plan.info.local:
        return Order(None, lambda depth, g, h, serial: serial, "energy")
    if plan.info.name not in _ORDERS:
        known = ", ".join([*_ORDERS, "hill", "annealing"])
        raise InputError(f"{plan.info.name} does not tell its steps: expected one of {known} or genetic")
    return _ORDERS[plan.info.name](plan.options)


def _astar(options: Mapping[str, Any]) -> Order:
    weight = options["weight"]
    return _best_first(options, lambda g, h: g + h if weight == 1 else g + weight * h, "f")


def _best_first(options: Mapping[str, Any], f: F, level: str) -> Order:
    tie = TIES[options["ties"]]
    return Order(f, lambda depth, g, h, serial: (f(g, h), tie(g, serial)), level)


def _beam(options: Mapping[str, Any]) -> Order:
    """The rest of a level goes before the next one."""
    tie = TIES[options["ties"]]
    by_h = options["order"] == "h"
    return Order(lambda g, h: g + h, lambda depth, g, h, serial: (depth, h if by_h else g + h, tie(g, serial)), "depth")


def _newest(level: str) -> Order:
    return Order(None, lambda depth, g, h, serial: -serial, level)


_ORDERS: Mapping[str, Callable[[Mapping[str, Any]], Order]] = {
    "bfs": lambda options: Order(None, lambda depth, g, h, serial: serial, "depth"),
    "dfs": lambda options: _newest("turns"),
    "iddfs": lambda options: _newest("bound"),
    "ucs": lambda options: _best_first(options, lambda g, h: g, "f"),
    "greedy": lambda options: _best_first(options, lambda g, h: h, "h"),
    "astar": _astar,
    "idastar": lambda options: Order(lambda g, h: g + h, lambda depth, g, h, serial: serial, "bound", path_only=True),
    "beam": _beam,
}
