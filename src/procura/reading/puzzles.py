"""The puzzle that a command line names: one of the catalog, or ``path/file.py:Class``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from procura import catalog
from procura.algorithm import load
from procura.catalog import flag
from procura.errors import InputError, OwnPuzzleError, one_line, unknown
from procura.game import Game
from procura.presentation import Presentation
from procura.problem import Problem

MOST_HEURISTICS = 4
"""Of a puzzle that does not say what to compare."""


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
        return self._read(given, self.options, self.kin.options if self.kin is not None else ())

    def read_generator_options(self, given: Mapping[str, str | None]) -> dict[str, Any]:
        """The options of its generator that were given, read as ``read_options`` reads them."""
        return self._read(given, self.generator_options, self.kin.generator if self.kin is not None else ())

    @cached_property
    def kin(self) -> catalog.Puzzle | None:
        """The puzzle of the catalog that it is or derives from, which knows how to read its options."""

        def derives(entry: catalog.Puzzle) -> bool:
            home, _, name = entry.home.partition(":")
            return any(base.__name__ == name and base.__module__.startswith(home) for base in self.cls.__mro__)

        return self.entry or next(filter(derives, catalog.PUZZLES.values()), None)

    @property
    def generator_options(self) -> tuple[str, ...]:
        """The options that its generator takes beside the seed."""
        if self.entry is None:
            return keywords(self.cls.generate)
        return tuple(option.name for option in self.entry.generator)

    def _read(
        self, given: Mapping[str, str | None], names: tuple[str, ...], options: tuple[catalog.Option, ...]
    ) -> dict[str, Any]:
        values, known = {}, {option.name: option for option in options}
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
        return any(method in vars(base) for base in self.cls.__mro__[: self.cls.__mro__.index(Presentation)])

    def samples(self) -> Mapping[str, Mapping[str, Any]]:
        """The problems worth trying by name: the arguments of the class."""
        return self.cls.samples()

    def sample(self, name: str) -> Mapping[str, Any]:
        """The arguments of such a problem."""
        samples = self.samples()
        if not samples:
            raise InputError(f"--sample {name!r}: {self.name} has no samples")
        known = self.cls.sample_aliases.get(name, name)
        if known not in samples:
            raise unknown(f"{self.name} has no sample", name, [*self.cls.sample_aliases, *samples])
        return samples[known]

    def compared(self) -> tuple[str, ...]:
        """The searches to compare if none are named."""
        if self.cls.compared:
            return self.cls.compared
        return ("auto", "bfs", "dfs", *(f"astar:{name}" for name in list(self.cls.heuristics)[:MOST_HEURISTICS]))

    def sample_groups(self) -> Mapping[str, Mapping[str, str]]:
        """The names of all samples by where they are from, each with a word of what it shows."""
        groups = self.cls.sample_groups
        named = {name for group in groups.values() for name in group}
        rest = {name: "" for name in self.samples() if name not in named}
        return {**groups, **({"more" if groups else "": rest} if rest else {})}


def choose_puzzle(text: str, games: bool = False) -> ChosenPuzzle:
    """The puzzle that ``text`` names; with ``games`` ``path/file.py:Class`` may be a game for two as well."""
    path, _, class_name = text.rpartition(":")
    if class_name and path.endswith(".py"):
        cls = load_class(path, class_name, Presentation if games else Problem)
        if issubclass(cls, Game):
            return _chosen_game(cls.__name__, cls)
        return ChosenPuzzle(cls.__name__, cls, keywords(cls.from_text), None)
    if text.endswith((".py", ".py:")):
        raise InputError(f"puzzle {text!r}: expected the class as well, path/file.py:Class")
    entry = catalog.puzzle(text)
    return ChosenPuzzle(entry.name, entry.load(), tuple(option.name for option in entry.options), entry)


def choose_game(text: str) -> ChosenPuzzle:
    """The game for two that ``text`` names: that of a puzzle, or ``path/file.py:Class``."""
    path, _, class_name = text.rpartition(":")
    if class_name and path.endswith(".py"):
        cls = load_class(path, class_name, Game)
        name = cls.__name__
    else:
        entry = catalog.puzzle(text) if not text.endswith((".py", ".py:")) else None
        if entry is None:
            raise InputError(f"game {text!r}: expected the class as well, path/file.py:Class")
        if entry.game is None:
            games = ", ".join(name for name, other in catalog.PUZZLES.items() if other.game is not None)
            raise InputError(f"{text} is no game for two: expected {games} or path/file.py:Class")
        cls, name = load(entry.game), entry.name
    return _chosen_game(name, cls)


def means_game(text: str, configuration: str) -> bool:
    """Whether of a puzzle the game for two is meant, because the algorithm is one for that game."""
    entry = catalog.PUZZLES.get(text)
    if entry is None or entry.game is None:
        return False
    return configuration.partition(",")[0].partition(":")[0] in catalog.game_algorithms(load(entry.game))


def _chosen_game(name: str, cls: Any) -> ChosenPuzzle:
    return ChosenPuzzle(name, cls, (*keywords(cls.from_text), *keywords(cls)), None)


def load_class(path: str, name: str, kind: type = Problem) -> Any:
    """The class ``name`` of the Python file at ``path``, which is run."""
    if not os.path.isfile(path):
        raise InputError(f"puzzle {path!r}: there is no such file")
    module = _module(Path(path))
    found = vars(module).get(name)
    if found is None:
        own = {key: value for key, value in vars(module).items() if _is_problem(value, module)}
        raise unknown(f"{path} has no class", name, own)
    if kind is Problem and isinstance(found, type) and issubclass(found, Game):
        raise InputError(f"puzzle {path}:{name}: it is a game for two, which procura analyse, play and watch take")
    if not isinstance(found, type) or not issubclass(found, kind):
        bases: dict[type, str] = {Game: "Game or ArrayGame", Problem: "Problem or ArrayProblem"}
        base = bases.get(kind, "Problem, ArrayProblem, Game or ArrayGame")
        raise InputError(f"puzzle {path}:{name}: expected a class derived from procura.{base}")
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
    return isinstance(value, type) and issubclass(value, Problem | Game) and value.__module__ == module.__name__


def keywords(method: Callable[..., Any]) -> tuple[str, ...]:
    """The keywords that ``from_text`` or ``generate`` of a user's class takes beside its first argument."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(parameter.name for parameter in parameters if parameter.kind in kinds)
