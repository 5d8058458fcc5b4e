"""A hundred random boards each of 3x3, 3x4 and 4x4 with random goals: the lengths of ``pdb`` beside those of A*."""

from __future__ import annotations

import argparse
from functools import partial

from measure import console, cpu, table

from procura import Limits, Result, Sliding, solve
from procura.rng import shuffled, stream

SHAPES = ((3, 3), (3, 4), (4, 4))
MEMORY = 2_000_000_000
"""What A* may take; beyond that IDA* with the same heuristic stands in for it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="five boards of each shape")
    count = 5 if parser.parse_args().quick else 100
    shown = table(f"{count} boards of each shape", "shape", "same", "mean length", "CPU pdb", "CPU A*", "IDA* instead")
    for shape in SHAPES:
        same, lengths, seconds, instead = 0, 0, [0.0, 0.0], 0
        for seed in range(1000, 1000 + count):
            board = random_board(seed, shape)
            found: list[Result] = []
            seconds[0] += cpu(partial(solved, board, "pdb", found))
            seconds[1] += cpu(partial(solved, board, "astar:linear_conflict", found))
            if not found[1].optimal:
                instead += 1
                seconds[1] += cpu(partial(solved, board, "idastar:linear_conflict", found))
            if not (found[0].optimal and found[-1].optimal):
                raise RuntimeError(f"{board} is not proved: {found}")
            same += found[0].cost == found[-1].cost
            lengths += found[0].cost
        name = f"{shape[0]}x{shape[1]}"
        times = [f"{one:.1f} s" for one in seconds]
        shown.add_row(name, f"{same} of {count}", f"{lengths / count:.1f}", *times, str(instead))
    console.print(shown)


def random_board(seed: int, shape: tuple[int, int]) -> Sliding:
    """Any board of a shape that can be solved, with a goal of its own."""
    goal = shuffled([stream(seed)], range(shape[0] * shape[1]))
    return Sliding.generate(seed, size=shape, goal=goal)


def solved(board: Sliding, search: str, found: list[Result]) -> None:
    """Append the result of a search."""
    found.append(solve(board, search, engine="compiled", limits=Limits(memory=MEMORY)))


if __name__ == "__main__":
    main()
