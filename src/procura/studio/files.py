"""The files that the studio may read: texts below one folder, by their names in it."""

from __future__ import annotations

import os
from pathlib import Path

from procura.errors import InputError

LARGEST = 200_000
"""Bytes of a file that is read."""
MOST = 500
"""Files that are listed."""
KINDS = (".txt", ".dat", ".csv", ".sdk", "")


class Files:
    """A folder whose texts can be listed and read, and nothing outside it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "board.txt").write_text("1 2 3 0")
    ...     files = Files(folder)
    ...     files.names(), files.read("board.txt")
    (['board.txt'], '1 2 3 0')
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            raise InputError(f"FOLDER {str(folder)!r}: there is no such folder")

    def names(self) -> list[str]:
        """The files that can be read, by name; hidden ones are not listed."""
        found: list[str] = []
        for place, folders, files in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                path = Path(place, name)
                if path.suffix in KINDS and not name.startswith(".") and self._inside(path):
                    found.append(path.relative_to(self.folder).as_posix())
                if len(found) == MOST:
                    return found
        return found

    def read(self, name: str) -> str:
        """The text of a file; raises ``InputError`` for one that lies elsewhere, by its name or by a link."""
        parts = name.split("/")
        if not name or "\\" in name or "\0" in name or any(part in ("", ".", "..") for part in parts):
            raise InputError(f"file {name!r:.60}: expected a name in the studio's folder")
        path = self.folder.joinpath(*parts)
        if any(part.startswith(".") for part in parts) or not self._inside(path):
            raise InputError(f"file {name!r:.60}: there is no such file in the studio's folder")
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise InputError(f"file {name!r:.60}: expected at most {LARGEST:,} bytes")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"file {name!r:.60}, byte {error.start}: expected text in UTF-8") from None

    def _inside(self, path: Path) -> bool:
        """Whether it is a file that lies in the folder, wherever links lead."""
        real = path.resolve()
        return real.is_file() and real.is_relative_to(self.folder)
