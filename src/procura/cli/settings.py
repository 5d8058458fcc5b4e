"""How to search, as options of the command line say it: configuration, heuristic, limits, engine, seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura import catalog
from procura.catalog import flag
from procura.errors import InputError, unknown
from procura.heuristics import Heuristic, Name, Node, Operation, heuristic as parse_heuristic
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle
from procura.result import Limits
from procura.solving import configurations


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
