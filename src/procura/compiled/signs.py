"""Which kernels never index from the end: those are compiled without a test of every index for a negative one.

Kernels are read as syntax. A number is natural, that is known not to be negative, if it is a constant, a length, the
variable of a loop, an entry of a field of ``data`` that has no negative ones, or a sum, product and so on of such
numbers. Entries of rows, of ``work`` and of lists of moves are taken for natural until a kernel stores there what is
not known to be. A function with an index that is not known to be natural is compiled as Numba does by itself; so is one
that is used in any other way than by a plain call, since nobody knows what it is given.

The same reading tells whether kernels use rows as a whole, as in a slice, or only index them: then rows can be packed.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from procura.compiled.build import plain
from procura.compiled.rereads import rereads
from procura.faults import PARAMETERS

ROW, WORK, MOVES, DATA = "row", "work", "moves", "data"
NATURAL, UNKNOWN = "natural", "unknown"
_PARAMETERS = {"s": ROW, "a": ROW, "b": ROW, "child": ROW, "work": WORK, "out": MOVES, "data": DATA, "move": "move"}
_ARRAYS = (ROW, WORK, MOVES)
_RETURN_MOVES = ("inverse", "propose")
_SAME_SIGN = (ast.Add, ast.Mult, ast.FloorDiv, ast.RShift, ast.LShift, ast.BitOr, ast.BitXor)
_FUNCTIONS = (types.FunctionType, staticmethod)
_CASTS = ("int", "int64", "uint64")


class _Known(NamedTuple):
    """What is known of kernels."""

    sound: frozenset[Any]
    """The functions that never index from the end."""
    handles_rows: bool
    rereads_rows: bool
    seen: list[tuple[dict[str, Any], str, Any]]
    """The globals on which it rests."""


_known: dict[Any, _Known] = {}


def from_the_start(kernels: tuple[tuple[str, Any], ...], negative: frozenset[str]) -> frozenset[Any]:
    """The functions, of these kernels (role, function) and all they call, that never index from the end.

    ``negative`` names what has negative entries: fields of ``data``, and ``ROW`` if the initial row has.
    """
    return _read(kernels, negative).sound


def only_index_rows(kernels: tuple[tuple[str, Any], ...]) -> bool:
    """Whether these kernels (role, function), and all they call, do nothing with rows but read and set entries."""
    return not _read(kernels, frozenset()).handles_rows


def reread_rows(kernels: tuple[tuple[str, Any], ...]) -> bool:
    """Whether any of these kernels (role, function) may read in a row what it has stored there; see ``rereads``."""
    return _read(kernels, frozenset()).rereads_rows


def _read(kernels: tuple[tuple[str, Any], ...], negative: frozenset[str]) -> _Known:
    key = kernels, negative
    known = _known.get(key)
    if known is not None and all(scope.get(name) is value for scope, name, value in known.seen):
        return known
    assumed_not = set(negative)
    while True:
        reading = _Reading(assumed_not)
        for role, function in kernels:
            names = PARAMETERS[role].split(", ") if role in PARAMETERS else []
            given = [_PARAMETERS.get(name, UNKNOWN) for name in names]
            returned = reading.call(function, tuple(reading.entry(MOVES) if kind == "move" else kind for kind in given))
            if role in _RETURN_MOVES and returned != NATURAL:
                reading.refuted.add(MOVES)
        if reading.refuted <= assumed_not:
            break
        assumed_not |= reading.refuted
    if len(_known) >= 256:
        _known.clear()
    sound = frozenset(function for function, sound in reading.sound.items() if sound)
    reread = any(rereads(function, _rows(role, function), _syntax) for role, function in kernels)
    known = _known[key] = _Known(sound, reading.handles_rows, reread, reading.seen)
    return known


def _rows(role: str, function: Any) -> set[str]:
    """The names of a kernel's parameters that are rows."""
    roles = PARAMETERS[role].split(", ") if role in PARAMETERS else []
    return {
        name for name, its in zip(function.__code__.co_varnames, roles, strict=False) if _PARAMETERS.get(its) == ROW
    }


