"""The results file: JSON lines, one a run, each appended whole and flushed to the disk before the next."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from procura.errors import InputError
from procura.study.endings import Ending

Record = Mapping[str, Any]
NAMES = ("key", "ending", "problem", "group", "configuration")
"""What every result says in words."""


@dataclass
class Contents:
    """What a results file holds."""

    records: dict[str, Record] = field(default_factory=dict)
    """The last result of each key."""
    damaged: list[int] = field(default_factory=list)
    """Lines that are no results, by number."""
    whole: int = 0
    """Bytes up to the end of the last whole line."""
    torn: bool = False
    """Whether the last line was cut off in the middle of being written."""


def read_results(path: str | Path) -> Contents:
    """The results of a file, which may be in use."""
    try:
        return parse(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def parse(raw: bytes) -> Contents:
    r"""The results in the bytes of a file.

    >>> contents = parse(b'rubbish\n{"key": "b", "end')
    >>> contents.records, contents.damaged, contents.torn
    ({}, [1], True)
    """
    contents = Contents()
    lines = raw.split(b"\n")
    contents.torn = bool(lines[-1])
    contents.whole = len(raw) - len(lines[-1])
    for number, line in enumerate(lines[:-1], 1):
        record = _record(line)
        if record is not None:
            contents.records[record["key"]] = record
        elif line.strip():
            contents.damaged.append(number)
    return contents


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not all(isinstance(record.get(name), str) for name in NAMES):
        return None
    return record if record["ending"] in set(Ending) and isinstance(record.get("run"), dict) else None


class Results:
    """A results file open for one program to append to; a line that was cut off is taken out."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)

    def __enter__(self) -> Self:
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error.strerror}") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise InputError(f"{self.path} is no plain file: results are kept in one")
            self._lock()
            self.contents = read_results(self.path)
            if self.contents.torn:
                os.ftruncate(self._file, self.contents.whole)
            self._sync_folder()
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        os.close(self._file)

    def _lock(self) -> None:
        """Nobody else may write the file as long as it is open here; the system gives a lock of the dead back."""
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{self.path} is in use: the study is running already") from None

    def _sync_folder(self) -> None:
        folder = os.open(Path(self.path).absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def append(self, record: Record) -> None:
        """Write a result as one line, at once, and wait until it is on the disk."""
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        written = os.write(self._file, line)
        while written < len(line):  # the disk is full, or nearly: the rest, or an error
            written += os.write(self._file, line[written:])
        os.fsync(self._file)
        self.contents.records[record["key"]] = record
