"""How to search, as options of the command line say it: configuration, heuristic, limits, engine, seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura import catalog
from procura.cli.options import flag
from procura.cli.puzzles import ChosenPuzzle
from procura.errors import InputError, unknown
from procura.heuristics import Heuristic, Name, Node, Operation, heuristic as parse_heuristic
from procura.result import Limits
from procura.solving import configurations

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_COUNT = re.compile(r"([0-9][0-9_]{0,17})(?:(?:\.([0-9]{1,18}))?[eE]\+?([0-9]{1,2}))?")
_MEMORY = re.compile(r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*([A-Z]*)")


@dataclass(frozen=True)
class Settings:
    """Everything about a run but its problem."""

    label: str
    """What ``--with`` said."""
    configuration: str
    """The same with the options of ``-o``."""
    algorithm: str
    """The algorithm of the configuration, or of the preset it names; ``auto`` stays, and stands for several."""
    heuristic: Heuristic | None
    limits: Limits
    engine: str
    seed: int | None

    def keywords(self) -> dict[str, Any]:
        """The arguments of ``solve`` that follow the problem."""
        return {
            "algorithm": self.configuration, "heuristic": self.heuristic, "limits": self.limits,
            "engine": self.engine, "seed": self.seed,
        }  # fmt: skip


def read_settings(
    puzzle: ChosenPuzzle,
    configuration: str,
    *,
    options: Sequence[str] = (),
    heuristic: str | None = None,
    limits: Sequence[str] = (),
    engine: str = "auto",
    seed: int | None = None,
) -> Settings:
    """The settings in the words of the command line; raises what can be known to be wrong without a problem.

    Several configurations with ``|`` between them are a portfolio, to which ``options`` apply one by one.
    """
    apart = configurations(configuration)
    several = [",".join([one, *options]) for one in apart]
    parsed = None if heuristic is None else parse_heuristic(heuristic)
    names = [_checked(puzzle, one, parsed) for one in several]
    for one in apart:
        _check_once(one, options)
    name = names[0] if len(names) == 1 else "auto"
    return Settings(configuration, " | ".join(several), name, parsed, read_limits(limits), engine, seed)


def _checked(puzzle: ChosenPuzzle, configuration: str, heuristic: Heuristic | None) -> str:
    """The name of a configuration's algorithm, if nothing about it is wrong."""
    name, own, given = catalog.parse_configuration(configuration)
    preset = puzzle.cls.presets.get(name)
    if preset is not None:
        if own is not None:
            raise InputError(f"--with {configuration!r}: {name} names a heuristic already")
        name, own, fixed = catalog.parse_configuration(preset.configuration)
        given = {**fixed, **given}
    if own is not None and heuristic is not None:
        raise InputError(f"--heuristic {heuristic.text!r}: --with {configuration!r} names a heuristic already")
    if name != "auto":
        _algorithm(name, puzzle).read_options(given)
    for expression in (heuristic, None if own is None else parse_heuristic(own)):
        check_heuristic(expression, name, puzzle)
    return name


def _check_once(configuration: str, options: Sequence[str]) -> None:
    """Refuse an option that a configuration and ``options`` give twice."""
    name, _, given = catalog.parse_configuration(configuration)
    names = set(given)
    for text in options:
        for option in catalog.parse_configuration(f"{name},{text}")[2]:
            if option in names:
                raise InputError(f"-o {text}: {option} is given twice")
            names.add(option)


def check_presets(puzzle: ChosenPuzzle, settings: Settings, options: Mapping[str, Any]) -> None:
    """Refuse options of the puzzle to which a preset of the settings gives other values."""
    for configuration in configurations(settings.label):
        name = catalog.parse_configuration(configuration)[0]
        preset = puzzle.cls.presets.get(name)
        for option, value in preset.options.items() if preset is not None else ():
            if options.get(option, value) != value:
                raise InputError(f"{flag(option)} {options[option]}: {name} sets {flag(option)} {value}")


def _algorithm(name: str, puzzle: ChosenPuzzle) -> catalog.Algorithm:
    if name not in catalog.ALGORITHMS:
        raise unknown("there is no algorithm", name, ["auto", *catalog.ALGORITHMS, *puzzle.cls.presets])
    return catalog.ALGORITHMS[name]


def check_heuristic(expression: Heuristic | None, name: str, puzzle: ChosenPuzzle) -> None:
    """Refuse a heuristic that the algorithm does not use or that a puzzle of the catalog does not have."""
    if expression is None:
        return
    if name != "auto" and not catalog.ALGORITHMS[name].uses_heuristic:
        raise InputError(f"{name} uses no heuristic: leave {expression.text!r} out or take another algorithm")
    known = ["zero", *puzzle.cls.heuristics]
    for used in _names(expression.tree):
        if puzzle.entry is not None and used not in known:
            raise unknown(f"{puzzle.name} has no heuristic", used, known)


def _names(tree: Node) -> Iterator[str]:
    if isinstance(tree, Operation):
        yield from _names(tree.left)
        yield from _names(tree.right)
    elif isinstance(tree, Name):
        yield tree.name


def read_limits(texts: Sequence[str]) -> Limits:
    """The limits written as ``name=value``, several between commas or in several texts.

    >>> read_limits(["seconds=20,nodes=1e6", "memory=500MB"])
    Limits(seconds=20.0, nodes=1000000, memory=500000000, depth=None)
    """
    values: dict[str, Any] = {}
    for text in ",".join(texts).split(",") if texts else ():
        name, equals, value = (word.strip() for word in text.partition("="))
        if not equals:
            raise InputError(f"limit {text!r}: expected name=value, such as seconds=20")
        if name not in _READERS:
            raise unknown("there is no limit", name, _READERS)
        if name in values:
            raise InputError(f"limit {text.strip()}: {name} is given twice")
        values[name] = _READERS[name](name, value)
    return Limits(**values)


def _seconds(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"limit {name}={value}: expected a number of seconds") from None


def _count(name: str, value: str) -> int:
    """A whole number, also written as 1_000_000, 1e6 or 2.5e6."""
    match = _COUNT.fullmatch(value)
    whole, fraction, power = match.groups(default="") if match else ("", "", "")
    digits, zeros = whole.replace("_", "") + fraction, int(power or 0) - len(fraction)
    if match is None or zeros < 0 or len(digits) + zeros > 18:
        raise InputError(f"limit {name}={value}: expected a whole number from 0")
    return int(digits) * 10**zeros


def _bytes(name: str, value: str) -> int:
    match = _MEMORY.fullmatch(value.upper())
    if match is None or match[2] not in _UNITS:
        raise InputError(f"limit {name}={value}: expected a size such as 500MB (KB, MB or GB)")
    return int(float(match[1]) * _UNITS[match[2]])


_READERS = {"seconds": _seconds, "nodes": _count, "memory": _bytes, "depth": _count}
