"""``procura cache``: where compiled kernels are kept, and how to empty or fill that folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from procura.errors import InputError

if TYPE_CHECKING:
    from procura.problem import Problem

EPILOG = """\b
Examples:
  procura cache warm
  procura cache clear
"""


@click.command("cache", epilog=EPILOG)
@click.argument("what", type=click.Choice(["where", "clear", "warm"]))
def command(what: str) -> None:
    """Show where compiled kernels are kept, delete them, or compile those of the shipped puzzles.

    The folder is in your cache folder; PROCURA_CACHE names another, or is off.
    """
    {"where": where, "clear": clear, "warm": warm}[what]()


def where() -> None:
    """Print the folder."""
    click.echo(_folder())


def clear() -> None:
    """Delete all kernels, also those that a killed run left half written; runs that use them do not mind."""
    count = size = 0
    folder = _folder()
    for path in [*folder.glob("*.kernel"), *folder.glob("*.part")]:
        with suppress(FileNotFoundError):
            size += path.stat().st_size
            path.unlink()
            count += path.suffix == ".kernel"
    click.echo(f"{count} kernels deleted, {size / 1e6:.1f} MB")


def warm() -> None:
    """Compile, or find compiled, what ``solve`` needs for the usual boards."""
    from procura.result import Limits
    from procura.solving import solve

    _folder()
    for label, problem in _usual():
        result = solve(problem, limits=Limits(nodes=0), engine="compiled")
        click.echo(f"{label}: {result.algorithm} ready, {result.stats.compile_seconds:.1f} s")
    _warm_player()


def _warm_player() -> None:
    """The same for the best player of endless Tetris; others have other features, and kernels of their own."""
    from procura.puzzles.tetris.endless.controllers import read_controller
    from procura.puzzles.tetris.endless.table import compiled

    controller = read_controller("tuned")
    began = time.perf_counter()
    compiled("play", controller.used())
    click.echo(f"endless tetris: {controller.name} ready, {time.perf_counter() - began:.1f} s")


def _folder() -> Path:
    from procura.compiled.folder import folder

    path = folder()
    if path is None:
        raise InputError("there is no kernel cache: PROCURA_CACHE is off, or its folder is not this user's alone")
    return path


def _usual() -> Iterator[tuple[str, Problem]]:
    """A board of the usual size of each puzzle; a kernel serves all boards of a size."""
    from procura import Dots, Sliding, Sudoku, Tetris

    yield "sliding 3x3", Sliding([1, 2, 3, 4, 5, 6, 7, 0, 8])
    yield "sliding 4x4", Sliding([*range(1, 15), 0, 15])
    yield "sudoku 9x9", Sudoku("." * 81)
    yield "tetris", Tetris("empty", "t")
    yield "dots 4x5", Dots([[[0] * 5] * 5, [[0] * 4] * 6], 10)
