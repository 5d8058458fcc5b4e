"""The objective on boards: what weighted sums of heuristics score in a search, board by board."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from procura.configuration import Configuration
from procura.problem import ArrayProblem, Problem
from procura.result import Limits
from procura.tune.racing import is_hopeless
from procura.tune.scoring import NO_ANSWER, SCORINGS, Scoring
from procura.tune.spaces import Space, Weights
from procura.tune.sums import sum_text


@dataclass(frozen=True)
class Board:
    """A board as text, with the options of its puzzle that the text does not tell."""

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BoardObjective:
    """The mean score of a search whose heuristic has the weights, over boards.

    A task names the boards: ``{"set": "train", "boards": [0, 1], "count": 2}``; with ``bar`` and ``rests``, sums of
    scores of which the greater is the better, it ends as soon as the bar is out of reach. ``{"ceilings": [0], ...}``
    asks for the most that any weights can score.
    """

    puzzle: str
    """A name of the catalog, or ``file.py:Class``."""
    configuration: Configuration
    """The search without its heuristic."""
    space: Space
    train: tuple[Board, ...]
    validate: tuple[Board, ...]
    scoring_name: str
    limits: Limits
    engine: str = "auto"
    code: str | None = None
    """A digest of a user's class, with all that it imports."""
    _problems: dict[tuple[str, int], Problem] = field(default_factory=dict, compare=False, repr=False)
    _ceilings: dict[tuple[str, int], float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def scoring(self) -> Scoring:
        """How results are scored."""
        return SCORINGS[self.scoring_name]

    @property
    def maximise(self) -> bool:
        return self.scoring.maximise

    @property
    def sign(self) -> int:
        """What a score is multiplied by so that the greater is the better."""
        return 1 if self.maximise else -1

    @property
    def compiled(self) -> bool:
        return self.engine != "python" and (
            self.code is not None or self._engine(self._problem("train", 0)) == "compiled"
        )

    def settings(self) -> dict[str, Any]:
        settings = self.spec()
        if self.code is not None:
            settings["puzzle"] = self.puzzle.replace("\\", "/").rpartition("/")[2]
        return {**settings, "code": self.code, "names": list(self.space.names)}

    def spec(self) -> dict[str, Any]:
        limits = {name: value for name, value in asdict(self.limits).items() if value is not None}
        return {
            "objective": "boards", "puzzle": self.puzzle, "scoring": self.scoring_name,
            "configuration": str(self.configuration), "space": self.space.kind, "names": list(self.space.names),
            "limits": limits, "engine": self.engine,
            "train": [[board.text, dict(board.options)] for board in self.train],
            "validate": [[board.text, dict(board.options)] for board in self.validate],
        }  # fmt: skip

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> BoardObjective:
        """The objective of a spec."""
        boards = {name: tuple(Board(*board) for board in spec[name]) for name in ("train", "validate")}
        space = Space(spec["space"], tuple(spec["names"]))
        return cls(
            spec["puzzle"], Configuration.parse(spec["configuration"]), space, boards["train"], boards["validate"],
            spec["scoring"], Limits(**spec["limits"]), spec["engine"],
        )  # fmt: skip

    def has_ceilings(self) -> bool:
        """Whether it is known what scores can be at best; negative costs have no end."""
        return self.scoring_name != "cost" or all(
            self._problem("train", number).costs != "any" for number in range(len(self.train))
        )

    def unsolved(self, name: str, tables: Sequence[Sequence[float]]) -> int:
        """How many boards of a set have no answer in any of the tables of scores, as far as scores tell."""
        told = self.scoring.is_unsolved
        return sum(
            all(told(score, self._problem(name, number), self.limits) for score in scores)
            for number, scores in enumerate(zip(*tables, strict=True))
        )

    def compile(self) -> None:
        """Have the kernels compiled here, once, and not in each worker; a user's own rules run in workers only."""
        from procura.solving import plan, prepare

        if self.code is not None:
            return
        problem, search = self._problem("train", 0), self.configured(self.space.centre)
        if not self.compiled:
            return
        prepare(plan(problem, search, "compiled"))
        if self.scoring.ceiling is not None:
            self.evaluate((), {"ceilings": [0], "count": 1})

    def configured(self, weights: Sequence[float]) -> Configuration:
        """The search with the heuristic that has these weights."""
        return self.configuration.merged(sum_text(self.space.names, weights))

    def evaluate(self, weights: Weights, task: Mapping[str, Any]) -> list[float]:
        if "ceilings" in task:
            return [self._ceiling("train", number) for number in task["ceilings"]]
        scores: list[float] = []
        seen = 0.0
        for number in task["boards"]:
            score = self._score(task["set"], number, weights)
            scores.append(score)
            seen += self.sign * score
            bar = task.get("bar")
            if bar is not None and is_hopeless(seen, task["rests"][len(scores)], bar):
                break
        return scores

    def _score(self, name: str, number: int, weights: Sequence[float]) -> float:
        from procura.solving import solve

        if self._ceiling(name, number) == NO_ANSWER:
            return NO_ANSWER
        problem = self._problem(name, number)
        result = solve(problem, self.configured(weights), limits=self.limits, engine=self._engine(problem))
        boards = len(self.train if name == "train" else self.validate)
        return self.scoring.score(result, self.limits, boards)

    def _ceiling(self, name: str, number: int) -> float:
        """The most that any weights can score on a board; one that has no solution need not be searched again."""
        if self.scoring.ceiling is None:
            return math.inf
        if (name, number) not in self._ceilings:
            problem = self._problem(name, number)
            self._ceilings[name, number] = self.scoring.ceiling(problem, self._engine(problem))
        return self._ceilings[name, number]

    def _engine(self, problem: Problem) -> str:
        """What every search runs on, from its first node: here times are compared, and kernels are compiled before."""
        if self.engine != "auto":
            return self.engine
        return "compiled" if isinstance(problem, ArrayProblem) else "python"

    def _problem(self, name: str, number: int) -> Problem:
        """The problem of a board, made once."""
        if (name, number) not in self._problems:
            from procura.reading.puzzles import choose_puzzle

            board = (self.train if name == "train" else self.validate)[number]
            self._problems[name, number] = choose_puzzle(self.puzzle).cls.from_text(board.text, **board.options)
        return self._problems[name, number]
