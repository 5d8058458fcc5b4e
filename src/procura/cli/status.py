"""How the command ends: exit statuses, which of several is worst, and errors as one sentence on stderr."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from procura.cli.harmless import echo
from procura.debug import debugging
from procura.errors import InputError, KernelError, OwnPuzzleError, one_line, unknown
from procura.result import Outcome, Result

FOUND = 0
"""An answer was found."""
BAD_INPUT = 2
"""A board, option or command line that cannot be used, or a place where nothing can be written."""
NOT_FOUND = 3
"""A limit, or a method that gives up, ended the run without an answer."""
NO_SOLUTION = 4
"""Proved: there is no solution."""
INTERNAL = 70
"""A defect of procura."""
INTERRUPTED = 130
"""Ctrl-C ended the run without an answer."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when a disk, or a share of it, is full."""
_LIMITS = {
    **dict.fromkeys(("seconds", "second", "time", "timeout", "time-limit"), "seconds=20"),
    **dict.fromkeys(("nodes", "expansions"), "nodes=1e6"),
    **dict.fromkeys(("memory", "mem"), "memory=500MB"),
    **dict.fromkeys(("depth", "max-depth"), "depth=40"),
}
"""Options that people try, and the limit that each would be."""
_NO_NUMBER = re.compile("is not a valid (integer|float)( range)?$")
"""How click says that a text is no number."""

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
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        where = "the output" if error.filename is None else repr(error.filename)
        return BAD_INPUT, f"{where} cannot be written: {os.strerror(error.errno).lower()}"
    hint = "" if debugging() else " (PROCURA_DEBUG=1 shows where)"
    kind = "" if isinstance(error, OSError) else f"internal error: {type(error).__name__}: "
    return INTERNAL, one_line(f"{kind}{error}") + hint


def say(sentence: str) -> None:
    """Tell the user what is wrong."""
    echo(f"procura: {sentence}", err=True)


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
    context = getattr(error, "ctx", None)
    meant = _choice(error)
    if meant is not None:
        return f"{meant} (see {context.command_path} --help)" if context else meant
    advice = "" if context is None else _advice(error, context)
    said = error.message if advice else error.format_message()  # which may have advice of its own
    sentence = _NO_NUMBER.sub(_number, one_line(said).rstrip(".")) + advice
    return f"{sentence} (see {context.command_path} --help)" if context else sentence


def _number(found: re.Match[str]) -> str:
    return "is not a whole number" if found[1] == "integer" else "is not a number"


def _choice(error: click.ClickException) -> str | None:
    """The sentence about a word that is none of those expected: the nearest of them, or all."""
    command = re.match(r"No such command '(.*?)'", error.message, re.DOTALL)
    group = context.command if (context := getattr(error, "ctx", None)) else None
    if command is not None and isinstance(group, click.Group):
        return one_line(str(unknown("there is no command", command[1], group.commands)))
    parameter = getattr(error, "param", None)
    found = re.match(r"'(.*)' is not one of ", error.message, re.DOTALL)
    if parameter is None or not isinstance(parameter.type, click.Choice) or found is None:
        return None
    what = parameter.opts[0] if isinstance(parameter, click.Option) else "there is no"
    return one_line(str(unknown(what, found[1], map(str, parameter.type.choices), 0.6)))


def _advice(error: click.ClickException, context: click.Context) -> str:
    """What was probably meant: a limit, or a board without quotes."""
    names = {parameter.name for parameter in context.command.params}
    if isinstance(error, click.NoSuchOption) and "limits" in names:
        limit = _LIMITS.get(error.option_name.lstrip("-").lower())
        return f": a limit is written --limit {limit}" if limit is not None else ""
    if "unexpected extra argument" in error.message and "board" in names:
        return ": a board with spaces needs quotes around it"
    return ""


def close_stdout() -> None:
    """Let whatever is still written to a stdout that nobody reads vanish, also when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.__stdout__.fileno())  # type: ignore[union-attr]
        os.close(null)
