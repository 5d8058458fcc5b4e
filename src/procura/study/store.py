"""The results file: JSON lines, one a run, each appended whole and flushed to the disk before the next."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from procura.errors import InputError, ProcuraError
from procura.study.records import Record, read_record

START = b'{"schema": '
"""How every line begins that is written here."""


class ResultsError(ProcuraError):
    """The results file can be written no more."""


@dataclass
class Contents:
    """What a results file holds."""

    records: dict[str, Record] = field(default_factory=dict)
    """The last result of each key."""
    damaged: dict[int, str] = field(default_factory=dict)
    """Lines that are no results, by number, and what is wrong with them."""
    whole: int = 0
    """Bytes up to the end of the last whole line."""
    torn: bool = False
    """Whether the last line was cut off in the middle of being written."""
    unended: bool = False
    """Whether the last line is whole and lacks only its end of line."""


def read_results(path: str | Path) -> Contents:
    """The results of a file, which may be in use; a file that does not begin with a result is refused."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    contents = parse(raw)
    number, wrong = next(iter(contents.damaged.items()), (0, ""))
    if number == 1 or (number and not contents.records):
        raise InputError(f"{path} is no results file: line {number}: {wrong}")
    cut = raw[contents.whole :].strip()
    if contents.torn and not contents.records and not (cut.startswith(START) or START.startswith(cut)):
        raise InputError(f"{path} is no results file: its only line is no result")
    return contents


def parse(raw: bytes) -> Contents:
    r"""The results in the bytes of a file.

    >>> contents = parse(b'rubbish\n{"key": "b", "end')
    >>> contents.records, contents.damaged, contents.torn
    ({}, {1: 'not JSON'}, True)
    """
    contents = Contents()
    *lines, last = raw.split(b"\n")
    contents.whole = len(raw) - len(last)
    if last.strip():
        contents.unended = _is_json(last)
        contents.torn = not contents.unended
        if contents.unended:
            contents.whole = len(raw)
            lines.append(last)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = read_record(line)
        except InputError as error:
            contents.damaged[number] = str(error)
        else:
            contents.records[record["key"]] = record
    return contents


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _line(record: Record) -> bytes:
    return json.dumps(record, allow_nan=False).encode() + b"\n"


class Results:
    """A results file open for one program to append to; a line that was cut off is taken out."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.contents = Contents()
        self._file = -1
        self._size = 0

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    def _open(self) -> None:
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
            self._size = os.fstat(self._file).st_size
            self._sync_folder()
        except BaseException:
            self._close()
            raise

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

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
        self._write(record)
        self.contents.records[record["key"]] = record
        if not self._is_ours():
            self._follow()

    def _write(self, record: Record) -> None:
        line = b"\n" * self.contents.unended + _line(record)
        try:
            written = 0
            while written < len(line):  # again only if the disk is nearly full: the rest, or an error
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            told = "the result of the last run is lost, all before are kept"
            raise ResultsError(f"{self.path} cannot be written: {error.strerror}; {told}") from error
        self._size += len(line)
        self.contents.unended = False

    def _is_ours(self) -> bool:
        """Whether the file under our path is the one that is open, and nobody else has changed it."""
        try:
            there = os.stat(self.path)
        except OSError:
            return False
        here = os.fstat(self._file)
        return (there.st_dev, there.st_ino, there.st_size) == (here.st_dev, here.st_ino, self._size)

    def _follow(self) -> None:
        """The file was removed, replaced or changed by somebody: all results go into the one that is there now."""
        held = self.contents.records
        self._close()
        try:
            self._open()
            for key, record in held.items():
                if self.contents.records.get(key) != record:
                    self._write(record)
                    self.contents.records[key] = record
        except (ProcuraError, OSError) as error:
            told = f"it was removed or replaced while the study ran; all results are in {_saved(held.values())}"
            raise ResultsError(f"{error}; {told}") from error


def _saved(records: Iterable[Record]) -> str:
    """A new file of these results, where the system keeps such files."""
    with tempfile.NamedTemporaryFile(prefix="procura-", suffix=".results.jsonl", delete=False) as file:
        file.writelines(map(_line, records))
    return file.name
