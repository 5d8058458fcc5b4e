"""procura: a puzzle is described once, and every search method runs on it, interpreted and compiled alike."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Analysis": "game",
    "ArrayGame": "game",
    "ArrayProblem": "problem",
    "Batch": "batch",
    "Configuration": "configuration",
    "DEAD": "problem",
    "Data": "data",
    "Dots": "puzzles.dots",
    "Estimate": "problem",
    "Event": "control",
    "Game": "game",
    "InputError": "errors",
    "KernelError": "errors",
    "Limits": "result",
    "Outcome": "result",
    "Preset": "problem",
    "Problem": "problem",
    "Result": "result",
    "Sliding": "puzzles.sliding",
    "Stats": "result",
    "Sudoku": "puzzles.sudoku",
    "Table": "tables",
    "Tetris": "puzzles.tetris",
    "TetrisBoard": "puzzles.tetris",
    "Tuning": "problem",
    "analyse": "analysing",
    "heuristic": "heuristics",
    "kernel": "problem",
    "solve": "solving",
    "solve_many": "batch",
}
_MODULES = ("catalog", "rng", "testing")

__all__ = ["__version__", *_HOMES, *_MODULES]

if TYPE_CHECKING:
    from procura import catalog as catalog, rng as rng, testing as testing
    from procura.analysing import analyse as analyse
    from procura.batch import Batch as Batch, solve_many as solve_many
    from procura.configuration import Configuration as Configuration
    from procura.control import Event as Event
    from procura.data import Data as Data
    from procura.errors import InputError as InputError, KernelError as KernelError
    from procura.game import Analysis as Analysis, ArrayGame as ArrayGame, Game as Game
    from procura.heuristics import heuristic as heuristic
    from procura.problem import (
        DEAD as DEAD,
        ArrayProblem as ArrayProblem,
        Estimate as Estimate,
        Preset as Preset,
        Problem as Problem,
        Tuning as Tuning,
        kernel as kernel,
    )
    from procura.puzzles.dots import Dots as Dots
    from procura.puzzles.sliding import Sliding as Sliding
    from procura.puzzles.sudoku import Sudoku as Sudoku
    from procura.puzzles.tetris import Tetris as Tetris, TetrisBoard as TetrisBoard
    from procura.result import Limits as Limits, Outcome as Outcome, Result as Result, Stats as Stats
    from procura.solving import solve as solve
    from procura.tables import Table as Table


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that ``import procura`` is quick."""
    if name in _MODULES:
        return importlib.import_module(f"procura.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'procura' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"procura.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
