"""The puzzle that a command line names: one of the catalog, or ``path/file.py:Class``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from procura import catalog
from procura.catalog import flag
from procura.errors import InputError, OwnPuzzleError, one_line, unknown
from procura.problem import Problem


@dataclass(frozen=True)
class ChosenPuzzle:
    """A puzzle's class and what the command line needs to know about it."""

    name: str
    cls: type[Problem]
    options: tuple[str, ...]
    """The options it takes beside its board."""
    entry: catalog.Puzzle | None
    """Its entry in the catalog; None for a user's own."""

    def read_options(self, given: Mapping[str, str | None]) -> dict[str, Any]:
        """The options that were given, with the values their text stands for; another puzzle's are refused."""
        known = {} if self.entry is None else {option.name: option for option in self.entry.options}
        return self._read(given, self.options, known)

    def read_generator_options(self, given: Mapping[str, str | None]) -> dict[str, Any]:
        """The options of its generator that were given, read as ``read_options`` reads them."""
        if self.entry is None:
            return self._read(given, keywords(self.cls.generate), {})
        known = {option.name: option for option in self.entry.generator}
        return self._read(given, tuple(known), known)

    def _read(
        self, given: Mapping[str, str | None], names: tuple[str, ...], known: Mapping[str, catalog.Option]
    ) -> dict[str, Any]:
        values = {}
        for name, text in given.items():
            if text is None:
                continue
            if name not in names:
                own = ", ".join(flag(other) for other in names) or "no options of its own"
                raise InputError(f"{flag(name)}: {self.name} takes {own}")
            values[name] = known[name].read(text) if name in known else text
        return {name: value for name, value in values.items() if value is not None}

    def check_counting(self) -> None:
        """Refuse a puzzle that does not count its solutions."""
        if self.cls.count_solutions is Problem.count_solutions:
            raise InputError(f"--solutions: {self.name} counts none")

    def needs_nothing(self) -> bool:
        """Whether it is a user's class of which a problem can be made without a board."""
        if self.entry is not None:
            return False
        parameters = inspect.signature(self.cls).parameters.values()
        fills = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return all(one.default is not one.empty or one.kind in fills for one in parameters)

    def defines(self, method: str) -> bool:
        """Whether it has a ``from_text`` or ``generate`` of its own."""
        return any(method in vars(base) for base in self.cls.__mro__[: self.cls.__mro__.index(Problem)])

    def samples(self) -> dict[str, dict[str, Any]]:
        """The shipped problems by name: the arguments of the class."""
        return self.entry.samples() if self.entry is not None else {}

    def sample(self, name: str) -> dict[str, Any]:
        """The arguments of a shipped problem."""
        samples = self.samples()
        if not samples:
            raise InputError(f"--sample {name!r}: {self.name} has no samples")
        if name not in samples:
            raise unknown(f"{self.name} has no sample", name, samples)
        return samples[name]


def choose_puzzle(text: str) -> ChosenPuzzle:
    """The puzzle that ``text`` names."""
    path, _, class_name = text.rpartition(":")
    if class_name and path.endswith(".py"):
        cls = load_class(path, class_name)
        return ChosenPuzzle(cls.__name__, cls, keywords(cls.from_text), None)
    if text.endswith((".py", ".py:")):
        raise InputError(f"puzzle {text!r}: expected the class as well, path/file.py:Class")
    entry = catalog.puzzle(text)
    return ChosenPuzzle(entry.name, entry.load(), tuple(option.name for option in entry.options), entry)


def load_class(path: str, name: str) -> type[Problem]:
    """The problem class ``name`` of the Python file at ``path``, which is run."""
    if not os.path.isfile(path):
        raise InputError(f"puzzle {path!r}: there is no such file")
    module = _module(Path(path))
    found = vars(module).get(name)
    if found is None:
        own = {key: value for key, value in vars(module).items() if _is_problem(value, module)}
        raise unknown(f"{path} has no class", name, own)
    if not isinstance(found, type) or not issubclass(found, Problem):
        raise InputError(f"puzzle {path}:{name}: expected a class derived from procura.Problem or ArrayProblem")
    return found


def _module(path: Path) -> ModuleType:
    """The module of a file, by a name that is the same in every run, so that cached kernels find it."""
    path = path.resolve()
    name = f"procura_file_{path.stem}_{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last: its neighbours can be imported and shadow nothing
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise OwnPuzzleError(f"{path} cannot be loaded: {type(error).__name__}: {one_line(str(error))}") from error
    return module


def _is_problem(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, Problem) and value.__module__ == module.__name__


def keywords(method: Callable[..., Any]) -> tuple[str, ...]:
    """The keywords that ``from_text`` or ``generate`` of a user's class takes beside its first argument."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(parameter.name for parameter in parameters if parameter.kind in kinds)
