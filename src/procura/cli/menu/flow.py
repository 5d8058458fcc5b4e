"""The menu from the first question to the result, and round again."""

from __future__ import annotations

from collections.abc import Callable

from procura import catalog
from procura.cli import render
from procura.cli.files import check_writable
from procura.cli.menu.memory import Memory
from procura.cli.menu.problems import ProblemQuestions
from procura.cli.menu.questions import Back, End, Questions
from procura.cli.menu.searches import Search, SearchQuestions
from procura.cli.observers import observers
from procura.cli.reports import TextReport
from procura.cli.running import Run, Runner
from procura.cli.settings import Settings
from procura.errors import InputError
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.reading.texts import Task

RESULTS = "procura-results.txt"
NO_RESULTS = "none"
WELCOME = "procura: Enter takes what stands in brackets, 0 or Esc goes back, q leaves, Ctrl-C ends a search."
NEXT = {
    "again": "the same once more",
    "algorithm": "another algorithm for this problem",
    "problem": "another problem",
    "puzzle": "another puzzle",
    "steps": "every board of the solution",
    "watch": "this search step by step",
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
        self.search = Search()
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

    def _puzzle(self) -> bool:
        rows = [(puzzle.name, puzzle.about) for puzzle in catalog.PUZZLES.values()]
        name = self.questions.choose("Which puzzle?", rows, self.memory.text("puzzle") or rows[0][0], back="leave")
        self.memory.remember(name, "puzzle")
        self.puzzle = choose_puzzle(name)
        return True

    def _problem(self) -> bool:
        self.task, self.problem = ProblemQuestions(self.questions, self.memory, self.puzzle).ask()
        self.search_questions = SearchQuestions(self.questions, self.memory, self.puzzle, self.problem)
        return True

    def _algorithm(self) -> bool:
        self.search = Search(self.search_questions.algorithm())
        return True

    def _options(self) -> bool:
        self.search.options = self.search_questions.options(self.search.algorithm)
        return True

    def _heuristic(self) -> bool:
        self.search.heuristic = None
        if not self.search_questions.uses_heuristic(self.search.algorithm):
            return False
        self.search.heuristic = self.search_questions.heuristic()
        return True

    def _limits(self) -> bool:
        self.search.limits = self.search_questions.limits()
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
        self.questions.say("A readable record of the run is added to this file; none for no file; 0 back.")
        last = self.memory.text("results") or RESULTS
        self.results = self.questions.ask("results file", read, last, last)
        self.memory.remember(self.results, "results")
        return True

    def _run(self) -> bool | str:
        """Search, and show what came of it; what cannot be run leads back to the algorithm."""
        self.memory.save()
        log = None if self.results == NO_RESULTS else self.results
        report = _Kept()
        try:
            settings = self.search.settings(self.puzzle)
            self.questions.say()
            with observers(self.puzzle.name, log, None, None, 0) as following:
                Runner([self._made()], [settings], report, following).run_all()
        except InputError as error:
            self.questions.say(str(error), "yellow")
        self.run = report.run
        if self.run is None:
            return "algorithm"
        if log is not None:
            self.questions.say(f"\nadded to {log}")
        return True

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
        if name == "watch":
            self._watch(self.search.settings(self.puzzle))
            return "next"
        return name

    def _has_steps(self) -> bool:
        return self.run is not None and bool(self.run.result.actions)

    def _watch(self, settings: Settings) -> None:
        from procura.cli.watching import watch
        from procura.solving import plan
        from procura.watch.player import Player
        from procura.watch.recording import Recording

        try:
            what = plan(self.problem, settings.configuration, settings.heuristic, "python", settings.seed, {})
            with Player(Recording(what, settings.limits)) as player:
                watch(player)
        except InputError as error:
            self.questions.say(str(error), "yellow")


class _Kept(TextReport):
    """Shows a run, and keeps it."""

    run: Run | None = None

    def __init__(self) -> None:
        super().__init__(1)

    def result(self, run: Run) -> None:
        self.run = run
        super().result(run)
