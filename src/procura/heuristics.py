"""Heuristics as values: named ones, weighted sums, maxima; parsed from text, bound to a problem, never ``eval``-ed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from procura.errors import InputError, shown, unknown
from procura.problem import DEAD, Estimate, Problem, as_number
from procura.rounding import ROUNDOFF

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/(),]))")
_MOST_TOKENS = 1000
_MOST_DIGITS = 100
GREATEST = math.nextafter(float(DEAD), 0.0)
"""The greatest value of a composition: only a kernel can prove a dead end, no weight."""
_LEAST = -DEAD


@dataclass(frozen=True)
class Number:
    """A constant: the float64 that sums are made with, and the number that was written."""

    value: float
    written: Fraction | None = field(default=None, compare=False)

    @property
    def exact(self) -> Fraction:
        """What was meant: 0.1 is a tenth, though no float64 is."""
        return Fraction(self.value) if self.written is None else self.written


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

    >>> from procura import Sliding, solve
    >>> h = heuristic("0.5*misplaced + 0.5*manhattan")
    >>> solve(Sliding("1 2 3 4 5 6 0 7 8"), "astar", heuristic=h, engine="python").optimal
    True
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
            return Number(value, Fraction(token) if value and len(token) <= _MOST_DIGITS else None)
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


def _exact(tree: Node) -> Fraction:
    """The constant as it was written, without rounding."""
    if isinstance(tree, Number):
        return tree.exact
    assert isinstance(tree, Operation)
    return apply(tree.operator, _exact(tree.left), _exact(tree.right))


def apply(operator: str, a: Any, b: Any) -> Any:
    """One operation; on float64 as both engines do it."""
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
        self.names = tuple({step: None for step in self.program if isinstance(step, str) and step != "zero"})
        """The declared heuristics that it is made of."""
        self.admissible = _is_admissible(self.tree, problem)
        self.consistent = self.admissible and _is_consistent(self.tree, problem)
        self.integer = self.single is not None and _facts(self.single, problem).integer
        self.rounding = (0.0, 0.0) if self.single is not None else _rounding(self.tree)[2:]
        """How far a composition can lie from its true value: the first times ``largest``, plus the second."""
        self.bounded = math.inf not in self.rounding
        """Whether that is known: not of a product of two heuristics."""
        self.largest = 0.0
        """The greatest magnitude of a value that a composition was made of so far."""
        self._value = None if self.single is None else _declared_value(self.single, self.integer, problem)

    def __call__(self, state: Any) -> Any:
        """The value at ``state``; ``DEAD`` if no goal can be reached from it."""
        return self._composed(state) if self._value is None else self._value(state)

    @property
    def value(self) -> Callable[[Any], Any]:
        """The function that gives the value at a state: in a loop it is called faster than this object."""
        return self._composed if self._value is None else self._value

    def _composed(self, state: Any) -> Any:
        """The value of a composition."""
        stack: list[float] = []
        for step in self.program:
            if isinstance(step, float):
                stack.append(step)
            elif isinstance(step, str):
                value = 0.0 if step == "zero" else self.problem.heuristic_value(step, state)
                kind = type(value)
                if not (kind is int or kind is float) or not -self.largest <= value <= self.largest:
                    value = _checked(self.problem, step, state, value)
                    if value == DEAD:
                        return DEAD
                    self.largest = max(self.largest, abs(float(value)))
                stack.append(float(value))
            else:
                b = stack.pop()
                stack.append(apply(step[0], stack.pop(), b))
        value = stack[0]
        if math.isnan(value):
            raise InputError(f"{self.problem.name}: heuristic {self.text!r} is not a number in {shown(state)}")
        return min(max(value, -GREATEST), GREATEST)

    @property
    def error(self) -> float:
        """How far rounding can have taken any value of a composition so far from its true one; 0 of a declared one."""
        return self.rounding[0] * self.largest + self.rounding[1] if self.bounded else math.inf


def _declared_value(name: str, integer: bool, problem: Problem) -> Callable[[Any], Any]:
    """A declared heuristic as a function of a state, whose values are checked."""
    function: Callable[[Any], Any]
    if name == "zero":
        function = _zero
    elif type(problem).heuristic_value is Problem.heuristic_value:
        function = problem._declared(name).function
    else:
        function = partial(problem.heuristic_value, name)

    def value(state: Any) -> Any:
        number = function(state)
        kind = type(number)
        if (kind is int or (kind is float and not integer)) and _LEAST < number < DEAD:
            return number
        return _checked(problem, name, state, number, integer)

    return value


def _checked(problem: Problem, name: str, state: Any, value: Any, whole: bool = False) -> Any:
    """What heuristic ``name`` returned, as an int or a float; raises ``InputError`` if it means nothing."""
    number = as_number(value)
    where = f"{problem.name}: heuristic {name!r} returns {shown(value)} in {shown(state)}"
    if number is None or number != number or number == -math.inf:
        raise InputError(f"{where}: expected a number")
    if number == math.inf or number == DEAD:
        return DEAD
    if not -DEAD < number < DEAD:
        raise InputError(f"{where}: expected DEAD or a number below it, which is {DEAD:,}")
    if not whole or isinstance(number, int):
        return number
    if not number.is_integer():
        raise InputError(f"{where}: expected a whole number, or a declaration with integer=False")
    return int(number)


def _zero(state: Any) -> int:
    return 0


def names_in(expression: Heuristic) -> Iterator[str]:
    """The names of heuristics in an expression, as it was written."""
    waiting = [expression.tree]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Operation):
            waiting += [tree.right, tree.left]
        elif isinstance(tree, Name):
            yield tree.name


def is_admissible(expression: Heuristic, problem: Any) -> bool:
    """Whether a heuristic is admissible by what a problem, or its class, declares."""
    return _is_admissible(_expand(expression.tree, problem, ()), problem)


def _is_admissible(tree: Node, problem: Any) -> bool:
    share = _share(tree, problem)
    return share is not None and share[2] <= 0 and _fits(share, problem)


def _is_consistent(tree: Node, problem: Any) -> bool:
    """Whether an admissible heuristic falls by no more than a step costs."""
    share = _share(tree, problem, of_steps=True)
    return share is not None and _fits(share, problem)


def _fits(share: Share, problem: Any) -> bool:
    """Whether a share of what is left is no more than that; of what is negative, no less than all."""
    return share[1] <= 1 and (problem.costs != "any" or share[0] >= 1)


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


Share = tuple[Fraction, Fraction, Fraction]


def _share(tree: Node, problem: Problem, of_steps: bool = False) -> Share | None:
    """(low, high, offset) such that the value is at most w c + offset, c the least cost to a goal, for some w between
    low and high; None where nothing is known. ``of_steps``: c is what a step costs, and w c how far it falls."""
    none = Fraction(0)
    if isinstance(tree, Number):
        return none, none, tree.exact
    if isinstance(tree, Name):
        facts = _facts(tree.name, problem)
        return (Fraction(1), Fraction(1), none) if (facts.consistent if of_steps else facts.admissible) else None
    if tree.operator in "*/":
        return _scaled_share(tree, problem, of_steps)
    if tree.operator == "+" and (shared := _additive_share(tree, problem, of_steps)) is not None:
        return shared
    left, right = _share(tree.left, problem, of_steps), _share(tree.right, problem, of_steps)
    if tree.operator == "min" and not of_steps:
        known = [share for share in (left, right) if share is not None]
        return min(known, key=lambda share: (share[2] > 0 or share[1] > 1, share[1]), default=None)
    if left is None or right is None:
        return None
    if tree.operator == "+":
        return left[0] + right[0], left[1] + right[1], left[2] + right[2]
    if tree.operator == "-":
        return (left[0], left[1], left[2] - _exact(tree.right)) if _is_constant(tree.right) else None
    return min(left[0], right[0]), max(left[1], right[1]), max(left[2], right[2])  # either may be the one that falls


def _additive_share(tree: Node, problem: Problem, of_steps: bool) -> Share | None:
    """The share of a weighted sum of additive heuristics, each of which counts other costs; None of any other sum."""
    weights: dict[str, Fraction] = {}
    waiting = [tree]
    while waiting:
        term, by = waiting.pop(), Fraction(1)
        if isinstance(term, Operation) and term.operator == "+":
            waiting += [term.left, term.right]
            continue
        while isinstance(term, Operation) and term.operator in "*/":
            constant, other = (term.left, term.right) if _is_constant(term.left) else (term.right, term.left)
            if not _is_constant(constant) or _exact(constant) == 0:
                return None
            by, term = by * _exact(constant) if term.operator == "*" else by / _exact(constant), other
        if not isinstance(term, Name) or by < 0:
            return None
        facts = _facts(term.name, problem)
        if not facts.additive or not (facts.consistent if of_steps else facts.admissible):
            return None
        weights[term.name] = weights.get(term.name, Fraction(0)) + by
    return min(weights.values()), max(weights.values()), Fraction(0)


def _scaled_share(tree: Operation, problem: Problem, of_steps: bool) -> Share | None:
    """The share of a product or a quotient, one side of which is a constant."""
    constant, other = (tree.left, tree.right) if _is_constant(tree.left) else (tree.right, tree.left)
    if not _is_constant(constant) or (tree.operator == "/" and _exact(tree.right) == 0):
        return None
    by = _exact(constant) if tree.operator == "*" else 1 / _exact(tree.right)
    if by == 0:
        return Fraction(0), Fraction(0), Fraction(0)
    share = _share(tree.left if tree.operator == "/" else other, problem, of_steps)
    if share is None or (by < 0 and not _is_constant(tree)):
        return None
    return share[0] * by, share[1] * by, share[2] * by


_UNKNOWN = (math.inf, math.inf, math.inf, math.inf)


def _rounding(tree: Node) -> tuple[float, float, float, float]:
    """(a, b, c, d): with declared values up to v in magnitude the float64 that comes out is at most a v + b in
    magnitude, and at most c v + d from what exact arithmetic would give."""
    if _is_constant(tree):
        value = _constant(tree)
        if not math.isfinite(value):
            return _UNKNOWN
        return 0.0, abs(value), 0.0, _upper(abs(Fraction(value) - _exact(tree)))
    if isinstance(tree, Name):
        return 1.0, 0.0, ROUNDOFF, 0.0  # a whole number beyond 2^53 is rounded when it is made a float
    assert isinstance(tree, Operation)
    left, right = _rounding(tree.left), _rounding(tree.right)
    if tree.operator in ("max", "min"):
        a, b, c, d = (max(pair) for pair in zip(left, right, strict=True))
        return a, b, c, d
    if tree.operator in "+-":
        a, b, c, d = (one + other for one, other in zip(left, right, strict=True))
    else:
        by, off = _factor(tree)
        if by == 0 and off == 0:
            return 0.0, 0.0, 0.0, 0.0
        other = right if _is_constant(tree.left) else left
        if math.inf in (by, off, *other):
            return _UNKNOWN
        a, b = by * other[0], by * other[1]
        c, d = by * other[2] + off * other[0], by * other[3] + off * other[1]
    return a, b, c + 1.01 * ROUNDOFF * (a + c), d + 1.01 * ROUNDOFF * (b + d)


def _factor(tree: Operation) -> tuple[float, float]:
    """(what a product or quotient multiplies its other side by, how far that lies from what was written)."""
    constant = tree.left if tree.operator == "*" and _is_constant(tree.left) else tree.right
    if not _is_constant(constant) or not math.isfinite(_constant(constant)):
        return math.inf, math.inf
    taken, exact = Fraction(_constant(constant)), _exact(constant)
    if tree.operator == "/":
        if exact == 0:
            return math.inf, math.inf
        taken, exact = 1 / taken, 1 / exact
    return _upper(abs(taken)), _upper(abs(taken - exact))


def _upper(value: Fraction) -> float:
    """A float no less than the fraction."""
    try:
        return math.nextafter(float(value), math.inf) if value else 0.0
    except OverflowError:
        return math.inf
