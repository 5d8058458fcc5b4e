"""What a search takes and how well its limits hold."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from boards import HERE, boards
from measure import Scale, aim, console, table

from procura import Limits, Problem, Sudoku, solve

MB = 1_000_000
MORE_MEMORY = 300 * MB
IMPOSSIBLE = "12345678." + "." * 18 + "........9" + "." * 45
"""A Sudoku whose first row has no place for a 9: local search never ends."""


def probe(algorithm: str, **asked: int) -> dict[str, Any]:
    """A search of the hard board in a process of its own, and its memory."""
    question = json.dumps({"board": boards().cells(boards().hard), "algorithm": algorithm, **asked})
    done = subprocess.run([sys.executable, str(HERE / "probe.py"), question], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def memory(scale: Scale) -> None:
    """Table 7."""
    shown = table(
        f"Memory of BFS and A* (manhattan, lifo) on board {boards().hard}, in a process of its own",
        "", "stored", "before, MB", "peak, MB", "bytes a node", "aim",
    )  # fmt: skip
    plan = [("bfs", "bfs", 11_000_000, 40), ("A*", "astar", 11_480_000, 48)]
    for what, algorithm, expansions, most in plan:
        told = probe(algorithm, nodes=expansions // (10 if scale.quick else 1))
        each = (told["peak"] - told["before"]) / told["stored"]
        judged = aim(f"memory of {what}, {told['stored'] / 1e6:.1f} M nodes", each, most, "bytes a node")
        shown.add_row(
            what, f"{told['stored']:,}", f"{told['before'] / MB:.0f}", f"{told['peak'] / MB:.0f}",
            f"[bold]{each:.1f}[/bold]", judged,
        )  # fmt: skip
    console.print(shown)


def limits(scale: Scale) -> None:
    """Table 6."""
    runs = scale.runs(3, 1)
    hard = boards().problem(boards().hard)
    cases: list[tuple[str, Problem, str | None]] = [
        ("bfs", hard, None), ("dfs", hard, None), ("astar", hard, "manhattan"), ("idastar", hard, "manhattan"),
        ("annealing", Sudoku(IMPOSSIBLE), None),
    ]  # fmt: skip
    shown = table(
        f"A limit of 1 s on endless searches: worst search seconds (wall clock) of {runs}",
        "search", "on", "seconds", "ended by", "aim", numbers_from=2,
    )  # fmt: skip
    for algorithm, problem, heuristic in cases:
        solve(problem, algorithm, heuristic=heuristic, engine="compiled", limits=Limits(nodes=100_000))
        done = [
            solve(problem, algorithm, heuristic=heuristic, engine="compiled", limits=Limits(seconds=1))
            for _ in range(runs)
        ]
        worst = max(result.stats.seconds for result in done)
        ended = ", ".join(sorted({str(result.stopped_by) for result in done}))
        judged = aim(f"time limit of 1 s, {algorithm}", worst, 1.2, "s")
        shown.add_row(algorithm, problem.name, f"[bold]{worst:.3f}[/bold]", ended, judged)
    console.print(shown)
    shown = table(
        f"A limit of {MORE_MEMORY // MB} MB above what the process holds: peak above the limit, in its own process",
        "search", "stored", "limit, MB", "peak, MB", "passed by, MB", "ended by", "aim",
    )  # fmt: skip
    for algorithm in ("astar",) if scale.quick else ("bfs", "dfs", "astar"):
        told = probe(algorithm, more_memory=MORE_MEMORY)
        over = (told["peak"] - told["limit"]) / MB
        judged = aim(f"memory limit, {algorithm}", over, 64, "MB")
        shown.add_row(
            algorithm, f"{told['stored']:,}", f"{told['limit'] / MB:.0f}", f"{told['peak'] / MB:.0f}",
            f"[bold]{over:.1f}[/bold]", str(told["stopped_by"]), judged,
        )  # fmt: skip
    console.print(shown)
