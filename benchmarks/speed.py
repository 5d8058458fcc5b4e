"""Compiled searches against C++, their node counts, and against the interpreted engine."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any

from boards import boards
from fifteen import build, fifteen
from measure import Scale, against_itself, aim, console, cpu, interleaved, table

from procura import Limits, Result, Sliding, solve, solve_many

BFS_EXPANSIONS = 1_000_000
MOST_SECONDS = 20
MOST_STORED = 1_500_000
"""Boards on which A* stores more are left out of the comparison of counts."""


def search(algorithm: str, number: int, engine: str = "compiled", **limits: int) -> Result:
    """One run of ours; it must be solved or expand as many nodes as it may, in reasonable time."""
    heuristic = None if algorithm == "bfs" else "manhattan"
    bounds = Limits(seconds=MOST_SECONDS, **limits)
    result = solve(boards().problem(number), algorithm, heuristic=heuristic, engine=engine, limits=bounds)
    if not result.solved and result.stopped_by != "nodes":
        raise RuntimeError(f"{algorithm}, board {number}, {engine}: {result.outcome}, stopped by {result.stopped_by}")
    return result


AT_MOST = {"astar": 1.8, "bfs": 1.5, "idastar_plain": 1.6}


def native(scale: Scale) -> None:
    """Table 1."""
    console.print(f"[dim]{build()}[/dim]")
    chosen = boards()
    runs = scale.runs(10, 4)
    shown = table(
        f"CPU seconds of a search, least of {runs} interleaved runs",
        "search", "against", "board", "expanded", "C++", "ours", "ours/C++", "C++/C++",
        numbers_from=2,
    )  # fmt: skip
    bfs_limit = BFS_EXPANSIONS // (4 if scale.quick else 1)
    astar, idastar = (chosen.astar[:1], chosen.idastar[:1]) if scale.quick else (chosen.astar, chosen.idastar)
    for algorithm, numbers, rivals, limit in (
        ("astar", astar, ("astar",), None),
        ("bfs", (chosen.hard,), ("bfs",), bfs_limit),
        ("idastar", idastar, ("idastar_plain", "idastar"), None),
    ):
        expanded = {}

        def ours(
            algorithm: str = algorithm, numbers: Any = numbers, limit: Any = limit, expanded: Any = expanded
        ) -> dict[Hashable, float]:
            limits = {} if limit is None else {"nodes": limit}
            seconds: dict[Hashable, float] = {}
            for number in numbers:
                seconds[number] = cpu(lambda n=number: expanded.update({n: search(algorithm, n, **limits)}))
            return seconds

        def theirs(rival: str, numbers: Any = numbers, limit: Any = limit) -> dict[Hashable, float]:
            options = () if limit is None else ("--limit-expansions", limit)
            return {number: run.seconds for number, run in fifteen(rival, numbers, *options).items()}

        sides = [lambda rival=rival, theirs=theirs: theirs(rival) for rival in rivals]
        *native, own = interleaved(runs, *sides, ours)
        for rival, seconds in zip(rivals, native, strict=True):
            if rival in AT_MOST:
                total = sum(min(own[number]) for number in numbers) / sum(min(seconds[number]) for number in numbers)
                aim(f"{algorithm}, CPU over that of fifteen {rival}", total, AT_MOST[rival], "times")
            for number in numbers:
                least, mine = min(seconds[number]), min(own[number])
                shown.add_row(
                    algorithm, f"fifteen {rival}", str(number), f"{expanded[number].stats.expanded:,}",
                    f"{least:.4f}", f"{mine:.4f}", f"[bold]{mine / least:.2f}[/bold]",
                    f"{against_itself(seconds[number]):.2f}",
                )  # fmt: skip
        shown.add_section()
    console.print(shown)


def counts(scale: Scale) -> None:
    """Table 2."""
    build()
    chosen = boards()
    numbers = chosen.twenty[: 5 if scale.quick else 20]
    shown = table("Nodes generated and expanded, ours and C++'s", "search", "boards", "equal", "generated in all")
    differing = []
    total = equal = 0
    for algorithm in ("idastar", "astar"):
        options = () if algorithm == "idastar" else ("--limit-nodes", MOST_STORED)
        runs = {n: run for n, run in fifteen(algorithm, numbers, *options).items() if run.outcome == "solved"}
        same, generated = 0, 0
        for number, run in runs.items():
            result = search(algorithm, number)
            mine = (result.cost, result.stats.generated, result.stats.expanded)
            theirs = (run.cost, run.generated, run.expanded)
            if algorithm == "astar":
                mine, theirs = (*mine, result.stats.stored), (*theirs, run.stored)
            same += mine == theirs
            generated += result.stats.generated
            if mine != theirs:
                differing.append(f"{algorithm}, board {number}: ours {mine}, C++ {theirs} (cost, generated, expanded)")
        shown.add_row(algorithm, str(len(runs)), f"equal on {same} of {len(runs)}", f"{generated:,}")
        total, equal = total + len(runs), equal + same
    console.print(shown)
    for line in differing:
        console.print(f"[red]{line}[/red]")
    console.print(f"equal on {equal} of {total}")


def engines(scale: Scale) -> None:
    """Table 4."""
    chosen = boards()
    runs = scale.runs(7)
    few, many = (5_000, 200_000) if scale.quick else (20_000, 1_000_000)
    shown = table(
        f"Expansions a second, best of {runs} interleaved runs "
        f"({few:,} expansions interpreted, {many:,} compiled, of board {chosen.hard})",
        "search", "interpreted", "compiled", "compiled/interpreted", "interpreted A/A", "compiled A/A",
    )  # fmt: skip
    for algorithm in ("bfs", "astar", "idastar"):

        def run(engine: str, nodes: int, algorithm: str = algorithm) -> dict[Hashable, float]:
            return {"": cpu(lambda: search(algorithm, chosen.hard, engine, nodes=nodes))}

        slow, fast = interleaved(
            runs, lambda run=run: run("python", few), lambda run=run: run("compiled", many)
        )  # fmt: skip
        a, b = search(algorithm, chosen.hard, "python", nodes=few), search(algorithm, chosen.hard, nodes=few)
        if (a.stats.generated, a.stats.stored) != (b.stats.generated, b.stats.stored):
            console.print(f"[red]{algorithm}: the engines differ: {a.stats} {b.stats}[/red]")
        python, compiled = few / min(slow[""]), many / min(fast[""])
        shown.add_row(
            algorithm, f"{python:,.0f}", f"{compiled:,.0f}", f"[bold]{compiled / python:.0f}[/bold]",
            f"{against_itself(slow['']):.2f}", f"{against_itself(fast['']):.2f}",
        )  # fmt: skip
    console.print(shown)


def growth(scale: Scale) -> None:
    """Table 5: what an expansion takes as a search grows, here and in C++."""
    build()
    runs, hard = scale.runs(5), boards().hard
    sizes = (10_000, 100_000, 1_000_000) if scale.quick else (10_000, 100_000, 1_000_000, 5_500_000)
    shown = table(
        f"CPU nanoseconds an expansion on board {hard}, least of {runs} interleaved runs",
        "search", *(f"{size:,} expansions" for size in sizes), "A/A of the last",
    )  # fmt: skip
    for algorithm in ("bfs", "astar"):

        def ours(size: int, algorithm: str = algorithm) -> dict[Hashable, float]:
            return {size: cpu(lambda: search(algorithm, hard, nodes=size))}

        def theirs(size: int, algorithm: str = algorithm) -> dict[Hashable, float]:
            return {size: fifteen(algorithm, [hard], "--limit-expansions", size)[hard].seconds}

        mine, native = {}, {}
        for size in sizes:
            one, other = interleaved(runs, partial(ours, size), partial(theirs, size))
            mine |= one
            native |= other
        for name, seconds in ((algorithm, mine), (f"{algorithm}, C++", native)):
            each = [f"{1e9 * min(seconds[size]) / size:.0f}" for size in sizes]
            shown.add_row(name, *each, f"{against_itself(seconds[sizes[-1]]):.2f}")
        ratios = [f"[bold]{min(mine[size]) / min(native[size]):.2f}[/bold]" for size in sizes]
        shown.add_row("ours/C++", *ratios, "")
        shown.add_section()
    console.print(shown)


def many(scale: Scale) -> None:
    """Table 6: many easy boards at once."""
    count, runs = (200, 3) if scale.quick else (2_000, 5)
    easy = [Sliding.generate(seed, size=(3, 3), moves=12).board for seed in range(count)]

    def run() -> dict[Hashable, float]:
        return {
            one: cpu(lambda one=one: sum(solve_many(Sliding, easy, one, engine="compiled").expanded))
            for one in ("pdb", "astar:manhattan")
        }

    ours, again = interleaved(runs, run, run)
    shown = table(f"{count:,} easy 3x3 boards with solve_many, a column read", "", "CPU a board, µs", "A/A", "aim")
    for one in ours:
        least = 1e6 * min(ours[one] + again[one]) / count
        judged = aim(f"solve_many, an easy 3x3 board, {one}", least, 60, "µs")
        shown.add_row(str(one), f"[bold]{least:.0f}[/bold]", f"{min(ours[one]) / min(again[one]):.2f}", judged)
    console.print(shown)
