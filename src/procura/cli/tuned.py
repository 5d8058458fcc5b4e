"""What tuning on boards found: for people, for programs, and for the file that is saved."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from procura import __version__
from procura.catalog import flag
from procura.cli.harmless import echo
from procura.words import counted

SETS = {"train": "training", "validate": "validation"}
FEWEST_BOARDS = 6
"""For a verdict: that five boards or fewer all differ to the same side happens by chance more often than 5 %."""

if TYPE_CHECKING:
    from procura.tune.boards import BoardObjective
    from procura.tune.intervals import Mean
    from procura.tune.tuning import Tuned


def _figure(mean: Mean | None) -> str:
    if mean is None:
        return "-"
    return f"{_number(mean.mean)} ({_number(mean.low)} to {_number(mean.high)})"


def _number(value: float) -> str:
    """Four digits, or all before the point.

    >>> _number(0.123456), _number(12345.6), _number(-500.0)
    ('0.1235', '12,346', '-500')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def show(objective: BoardObjective, tuned: Tuned, seed: int, method: str, journal: str | None, out: str | None) -> None:
    """The result for people."""
    early = f", {tuned.stopped:,} stopped early" if tuned.stopped else ""
    echo(f"{method}, seed {seed}: {counted(tuned.trials, 'trial')}{early}, {counted(tuned.generations, 'generation')}")
    echo(f"score: {objective.scoring.about}")
    judged = [("found", tuned.best), *([("reference", tuned.reference)] if tuned.reference else [])]
    rows = [(name, *(f"{weight:.6g}" for weight in one.weights.values())) for name, one in judged]
    _show_table([("", *objective.space.names), *rows])
    heads = [counted(len(getattr(objective, name)), f"{word} board") for name, word in SETS.items()]
    figures = [(name, _figure(one.train), _figure(one.validate)) for name, one in judged]
    if tuned.reference:
        figures.append(("difference", _figure(tuned.train_difference), _figure(tuned.difference)))
    _show_table([("mean (95 %)", *heads), *figures])
    for line in verdict(objective, tuned):
        echo(line)
    if objective.limits.seconds is not None or objective.scoring_name == "time":
        echo("times differ from run to run, so these trials cannot be repeated exactly")
    if tuned.interrupted:
        echo("interrupted: start it again on its --journal to go on" if journal else "interrupted")
    if out is not None:
        echo(f"weights in {out}; use them by: {use(objective, objective.puzzle, out)}")


def _show_table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def use(objective: BoardObjective, puzzle: str, out: str) -> str:
    """The command that searches with the saved weights as they were tuned."""
    words = ["procura", "solve", puzzle, "BOARD"]
    for name, value in dict(objective.train[0].options).items():
        if any(board.options.get(name) != value for board in objective.train):
            continue
        words += [flag(name if value else f"no_{name}")] if isinstance(value, bool) else [flag(name), str(value)]
    return shlex.join([*words, "--with", str(objective.configuration), "--heuristic", f"@{out}"])


def verdict(objective: BoardObjective, tuned: Tuned) -> list[str]:
    """What the result is worth, in lines."""
    alone = tuned.reference is None
    nobody = "not solved by the weights found" if alone else "solved neither by the weights found nor by the reference"
    counts = {name: len(getattr(objective, name)) for name in tuned.unsolved}
    if counts and tuned.unsolved == counts:
        return [f"all boards were {nobody}: expected easier ones, or another --limit than {_limits(objective)}"]
    lines = [_compared(tuned)]
    for name, unsolved in tuned.unsolved.items():
        if unsolved:
            of = f"{unsolved:,} of {counted(counts[name], f'{SETS[name]} board')}"
            lines.append(f"{of} {'was' if unsolved == 1 else 'were'} {nobody}")
    if tuned.reference is not None and not objective.space.holds(tuple(tuned.reference.weights.values())):
        from procura.tune.spaces import KINDS

        lines.append(f"the reference lies outside what was searched, {KINDS[objective.space.kind]}")
    if tuned.beyond:
        lines.append(f"the journal has {counted(tuned.beyond, 'trial')} more, beyond this run's end: not counted here")
    return lines


