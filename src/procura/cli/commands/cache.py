"""``procura cache``: what is kept on disk, compiled kernels and tables, and how to empty or fill it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from procura import catalog
from procura.compiled.kernels import HINTS, KERNELS
from procura.errors import InputError
from procura.folder import File, Folder, Kind, cache_root
from procura.tables import TABLES, kept_tables

if TYPE_CHECKING:
    from procura.configuration import Configuration
    from procura.control import Control
    from procura.problem import Problem
    from procura.reading.puzzles import ChosenPuzzle

EPILOG = """\b
Examples:
  procura cache
  procura cache warm
  procura cache warm tetris --with astar:quality_bound --with report2_best
  procura cache warm sliding --with pdb,partition=7-8
  procura cache warm path/file.py:Class BOARD --with bfs
  procura cache clear --only tables
"""
KINDS = {"kernels": KERNELS, "tables": TABLES}
"""The files in the cache, by the folder they are in."""


@click.command("cache", epilog=EPILOG)
@click.argument("what", type=click.Choice(["list", "where", "clear", "warm"]), default="list")
@click.argument("puzzle", required=False)
@click.argument("board", required=False)
@click.option("--with", "configurations", multiple=True, metavar="ALGORITHM[:HEURISTIC][,option=value...]",
              help="A search to compile for PUZZLE, or a preset; several times; auto if not given.")  # fmt: skip
@click.option("--only", type=click.Choice(list(KINDS)), help="What list and clear are about; by default all.")
def command(
    what: str, puzzle: str | None, board: str | None, configurations: tuple[str, ...], only: str | None
) -> None:
    """Show what is kept on disk, where, delete it, or make some of it in advance.

    Kernels are compiled searches; tables are what heuristics look up, such as pattern databases. Both are made when
    they are first needed. warm makes what every shipped puzzle uses on its usual boards, or what the searches given use
    on those of PUZZLE, one of them or your own path/file.py:Class, or on BOARD. The folder is in your cache folder;
    PROCURA_CACHE names another, or is off.
    """
    kinds = KINDS if only is None else {only: KINDS[only]}
    if only is not None and what not in ("list", "clear"):
        raise InputError(f"cache {what} --only {only}: expected list or clear with --only")
    if what == "warm":
        warm(puzzle, board, configurations)
    elif puzzle is not None or configurations:
        raise InputError(f"cache {what}: expected nothing after it")
    elif what == "where":
        where()
    else:
        {"list": show, "clear": clear}[what](kinds)


def show(kinds: Mapping[str, Kind]) -> None:
    """Print how many files there are and what they take, and every table with what it is for."""
    for name, kind in kinds.items():
        with _folder(name) as folder:
            files = folder.files(kind)
            click.echo(f"{name}: {len(files)}, {megabytes(files)} in {folder.path}")
            for table in kept_tables(folder) if kind is TABLES else ():
                used = time.strftime("%Y-%m-%d", time.localtime(table.used))
                click.echo(f"  {table.size / 1e6:8.1f} MB  last used {used}  {table.purpose}")


def where() -> None:
    """Print the folder."""
    with _folder("kernels") as folder:
        click.echo(folder.path.parent)


def clear(kinds: Mapping[str, Kind]) -> None:
    """Delete all files of these kinds, also those that a killed run left half written; no run that uses them minds."""
    for name, kind in kinds.items():
        with _folder(name) as folder:
            deleted = folder.clear(kind)
            if kind is KERNELS:
                folder.clear(HINTS)
        click.echo(f"{sum(not file.part for file in deleted)} {name} deleted, {megabytes(deleted)}")


def megabytes(files: Sequence[File]) -> str:
    """What files take."""
    return f"{sum(file.size for file in files) / 1e6:,.1f} MB"


def warm(puzzle: str | None, board: str | None, configurations: tuple[str, ...]) -> None:
    """Compile, or find compiled, what searches need on the usual boards of a puzzle, or of all."""
    from procura.reading.puzzles import choose_game, choose_puzzle, means_game

    if puzzle is None and configurations:
        raise InputError("cache warm --with: expected a puzzle as well, such as procura cache warm PUZZLE --with astar")
    with _folder("kernels"):
        pass
    if puzzle is not None:
        for_two = tuple(text for text in configurations if means_game(puzzle, text))
        others = tuple(text for text in configurations if text not in for_two)
        if for_two:
            game = choose_game(puzzle)
            _warm(game, _boards_for_two(game) if board is None else _boards(game, board), for_two)
        if others or not configurations:
            chosen = choose_puzzle(puzzle, games=True)
            _warm(chosen, _usual_boards(chosen) if board is None else _boards(chosen, board), others or ("auto",))
        if board is None and not configurations:
            _warm_games_of(chosen)
        return
    for name in catalog.PUZZLES:
        chosen = choose_puzzle(name)
        _warm(chosen, _usual_boards(chosen), ("auto",))
        _warm_games_of(chosen)


def _warm_games_of(chosen: ChosenPuzzle) -> None:
    """The same for the game for two of a puzzle, and for its game without end, if there are any."""
    from procura.cli.endless import warm_players
    from procura.reading.puzzles import choose_game

    if chosen.entry is not None and chosen.entry.game is not None:
        game = choose_game(chosen.name)
        _warm(game, _boards_for_two(game), ("auto",))
    for line in warm_players(chosen):
        click.echo(line)


def _warm(chosen: ChosenPuzzle, boards: Mapping[str, Problem], configurations: tuple[str, ...]) -> None:
    """Make what searches need on boards; one that a search refuses is reported if the search takes another."""
    from procura.configuration import Configuration

    for configuration in map(Configuration.parse, configurations):
        refused = 0
        for size, problem in boards.items():
            name = f"{chosen.name} {size}".strip()
            try:
                resolved, control = _prepared(problem, configuration)
            except InputError as error:
                refused += 1
                if refused == len(boards):
                    raise
                click.echo(f"{name}: {error}")
                continue
            if control.stopped_by == "memory":
                raise InputError(f"{name}: {resolved} needs a table that does not fit into memory")
            click.echo(f"{name}: {resolved} ready, {control.stats.compile_seconds:.1f} s")


def _prepared(problem: Any, configuration: Configuration) -> tuple[Configuration, Control]:
    """Make what a search needs on a board; the search as it was resolved, and how it went."""
    from procura import analysing, solving
    from procura.cli.progress import watched
    from procura.game import Game

    game = isinstance(problem, Game)
    what: Any = (analysing.game_plan if game else solving.plan)(problem, configuration, "compiled")
    prepare: Any = analysing.prepare if game else solving.prepare
    with watched(what.info) as progress:
        return what.configuration, prepare(what, progress)


def _boards(chosen: ChosenPuzzle, board: str) -> Mapping[str, Problem]:
    """The problems that BOARD names."""
    from procura.cli.boards import read_tasks

    return {task.name or "": task.problem() for task in read_tasks(chosen, board, (), {})}


def _usual_boards(chosen: ChosenPuzzle) -> Mapping[str, Problem]:
    """Boards of the puzzle, a kind of each, by size."""
    boards = chosen.cls.usual_boards()
    if boards:
        return boards
    samples = chosen.samples()
    if not samples and not chosen.needs_nothing():
        raise InputError(f"{chosen.name} has no usual_boards and no samples: expected a BOARD to compile for")
    return {"": chosen.cls(**next(iter(samples.values()), {}))}


def _boards_for_two(game: ChosenPuzzle) -> Mapping[str, Problem]:
    return {f"{size} for two": board for size, board in _usual_boards(game).items()}


@contextmanager
def _folder(name: str) -> Iterator[Folder]:
    try:
        folder = Folder(cache_root() / name)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise InputError(f"there is no cache: {why}") from None
    with folder:
        yield folder
