"""What ``procura tune`` was asked for: the search, the weights, the boards, the end."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from procura import catalog
from procura.catalog import flag
from procura.cli.files import check_writable, write_whole
from procura.cli.interrupt import Interrupt
from procura.cli.status import FOUND, INTERRUPTED, NOT_FOUND, say
from procura.errors import InputError, unknown
from procura.problem import Problem
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle

if TYPE_CHECKING:
    from procura.tune.boards import Board, BoardObjective
    from procura.tune.defaults import Default
    from procura.tune.tuning import Budget

METHOD = "cmaes"
TRAIN, VALIDATE, ROUNDS = 60, 50, 20
STARTED_FROM = 5
"""Trials of an earlier journal that a run begins from."""
SPACES = ("box", "shares")
ENDLESS_ONLY = ("features", "games")


@dataclass(frozen=True)
class Wish:
    """The options of the command, and those of the puzzle and its generator."""

    method: str | None
    preset: str | None
    configuration: str | None
    heuristic: str | None
    objective: str | None
    space: str | None
    boards: tuple[str, ...]
    validate_boards: tuple[str, ...]
    train: int | None
    validate: int | None
    boards_seed: int
    trials: int | None
    rounds: int | None
    seconds: float | None
    population: int | None
    seed: int
    against: str | None
    start: str | None
    journal: str | None
    jobs: int | None
    out: str | None
    no_early_stop: bool
    limits: tuple[str, ...]
    engine: str
    as_json: bool
    endless: bool
    features: str | None
    games: int | None
    puzzle: Mapping[str, str | None]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Wish:
        """The wish in what click gives."""
        own = [one.name for one in fields(cls) if one.name != "puzzle"]
        rest = {name: value for name, value in given.items() if name not in own}
        start = given["start"] and given["start"].removeprefix("@")  # as files are written elsewhere
        return cls(**{name: given[name] for name in own} | {"start": start}, puzzle=rest)

    def refuse(self, names: Sequence[str], why: str) -> None:
        """Refuse options that mean nothing here."""
        written = {"configuration": "--with", "limits": "--limit"}
        context = click.get_current_context()
        for name in names:
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise InputError(f"{written.get(name, flag(name))}: {why}")

    def check_files(self) -> None:
        """Refuse to write over what the run reads."""
        inputs = [("--boards", file) for file in self.boards]
        inputs += [("--validate-boards", file) for file in self.validate_boards]
        inputs += [("--start", (self.start or "").removeprefix("@"))]
        search = (self.configuration or "").partition(":")[2].partition(",")[0]
        for option, text in (("--heuristic", self.heuristic), ("--against", self.against), ("--with", search)):
            if text and text.startswith("@"):
                inputs.append((option, text[1:]))
        inputs = [(option, file) for option, file in inputs if file and os.path.exists(file)]
        for written, path in (("--out", self.out), ("--journal", self.journal)):
            for option, file in inputs:
                if path is not None and _is_same(path, file):
                    raise InputError(f"{written} {path!r}: {option} reads that file: expected another")
        if self.out is not None and self.journal is not None and _is_same(self.out, self.journal):
            raise InputError(f"--out {self.out!r}: it is the --journal: expected another file")

    def budget(self) -> Budget:
        """When the search is over."""
        from procura.tune.tuning import Budget

        rounds = self.rounds
        if rounds is None and self.trials is None and self.seconds is None:
            rounds = ROUNDS
        return Budget(self.trials, rounds, self.seconds)

    def workers(self) -> int:
        """How many worker processes."""
        from procura.portfolio import cores

        return self.jobs or cores()


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not exist yet; devices may be named twice."""
    if os.path.exists(one) and not os.path.isfile(one):
        return False
    both = os.path.exists(one) and os.path.exists(other)
    return os.path.realpath(one) == os.path.realpath(other) or (both and os.path.samefile(one, other))


