"""``procura explain``: how a person would solve a board, step by step and with reasons, and how hard it is."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from procura.cli.options import puzzle_options
from procura.errors import InputError

if TYPE_CHECKING:
    from procura.explanation import ExplainedStep, Explanation
    from procura.problem import Problem
    from procura.reading.puzzles import ChosenPuzzle
    from procura.texts import Task

EPILOG = """\b
Examples:
  procura explain sudoku --sample diabolic
  procura explain sudoku puzzles.txt --json
  procura explain sudoku --sample diabolic --svg steps
  procura explain sudoku --sample diabolic --svg hardest.svg

\b
Exit status: 0 explained to the end, 2 bad input, 3 reasoning does not lead to
the end (such as when there are several solutions), 4 there is no solution. A
batch exits with the worst.
"""


@click.command("explain", epilog=EPILOG)
@click.argument("puzzle")
@click.argument("board", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board and nothing else.")
@click.option("--sample", "samples", multiple=True, metavar="NAME",
              help="A problem that ships with the puzzle, in place of BOARD; several, or all.")  # fmt: skip
@click.option("--svg", metavar="FILE.svg|DIR",
              help="Draw a step into FILE.svg, or every step into a folder; one board only.")  # fmt: skip
@click.option("--step", "number", type=click.IntRange(min=1), metavar="N",
              help="The step that goes into FILE.svg.  [default: the first of the hardest technique]")  # fmt: skip
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards in ASCII.")
@puzzle_options
def command(
    puzzle: str,
    board: str | None,
    as_json: bool,
    samples: tuple[str, ...],
    svg: str | None,
    number: int | None,
    ascii_only: bool,
    **given: str | None,
) -> int:
    """Explain how a person would solve a board, and rate it.

    PUZZLE and BOARD as in procura solve; a file with several boards is explained board by board. Each step names
    its technique and its reason; at the end come the hardest technique and the rating.
    """
    from procura.cli.blame import blamed
    from procura.cli.boards import read_tasks
    from procura.cli.status import FOUND, explain, say, worse
    from procura.reading.puzzles import choose_puzzle

    chosen = choose_puzzle(puzzle)
    if not hasattr(chosen.cls, "explain"):
        raise InputError(f"{chosen.name} has no explain method: its boards can be solved, but not explained")
    tasks = read_tasks(chosen, board, samples, chosen.read_options(given))
    _check_picture(svg, number, len(tasks))
    worst = FOUND
    for task in tasks:
        try:
            problem: Any = task.problem()
            with blamed(chosen.cls):
                explanation = problem.explain()
        except (Exception, SystemExit) as error:
            status, sentence = explain(error)
            say(sentence)
            if as_json:
                _print_json(chosen, task, None, None, sentence)
        else:
            status = _status(explanation)
            if svg is not None:
                _draw(explanation, svg, number)
            if as_json:
                _print_json(chosen, task, problem, explanation, None)
            else:
                _print(problem, explanation, (task.place if len(tasks) > 1 else None) or task.name, ascii_only)
        worst = worse(worst, status)
    return worst


def _status(explanation: Explanation) -> int:
    from procura.cli.status import FOUND, NO_SOLUTION, NOT_FOUND
    from procura.result import Outcome

    return {Outcome.SOLVED: FOUND, Outcome.NO_SOLUTION: NO_SOLUTION}.get(explanation.outcome, NOT_FOUND)


def _print(problem: Problem, explanation: Explanation, title: str | None, ascii_only: bool) -> None:
    """The board, the numbered steps, the board at the end, and how hard it was."""
    from procura.cli import render

    console = render.new_console()
    if title is not None:
        render.show_title(console, title)
    before = render.picture(problem, problem.initial, ascii_only)
    render.show_text(console, before + "\n")
    for number, step in enumerate(explanation.steps, 1):
        render.show_text(console, f"{number}. {step.technique}: {step.reason}", wrap=True)
    if explanation.steps:
        render.show_text(console, "")
        render.show_board(console, render.picture(problem, explanation.final, ascii_only), before)
        render.show_text(console, "")
    for label, value in _summary(explanation):
        render.show_text(console, f"{label:<10}{value}", wrap=True)


def _summary(explanation: Explanation) -> list[tuple[str, str]]:
    from procura.words import counted

    uses = ", ".join(f"{name} {times}" for name, times in explanation.techniques.items())
    steps = counted(len(explanation.steps), "step")
    rows = [
        ("rating", explanation.rating),
        ("hardest", explanation.hardest),
        ("steps", f"{steps}: {uses}" if uses else steps),
        ("note", explanation.note),
    ]
    return [(label, value) for label, value in rows if value is not None]


def _print_json(
    chosen: ChosenPuzzle, task: Task, problem: Problem | None, explanation: Explanation | None, error: str | None
) -> None:
    from procura import __version__
    from procura.record import SCHEMA, line, plain

    told = dict.fromkeys(("outcome", "rating", "hardest", "techniques", "steps", "note"))
    fields = {
        "schema": SCHEMA,
        "version": __version__,
        "puzzle": chosen.name,
        "name": task.name,
        "initial": None if problem is None else problem.to_text(problem.initial),
        "final": None if problem is None or explanation is None else problem.to_text(explanation.final),
        **(told if explanation is None else explanation.record()),
        "error": error,
    }
    sys.stdout.write(line(plain(fields)) + "\n")
    sys.stdout.flush()


def _check_picture(svg: str | None, number: int | None, boards: int) -> None:
    """Refuse what ``_draw`` could not do, before anything is explained."""
    from procura.cli.files import check_writable

    one_file = svg is not None and svg.lower().endswith(".svg")
    if number is not None and not one_file:
        raise InputError("--step goes with --svg FILE.svg")
    if svg is None:
        return
    if boards != 1:
        raise InputError(f"--svg {svg!r}: expected one board, there are {boards:,}")
    if not one_file and os.path.splitext(svg)[1] and not os.path.isdir(svg):
        raise InputError(f"--svg {svg!r}: expected FILE.svg, or a folder")
    if one_file or not os.path.isdir(svg):
        check_writable(svg.rstrip(os.sep), "--svg")
    if not one_file and os.path.exists(svg) and not os.path.isdir(svg):
        raise InputError(f"--svg {svg!r}: expected a folder, and it is a file")


def _draw(explanation: Explanation, svg: str, number: int | None) -> None:
    """Write the pictures of the steps asked for."""
    from procura.cli.files import write_whole

    drawn = [step for step in explanation.steps if step.picture is not None]
    if not drawn:
        raise InputError(f"--svg {svg!r}: there is no step to draw")
    if svg.lower().endswith(".svg"):
        write_whole(svg, _picture(_chosen_step(explanation, number)))
        return
    try:
        os.makedirs(svg, exist_ok=True)
    except OSError as error:
        raise InputError(f"--svg {svg!r}: cannot be made a folder: {error.strerror}") from None
    digits = len(str(len(drawn)))
    pictures = {f"{count:0{digits}}.svg": step for count, step in enumerate(drawn, 1)}
    others = sorted(name for name in os.listdir(svg) if re.fullmatch(r"\d+\.svg", name) and name not in pictures)
    if others:
        raise InputError(f"--svg {svg!r}: it holds {others[0]}, no step of this board: expected another folder")
    for name, step in pictures.items():
        write_whole(os.path.join(svg, name), _picture(step))


def _chosen_step(explanation: Explanation, number: int | None) -> ExplainedStep:
    if number is None:
        return next(step for step in explanation.steps if step.technique == explanation.hardest)
    if number > len(explanation.steps):
        raise InputError(f"--step {number}: there are {len(explanation.steps)} steps")
    return explanation.steps[number - 1]


def _picture(step: ExplainedStep) -> str:
    if step.picture is None:
        raise InputError(f"--svg: a {step.technique} has no picture")
    return step.picture()
