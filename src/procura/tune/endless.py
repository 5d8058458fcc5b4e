"""Tuning controllers of endless Tetris: the mean lines of noisy games on small boards.

A candidate is a point on the unit sphere, since only the direction of the weights matters. A generation plays the same
fresh games with every candidate; then the best quarter play more fresh games and are ranked by all of theirs, while the
others are left at their first. At the end the centres of the last generations and their best candidates play once
more, and the best of them is returned, with its mean lines in games that chose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procura.errors import InputError, unknown
from procura.puzzles.tetris.endless.controllers import CONTROLLERS, Controller
from procura.puzzles.tetris.endless.features import FEATURES
from procura.result import Limits
from procura.rng import stream
from procura.runners.runner import Runner
from procura.tune.jobs import Job, Outcome, digest
from procura.tune.journal import Journal
from procura.tune.methods import Method, make_method
from procura.tune.rounds import Rounds, Stopped, deadline
from procura.tune.spaces import Space, Weights
from procura.tune.tuning import Budget, Follower, Generation, Nobody, NothingFound, evaluator_of
from procura.tune.workers import Evaluator

METHODS = ("cmaes", "cross-entropy")
ELITE_SHARE = 4
"""One candidate of so many is played again."""
ELITE_GAMES = 3
"""How many times the first games the elite play again."""
FINAL_GENERATIONS = 5
FINAL_GAMES = 10
GAMES_A_JOB = 100
FINAL = 0
"""The number under which final games are drawn; those of generations are drawn under 1, 2 and so on."""
GAINS = ("eroded_cells", "diversity", "unit_steps", "flat_steps", "lines", "points")
"""Features of which more is better, as far as one can say beforehand."""
SETS = {
    "4": tuple(CONTROLLERS["four"].weights),
    "6": tuple(CONTROLLERS["dellacherie"].weights),
    "8": tuple(CONTROLLERS["bcts"].weights),
    "9": tuple(CONTROLLERS["dt10"].weights),
    "12": (*CONTROLLERS["dt10"].weights, "height", "bumpiness", "lines"),
    "15": tuple(name for name in FEATURES if name != "points"),
}
"""Known sets of features by their number."""


def read_features(text: str) -> tuple[str, ...]:
    """Features by names, or the known set of so many.

    >>> read_features("4")
    ('height', 'lines', 'holes', 'bumpiness')
    """
    names = SETS.get(text.strip(), tuple(text.replace(",", " ").split()))
    for name in names:
        if name not in FEATURES:
            if name.isdigit():
                raise InputError(f"features {text!r}: expected {', '.join(SETS)}, or names")
            raise unknown("there is no feature", name, FEATURES)
    if not names or len(set(names)) < len(names):
        raise InputError(f"features {text!r}: expected some, each once")
    return names


@dataclass(frozen=True)
class EndlessObjective:
    """The lines of games on ten columns and ``rows`` rows. A task names the games: generation, first, count."""

    space: Space
    rows: int
    seed: int
    maximise = True
    limits = Limits()
    code = None
    compiled = True

    def settings(self) -> dict[str, Any]:
        return {**self.spec(), "names": list(self.space.names)}

    def spec(self) -> dict[str, Any]:
        return {"objective": "endless", "names": list(self.space.names), "rows": self.rows, "seed": self.seed}

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> EndlessObjective:
        """The objective of a spec."""
        return cls(Space("sphere", tuple(spec["names"])), spec["rows"], spec["seed"])

    def compile(self) -> None:
        compile_player(self.space.names, self.rows)

    def evaluate(self, weights: Weights, task: Mapping[str, Any]) -> list[float]:
        """The lines of each game; the same games for the same task, whoever plays them."""
        from procura.puzzles.tetris.endless.games import play_games

        number, first = task["games"]
        played = play_games(
            controller("candidate", self.space.names, weights), task["count"], rows=self.rows,
            seed=stream(self.seed, number), first=first,
        )  # fmt: skip
        return list(played.lines)


def controller(name: str, features: Sequence[str], weights: Sequence[float], **more: Any) -> Controller:
    """A controller of these weights."""
    return Controller(name, dict(zip(features, weights, strict=True)), **more)


def compile_player(features: Sequence[str], rows: int) -> None:
    """Have the player of these features compiled, by a game of one that wants all that is bad and so loses at once."""
    from procura.puzzles.tetris.endless.games import play_games

    play_games(controller("bad", features, [-1.0 if name in GAINS else 1.0 for name in features]), 1, rows=rows)


def tune_controller(
    features: Sequence[str],
    rows: int = 10,
    method: str = "cmaes",
    *,
    budget: Budget,
    games: int = 20,
    population: int | None = None,
    seed: int = 0,
    journal: str | None = None,
    jobs: int | None = None,
    runner: Runner | None = None,
    start: Controller | None = None,
    cancel: Callable[[], bool] = lambda: False,
    follower: Follower | None = None,
    name: str = "tuned",
) -> Controller:
    """The best controller found within a budget; the same for the same seed and rounds, whatever the processes.

    Candidates are drawn around the weights of ``start`` at first.
    """
    from procura.puzzles.tetris.endless.table import check_rows

    if method not in METHODS:
        raise unknown("endless play has no method", method, METHODS)
    if not isinstance(games, int) or games < 1:
        raise InputError(f"games={games!r}: expected a whole number from 1")
    check_rows(rows)
    space = Space("sphere", read_features(" ".join(features)))
    objective = EndlessObjective(space, rows, seed)
    known = _known(space, start)
    centre = known[0] if known else space.onto([1.0 if feature in GAINS else -1.0 for feature in space.names])
    how = make_method(method, space, stream(seed, FINAL), population, known, centre=centre)
    if budget.trials is not None and budget.trials < how.population:
        raise InputError(f"trials={budget.trials}: expected at least {how.population}, the candidates of a generation")
    settings = {
        **objective.settings(), "method": method, "games": games, "population": how.population, "start": list(centre),
    }  # fmt: skip
    book = Journal(journal, settings, space, True)
    told = follower or Nobody()
    if runner is None:
        told.phase("compiling the player, once: it is kept for the next run", 0)
        objective.compile()
    with evaluator_of(objective, jobs, runner) as evaluator:
        run = EndlessSearch(space, how, book, evaluator, told, games)
        run.search(budget, deadline(budget.seconds, cancel))
        return run.finish(settings, name, cancel)


def _known(space: Space, start: Controller | None) -> list[Weights]:
    """The weights of a controller to start from, if it has any of these features."""
    given = [] if start is None else [start.weights.get(feature, 0.0) for feature in space.names]
    return [space.onto(given)] if any(given) else []


@dataclass(frozen=True)
class _Past:
    """What is remembered of a generation."""

    best: Weights
    centre: Weights | None


class EndlessSearch:
    """A search for a controller, and its past."""

    def __init__(
        self, space: Space, method: Method, journal: Journal, evaluator: Evaluator, follower: Follower, games: int
    ) -> None:
        self.space, self.method, self.journal, self.follower, self.games = space, method, journal, follower, games
        self.rounds = Rounds(journal, evaluator, follower, lambda: False, _value)
        self.past: list[_Past] = []
        self.best: tuple[float, Weights] | None = None
        self.finished = 0

    def search(self, budget: Budget, over: Callable[[], bool]) -> None:
        """Make generations until the budget is spent; ends early without complaint when it is over."""
        self.rounds.over = over
        trials = 0
        try:
            while budget.rounds is None or len(self.past) <= budget.rounds:
                candidates = self.method.ask()
                trials += len(candidates)
                if budget.trials is not None and trials > budget.trials:
                    return
                self._generation(len(self.past), candidates)
        except Stopped:
            return

    def _generation(self, number: int, candidates: list[Weights]) -> None:
        first = [
            Job(f"{number}.{i}", weights, {"games": [number + 1, 0], "count": self.games}, number)
            for i, weights in enumerate(candidates)
        ]
        self.follower.phase(f"generation {number}", len(first))
        lines = [list(outcome.scores) for outcome in self.rounds.round(first, self.journal.search)]
        order = sorted(range(len(candidates)), key=lambda i: (-_mean(lines[i]), i))
        elite = order[: max(len(candidates) // ELITE_SHARE, 1)]
        again = [
            Job(
                f"{number}.again.{i}", candidates[i],
                {"games": [number + 1, self.games], "count": ELITE_GAMES * self.games, "before": sum(lines[i])}, number,
            )
            for i in elite
        ]  # fmt: skip
        self.follower.phase(f"generation {number}, the best again", len(again))
        for i, outcome in zip(elite, self.rounds.round(again, self.journal.search), strict=True):
            lines[i] += outcome.scores
        means = [_mean(scores) for scores in lines]
        best = max(elite, key=lambda i: (means[i], -i))
        self.method.tell(candidates, means)
        self.past.append(_Past(candidates[best], self.method.centre()))
        self.finished += len(first)
        self._tell(number, candidates[best], means[best])

    def _tell(self, number: int, weights: Weights, mean: float) -> None:
        if self.best is None or mean > self.best[0]:
            self.best = (mean, weights)
        named = dict(zip(self.space.names, self.best[1], strict=True))
        self.follower.generation(Generation(number, self.finished, 0, named, self.best[0], mean))

    def finish(self, settings: Mapping[str, Any], name: str, cancel: Callable[[], bool]) -> Controller:
        """The best of the last centres and the last best candidates, by fresh games; figures by others."""
        if not self.past:
            raise NothingFound("no generation was finished: expected more time, or fewer games")
        last = self.past[-FINAL_GENERATIONS:]
        centres = [past.centre for past in last if past.centre is not None]
        finalists = list(dict.fromkeys([*centres, *(past.best for past in last)]))
        games = FINAL_GAMES * self.games
        found: dict[str, Any] = {key: settings[key] for key in ("method", "rows", "games", "population", "seed")}
        found["generations"] = len(self.past)
        self.rounds.over = cancel
        from procura.puzzles.tetris.endless.games import standard_error

        try:
            scores = self._play(finalists, 0, games)
            best = max(range(len(finalists)), key=lambda i: (_mean(scores[i]), -i))
            lines = self._play([finalists[best]], games, games)[0]  # those that chose it flatter it
        except Stopped:
            best = len(centres) - 1 if centres else 0
            found["judged"] = False
        else:
            found |= {
                "mean_lines": round(_mean(lines), 1), "standard_error": round(standard_error(lines), 1),
                "games_of_the_mean": len(lines),
            }  # fmt: skip
        if cancel():
            found["interrupted"] = True
        about = f"{settings['method']} on {settings['rows']}x10"
        return controller(name, self.space.names, finalists[best], about=about, found=found)

    def _play(self, finalists: Sequence[Weights], first: int, games: int) -> list[list[float]]:
        """The lines of each finalist in final games from ``first`` on."""
        jobs = [
            Job(
                f"final.{digest(weights)}.{at}", weights,
                {"games": [FINAL, at], "count": min(GAMES_A_JOB, first + games - at)},
            )
            for weights in finalists
            for at in range(first, first + games, GAMES_A_JOB)
        ]  # fmt: skip
        self.follower.phase("final games", len(jobs))
        outcomes = self.rounds.round(jobs, self.journal.checks)
        part = len(jobs) // len(finalists)
        return [
            [score for outcome in outcomes[at : at + part] for score in outcome.scores]
            for at in range(0, len(outcomes), part)
        ]


def _value(outcome: Outcome, job: Job) -> float:
    """The mean lines of all games that the candidate has played in its generation."""
    before, games = job.task.get("before", 0), job.task["count"]
    if "before" in job.task:
        games += games // ELITE_GAMES
    return (before + sum(outcome.scores)) / games


def _mean(lines: Sequence[float]) -> float:
    return sum(lines) / len(lines) if lines else 0.0
