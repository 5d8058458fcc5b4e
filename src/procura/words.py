"""A result in words: the outcome, the actions on one line, the statistics; plain text, no terminal needed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from procura.configuration import Configuration, plain
from procura.errors import grouped
from procura.game import Analysis
from procura.result import Outcome, Result

_STOPPED = {
    "time": "the time limit ended the search",
    "nodes": "the limit on nodes ended the search",
    "memory": "memory ended the search",
    "depth": "none within the depth limit",
    "cancelled": "interrupted",
}
_HIGHER = {
    "time": "a higher limit on seconds",
    "nodes": "a higher limit on nodes",
    "memory": "a higher limit on memory",
    "depth": "a higher limit on depth, or none",
}


def outcome(result: Result) -> str:
    """How the run ended, in a sentence without a full stop.

    >>> from procura import Sliding, solve
    >>> outcome(solve(Sliding("1 2 3 4 5 6 0 7 8"), "bfs", engine="python"))
    'solved in 2 moves, proved optimal'
    """
    if result.outcome is Outcome.SOLVED:
        return _solved(result)
    if result.outcome is Outcome.NO_SOLUTION:
        return f"no solution: proved that there is none{_why_unsolvable(result)}"
    why = _STOPPED.get(result.stopped_by or "", f"{result.algorithm} gave up")
    parts = [f"no solution found: {why}"]
    if result.bound is not None:
        most = result.problem.cost_in_points(result.bound)
        least = f"any solution costs at least {number(result.bound)}"
        parts.append(least if most is None else f"a solution makes at most {counted(most, 'point')}")
    if result.cost is not None:
        parts.append(f"least energy seen {number(result.cost)}")
    return ", ".join(parts)


def what_to_try(result: Result) -> str | None:
    """What may find a solution where a run has found none, in a sentence; None if there is nothing to say.

    >>> from procura import Sliding, solve
    >>> what_to_try(solve(Sliding("8 6 7 2 5 4 3 0 1"), "beam:manhattan,width=1", engine="python"))
    'Try a wider beam, such as width=4, or widen=true; or leave the algorithm out: that takes pdb here.'
    """
    if result.outcome is not Outcome.NOT_FOUND or result.stopped_by == "cancelled":
        return None
    remedy = result.configuration.info.remedy
    ways = []
    if result.stopped_by is not None:
        ways.append(_HIGHER[result.stopped_by])
    elif remedy is not None:
        ways.append(remedy(result.options))
    best = Configuration("auto").resolve(result.problem)
    stand_in = (best.info.stand_in or "").partition(":")[0]
    if result.algorithm not in (best.algorithm, stand_in) and result.stopped_by != "depth":
        ways.append(f"leave the algorithm out: that takes {best.algorithm} here")
    return f"Try {'; or '.join(ways)}." if ways else None


def _why_unsolvable(result: Result) -> str:
    """The argument that proves it without a search, where the puzzle has one."""
    why = result.problem.why_unsolvable()
    return f" ({why})" if why is not None else ""


def _solved(result: Result) -> str:
    length, made = result.length, result.points
    parts = ["solved"] if length is None else [f"solved in {counted(length, result.problem.step_noun)}"]
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


def proof(result: Result) -> str | None:
    """Whether the answer is proved: that it is optimal, or that there is none; None where there is nothing to prove."""
    if result.outcome is Outcome.NO_SOLUTION or result.optimal:
        return "proved"
    return None if result.optimal is None else "not proved"


def _why_unproved(result: Result) -> str:
    """What keeps a solution from being proved optimal."""
    if result.gap is not None and result.gap > 0:
        most, made = map(result.problem.cost_in_points, (result.bound, result.cost))
        if most is not None and made is not None:
            return f"at most {counted(most - made, 'point')} more can be made"
        return f"at most {number(result.gap)} above the least cost"
    return result.unproved or "part of the space was left out"


def actions(result: Result) -> str:
    """The actions of the solution on one line, in a short form that says what it means."""
    if not result.actions:
        return ""
    if all(isinstance(action, str) and len(action) == 1 for action in result.actions):
        letters = "".join(result.actions)
        return " ".join(letters[i : i + 10] for i in range(0, len(letters), 10))
    return " ".join(map(result.problem.action_text, result.actions))


def statistics(result: Result, solutions: str | None = None) -> list[tuple[str, str]]:
    """Labels and values; what does not apply is left out.

    >>> from procura import Sliding, solve
    >>> statistics(solve(Sliding("1 2 3 4 5 6 0 7 8"), "astar:manhattan", engine="python"))[:2]
    [('algorithm', 'astar with manhattan, python'), ('cost', '2')]
    """
    stats = result.stats
    most = None if result.bound is None else result.problem.cost_in_points(result.bound)
    rows = [
        ("target", result.problem.target_text() if result.problem.options and not result.problem.caption() else None),
        ("algorithm", configuration(result)),
        ("cost", number(result.cost) if result.solved else None),
        ("lower bound", number(result.bound) if most is None and result.bound != result.cost else None),
        ("at most", counted(most, "point") if most is not None and result.bound != result.cost else None),
        ("solutions", solutions),
        ("generated", f"{stats.generated:,}"),
        ("expanded", f"{stats.expanded:,}"),
        ("penetrance", number(stats.penetrance)),
        ("branching factor", number(stats.branching_factor)),
        ("started, ended", f"{_clock(stats.started)}, {_clock(stats.ended)}" if stats.started else None),
        ("search", f"{stats.seconds:.3f} s"),
        ("compiling", f"{stats.compile_seconds:.3f} s" if stats.compile_seconds else None),
        ("peak memory", f"{stats.peak_memory / 1e6:.0f} MB"),
        *(("note", note) for note in result.notes),
    ]
    return [(label, value) for label, value in rows if value is not None]


def _clock(seconds: float) -> str:
    """A moment as the time of day."""
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S")


def configuration(result: Result) -> str:
    """Algorithm, heuristic, options that are not the defaults, and engine."""
    used = f" with {result.heuristic}" if result.heuristic is not None else ""
    seed = f"seed {result.seed}" if result.seed is not None else ""
    parts = (result.algorithm + used, options(dict(result.configuration.options)), seed, result.engine)
    return ", ".join(part for part in parts if part)


def options(values: Mapping[str, Any]) -> str:
    """Options as the command line takes them.

    >>> options({"ties": "fifo", "tree": True})
    'ties=fifo, tree=true'
    """
    return ", ".join(f"{name}={plain(value)}" for name, value in values.items())


def solutions(count: int | None, most: int | None) -> str | None:
    """How many solutions were counted, if anyone did; counting ends at ``most``."""
    if count is None:
        return None
    return f"{count:,}" if most is None or count < most else f"{count:,} or more"


def number(value: Any) -> str | None:
    """A number as people write it, or None.

    >>> number(1200), number(0.5), number(None)
    ('1,200', '0.5', None)
    """
    if value is None:
        return None
    return grouped(value) if isinstance(value, int) else f"{value:.6g}"


def counted(count: int, noun: str) -> str:
    """The number and the noun.

    >>> counted(1, "move"), counted(1200, "move")
    ('1 move', '1,200 moves')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def verdict(analysis: Analysis) -> str:
    """Who wins, by how much, and whether it is proved.

    >>> from procura import analyse
    >>> from procura.puzzles.dots import DotsGame
    >>> verdict(analyse(DotsGame(size="1x1"), "minimax", engine="python"))
    'the player to move loses by 1, proved'
    """
    value, proof = analysis.value, "proved" if analysis.proved else "estimated"
    if not analysis.moves:
        proof = "the game is over"
    why = {**_STOPPED, "depth": "up to the depth limit"}.get(analysis.stopped_by or "")
    stopped = "" if why is None else f": {why}"
    if not analysis.known:
        return f"not known{stopped}"
    who = "a draw" if value == 0 else f"the player to move {'wins' if value > 0 else 'loses'} by {number(abs(value))}"
    return f"{who}, {proof}{stopped}"


def move_groups(analysis: Analysis) -> list[tuple[str, str]]:
    """The moves of each value, the best first: (what they are worth, the moves)."""
    groups: dict[tuple[Any, bool], list[str]] = {}
    for move in analysis.moves:
        groups.setdefault((move.value, move.proved), []).append(analysis.game.action_text(move.action))
    known = sorted((key for key in groups if key[0] is not None), key=lambda key: (-key[0], not key[1]))
    rows = []
    for value, proved in known:
        worth = f"{value:+.4g}" if value else "0"
        rows.append((worth if proved else f"{worth} (est.)", " ".join(groups[value, proved])))
    unknown = [(key, moves) for key, moves in groups.items() if key[0] is None]
    return rows + [("no better" if analysis.proved else "unknown", " ".join(moves)) for _, moves in unknown]