def tune_boards(chosen: ChosenPuzzle, named: str, wish: Wish, interrupt: Interrupt) -> int:
    """Tune a heuristic on boards; the exit status."""
    from procura.cli.convergence import followed
    from procura.cli.tuned import how, record, show
    from procura.tune.files import named_weights, read_start, weights_text
    from procura.tune.methods import load_optuna
    from procura.tune.tuning import NothingFound, tune

    wish.refuse(ENDLESS_ONLY, "only --endless takes it")
    load_optuna()
    wish.check_files()
    if wish.out is not None:
        check_writable(wish.out, "--out")
    objective, own, problem = _objective(chosen, named, wish)
    names = objective.space.names
    against = own if wish.against is None else named_weights("--against", wish.against, names, problem.heuristics)
    start = []
    if wish.start is not None:
        start = read_start(wish.start, names, problem.heuristics, STARTED_FROM)
    method = _method(wish)
    try:
        with followed(objective.scoring_name) as follower:
            tuned = tune(
                objective, method, budget=wish.budget(), seed=wish.seed, population=wish.population,
                preset=wish.preset, start=start, against=against, early_stop=not wish.no_early_stop,
                journal=wish.journal, jobs=wish.workers(), cancel=interrupt, follower=follower,
            )  # fmt: skip
    except NothingFound as nothing:
        return nothing_found(nothing, interrupt)
    if wish.out is not None:
        found = how(objective, tuned, wish.seed, wish.preset, method, wish.out)
        write_whole(wish.out, weights_text(tuned.best.weights, found))
    if wish.as_json:
        click.echo(json.dumps(record(objective, tuned, wish.seed, wish.preset, method)))
    else:
        show(objective, tuned, wish.seed, method, wish.journal, wish.out)
    return FOUND


def _method(wish: Wish) -> str:
    """The method; that it is not genetic is told with how to say so."""
    from procura.tune.genetic import PRESETS

    if wish.preset in PRESETS and wish.method is None:
        why = f"only the method genetic has presets, and the method is {METHOD} unless --method says otherwise"
        raise InputError(f"--preset {wish.preset!r}: {why}")
    return wish.method or METHOD


def nothing_found(nothing: Exception, interrupt: Interrupt) -> int:
    """Say that there is nothing; the exit status."""
    say(str(nothing) if not interrupt.noted else "interrupted before a single trial was finished")
    return INTERRUPTED if interrupt.noted else NOT_FOUND


def _objective(chosen: ChosenPuzzle, named: str, wish: Wish) -> tuple[BoardObjective, tuple[float, ...], Problem]:
    """What is tuned, the weights that its sum has, and one of the problems."""
    from procura.tune.boards import BoardObjective
    from procura.tune.defaults import DEFAULTS, GENERIC
    from procura.tune.files import given_sum
    from procura.tune.scoring import SCORINGS
    from procura.tune.spaces import Space

    default = DEFAULTS.get(chosen.name, GENERIC) if chosen.entry is not None else GENERIC
    configuration, heuristic, fixed = _search(chosen, wish, default)
    scoring = wish.objective or default.scoring
    if scoring not in SCORINGS:
        raise unknown("there is no objective", scoring, SCORINGS)
    train, validate = _boards(chosen, wish, default, fixed)
    problem = chosen.cls.from_text(train[0].text, **train[0].options)
    if scoring == "points" and problem.points(problem.initial) is None:
        raise InputError(f"--objective points: {chosen.name} counts none")
    own = given_sum("--heuristic", heuristic, problem.heuristics)
    kind = wish.space or default.space
    if kind not in SPACES:
        raise unknown("there is no space", kind, SPACES)
    space = Space(kind, tuple(own))
    limits = read_limits(wish.limits) if wish.limits else default.limits
    path = named.rpartition(":")[0]
    code = None if chosen.entry else hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    puzzle = chosen.name if chosen.entry else os.path.abspath(path) + named[len(path) :]
    made = BoardObjective(
        puzzle, configuration, space, tuple(train), tuple(validate), scoring, limits, wish.engine, code
    )
    _try(made, problem, heuristic)
    return made, tuple(own.values()), problem


