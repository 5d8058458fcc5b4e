"""Measure procura against C++, simpleai and itself; run by ``make bench``, explained in README.md."""

from __future__ import annotations

import argparse
import os
import platform
import time

os.environ.pop("PROCURA_DEBUG", None)  # checks would be measured too

from boards import boards
from bounds import limits, memory
from endless import endless
from fifteen import NoNative
from first import first
from measure import Scale, aims, console, table
from patterns import patterns
from rival import networkx, simpleai
from speed import counts, engines, growth, many, native
from startup import startup
from study import study
from sudoku import sudoku

SECTIONS = {
    "native": (native, "compiled searches against C++"),
    "counts": (counts, "node counts against C++"),
    "patterns": (patterns, "pattern databases on twenty boards"),
    "simpleai": (simpleai, "A* against simpleai"),
    "networkx": (networkx, "interpreted A* against networkx"),
    "growth": (growth, "time an expansion as a search grows"),
    "many": (many, "many easy boards"),
    "engines": (engines, "interpreted engine against compiled"),
    "memory": (memory, "bytes a node"),
    "limits": (limits, "how well limits hold"),
    "startup": (startup, "start-up"),
    "study": (study, "a run of a study besides its search"),
    "first": (first, "the first answer"),
    "endless": (endless, "endless Tetris"),
    "sudoku": (sudoku, "the report's Sudokus"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SECTIONS, metavar="NAME", help=f"one section: {', '.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller runs: to see that it works")
    arguments = parser.parse_args()
    scale = Scale(arguments.quick)
    names = [arguments.only] if arguments.only else list(SECTIONS)
    console.print(f"Boards: {boards().about}")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    console.print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    for i, name in enumerate(names, 1):
        function, about = SECTIONS[name]
        console.print(f"\n[cyan]{i}/{len(names)} {name}: {about} ...[/cyan]")
        started = time.perf_counter()
        try:
            function(scale)
        except (NoNative, RuntimeError) as problem:
            console.print(f"{name} left out: {problem}", style="red", markup=False)
        console.print(f"[dim]{name} took {time.perf_counter() - started:.0f} s[/dim]")
    if aims:
        shown = table("Aims", "what", "measured", "at most", "")
        for one in aims:
            shown.add_row(one.what, f"{one.value:.3g} {one.unit}", f"{one.most:g} {one.unit}", one.verdict())
        console.print()
        console.print(shown)


if __name__ == "__main__":
    main()
