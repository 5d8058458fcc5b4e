"""Which problem: of a file, typed, a sample, or a random one; with the options of its puzzle."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from procura.catalog import Option
from procura.cli.boards import read_source, read_tasks
from procura.cli.menu.adjusting import adjust
from procura.cli.menu.memory import Memory
from procura.cli.menu.questions import BACK, QUIT, Back, End, Questions, counted_from_1
from procura.cli.problems import shown
from procura.cli.render import picture
from procura.errors import InputError
from procura.problem import Problem
from procura.reading.boards import tasks_of
from procura.reading.puzzles import ChosenPuzzle
from procura.texts import Source, Task

MOST_DRAWN = 20
"""Of a file with more problems only the first are drawn."""
SOURCES = {
    "sample": "one that ships with the puzzle",
    "file": "one of a file; all of them are shown",
    "typed": "a board that you type",
    "random": "a new one",
}
_SEED = Option("seed", "int", 0, "the same seed gives the same problem", low=0)


class ProblemQuestions:
    """The questions that lead to a problem of one puzzle."""

    def __init__(self, questions: Questions, memory: Memory, puzzle: ChosenPuzzle) -> None:
        assert puzzle.entry is not None
        self.questions, self.memory, self.puzzle = questions, memory, puzzle
        self.options = [option for option in puzzle.entry.options if option.name != "problem"]
        self.generator = [_SEED, *puzzle.entry.generator]

    def ask(self) -> tuple[Task, Problem]:
        """The problem, and where it is from."""
        ways: dict[str, Callable[[], tuple[Task, Problem]]] = {
            "sample": self._sample, "file": self._file, "typed": self._typed, "random": self._random,
        }  # fmt: skip
        while True:
            source = self.questions.choose(
                f"Which {self.puzzle.name} problem?", list(SOURCES.items()), self._recall("source") or "sample"
            )
            try:
                task, problem = ways[source]()
            except Back:
                continue
            self._remember(source, "source")
            self.questions.show(f"\n{picture(problem, problem.initial)}")
            return task, problem

    def _recall(self, what: str) -> str | None:
        return self.memory.text(self.puzzle.name, what)

    def _remember(self, value: str | dict[str, str], what: str) -> None:
        self.memory.remember(value, self.puzzle.name, what)

    def _sample(self) -> tuple[Task, Problem]:
        rows = [
            (name, _short(self.puzzle.cls(**self.puzzle.sample(name)), self.puzzle.sample(name), about))
            for names in self.puzzle.sample_groups().values()
            for name, about in names.items()
        ]
        while True:
            name = self.questions.choose("Which sample?", rows, self._recall("sample") or rows[0][0])
            if name != self._recall("sample"):
                self._remember({}, "options of sample")
            self._remember(name, "sample")
            try:
                return self._built("sample", partial(self._sample_task, name))
            except Back:
                continue

    def _sample_task(self, name: str, options: Mapping[str, Any]) -> Task:
        return read_tasks(self.puzzle, None, [name], options)[0]

    def _typed(self) -> tuple[Task, Problem]:
        while True:
            text = self._typed_text()
            try:
                made = self._built("typed", partial(self._typed_task, text))
            except Back:
                continue
            self._remember(text, "typed")
            return made

    def _typed_text(self) -> str:
        last = self._recall("typed")
        self.questions.say("Type the board; an empty line ends it; 0 goes back.")
        if self.puzzle.cls.typing_hint:
            self.questions.say(self.puzzle.cls.typing_hint)
        if last is not None:
            self.questions.say("An empty line at once takes the last one:")
            self.questions.show(last)
        lines: list[str] = []
        while line := self.questions.line("board" if not lines else "     "):
            if not lines and line.strip().lower() in ("0", BACK):
                raise Back
            if line.strip().lower() in QUIT:
                raise End
            lines.append(line)
        text = "\n".join(lines) if lines else last
        if text is None:
            raise Back
        return text

    def _typed_task(self, text: str, options: Mapping[str, Any]) -> Task:
        found = tasks_of(self.puzzle, Source(text), options)
        if len(found) != 1:
            raise InputError(f"{len(found):,} problems: expected one")
        return found[0]

    def _file(self) -> tuple[Task, Problem]:
        def read(answer: str) -> str:
            if answer == "0":
                raise Back
            path = os.path.expanduser(answer)
            if not os.path.isfile(path):
                raise InputError(f"there is no file {path!r}")
            read_source(path)
            return path

        last = self._recall("file")
        path = self.questions.ask("file", read, last, last if last and os.path.isfile(last) else None)
        self._remember(path, "file")
        while True:
            options = self._options("file")
            try:
                return self._of_file(path, options)
            except InputError as error:
                self.questions.say(_in_menu(error), "yellow")
            except Back:
                if not self.options:
                    raise

    def _of_file(self, path: str, options: Mapping[str, Any]) -> tuple[Task, Problem]:
        """One problem of a file, of which all are drawn; a number that cannot be used is asked again."""
        tasks = read_tasks(self.puzzle, path, (), options)
        for number, drawn in enumerate(tasks[:MOST_DRAWN], 1):
            try:
                self.questions.show(f"\n{shown(number, drawn)}")
            except InputError as error:
                self.questions.say(f"\n{number}. {error}", "yellow")
        if len(tasks) > MOST_DRAWN:
            self.questions.say(f"\nand {len(tasks) - MOST_DRAWN:,} more")
        names = [task.name for task in tasks]

        def read(answer: str) -> Task:
            if answer in names:
                return tasks[names.index(answer)]
            if answer == "0":
                raise Back
            number = counted_from_1(answer, len(tasks))
            if number is None:
                raise InputError(f"{answer!r:.40}: expected a number from 0 (back) to {len(tasks)}")
            return tasks[number - 1]

        while True:
            task = self.questions.ask("problem", read, "1", tasks[0])
            try:
                return task, task.problem()
            except InputError as error:
                self.questions.say(_in_menu(error), "yellow")

    def _random(self) -> tuple[Task, Problem]:
        own = {option.name for option in self.generator}
        others = [option for option in self.options if option.name not in own]
        before = self.memory.table(self.puzzle.name, "random")
        while True:
            title = f"A random {self.puzzle.name} problem"
            chosen = adjust(self.questions, title, [*self.generator, *others], before)
            try:
                return self._generated(chosen, own)
            except InputError as error:
                self.questions.say(_in_menu(error), "yellow")
                before = chosen

    def _generated(self, chosen: dict[str, str], own: set[str]) -> tuple[Task, Problem]:
        seed = _SEED.read(chosen.get("seed", "0"))
        making = {name: text for name, text in chosen.items() if name in own and name != "seed"}
        problem = self.puzzle.cls.generate(seed, **self.puzzle.read_generator_options(making))
        others = self.puzzle.read_options({name: text for name, text in chosen.items() if name not in own})
        if others:
            problem = problem.with_options(**others)
        self._remember({**chosen, "seed": str(seed + 1)}, "random")
        return Task(lambda: problem, None, f"random, seed {seed}"), problem

    def _options(self, source: str) -> dict[str, Any]:
        """The options of the puzzle, asked for."""
        before = self.memory.table(self.puzzle.name, f"options of {source}")
        chosen = adjust(self.questions, f"Options of {self.puzzle.name}", self.options, before)
        self._remember(chosen, f"options of {source}")
        return self.puzzle.read_options(chosen)

    def _built(self, source: str, task: Callable[[Mapping[str, Any]], Task]) -> tuple[Task, Problem]:
        """The problem under options that can be used; ``Back`` leads to the question before.

        What is wrong is told before the options are asked for, and options that do not mend it lead back.
        """
        place = f"options of {source}"
        chosen = self.memory.table(self.puzzle.name, place)
        made = self._tried(task, chosen)
        while True:
            before, chosen = chosen, adjust(self.questions, f"Options of {self.puzzle.name}", self.options, chosen)
            if made is None and chosen == before:
                self.questions.say("no option was changed, so back", "yellow")
                raise Back
            made = self._tried(task, chosen)
            if made is not None:
                self._remember(chosen, place)
                return made

    def _tried(
        self, task: Callable[[Mapping[str, Any]], Task], chosen: Mapping[str, str]
    ) -> tuple[Task, Problem] | None:
        """The problem under these options; None after saying why there is none."""
        try:
            made = task(self.puzzle.read_options(chosen))
            return made, made.problem()
        except InputError as error:
            self.questions.say(_in_menu(error), "yellow")
            return None


def _short(problem: Problem, arguments: Mapping[str, Any], about: str) -> str:
    """A sample on one line: what it shows, its board, and its goal if it has one of its own."""
    text = " ".join(problem.board_text().split())
    goal = f", goal {arguments['goal']}" if "goal" in arguments else ""
    return (f"{about}: " if about else "") + (text if len(text) <= 60 else text[:57] + "...") + goal


def _in_menu(error: InputError) -> str:
    """The sentence, with options as they are typed in the menu, ``boxes=...``, not on the command line."""
    return re.sub(r"--([a-z][a-z-]*)", lambda match: match[1].replace("-", "_") + "=...", str(error))
