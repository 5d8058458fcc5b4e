"""The first Tetris report's search for weights, run again: ``python studies/tetris_weights.py`` makes its results.

Nine random boards of three types with t i l l: 41 random sets of weights, then 30 rounds of the report's genetic
scheme from the best five, once as its program ran and once as it was meant; and our own methods from the same five with
as many trials.
All trials go to tetris-weights.results.jsonl, below a line that says how they were made. ``write_reports.py`` makes the
page of it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from procura import Limits, Tetris, __version__, solve
from procura.configuration import Configuration
from procura.study.measures import Figure
from procura.study.summarise import Sheet
from procura.tune.boards import Board, BoardObjective
from procura.tune.journal import Trial, read_journal
from procura.tune.spaces import Space
from procura.tune.sums import read_sum
from procura.tune.tuning import Budget, Tuned, tune

RESULTS = Path(__file__).with_name("tetris-weights.results.jsonl")
PIECES = "t i l l"
TYPES = (0.2, 0.5, 0.055)
"""How much the filling falls from row to row: the report's three types of boards."""
BOARDS, FRESH = 3, 17
"""Of each type, for the search and for the judgement; the fresh ones less one are fifty."""
ROUNDS, FIRST, KEPT = 30, 41, 5
TRIALS = KEPT + 10 * ROUNDS
"""Those of the report's scheme, and of our methods."""
LIMITS = Limits(nodes=200_000)
SEED = 1
REPORTS_FIVE = [600] + [1000] * 5 + [1200, 1300] + [1400] * 5 + [1500] * 3 + [1600] * 2 + [1700]
"""The sum of the five best by round in the report, the first five and the eighteen rounds of thirty that it prints."""
SCHEMES = {"report": "as its program ran", "report-as-meant": "as it was meant"}
OURS = {"genetic": "our genetic search", "cmaes": "CMA-ES"}
RUNS = {"random": "random", **{run: f"its genetic scheme, {label}" for run, label in SCHEMES.items()}, **OURS}
SIZE = (8.0, 4.5)
Line = tuple[tuple[str, ...], tuple[Figure, ...]]


def objective() -> BoardObjective:
    """The report's search with its four features, on the nine boards; fifty others to judge."""
    default = Tetris.tuning
    train = [_board(d, seed) for d in TYPES for seed in range(1, BOARDS + 1)]
    fresh = [_board(d, seed) for seed in range(101, 101 + FRESH) for d in TYPES][:-1]
    names = tuple(read_sum(default.heuristic or "", Tetris.heuristics))
    search = Configuration.parse(default.configuration)
    return BoardObjective("tetris", search, Space("box", names), tuple(train), tuple(fresh), "points", LIMITS)


def _board(d: float, seed: int) -> Board:
    return Board(Tetris.generate(seed, d=d, pieces=PIECES).board_text(), {"cost": "report1"})


def reports_weights() -> tuple[float, ...]:
    """The best set of the report."""
    return tuple(read_sum(Tetris.tuning.heuristic or "", Tetris.heuristics).values())


def make(journals: Path, jobs: int) -> None:
    """Run everything, or go on where the journals end, and write the results, whole or not at all."""
    what, seconds = objective(), 0.0
    lines: list[dict[str, Any]] = []
    judged: dict[str, Any] = {}

    def search(name: str, method: str, budget: Budget, **options: Any) -> list[Trial]:
        journal = str(journals / name)
        tuned = tune(
            what, method, budget=budget, seed=SEED, against=reports_weights(), early_stop=False, journal=journal,
            jobs=jobs, **options,
        )  # fmt: skip
        trials = read_journal(journal)[1]
        nonlocal seconds
        seconds += sum(trial.seconds for trial in trials)
        lines.extend(
            {"run": name, "round": trial.generation, "weights": [*trial.weights.values()], "scores": trial.scores}
            for trial in trials
        )
        judged[name] = _judged(tuned)
        print(f"{name}: {len(trials)} trials, best {max(sum(trial.scores) for trial in trials):g}", flush=True)
        return trials

    first = search("random", "random", Budget(trials=FIRST), population=FIRST)
    best = [tuple(trial.weights.values()) for trial in sorted(first, key=lambda trial: -trial.value)[:KEPT]]
    for preset in SCHEMES:
        search(preset, "genetic", Budget(rounds=ROUNDS), preset=preset, start=best)
    for method in OURS:
        search(method, method, Budget(trials=TRIALS), start=best)
    everywhere = {"set": "train", "boards": list(range(len(what.train))), "count": len(what.train)}
    head = {
        "version": __version__, "nodes": LIMITS.nodes, "jobs": jobs, "minutes": round(seconds / jobs / 60, 1),
        "boards": [board.text for board in what.train], "best_possible": [_most_points(one) for one in what.train],
        "report": {"weights": reports_weights(), "scores": what.evaluate(reports_weights(), everywhere)},
        "judged": judged,
    }  # fmt: skip
    part = RESULTS.with_suffix(".part")
    part.write_text("".join(json.dumps(line) + "\n" for line in [head, *lines]), encoding="utf-8")
    part.replace(RESULTS)


def _most_points(board: Board) -> int:
    """The most points that the rules allow, proved."""
    result = solve(Tetris.from_text(board.text))
    assert result.optimal and result.final is not None
    return Tetris.from_text(board.text).points(result.final)


def _judged(tuned: Tuned) -> dict[str, Any]:
    """The figures on fresh boards: of the best weights, of the report's, and the difference board by board."""
    assert tuned.best.validate and tuned.reference and tuned.reference.validate and tuned.difference
    of = {"found": tuned.best.validate, "report": tuned.reference.validate, "difference": tuned.difference}
    return {name: mean.record() for name, mean in of.items()}


