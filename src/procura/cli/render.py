"""Results on the terminal: boards, outcome, actions and statistics; plain text when it goes elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from procura import words
from procura.cli.harmless import harmless
from procura.presentation import Presentation
from procura.problem import Problem
from procura.result import Outcome, Result

_STYLES = {Outcome.SOLVED: "bold green", Outcome.NO_SOLUTION: "bold yellow", Outcome.NOT_FOUND: "bold red"}
_EMPTY = set(" .·")
_CELL = re.compile(r"\w+|\W")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the caller; rich would end the program."""
        raise BrokenPipeError


def new_console() -> Console:
    """A console on stdout that adds nothing to what it is given."""
    return _Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def show(
    console: Console,
    result: Result,
    *,
    title: str | None = None,
    steps: bool = False,
    ascii_only: bool = False,
    solutions: str | None = None,
) -> None:
    """Print a run: initial board, outcome, actions, final board (or every board) and statistics."""
    show_problem(console, result.problem, title, ascii_only)
    show_answer(console, result, steps=steps, ascii_only=ascii_only, solutions=solutions)


def show_problem(console: Console, problem: Problem, title: str | None = None, ascii_only: bool = False) -> None:
    """Print what is to be solved."""
    if title is not None:
        show_title(console, title)
    show_text(console, picture(problem, problem.initial, ascii_only))
    if ascii_only and (caption := problem.caption()) is not None:
        show_text(console, caption)
    show_text(console, "")


def show_answer(
    console: Console,
    result: Result,
    *,
    steps: bool = False,
    ascii_only: bool = False,
    solutions: str | None = None,
) -> None:
    """Print what came of a run, below its initial board."""
    initial = picture(result.problem, result.problem.initial, ascii_only)
    final = None if result.final is None else picture(result.view or result.problem, result.final, ascii_only)
    show_text(console, words.outcome(result), _STYLES[result.outcome], wrap=True)
    if (remedy := words.what_to_try(result)) is not None:
        show_text(console, remedy, wrap=True)
    if result.actions:
        show_text(console, words.actions(result), wrap=True)
    if steps and result.actions:
        show_steps(console, result, ascii_only)
    elif final not in (None, initial):
        show_text(console, "" if result.solved else "best so far:")
        show_board(console, final or "", initial)
    show_text(console, "")
    show_others(console, result, initial, ascii_only)
    show_statistics(console, result, solutions)


def show_others(console: Console, result: Result, initial: str, ascii_only: bool = False) -> None:
    """Print the boards of all solutions that were found but the first."""
    for number, state in enumerate(result.finals[1:], 2):
        show_text(console, f"solution {number:,}:")
        show_board(console, picture(result.problem, state, ascii_only), initial)
        show_text(console, "")
    more = (result.solutions or 0) - len(result.finals)
    if more > 0 and result.finals:
        show_text(console, f"and {words.counted(more, 'more solution')}\n")


def picture(problem: Presentation, state: Any, ascii_only: bool = False) -> str:
    """The state as the puzzle draws it, or in ASCII if that is wanted or all that stdout can show."""
    drawn = problem.to_text(state) if ascii_only else problem.draw(state)
    try:
        drawn.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        drawn = problem.to_text(state)
    return harmless(drawn)


def show_title(console: Console, title: str) -> None:
    """Print the heading of a run."""
    show_text(console, f"== {title} ==", "bold")


def show_board(console: Console, board: str, before: str) -> None:
    """Print a board, with what was empty in ``before`` and is not any more in colour."""
    text = Text()
    olds = before.splitlines()
    for row, line in enumerate(board.splitlines()):
        old = (olds[row] if row < len(olds) else "").ljust(len(line))
        for new, was in cells(line, old):
            text.append(new, "green" if _EMPTY.issuperset(was) and new not in _EMPTY else "")
        text.append("\n")
    text.right_crop()
    console.print(text, soft_wrap=True)


def cells(line: str, before: str) -> Iterator[tuple[str, str]]:
    """The numbers, words and single characters of a line, each with what stood in its place before.

    >>> list(cells("|12|", "| 1|"))
    [('|', '|'), ('12', ' 1'), ('|', '|')]
    """
    for match in _CELL.finditer(line):
        yield match[0], before[match.start() : match.end()]


def show_steps(console: Console, result: Result, ascii_only: bool = False) -> None:
    """Print the board after each action."""
    problem = result.problem
    states = result.states()
    before = picture(problem, next(states), ascii_only)
    for count, (value, state) in enumerate(zip(result.actions or (), states, strict=True), 1):
        board = picture(problem, state, ascii_only)
        show_text(console, f"\n{count}. {problem.action_text(value)}", "bold")
        show_board(console, board, before)
        before = board


def show_statistics(console: Console, result: Result, solutions: str | None = None) -> None:
    """Print labels and values, one a line."""
    rows = words.statistics(result, solutions)
    width = max(len(label) for label, _ in rows) + 2
    for label, value in rows:
        line = Text(label.ljust(width), "dim")
        line.append(harmless(value), "not dim")
        _print(console, line, True)


def show_text(console: Console, text: str, style: str = "", wrap: bool = False) -> None:
    """Print a text; ``wrap`` breaks it between words to fit a terminal."""
    _print(console, Text(harmless(text), style), wrap)


def _print(console: Console, text: Any, wrap: bool) -> None:
    console.print(text, soft_wrap=not (wrap and console.is_terminal))
