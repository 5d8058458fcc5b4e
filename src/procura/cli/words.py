"""A result in words: the outcome, the actions on one line, the statistics; plain text, no terminal needed."""

from __future__ import annotations

from typing import Any

from procura import catalog
from procura.heuristics import BoundHeuristic, heuristic
from procura.result import Outcome, Result

_STOPPED = {
    "time": "the time limit ended the search",
    "nodes": "the limit on nodes ended the search",
    "memory": "memory ended the search",
    "depth": "none within the depth limit",
    "cancelled": "interrupted",
}
_ARGUMENTS = {"Sliding": "by parity: half of all boards cannot reach this goal"}
_NOUNS = {"Sudoku": "fill", "Tetris": "piece", "Dots": "arc"}


def outcome(result: Result) -> str:
    """How the run ended, in a sentence without a full stop."""
    if result.outcome is Outcome.SOLVED:
        return _solved(result)
    if result.outcome is Outcome.NO_SOLUTION:
        return f"no solution: proved that there is none{_why_unsolvable(result)}"
    why = _STOPPED.get(result.stopped_by or "", f"{result.algorithm} gave up")
    parts = [f"no solution found: {why}"]
    if result.bound is not None:
        parts.append(f"any solution costs at least {number(result.bound)}")
    if result.cost is not None:
        parts.append(f"least energy seen {number(result.cost)}")
    return ", ".join(parts)


def _why_unsolvable(result: Result) -> str:
    """The argument that proves it without a search, where the puzzle has one."""
    why = _ARGUMENTS.get(result.problem.name)
    return f" ({why})" if why is not None and result.problem.proved_unsolvable() else ""


def _solved(result: Result) -> str:
    length, made = result.length, points(result)
    parts = ["solved"] if length is None else [f"solved in {counted(length, _noun(result))}"]
    if made is not None:
        parts.append(counted(made, "point"))
    elif length is not None and result.cost != length:
        parts.append(f"cost {number(result.cost)}")
    if result.optimal:
        parts.append("proved optimal")
    elif result.optimal is False:
        parts.append(f"optimality not proved ({_why_unproved(result)})")
    if result.stopped_by is not None:
        parts.append(_STOPPED.get(result.stopped_by, result.stopped_by))
    return ", ".join(parts)


def points(result: Result) -> int | None:
    """The points that a solution makes, for puzzles that count them."""
    made: int | None = result.problem.points(result.final) if result.solved and result.length is not None else None
    return made


def proof(result: Result) -> str | None:
    """Whether the answer is proved: that it is optimal, or that there is none; None where there is nothing to prove."""
    if result.outcome is Outcome.NO_SOLUTION or result.optimal:
        return "proved"
    return None if result.optimal is None else "not proved"


def _why_unproved(result: Result) -> str:
    """What keeps a solution from being proved optimal."""
    if result.gap is not None and result.gap > 0:
        return f"at most {number(result.gap)} above the least cost"
    info = catalog.algorithm(result.algorithm)
    if not info.uses_heuristic or info.name == "greedy":
        return f"{info.name} does not look for the least cost"
    used = BoundHeuristic(heuristic(result.heuristic or "zero"), result.problem)
    if not used.admissible:
        return "the heuristic is not admissible"
    if result.options.get("weight", 1) > 1:
        return f"the heuristic weighs {number(result.options['weight'])} times"
    return "part of the space was left out"


def _noun(result: Result) -> str:
    return _NOUNS.get(result.problem.name, "move")


def actions(result: Result) -> str:
    """The actions of the solution on one line, in a short form that says what it means."""
    if not result.actions:
        return ""
    if all(isinstance(action, str) and len(action) == 1 for action in result.actions):
        letters = "".join(result.actions)
        return " ".join(letters[i : i + 10] for i in range(0, len(letters), 10))
    return " ".join(action(result.problem, value) for value in result.actions)


def action(problem: Any, value: Any) -> str:
    """One action, short: ``r1c4=5`` (from 1), ``t2@3`` (rotation at column), ``h0,1`` (list, element)."""
    if isinstance(value, list | tuple) and len(value) == 3:
        a, b, c = value
        if problem.name == "Sudoku":
            return f"r{a + 1}c{b + 1}={c}"
        if problem.name == "Tetris":
            return f"{a}{b}@{c}"
        if problem.name == "Dots":
            return f"{a}{b},{c}"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def statistics(result: Result, solutions: str | None = None) -> list[tuple[str, str]]:
    """Labels and values; what does not apply is left out."""
    stats = result.stats
    rows = [
        ("algorithm", configuration(result)),
        ("cost", number(result.cost) if result.solved else None),
        ("lower bound", number(result.bound) if result.bound != result.cost else None),
        ("solutions", solutions),
        ("generated", f"{stats.generated:,}"),
        ("expanded", f"{stats.expanded:,}"),
        ("penetrance", number(stats.penetrance)),
        ("branching factor", number(stats.branching_factor)),
        ("search", f"{stats.seconds:.3f} s"),
        ("compiling", f"{stats.compile_seconds:.3f} s" if stats.compile_seconds else None),
        ("peak memory", f"{stats.peak_memory / 1e6:.0f} MB"),
        *(("note", note) for note in result.notes),
    ]
    return [(label, value) for label, value in rows if value is not None]


def configuration(result: Result) -> str:
    """Algorithm, heuristic, options that are not the defaults, and engine."""
    defaults = {option.name: option.default for option in catalog.algorithm(result.algorithm).options}
    changed = [f"{name}={plain(value)}" for name, value in result.options.items() if value != defaults.get(name)]
    used = f" with {result.heuristic}" if result.heuristic is not None else ""
    seed = [f"seed {result.seed}"] if result.seed is not None else []
    return ", ".join([result.algorithm + used, *changed, *seed, result.engine])


def solutions(count: int | None, most: int | None) -> str | None:
    """How many solutions were counted, if anyone did; counting ends at ``most``."""
    if count is None:
        return None
    return f"{count:,}" if most is None or count < most else f"{count:,} or more"


def target(problem: Any) -> str | None:
    """What is to be reached, on one line, for puzzles that say it: boxes to close, a goal, pieces to place."""
    for name in ("target", "goal", "pieces"):
        value = getattr(problem, name, None)
        if value is not None and not callable(value):
            return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return None


def plain(value: Any) -> str:
    """The value of an option as the command line takes it.

    >>> plain(True), plain(None), plain(0.5)
    ('true', 'none', '0.5')
    """
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def number(value: Any) -> str | None:
    """A number as people write it, or None."""
    if value is None:
        return None
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def counted(count: int, noun: str) -> str:
    """The number and the noun.

    >>> counted(1, "move"), counted(1200, "move")
    ('1 move', '1,200 moves')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
