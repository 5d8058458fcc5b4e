"""Annealing on boards of few clues: ``python benchmarks/few_clues.py FILE [--boards 200] [--seconds 20]``.

FILE holds a Sudoku a line. Each board gets so many CPU seconds; how many were solved, and how long they took.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median

from procura import Limits, Sudoku, solve


def attempt(board: str, preset: str, seed: int, seconds: float) -> tuple[bool, float]:
    """Whether a board was solved, and the CPU seconds that it took."""
    started = time.process_time()
    result = solve(
        Sudoku(board), preset, engine="compiled", seed=seed, cancel=lambda: time.process_time() - started > seconds
    )
    return result.solved, time.process_time() - started


def main() -> None:
    """A line every ten boards, and what came of all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--preset", default="annealing_few_clues")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    boards = [line.split()[0] for line in Path(given.file).read_text("utf-8").splitlines() if len(line) >= 81]
    solve(Sudoku(boards[0]), given.preset, engine="compiled", seed=given.seed, limits=Limits(nodes=1))
    times: list[float] = []
    for number, board in enumerate(boards[: given.boards], 1):
        solved, spent = attempt(board, given.preset, given.seed, given.seconds)
        if solved:
            times.append(spent)
        if times and (number % 10 == 0 or number == min(given.boards, len(boards))):
            figures = f"median {median(times):.2f} s, mean {mean(times):.2f} s, most {max(times):.1f} s"
            print(f"{given.preset}: {len(times)} of {number} solved; {figures} of CPU", flush=True)


if __name__ == "__main__":
    main()
