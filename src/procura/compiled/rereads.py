"""Whether kernels read a row again after they have stored something in it.

In a packed row an entry of the key has ``bits`` bits from the moment it is stored; in an array it has those of
``dtype`` until the state is kept. Only a kernel that reads the row again can see the difference.

Code is read as syntax, in the order in which it runs: a loop twice, both branches one after the other. A 0 or 1 fits
wherever it is stored, and entries with different numbers are told apart. Rows have only the names of parameters:
kernels that give them others are not packed at all, see ``signs``.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from typing import Any

from procura.compiled.build import plain

Syntax = Callable[[Any], ast.FunctionDef | None]
"""The definition of a function, if it can be had."""


def rereads(function: Any, rows: set[str], syntax: Syntax) -> bool:
    """Whether a function may read one of these rows, its parameters, after something but 0 or 1 was stored there."""
    tree = syntax(function)
    if tree is None:
        return True
    order = _Order(rows, function.__globals__, syntax)
    order.run(tree.body)
    return order.reread


class _Order(ast.NodeVisitor):
    """The statements of a function in the order in which they run."""

    def __init__(self, rows: set[str], scope: dict[str, Any], syntax: Syntax) -> None:
        self.rows, self._scope, self._syntax = rows, scope, syntax
        self.stored: set[int | None] = set()
        """The entries in which something was stored; None for one that is not known."""
        self.reread = False

    def run(self, statements: Iterable[ast.AST]) -> None:
        """Go through statements."""
        for statement in statements:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._store(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._store(node.target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.target)
        self.visit(node.value)
        self._store(node.target, None)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        for _ in range(2):
            self._store(node.target, None)
            self.run(node.body)
        self.run(node.orelse)

    def visit_While(self, node: ast.While) -> None:
        for _ in range(2):
            self.visit(node.test)
            self.run(node.body)
        self.visit(node.test)
        self.run(node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self._is_entry(node):
            self._read(_number(node))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        places = [at for at, part in enumerate(node.args) if isinstance(part, ast.Name) and part.id in self.rows]
        named = any(isinstance(part.value, ast.Name) and part.value.id in self.rows for part in node.keywords)
        if not places and not named:
            return
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name == "len" and name not in self._scope:
            return
        self._read(None)
        if named or self._may_store(name, places):
            self.stored.add(None)

    def _may_store(self, name: str | None, places: list[int]) -> bool:
        """Whether a function that gets rows at these places may store in them."""
        function = self._scope.get(name or "")
        tree = self._syntax(plain(function)) if isinstance(function, types.FunctionType | staticmethod) else None
        if tree is None or len(tree.args.args) <= places[-1]:
            return True
        inner = _Order({tree.args.args[at].arg for at in places}, self._scope, self._syntax)
        for node in ast.walk(tree):
            handed_on = isinstance(node, ast.Call) and any(
                isinstance(part, ast.Name) and part.id in inner.rows for part in node.args
            )
            written = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and inner._is_entry(node)
            if written or (handed_on and ast.unparse(node).split("(")[0] != "len"):
                return True
        return False

    def _read(self, entry: int | None) -> None:
        self.reread = self.reread or bool(self.stored if entry is None else self.stored & {entry, None})

    def _store(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._store(part, None)
        elif self._is_entry(target):
            assert isinstance(target, ast.Subscript)
            self.visit(target.slice)
            if not (isinstance(value, ast.Constant) and value.value in (0, 1)):
                self.stored.add(_number(target))
        elif not isinstance(target, ast.Name):
            self.visit(target)

    def _is_entry(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.rows


def _number(node: ast.Subscript) -> int | None:
    """The index of an entry, counted from the start; None if it is not written out."""
    index = node.slice
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None
