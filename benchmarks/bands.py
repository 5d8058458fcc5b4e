"""Sudokus a second, uniqueness proved: ``python benchmarks/bands.py FILE... [--prototype nb3.py]``, a board a line.

``solve_many``, with solutions and answers read by column, beside the prototype and python-sat (a CaDiCaL that is used
again and again), where these are there: ``pip install procura[bench]``. They take turns; CPU seconds, the least of
several runs of each.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path

import numpy as np
from measure import console, cpu, table

from procura import solve_many

Solver = Callable[[Sequence[str]], int]
"""Takes boards and returns how many of them have one solution."""
RUNS = 9
LEAST = 4000
"""Boards in a run, at least: those of a file as often as that takes."""


def ours(texts: Sequence[str]) -> int:
    """By ``solve_many``, from texts to texts."""
    batch = solve_many("sudoku", texts, solutions=2)
    assert len(batch.lines()) == len(texts)
    return batch.solutions.count(1)


def prototype(path: str) -> Solver:
    """By the prototype, from an array of characters to another."""
    spec = importlib.util.spec_from_file_location("prototype", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def solve(texts: Sequence[str]) -> int:
        cells = np.frombuffer("".join(texts).encode(), dtype=np.uint8).reshape(len(texts), 81)
        return int(module.solve_many(cells, 2, np.zeros_like(cells), np.zeros(1, dtype=np.int64)))

    return solve


class Cadical:
    """By python-sat: one solver with the rules, a board's givens as assumptions, its solution forbidden after that."""

    def __init__(self) -> None:
        from pysat.solvers import Solver as Sat

        self.sat = Sat(name="cadical195", bootstrap_with=self.rules())
        self.next = 1000

    @staticmethod
    def rules() -> list[list[int]]:
        """One digit in each cell, and each digit in every row, column and block; variable ``9 * cell + digit``."""
        nine, clauses = range(9), []
        cells = [[9 * cell + digit for digit in range(1, 10)] for cell in range(81)]
        places = [[81 * r + 9 * c + d for c in nine] for r, d in product(nine, range(1, 10))]
        places += [[81 * r + 9 * c + d for r in nine] for c, d in product(nine, range(1, 10))]
        places += [
            [81 * (b // 3 * 3 + k // 3) + 9 * (b % 3 * 3 + k % 3) + d for k in nine]
            for b, d in product(nine, range(1, 10))
        ]
        for group in [*cells, *places]:
            clauses += [group, *([-x, -y] for x, y in combinations(group, 2))]
        return clauses

    def __call__(self, texts: Sequence[str]) -> int:
        return sum(map(self.unique, texts))

    def unique(self, text: str) -> bool:
        """Whether a board has one solution."""
        givens = [9 * cell + int(digit) for cell, digit in enumerate(text) if digit not in ".0"]
        if not self.sat.solve(assumptions=givens):
            return False
        another, self.next = self.next, self.next + 1
        self.sat.add_clause([-another, *(-x for x in self.sat.get_model()[:729] if x > 0)])
        only = not self.sat.solve(assumptions=[*givens, another])
        self.sat.add_clause([-another])
        return only


def main() -> None:
    """A row for every file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--prototype")
    parser.add_argument("--runs", type=int, default=RUNS)
    given = parser.parse_args()
    solvers: dict[str, Solver] = {"solve_many": ours}
    if given.prototype:
        solvers["prototype"] = prototype(given.prototype)
    if importlib.util.find_spec("pysat"):
        solvers["python-sat"] = Cadical()
    ratios = [f"of {name}" for name in solvers if name != "solve_many"]
    shown = table("Sudokus a second, one core, uniqueness proved", "file", "boards", *solvers, *ratios)
    for name in given.files:
        lines = [line.split()[0] for line in Path(name).read_text("utf-8").splitlines() if len(line) >= 81]
        rates = measured(solvers, lines, given.runs)
        others = [rates["solve_many"] / rate for name, rate in rates.items() if name != "solve_many"]
        figures = [*(f"{rate:,.0f}" for rate in rates.values()), *(f"{ratio:.2f}" for ratio in others)]
        shown.add_row(Path(name).stem, f"{len(lines):,}", *figures)
    console.print(shown)


def measured(solvers: dict[str, Solver], lines: Sequence[str], runs: int) -> dict[str, float]:
    """Boards a second by each, in turns after one run that does not count; python-sat takes every board once."""
    seconds: dict[str, list[float]] = {name: [] for name in solvers}
    many = list(lines) * -(-LEAST // len(lines))
    for _ in range(runs + 1):
        for name, solver in solvers.items():
            boards = lines if name == "python-sat" else many
            seconds[name].append(cpu(partial(check, name, solver, boards)) / len(boards))
    return {name: 1 / min(spent[1:]) for name, spent in seconds.items()}


def check(name: str, solver: Solver, boards: Sequence[str]) -> None:
    """Solve boards that have one solution each."""
    found = solver(boards)
    assert found == len(boards), f"{name}: {found} of {len(boards)} with one solution"


if __name__ == "__main__":
    main()
