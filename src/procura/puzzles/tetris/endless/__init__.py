"""Endless Tetris: controllers that drop one known piece after the other until none fits."""

from procura.puzzles.tetris.endless.controllers import CONTROLLERS, Controller, controllers, read_controller
from procura.puzzles.tetris.endless.falling import Adviser, Game
from procura.puzzles.tetris.endless.features import FEATURES
from procura.puzzles.tetris.endless.games import Games, play_games, ratio

__all__ = [
    "CONTROLLERS", "FEATURES", "Adviser", "Controller", "Game", "Games", "controllers", "play_games", "ratio",
    "read_controller",
]  # fmt: skip
