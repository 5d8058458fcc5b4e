"""The native program: compiled when it is older than its source, run, its lines read."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

from boards import BUILD, HERE, boards

FLAGS = ("-O3", "-march=native", "-std=c++17")
PROGRAM = BUILD / "fifteen"


class NoNative(Exception):
    """The C++ program cannot be had; says why."""


@dataclass(frozen=True)
class Run:
    """One board's line."""

    outcome: str
    cost: int | None
    generated: int
    expanded: int
    stored: int
    seconds: float
    """CPU time of the search."""


def build() -> str:
    """Compile the program if it is not up to date; the command that makes it."""
    source = HERE / "native" / "fifteen.cpp"
    command = ["g++", *FLAGS, str(source.relative_to(HERE.parent)), "-o", str(PROGRAM.relative_to(HERE.parent))]
    newest = max(file.stat().st_mtime for file in source.parent.glob("*.[ch]pp"))
    if PROGRAM.exists() and PROGRAM.stat().st_mtime > newest:
        return " ".join(command)
    if shutil.which("g++") is None:
        raise NoNative("no g++ on the path: install a C++ compiler (Debian: apt install g++) to compare with C++")
    BUILD.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    if done.returncode:
        raise NoNative(f"g++ failed:\n{done.stderr}")
    return " ".join(command)


def fifteen(algorithm: str, numbers: Iterable[int], *options: object) -> dict[int, Run]:
    """Search these boards in one new process; by number."""
    command = [PROGRAM, algorithm, boards().file, "--only", ",".join(map(str, numbers)), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"fifteen ended with status {done.returncode}: {done.stderr}")
    runs = {}
    for line in done.stdout.splitlines():
        number, outcome, cost, *counts, seconds = line.split()
        runs[int(number)] = Run(outcome, None if cost == "-" else int(cost), *map(int, counts), float(seconds))
    return runs
