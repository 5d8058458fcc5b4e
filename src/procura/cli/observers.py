"""The files that follow a search: which are asked for, and the engine that tells them everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from procura.cli.files import check_ending
from procura.cli.running import Observer
from procura.cli.settings import Settings
from procura.cli.status import say
from procura.errors import InputError


def followed(settings: Settings, trace: str | None, tree: str | None, problems: int) -> Settings:
    """The settings under which a trace or a tree is told every node: only the python engine does."""
    if tree is not None:
        _check_tree(tree, settings, problems)
    if trace is None and tree is None:
        return settings
    option = "--trace" if tree is None else "--tree"
    if settings.engine == "auto":
        say(f"{option} follows every node, so the search runs on the python engine")
        return replace(settings, engine="python")
    if settings.engine == "compiled":
        say("--trace: a compiled search reports bounds, improvements, the goal and progress, not every node")
    return settings


def _check_tree(path: str, settings: Settings, problems: int) -> None:
    check_ending(path, "--tree", ".dot", ".gv")
    if problems != 1:
        raise InputError(f"--tree: expected one problem, not {problems:,}")
    if settings.engine == "compiled":
        raise InputError("--tree: a compiled search does not tell its nodes: expected --engine python or auto")
    if settings.algorithm is not None and settings.algorithm.local:
        raise InputError(f"--tree: {settings.algorithm.name} makes no tree")


@contextmanager
def observers(
    puzzle: str, log: str | None, trace: str | None, tree: str | None, tree_nodes: int
) -> Iterator[list[Observer]]:
    """An observer for each file that is asked for; open files are closed at the end."""
    with ExitStack() as stack:
        found: list[Observer] = []
        if tree is not None:
            from procura.cli.tree import TreeFile

            found.append(TreeFile(tree, tree_nodes))
        if log is not None:
            from procura.cli.log import Log

            found.append(stack.enter_context(Log(log, puzzle)))
        if trace is not None:
            from procura.cli.trace import Trace

            found.append(stack.enter_context(Trace(trace, puzzle)))
        yield found
