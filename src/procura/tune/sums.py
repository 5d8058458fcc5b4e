"""Heuristics that are weighted sums of named ones: the names and weights, and the text that says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from procura.errors import InputError
from procura.heuristics import Heuristic, Name, Node, Number, Operation, apply, heuristic


def read_sum(text: str, heuristics: Mapping[str, Any]) -> dict[str, float]:
    """The weights by name; a name that stands for a sum of others is replaced by it.

    >>> read_sum("0.5*holes - relief/4", {"holes": None, "relief": None})
    {'holes': 0.5, 'relief': -0.25}
    """
    expression = heuristic(text)
    tree = expression.tree
    while isinstance(tree, Name) and isinstance(heuristics.get(tree.name), str):
        inner = heuristic(heuristics[tree.name]).tree
        if not _is_sum(inner):
            break
        tree = inner
    weights: dict[str, float] = {}
    for name, weight in _terms(tree, 1.0, expression):
        if name in weights:
            raise InputError(f"heuristic {expression.text!r}: {name} stands there twice")
        weights[name] = weight
    return weights


def _is_sum(tree: Node) -> bool:
    return isinstance(tree, Operation) and tree.operator in "+-"


def _terms(tree: Node, factor: float, whole: Heuristic) -> Iterator[tuple[str, float]]:
    if isinstance(tree, Name):
        yield tree.name, factor
        return
    if isinstance(tree, Operation):
        left, right = tree.left, tree.right
        if tree.operator in ("+", "-"):
            yield from _terms(left, factor, whole)
            yield from _terms(right, factor if tree.operator == "+" else -factor, whole)
            return
        before, after = _constant(left), _constant(right)
        if tree.operator == "*" and before is not None:
            yield from _terms(right, factor * before, whole)
            return
        if tree.operator in ("*", "/") and after is not None:
            yield from _terms(left, factor * after if tree.operator == "*" else factor / after, whole)
            return
    raise InputError(f"heuristic {whole.text!r}: expected a weighted sum of named heuristics, such as 0.5*a + 0.5*b")


def _constant(tree: Node) -> float | None:
    """The value of what has no name in it."""
    if isinstance(tree, Operation):
        left, right = _constant(tree.left), _constant(tree.right)
        return None if left is None or right is None else apply(tree.operator, left, right)
    return tree.value if isinstance(tree, Number) else None


def sum_text(names: Sequence[str], weights: Sequence[float]) -> str:
    """The sum as ``heuristic`` reads it.

    >>> sum_text(["a", "b"], [0.25, 1.0])
    '0.25*a + 1.0*b'
    """
    return " + ".join(f"{weight!r}*{name}" for name, weight in zip(names, weights, strict=True))
