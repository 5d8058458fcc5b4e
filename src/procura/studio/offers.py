"""What a page can offer, as plain data: an option, an algorithm, a heuristic."""

from __future__ import annotations

from typing import Any

from procura.algorithm import Algorithm, Option
from procura.problem import ArrayProblem, Problem


def option_data(option: Option) -> dict[str, Any]:
    """An option, from which a field of a form is made."""
    return {
        "name": option.name,
        "kind": option.kind,
        "default": option.default,
        "about": option.about,
        "choices": option.choices,
        "low": option.low,
        "high": option.high,
        "none": option.takes_none,
    }


def algorithm_data(info: Algorithm) -> dict[str, Any]:
    """An algorithm with its options."""
    return {
        "name": info.name,
        "about": info.about,
        "guarantees": info.guarantees,
        "options": [option_data(option) for option in info.options],
        "heuristic": info.uses_heuristic,
        "local": info.local,
        "progress": info.progress,
        "watchable": info.order is not None,
    }


def heuristic_data(name: str, value: Any) -> dict[str, Any]:
    """A heuristic of a puzzle: an estimate, or the text of a composed one."""
    if isinstance(value, str):
        return {"name": name, "about": value, "composed": True, "admissible": None}
    return {"name": name, "about": value.about, "composed": False, "admissible": value.admissible}


def improves(cls: type[Problem]) -> bool:
    """Whether a puzzle has whole states that local search can improve."""
    return cls.energy is not None if cls.local is ArrayProblem.local else cls.local is not Problem.local  # type: ignore[attr-defined]
