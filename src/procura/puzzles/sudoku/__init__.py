"""Sudoku on 4x4, 9x9 and 16x16 boards: filled cell by cell, or filled at once and repaired by swaps."""

from procura.puzzles.sudoku.complete import SudokuFill
from procura.puzzles.sudoku.rules import Sudoku

__all__ = ["Sudoku", "SudokuFill"]
