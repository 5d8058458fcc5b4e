"""Twenty 15-puzzle boards: pattern databases beside linear conflict and beside the C++ program's Manhattan distance."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from boards import boards
from fifteen import build, fifteen
from measure import Scale, against_itself, console, cpu, interleaved, table

from procura import Sliding, solve
from procura.puzzles.sliding.specialist import databases

OURS = {
    "linear conflict": "idastar:linear_conflict",
    "pdb 6-6-3": "pdb,partition=6-6-3",
    "pdb 7-8": "pdb,partition=7-8",
}


def patterns(scale: Scale) -> None:
    """All twenty in one figure; 7-8 only if its databases are built, since that takes a minute."""
    console.print(f"[dim]{build()}[/dim]")
    chosen = boards()
    numbers = chosen.twenty[:5] if scale.quick else chosen.twenty
    runs = scale.runs(5, 2)
    searches = {name: text for name, text in OURS.items() if _at_hand(text)}
    lengths: dict[str, dict[int, int]] = {name: {} for name in (*searches, "C++")}

    def ours(name: str) -> dict[Hashable, float]:
        return {number: cpu(partial(one, name, number)) for number in numbers}

    def one(name: str, number: int) -> None:
        result = solve(chosen.problem(number), searches[name])
        if not result.optimal:
            raise RuntimeError(f"{name}, board {number}: {result}")
        lengths[name][number] = result.cost

    def native() -> dict[Hashable, float]:
        found = fifteen("idastar", numbers)
        lengths["C++"] = {number: run.cost or 0 for number, run in found.items()}
        return {number: run.seconds for number, run in found.items()}

    names = [*searches, "C++"]
    sides = interleaved(runs, *(partial(ours, name) for name in searches), native)
    shown = table(f"CPU seconds of {len(numbers)} boards, {runs} interleaved runs", "search", "least", "/C++", "A/A")
    totals = [[sum(one) for one in zip(*seconds.values(), strict=True)] for seconds in sides]
    for name, seconds in zip(names, totals, strict=True):
        if lengths[name] != lengths["C++"]:
            raise RuntimeError(f"{name}: {lengths[name]}, C++: {lengths['C++']}")
        ratio = min(seconds) / min(totals[-1])
        shown.add_row(name, f"{min(seconds):.3f}", f"{ratio:.3f}", f"{against_itself(seconds):.2f}")
    console.print(shown)
    if len(searches) < len(OURS):
        console.print("pdb 7-8 left out: procura solve sliding --sample moodle-1 --goal blank-first "
                      "--with pdb,partition=7-8 builds its databases in a minute")  # fmt: skip


def _at_hand(configuration: str) -> bool:
    if "7-8" not in configuration:
        return True
    return databases(Sliding(range(16), "blank-first"), "7-8")[2].built()
