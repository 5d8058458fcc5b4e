"""Hard boards by the default search under a limit of ten seconds: none may end without an answer.

Run it with ``python benchmarks/hard.py``; ``--clues FILE`` takes Sudokus, a line each.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from procura import Dots, Limits, Problem, Sliding, Sudoku, Tetris, solve

EIGHTY = [
    "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1",
    "0 12 10 13 15 11 14 9 3 7 2 5 4 8 6 1",
    "0 11 9 13 12 15 10 14 3 7 6 2 4 8 5 1",
    "0 15 9 13 11 12 10 14 3 7 6 2 4 8 5 1",
    "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1",
    "0 12 14 13 15 11 9 10 3 7 6 2 4 8 5 1",
    "0 12 10 13 15 11 14 9 3 7 6 2 4 8 5 1",
    "0 12 11 13 15 14 10 9 3 7 6 2 4 8 5 1",
    "0 12 10 13 15 11 9 14 7 3 6 2 4 8 5 1",
    "0 12 9 13 15 11 14 10 3 8 6 2 4 7 5 1",
    "0 12 9 13 15 11 10 14 8 3 6 2 4 7 5 1",
    "0 12 14 13 15 11 9 10 8 3 6 2 4 7 5 1",
    "0 12 9 13 15 11 10 14 7 8 6 2 4 3 5 1",
    "0 12 10 13 15 11 14 9 7 8 6 2 4 3 5 1",
    "0 12 9 13 15 8 10 14 11 7 6 2 4 3 5 1",
    "0 12 9 13 15 11 10 14 3 7 5 6 4 8 2 1",
    "0 12 9 13 15 11 10 14 7 8 5 6 4 3 2 1",
]
"""All boards of the 15-puzzle that need 80 moves, the most that any does; the goal is ``1 2 ... 15 0``."""


def boards(clues: str | None) -> Iterator[tuple[str, Problem]]:
    """What is solved, by name."""
    for seed in range(10):
        yield f"Tetris, 29 pieces, {seed}", Tetris.generate(seed, pieces=29)
    for number, text in enumerate(EIGHTY, 1):
        yield f"15-puzzle, 80 moves, {number}", Sliding(text)
    for seed in range(5):
        yield f"24-puzzle, {seed}", Sliding.generate(seed, size="5x5")
    if clues is not None:
        for number, line in enumerate(Path(clues).read_text().split()[:20], 1):
            yield f"Sudoku, {number}", Sudoku(line)
    for side in (8, 12):
        for seed in range(5):
            yield f"Dots {side}x{side}, {seed}", Dots.generate(seed, size=f"{side}x{side}", boxes=side * side // 2)


def main() -> int:
    """Print the table; the number of boards without an answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clues", help="a file of Sudokus")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each board (default 10)")
    parser.add_argument("--only", default="", metavar="TEXT", help="boards with this in their name")
    parser.add_argument("--with", dest="search", default="auto", metavar="SEARCH", help="another search (default auto)")
    given = parser.parse_args()
    empty = 0
    for name, problem in boards(given.clues):
        if given.only not in name:
            continue
        started, spent = time.perf_counter(), time.process_time()
        result = solve(problem, given.search, limits=Limits(seconds=given.seconds))
        empty += result.cost is None
        proved = "proved" if result.optimal else f"bound {result.bound}, gap {result.gap}"
        took, spent = time.perf_counter() - started, time.process_time() - spent
        shown = f"{name:26} {result.outcome.value:9} cost {result.cost}, {proved}"
        print(f"{shown}; {took:.1f} s, {spent:.1f} s of CPU", flush=True)
    print(f"{empty} without an answer")
    return empty


if __name__ == "__main__":
    sys.exit(main())
