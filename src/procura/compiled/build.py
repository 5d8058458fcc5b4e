"""From plain functions to compiled ones: a template's globals are bound to a problem's kernels and constants.

The searches in ``templates/`` are ordinary functions that name ``moves``, ``apply``, ``SIZE`` and so on as globals.
``Specialised`` copies such a function, and every function it calls, with those names bound to one problem's kernels
and to numbers that Numba then treats as constants; everything is inlined. No source text is generated. The copy's
name carries a hash of all that it depends on: its own code and that of all it calls, the value of every global it
reads, and the versions in use. The same hash names it in the cache.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import platform
import re
import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import llvmlite
import numba
import numpy as np

from procura import __version__
from procura.compiled.cache import KernelCache
from procura.compiled.inside import CAN_CACHE, dispatcher, followed, intrinsic_code, machine
from procura.errors import KernelError
from procura.faults import PARAMETERS, check_signature
from procura.interrupts import in_charge
from procura.kept import about_to_make

Tell = Callable[[str, int, int], None]
"""Hears of a function that is compiled: its name, and how many of how many are."""
TEMPLATES = "procura.compiled.templates."
_PLAIN = (int, float, str, bytes, bool, type(None), np.generic)


@dataclass(frozen=True)
class Part:
    """A function with bindings of its own, which go before those of the whole."""

    function: Callable[..., Any]
    bindings: tuple[tuple[str, Any], ...]


Seen = list[tuple[dict[str, Any], str, Any]]
"""Globals that kernels look up: (the scope, the name, what stood there)."""
_contents: dict[Any, tuple[str, Seen]] = {}
_MOST_CONTENTS = 1024
_ABSENT = object()


def content(function: Callable[..., Any], bindings: Mapping[str, Any], debug: bool) -> tuple[str, Seen | None]:
    """A hash of all that ``function``, so bound, depends on, and the globals that it rests on.

    While all of those are what they were, so is the hash; None: it may change all the same.
    """
    try:
        key = (function, debug, *bindings.items(), *map(type, bindings.values()))
        known = _contents.get(key)
    except TypeError:  # a binding that cannot be looked up
        return _Unit(bindings, debug).digest(function), None
    if known is not None and unchanged(known[1]):
        return known
    unit = _Unit(bindings, debug)
    digest = unit.digest(function)
    if not unit.steady:
        return digest, None
    if len(_contents) >= _MOST_CONTENTS:
        _contents.clear()
    _contents[key] = digest, unit.seen
    return digest, unit.seen


def unchanged(seen: Seen) -> bool:
    """Whether all globals are what they were."""
    return all(scope.get(name, _ABSENT) is value for scope, name, value in seen)


class Specialised:
    """A function bound to a problem, compiled for the arguments it is prepared with."""

    def __init__(self, function: Callable[..., Any], bindings: Mapping[str, Any], debug: bool) -> None:
        self._unit = _Unit(bindings, debug)
        self._dispatcher = self._unit.dispatcher(function)
        self.pace = 1
        """For a search: the nodes that it expands in a slice, as far as it is known from the last one."""
        self.file: str | None = None
        """Its file in the cache; None if it cannot be kept."""

    def prepare(self, *arguments: Any, tell: Tell | None = None) -> None:
        """Compile for the types of ``arguments``, or load from the cache; ``tell`` hears of each function compiled."""
        signature = tuple(numba.typeof(argument) for argument in arguments)
        if self._unit.cachable and CAN_CACHE:
            versions = (__version__, numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
            named = (self._dispatcher.__name__, str(signature), machine(), versions)
            digest = hashlib.sha256(repr(named).encode()).hexdigest()
            self._dispatcher._cache = cache = KernelCache(digest)
            self.file = cache.name
        else:
            about_to_make("a kernel")
        names = {made: made.__name__.rpartition("_")[0] for made in self._unit.dispatchers}
        of = len(names)

        def told(made: Any) -> None:
            name = names.pop(made, None)  # Numba's own functions, which kernels call, do not count
            if name is not None and tell is not None:
                tell(name, of - len(names), of)

        with followed(told):
            self._dispatcher.compile(signature)

    def __call__(self, *arguments: Any) -> Any:
        interrupts = in_charge()
        if interrupts is None:
            return self._dispatcher(*arguments)
        interrupts.enter_kernel()
        try:
            return self._dispatcher(*arguments)
        finally:
            interrupts.leave_kernel()


class _Unit:
    """Everything one specialised function pulls in: each function once, whatever calls it."""

    def __init__(self, bindings: Mapping[str, Any], debug: bool) -> None:
        self.bindings = bindings
        self.debug = debug
        self.cachable = True
        self.steady = True
        """Whether ``seen`` tells all: no value it depends on can change in place."""
        self.seen: Seen = []
        """Every global looked up, but those of templates, which nobody changes."""
        self._digests: dict[Any, str] = {}
        self._dispatchers: dict[Any, Any] = {}

    def dispatcher(self, part: Any) -> Any:
        """Numba's dispatcher for a copy of a function whose globals are bound."""
        part = plain(part)
        if part in self._dispatchers:
            return self._dispatchers[part]
        function = part.function if isinstance(part, Part) else part
        if function.__closure__:
            raise KernelError(f"kernel {_place(function)} uses variables of an enclosing function: expected constants")
        scope: dict[str, Any] = {"__name__": function.__module__, "__builtins__": builtins}
        name = f"{function.__name__}_{self.digest(part)[:24]}"
        copy = types.FunctionType(function.__code__, scope, name, function.__defaults__)
        copy.__qualname__ = name
        self._dispatchers[part] = made = dispatcher(
            copy,
            inner=bool(self._dispatchers),
            debug=self.debug,
            from_the_start=self._from_the_start(function),
            inline=_is_inlined(function),
        )
        for global_name, value in self._globals(part).items():
            scope[global_name] = self.dispatcher(value) if _is_function(value) else value
        return made

    @property
    def dispatchers(self) -> Collection[Any]:
        """Those of all functions."""
        return self._dispatchers.values()

    def digest(self, part: Any) -> str:
        """A hash of a function's code, of all it calls and of every global it reads."""
        part = plain(part)
        if part in self._digests:
            return self._digests[part]
        self._digests[part] = "itself"
        function = part.function if isinstance(part, Part) else part
        parts = [function.__module__, function.__qualname__, repr(self.debug), repr(function.__defaults__)]
        parts += [repr(self._from_the_start(function)), repr(_is_inlined(function))]
        parts += _code_parts(function.__code__)
        for name, value in sorted(self._globals(part).items()):
            parts.append(f"{name}={self._value_digest(value, function)}")
        self._digests[part] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return self._digests[part]

    def _from_the_start(self, function: Any) -> bool:
        """Whether it never indexes from the end: templates do not, and of kernels it may be known."""
        return function.__module__.startswith(TEMPLATES) or function in self.bindings.get("FROM_THE_START", ())

    def _globals(self, part: Any) -> dict[str, Any]:
        """The globals that a function names; in templates the bound ones first."""
        function = part.function if isinstance(part, Part) else part
        of_template = function.__module__.startswith(TEMPLATES)
        bound = dict(self.bindings) if of_template else {}
        if isinstance(part, Part):
            bound.update(part.bindings)
        found = {}
        for name in _global_names(function.__code__):
            if name in bound:
                found[name] = bound[name]
                continue
            if not of_template:
                self.seen.append((function.__globals__, name, function.__globals__.get(name, _ABSENT)))
            if name in function.__globals__:
                found[name] = function.__globals__[name]
        return found

    def _value_digest(self, value: Any, user: Any) -> str:
        if _is_function(value):
            return self.digest(value)
        if intrinsic_code(value) is not None:
            return f"intrinsic {value._name} {_code_parts(intrinsic_code(value))}"
        if isinstance(value, np.ndarray):
            self.steady = False
            return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
        if isinstance(value, tuple):
            return f"{type(value).__name__}({','.join(self._value_digest(item, user) for item in value)})"
        if isinstance(value, _PLAIN):
            return f"{type(value).__name__}:{value!r}"
        if isinstance(value, numba.types.Type):
            return f"type {value}"
        if isinstance(value, types.BuiltinFunctionType) or (isinstance(value, type) and value.__module__ in _KNOWN):
            return f"{value.__module__}.{value.__qualname__}"
        if isinstance(value, types.ModuleType):
            if value.__name__.split(".")[0] in _KNOWN:
                return value.__name__
            self.steady = False
            used = [name for name in user.__code__.co_names if hasattr(value, name)]
            return ",".join(f"{name}={self._value_digest(getattr(value, name), user)}" for name in used)
        self.cachable = False
        return f"unknown {id(value)}"


