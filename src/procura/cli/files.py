"""The files that a command writes: opened early, so that a bad name is told before a long search."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TextIO

from procura.errors import InputError


def open_for_writing(path: str, option: str) -> TextIO:
    """The file ``path``, empty and open; raises ``InputError`` that names the option."""
    try:
        return open(path, "w", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _cannot(path, option, error) from None


def open_for_appending(path: str, option: str) -> int:
    """A descriptor of the file ``path`` that writes at its end, whoever else does."""
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise _cannot(path, option, error) from None


def check_writable(path: str, option: str) -> None:
    """Raise ``InputError`` if ``write_whole`` could not write ``path``."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise InputError(f"{option} {path!r} cannot be written: it is a folder")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        reason = "permission denied" if os.path.isdir(folder) else "there is no such folder"
        raise InputError(f"{option} {path!r} cannot be written: {reason}")


def write_whole(path: str, text: str) -> None:
    """Write a file under another name and rename it, so that it is never seen in part; a device is written to."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "x", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _cannot(path: str, option: str, error: Exception) -> InputError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return InputError(f"{option} {path!r} cannot be written: {reason[:1].lower()}{reason[1:]}")
