"""The sliding puzzle: tiles on a grid with one blank, on boards of any size and with any goal."""

from procura.puzzles.sliding.rules import Sliding

__all__ = ["Sliding"]
