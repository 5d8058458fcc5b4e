"""Dots and Boxes as a puzzle: close so many boxes with as few arcs as can be."""

from procura.puzzles.dots.rules import Dots

__all__ = ["Dots"]
