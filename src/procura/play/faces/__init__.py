"""How each puzzle's game is seen and steered."""

from __future__ import annotations

from procura.play.faces.base import Face
from procura.play.game import Game


def face_of(game: Game) -> Face:
    """The face of a game, by its kind."""
    from procura.play.dots import DotsDuel, DotsGame
    from procura.play.faces.dots import DotsFace, DuelFace
    from procura.play.faces.sliding import SlidingFace
    from procura.play.faces.sudoku import SudokuFace
    from procura.play.faces.tetris import TetrisFace
    from procura.play.sliding import SlidingGame
    from procura.play.sudoku import SudokuGame
    from procura.play.tetris import TetrisGame

    kinds: dict[type[Game], type[Face]] = {
        SlidingGame: SlidingFace,
        SudokuGame: SudokuFace,
        TetrisGame: TetrisFace,
        DotsGame: DotsFace,
        DotsDuel: DuelFace,
    }
    return kinds.get(type(game), Face)(game)
