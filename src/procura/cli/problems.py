"""The problems of a file, numbered, drawn, with their targets."""

from __future__ import annotations

from procura.cli.blame import blamed
from procura.cli.boards import read_tasks
from procura.cli.harmless import echo
from procura.cli.render import picture
from procura.cli.status import FOUND, explain, say, worse
from procura.reading.puzzles import ChosenPuzzle
from procura.texts import Task


def show_problems(puzzle: ChosenPuzzle, file: str, ascii_only: bool) -> int:
    """Print the problems; the worst status: one that cannot be read is told, and the rest goes on."""
    listed = read_tasks(puzzle, file, (), {})
    worst = FOUND
    for number, task in enumerate(listed, 1):
        try:
            with blamed(puzzle.cls):
                text = shown(number, task, ascii_only)
        except (Exception, SystemExit) as error:
            status, sentence = explain(error)
            worst = worse(worst, status)
            say(sentence)
            continue
        echo(text + ("\n" if number < len(listed) else ""))
    return worst


def shown(number: int, task: Task, ascii_only: bool = False) -> str:
    """A problem drawn under its number, name and target; raises ``InputError``."""
    problem = task.drawing()
    target = problem.target_text() if task.sketch is None else None
    heading = [f"{number}.", *([task.name] if task.name else [])]
    heading += [f"target {target}"] if target is not None else []
    return f"{' '.join(heading)}\n{picture(problem, problem.initial, ascii_only)}"
