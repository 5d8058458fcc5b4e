"""``procura list``: what there is to solve, and to solve it with."""

from __future__ import annotations

from collections.abc import Iterable

import click

from procura import catalog
from procura.cli.puzzles import choose_puzzle
from procura.problem import Estimate

EPILOG = """\b
Examples:
  procura list algorithms
  procura list heuristics sliding
"""
Rows = Iterable[tuple[str, str]]


@click.command("list", epilog=EPILOG)
@click.argument("what", required=False, type=click.Choice(["puzzles", "algorithms", "heuristics"]))
@click.argument("puzzle", required=False)
def command(what: str | None, puzzle: str | None) -> None:
    """List the puzzles, algorithms and heuristics, or one kind of them; heuristics of one PUZZLE or of all."""
    if puzzle is not None and what != "heuristics":
        raise click.UsageError(f"{puzzle!r}: only heuristics are listed by puzzle")
    formatter = click.HelpFormatter(width=None, max_width=100)
    if what in (None, "puzzles"):
        _section(formatter, "Puzzles", _puzzles())
    if what in (None, "algorithms"):
        _section(formatter, "Algorithms", _algorithms())
    if what in (None, "heuristics"):
        for name in catalog.PUZZLES if puzzle is None else (puzzle,):
            _section(formatter, f"Heuristics of {name}", _heuristics(name))
    click.echo(formatter.getvalue().strip())


def _section(formatter: click.HelpFormatter, title: str, rows: Rows) -> None:
    with formatter.section(title):
        formatter.write_dl(list(rows), col_max=24)


def _puzzles() -> Rows:
    for puzzle in catalog.PUZZLES.values():
        options = f"; options {', '.join('--' + option.name for option in puzzle.options)}"
        names = puzzle.samples()
        samples = f"; samples {', '.join(names)}" if names else ""
        yield puzzle.name, puzzle.about + options + samples


def _algorithms() -> Rows:
    for algorithm in catalog.ALGORITHMS.values():
        yield algorithm.name, f"{algorithm.about}. Requires: {algorithm.requires}. Guarantees: {algorithm.guarantees}"
        for option in algorithm.options:
            default = str(option.default).lower() if isinstance(option.default, bool | None) else option.default
            yield f"  {option.name}={default}", f"{option.about}: {option.expected()}"


def _heuristics(puzzle: str) -> Rows:
    yield "zero", "nothing is known"
    for name, declared in choose_puzzle(puzzle).cls.heuristics.items():
        if isinstance(declared, Estimate):
            yield name, declared.about + (" (admissible)" if declared.admissible else "")
        else:
            yield name, declared
