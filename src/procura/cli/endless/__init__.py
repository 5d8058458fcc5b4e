"""``procura endless``: what its commands share, and what other commands show of it."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import Any

from procura import catalog
from procura.reading.puzzles import ChosenPuzzle
from procura.words import counted

NAME = "endless"
"""For the menu."""


def menu_rows() -> list[tuple[str, str]]:
    """What the menu offers beside the puzzles."""
    return [
        (NAME, f"{puzzle.name.capitalize()} without end, by hand")
        for puzzle in catalog.PUZZLES.values()
        if puzzle.endless is not None
    ]


def controller_names() -> list[str]:
    """The names of all controllers."""
    return [controller.name for puzzle in catalog.PUZZLES.values() for controller in _controllers(puzzle)]


def list_controllers(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    """The controllers by name, with their weights, for a puzzle that has any."""
    for controller in _controllers(puzzle.entry):
        weights = ", ".join(f"{feature} {weight:.4g}" for feature, weight in controller.weights.items())
        yield controller.name, f"{controller.about}: {weights}"


def _controllers(puzzle: catalog.Puzzle | None) -> list[Any]:
    """The controllers of a puzzle, the best one last."""
    if puzzle is None or puzzle.endless is None:
        return []
    found: list[Any] = importlib.import_module(puzzle.endless).controllers()
    return found


def warm_players(puzzle: ChosenPuzzle) -> Iterator[str]:
    """Compile what the best controller plays and advises with: with one piece known as the commands that compare and
    tune have it, with two as play has it. Other controllers have other features, and kernels of their own."""
    for controller in _controllers(puzzle.entry)[-1:]:
        assert puzzle.entry is not None and puzzle.entry.endless is not None
        home = importlib.import_module(puzzle.entry.endless)
        for known in (1, 2):
            began = time.perf_counter()
            home.Adviser(controller, home.Game(known=known)).advise()
            pieces = counted(known, "known piece")
            yield f"endless {puzzle.name}: {controller.name} ready, {pieces}, {time.perf_counter() - began:.1f} s"
