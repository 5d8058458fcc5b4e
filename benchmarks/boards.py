"""The 15-puzzle boards to measure on: Korf's hundred if they are at hand, else random walks; goal blank-first."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from procura import Sliding

HERE = Path(__file__).resolve().parent
BUILD = HERE / "native" / "build"
KORF = HERE.parents[1] / "shared" / "data" / "sliding" / "korf100.txt"


@dataclass(frozen=True)
class Boards:
    """Where the boards are, in the native program's format, and which of them to take for what."""

    about: str
    file: Path
    hard: int
    """A* takes more than 20 million nodes, IDA* more than five seconds."""
    astar: tuple[int, ...]
    """One to three million stored nodes."""
    idastar: tuple[int, ...]
    twenty: tuple[int, ...]
    """Twenty easy ones, for node counts."""

    def problem(self, number: int) -> Sliding:
        """The board as a problem, fresh."""
        return Sliding(_read(self.file)[number], goal="blank-first")

    def cells(self, number: int) -> list[int]:
        """The board in reading order."""
        return _read(self.file)[number]


@cache
def boards() -> Boards:
    """Korf's boards, or walks of our own."""
    if KORF.exists():
        return Boards(
            about=f"Korf's 100 boards, {KORF}",
            file=KORF,
            hard=88,
            astar=(71, 90, 45),
            idastar=(28, 90, 45),
            twenty=(94, 55, 12, 79, 42, 47, 97, 9, 19, 85, 93, 48, 74, 30, 31, 86, 73, 71, 95, 28),
        )
    chosen = Boards(
        about=f"seeded random walks from the goal, since there is no {KORF}",
        file=BUILD / "walks.txt",
        hard=1002,
        astar=(31, 23, 19),
        idastar=(99, 50, 112),
        twenty=(133, 127, 42, 111, 62, 89, 122, 148, 38, 88, 87, 28, 103, 83, 101, 142, 2, 7, 78, 47),
    )
    BUILD.mkdir(parents=True, exist_ok=True)
    seeds = sorted({*chosen.astar, *chosen.idastar, *chosen.twenty, chosen.hard})
    lines = [" ".join(map(str, [seed, *_walk(seed, 120 if seed < 1000 else 2000)])) for seed in seeds]
    chosen.file.write_text("\n".join(lines) + "\n")
    return chosen


@cache
def _read(file: Path) -> dict[int, list[int]]:
    rows = [[int(word) for word in line.split()] for line in file.read_text().splitlines() if line.strip()]
    return {row[0]: row[1:17] for row in rows}


def _walk(seed: int, steps: int) -> list[int]:
    """The board after ``steps`` random moves of the blank from the goal, none of which takes back the last."""
    rng = random.Random(seed)
    board, blank, last = list(range(16)), 0, -1
    for _ in range(steps):
        row, column = divmod(blank, 4)
        beside = ((blank - 4, row > 0), (blank + 4, row < 3), (blank - 1, column > 0), (blank + 1, column < 3))
        choices = [cell for cell, there in beside if there and cell != last]
        chosen = choices[int(rng.random() * len(choices))]
        board[blank], board[chosen] = board[chosen], 0
        blank, last = chosen, blank
    return board
