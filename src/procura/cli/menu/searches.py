"""How to search: the algorithm, its options, the heuristic, the limits."""

from __future__ import annotations

from procura import catalog
from procura.catalog import Option
from procura.cli.menu.adjusting import adjust
from procura.cli.menu.memory import Memory
from procura.cli.menu.questions import Back, Questions, counted_from_1, still_usable
from procura.configuration import Configuration
from procura.errors import InputError
from procura.heuristics import BoundHeuristic, heuristic as parse_heuristic
from procura.problem import Estimate, Problem
from procura.reading.limits import read_limits
from procura.reading.puzzles import ChosenPuzzle
from procura.result import Limits

SEVERAL, TYPED = "several", "typed"
NO_LIMITS = "none"
FIRST_LIMITS = "seconds=60"
_ENGINE = Option("engine", "choice", "auto", "what runs it", ("auto", "python", "compiled"))
SEED = Option("seed", "int", 0, "for its random numbers")


class SearchQuestions:
    """The questions that lead to a search of one problem."""

    def __init__(self, questions: Questions, memory: Memory, puzzle: ChosenPuzzle, problem: Problem) -> None:
        self.questions, self.memory, self.puzzle, self.problem = questions, memory, puzzle, problem

    @property
    def _names(self) -> tuple[str, str]:
        return self.puzzle.name, "search"

    def algorithm(self) -> str:
        """The name of an algorithm, of a preset, or ``auto``."""
        rows = [("auto", f"the puzzle's best: {self.problem.auto or 'bfs or astar'}")]
        for name, info in catalog.algorithms(self.problem).items():
            if not info.local or self.problem.local() is not None:
                rows.append((name, f"{info.about}. Guarantees: {info.guarantees}"))
        rows += [
            (name, f"{preset.about}: {preset.configuration.replace(',', ', ')}")
            for name, preset in self.problem.presets.items()
        ]
        last = self.memory.text(*self._names, "algorithm")
        name = self.questions.choose("Which algorithm?", rows, last or "auto")
        self.memory.remember(name, *self._names, "algorithm")
        return name

    def options(self, algorithm: str) -> dict[str, str]:
        """The options of the algorithm that are not left at their defaults; also its engine and seed."""
        info = catalog.algorithms(self.problem).get(algorithm)
        options = [*(info.options if info is not None else ()), _ENGINE]
        if info is not None and info.local:
            options.append(SEED)
        last = self.memory.table(*self._names, f"options of {algorithm}")
        chosen = adjust(self.questions, f"Options of {algorithm}", options, last)
        self.memory.remember(chosen, *self._names, f"options of {algorithm}")
        return chosen

    def uses_heuristic(self, algorithm: str) -> bool:
        """Whether there is a heuristic to ask for."""
        info = catalog.algorithms(self.problem).get(algorithm)
        return info is not None and info.uses_heuristic and bool(self.problem.heuristics)

    def heuristic(self) -> str:
        """A heuristic of the puzzle, or a composition."""
        names = {"zero": "nothing is known", **{name: self._about(name) for name in self.problem.heuristics}}
        rows = [*names.items(), (SEVERAL, "a weight for each, added up"), (TYPED, "such as max(a, 0.9*b)")]
        last = still_usable(self._checked, self.memory.text(*self._names, "heuristic"))
        while True:
            default = last if last in names else TYPED if last else next(iter(self.problem.heuristics))
            name = self.questions.choose("Which heuristic?", [(n, self._marked(n, a)) for n, a in rows], default)
            try:
                text = self._several(list(names)) if name == SEVERAL else self._typed(last) if name == TYPED else name
            except Back:
                continue
            self.memory.remember(text, *self._names, "heuristic")
            if text not in names:
                known = "admissible" if self._admissible(text) else "not known to be admissible"
                self.questions.say(f"{text}: {known}")
            return text

    def _about(self, name: str) -> str:
        declared = self.problem.heuristics[name]
        return declared.about if isinstance(declared, Estimate) else declared

    def _marked(self, name: str, about: str) -> str:
        known = name == "zero" or name in self.problem.heuristics
        return f"{about} (admissible)" if known and self._admissible(name) else about

    def _admissible(self, text: str) -> bool:
        return BoundHeuristic(parse_heuristic(text), self.problem).admissible

    def _typed(self, last: str | None) -> str:
        def read(answer: str) -> str:
            if answer == "0":
                raise Back
            return self._checked(answer)

        return self.questions.ask("heuristic", read, last, last)

    def _checked(self, text: str) -> str:
        """A heuristic as it is written, if the puzzle has it."""
        Configuration.parse("astar", text).resolve(self.puzzle.cls)
        return text

    def _several(self, names: list[str]) -> str:
        """A weighted sum: which heuristics, then the weight of each."""

        def read(answer: str) -> list[str]:
            if answer == "0":
                raise Back
            chosen = [_one_of(word, names) for word in answer.replace(",", " ").split()]
            if len(set(chosen)) != len(chosen):
                raise InputError(f"{answer!r}: expected each one once")
            return chosen

        chosen = self.questions.ask("which, by number or name", read)
        even = f"{1 / len(chosen):.3g}"
        weights = {name: self.questions.ask(f"weight of {name}", _weight, even, even) for name in chosen}
        return " + ".join(f"{weight}*{name}" for name, weight in weights.items())

    def limits(self) -> Limits:
        """Limits as ``--limit`` takes them, or none."""

        def read(answer: str) -> str:
            if answer == "0":
                raise Back
            _limits(answer)
            return answer

        self.questions.say("\nLimits", "bold")
        self.questions.say("Such as seconds=20, nodes=1e6, memory=500MB, depth=40; several with commas; none; 0 back.")
        last = still_usable(read, self.memory.text(*self._names, "limits")) or FIRST_LIMITS
        answer = self.questions.ask("limits", read, last, last)
        self.memory.remember(answer, *self._names, "limits")
        return _limits(answer)


def _limits(answer: str) -> Limits:
    return read_limits([] if answer.lower() == NO_LIMITS else [answer])


def _one_of(word: str, names: list[str]) -> str:
    if word in names:
        return word
    number = counted_from_1(word, len(names))
    if number is not None:
        return names[number - 1]
    raise InputError(f"{word!r:.40}: expected numbers from 1 to {len(names)}, or names")


def _weight(answer: str) -> str:
    """A weight as it is written, if it is a number."""
    try:
        value = float(answer)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InputError(f"{answer!r}: expected a number from 0")
    return answer
