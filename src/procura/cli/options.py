"""Click options that several commands share: those of the puzzles, from the catalog, and those of every search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from procura import catalog
from procura.catalog import flag
from procura.cli.places import on_option
from procura.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])

_WORDS = {"int": "N", "float": "X"}
_LIMIT = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="seconds=20, nodes=1e6, memory=500MB or depth=40; per run.",
)
_SEED = click.option("--seed", type=int, help="For methods that draw random numbers; 0 if not given.")


class Brief(click.Command):
    """A command whose ``--help`` shows the options that most people need, and ``--help-all`` every one."""

    needed: tuple[str, ...] = ()

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.params.append(
            click.Option(
                ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_full_help,
                help="Show every option and exit.",
            )
        )  # fmt: skip

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [
            one
            for one in self.get_params(ctx)
            if ctx.meta.get("full help") or one.name in (*self.needed, "help_all") or one is self.get_help_option(ctx)
        ]
        with formatter.section("Options"):
            formatter.write_dl([record for one in shown if (record := one.get_help_record(ctx)) is not None])


class Moved(click.Command):
    """A command that says where options went that it had once."""

    moved: Mapping[str, str] = {}
    """What is said of each."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for name in (argument.partition("=")[0] for argument in args):
            if name in self.moved and not ctx.resilient_parsing:
                raise InputError(f"{name}: {self.moved[name]}")
        return super().parse_args(ctx, args)


def _full_help(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.meta["full help"] = True
        click.echo(context.get_help())
        context.exit()


def _sample(help: str) -> Callable[[F], F]:
    return click.option("--sample", "samples", multiple=True, metavar="NAME", help=help)


_SEARCH = (
    _LIMIT,
    click.option(
        "--engine",
        type=click.Choice(["auto", "python", "compiled"]),
        default="auto",
        show_default=True,
        help="What runs the search; auto starts interpreted, at once, and a long search is compiled.",
    ),
    _SEED,
    click.option("--json", "as_json", is_flag=True, help="One JSON object a run and nothing else."),
    _sample("A problem that ships with the puzzle, in place of BOARD; several, or all."),
)


def _one(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str:
    """The one configuration."""
    if len(given) > 1 and not context.resilient_parsing:
        name = context.info_name
        raise InputError(f"--with is given {len(given)} times: {name} takes one, procura compare takes several")
    return given[0] if given else "auto"


_CONFIGURATION = (
    click.option(
        "--with",
        "configuration",
        multiple=True,
        callback=_one,
        metavar="ALGORITHM[:HEURISTIC][,option=value...]",
        help="How to search, or a preset of the puzzle; auto is the puzzle's best.",
    ),
    click.option("--heuristic", metavar="EXPR|@FILE", help='Such as "max(misplaced, 0.9*manhattan)".'),
    click.option("-o", "options", multiple=True, metavar="OPTION=VALUE", help="An option of the algorithm."),
)


def _without_mark(context: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """A file that may be written with an @, as files are elsewhere."""
    return file and file.removeprefix("@")


_TUNING = (
    click.option("--trials", type=click.IntRange(min=1), metavar="N", help="End after N trials."),
    click.option(
        "--rounds", type=click.IntRange(min=0), metavar="N",
        help="End after N rounds.  [default: 20, if no other end is given]",
    ),
    click.option(
        "--seconds", type=click.FloatRange(min=0), metavar="N",
        help="End after N seconds of search, counted anew in each run.",
    ),
    click.option(
        "--population", type=int, metavar="N", help="Candidates of a round; each method has its own default."
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same trials."),
    click.option(
        "--start", metavar="FILE", callback=_without_mark,
        help="Begin from the best of a journal, or from saved weights.",
    ),
    click.option(
        "--journal", metavar="FILE", help="Keep every trial there; the same command goes on where it ended."
    ),
    click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Worker processes.  [default: one a core]"),
    on_option,
    click.option("--out", metavar="FILE", help="Save the weights there, with how they were found."),
    click.option("--json", "as_json", is_flag=True, help="The result as one JSON object and nothing else."),
)  # fmt: skip


def tuning_options(command: F) -> F:
    """Add what every search for weights takes but the method: its end, what is kept, how many processes."""
    return _add(command, _TUNING)


def configuration_options(command: F) -> F:
    """Add what says how to search, once: ``configuration``, ``heuristic`` and ``options``."""
    return _add(command, _CONFIGURATION)


def search_options(command: F) -> F:
    """Add what every search takes: limits, engine, seed, JSON, samples."""
    return _add(command, _SEARCH)


def followed_options(command: F) -> F:
    """Add what a search takes that is followed step by step, interpreted: limits, seed, samples."""
    return _add(command, (_LIMIT, _SEED, _sample("A problem that ships with the puzzle, in place of BOARD.")))


def puzzle_options(command: F) -> F:
    """Add the options of all puzzles; the values are text, which the chosen puzzle reads."""
    return _add(command, _of_catalog(lambda puzzle: puzzle.options))


def generator_options(command: F) -> F:
    """Add the options of all generators; the values are text, which the chosen puzzle reads."""
    return _add(command, _of_catalog(lambda puzzle: puzzle.generator))


def random_options(command: F) -> F:
    """Add the options of all generators and of all puzzles; what is the default is for the command to say."""

    def both(puzzle: catalog.Puzzle) -> Iterable[catalog.Option]:
        return {option.name: option for option in (*puzzle.options, *puzzle.generator)}.values()

    return _add(command, _of_catalog(both, defaults=False))


def _of_catalog(
    options: Callable[[catalog.Puzzle], Iterable[catalog.Option]], defaults: bool = True
) -> list[Callable[[F], F]]:
    """One click option a name; puzzles that share a name stand in its help one after the other."""
    found: dict[str, list[tuple[str, catalog.Option]]] = {}
    for puzzle in catalog.PUZZLES.values():
        for option in options(puzzle):
            found.setdefault(option.name, []).append((puzzle.name, option))
    return [_option(name, owners, defaults) for name, owners in found.items()]


def _option(name: str, owners: list[tuple[str, catalog.Option]], defaults: bool) -> Callable[[F], F]:
    told = (
        "; ".join(f"{puzzle}: {option.about}{_default(option) if defaults else ''}" for puzzle, option in owners) + "."
    )
    if all(option.kind == "bool" for _, option in owners):
        pair = f"{flag(name)}/{flag('no_' + name)}"
        return click.option(pair, name, default=None, callback=_written, help=told)
    return click.option(flag(name), name, metavar=_metavar([option for _, option in owners]), help=told)


def _written(context: click.Context, parameter: click.Parameter, value: bool | None) -> str | None:
    """A truth value as the puzzles read it."""
    return None if value is None else str(value).lower()


def _default(option: catalog.Option) -> str:
    if option.default is None:
        return ""
    shown = {True: "on", False: "off"}[option.default] if option.kind == "bool" else option.default
    return f" ({shown} by default)"


def _metavar(options: list[catalog.Option]) -> str:
    words = {_WORDS.get(option.kind) or "|".join(option.choices) or option.name.upper() for option in options}
    return words.pop() if len(words) == 1 else "VALUE"


def _add(command: F, options: Iterable[Callable[[F], F]]) -> F:
    for option in reversed(list(options)):
        command = option(command)
    return command
