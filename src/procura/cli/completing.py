"""What a shell can complete beyond commands and options: puzzles, algorithms, heuristics, samples, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from procura import catalog

if TYPE_CHECKING:
    from procura.reading.puzzles import ChosenPuzzle

Candidates = Callable[[click.Context, str], Iterable[str]]


def attach(command: click.Command) -> None:
    """Let the parameters of a command offer their names, in place of what click does with them."""
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        attach(inner)
    for parameter in command.params:
        name = parameter.name or ""
        if name in ("board", "log", "trace", "tree"):
            vars(parameter)["shell_complete"] = _file
        elif name in _CANDIDATES:
            vars(parameter)["shell_complete"] = _offering(_CANDIDATES[name])
        elif name in _choices():
            vars(parameter)["shell_complete"] = _offering(partial(_choice, name))


def _file(context: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def _offering(candidates: Candidates) -> Callable[[click.Context, str], list[CompletionItem]]:
    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in candidates(context, incomplete) if name.startswith(incomplete)]

    return complete


def _puzzles(context: click.Context, incomplete: str) -> Iterable[str]:
    return catalog.PUZZLES


def _chosen(context: click.Context) -> ChosenPuzzle | None:
    """The puzzle of the catalog that the command line names so far."""
    from procura.reading.puzzles import choose_puzzle

    words = [context.params.get("puzzle"), *context.args]  # an option without its value leaves arguments unread
    name = next((word for word in words if word in catalog.PUZZLES), None)
    return None if name is None else choose_puzzle(name)


def _heuristics(context: click.Context, incomplete: str) -> list[str]:
    puzzle = _chosen(context)
    return [] if puzzle is None else ["zero", *puzzle.cls.heuristics]


def _configurations(context: click.Context, incomplete: str) -> Iterable[str]:
    """``ALGORITHM``, then ``ALGORITHM:HEURISTIC``, then ``...,option=``."""
    start, comma, _ = incomplete.rpartition(",")
    name, colon, _ = (start if comma else incomplete).partition(":")
    if comma:
        info = _algorithms(context).get(name)
        return [f"{start},{option.name}=" for option in (info.options if info is not None else ())]
    if colon:
        return [f"{name}:{heuristic}" for heuristic in _heuristics(context, "")]
    puzzle = _chosen(context)
    return ["auto", *_algorithms(context), *(puzzle.cls.presets if puzzle is not None else ())]


def _algorithms(context: click.Context) -> Mapping[str, catalog.Algorithm]:
    """Those that can search the puzzle, or any puzzle if none is named."""
    puzzle = _chosen(context)
    return catalog.ALGORITHMS if puzzle is None else catalog.algorithms(puzzle.cls)


def _options(context: click.Context, incomplete: str) -> Iterable[str]:
    name = str(context.params.get("configuration") or "").partition(",")[0].partition(":")[0]
    info = _algorithms(context).get(name)
    return [f"{option.name}=" for option in (info.options if info is not None else ())]


def _samples(context: click.Context, incomplete: str) -> Iterable[str]:
    puzzle = _chosen(context)
    return [] if puzzle is None else ["all", *puzzle.cls.sample_aliases, *puzzle.samples()]


def _limits(context: click.Context, incomplete: str) -> Iterable[str]:
    return ["seconds=", "nodes=", "memory=", "depth="]


def _controllers(context: click.Context, incomplete: str) -> Iterable[str]:
    from procura.cli.endless import controller_names

    return controller_names()


def _choice(name: str, context: click.Context, incomplete: str) -> Iterable[str]:
    return _choices()[name]


def _choices() -> dict[str, tuple[str, ...]]:
    """The puzzle options that are choices."""
    options = [option for puzzle in catalog.PUZZLES.values() for option in puzzle.options]
    return {option.name: option.choices for option in options if option.choices}


_CANDIDATES: dict[str, Candidates] = {
    "puzzle": _puzzles,
    "configuration": _configurations,
    "configurations": _configurations,
    "heuristic": _heuristics,
    "options": _options,
    "samples": _samples,
    "limits": _limits,
    "controller": _controllers,
    "controllers": _controllers,
}


def script(shell: str, root: click.Command, variable: str) -> str:
    """The script that teaches a shell; click's own."""
    from click.shell_completion import get_completion_class

    kind: Any = get_completion_class(shell)
    maker = kind(root, {}, "procura", variable)
    text: str = maker.source_template % maker.source_vars()
    return text
