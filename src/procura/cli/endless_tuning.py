"""``procura tune tetris --endless``: a controller, tuned by its games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from procura import __version__
from procura.catalog import flag
from procura.cli.files import check_writable, write_whole
from procura.cli.interrupt import Interrupt
from procura.cli.status import FOUND
from procura.cli.tuning import METHOD, Wish, nothing_found
from procura.cli.words import counted
from procura.errors import InputError
from procura.reading.puzzles import ChosenPuzzle

if TYPE_CHECKING:
    from procura.puzzles.tetris.endless.controllers import Controller

BOARDS_ONLY = (
    "preset", "configuration", "heuristic", "objective", "space", "boards", "validate_boards", "train", "validate",
    "boards_seed", "against", "limits", "no_early_stop", "engine",
)  # fmt: skip


def tune_endless(chosen: ChosenPuzzle, named: str, wish: Wish, interrupt: Interrupt) -> int:
    """Tune a controller of endless play; the exit status."""
    from procura.cli.convergence import followed
    from procura.puzzles.tetris.endless.controllers import controller_text
    from procura.tune.endless import read_features, tune_controller
    from procura.tune.methods import load_optuna
    from procura.tune.tuning import NothingFound

    if chosen.name != "tetris":
        raise InputError(f"--endless: only tetris is played without end, not {chosen.name}")
    wish.refuse(BOARDS_ONLY, "--endless does not take it")
    for name, value in wish.puzzle.items():
        if value is not None and name != "rows":
            raise InputError(f"{flag(name)}: --endless does not take it")
    load_optuna()
    wish.check_files()
    if wish.out is not None:
        check_writable(wish.out, "--out")
    rows = chosen.read_options({"rows": wish.puzzle.get("rows")}).get("rows", 10)
    start = None if wish.start is None else _start_controller(wish.start)
    name = "tuned" if wish.out is None else Path(wish.out).stem
    features = read_features(wish.features or "8")
    try:
        with followed("lines") as follower:
            made = tune_controller(
                features, rows, wish.method or METHOD, budget=wish.budget(),
                games=wish.games or 20, population=wish.population, seed=wish.seed, journal=wish.journal,
                jobs=wish.workers(), start=start, cancel=interrupt, follower=follower, name=name,
            )  # fmt: skip
    except NothingFound as nothing:
        return nothing_found(nothing, interrupt)
    if wish.out is not None:
        write_whole(wish.out, controller_text(made))
    click.echo(json.dumps(_controller_record(made)) if wish.as_json else _controller_words(made, wish))
    return FOUND


def _start_controller(text: str) -> Controller:
    """A controller by name or file, or the best of a journal."""
    from procura.puzzles.tetris.endless.controllers import CONTROLLERS, read_controller
    from procura.tune.endless import controller
    from procura.tune.files import is_journal
    from procura.tune.journal import best_weights, read_journal

    if text in (*CONTROLLERS, "tuned"):
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
    raise InputError(f"--start {path!r}: the weights of a heuristic: expected a controller, or leave --endless out")


def _controller_record(made: Controller) -> dict[str, Any]:
    return {
        "schema": 1, "version": __version__, "puzzle": "tetris", "endless": True, "name": made.name,
        "weights": dict(made.weights), "found": dict(made.found),
    }  # fmt: skip


def _controller_words(made: Controller, wish: Wish) -> str:
    lines = [f"{made.about}, {counted(made.found['generations'], 'generation')}"]
    lines += [f"  {name:20} {weight: .6f}" for name, weight in made.weights.items()]
    if "mean_lines" in made.found:
        lines.append(
            f"mean lines {made.found['mean_lines']:,} (standard error {made.found['standard_error']:,}) in "
            f"{counted(made.found['games_of_the_mean'], 'game')} that chose nothing"
        )
    if made.found.get("interrupted"):
        judged = "" if "mean_lines" in made.found else ", so the controller was not judged by final games"
        lines.append(f"interrupted{judged}" + (": start it again on its --journal to go on" if wish.journal else ""))
    if wish.out is not None:
        lines.append(f"controller in {wish.out}; let it play by: procura play tetris --controller @{wish.out}")
    return "\n".join(lines)
