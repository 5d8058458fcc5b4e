"""What ``procura tune`` was asked for: the search, the weights, the boards, the end."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from procura.catalog import flag
from procura.cli.files import Output, check_writable
from procura.cli.interrupt import Interrupt
from procura.cli.places import check_place, runner_of
from procura.cli.status import FOUND, INTERRUPTED, NOT_FOUND, say
from procura.configuration import Configuration, split
from procura.errors import InputError, unknown
from procura.problem import Problem, Tuning
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle
from procura.result import Limits
from procura.runners.code import own_code

if TYPE_CHECKING:
    from procura.tune.boards import Board, BoardObjective
    from procura.tune.tuning import Budget

METHOD = "cmaes"
TRAIN, VALIDATE, ROUNDS = 60, 50, 20
STARTED_FROM = 5
"""Trials of an earlier journal that a run begins from."""
SPACES = ("box", "shares")


@dataclass(frozen=True, kw_only=True)
class Search:
    """What every search for weights takes: how it is made, when it ends, and what is kept of it."""

    method: str | None
    trials: int | None
    rounds: int | None
    seconds: float | None
    population: int | None
    seed: int
    start: str | None
    journal: str | None
    jobs: int | None
    on: str
    out: str | None
    as_json: bool

    def inputs(self) -> list[tuple[str, str | None]]:
        """The options that name files to be read, and the files."""
        return [("--start", self.start)]

    def check_files(self) -> None:
        """Refuse to write over what the run reads, or where nothing can be written."""
        inputs = [(option, file) for option, file in self.inputs() if file and os.path.exists(file)]
        for written, path in (("--out", self.out), ("--journal", self.journal)):
            for option, file in inputs:
                if path is not None and _is_same(path, file):
                    raise InputError(f"{written} {path!r}: {option} reads that file: expected another")
        if self.out is not None and self.journal is not None and _is_same(self.out, self.journal):
            raise InputError(f"--out {self.out!r}: it is the --journal: expected another file")
        if self.out is not None:
            check_writable(self.out, "--out")

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


@dataclass(frozen=True, kw_only=True)
class Request(Search):
    """The options of the command, and those of the puzzle and its generator."""

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
    against: str | None
    no_early_stop: bool
    limits: tuple[str, ...]
    engine: str
    allow_code: bool
    puzzle: Mapping[str, str | None]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Request:
        """The request in what click gives."""
        own = [one.name for one in fields(cls) if one.name != "puzzle"]
        rest = {name: value for name, value in given.items() if name not in own}
        return cls(**{name: given[name] for name in own}, puzzle=rest)

    def inputs(self) -> list[tuple[str, str | None]]:
        inputs = [("--boards", file) for file in self.boards]
        inputs += [("--validate-boards", file) for file in self.validate_boards]
        search = split(self.configuration)[1] if self.configuration is not None else None
        for option, text in (("--heuristic", self.heuristic), ("--against", self.against), ("--with", search)):
            if text and text.startswith("@"):
                inputs.append((option, text[1:]))
        return [*inputs, *super().inputs()]


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not exist yet; devices may be named twice."""
    if os.path.exists(one) and not os.path.isfile(one):
        return False
    both = os.path.exists(one) and os.path.exists(other)
    return os.path.realpath(one) == os.path.realpath(other) or (both and os.path.samefile(one, other))


def tune_boards(chosen: ChosenPuzzle, named: str, request: Request, interrupt: Interrupt) -> int:
    """Tune a heuristic on boards; the exit status."""
    from procura.cli.convergence import followed
    from procura.cli.tuned import how, record, show
    from procura.tune.files import named_weights, read_start, weights_text
    from procura.tune.methods import load_optuna
    from procura.tune.tuning import NothingFound, tune

    load_optuna()
    check_place(request.on)
    request.check_files()
    objective, own, problem = _objective(chosen, named, request)
    names = objective.space.names
    against = own if request.against is None else named_weights("--against", request.against, names, problem.heuristics)
    start = []
    if request.start is not None:
        start = read_start(request.start, names, problem.heuristics, STARTED_FROM)
    method = _method(request)
    try:
        with followed(objective.scoring_name) as follower:
            tuned = tune(
                objective, method, budget=request.budget(), seed=request.seed, population=request.population,
                preset=request.preset, start=start, against=against, early_stop=not request.no_early_stop,
                journal=request.journal, jobs=request.workers(),
                runner=runner_of(request.on, request.jobs, objective.compiled, request.allow_code), cancel=interrupt,
                follower=follower,
            )  # fmt: skip
    except NothingFound as nothing:
        return nothing_found(nothing, interrupt)
    output = Output(request.out or "", "--out")
    if request.out is not None:
        found = how(objective, tuned, request.seed, request.preset, method, request.out)
        output.write_whole(weights_text(tuned.best.weights, found))
    if request.as_json:
        click.echo(json.dumps(record(objective, tuned, request.seed, request.preset, method)))
    else:
        show(objective, tuned, request.seed, method, request.journal, request.out if output.failure is None else None)
    output.raise_failure()
    return FOUND


