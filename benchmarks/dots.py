"""Dots and Boxes by ``profile`` and by OR-Tools' CP-SAT, on the same boards: processor time, and the same optimum.

Run it with ``python benchmarks/dots.py``, after ``pip install -e '.[bench]'``.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from procura import Dots, solve
from procura.puzzles.dots.samples import samples

SECONDS = 30.0


def empty(rows: int, columns: int, boxes: int) -> Dots:
    """A board without arcs."""
    return Dots([[[0] * columns for _ in range(rows + 1)], [[0] * rows for _ in range(columns + 1)]], boxes)


def boards() -> dict[str, Dots]:
    """What is measured, by name."""
    named = {name: Dots(**board) for name, board in samples.items()}
    for seed in (1, 2, 3):
        named[f"8x8 random {seed}"] = Dots.generate(seed, size="8x8", boxes=32)
    named["12x12 random"] = Dots.generate(1, size="12x12", boxes=72)
    named["12x12 empty, 72"] = empty(12, 12, 72)
    return named


def by_cp_sat(problem: Dots) -> tuple[int | None, int, float]:
    """(fewest arcs or None, bound, CPU seconds): a box is closed only if each of its free arcs is drawn.

    Beside that it is told what its symmetries cannot: the arcs of the most compact shape, as a bound.
    """
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    sides = problem.data.sides
    arcs = [model.new_bool_var(f"arc {number}") if not drawn else 1 for number, drawn in enumerate(problem.arcs)]
    boxes = [model.new_bool_var(f"box {number}") for number in range(len(sides) // 4)]
    for number, box in enumerate(boxes):
        for arc in sides[4 * number : 4 * number + 4]:
            if not problem.arcs[arc]:
                model.add(box <= arcs[arc])
    model.add(sum(boxes) >= problem.target)
    drawn = sum(arc for arc in arcs if not isinstance(arc, int))
    model.add(drawn >= int(problem.estimate("polyomino")))
    model.minimize(drawn)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2  # without cuts from the linear program it takes minutes
    solver.parameters.max_time_in_seconds = SECONDS
    started = time.process_time()
    status = solver.solve(model)
    used = time.process_time() - started
    proved = status == cp_model.OPTIMAL
    return (int(solver.objective_value) if proved else None), int(solver.best_objective_bound), used


def by_profile(problem: Dots) -> tuple[int, float]:
    """(fewest arcs, CPU seconds of the whole ``solve``, the least of several)."""
    times = []
    for _ in range(5):
        started = time.process_time()
        result = solve(problem, "profile", engine="compiled")
        times.append(time.process_time() - started)
    assert result.optimal
    return result.cost, min(times)


def main() -> int:
    """Print the table; 1 if the two do not agree."""
    by_profile(empty(2, 2, 1))
    print(f"{'board':20} {'arcs':>5} {'profile':>10} {'CP-SAT':>10} {'ratio':>8}")
    wrong = 0
    for name, problem in boards().items():
        arcs, ours = by_profile(problem)
        least, bound, theirs = by_cp_sat(problem)
        wrong += least not in (None, arcs) or bound > arcs
        told = f"{theirs * 1e3:7.1f} ms" if least is not None else f"> {theirs:6.0f} s"
        print(f"{name:20} {arcs:5} {ours * 1e3:7.1f} ms {told:>10} {theirs / ours:8.0f}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
