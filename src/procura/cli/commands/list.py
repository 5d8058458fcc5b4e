"""``procura list``: what there is to solve, and to solve it with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

import click

from procura import catalog
from procura.algorithm import load
from procura.catalog import flag
from procura.cli.endless import list_controllers
from procura.cli.harmless import echo
from procura.errors import InputError
from procura.heuristics import heuristic, is_admissible
from procura.problem import Estimate, Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle

EPILOG = """\b
Examples:
  procura list algorithms
  procura list algorithms beam
  procura list specialists sudoku
  procura list heuristics sliding
  procura list presets tetris
  procura list controllers
  procura list problems problems.dat
  procura list problems boards.txt --puzzle sudoku
"""
KINDS = ("puzzles", "algorithms", "specialists", "heuristics", "presets", "controllers", "samples", "problems")
Rows = Iterable[tuple[str, str]]


@click.command("list", epilog=EPILOG)
@click.argument("what", required=False, type=click.Choice(KINDS))
@click.argument("name", required=False, metavar="[PUZZLE|ALGORITHM|FILE]")
@click.option(
    "--puzzle", metavar="PUZZLE", help=f"What the FILE of problems holds.  [default: {catalog.PROBLEM_FILES}]"
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw problems in ASCII.")
@click.option("--all", "everything", is_flag=True, help="Without arguments: the long form of all but samples.")
def command(what: str | None, name: str | None, puzzle: str | None, ascii_only: bool, everything: bool) -> int | None:
    """List what there is to solve, and to solve it with.

    Without arguments: the names of all but problems. Specialists (algorithms that solve one puzzle only), heuristics,
    presets, controllers (they play endless Tetris) and samples are those of one PUZZLE or of all, algorithms one
    ALGORITHM or all. The problems of FILE are numbered and drawn, with their targets.
    """
    if what == "problems":
        from procura.cli.problems import show_problems

        if name is None:
            raise InputError("list problems: expected a FILE")
        if name != "-" and not os.path.exists(name):
            raise InputError(f"list problems: there is no file {name!r}")
        return show_problems(choose_puzzle(puzzle or catalog.PROBLEM_FILES), name, ascii_only)
    if puzzle is not None or (name is not None and what not in (*_BY_PUZZLE, "algorithms")):
        kinds = ", ".join(_BY_PUZZLE)
        raise click.UsageError(f"{puzzle or name!r}: only {kinds} and problems are listed by puzzle")
    formatter = click.HelpFormatter(width=None, max_width=100)
    if what is None and not everything:
        _short(formatter)
        echo(formatter.getvalue().strip())
        return None
    if what in (None, "puzzles"):
        _section(formatter, "Puzzles", _puzzles())
    if what in (None, "algorithms"):
        _section(formatter, "Algorithms", _algorithms(name))
        if name is None:
            _section(formatter, "Algorithms for games of two", map(_summary, _game_algorithms().values()))
    for kind in _BY_PUZZLE if what is None else (what,):
        if kind in _BY_PUZZLE and (what is not None or kind != "samples"):
            _by_puzzle(formatter, kind, name)
    echo(formatter.getvalue().strip())
    return None


def _short(formatter: click.HelpFormatter) -> None:
    """The names of everything, and how to be told more."""
    _section(formatter, "Puzzles", [(puzzle.name, puzzle.about) for puzzle in catalog.PUZZLES.values()])
    _section(formatter, "Algorithms", [(one.name, one.about) for one in catalog.ALGORITHMS.values()])
    of_games = [(one.name, one.about) for one in _game_algorithms().values()]
    _section(formatter, "Algorithms for games of two", of_games)
    for kind, rows in _BY_PUZZLE.items():
        listed = [(name, [row for row, _ in rows(choose_puzzle(name))]) for name in catalog.PUZZLES]
        _section(formatter, kind.capitalize(), [(name, ", ".join(names)) for name, names in listed if names])
    formatter.write("\nMore of each: procura list algorithms, procura list heuristics PUZZLE, ...; all: --all\n")


def _by_puzzle(formatter: click.HelpFormatter, kind: str, name: str | None) -> None:
    """A section for the puzzle, or for each that has anything to list."""
    for puzzle in map(choose_puzzle, catalog.PUZZLES if name is None else (name,)):
        rows = list(_BY_PUZZLE[kind](puzzle))
        if not rows and name is not None:
            formatter.write(f"{puzzle.name} has none\n")
        if rows and kind == "samples":
            _samples(formatter, puzzle)
        elif rows:
            _section(formatter, f"{kind.capitalize()} of {puzzle.name}", rows)


def _section(formatter: click.HelpFormatter, title: str, rows: Rows) -> None:
    with formatter.section(title):
        formatter.write_dl(list(rows), col_max=24)


def _boards(formatter: click.HelpFormatter, title: str, rows: Rows) -> None:
    """A section of boards, whose lines are never broken."""
    listed = list(rows)
    width = max(len(name) for name, _ in listed) + 2
    with formatter.section(title):
        for name, text in listed:
            for number, line in enumerate(text.splitlines()):
                formatter.write(f"{'':{formatter.current_indent}}{'' if number else name:{width}}{line}\n")


def _puzzles() -> Rows:
    for puzzle in catalog.PUZZLES.values():
        lists = {"options": [flag(option.name) for option in puzzle.options], "samples": list(puzzle.samples())}
        yield puzzle.name, puzzle.about + "".join(f"; {what} {', '.join(of)}" for what, of in lists.items() if of)


def _algorithms(name: str | None) -> Rows:
    """What each is and guarantees, with the defaults of its options; of one that is named, all that is to say."""
    if name is None:
        yield from map(_summary, catalog.ALGORITHMS.values())
        return
    algorithm = _algorithm(name)
    yield algorithm.name, f"{algorithm.about}. Requires: {algorithm.requires}. Guarantees: {algorithm.guarantees}."
    for option in algorithm.options:
        yield f"  {_default(option)}", f"{option.about}: {option.expected()}"


def _summary(algorithm: catalog.Algorithm) -> tuple[str, str]:
    options = ", ".join(map(_default, algorithm.options))
    rest = f" Options: {options}." if options else ""
    return algorithm.name, f"{algorithm.about}. Guarantees: {algorithm.guarantees}.{rest}"


def _game_algorithms() -> dict[str, catalog.Algorithm]:
    """All that can analyse a game, those that serve one game alone included."""
    games = [puzzle.game for puzzle in catalog.PUZZLES.values() if puzzle.game is not None]
    return {name: info for game in games for name, info in catalog.game_algorithms(load(game)).items()}


def _algorithm(name: str) -> catalog.Algorithm:
    """The algorithm of that name, specialists of the catalog's puzzles and those for games included."""
    if name not in catalog.ALGORITHMS and name in _game_algorithms():
        return _game_algorithms()[name]
    for puzzle in catalog.PUZZLES.values():
        if name in puzzle.specialists:
            return catalog.algorithms(puzzle.load())[name]
    return catalog.algorithm(name)


