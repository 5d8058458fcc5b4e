"""A run as the JSON object that ``--json`` prints: fixed keys in a fixed order, null where they do not apply."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from procura import __version__, catalog
from procura.result import Result

SCHEMA = 1
FIELDS = {
    "schema": "the version of this list of fields: 1",
    "version": "of procura",
    "puzzle": "its name, or the class of a puzzle of your own",
    "name": "of the problem, if it has one, as samples and the problems of a file do",
    "algorithm": "what was run",
    "heuristic": "as text",
    "engine": "`python` or `compiled`",
    "seed": "of methods that draw random numbers",
    "outcome": "`solved`, `no_solution` (proved) or `not_found`",
    "stopped_by": "the limit that ended the run: `time`, `nodes`, `memory`, `depth`; or `cancelled`",
    "optimal": "true only if proved; null where the word means nothing",
    "cost": "of the solution; from local search without one, the least energy seen",
    "bound": "a proved lower bound on the cost of any solution",
    "gap": "cost less bound",
    "length": "the number of actions",
    "actions": "the solution; each as the puzzle writes it",
    "initial": "the first state, as ASCII text",
    "final": "the last state of the solution; from local search without one, the best state",
    "points": "in puzzles that count points",
    "solutions": "how many there are, if `--solutions` asked for them",
    "generated": "successors made, duplicates and all iterations included",
    "expanded": "nodes whose moves were listed",
    "max_frontier": "the most nodes that waited at one time",
    "depth": "the greatest depth at which a node was generated",
    "seconds": "of search",
    "compile_seconds": "to compile or load kernels",
    "peak_memory_mb": "the most resident memory of the process, in millions of bytes",
    "penetrance": "length over generated",
    "branching_factor": "the b with b + b² + ... + b^length = generated",
    "error": "what is wrong with the problem, if it could not be run; what a run would fill is null then",
}
"""The keys in their order, and what each holds."""


def record(puzzle: str, name: str | None, result: Result, solutions: int | None = None) -> dict[str, Any]:
    """The object of a run; ``solutions`` if they were counted."""
    problem, stats = result.problem, result.stats
    points = problem.points(result.final) if result.solved and result.final is not None else None
    local = catalog.algorithm(result.algorithm).local  # it has no frontier and no depth
    return _object(
        puzzle=puzzle,
        name=name,
        algorithm=result.algorithm,
        heuristic=result.heuristic,
        engine=result.engine,
        seed=result.seed,
        outcome=result.outcome.value,
        stopped_by=result.stopped_by,
        optimal=result.optimal,
        cost=result.cost,
        bound=result.bound,
        gap=result.gap,
        length=result.length,
        actions=result.actions,
        initial=problem.to_text(problem.initial),
        final=result.final_text,
        points=points,
        solutions=solutions,
        generated=stats.generated,
        expanded=stats.expanded,
        max_frontier=None if local else stats.max_frontier,
        depth=None if local else stats.depth,
        seconds=stats.seconds,
        compile_seconds=stats.compile_seconds,
        peak_memory_mb=stats.peak_memory / 1e6,
        penetrance=stats.penetrance,
        branching_factor=stats.branching_factor,
    )


def error_record(puzzle: str, name: str | None, sentence: str) -> dict[str, Any]:
    """The object of a problem that could not be run."""
    return _object(puzzle=puzzle, name=name, error=sentence)


def _object(**fields: Any) -> dict[str, Any]:
    filled = {"schema": SCHEMA, "version": __version__, **fields}
    return {key: plain(filled.get(key)) for key in FIELDS}


def plain(value: Any) -> Any:
    """The value in what JSON has: no infinities, no NumPy numbers, and text for what it does not know.

    >>> plain((1, float("inf"), {2: "x"}))
    [1, None, {'2': 'x'}]
    """
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return plain(value.item()) if hasattr(value, "item") else str(value)


def line(fields: Mapping[str, Any]) -> str:
    """The object as one line."""
    return json.dumps(fields, allow_nan=False)
