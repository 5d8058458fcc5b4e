"""Tetris with a known list of pieces: drop them all, for as many points as can be made."""

from procura.puzzles.tetris.board import Board
from procura.puzzles.tetris.rules import Tetris

TetrisBoard = Board

__all__ = ["Board", "Tetris", "TetrisBoard"]
