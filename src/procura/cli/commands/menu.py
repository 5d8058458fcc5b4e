"""``procura menu``, which is also ``procura`` alone: everything by question and answer."""

from __future__ import annotations

import os
import stat
import sys

import click

EPILOG = """\b
Examples:
  procura menu
  procura menu < answers.txt
  printf '1\\n1\\n1\\n\\n\\n\\n\\nnone\\n' | procura
"""


@click.command("menu", epilog=EPILOG)
def command() -> None:
    """Choose puzzle, problem, algorithm, heuristic and limits by answering questions, and solve.

    The same as procura alone. Answers are numbers, names or text, one a line; Enter takes what stands in brackets,
    0 or Esc goes back. Results are added to a file that you name. The last choices are remembered in your state
    folder (menu.json).
    """
    from procura.cli.menu.flow import Menu
    from procura.cli.menu.memory import Memory
    from procura.cli.menu.questions import Questions
    from procura.cli.terminal import ends_orderly

    with ends_orderly():
        Menu(Questions(), Memory()).go()


def has_answers() -> bool:
    """Whether standard input is a terminal, or a pipe or file from which answers may come."""
    try:
        if sys.stdin is None or sys.stdin.isatty():
            return sys.stdin is not None
        kind = os.fstat(sys.stdin.fileno())
    except (OSError, ValueError):
        return False
    return (
        stat.S_ISFIFO(kind.st_mode) or stat.S_ISSOCK(kind.st_mode) or (stat.S_ISREG(kind.st_mode) and kind.st_size > 0)
    )
