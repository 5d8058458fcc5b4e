"""Weights for controllers by cross-entropy or CMA-ES: maximise the mean lines of noisy games on small boards.

A candidate is a point on the unit sphere, since only the direction of the weights matters. A generation plays the same
fresh games with every candidate, then more fresh games with the best quarter, which are ranked by all their games. At
the end the centres of the last generations and their best candidates play once more, and the best of them is returned,
with its mean lines in games that chose nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError, unknown
from procura.puzzles.tetris.endless.controllers import Controller
from procura.puzzles.tetris.endless.features import FEATURES
from procura.puzzles.tetris.endless.games import make_batches, play_batches
from procura.puzzles.tetris.endless.journal import Journal
from procura.puzzles.tetris.endless.optimisers import METHODS, Optimiser, unit
from procura.puzzles.tetris.endless.table import Table
from procura.rng import stream

ELITE_SHARE = 4
"""One candidate of so many is played again."""
ELITE_GAMES = 3
"""How many times the first games the elite play again."""
FINAL_GENERATIONS = 5
FINAL_GAMES = 10
GAINS = ("eroded_cells", "diversity", "lines", "points")
"""Features of which more is better, as far as one can say beforehand."""


@dataclass(frozen=True)
class Generation:
    """What a generation found."""

    number: int
    """From 1."""
    weights: dict[str, float]
    """The best candidate."""
    mean: float
    """Its lines per game."""
    standard_error: float
    centre: dict[str, float]
    """Where the next generation is drawn around."""
    seconds: float
    """Since this run began."""


class Stopped(Exception):
    """Time is over, or somebody cancelled, in the middle of a generation."""


def tune_controller(
    features: Sequence[str],
    rows: int = 10,
    method: str = "cmaes",
    *,
    generations: int | None = None,
    seconds: float | None = None,
    games: int = 20,
    population: int | None = None,
    seed: int = 0,
    journal: str | None = None,
    jobs: int = 1,
    start: Controller | None = None,
    cancel: Callable[[], bool] | None = None,
    on_progress: Callable[[Generation], None] | None = None,
    name: str = "tuned",
) -> Controller:
    """The best controller found in so many generations or seconds, whichever is over first.

    ``method`` is ``cross-entropy`` or ``cmaes``, which needs the package of that name. Every finished generation is
    added to the file ``journal``; if it is there already, the run goes on where it ended, with the same result as
    without the break. Candidates are drawn around the weights of ``start`` at first.
    """
    _check(features, method, games)
    if generations is None and seconds is None:
        raise InputError("tuning needs an end: expected generations or seconds")
    Table(rows)  # refuses other heights
    began = time.perf_counter()
    centre = _start(features, start)
    optimiser = METHODS[method](centre, stream(seed, 0), population)
    settings = {
        "features": list(features), "rows": rows, "method": method, "games": games,
        "population": optimiser.population, "seed": seed, "start": centre,
    }  # fmt: skip

    def over() -> bool:
        late = seconds is not None and time.perf_counter() - began >= seconds
        return late or (cancel is not None and cancel())

    with Journal(journal, settings) as records:
        field = Field(features, rows, games, seed, jobs, over)
        _go_back(optimiser, records.generations)
        try:
            while not over() and (generations is None or len(records.generations) < generations):
                record = field.generation(optimiser, len(records.generations) + 1)
                records.add(record)
                if on_progress is not None:
                    on_progress(_described(record, features, time.perf_counter() - began))
        except Stopped:
            pass
        if not records.generations:
            raise InputError("no generation was finished: expected more time, or fewer games")
        return field.finish(records.generations, settings, name)


def _check(features: Sequence[str], method: str, games: int) -> None:
    for feature in features:
        if feature not in FEATURES:
            raise unknown("there is no feature", feature, FEATURES)
    if not features or len(set(features)) < len(features):
        raise InputError(f"features {' '.join(features)!r}: expected some, each once")
    if method not in METHODS:
        raise unknown("there is no method", method, METHODS)
    if not isinstance(games, int) or games < 1:
        raise InputError(f"games={games!r}: expected a whole number from 1")


def _start(features: Sequence[str], start: Controller | None) -> list[float]:
    """The first centre: the weights of a controller, or the sign that one would give each feature."""
    if start is not None:
        given = [start.weights.get(feature, 0.0) for feature in features]
        if any(given):
            return unit(given)
    return unit([1.0 if feature in GAINS else -1.0 for feature in features])


def _go_back(optimiser: Optimiser, records: Sequence[dict[str, Any]]) -> None:
    """Bring an optimiser to where it was after these generations."""
    for record in records:
        if optimiser.ask() != record["candidates"]:
            raise InputError(f"journal, generation {record['generation']}: it is of another version of procura")
        optimiser.tell(record["candidates"], record["means"])


def _described(record: dict[str, Any], features: Sequence[str], seconds: float) -> Generation:
    best = record["best"]
    return Generation(
        record["generation"],
        dict(zip(features, record["candidates"][best], strict=True)),
        record["means"][best],
        record["errors"][best],
        dict(zip(features, record["centre"], strict=True)),
        seconds,
    )


class Field:
    """Where candidates play: the boards, the threads, the random games."""

    def __init__(
        self, features: Sequence[str], rows: int, games: int, seed: int, jobs: int, over: Callable[[], bool]
    ) -> None:
        self.features, self.rows, self.games, self.seed, self.jobs = features, rows, games, seed, jobs
        self._over: Callable[[], bool] = over

    def generation(self, optimiser: Optimiser, number: int) -> dict[str, Any]:
        """Draw candidates, play, play again with the best, tell the optimiser; what happened, for the journal."""
        candidates = optimiser.ask()
        scores = self.play(candidates, number, self.games, 0)
        order = sorted(range(len(candidates)), key=lambda i: (-_mean(scores[i]), i))
        elite = order[: max(len(candidates) // ELITE_SHARE, 1)]
        again = self.play([candidates[i] for i in elite], number, ELITE_GAMES * self.games, self.games)
        for i, more in zip(elite, again, strict=True):
            scores[i] = scores[i] + more
        means = [_mean(lines) for lines in scores]
        best = max(elite, key=lambda i: (means[i], -i))
        optimiser.tell(candidates, means)
        return {
            "generation": number, "candidates": candidates, "means": means, "errors": [_error(s) for s in scores],
            "best": best, "centre": optimiser.centre(),
        }  # fmt: skip

    def play(self, candidates: Sequence[Sequence[float]], number: int, games: int, first: int) -> list[list[int]]:
        """The lines of each candidate in the same games: numbers ``first`` and on of generation ``number``."""
        base = stream(self.seed, number)
        starts = [stream(base, first + game) for game in range(games)]
        parts = [make_batches(self._controller(weights), starts, self.jobs) for weights in candidates]
        play_batches((batch for part in parts for batch in part), self.rows, self.jobs, self._over)
        scores = [[int(lines) for batch in part for lines in batch.lines[: batch.lost]] for part in parts]
        if any(len(lines) < games for lines in scores):
            raise Stopped
        return scores

    def finish(self, records: Sequence[dict[str, Any]], settings: dict[str, Any], name: str) -> Controller:
        """The best of the last centres and the last best candidates, by fresh games; they are played to the end."""
        last = records[-FINAL_GENERATIONS:]
        finalists = [record["centre"] for record in last] + [r["candidates"][r["best"]] for r in last]
        self._over = lambda: False
        games = FINAL_GAMES * self.games
        scores = self.play(finalists, 0, games, 0)
        best = max(range(len(finalists)), key=lambda i: (_mean(scores[i]), -i))
        lines = self.play([finalists[best]], 0, games, games)[0]  # those that chose it flatter it
        found = {key: settings[key] for key in ("method", "rows", "games", "population", "seed")}
        found |= {
            "generations": len(records), "mean_lines": round(_mean(lines), 1),
            "standard_error": round(_error(lines), 1), "games_of_the_mean": len(lines),
        }  # fmt: skip
        weights = {feature: round(w, 6) for feature, w in zip(self.features, finalists[best], strict=True)}
        return Controller(name, weights, f"{settings['method']} on {self.rows} rows", found)

    def _controller(self, weights: Sequence[float]) -> Controller:
        return Controller("candidate", dict(zip(self.features, weights, strict=True)))


def _mean(lines: Sequence[int]) -> float:
    return sum(lines) / len(lines)


def _error(lines: Sequence[int]) -> float:
    """The standard error of the mean of lines that are close to exponential."""
    return _mean(lines) / math.sqrt(len(lines))
