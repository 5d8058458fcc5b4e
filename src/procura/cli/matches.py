"""``procura play --players``: games of two computers, and a table of who won."""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any

from procura.cli.harmless import echo
from procura.cli.interrupt import noted_interrupts
from procura.cli.status import FOUND, INTERRUPTED
from procura.errors import InputError
from procura.reading.puzzles import ChosenPuzzle


def play_match(
    chosen: ChosenPuzzle, players: str, size: str | None, games: int, seed: int | None, as_json: bool
) -> int:
    """Let two computers play; the exit status."""
    if chosen.entry is None or chosen.entry.players is None:
        raise InputError(f"--players: there are none for {chosen.name}")
    names = [name.strip() for name in players.split(",")]
    if len(names) != 2:
        raise InputError(f"--players {players!r}: expected two, such as strong,greedy")
    home, size = importlib.import_module(chosen.entry.players), size or "5x5"
    problem = chosen.cls.generate(0, size=size, drawn=0)
    home.Computer(problem, names[0]), home.Computer(problem, names[1])  # refused before anything is played
    results: list[tuple[int, int]] = []
    began = time.process_time()
    with noted_interrupts() as interrupt:
        for number in range(games):
            if interrupt.noted:
                break
            pair = [home.Computer(problem, name, 2 * ((seed or 0) + number) + i) for i, name in enumerate(names)]
            played = home.play_game(problem, *(pair if number % 2 == 0 else pair[::-1]))
            results.append(tuple(played) if number % 2 == 0 else (played[1], played[0]))
    seconds = time.process_time() - began
    if as_json:
        sys.stdout.write(json.dumps(_record(chosen.name, size, names, results, seconds)) + "\n")
    else:
        _print(chosen.name, size, names, results, seconds)
    return FOUND if len(results) == games else INTERRUPTED


def _counts(results: list[tuple[int, int]], i: int) -> tuple[int, int, int, int]:
    """Wins, draws, losses and boxes of one player."""
    ahead = [(pair[i] > pair[1 - i]) - (pair[i] < pair[1 - i]) for pair in results]
    return ahead.count(1), ahead.count(0), ahead.count(-1), sum(pair[i] for pair in results)


def _record(puzzle: str, size: str, names: list[str], results: list[tuple[int, int]], seconds: float) -> dict[str, Any]:
    keys = ("wins", "draws", "losses", "boxes")
    players = [{"player": name, **dict(zip(keys, _counts(results, i), strict=True))} for i, name in enumerate(names)]
    return {"puzzle": puzzle, "size": size, "games": len(results), "players": players, "seconds": seconds}


def _print(puzzle: str, size: str, names: list[str], results: list[tuple[int, int]], seconds: float) -> None:
    echo(f"{len(results):,} games of {puzzle} {size}, begun in turns, {seconds:.1f} s")
    width = max(map(len, (*names, "player")))
    echo(f"{'player':<{width}}  {'wins':>6} {'draws':>6} {'losses':>6} {'boxes':>7}")
    for i, name in enumerate(names):
        wins, draws, losses, boxes = _counts(results, i)
        echo(f"{name:<{width}}  {wins:>6} {draws:>6} {losses:>6} {boxes:>7}")
