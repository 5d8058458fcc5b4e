"""Endless Tetris: controllers that drop one known piece after the other until none fits."""

from procura.puzzles.tetris.endless.controllers import CONTROLLERS, Controller, read_controller
from procura.puzzles.tetris.endless.features import FEATURES
from procura.puzzles.tetris.endless.games import Games, play_games

__all__ = ["CONTROLLERS", "FEATURES", "Controller", "Games", "play_games", "read_controller"]