def _specialists(puzzle: ChosenPuzzle) -> Rows:
    return [_summary(info) for name, info in catalog.algorithms(puzzle.cls).items() if name not in catalog.ALGORITHMS]


def _default(option: catalog.Option) -> str:
    value = str(option.default).lower() if isinstance(option.default, bool | None) else option.default
    return f"{option.name}={value}"


def _heuristics(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    yield "zero", "nothing is known"
    under = dict(_under_options(puzzle))
    for name, declared in _example(puzzle).heuristics.items():
        about = declared.about if isinstance(declared, Estimate) else declared
        where = [words for words, problem in under.items() if _admissible(problem, name)]
        if _admissible(_example(puzzle), name) or (where and len(where) == len(under)):
            yield name, f"{about} (admissible)"
        else:
            yield name, about + (f" (admissible with {' or '.join(where)})" if where else "")


def _example(puzzle: ChosenPuzzle) -> Problem | type[Problem]:
    """A problem of a user's class, which may make its heuristics in ``__init__``; the class if none can be made."""
    sample = next(iter(puzzle.samples().values()), None)
    if puzzle.entry is not None or (sample is None and not puzzle.needs_nothing()):
        return puzzle.cls
    return puzzle.cls(**(sample or {}))


def _under_options(puzzle: ChosenPuzzle) -> Iterator[tuple[str, Problem]]:
    """A sample of the puzzle under each value of its options that are choices, since they may change its heuristics."""
    sample = next(iter(puzzle.samples().values()), None)
    options = puzzle.entry.options if puzzle.entry is not None and sample is not None else ()
    for option in options:
        for value in option.choices:
            yield f"{flag(option.name)} {value}", puzzle.cls(**{**(sample or {}), option.name: value})


def _admissible(problem: Problem | type[Problem], name: str) -> bool:
    """Whether a problem, or its class, declares that a heuristic is."""
    if name not in problem.heuristics:
        return False
    declared = problem.heuristics[name]
    return declared.admissible if isinstance(declared, Estimate) else is_admissible(heuristic(declared), problem)


def _presets(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    for name, preset in puzzle.cls.presets.items():
        options = "".join(f" {flag(key)} {value}" for key, value in preset.options.items())
        yield name, f"{preset.about}: {preset.configuration.replace(',', ', ')}{options}"


def _samples(formatter: click.HelpFormatter, puzzle: ChosenPuzzle) -> None:
    """The samples by where they are from; one that goes by another name as well is drawn once."""
    for group, names in puzzle.sample_groups().items():
        title = f"Samples of {puzzle.name}" + (f": {group}" if group else "")
        _boards(formatter, title, [(name, _sample(puzzle, name, about)) for name, about in names.items()])


def _sample(puzzle: ChosenPuzzle, name: str, about: str) -> str:
    """What a sample shows, and its board."""
    if name in puzzle.cls.sample_aliases:
        return f"{puzzle.cls.sample_aliases[name]}: {about}"
    arguments = puzzle.sample(name)
    problem = puzzle.cls(**arguments)
    rest = [f"{flag(key)} {value}" for key, value in arguments.items() if key in problem.board_options()]
    text = problem.board_text().strip("\n")
    board = ("\n" if "\n" in text else " ").join([text, *rest])
    return f"{about}\n{board}" if about else board


_BY_PUZZLE: dict[str, Callable[[ChosenPuzzle], Rows]] = {
    "specialists": _specialists,
    "heuristics": _heuristics,
    "presets": _presets,
    "controllers": list_controllers,
    "samples": lambda puzzle: [row for group in puzzle.sample_groups().values() for row in group.items()],
}
