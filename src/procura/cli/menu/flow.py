"""The menu from the first question to the result, and round again."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from procura import catalog
from procura.cli import endless, render
from procura.cli.files import check_writable
from procura.cli.menu.memory import Memory
from procura.cli.menu.problems import ProblemQuestions
from procura.cli.menu.questions import Back, End, Questions, still_usable
from procura.cli.menu.searches import SEED, SearchQuestions
from procura.cli.observers import observers
from procura.cli.reports import TextReport
from procura.cli.running import Run, Runner
from procura.cli.settings import Settings, settings_of
from procura.configuration import Configuration
from procura.errors import InputError
from procura.heuristics import heuristic
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.result import Limits
from procura.texts import Task

RESULTS = "procura-results.txt"
NO_RESULTS = "none"
SECONDS = 10
"""For each search of a comparison, if the user has set no limit."""
WELCOME = "procura: Enter takes what stands in brackets, 0 or Esc goes back, q leaves, Ctrl-C ends a search."
NEXT = {
    "again": "the same once more",
    "algorithm": "another algorithm for this problem",
    "problem": "another problem",
    "puzzle": "another puzzle",
    "steps": "every board of the solution",
    "watch": "this search step by step",
    "compare": "several searches of this problem",
    "play": "this problem by hand",
    "quit": "leave",
}


class Menu:
    """The choices made so far, and the question at hand."""

    puzzle: ChosenPuzzle
    task: Task
    problem: Problem
    search_questions: SearchQuestions

    def __init__(self, questions: Questions, memory: Memory) -> None:
        self.questions, self.memory = questions, memory
        self.configuration = Configuration("auto")
        self.engine: str = "auto"
        self.seed: int | None = None
        self.limits = Limits()
        self.results = NO_RESULTS
        self.run: Run | None = None
        self.steps: dict[str, Callable[[], bool | str]] = {
            "puzzle": self._puzzle, "problem": self._problem, "algorithm": self._algorithm, "options": self._options,
            "heuristic": self._heuristic, "limits": self._limits, "results": self._results, "again": self._run,
            "next": self._next,
        }  # fmt: skip
        """Each question by name; it returns the name of another to jump to, or whether there was anything to ask."""

    def go(self) -> None:
        """Ask from question to question until the user leaves."""
        self.questions.say(WELCOME)
        names = list(self.steps)
        at, way = 0, 1
        try:
            while at >= 0:
                try:
                    asked = self.steps[names[at]]()
                    if isinstance(asked, str):
                        at, way = names.index(asked), 1
                        continue
                    way = 1 if asked else way
                except Back:
                    way = -1
                at += way
        except End:
            pass
        finally:
            self.memory.save()

    def _puzzle(self) -> bool | str:
        rows = [*((puzzle.name, puzzle.about) for puzzle in catalog.PUZZLES.values()), *endless.menu_rows()]
        name = self.questions.choose("Which puzzle?", rows, self.memory.text("puzzle") or rows[0][0], back="leave")
        if name == endless.NAME:
            return self._endless()
        self.memory.remember(name, "puzzle")
        self.puzzle = choose_puzzle(name)
        return True

    def _endless(self) -> str:
        """Play without end, then ask again."""
        from procura.cli.commands.endless import play

        try:
            play.main([], standalone_mode=False)
        except InputError as error:
            self.questions.say(str(error), "yellow")
        return "puzzle"

    def _problem(self) -> bool:
        self.task, self.problem = ProblemQuestions(self.questions, self.memory, self.puzzle).ask()
        self.search_questions = SearchQuestions(self.questions, self.memory, self.puzzle, self.problem)
        return True

    def _algorithm(self) -> bool:
        self.configuration = Configuration(self.search_questions.algorithm())
        return True

    def _options(self) -> bool:
        chosen = dict(self.search_questions.options(self.configuration.algorithm))
        self.engine, seed = chosen.pop("engine", "auto"), chosen.pop("seed", None)
        self.seed = None if seed is None else SEED.read(seed)
        self.configuration = replace(self.configuration, options=tuple(chosen.items()))
        return True

    def _heuristic(self) -> bool:
        if not self.search_questions.uses_heuristic(self.configuration.algorithm):
            return False
        self.configuration = replace(self.configuration, heuristic=heuristic(self.search_questions.heuristic()))
        return True

    def _limits(self) -> bool:
        self.limits = self.search_questions.limits()
        return True

    def _results(self) -> bool:
        """The file to which the result is added."""

        def read(answer: str) -> str:
            if answer == "0":
                raise Back
            if answer.lower() != NO_RESULTS:
                check_writable(answer, "results file")
            return answer

        self.questions.say("\nResults", "bold")
        self.questions.say(f"A file to add a record of the run to, such as {RESULTS}; none for no file; 0 back.")
        last = still_usable(read, self.memory.text("results")) or NO_RESULTS
        self.results = self.questions.ask("results file", read, last, last)
        self.memory.remember(self.results, "results")
        return True

    def _run(self) -> bool | str:
        """Search, and show what came of it; what cannot be run leads back to the algorithm."""
        self.memory.save()
        log = None if self.results == NO_RESULTS else self.results
        report = _Kept()
        added = False
        try:
            settings = self._settings()
            self.questions.say()
            with observers(self.puzzle.name, log, None, None, 0) as following:
                Runner([self._made()], [settings], report, following).run_all()
                added = bool(following) and following[0].failure is None
        except InputError as error:
            self.questions.say(str(error), "yellow")
        self.run = report.run
        if self.run is None:
            return "algorithm"
        if added:
            self.questions.say(f"\nadded to {log}")
        self.questions.say("\nThe same by a command:")
        self.questions.show(self._command(log))
        return True

    def _command(self, log: str | None) -> str:
        """The command that makes the same run, an option a line."""
        with_what = None if self.configuration == Configuration("auto") else str(self.configuration)
        engine = None if self.engine == "auto" else self.engine
        options: list[tuple[str, Any]] = [("--with", with_what)]
        options += [("--limit", limit) for limit in limit_words(self.limits)]
        options += [("--engine", engine), ("--seed", self.seed), ("--log", log)]
        parts = [["procura", "solve", self.puzzle.name, *problem_words(self.puzzle, self.task, self.problem)]]
        parts += [[name, str(value)] for name, value in options if value is not None]
        return " \\\n  ".join(map(shlex.join, parts))

    def _settings(self) -> Settings:
        """How to search, as a run takes it."""
        several = (self.configuration,)
        return settings_of(self.puzzle, str(self.configuration), several, self.limits, self.engine, self.seed)

    def _made(self) -> Task:
        """The problem as it stands, under the name and place it was read from."""
        problem = self.problem
        return Task(lambda: problem, self.task.name, self.task.place)

    def _next(self) -> bool | str:
        rows = [(name, about) for name, about in NEXT.items() if name != "steps" or self._has_steps()]
        try:
            name = self.questions.choose("What next?", rows, "quit")
        except Back:
            return "results"
        if name == "quit":
            raise End
        if name == "steps":
            assert self.run is not None
            render.show_steps(self.questions.console, self.run.result)
            return "next"
        others = {"watch": self._watch, "compare": self._compare, "play": self._play}
        if name in others:
            try:
                others[name]()
            except InputError as error:
                self.questions.say(str(error), "yellow")
            return "next"
        return name

    def _has_steps(self) -> bool:
        return self.run is not None and bool(self.run.result.actions)

    def _watch(self) -> None:
        from procura.cli.watching import watch
        from procura.solving import plan
        from procura.watch.player import Player
        from procura.watch.recording import Recording

        what = plan(self.problem, self.configuration, "python", self.seed)
        watch(Player(Recording(what, self.limits)))

    def _compare(self) -> None:
        """The searches that suit the puzzle, and the one chosen, in a table."""
        from procura.cli.tables import TableReport

        texts = list(dict.fromkeys([str(self.configuration), *self.puzzle.compared()]))
        limits = self.limits if self.limits != Limits() else Limits(seconds=SECONDS)
        parsed = [(text, Configuration.parse(text)) for text in texts]
        settings = [settings_of(self.puzzle, text, (one,), limits, self.engine, self.seed) for text, one in parsed]
        self.questions.say()
        Runner([self._made()], settings, TableReport(1, texts)).run_all()

    def _play(self) -> None:
        from procura.cli.playing import play_problem

        play_problem(self.puzzle, self.problem)


def problem_words(puzzle: ChosenPuzzle, task: Task, problem: Problem) -> list[str]:
    """The words of a command that name a problem: a sample by its name, any other by its board and options."""
    options = {name: str(value) for name, value in problem.board_options().items()}
    text = problem.board_text()
    if task.name in (*puzzle.samples(), *puzzle.cls.sample_aliases) and not task.place:
        sample = puzzle.cls(**puzzle.sample(str(task.name)))
        if (sample.board_text(), sample.options) == (text, problem.options):
            return ["--sample", str(task.name)]
    return [text, *(word for name, value in options.items() for word in (catalog.flag(name), value))]


def limit_words(limits: Limits) -> list[str]:
    """Limits as ``--limit`` takes them."""
    given = {field.name: getattr(limits, field.name) for field in fields(limits)}
    return [f"{name}={value:.15g}" for name, value in given.items() if value is not None]


class _Kept(TextReport):
    """Shows a run, and keeps it."""

    run: Run | None = None

    def __init__(self) -> None:
        super().__init__(1)

    def result(self, run: Run) -> None:
        self.run = run
        super().result(run)
