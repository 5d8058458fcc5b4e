"""The files that a command writes: opened early, so that a bad name is told before a long search.

What follows a search into a file keeps an error in writing it (``Output``): the answer comes first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from procura.errors import InputError


def open_for_writing(path: str, option: str) -> TextIO:
    """The file ``path``, open; what it held stays until ``emptied``. Raises ``InputError`` that names the option."""
    _check_name(path, option)
    try:
        return open(path, "a", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise cannot(path, option, error) from None


def emptied(file: TextIO) -> None:
    """Forget what a file held that is about to be written anew; a device or a pipe has nothing to forget."""
    with suppress(OSError):
        file.truncate(0)


def check_apart(**paths: str | None) -> None:
    """Refuse two options that name one file."""
    seen: dict[str, str] = {}
    for option, path in paths.items():
        if path is None or (os.path.exists(path) and not os.path.isfile(path)):
            continue
        other = seen.setdefault(os.path.realpath(path), option)
        if other != option:
            raise InputError(f"--{option} {path!r}: --{other} names the same file: expected another")


def open_for_appending(path: str, option: str) -> int:
    """A descriptor of the file ``path`` that writes at its end, whoever else does."""
    _check_name(path, option)
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise cannot(path, option, error) from None


def check_writable(path: str, option: str) -> None:
    """Raise ``InputError`` if ``write_whole`` could not write ``path``."""
    _check_name(path, option)
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise InputError(f"{option} {path!r} cannot be written: it is a folder")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        reason = "permission denied" if os.path.isdir(folder) else "there is no such folder"
        raise InputError(f"{option} {path!r} cannot be written: {reason}")


def check_ending(path: str, option: str, *endings: str) -> None:
    """Raise ``InputError`` if a file has another ending, and so would be taken for something else; a device may."""
    if not path.endswith(endings) and (os.path.isfile(path) or not os.path.exists(path)):
        raise InputError(f"{option} {path!r}: expected a name that ends in {' or '.join(endings)}")


def _check_name(path: str, option: str) -> None:
    """Refuse ``-``, by which people mean standard output and would get a file of that name."""
    if path == "-":
        raise InputError(f"{option} -: expected the name of a file; ./- is one of that name")


def write_whole(path: str, text: str) -> None:
    """Write a file under another name and rename it, so that it is never seen in part; a device is written to."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


class Output:
    """A file that follows searches; after the first error nothing more is written, and nothing is raised."""

    failure: InputError | None = None
    """Why the file could not be written."""

    def __init__(self, path: str, option: str) -> None:
        self.path, self.option = path, option

    def write_whole(self, text: str) -> None:
        """Write the file at once."""
        with self.writing():
            write_whole(self.path, text)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep what goes wrong in writing as ``failure``."""
        try:
            yield
        except OSError as error:
            self.failure = self.failure or cannot(self.path, self.option, error)

    def raise_failure(self) -> None:
        """Raise why the file could not be written, if it could not."""
        if self.failure is not None:
            raise self.failure

    def close(self, close: Callable[[], None]) -> None:
        """Close the file; raises ``InputError`` if it fails only now."""
        before = self.failure
        with self.writing():
            close()
        if before is None:
            self.raise_failure()


def cannot(path: str, option: str, error: Exception) -> InputError:
    """The sentence for a file that cannot be written."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return InputError(f"{option} {path!r} cannot be written: {reason[:1].lower()}{reason[1:]}")
