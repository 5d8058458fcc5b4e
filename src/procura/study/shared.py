"""What studies and the command line read alike: the puzzle a text names, the problems of a file, limits."""

from __future__ import annotations

from procura.cli.batches import SPLITTERS, Source, Task
from procura.cli.puzzles import ChosenPuzzle, choose_puzzle
from procura.cli.settings import read_limits

__all__ = ["SPLITTERS", "ChosenPuzzle", "Source", "Task", "choose_puzzle", "read_limits"]
