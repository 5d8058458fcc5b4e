"""A result as a plain dict, for every file and display; ``--json`` prints the keys in ``FIELDS``, in that order."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from procura import __version__
from procura.errors import grouped, is_huge
from procura.game import Analysis
from procura.problem import Problem
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
    "options": "`puzzle` and `algorithm`, each with its options that differ from the defaults",
    "error": "what is wrong with the problem, if it could not be run; what a run would fill is null then",
}
"""The keys of ``--json`` in their order, and what each holds; null where it does not apply."""


ANALYSIS_FIELDS = {
    "schema": "the version of this list of fields: 1",
    "version": "of procura",
    "puzzle": "the game's name, or the class of a game of your own",
    "algorithm": "what was run",
    "value": "what the player to move ends up ahead by from here",
    "proved": "whether that is proved; else it is an estimate",
    "moves": "of every legal move its `action`, its `value` in the same terms, so that the largest is the position's, \
and whether that is `proved`; the value is null if it was not looked for",
    "generated": "positions made",
    "expanded": "positions whose moves were listed; of `mcts` the random games",
    "seconds": "of search",
    "stopped_by": "the limit that ended the run: `time`, `nodes`, `memory`, `depth`; or `cancelled`",
    "error": "what is wrong with the board, if it could not be analysed; what a run would fill is null then",
}
"""The keys of ``analyse --json`` in their order, and what each holds."""


def analysis_record(puzzle: str, analysis: Analysis | None, error: str | None = None) -> dict[str, Any]:
    """What ``analyse --json`` prints.

    >>> analysis_record("nim", None, "there is no heap")["error"]
    'there is no heap'
    """
    told: dict[str, Any] = {"schema": SCHEMA, "version": __version__, "puzzle": puzzle, "error": error}
    if analysis is not None:
        told |= {name: getattr(analysis, name) for name in ("algorithm", "proved", "stopped_by")}
        told["value"] = analysis.value if analysis.known else None
        told |= {name: getattr(analysis.stats, name) for name in ("generated", "expanded", "seconds")}
        told["moves"] = [{"action": m.action, "value": m.value, "proved": m.proved} for m in analysis.moves]
    made: dict[str, Any] = plain({key: told.get(key) for key in ANALYSIS_FIELDS})
    return made


def record(result: Result, **about: Any) -> dict[str, Any]:
    """All that a run says of itself, as plain data: what was run, how it ended, and every field of its ``Stats``.

    ``about`` is what only the caller knows, such as ``name`` or ``solutions``.

    >>> from procura import Sliding, solve
    >>> told = record(solve(Sliding("1 2 3 4 5 6 7 0 8", goal="spiral"), "astar", engine="python", weight=2))
    >>> told["outcome"], told["options"]
    ('no_solution', {'puzzle': {'goal': 'spiral'}, 'algorithm': {'weight': 2.0}})
    """
    problem, stats = result.problem, result.stats
    told = {
        "puzzle": problem.name,
        **{name: getattr(result, name) for name in _OF_RESULTS},
        "outcome": result.outcome.value,
        "initial": problem.to_text(problem.initial),
        "final": result.final_text,
        **{field.name: getattr(stats, field.name) for field in fields(stats)},
        "started": _time(stats.started),
        "ended": _time(stats.ended),
        "penetrance": stats.penetrance,
        "branching_factor": stats.branching_factor,
        "options": {"puzzle": puzzle_options(problem), "algorithm": dict(result.configuration.options)},
        **about,
    }
    if result.solutions is not None:
        told["finals"] = [problem.to_text(state) for state in result.finals]
    if not result.tree:  # there is no frontier and no depth
        told |= {"max_frontier": None, "depth": None}
    made: dict[str, Any] = plain(told)
    return made


_OF_RESULTS = (
    "algorithm", "heuristic", "engine", "seed", "local", "outcome", "stopped_by", "optimal", "cost", "bound", "gap",
    "length", "actions", "points", "solutions", "notes",
)  # fmt: skip


def _time(seconds: float) -> str | None:
    """A moment as ISO 8601 writes it, with the zone; None if there was none."""
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="milliseconds") if seconds else None


def puzzle_options(problem: Problem) -> Mapping[str, Any]:
    """The problem's options that are not the defaults; none if its class uses the name for something else."""
    options = problem.options
    return options if isinstance(options, Mapping) else {}


def printed(told: Mapping[str, Any]) -> dict[str, Any]:
    """What ``--json`` prints of a record, or of what is known of a problem that could not be run.

    ``finals`` is there only if the algorithm was asked for several solutions.
    """
    memory = told.get("peak_memory")
    filled = {**told, "schema": SCHEMA, "version": __version__, "peak_memory_mb": memory and memory / 1e6}
    return {key: filled.get(key) for key in (*FIELDS, *(["finals"] if "finals" in told else []))}


def plain(value: Any) -> Any:
    """The value in what JSON has: no infinities, no NumPy numbers, and text for what it does not know.

    >>> plain((1, float("inf"), {2: "x"}))
    [1, None, {'2': 'x'}]
    """
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return grouped(value) if is_huge(value) else value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return plain(value.item()) if hasattr(value, "item") else str(value)


def line(fields: Mapping[str, Any]) -> str:
    """The object as one line."""
    return json.dumps(fields, allow_nan=False)
