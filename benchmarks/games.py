"""Dots and Boxes for two: what empty boards are worth, what it takes to find that, and how long ``strong`` thinks.

Run it with ``python benchmarks/games.py``; it takes about half a minute.
"""

from __future__ import annotations

import time

from procura import analyse
from procura.puzzles.dots import DotsGame
from procura.puzzles.dots.players import Computer

BOARDS = {"1x5": "all", "2x4": "all", "3x3": "all", "2x5": "best", "3x4": "best", "2x6": "best"}
"""Whether every move is to have its value, or a best one is enough."""


def value(size: str, moves: str) -> None:
    """Print what a board is worth, and the CPU seconds and memory that ``chains`` needs."""
    game = DotsGame(size=size)
    started = time.process_time()
    found = analyse(game, f"chains,moves={moves}")
    seconds = time.process_time() - started
    assert found.proved
    megabytes = found.stats.peak_memory / 1e6
    print(f"{size:<6} {moves:<6} {found.value:>+5} {found.stats.expanded:>12,} {seconds:>9.2f} {megabytes:>6.0f} MB")


def longest_move(size: str) -> None:
    """Print the longest that ``strong`` thinks of a move in a game against ``greedy``."""
    game = DotsGame(size=size)
    players = Computer(game.puzzle, "strong"), Computer(game.puzzle, "greedy")
    state, longest = game.initial, 0.0
    while not game.is_over(state):
        started = time.perf_counter()
        line = players[game.to_move(state)].choice(state[: game.lines]).line
        if game.to_move(state) == 0:
            longest = max(longest, time.perf_counter() - started)
        state = game.result(state, line)
    print(f"{size:<6} {longest:>5.2f} s, ahead of greedy by {game.score(state)}")


if __name__ == "__main__":
    analyse(DotsGame(size="2x2"), "chains")  # its kernel is compiled, or loaded
    print("board  moves  value     expanded   seconds memory")
    for size, moves in BOARDS.items():
        value(size, moves)
    print("\nthe longest move of strong, by the wall clock")
    for size in ("5x5", "6x6", "8x8"):
        longest_move(size)