class Results:
    """What came of it: the tables and plots of the page."""

    @cached_property
    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]

    @property
    def head(self) -> dict[str, Any]:
        """How it was made, and what holds for all runs."""
        return self._lines[0]

    @property
    def count(self) -> int:
        """All trials."""
        return len(self._lines) - 1

    def trials(self, run: str) -> list[dict[str, Any]]:
        """The trials of a run, in order."""
        return [line for line in self._lines[1:] if line["run"] == run]

    def best(self, run: str) -> dict[str, Any]:
        """The best trial of a run; of equal ones the first."""
        return max(self.trials(run), key=lambda trial: sum(trial["scores"]))

    def five_best(self, run: str) -> list[float]:
        """The sum of the five best so far, round by round; a set of weights counts once."""
        rounds: list[float] = []
        seen: dict[tuple[float, ...], float] = {}
        for trial in self.trials(run):
            seen[tuple(trial["weights"])] = sum(trial["scores"])
            rounds[trial["round"] :] = [sum(sorted(seen.values())[-KEPT:])]
        return rounds

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        """The tables by title."""
        boards = [f"b{number}" for number in range(1, len(self.head["boards"]) + 1)]
        columns = ("holes", "relief", "height", "opportunity", *boards, "sum")
        random = sorted(self.trials("random"), key=lambda trial: -sum(trial["scores"]))
        made = [
            Sheet("Random sets", ("set",), columns, _numbered(map(_cells, random))),
            Sheet("Best sets", ("found by",), columns, tuple(self._best_sets())),
            Sheet("Five best by round", ("round",), ("the report", *SCHEMES.values()), _numbered(self._by_round(), 0)),
            Sheet("Fresh boards", ("weights of",), ("mean points", "more than the report's"), tuple(self._fresh())),
        ]
        return {sheet.title: sheet for sheet in made}

    def _best_sets(self) -> Iterator[Line]:
        for run, label in RUNS.items():
            yield (label,), _cells(self.best(run))
        yield ("the report",), _cells(self.head["report"])
        possible = self.head["best_possible"]
        yield ("best possible",), (*[_text("")] * 4, *map(_number, [*possible, sum(possible)]))

    def _by_round(self) -> Iterator[tuple[Figure, ...]]:
        ours = [self.five_best(run) for run in SCHEMES]
        for number, sums in enumerate(zip(*ours, strict=True)):
            printed = _number(REPORTS_FIVE[number]) if number < len(REPORTS_FIVE) else _text("")
            yield (printed, *map(_number, sums))

    def _fresh(self) -> Iterator[Line]:
        for run, label in RUNS.items():
            judged = self.head["judged"][run]
            yield (label,), (_interval(judged["found"]), _interval(judged["difference"]))
        yield ("the report",), (_interval(self.head["judged"]["random"]["report"]), _text(""))

    def made(self) -> str:
        """How the results were made."""
        return (
            f"Made by `python studies/tetris_weights.py --jobs {self.head['jobs']}` in {self.head['minutes']:.0f} "
            f"minutes: {self.count:,} trials on nine boards each, at most {self.head['nodes']:,} nodes a search. All "
            "depend on the seed alone, not on the machine; they are in "
            "[tetris-weights.results.jsonl](../../studies/tetris-weights.results.jsonl)."
        )

    def draw(self, folder: Path) -> None:
        """The report's two charts as SVG."""
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=SIZE, layout="constrained")
        sums = sorted(sum(trial["scores"]) for trial in self.trials("random"))
        axes.bar(range(1, len(sums) + 1), sums)
        axes.set_title("Sums of the random sets, sorted")
        axes.set_ylabel("points on nine boards")
        figure.savefig(folder / "sums.svg", metadata={"Date": None})
        figure, (theirs, ours) = pyplot.subplots(1, 2, figsize=SIZE, layout="constrained")
        figure.suptitle("Sum of the five best by round")
        theirs.plot(range(len(REPORTS_FIVE)), REPORTS_FIVE)
        theirs.set_title("the report, on its boards")
        for run, label in SCHEMES.items():
            ours.plot(range(ROUNDS + 1), self.five_best(run), label=label)
        ours.axhline(KEPT * sum(self.head["best_possible"]), color="grey", linestyle="--", label="best possible")
        ours.set_title("ours, on our boards")
        ours.legend()
        for axes in (theirs, ours):
            axes.set_xlabel("round")
        figure.savefig(folder / "five-best.svg", metadata={"Date": None})
        pyplot.close("all")


def _numbered(
    rows: Iterable[tuple[Figure, ...]], first: int = 1
) -> tuple[tuple[tuple[str, ...], tuple[Figure, ...]], ...]:
    return tuple(((str(number),), row) for number, row in enumerate(rows, first))


def _cells(trial: dict[str, Any]) -> tuple[Figure, ...]:
    """Weights, scores by board, their sum."""
    weights = [_text(f"{weight:.4f}") for weight in trial["weights"]]
    return (*weights, *map(_number, [*trial["scores"], sum(trial["scores"])]))


def _interval(mean: dict[str, Any]) -> Figure:
    return _text(f"{mean['mean']:.0f} ({mean['low']:.0f} to {mean['high']:.0f})")


def _number(value: float) -> Figure:
    return _text(f"{value:g}")


def _text(text: str) -> Figure:
    return Figure(text, ())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--journals", type=Path, help="a folder to go on in, if it is killed")
    given = parser.parse_args()
    with TemporaryDirectory() as scratch:
        make(given.journals or Path(scratch), given.jobs)