def _compared(tuned: Tuned) -> str:
    """What the paired difference on validation boards says."""
    if tuned.difference is None:
        return "no validation was made"
    if tuned.difference.count < FEWEST_BOARDS:
        return f"too few validation boards for a verdict: expected {FEWEST_BOARDS} or more"
    better = tuned.difference if tuned.maximise else _negative(tuned.difference)
    if better.low > 0:
        return "better than the reference on validation boards"
    if better.high < 0:
        return "worse than the reference on validation boards"
    return "no clear difference from the reference on validation boards"


def _negative(mean: Mean) -> Mean:
    return type(mean)(-mean.mean, -mean.high, -mean.low, mean.count)


def how(
    objective: BoardObjective, tuned: Tuned, seed: int, preset: str | None, method: str, out: str
) -> list[str]:  # fmt: skip
    """How weights were found, what they are worth and how they are used, in lines."""
    from datetime import UTC, datetime

    lines = [
        f"weights found by: {_command()}",
        f"procura {__version__}, {datetime.now(UTC).date().isoformat()}",
        f"method {method}{f', preset {preset}' if preset else ''}, seed {seed}, {counted(tuned.trials, 'trial')} "
        f"({tuned.stopped} stopped early), {counted(tuned.generations, 'generation')}",
        f"{_puzzle(objective)}, search "
        f"{objective.configuration}, limits {_limits(objective)}, score {objective.scoring.about}",
        f"training, {counted(len(objective.train), 'board')}: {_figure(tuned.best.train)}",
        f"validation, {counted(len(objective.validate), 'board')}: {_figure(tuned.best.validate)}",
    ]
    if tuned.reference is not None:
        lines.append(f"reference: training {_figure(tuned.reference.train)}, validation "
                     f"{_figure(tuned.reference.validate)}, difference {_figure(tuned.difference)}")  # fmt: skip
    if tuned.interrupted:
        lines.append("interrupted")
    shown = use(objective, _puzzle(objective), os.path.basename(out))
    return [*lines, *verdict(objective, tuned), f"use them by: {shown}"]


def _puzzle(objective: BoardObjective) -> str:
    """The puzzle without the folder of a user's file."""
    return os.path.basename(objective.puzzle) if objective.code else objective.puzzle


def _limits(objective: BoardObjective) -> str:
    given = objective.spec()["limits"]
    return ", ".join(f"{name}={value}" for name, value in given.items()) or "none"


def _command() -> str:
    return shlex.join(["procura", *sys.argv[1:]])


def record(objective: BoardObjective, tuned: Tuned, seed: int, preset: str | None, method: str) -> dict[str, Any]:
    """The result as JSON has it."""

    def mean(one: Mean | None) -> dict[str, Any] | None:
        return None if one is None else one.record()

    def judged(one: Any) -> dict[str, Any] | None:
        if one is None:
            return None
        return {"weights": one.weights, "train": mean(one.train), "validate": mean(one.validate)}

    from procura.tune.sums import sum_text

    best = tuned.best.weights
    return {
        "schema": 1, "version": __version__, "puzzle": objective.puzzle, "method": method, "preset": preset,
        "seed": seed, "configuration": str(objective.configuration), "objective": objective.scoring_name,
        "limits": objective.spec()["limits"],
        "maximise": tuned.maximise, "heuristic": sum_text(list(best), list(best.values())),
        "best": judged(tuned.best), "reference": judged(tuned.reference),
        "difference": {"train": mean(tuned.train_difference), "validate": mean(tuned.difference)},
        "trials": tuned.trials, "stopped_early": tuned.stopped, "generations": tuned.generations,
        "beyond_budget": tuned.beyond, "made_here": tuned.made, "interrupted": tuned.interrupted,
        "unsolved": tuned.unsolved,
        "convergence": [[done.number, done.value] for done in tuned.history],
    }  # fmt: skip
