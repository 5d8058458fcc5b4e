"""Tetris by ``best`` and by beams that widen, for the same seconds on the same boards: points, bounds and proofs.

Run it with ``python benchmarks/tetris.py``; ``--file`` takes boards of one's own, a line each: a name, the pieces, the
rows as numbers whose bits are the columns, and the most points if they are known (NOSOL if the pieces do not fit), with
``|`` between them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from procura import Limits, Outcome, Result, Tetris, solve
from procura.puzzles.tetris.generator import random_pieces

LONG = 29
ORDERS = 5
BEAMS = ("beam:surface+quality_bound,widen=true", "beam:0.5*surface+quality_bound,widen=true")
"""The beams beside ``best``: of the heuristics tried with them, these two make the most points."""


def order(seed: int, pieces: int) -> str:
    """A random order of pieces."""
    return "".join(random_pieces(seed, pieces))


def read(path: str) -> Iterator[tuple[str, Tetris, int | None]]:
    """(name, board, most points): None if they are not known, -1 if the pieces do not fit."""
    for line in Path(path).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, pieces, rows, most, *_ = (part.strip() for part in line.split("|"))
            cells = [[bool(int(row) >> column & 1) for column in range(10)] for row in rows.split(",")]
            yield name, Tetris(cells, pieces), -1 if most == "NOSOL" else int(most) if most.isdecimal() else None


def run(problem: Tetris, search: str, seconds: float) -> tuple[Result, float]:
    """What a search has to say in so many seconds, and the processor time it took."""
    started = time.process_time()
    result = solve(problem, search, engine="compiled", limits=Limits(seconds=seconds))
    return result, time.process_time() - started


def points(result: Result) -> str:
    """Points, their bound, and whether they are proved the most."""
    if result.outcome is Outcome.NO_SOLUTION:
        return "do not fit"
    return f"{-result.cost} of {-result.bound}{', proved' if result.optimal else ''}"


def proofs(pieces: int, seconds: float) -> None:
    """Orders of pieces on the empty board."""
    for seed in range(ORDERS):
        names = order(seed, pieces)
        result, used = run(Tetris("empty", names), "best", seconds)
        print(f"{names:30} {points(result):>24} {used:8.2f} s", flush=True)


def known(boards: list[tuple[str, Tetris, int | None]], seconds: float) -> int:
    """Boards whose most points are known; how many come out otherwise."""
    wrong, longest, total, count = 0, 0.0, 0.0, 0
    for name, problem, most in boards:
        if most is not None:
            result, used = run(problem, "best", seconds)
            right = result.outcome is Outcome.NO_SOLUTION if most < 0 else result.optimal and -result.cost == most
            if not right:
                print(f"{name}: {points(result)}, not {most}")
            wrong, longest, total, count = wrong + (not right), max(longest, used), total + used, count + 1
    print(f"{count - wrong} of {count} boards proved as known, {total:.2f} s in all, the longest {longest:.2f} s")
    return wrong


def long_boards(boards: list[tuple[str, Tetris]], seconds: float, jobs: int, beams: tuple[str, ...]) -> None:
    """Long boards: the points of ``best``, and those of each beam in the same seconds."""
    made = bounds = worse = 0
    sums = dict.fromkeys(beams, 0)
    for name, problem in boards:
        result, used = run(problem, f"best,jobs={jobs}", seconds)
        made, bounds = made - result.cost, bounds - result.bound
        line = f"{name:12} best {points(result):>16} ({used:.1f} s of CPU)"
        found = {}
        for beam in beams:
            other, used = run(problem, beam, seconds)
            found[beam] = 0 if other.cost is None else -other.cost
            sums[beam] += found[beam]
            line += f"   beam {found[beam]} ({used:.1f} s)"
        worse += any(value > -result.cost for value in found.values())
        print(line, flush=True)
    print(f"in all: best {made} of {bounds}")
    for beam, value in sums.items():
        print(f"        {beam} {value}")
    if beams:
        print(f"a beam is ahead on {worse} of {len(boards)}")


def main() -> int:
    """Print the tables; 1 if a known maximum was not proved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", help="boards of one's own")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each long board (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="threads of best on long boards (default 2)")
    parser.add_argument("--random", type=int, default=20, help=f"random boards of {LONG} pieces (default 20)")
    parser.add_argument("--skip-proofs", action="store_true", help="the long boards only")
    parser.add_argument("--alone", action="store_true", help="long boards without the beams beside")
    given = parser.parse_args()
    beams = () if given.alone else BEAMS
    for search in ("best", *beams):
        run(Tetris("empty", "o"), search, 60.0)
    boards = list(read(given.file)) if given.file else []
    wrong = 0
    if not given.skip_proofs:
        for pieces in (8, 10):
            proofs(pieces, 200.0)
        wrong = known(boards, 120.0)
    long = [(name, board) for name, board, _ in boards if len(board.pieces) >= LONG]
    fresh = [(f"random {seed}", Tetris.generate(seed, pieces=LONG)) for seed in range(given.random)]
    for several in (long, fresh):
        if several:
            long_boards(several, given.seconds, given.jobs, beams)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
