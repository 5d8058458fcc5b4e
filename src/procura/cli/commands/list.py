"""``procura list``: what there is to solve, and to solve it with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

import click

from procura import catalog
from procura.catalog import flag
from procura.errors import InputError
from procura.heuristics import heuristic, is_admissible
from procura.problem import Estimate, Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle

EPILOG = """\b
Examples:
  procura list algorithms
  procura list algorithms beam
  procura list heuristics sliding
  procura list presets tetris
  procura list controllers
  procura list problems problems.dat
  procura list problems boards.txt --puzzle sudoku
"""
_IN_BOARDS = ("board", "pieces", "boxes")  # what the text of a board says itself
KINDS = ("puzzles", "algorithms", "heuristics", "presets", "controllers", "samples", "problems")
Rows = Iterable[tuple[str, str]]


@click.command("list", epilog=EPILOG)
@click.argument("what", required=False, type=click.Choice(KINDS))
@click.argument("name", required=False, metavar="[PUZZLE|ALGORITHM|FILE]")
@click.option("--puzzle", metavar="PUZZLE", help="What the FILE of problems holds.  [default: dots]")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw problems in ASCII.")
def command(what: str | None, name: str | None, puzzle: str | None, ascii_only: bool) -> int | None:
    """List what there is to solve, and to solve it with.

    Without arguments: all but samples. Heuristics, presets, controllers (they play endless Tetris) and samples are
    those of one PUZZLE or of all, algorithms one ALGORITHM or all. The problems of FILE are numbered and drawn, with
    their targets.
    """
    if what == "problems":
        from procura.cli.problems import show_problems

        if name is None:
            raise InputError("list problems: expected a FILE")
        if name != "-" and not os.path.exists(name):
            raise InputError(f"list problems: there is no file {name!r}")
        return show_problems(choose_puzzle(puzzle or "dots"), name, ascii_only)
    if puzzle is not None or (name is not None and what not in (*_BY_PUZZLE, "algorithms")):
        kinds = ", ".join(_BY_PUZZLE)
        raise click.UsageError(f"{puzzle or name!r}: only {kinds} and problems are listed by puzzle")
    formatter = click.HelpFormatter(width=None, max_width=100)
    if what in (None, "puzzles"):
        _section(formatter, "Puzzles", _puzzles())
    if what in (None, "algorithms"):
        _section(formatter, "Algorithms", _algorithms(name))
    for kind in _BY_PUZZLE if what is None else (what,):
        if kind in _BY_PUZZLE and (what is not None or kind != "samples"):
            _by_puzzle(formatter, kind, name)
    click.echo(formatter.getvalue().strip())
    return None


def _by_puzzle(formatter: click.HelpFormatter, kind: str, name: str | None) -> None:
    """A section for the puzzle, or for each that has anything to list."""
    for puzzle in map(choose_puzzle, catalog.PUZZLES if name is None else (name,)):
        rows = list(_BY_PUZZLE[kind](puzzle))
        if not rows and name is not None:
            formatter.write(f"{puzzle.name} has none\n")
        if rows:
            show = _boards if kind == "samples" else _section
            show(formatter, f"{kind.capitalize()} of {puzzle.name}", rows)


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
        for algorithm in catalog.ALGORITHMS.values():
            options = ", ".join(map(_default, algorithm.options))
            rest = f" Options: {options}." if options else ""
            yield algorithm.name, f"{algorithm.about}. Guarantees: {algorithm.guarantees}.{rest}"
        return
    algorithm = catalog.algorithm(name)
    yield algorithm.name, f"{algorithm.about}. Requires: {algorithm.requires}. Guarantees: {algorithm.guarantees}."
    for option in algorithm.options:
        yield f"  {_default(option)}", f"{option.about}: {option.expected()}"


def _default(option: catalog.Option) -> str:
    value = str(option.default).lower() if isinstance(option.default, bool | None) else option.default
    return f"{option.name}={value}"


def _heuristics(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    yield "zero", "nothing is known"
    under = dict(_under_options(puzzle))
    for name, declared in puzzle.cls.heuristics.items():
        about = declared.about if isinstance(declared, Estimate) else declared
        where = [words for words, problem in under.items() if _admissible(problem, name)]
        if _admissible(puzzle.cls, name) or (where and len(where) == len(under)):
            yield name, f"{about} (admissible)"
        else:
            yield name, about + (f" (admissible with {' or '.join(where)})" if where else "")


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


def _samples(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    for name, arguments in puzzle.samples().items():
        problem = puzzle.cls(**arguments)
        rest = [f"{flag(key)} {value}" for key, value in arguments.items() if key not in _IN_BOARDS]
        text = problem.board_text().strip("\n")
        yield name, ("\n" if "\n" in text else " ").join([text, *rest])


def _controllers(puzzle: ChosenPuzzle) -> Iterator[tuple[str, str]]:
    if puzzle.name != "tetris":
        return
    from procura.puzzles.tetris.endless.controllers import controllers

    for controller in controllers():
        weights = ", ".join(f"{feature} {weight:.4g}" for feature, weight in controller.weights.items())
        yield controller.name, f"{controller.about}: {weights}"


_BY_PUZZLE: dict[str, Callable[[ChosenPuzzle], Rows]] = {
    "heuristics": _heuristics,
    "presets": _presets,
    "controllers": _controllers,
    "samples": _samples,
}
