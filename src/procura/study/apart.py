"""A study file read in a process of its own under limits, since reading it runs the code of a user's classes."""

from __future__ import annotations

import io
import pickle
import tempfile
from dataclasses import asdict, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from procura.errors import InputError
from procura.result import Limits
from procura.runners.endings import Ending
from procura.runners.processes import Child, Processes
from procura.study.plan import Study

LIMITS = Limits(seconds=600.0, memory=2_000_000_000)
"""The most that reading a study file may take."""


def read_apart(path: str, limits: Limits = LIMITS) -> Study:
    """As ``read_study`` with code allowed, none of which runs in this process."""
    with tempfile.TemporaryDirectory(prefix="procura-") as folder, Processes(False, "procura.study.work") as processes:
        into = Path(folder) / "study"
        request = {"work": "procura.study.work:read", "read": path, "into": str(into), "limits": asdict(limits)}
        child = processes.start(request, limits, None)
        while not processes.wait():
            pass
        try:
            if child.result is None:
                raise InputError(f"{path}: {_why(child, limits)}")
            if "wrong" in child.result:
                raise InputError(child.result["wrong"])
            study = _Plain(io.BytesIO(into.read_bytes())).load()
            if not isinstance(study, Study):
                raise pickle.UnpicklingError("no study")
        except pickle.UnpicklingError as error:
            raise InputError(f"{path}: code of its puzzles spoilt what was read: {error}") from None
        finally:
            child.close()
    return study


class _Plain(pickle.Unpickler):
    """Makes objects of this package's data classes and of nothing else, whatever the child has written."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("procura.") else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a study")


def _why(child: Child, limits: Limits) -> str:
    """Why the study could not be read, in words."""
    if child.ending is Ending.KILLED_TIME:
        return f"code of its puzzles was at work for {limits.seconds:g} s while it was read, and was ended"
    if child.ending is Ending.KILLED_MEMORY:
        return f"code of its puzzles took more than {(limits.memory or 0) / 1e6:,.0f} MB while it was read"
    last = child.last_lines()[-1:]
    return f"code of its puzzles ended the process that read it: {child.exit}{''.join(f', {line}' for line in last)}"