def _method(request: Request) -> str:
    """The method; that it is not genetic is told with how to say so."""
    from procura.tune.genetic import PRESETS

    if request.preset in PRESETS and request.method is None:
        why = f"only the method genetic has presets, and the method is {METHOD} unless --method says otherwise"
        raise InputError(f"--preset {request.preset!r}: {why}")
    return request.method or METHOD


def nothing_found(nothing: Exception, interrupt: Interrupt) -> int:
    """Say that there is nothing; the exit status."""
    say(str(nothing) if not interrupt.noted else "interrupted before a single trial was finished")
    return INTERRUPTED if interrupt.noted else NOT_FOUND


def _objective(chosen: ChosenPuzzle, named: str, request: Request) -> tuple[BoardObjective, tuple[float, ...], Problem]:
    """What is tuned, the weights that its sum has, and one of the problems."""
    from procura.solving import plan
    from procura.tune.boards import BoardObjective
    from procura.tune.files import sum_of_option
    from procura.tune.scoring import SCORINGS
    from procura.tune.spaces import Space

    default = chosen.cls.tuning
    configuration, heuristic, fixed = _search(chosen, request, default)
    scoring = request.objective or default.scoring
    if scoring not in SCORINGS:
        raise unknown("there is no objective", scoring, SCORINGS)
    train, validate = _boards(chosen, request, default, fixed)
    problem = chosen.cls.from_text(train[0].text, **train[0].options)
    if scoring == "points" and problem.points(problem.initial) is None:
        raise InputError(f"--objective points: {chosen.name} counts none")
    own = sum_of_option("--heuristic", heuristic, problem.heuristics)
    kind = request.space or default.space
    if kind not in SPACES:
        raise unknown("there is no space", kind, SPACES)
    space = Space(kind, tuple(own))
    limits = read_limits(request.limits) if request.limits else Limits(nodes=default.nodes)
    path = named.rpartition(":")[0]
    code = None if chosen.entry else own_code(Path(path))
    puzzle = chosen.name if chosen.entry else os.path.abspath(path) + named[len(path) :]
    made = BoardObjective(
        puzzle, configuration, space, tuple(train), tuple(validate), scoring, limits, request.engine, code
    )
    plan(
        problem, configuration.merged(heuristic), request.engine
    )  # what no board can be searched with is refused at once
    return made, tuple(own.values()), problem


def _search(chosen: ChosenPuzzle, request: Request, default: Tuning) -> tuple[Configuration, str, dict[str, Any]]:
    """The search without its heuristic, the heuristic, and options of the puzzle that belong to the search."""
    asked = Configuration.parse(request.configuration or default.configuration)
    preset, search = asked.preset(chosen.cls), asked.resolve(chosen.cls)
    fixed = {**default.options, **(preset.options if preset is not None else {})}
    if search.heuristic is not None and request.heuristic is not None:
        raise InputError(f"--heuristic {request.heuristic!r}: --with {request.configuration!r} names one already")
    heuristic = request.heuristic or (search.heuristic.text if search.heuristic is not None else default.heuristic)
    if heuristic is None:
        raise InputError(f"{chosen.name}: expected a weighted sum to tune, such as --with 'astar:0.5*a + 0.5*b'")
    return replace(search, heuristic=None), heuristic, fixed


def _boards(
    chosen: ChosenPuzzle, request: Request, default: Tuning, fixed: Mapping[str, Any]
) -> tuple[list[Board], list[Board]]:
    """Training and validation boards."""
    from procura.cli.boards import read_source
    from procura.reading.boards import tasks_of
    from procura.tune.supply import boards_of_texts, divided, own_text, random_boards

    own = {name: value for name, value in request.puzzle.items() if name in chosen.options}
    options = {**fixed, **chosen.read_options(own)}
    if not request.boards:
        if request.validate_boards:
            raise InputError("--validate-boards: expected --boards too")
        if not chosen.defines("generate"):
            raise InputError(f"{chosen.name} makes no random boards: expected --boards FILE, or a class with generate")
        known = [option.name for option in chosen.entry.generator] if chosen.entry else list(request.puzzle)
        given = {name: value for name, value in request.puzzle.items() if name in known or name not in own}
        made = {**default.generator, **chosen.read_generator_options(given)}
        carried = {name: value for name, value in options.items() if name not in made}
        train = TRAIN if request.train is None else request.train
        validate = VALIDATE if request.validate is None else request.validate
        return random_boards(chosen, made, default.types, carried, request.boards_seed, train, validate)
    for name, value in request.puzzle.items():
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
        return boards_of_texts(texts, kept)

    boards = read(request.boards)
    if not request.validate_boards:
        return divided(boards, request.train, request.validate, request.boards_seed)
    if request.train is not None or request.validate is not None:
        raise InputError("--train and --validate: --boards and --validate-boards are taken whole")
    others = read(request.validate_boards)
    for board in others:
        if board in boards:
            shown = board.text.replace("\n", " / ")
            raise InputError(f"--validate-boards {' '.join(request.validate_boards)!r}: {shown!r} is in --boards too")
    return boards, others