class _Reading:
    """One reading of all kernels under what is assumed of their arrays."""

    def __init__(self, assumed_not: set[str]) -> None:
        self.assumed_not = assumed_not
        self.refuted: set[str] = set()
        self.handles_rows = False
        """A row is used as a whole, and not entry by entry."""
        self.sound: dict[Any, bool] = {}
        self.seen: list[tuple[dict[str, Any], str, Any]] = []
        self._returned: dict[Any, str] = {}

    def entry(self, array: str) -> str:
        """What an entry of an array is."""
        return NATURAL if array not in self.assumed_not and (array in _ARRAYS or array.startswith("data.")) else UNKNOWN

    def call(self, function: Any, given: tuple[str, ...]) -> str:
        """What a function returns for such arguments."""
        key = function, given
        if key not in self._returned:
            self._returned[key] = UNKNOWN  # of what calls itself nothing is known
            tree = _syntax(function)
            if tree is None or len(tree.args.args) != len(given):
                self.refuted |= {*_ARRAYS} if not given else {kind for kind in given if kind in _ARRAYS}
                self.handles_rows = True
                self.sound[function] = False
            else:
                body = _Body(self, function, tree, given)
                self._returned[key] = body.returned
                self.sound[function] = self.sound.get(function, True) and body.sound
        return self._returned[key]

    def distrust(self, function: types.FunctionType) -> None:
        """Assume that a function is called with anything."""
        self.sound[function] = False
        self.call(function, (UNKNOWN,) * function.__code__.co_argcount)


