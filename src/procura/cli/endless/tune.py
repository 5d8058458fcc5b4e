"""``procura endless tune``: a controller, tuned by its games."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procura import __version__
from procura.cli.files import Output
from procura.cli.harmless import echo
from procura.cli.interrupt import noted_interrupts
from procura.cli.places import check_place, runner_of
from procura.cli.status import FOUND
from procura.cli.tuning import METHOD, Search, nothing_found
from procura.errors import InputError
from procura.words import counted

if TYPE_CHECKING:
    from procura.puzzles.tetris.endless.controllers import Controller


@dataclass(frozen=True, kw_only=True)
class Request(Search):
    """The options of the command."""

    size: str
    features: str
    games: int


def tune(request: Request) -> int:
    """Tune a controller; the exit status."""
    from procura.cli.convergence import followed
    from procura.puzzles.tetris.endless.controllers import controller_text
    from procura.puzzles.tetris.endless.table import read_rows
    from procura.tune.endless import read_features, tune_controller
    from procura.tune.methods import load_optuna
    from procura.tune.tuning import NothingFound

    load_optuna()
    check_place(request.on)
    rows = read_rows(request.size)
    request.check_files()
    start = None if request.start is None else _start_controller(request.start)
    name = "tuned" if request.out is None else Path(request.out).stem
    features = read_features(request.features)
    with noted_interrupts() as interrupt:
        try:
            with followed("lines") as follower:
                made = tune_controller(
                    features, rows, request.method or METHOD, budget=request.budget(), games=request.games,
                    population=request.population, seed=request.seed, journal=request.journal, jobs=request.workers(),
                    runner=runner_of(request.on, request.jobs, True, False),
                    start=start, cancel=interrupt, follower=follower, name=name,
                )  # fmt: skip
        except NothingFound as nothing:
            return nothing_found(nothing, interrupt)
    output = Output(request.out or "", "--out")
    if request.out is not None:
        output.write_whole(controller_text(made))
    kept = request if output.failure is None else replace(request, out=None)
    echo(json.dumps(_record(made)) if request.as_json else words(made, kept.journal, kept.out))
    output.raise_failure()
    return FOUND


def _start_controller(text: str) -> Controller:
    """A controller by name or file, or the best of a journal."""
    from procura.cli.endless import controller_names
    from procura.puzzles.tetris.endless.controllers import read_controller
    from procura.tune.endless import controller
    from procura.tune.files import is_journal
    from procura.tune.journal import best_weights, read_journal

    if text in controller_names():
        return read_controller(text)
    if not is_journal(text):
        return _saved_controller(text)
    settings, trials = read_journal(text)
    again = [trial for trial in trials if ".again." in trial.slot]
    best = best_weights(again or trials, True, 1)
    if settings.get("objective") != "endless" or not best:
        raise InputError(f"--start {text!r}: expected a journal of endless play with a finished trial")
    return controller("start", settings["names"], best[0])


def _saved_controller(path: str) -> Controller:
    """The controller of a file; a heuristic's weights are named as such."""
    from procura.heuristics import heuristic
    from procura.puzzles.tetris.endless.controllers import read_controller

    try:
        return read_controller(f"@{path}")
    except InputError as error:
        told = f"--start {path!r}: {error}"
    try:
        heuristic(f"@{path}")
    except InputError:
        raise InputError(told) from None
    raise InputError(f"--start {path!r}: the weights of a heuristic: expected a controller, or procura tune")


def _record(made: Controller) -> dict[str, Any]:
    return {
        "schema": 1, "version": __version__, "puzzle": "tetris", "endless": True, "name": made.name,
        "weights": dict(made.weights), "found": dict(made.found),
    }  # fmt: skip


def words(made: Controller, journal: str | None, out: str | None) -> str:
    """What was found, for people."""
    lines = [f"{made.about}, {counted(made.found['generations'], 'generation')}"]
    lines += [f"  {name:20} {weight: .6f}" for name, weight in made.weights.items()]
    if "mean_lines" in made.found:
        lines.append(
            f"mean lines {made.found['mean_lines']:,} (standard error {made.found['standard_error']:,}) in "
            f"{counted(made.found['games_of_the_mean'], 'game')} that chose nothing"
        )
    if made.found.get("interrupted"):
        judged = "" if "mean_lines" in made.found else ", so the controller was not judged by final games"
        lines.append(f"interrupted{judged}" + (": start it again on its --journal to go on" if journal else ""))
    if out is not None:
        lines.append(f"controller in {out}; let it play by: procura endless compare @{out} dt10")
    return "\n".join(lines)
