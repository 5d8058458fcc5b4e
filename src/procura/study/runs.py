"""A run of a study: all that it is made of, and the key under which its result is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from procura.configuration import Configuration, plain
from procura.result import Limits

KEYED: Mapping[str, tuple[str, ...]] = {
    "bfs": ("early_goal",),
    "dfs": ("tree",),
    "iddfs": ("tree",),
    "ucs": ("ties",),
    "greedy": ("ties",),
    "astar": ("tree", "ties", "reopen", "weight", "cut", "prune_dead"),
    "idastar": ("jobs",),
    "beam": ("width", "order", "ties", "widen"),
    "hill": ("patience", "sideways", "restarts"),
    "annealing": ("temperature", "moves", "cooling", "patience", "stuck", "reheat", "restarts"),
    "genetic": (
        "population", "rounds", "selection", "tournament", "elitism", "crossover", "mutation", "newcomers",
        "early_stop", "patience", "restarts",
    ),
}  # fmt: skip
"""The options that keys hold whatever their values, for keys to stay what they are. It is never added to: any other
option is part of a key only where it differs from its default, so that results from before it was there are found."""


def search_of(configuration: Configuration) -> dict[str, Any]:
    """A resolved configuration in the form of which keys are made.

    >>> search_of(Configuration.parse("bfs"))
    {'algorithm': 'bfs', 'heuristic': None, 'options': {'early_goal': False}}
    """
    name, h = configuration.algorithm, configuration.heuristic
    unsaid = "zero" if configuration.info.uses_heuristic else None
    options = {option: configuration.all_options[option] for option in KEYED.get(name, ())}
    return {
        "algorithm": name,
        "heuristic": unsaid if h is None else h.text,
        "options": {**options, **dict(configuration.options)},
    }


@dataclass(frozen=True)
class Run:
    """One run: a problem, how it is searched, with which seed and limits, and which of its repeats it is."""

    puzzle: str
    code: str | None
    board: str
    options: Mapping[str, Any]
    configurations: tuple[Configuration, ...]
    """One or, in a portfolio, several; each resolved to an algorithm by name."""
    engine: str
    seed: int | None
    repeat: int
    limits: Limits

    @cached_property
    def configuration(self) -> str:
        """The configurations as ``solve`` reads them."""
        return " | ".join(map(str, self.configurations))

    @cached_property
    def canonical(self) -> dict[str, Any]:
        """Everything that can change the result, in a form that is the same for the same run."""
        told = {
            "puzzle": self.puzzle,
            "code": self.code,
            "board": self.board,
            "options": dict(self.options),
            "searches": [search_of(one) for one in self.configurations],
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


def distinctions(run: Mapping[str, Any]) -> dict[str, str]:
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