class _Body(ast.NodeVisitor):
    """The code of a function, read with what its parameters are."""

    def __init__(self, reading: _Reading, function: Any, tree: ast.FunctionDef, given: tuple[str, ...]) -> None:
        self.reading, self.scope = reading, function.__globals__
        self.names: dict[str, str | None] = dict.fromkeys(function.__code__.co_varnames)
        self.names |= zip((parameter.arg for parameter in tree.args.args), given, strict=True)
        self._settle(tree)  # names are natural until something else is assigned to them
        self.names = {name: kind or UNKNOWN for name, kind in self.names.items()}
        self._settle(tree)

    def _settle(self, tree: ast.FunctionDef) -> None:
        """Read the code until it says nothing new of any name."""
        before: dict[str, str | None] | None = None
        while before != self.names:
            before = dict(self.names)
            self.sound, self.returned = True, NATURAL
            for statement in tree.body:
                self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._store(node.target, self.kind(ast.BinOp(node.target, node.op, node.value)))
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign(node.target, node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._store(node.target, self._counted(node.iter))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None or self.kind(node.value) != NATURAL:
            self.returned = UNKNOWN
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.kind(node)  # what is called may store
        name = node.func.id if isinstance(node.func, ast.Name) and not node.keywords else None
        handed_on = name == "len" or (name is not None and isinstance(self._global(node.func), _FUNCTIONS))
        for part in (*([] if name else [node.func]), *node.args, *node.keywords):
            if not (handed_on and isinstance(part, ast.Name) and part.id in self.names):
                self.visit(part)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and self.names.get(node.id) == ROW:
            self.reading.handles_rows = True
        value = self._global(node)
        if isinstance(value, _FUNCTIONS):
            self.reading.distrust(plain(value))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        module = self._global(node.value)
        value = getattr(module, node.attr, None) if isinstance(module, types.ModuleType) else None
        if isinstance(value, types.FunctionType):
            self.reading.distrust(value)
        self.generic_visit(node)

    def _inner(self, node: ast.AST) -> None:
        """Code with names of its own is not read."""
        self.sound = False
        self.reading.handles_rows = True
        self.reading.refuted |= {*_ARRAYS}

    visit_FunctionDef = visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _inner

    def visit_Subscript(self, node: ast.Subscript) -> None:
        index = node.slice
        constant = isinstance(index, ast.UnaryOp) and isinstance(index.operand, ast.Constant)  # Numba knows its sign
        if not constant and not isinstance(index, ast.Slice) and self.kind(index) != NATURAL:
            self.sound = False
        self.visit(index)
        if isinstance(index, ast.Slice | ast.Tuple) or not isinstance(node.value, ast.Name):
            self.visit(node.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._assign(one, its)
        else:
            self._store(target, self.kind(value))

    def _store(self, target: ast.expr, kind: str) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = self._join(self.names.get(target.id), kind)
        elif isinstance(target, ast.Subscript):
            if kind != NATURAL:
                self.reading.refuted.add(self.kind(target.value))
        else:
            for part in ast.iter_child_nodes(target):
                if isinstance(part, ast.expr):
                    self._store(part, self._lose(kind))

    def _join(self, one: str | None, other: str) -> str:
        if one is None or one == other:
            return other
        self._lose(one)
        return self._lose(other)

    def _lose(self, kind: str) -> str:
        """An array is no longer followed: anything may be stored there."""
        if kind in _ARRAYS:
            self.reading.refuted.add(kind)
        return UNKNOWN

    def _counted(self, node: ast.expr) -> str:
        """What a loop goes through."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"):
            return self.reading.entry(self.kind(node))
        first, *rest = node.args
        if len(rest) == 2 and _is_negative(rest[1]):  # down
            return NATURAL if ast.unparse(rest[0]) == "-1" or self.kind(rest[0]) == NATURAL else UNKNOWN
        return self._natural(first, *rest[1:]) if rest else NATURAL

    def kind(self, node: ast.expr) -> str:
        """What an expression stands for."""
        match node:
            case ast.Constant(value=value):
                return NATURAL if isinstance(value, int) and value >= 0 else UNKNOWN
            case ast.Name(id=name):
                return self._named(name)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return NATURAL
            case ast.BinOp(op=ast.BitAnd(), left=left, right=right):
                return NATURAL if NATURAL in (self.kind(left), self.kind(right)) else UNKNOWN
            case ast.BinOp(op=ast.Mod(), right=right):
                return self._natural(right)
            case ast.BinOp(op=op, left=left, right=right) if isinstance(op, _SAME_SIGN):
                return self._natural(left, right)
            case ast.BoolOp(values=values):
                return self._natural(*values)
            case ast.IfExp(body=one, orelse=other):
                return self._join(self.kind(one), self.kind(other))
            case ast.Attribute(attr="size"):
                return NATURAL
            case ast.Attribute(value=value, attr=field) if self.kind(value) == DATA:
                return f"data.{field}"
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.kind(value)
            case ast.Subscript(value=value):
                return self.reading.entry(self.kind(value))
            case ast.Call(func=function, args=given, keywords=[]):
                return self._called(function, given)
            case ast.Call(args=given, keywords=named):
                for argument in [*given, *(keyword.value for keyword in named)]:
                    self._lose(self.kind(argument))
                return UNKNOWN
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self._lose(self.kind(part))
        return UNKNOWN

    def _natural(self, *nodes: ast.expr) -> str:
        return NATURAL if all(self.kind(node) == NATURAL for node in nodes) else UNKNOWN

    def _named(self, name: str) -> str:
        if name in self.names:
            return self.names[name] or NATURAL
        value = self._looked_up(name)
        return NATURAL if isinstance(value, int) and value >= 0 else UNKNOWN

    def _looked_up(self, name: str) -> Any:
        value = self.scope.get(name)
        self.reading.seen.append((self.scope, name, value))
        return value

    def _global(self, node: ast.expr) -> Any:
        """The global that a node names, if it names one."""
        return self._looked_up(node.id) if isinstance(node, ast.Name) and node.id not in self.names else None

    def _called(self, function: ast.expr, given: list[ast.expr]) -> str:
        kinds, value, name = [self.kind(node) for node in given], self._global(function), ""
        if isinstance(value, _FUNCTIONS):
            return self.reading.call(plain(value), tuple(kinds))
        if isinstance(function, ast.Attribute):
            self._lose(self.kind(function.value))  # it may be an array with a method that stores
            name = function.attr if self._global(function.value) is np else ""
        elif isinstance(function, ast.Name) and function.id not in self.names and value is None:
            name = function.id
        if name in ("len", "abs", "bool"):
            return NATURAL
        if name in ("min", "max", *_CASTS):
            count = kinds.count(NATURAL)
            return NATURAL if count == len(kinds) or (name == "max" and count) else UNKNOWN
        for kind in kinds:
            self._lose(kind)
        return UNKNOWN


def _is_negative(node: ast.expr) -> bool:
    """Whether it is a negative number, written out."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


@lru_cache(maxsize=4096)
def _syntax(function: Any) -> ast.FunctionDef | None:
    """A function's definition, if its source can be had and is what was compiled."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        if not isinstance(tree, ast.FunctionDef):
            return None
        tree.decorator_list = []
        made = compile(ast.Module([tree], []), "kernel", "exec", dont_inherit=True).co_consts
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    code = next((part for part in made if isinstance(part, types.CodeType) and part.co_name == tree.name), None)
    odd = tree.args.vararg or tree.args.kwonlyargs or tree.args.posonlyargs or tree.args.defaults
    return None if odd or code is None or not _same(code, function.__code__) else tree


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two pieces of code do the same."""
    facts = [(code.co_code, code.co_names, code.co_varnames, repr(code.co_consts)) for code in (one, other)]
    return facts[0] == facts[1]
