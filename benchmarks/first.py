"""How long a person waits for the first answer: easy boards by ``procura solve``, with an empty and a warm cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from measure import Scale, against_itself, aim, console, cpu, interleaved, table

from procura import Dots, Sliding, Sudoku, Tetris, solve

EASY = {
    "sliding": ["sliding", "1 2 3 4 0 5 7 8 6"],
    "sudoku": ["sudoku", "--sample", "easy"],
    "tetris": ["tetris", "--sample", "easy"],
    "dots": ["dots", "--sample", "easy"],
}
LOOP = 1000


def wall(arguments: Sequence[str], cache: str) -> float:
    """Seconds by the clock of a whole ``procura solve``."""
    environment = {name: value for name, value in os.environ.items() if name != "PROCURA_DEBUG"}
    environment["PROCURA_CACHE"] = cache
    command = [str(Path(sys.executable).with_name("procura")), "solve", *arguments]
    started = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def in_a_new_cache(arguments: Sequence[str]) -> float:
    """The same with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return wall(arguments, cache)


def first(scale: Scale) -> None:
    """Both tables."""
    runs = scale.runs(5)
    with tempfile.TemporaryDirectory() as warm:
        interpreted, cold, again = interleaved(
            runs,
            lambda: {kind: in_a_new_cache([*board, "--engine", "python"]) for kind, board in EASY.items()},
            lambda: {kind: in_a_new_cache(board) for kind, board in EASY.items()},
            lambda: {kind: wall(board, warm) for kind, board in EASY.items()},
        )
    title = f"Seconds by the clock of procura solve, least of {runs}"
    shown = table(title, "easy board", "--engine python", "empty cache", "A/A", "warm", "aim")
    for kind in EASY:
        alone = min(interpreted[kind])
        least = min(cold[kind])
        most = round(1.5 * alone + 0.1, 2)
        shown.add_row(
            kind, f"{alone:.2f}", f"[bold]{least:.2f}[/bold]", f"{against_itself(cold[kind]):.2f}",
            f"{min(again[kind]):.2f}", aim(f"first answer, {kind}", least, most, "s"),
        )  # fmt: skip
    console.print(shown)
    loops(scale)


def loops(scale: Scale) -> None:
    """Many easy boards one after the other in one process."""
    count = scale.runs(LOOP, 100)
    boards = {
        "sliding": [Sliding.generate(seed, size="3x3", moves=12) for seed in range(count)],
        "sudoku": [Sudoku.generate(seed % 20, clues=40) for seed in range(count)],
        "tetris": [Tetris.generate(seed, pieces=2) for seed in range(count)],
        "dots": [Dots.generate(seed, size="3x3", boxes=3) for seed in range(count)],
    }
    shown = table(f"CPU seconds of {count} easy boards by solve, one after the other", "puzzle", "auto", "compiled")
    for kind, several in boards.items():
        automatic = cpu(lambda several=several: [solve(board) for board in several])  # type: ignore[misc]
        compiled = cpu(lambda several=several: [solve(board, engine="compiled") for board in several])  # type: ignore[misc]
        shown.add_row(kind, f"{automatic:.2f}", f"{compiled:.2f}")
    console.print(shown)
