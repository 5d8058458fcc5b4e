"""The file behind a journal: Optuna's, with a lock that ends with its process, and mended where a write was cut off."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from optuna.storages.journal import JournalFileBackend

from procura.errors import InputError

_UNSUPPORTED = (errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL)


class LogFile(JournalFileBackend):
    """Optuna's journal file. A killed process leaves no lock behind, and what it half wrote is taken out."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def read_logs(self, log_number_from: int) -> list[dict[str, Any]]:  # type: ignore[override]
        """The lines from a number on, read while nobody writes; the lock is free again whatever becomes of them."""
        with self._told("read"), open(self.path, "rb") as file, _locked(file, shared=True):
            return list(super().read_logs(log_number_from))

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        """Add lines to the end; they are on the disk when this returns."""
        text = "".join(json.dumps(log, separators=(",", ":")) + "\n" for log in logs).encode()
        with self._told("written"), open(self.path, "r+b") as file, _locked(file):
            file.seek(_end_of_lines(file))
            file.truncate()
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Name the file when the disk is full, or the file is gone."""
        try:
            yield
        except OSError as error:
            raise InputError(f"journal {self.path!r} cannot be {what}: {(error.strerror or '').lower()}") from None


@contextmanager
def _locked(file: Any, shared: bool = False) -> Iterator[None]:
    """Hold the file's lock; the system gives it back when the process ends, however that happens."""
    try:
        import fcntl
    except ImportError:  # such a system has no worker processes of ours either
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            raise InputError(f"journal {file.name!r}: its file system has no locks: put it elsewhere") from None
        raise
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _end_of_lines(file: Any) -> int:
    """Where the last whole line ends."""
    end = int(file.seek(0, os.SEEK_END))
    at = end
    while at:
        first = max(at - 4096, 0)
        file.seek(first)
        found = file.read(at - first).rfind(b"\n")
        if found >= 0:
            return first + int(found) + 1
        at = first
    return 0


def check_log(path: str) -> None:
    """Refuse a file that is no journal, and one that is damaged; a last line that was cut off is none of that."""
    try:
        with open(path, "rb") as file, _locked(file, shared=True):
            content = file.read()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"journal {path!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
    *lines, torn = content.split(b"\n")
    if not lines and torn and not torn.startswith(b'{"op_code"'[: len(torn)]):
        raise InputError(f"journal {path!r}, line 1: expected a line of an Optuna journal")
    for number, line in enumerate(lines, 1):
        try:
            fine = isinstance(json.loads(line)["op_code"], int)
        except (ValueError, KeyError, TypeError, RecursionError):
            fine = False
        if not fine:
            raise InputError(f"journal {path!r}, line {number}: expected a line of an Optuna journal")
