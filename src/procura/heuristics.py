"""Heuristics as values: named ones, weighted sums, maxima; parsed from text, bound to a problem, never ``eval``-ed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from procura.errors import InputError, unknown
from procura.problem import DEAD, Estimate, Problem

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/(),]))")
_MOST_TOKENS = 1000
_CLOSE = 1e-9


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True)
class Name:
    """A heuristic that a problem declares."""

    name: str


@dataclass(frozen=True)
class Operation:
    """``+ - * / max min`` of two values."""

    operator: str
    left: Node
    right: Node


Node = Number | Name | Operation


@dataclass(frozen=True)
class Heuristic:
    """A parsed heuristic, not yet bound to a problem; ``heuristic("...")`` makes one.

    >>> str(heuristic("max(misplaced, 0.5*manhattan)"))
    'max(misplaced, 0.5*manhattan)'
    """

    text: str
    tree: Node

    def __str__(self) -> str:
        return self.text


def heuristic(text: str | Heuristic) -> Heuristic:
    """Parse numbers, names, ``+ - * /``, ``max``, ``min`` and parentheses; ``@file`` reads them from a file.

    Raises ``InputError`` that names the place. Division is by constants other than zero only.
    """
    if isinstance(text, Heuristic):
        return text
    if not isinstance(text, str):
        raise InputError(f"heuristic {text!r}: expected text such as 'manhattan'; a function goes into an Estimate")
    text = text.strip()
    if text.startswith("@"):
        text = _read(text[1:])
    return Heuristic(text, _Parser(text).parse())


def _read(path: str) -> str:
    try:
        content = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"heuristic file {path!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
    lines = [line.split("#", 1)[0].strip() for line in content.splitlines()]
    return " ".join(line for line in lines if line)


class _Parser:
    """Recursive descent: sum := product (+|- product)*; product := factor (*|/ factor)*."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                place = at + len(text[at:]) - len(text[at:].lstrip())
                raise self.error(place, f"{text[place]!r} is no number, name or operator")
            self.tokens.append((match.group(match.lastindex or 0), match.start(match.lastindex or 0)))
            at = match.end()
            if len(self.tokens) > _MOST_TOKENS:
                raise InputError(f"heuristic: more than {_MOST_TOKENS} numbers, names and operators")
        self.at = 0
        self.nesting = 0

    def error(self, place: int, message: str) -> InputError:
        return InputError(f"heuristic {self.text!r}, character {place + 1}: {message}")

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def place(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise self.error(self.place(), f"expected {token!r}")
        self.at += 1

    def parse(self) -> Node:
        tree = self.sum()
        if self.at < len(self.tokens):
            raise self.error(self.place(), f"{self.peek()!r} was not expected here")
        return tree

    def sum(self) -> Node:
        self.nesting += 1
        if self.nesting > 100:
            raise self.error(self.place(), "parentheses nested more than 100 deep")
        tree = self.product()
        while self.peek() in ("+", "-"):
            operator = self.peek()
            self.at += 1
            tree = Operation(operator, tree, self.product())
        self.nesting -= 1
        return tree

    def product(self) -> Node:
        tree = self.factor()
        while self.peek() in ("*", "/"):
            operator, place = self.peek(), self.place()
            self.at += 1
            right = self.factor()
            if operator == "/" and not _is_constant(right):
                raise self.error(place, "division by a heuristic, which may be zero: divide by a number")
            if operator == "/" and _constant(right) == 0:
                raise self.error(place, "division by zero")
            tree = Operation(operator, tree, right)
        return tree

    def factor(self) -> Node:
        token, place = self.peek(), self.place()
        self.at += 1
        if token == "(":
            tree = self.sum()
            self.expect(")")
            return tree
        if token == "-":
            self.nesting += 1
            if self.nesting > 100:
                raise self.error(place, "more than 100 signs in a row")
            negated = Operation("*", Number(-1.0), self.factor())
            self.nesting -= 1
            return negated
        if token in ("max", "min") and self.peek() == "(":
            return self.call(token)
        if token[:1].isdigit() or token[:1] == ".":
            value = float(token)
            if not math.isfinite(value):
                raise self.error(place, f"{token} is too large")
            return Number(value)
        if token.isidentifier():
            return Name(token)
        raise self.error(place, "expected a number, a name or '('")

    def call(self, operator: str) -> Node:
        self.expect("(")
        tree = self.sum()
        while self.peek() == ",":
            self.at += 1
            tree = Operation(operator, tree, self.sum())
        self.expect(")")
        return tree


def _is_constant(tree: Node) -> bool:
    if isinstance(tree, Operation):
        return _is_constant(tree.left) and _is_constant(tree.right)
    return isinstance(tree, Number)


def _constant(tree: Node) -> float:
    if isinstance(tree, Number):
        return tree.value
    assert isinstance(tree, Operation)
    return apply(tree.operator, _constant(tree.left), _constant(tree.right))


def apply(operator: str, a: float, b: float) -> float:
    """One operation on float64, as both engines do it."""
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    if operator == "/":
        return a / b
    if operator == "max":
        return a if a >= b else b
    return a if a <= b else b


class BoundHeuristic:
    """A heuristic on one problem: its value at a state, and what is known about it there.

    ``single`` is the declared name when it is that heuristic alone; otherwise ``program`` is its postfix form,
    whose steps are a float, the name of a declared heuristic, or ``(operator,)``.
    """

    def __init__(self, expression: Heuristic | None, problem: Problem) -> None:
        self.problem = problem
        self.text = "zero" if expression is None else expression.text
        self.tree: Node = Name("zero") if expression is None else _expand(expression.tree, problem, ())
        self.single = self.tree.name if isinstance(self.tree, Name) else None
        self.program = tuple(_postfix(self.tree))
        names = [step for step in self.program if isinstance(step, str)]
        for name in set(names) - {"zero"}:
            problem.prepare(name)
        self.admissible = _is_admissible(self.tree, problem)
        self.consistent = self.admissible and _is_consistent(self.tree, problem)
        self.integer = self.single is not None and _facts(self.single, problem).integer

    def __call__(self, state: Any) -> Any:
        """The value at ``state``; at least ``DEAD`` if no goal can be reached from it."""
        if self.single == "zero":
            return 0
        if self.single is not None:
            return self.problem.estimate(self.single, state)
        stack: list[float] = []
        for step in self.program:
            if isinstance(step, float):
                stack.append(step)
            elif isinstance(step, str):
                value = 0.0 if step == "zero" else float(self.problem.estimate(step, state))
                if value >= DEAD:
                    return float(DEAD)
                stack.append(value)
            else:
                b = stack.pop()
                stack.append(apply(step[0], stack.pop(), b))
        return min(stack[0], DEAD - 1.0)  # only a kernel can prove a dead end, no weight


def is_admissible(expression: Heuristic, problem: Any) -> bool:
    """Whether a heuristic is admissible by what a problem, or its class, declares."""
    return _is_admissible(_expand(expression.tree, problem, ()), problem)


def _is_admissible(tree: Node, problem: Any) -> bool:
    low, high, offset = _share(tree, problem)
    return offset <= 0 and high <= 1 + _CLOSE and (problem.costs != "any" or low >= 1 - _CLOSE)


def _is_consistent(tree: Node, problem: Any) -> bool:
    """Whether an admissible heuristic falls by no more than a step costs."""
    low, high, _ = _share(tree, problem, of_steps=True)
    return high <= 1 + _CLOSE and (problem.costs != "any" or low >= 1 - _CLOSE)


def _facts(name: str, problem: Problem) -> Estimate:
    """What the problem declares of a heuristic; ``zero`` is there for every problem."""
    if name == "zero":
        fine = problem.costs != "any"
        return Estimate(lambda state: 0, admissible=fine, consistent=fine)
    declared = problem.heuristics[name]
    assert isinstance(declared, Estimate)
    return declared


def _expand(tree: Node, problem: Problem, within: tuple[str, ...]) -> Node:
    """Replace compositions by what they stand for; every name left is declared."""
    if isinstance(tree, Operation):
        left = _expand(tree.left, problem, within)
        return Operation(tree.operator, left, _expand(tree.right, problem, within))
    if isinstance(tree, Number) or tree.name == "zero":
        return tree
    if tree.name not in problem.heuristics:
        _refuse_elsewhere(tree.name, problem)
        raise unknown(f"{problem.name} has no heuristic", tree.name, ["zero", *problem.heuristics])
    declared = problem.heuristics[tree.name]
    if isinstance(declared, Estimate):
        return tree
    if not isinstance(declared, str):
        named = getattr(declared, "__name__", None)
        shown = repr(declared) if named is None else f"the function {named}"
        raise InputError(f"{problem.name}: heuristic {tree.name!r} is declared as {shown}: expected an Estimate")
    if tree.name in within:
        raise InputError(f"{problem.name}: heuristic {tree.name!r} is defined by itself")
    return _expand(heuristic(declared).tree, problem, (*within, tree.name))


def _refuse_elsewhere(name: str, problem: Problem) -> None:
    """Say so if the problem's class declares the heuristic, for other boards than this."""
    declared = type(problem).heuristics
    if isinstance(declared, Mapping) and name in declared:
        about = getattr(declared[name], "about", "")
        raise InputError(f"heuristic {name!r} is not for this board" + (f": {about}" if about else ""))


def _postfix(tree: Node) -> list[Any]:
    if isinstance(tree, Operation):
        return [*_postfix(tree.left), *_postfix(tree.right), (tree.operator,)]
    return [float(tree.value)] if isinstance(tree, Number) else [tree.name]


_NEVER = (-math.inf, math.inf, math.inf)


def _share(tree: Node, problem: Problem, of_steps: bool = False) -> tuple[float, float, float]:
    """(low, high, offset) such that the value is at most w c + offset, c the least cost to a goal, for some w between
    low and high; ``_NEVER`` where nothing is known. ``of_steps``: c is what a step costs, and w c how far it falls."""
    if isinstance(tree, Number):
        return 0.0, 0.0, tree.value
    if isinstance(tree, Name):
        facts = _facts(tree.name, problem)
        return (1.0, 1.0, 0.0) if (facts.consistent if of_steps else facts.admissible) else _NEVER
    left, right = _share(tree.left, problem, of_steps), _share(tree.right, problem, of_steps)
    if tree.operator == "+":
        return left[0] + right[0], left[1] + right[1], left[2] + right[2]
    if tree.operator == "max" or (of_steps and tree.operator == "min"):  # either may be the one that falls
        return min(left[0], right[0]), max(left[1], right[1]), max(left[2], right[2])
    if tree.operator == "min":
        return min(left, right, key=lambda share: (share[2] > 0 or share[1] > 1 + _CLOSE, share[1]))
    if tree.operator == "-":
        return (left[0], left[1], left[2] - _constant(tree.right)) if _is_constant(tree.right) else _NEVER
    factor, share = (tree.left, right) if tree.operator == "*" else (tree.right, left)
    if not _is_constant(factor):
        factor, share = tree.right, left
    if not _is_constant(factor):
        return _NEVER
    by = _constant(factor) if tree.operator == "*" else 1 / _constant(factor)
    if by == 0:
        return 0.0, 0.0, 0.0
    if by < 0 and not (_is_constant(tree.left) and _is_constant(tree.right)):
        return _NEVER
    return share[0] * by, share[1] * by, share[2] * by
