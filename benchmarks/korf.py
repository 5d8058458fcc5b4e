"""All hundred of Korf's boards by ``pdb``: ``python benchmarks/korf.py [--prototype FOLDER] [--partitions 6-6-3 7-8]``.

The databases are built in a process of its own, where they are not on disk yet (``PROCURA_CACHE`` names an empty folder
to see it); kernels are compiled before. The boards are then solved by ``solve``, in turns with the prototype in
FOLDER, whose databases are made of the same bits: CPU seconds, the least of several runs of each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
from boards import KORF
from measure import against_itself, console, cpu, table
from probe import memory

from procura import Sliding, solve
from procura.puzzles.sliding.specialist import databases

PARTITIONS = ("6-6-3", "7-8")
RUNS = 5
Solver = Callable[[list[int]], int]
"""Takes a board and returns the length of its shortest solution."""


def build(partition: str) -> dict[str, Any]:
    """Build the databases in this process: CPU seconds, and bytes of memory and of the table."""
    board = Sliding(range(16), "blank-first")
    open_table(board, "5-5-5")  # compiles what builds it
    seconds = cpu(partial(open_table, board, partition))
    return {"seconds": seconds, "peak": memory("VmHWM"), "size": len(open_table(board, partition))}


def open_table(board: Sliding, partition: str) -> memoryview:
    """The databases, built if need be."""
    return databases(board, partition)[2].open()


def ours(partition: str) -> Solver:
    """By ``solve``, proofs and replaying included."""

    def length(cells: list[int]) -> int:
        result = solve(Sliding(cells, "blank-first"), f"pdb,partition={partition}", engine="compiled")
        if not result.optimal:
            raise RuntimeError(f"{cells}: {result}")
        return int(result.cost)

    return length


def prototype(folder: str, partition: str) -> Solver:
    """By the prototype: a bit an entry for 7-8, as in its own measurements a byte for others."""
    os.environ.setdefault("NUMBA_CACHE_DIR", tempfile.mkdtemp())
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path(folder).resolve()))
    import apdb
    import ida1b
    import ida_pdb

    frame, patterns, made = databases(Sliding(range(16), "blank-first"), partition)
    if partition == "7-8":
        lengths = [int(apdb.mask_tables(len(part))[3][-1]) * factorial(len(part)) // 8 for part in patterns]
        bits = np.split(np.asarray(made.open()).view(np.uint8), np.cumsum(lengths[:-1]))
        packed = ida1b.pack1(list(patterns), bits, None, frame.blank)
        return lambda cells: int(ida1b.solve1(packed, cells)[0])
    values = [apdb.make(part, frame.blank)["dist"] for part in patterns]
    plain = ida_pdb.pack(list(patterns), values, frame.blank)
    return lambda cells: int(ida_pdb.solve(plain, cells)[0])


def main() -> None:
    """A row for every partition."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prototype", metavar="FOLDER")
    parser.add_argument("--partitions", nargs="+", default=PARTITIONS)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--build", metavar="PARTITION", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.build:
        print(json.dumps(build(given.build)))
        return
    rows = [list(map(int, line.split())) for line in KORF.read_text().splitlines()]
    boards, lengths = [row[1:17] for row in rows], [row[-1] for row in rows]
    shown = table(
        "Korf's 100 boards, CPU seconds",
        "partition", "build", "peak, MB", "table, MB", "solve", "A/A", "prototype", "ratio",
    )  # fmt: skip
    for partition in given.partitions:
        figures = ["built before", "", ""]
        if not databases(Sliding(range(16), "blank-first"), partition)[2].built():
            command = [sys.executable, __file__, "--build", partition]
            told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
            figures = [f"{told['seconds']:.2f}", f"{told['peak'] / 1e6:,.0f}", f"{told['size'] / 1e6:.0f}"]
        solvers = [ours(partition), *([prototype(given.prototype, partition)] if given.prototype else [])]
        spent: list[list[float]] = [[] for _ in solvers]
        for run in range(given.runs + 1):
            for solver, seconds in zip(solvers, spent, strict=True):
                found: list[int] = []
                took = cpu(partial(found.extend, map(solver, boards)))
                if found != lengths:
                    raise RuntimeError(f"{partition}: lengths {found}, expected {lengths}")
                if run:
                    seconds.append(took)
        least = [min(seconds) for seconds in spent]
        beside = [f"{least[1]:.3f}", f"[bold]{least[0] / least[1]:.2f}[/bold]"] if given.prototype else ["", ""]
        shown.add_row(partition, *figures, f"{least[0]:.3f}", f"{against_itself(spent[0]):.2f}", *beside)
    console.print(shown)


if __name__ == "__main__":
    main()
