"""What the tests of playing share: small games of every kind, random play, and a terminal to play in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pseudo_terminal

from procura import Dots, Sliding, Sudoku, Tetris
from procura.play.saving import new_game

ROOT = Path(__file__).parents[2]
SMALL_SUDOKU = ".14.3......1.23."
FOUR_SOLUTIONS = "12.. .... .... ..21"
CORNER = "(3 (((1 0) (0 0) (1 0)) ((1 0) (0 0) (0 1))))"
UP, DOWN, RIGHT, LEFT = "up", "down", "right", "left"


class Plain(Sliding):
    """A puzzle that is played as any problem is."""

    attempt = None


def games():
    """A fresh game of every kind, by name."""
    return {
        "sliding": new_game(Sliding("4 1 2 0 5 3", size="2x3")),
        "sudoku": new_game(Sudoku(SMALL_SUDOKU)),
        "tetris": new_game(Tetris("##..##\n#...##", "loi", rows=8, columns=6)),
        "dots": new_game(Dots.from_text(CORNER)),
        "duel": new_game(Dots.from_text(CORNER), against="computer", seed=7),
        "any": new_game(Plain("1 2 3 4 5 6 0 7 8")),
    }


KINDS = tuple(games())


def play_at_random(game, choices):
    """Make, take back and make again: each choice is one of these, or a legal move by its number."""
    for choice in choices:
        if choice % 6 == 0:
            game.undo()
        elif choice % 6 == 1:
            game.redo()
        else:
            legal = game.legal()
            if legal:
                game.play(legal[choice // 6 % len(legal)])
                answer_all(game)


def answer_all(game):
    """Let the other player make its moves."""
    while (move := game.answer()) is not None:
        game.play(move)


def command(*arguments):
    """The command line that plays."""
    return [sys.executable, "-m", "procura", "play", *map(str, arguments)]


def play_lines(*arguments, text, **keywords):
    """Play through pipes, a command a line."""
    pipes = {"capture_output": True, "text": True, "timeout": 120, **keywords}
    return subprocess.run(command(*arguments), input=text, **pipes)


class Terminal(pseudo_terminal.Terminal):
    """A game in a pseudo-terminal."""

    def __init__(self, *arguments, columns=80, **keywords):
        super().__init__("play", *arguments, columns=columns, **keywords)

    def press(self, *keys):
        """Press keys, each after the game has taken the last one."""
        for key in keys:
            self.send(key)
            self.settle()

    def type(self, text):
        """Type a command after a colon."""
        self.send(f":{text}\r")
        self.settle()

    @property
    def screen(self):
        """What a person sees."""
        return self.display.text
