"""A hash of what functions do, so that what was made by them is not used once they do something else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dis import get_instructions
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from procura.errors import InputError, shown


def code_digest(functions: Iterable[Any]) -> str:
    """A hash of what functions do: of their code, of what they call, and of all values that they read."""
    told = _Told()
    return hashlib.blake2b(repr([told.value(function) for function in functions]).encode(), digest_size=16).hexdigest()


_PLAIN = (int, float, complex, str, bytes, bytearray, type(None), type(Ellipsis), range)
_BUILT_IN = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)
_LAYOUT = ("dtype", "typecode", "format", "shape")
"""What arrays of different kinds tell of how their bytes are read."""
_LOADS = ("LOAD_GLOBAL", "LOAD_NAME")
_KNOWN = ("builtins", "math", "numpy", "numba")
"""Modules whose contents are known by their names."""


class _Told:
    """What values are, told by what ``repr`` shows of tuples, strings and numbers; a function is told once."""

    def __init__(self) -> None:
        self._met: dict[Any, int] = {}
        self._kernel: Any = None

    def value(self, value: Any, names: Iterable[str] = ()) -> Any:
        """A value that is read by code in which these names stand after dots."""
        value = getattr(value, "__func__", getattr(value, "py_func", value))
        kind = type(value).__name__
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, _PLAIN):
            return kind, repr(value)
        if isinstance(value, tuple | list):
            return kind, [self.value(each, names) for each in value]
        if isinstance(value, set | frozenset):
            return kind, sorted(repr(self.value(each, names)) for each in value)
        if isinstance(value, dict):
            return kind, [(self.value(key, names), self.value(each, names)) for key, each in value.items()]
        if hasattr(value, "tobytes"):
            return kind, [str(getattr(value, each, "")) for each in _LAYOUT], value.tobytes()
        if isinstance(value, _BUILT_IN) or (isinstance(value, type) and value.__module__ in _KNOWN):
            return kind, str(getattr(value, "__module__", "")), value.__qualname__
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] in _KNOWN:
            return kind, value.__name__
        if isinstance(value, ModuleType | type):
            used = sorted(name for name in names if hasattr(value, name))
            return kind, value.__name__, [(name, self.value(getattr(value, name), names)) for name in used]
        place = f"{self._kernel.__qualname__} ({self._kernel.__code__.co_filename})"
        raise InputError(
            f"kernel {place} reads {shown(value)}: patterns need numbers, sequences of them, functions and modules"
        )

    def _function(self, function: FunctionType) -> Any:
        if function in self._met:
            return "function", self._met[function]
        self._met[function] = len(self._met)
        outer, self._kernel = self._kernel, function
        codes = [function.__code__]
        for code in codes:
            codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        names = {name for code in codes for name in code.co_names}
        read = {step.argval for code in codes for step in get_instructions(code) if step.opname in _LOADS}
        scope, cells = function.__globals__, function.__closure__ or ()
        told = [
            [(code.co_code, code.co_names, code.co_varnames, code.co_argcount) for code in codes],
            [self.value(each) for code in codes for each in code.co_consts if not isinstance(each, CodeType)],
            [self.value(each) for each in (function.__defaults__, function.__kwdefaults__)],
            [self.value(cell.cell_contents, names) for cell in cells],
            [(name, self.value(scope[name], names)) for name in sorted(read) if name in scope],
        ]
        self._kernel = outer
        return "function", told
