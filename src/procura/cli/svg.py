"""``--svg``: the solution as one picture, board by board."""

from __future__ import annotations

from procura.cli.files import Output, check_ending, check_writable
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.cli.status import say
from procura.errors import InputError
from procura.pictures import solution_svg
from procura.problem import Problem
from procura.texts import Task
from procura.words import counted


class SvgFile(Output):
    """An observer that writes the boards of one solution to a file."""

    def __init__(self, path: str, most: int, problems: int) -> None:
        super().__init__(path, "--svg")
        check_writable(path, self.option)
        check_ending(path, self.option, ".svg")
        if problems != 1:
            raise InputError(f"--svg: expected one problem, not {problems:,}")
        self.most = most

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> None:
        """Refuse a puzzle that draws nothing, before it is searched."""
        if problem.to_svg(problem.initial) is None:
            raise InputError(f"--svg: {problem.name} draws no pictures: it defines no to_svg")

    def end(self, run: Run | None) -> None:
        """Write the file, and say what is not in it."""
        drawn = None if run is None else solution_svg(run.result, self.most)
        if drawn is None:
            return
        picture, left_out = drawn
        self.write_whole(picture)
        if left_out and self.failure is None:
            say(f"--svg {self.path} shows {self.most:,} boards: {counted(left_out, 'step')} before the last left out")
