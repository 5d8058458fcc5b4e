"""Dots and Boxes: as a puzzle, close a number of boxes with as few lines as possible; and as a game for two."""

from procura.puzzles.dots.game import DotsGame
from procura.puzzles.dots.rules import Dots

__all__ = ["Dots", "DotsGame"]