_KNOWN = {"builtins", "math", "numpy", "numba"}


def _is_inlined(function: Any) -> bool:
    """Whether its module wants it inlined, however large it is."""
    return function.__name__ in function.__globals__.get("INLINED", ())


def _is_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType | staticmethod | Part)


def plain(function: Any) -> Any:
    """The function of a static method."""
    return function.__func__ if isinstance(function, staticmethod) else function


@lru_cache(maxsize=4096)
def _global_names(code: types.CodeType) -> tuple[str, ...]:
    """Every global that the code looks up."""
    return tuple({step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"})


@lru_cache(maxsize=4096)
def _code_parts(code: types.CodeType) -> tuple[str, ...]:
    """What the code does, without where it stands."""
    parts = [code.co_code.hex(), repr(code.co_names), repr(code.co_varnames), repr(code.co_argcount)]
    for constant in code.co_consts:
        nested = isinstance(constant, types.CodeType)
        parts += _code_parts(constant) if nested else [f"{type(constant).__name__}:{constant!r}"]
    return tuple(parts)


def _place(function: Any) -> str:
    code = function.__code__
    return f"{function.__qualname__} ({code.co_filename}, line {code.co_firstlineno})"


def check_kernels(bindings: Mapping[str, Any]) -> None:
    """Refuse kernels that do not take what the templates call them with, before anything is compiled."""
    for name, value in bindings.items():
        if isinstance(value, Part):
            check_kernels(dict(value.bindings))
        role = {"heuristic_kernel": "heuristic", "heuristic_step": "step", "step": None}.get(name, name)
        if role in PARAMETERS and isinstance(value, types.FunctionType | staticmethod):
            check_signature(role, value)


def diagnose(kernels: Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]], error: Exception) -> KernelError:
    """The error for a search that did not compile: the first kernel that does not compile by itself, and where.

    ``kernels`` maps names to (function, sample arguments).
    """
    for name, (function, arguments) in kernels.items():
        kernel = plain(function)
        try:
            made = _Unit({}, debug=False).dispatcher(kernel)
            made.compile(tuple(numba.typeof(a) for a in arguments))
            if made.nopython_signatures[0].return_type == numba.types.none and name not in (
                "randomise",
                "revert",
                "cross",
                "play",
            ):
                return KernelError(f"kernel {_place(kernel)} returns nothing")
        except KernelError as known:
            return known
        except Exception as failure:
            code = kernel.__code__
            lines = re.findall(r'File "([^"]+)", line (\d+)', str(failure))
            line = next((n for file, n in reversed(lines) if code.co_filename.endswith(file)), code.co_firstlineno)
            reason = _reason(str(failure))
            return KernelError(
                f"kernel {kernel.__qualname__} does not compile ({code.co_filename}, line {line}): {reason}"
            )
    return KernelError(f"the search does not compile for this problem: {_reason(str(error))}")


def _reason(message: str) -> str:
    """The telling line of a Numba error, which is coloured if colorama is there.

    >>> _reason("\\x1b[1mFailed in nopython mode\\x1b[0m\\n\\x1b[1mUnknown attribute\\x1b[0m")
    'Unknown attribute'
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", message)
    if "NRT required" in message:
        return "it allocates memory, which kernels may not"
    skip = ("Failed in", "During:", "File ", "There are", "- Of which", "Overload", ">>>", "<source", "^")
    lines = [line.strip() for line in message.splitlines()]
    telling = [line for line in lines if line and not line.startswith(skip)]
    return telling[0] if telling else message.strip()
