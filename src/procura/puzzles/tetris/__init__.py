"""Tetris with a known list of pieces: drop them all, for as many points as can be made."""

from procura.puzzles.tetris.rules import Tetris

__all__ = ["Tetris"]
