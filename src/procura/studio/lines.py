"""The command, the Python lines and the study file that make the same searches as the page."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from procura import catalog
from procura.catalog import flag
from procura.configuration import plain
from procura.problem import Problem
from procura.reading.limits import read_limits
from procura.studio.messages import text


def command_line(
    place: str, problem: Problem, asked: str, limits: Mapping[str, Any], engine: str, seed: int | None
) -> str:
    """The ``procura solve`` that makes this search; ``place`` is the puzzle as the command takes it.

    >>> from procura import Sliding
    >>> command_line("sliding", Sliding("1 2 3 0", size="2x2"), "bfs", {"seconds": "20"}, "auto", None)
    "procura solve sliding '1 2 3 0' --with bfs --limit seconds=20"
    """
    words = ["procura", "solve", place, *_board(problem)]
    for name, value in problem.board_options().items():
        words += [flag(name), plain(value)]
    words += ["--with", asked] if asked != "auto" else []
    for name, value in limits.items():
        words += ["--limit", f"{name}={value}"] if value else []
    words += ["--engine", engine] if engine != "auto" else []
    words += ["--seed", str(seed)] if seed else []
    return shlex.join(words)


def _board(problem: Problem) -> list[str]:
    return [] if type(problem).from_text.__func__ is Problem.from_text.__func__ else [problem.board_text()]  # type: ignore[attr-defined]


def python_lines(
    place: str, problem: Problem, asked: str, limits: Mapping[str, Any], engine: str, seed: int | None
) -> str:
    """The same in Python.

    >>> from procura import Sliding
    >>> print(python_lines("sliding", Sliding("1 2 3 0", size="2x2"), "bfs", {"seconds": "20"}, "python", None))
    from procura import Limits, Sliding, solve
    <BLANKLINE>
    problem = Sliding.from_text('1 2 3 0')
    result = solve(problem, 'bfs', limits=Limits(seconds=20.0), engine='python')
    print(result)
    """
    kind = type(problem).__name__
    given = {name: value for name, value in limits.items() if value}
    read = read_limits([f"{name}={value}" for name, value in given.items()])
    written = ", ".join(f"{name}={getattr(read, name)!r}" for name in given)
    shipped = place in catalog.PUZZLES
    names = [*sorted([*(["Limits"] if written else []), *([kind] if shipped else [])]), "solve"]
    lines = [f"from procura import {', '.join(names)}"]
    if not shipped:
        lines.append(f"from {Path(place.rpartition(':')[0]).stem} import {kind}")
    arguments = [repr(text) for text in _board(problem)]
    arguments += [f"{name}={value!r}" for name, value in problem.board_options().items()]
    made = f"{kind}.from_text({', '.join(arguments)})" if _board(problem) else f"{kind}()"
    options = [
        *([repr(asked)] if asked != "auto" else []),
        *([f"limits=Limits({written})"] if written else []),
        *([f"engine={engine!r}"] if engine != "auto" else []),
        *([f"seed={seed}"] if seed else []),
    ]
    return "\n".join(
        [*lines, "", f"problem = {made}", f"result = solve({', '.join(['problem', *options])})", "print(result)"]
    )


def study_file(
    place: str, boards: Sequence[Mapping[str, Any]], searches: Sequence[str], limits: Mapping[str, Any]
) -> str:
    """The study that makes these searches on these boards: each a ``sample``, or a ``board`` with ``options``.

    >>> print(study_file("sliding", [{"sample": "moodle-1"}], ["bfs", "astar:manhattan"], {"seconds": "20"}))
    title = "sliding"
    <BLANKLINE>
    [limits]
    seconds = 20.0
    <BLANKLINE>
    [[problems]]
    puzzle = "sliding"
    sample = "moodle-1"
    <BLANKLINE>
    [[configurations]]
    with = "bfs"
    <BLANKLINE>
    [[configurations]]
    with = "astar:manhattan"
    """
    lines = [f"title = {_toml(place)}"]
    given = {name: value for name, value in limits.items() if value}
    read = read_limits([f"{name}={value}" for name, value in given.items()])
    lines += ["", "[limits]", *(f"{name} = {getattr(read, name)}" for name in given)] if given else []
    for number, board in enumerate(boards, 1):
        lines += ["", "[[problems]]", f"puzzle = {_toml(place)}"]
        if board.get("sample"):
            lines.append(f"sample = {_toml(board['sample'])}")
            continue
        lines += [f"name = {_toml(board.get('name') or f'board {number}')}", f"board = {_toml(text(board, 'board'))}"]
        lines += [f"{name} = {_toml(value)}" for name, value in (board.get("options") or {}).items()]
    for search in searches:
        lines += ["", "[[configurations]]", f"with = {_toml(search)}"]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    """A text as TOML writes it, as JSON does; other values as the text that stands for them."""
    return json.dumps(value if isinstance(value, str) else plain(value), ensure_ascii=False)
