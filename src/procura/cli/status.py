"""How the command ends: exit statuses, which of several is worst, and errors as one sentence on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from procura.debug import debugging
from procura.errors import InputError, KernelError, OwnPuzzleError, one_line
from procura.result import Outcome, Result

FOUND = 0
"""An answer was found."""
BAD_INPUT = 2
"""A board, option or command line that cannot be used."""
NOT_FOUND = 3
"""A limit, or a method that gives up, ended the run without an answer."""
NO_SOLUTION = 4
"""Proved: there is no solution."""
INTERNAL = 70
"""A defect of procura."""
INTERRUPTED = 130
"""Ctrl-C ended the run without an answer."""

BY_SEVERITY = (FOUND, NO_SOLUTION, NOT_FOUND, BAD_INPUT, INTERNAL, INTERRUPTED)
"""From fine to worst. A proof that there is no solution is an answer of a kind, so it is the mildest of the rest."""


def worse(one: int, other: int) -> int:
    """The worse of two statuses; a batch ends with the worst.

    >>> worse(NO_SOLUTION, BAD_INPUT)
    2
    """
    return max(one, other, key=BY_SEVERITY.index)


def status_of(result: Result) -> int:
    """The status that a run ends with."""
    if result.outcome is Outcome.SOLVED:
        return FOUND
    if result.outcome is Outcome.NO_SOLUTION:
        return NO_SOLUTION
    return INTERRUPTED if result.stopped_by == "cancelled" else NOT_FOUND


def explain(error: BaseException) -> tuple[int, str]:
    """The status of an error and its sentence; in debug a defect, also one of a user's class, prints where it is."""
    told = isinstance(error, InputError | KernelError)
    if debugging() and (not told or isinstance(error, OwnPuzzleError)):
        import traceback

        traceback.print_exception(error)
    if told:
        return BAD_INPUT, one_line(str(error))
    hint = "" if debugging() else " (PROCURA_DEBUG=1 shows where)"
    kind = "" if isinstance(error, OSError) else f"internal error: {type(error).__name__}: "
    return INTERNAL, one_line(f"{kind}{error}") + hint


def say(sentence: str) -> None:
    """Tell the user what is wrong."""
    click.echo(f"procura: {sentence}", err=True)


def guarded(run: Callable[[], Any]) -> int:
    """Run a command and turn whatever it raises into a status and a sentence."""
    try:
        status = run()
        sys.stdout.flush()
        return status if isinstance(status, int) else FOUND
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        say(_usage(error))
        return BAD_INPUT
    except BrokenPipeError:
        close_stdout()
        return FOUND
    except SystemExit as end:  # click ends with 1 when a pipe is broken
        close_stdout()
        return FOUND if end.code == 1 else int(end.code or 0)
    except Exception as error:
        status, sentence = explain(error)
        say(sentence)
        return status


def _usage(error: click.ClickException) -> str:
    sentence = one_line(error.format_message()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{sentence} (see {context.command_path} --help)" if context else sentence


def close_stdout() -> None:
    """Let whatever is still written to a stdout that nobody reads vanish, also when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.__stdout__.fileno())  # type: ignore[union-attr]
        os.close(null)
