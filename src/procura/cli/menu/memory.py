"""The choices of last time, in a small file in the user's state folder; a broken one is ignored."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from procura.cli.files import write_whole

MOST_BYTES = 1 << 20


class Memory:
    """Values by path, such as ``("sliding", "sample")``; texts, and tables of texts."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = _place() if path is None else path
        self._values = _read(self.path)

    def text(self, *path: str) -> str | None:
        """The text remembered there, if there is one."""
        value = self._at(path)
        return value if isinstance(value, str) else None

    def table(self, *path: str) -> dict[str, str]:
        """The texts remembered there by name."""
        value = self._at(path)
        items = value.items() if isinstance(value, dict) else ()
        return {name: text for name, text in items if isinstance(text, str)}

    def _at(self, path: tuple[str, ...]) -> Any:
        value: Any = self._values
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def remember(self, value: str | dict[str, str], *path: str) -> None:
        """Keep a text or a table of texts."""
        table = self._values
        for name in path[:-1]:
            if not isinstance(table.get(name), dict):
                table[name] = {}
            table = table[name]
        table[path[-1]] = value

    def save(self) -> None:
        """Write the file; who cannot write it remembers nothing."""
        with suppress(OSError, ValueError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(str(self.path), json.dumps(self._values, indent=1) + "\n")


def _place() -> Path:
    import platformdirs

    return Path(platformdirs.user_state_dir("procura", appauthor=False)) / "menu.json"


def _read(path: Path) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            values = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
