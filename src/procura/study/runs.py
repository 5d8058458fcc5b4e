"""A run of a study: all that it is made of, and the key under which its result is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from procura.result import Limits


@dataclass(frozen=True)
class Search:
    """An algorithm with every option it has, and its heuristic."""

    algorithm: str
    heuristic: str | None
    options: Mapping[str, Any]
    local: bool = False

    @property
    def text(self) -> str:
        """The configuration as ``solve`` reads it.

        >>> Search("astar", "max(misplaced, manhattan)", {"tree": False, "cut": None}).text
        'astar:max(misplaced, manhattan),tree=false,cut=none'
        """
        name = self.algorithm if self.heuristic is None else f"{self.algorithm}:{self.heuristic}"
        told = [f"{key}={plain(value)}" for key, value in self.options.items()]
        return ",".join([name, *told])


def plain(value: Any) -> str:
    """The value of an option as people write it: ``true``, ``none``, ``0.5``."""
    return str(value).lower() if isinstance(value, bool | None) else str(value)


@dataclass(frozen=True)
class Run:
    """One run: a problem, how it is searched, with which seed and limits, and which of its repeats it is."""

    puzzle: str
    code: str | None
    board: str
    options: Mapping[str, Any]
    searches: tuple[Search, ...]
    """One, or those of a portfolio."""
    engine: str
    seed: int | None
    repeat: int
    limits: Limits

    @cached_property
    def configuration(self) -> str:
        """The searches as ``solve`` reads them."""
        return " | ".join(search.text for search in self.searches)

    @cached_property
    def canonical(self) -> dict[str, Any]:
        """Everything that can change the result, in a form that is the same for the same run."""
        searches = [
            {"algorithm": one.algorithm, "heuristic": one.heuristic, "options": dict(one.options)}
            for one in self.searches
        ]
        told = {
            "puzzle": self.puzzle,
            "code": self.code,
            "board": self.board,
            "options": dict(self.options),
            "searches": searches,
            "engine": self.engine,
            "seed": self.seed,
            "repeat": self.repeat,
            "limits": {key: value for key, value in asdict(self.limits).items() if value is not None},
        }
        return {key: value for key, value in told.items() if value is not None}

    @cached_property
    def key(self) -> str:
        """A hash of the canonical form."""
        text = json.dumps(self.canonical, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def told_apart(run: Mapping[str, Any]) -> dict[str, str]:
    """What a run, in its canonical form, can be told apart by in reports."""
    searches = run["searches"]
    found = {
        **run["options"],
        "puzzle": run["puzzle"],
        "algorithm": " | ".join(search["algorithm"] for search in searches),
        "heuristic": " | ".join(search["heuristic"] or "-" for search in searches),
        "engine": run["engine"],
        "seed": run.get("seed", "-"),
        "repeat": run["repeat"],
    }
    return {name: plain(value) for name, value in found.items()}


@dataclass(frozen=True)
class Cell:
    """A run under the names that the study gives it; two cells may share a run."""

    problem: str
    group: str
    configuration: str
    run: Run

    @property
    def names(self) -> dict[str, str]:
        """The names that the study gives it."""
        return {"problem": self.problem, "group": self.group, "configuration": self.configuration}

    @property
    def label(self) -> str:
        """All names, for people."""
        seed = "" if self.run.seed is None else f", seed {self.run.seed}"
        repeat = "" if self.run.repeat == 1 else f", repeat {self.run.repeat}"
        return f"{self.group} / {self.problem} / {self.configuration}{seed}{repeat}"
