"""Sudoku: the boards of the report by its methods and by ours, over several seeds where chance decides."""

from __future__ import annotations

import time
from functools import partial
from statistics import median

from measure import Scale, aim, console, cpu, table

from procura import Limits, Result, Sudoku, solve
from procura.puzzles.sudoku.samples import samples

BOARDS = ("easy", "medium", "diabolic")
REPORT = {
    "report_iddfs": (2_443, 45_961, 2_720_313),
    "report_astar": (36, 40, 710_848),
    "report_annealing": (1_406, 3_677, 76_464),
    "report_genetic": (15_697, 140_901, 2_825_632),
}
"""Milliseconds on the report's machine, board by board; its genetic algorithm went on after a solution."""
SEARCHES = ("dfs", "report_iddfs", "report_astar")
LOCAL = ("report_annealing", "annealing", "annealing_constant", "report_genetic", "report_roulette", "genetic_bands")
BY_DIFFICULTY = ("report_genetic", "report_roulette")
"""Presets with a population for each board."""
SEEDS = {**dict.fromkeys(SEARCHES, 5), **dict.fromkeys(BY_DIFFICULTY, 3)}
"""How often, of those that are not run twenty times."""
SECONDS = 20.0
AIMS = {"annealing_constant": (1, 5, 60), "genetic_bands": (100, 1000, 10_000)}
"""Milliseconds of CPU, the most that the median should be."""


def runs_of(method: str, board: str, seeds: int, seconds: float) -> list[tuple[float, Result]]:
    """CPU seconds and result for every seed, each ended after so many; one short run before does not count."""
    name = f"{method}_{board}" if method in BY_DIFFICULTY else method
    problem = Sudoku(**samples[board])
    solve(problem, name, engine="compiled", limits=Limits(nodes=1))
    found: list[Result] = []

    def run() -> None:
        until = time.process_time() + seconds
        cancel = partial(over, until)
        found.append(solve(problem, name, engine="compiled", seed=len(found), cancel=cancel))

    return [(cpu(run), found[-1]) for _ in range(seeds)]


def over(until: float) -> bool:
    """Whether this process has had so much CPU time; others do not make a run end earlier."""
    return time.process_time() > until


def sudoku(scale: Scale) -> None:
    """A row for every method and board."""
    seconds = 1.0 if scale.quick else SECONDS
    shown = table(
        f"Sudoku, the report's boards: medians of the solved runs, at most {seconds:g} s each",
        "method", "board", "solved", "CPU, ms", "most, ms", "generated", "report, ms", numbers_from=2,
    )  # fmt: skip
    for method in (*SEARCHES, *LOCAL):
        for i, board in enumerate(BOARDS):
            runs = runs_of(method, board, scale.runs(SEEDS.get(method, 20), 1), seconds)
            solved = [(spent, result) for spent, result in runs if result.solved]
            figures = ["", "", ""]
            if solved:
                times = [spent * 1000 for spent, _ in solved]
                generated = median(result.stats.generated for _, result in solved)
                figures = [f"[bold]{median(times):,.1f}[/bold]", f"{max(times):,.1f}", f"{generated:,.0f}"]
                if method in AIMS:
                    aim(f"{method}, {board}", median(times), AIMS[method][i], "ms")
            known = f"{REPORT[method][i]:,}" if method in REPORT else ""
            shown.add_row(method, board, f"{len(solved)} of {len(runs)}", *figures, known)
    console.print(shown)