def _try(objective: BoardObjective, problem: Problem, heuristic: str) -> None:
    """Refuse at once what no board can be searched with."""
    from procura.solving import plan

    plan(problem, objective.configuration, heuristic, objective.engine, None, {})


def _search(chosen: ChosenPuzzle, wish: Wish, default: Default) -> tuple[str, str, dict[str, Any]]:
    """The search without its heuristic, the heuristic, and options of the puzzle that belong to the search."""
    fixed = dict(default.options)
    text, heuristic = default.configuration, default.heuristic
    if wish.configuration is not None:
        name, own, given = catalog.parse_configuration(wish.configuration)
        preset = chosen.cls.presets.get(name)
        if preset is not None:
            if own is not None:
                raise InputError(f"--with {wish.configuration!r}: {name} names a heuristic already")
            fixed |= preset.options
            name, own, options = catalog.parse_configuration(preset.configuration)
            given = {**options, **given}
        text = ",".join([name, *(f"{key}={value}" for key, value in given.items())])
        heuristic = own or heuristic
        if own is not None and wish.heuristic is not None:
            raise InputError(f"--heuristic {wish.heuristic!r}: --with {wish.configuration!r} names one already")
    heuristic = wish.heuristic or heuristic
    if heuristic is None:
        raise InputError(f"{chosen.name}: expected a weighted sum to tune, such as --with 'astar:0.5*a + 0.5*b'")
    return text, heuristic, fixed


def _boards(
    chosen: ChosenPuzzle, wish: Wish, default: Default, fixed: Mapping[str, Any]
) -> tuple[list[Board], list[Board]]:
    """Training and validation boards."""
    from procura.cli.boards import read_source, tasks_of
    from procura.tune.supply import divided, given_boards, own_text, random_boards

    own = {name: value for name, value in wish.puzzle.items() if name in chosen.options}
    options = {**fixed, **chosen.read_options(own)}
    if not wish.boards:
        if wish.validate_boards:
            raise InputError("--validate-boards: expected --boards too")
        if not chosen.defines("generate"):
            raise InputError(f"{chosen.name} makes no random boards: expected --boards FILE, or a class with generate")
        known = [option.name for option in chosen.entry.generator] if chosen.entry else list(wish.puzzle)
        given = {name: value for name, value in wish.puzzle.items() if name in known or name not in own}
        made = {**default.generator, **chosen.read_generator_options(given)}
        carried = {name: value for name, value in options.items() if name not in made}
        train = TRAIN if wish.train is None else wish.train
        validate = VALIDATE if wish.validate is None else wish.validate
        return random_boards(chosen, made, default.types, carried, wish.boards_seed, train, validate)
    for name, value in wish.puzzle.items():
        if value is not None and name not in own:
            raise InputError(f"{flag(name)}: it is for random boards, and --boards are given")

    def read(files: Sequence[str]) -> list[Board]:
        kept = {name: value for name, value in options.items() if name != "problem"}
        texts = []
        for file in files:
            source = read_source(file)
            if not source.text.strip():
                raise InputError(f"{file}: it is empty: expected boards")
            problems = [task.problem() for task in tasks_of(chosen, source, options)]
            texts += [own_text(chosen, problem, source.text, kept) for problem in problems]
        return given_boards(texts, kept)

    boards = read(wish.boards)
    if not wish.validate_boards:
        return divided(boards, wish.train, wish.validate, wish.boards_seed)
    if wish.train is not None or wish.validate is not None:
        raise InputError("--train and --validate: --boards and --validate-boards are taken whole")
    others = read(wish.validate_boards)
    for board in others:
        if board in boards:
            shown = board.text.replace("\n", " / ")
            raise InputError(f"--validate-boards {' '.join(wish.validate_boards)!r}: {shown!r} is in --boards too")
    return boards, others
