"""A run as the JSON object that ``--json`` prints: fixed keys in a fixed order, null where they do not apply."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from procura import __version__, catalog
from procura.result import Result

SCHEMA = 1
KEYS = (
    "schema", "version", "puzzle", "name", "algorithm", "heuristic", "engine", "seed", "outcome", "stopped_by",
    "optimal", "cost", "bound", "gap", "length", "actions", "initial", "final", "points", "solutions", "generated",
    "expanded", "max_frontier", "depth", "seconds", "compile_seconds", "peak_memory_mb", "penetrance",
    "branching_factor", "error",
)  # fmt: skip


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
    return {key: plain(filled.get(key)) for key in KEYS}


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
