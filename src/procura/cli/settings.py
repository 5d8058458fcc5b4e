"""How to search, as options of the command line say it: configuration, heuristic, limits, engine, seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura.catalog import Algorithm, flag
from procura.configuration import Configuration, configurations, read_pairs
from procura.errors import InputError
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle
from procura.result import Limits


@dataclass(frozen=True)
class Settings:
    """Everything about a run but its problem."""

    label: str
    """What ``--with`` said."""
    configurations: tuple[Configuration, ...]
    """The same with what stands beside it; several are a portfolio."""
    algorithm: Algorithm | None
    """The algorithm of the configuration, or of the preset it names; None for ``auto`` and for several."""
    limits: Limits
    engine: str
    seed: int | None

    def keywords(self) -> dict[str, Any]:
        """The arguments of ``solve`` that follow the problem."""
        return {"algorithm": self.configurations, "limits": self.limits, "engine": self.engine, "seed": self.seed}


def read_settings(
    puzzle: ChosenPuzzle,
    configuration: str,
    *,
    options: Sequence[str] = (),
    heuristic: str | None = None,
    limits: Sequence[str] = (),
    engine: str = "auto",
    seed: int | None = None,
    own: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings in the words of the command line; raises what can be known to be wrong without a problem.

    Several configurations with ``|`` between them are a portfolio, to which ``options`` apply one by one. ``own`` are
    options of the puzzle, to which a preset must not give other values.
    """
    several = configurations(configuration, heuristic, read_beside(options))
    return settings_of(puzzle, configuration, several, read_limits(limits), engine, seed, own or {})


def read_beside(options: Sequence[str]) -> dict[str, Any]:
    """The options of ``-o``, each once."""
    beside: dict[str, Any] = {}
    for text in options:
        for name, value in read_pairs(text, f"-o {text}"):
            if name in beside:
                raise InputError(f"-o {text}: {name} is given twice")
            beside[name] = value
    return beside


def settings_of(
    puzzle: ChosenPuzzle, label: str, several: tuple[Configuration, ...], limits: Limits, engine: str = "auto",
    seed: int | None = None, own: Mapping[str, Any] | None = None,
) -> Settings:  # fmt: skip
    """The settings of configurations that are read already; raises as ``read_settings`` does."""
    found = [one.resolve(puzzle.cls) for one in several]
    for one in several:
        _check_preset(puzzle, one, own or {})
    known = len(found) == 1 and found[0].algorithm != "auto"
    return Settings(label, several, found[0].info if known else None, limits, engine, seed)


def _check_preset(puzzle: ChosenPuzzle, configuration: Configuration, own: Mapping[str, Any]) -> None:
    """Refuse options of the puzzle to which a preset gives other values."""
    preset = configuration.preset(puzzle.cls)
    for option, value in preset.options.items() if preset is not None else ():
        if own.get(option, value) != value:
            raise InputError(f"{flag(option)} {own[option]}: {configuration.algorithm} sets {flag(option)} {value}")
