"""The journal of a tuning run: JSON lines, the settings first, then one finished generation a line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Self

from procura.errors import InputError

SCHEMA = 1


class Journal:
    """A file that grows by a line a generation; a line that a killed run left half written is dropped.

    Without a path nothing is kept but in memory.
    """

    def __init__(self, path: str | None, settings: Mapping[str, Any]) -> None:
        self.path = path
        self.generations: list[dict[str, Any]] = []
        self._header = {"schema": SCHEMA, **settings}
        self._file: Any = None

    def __enter__(self) -> Self:
        if self.path is not None:
            try:
                self._file = open(self.path, "a+b")
            except (OSError, ValueError) as error:
                raise InputError(f"journal {self.path!r} cannot be written: {error}") from None
            try:
                self._read()
            except BaseException:
                self._file.close()
                raise
        return self

    def __exit__(self, *exception: Any) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, record: dict[str, Any]) -> None:
        """Keep a finished generation; it is on the disk when this returns."""
        self.generations.append(record)
        if self._file is not None:
            self._write(record)

    def _read(self) -> None:
        self._file.seek(0)
        content: bytes = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            self._write(self._header)
            return
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except ValueError:
                raise InputError(f"journal {self.path!r}, line {number}: expected a JSON object") from None
            if number == 1:
                self._check(record)
            elif not isinstance(record, dict) or record.get("generation") != number - 1:
                raise InputError(f"journal {self.path!r}, line {number}: expected generation {number - 1}")
            else:
                self.generations.append(record)

    def _check(self, header: Any) -> None:
        if not isinstance(header, dict) or header.get("schema") != SCHEMA:
            raise InputError(f"journal {self.path!r}, line 1: expected the settings of a tuning run")
        for name, value in self._header.items():
            if header.get(name) != value:
                raise InputError(
                    f"journal {self.path!r} has {name} {header.get(name)!r}: expected {value!r}, as in this run"
                )

    def _write(self, record: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
