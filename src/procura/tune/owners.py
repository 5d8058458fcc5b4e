"""Who works at a trial, and whether that process is still alive."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

BEAT_SECONDS = 20.0
"""How often a process leaves a sign of life in the journal."""
SILENT_SECONDS = 120.0
"""A process of another machine without a sign of life for so long is taken for dead."""

Owner = Mapping[str, Any]


@cache
def host() -> str:
    """This machine since it was started, as far as processes can see each other there."""
    parts = [socket.gethostname()]
    for place in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            parts.append(os.readlink(place) if place.endswith("pid") else Path(place).read_text().strip())
        except OSError:
            continue
    return " ".join(parts)


def started(pid: int) -> str | None:
    """When a process was started, in whatever unit; None if there is none, empty if the system does not tell.

    A process that has ended and that its parent has not asked about is none.
    """
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if words[0] in "ZX" else words[19]
    except OSError:
        pass
    if not hasattr(os, "fork"):  # there, a signal of 0 may end the process
        return ""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return None if os.path.exists("/proc/self/stat") else ""


def this_process() -> dict[str, Any]:
    """What a trial says of the process that works at it."""
    return {"id": uuid.uuid4().hex[:16], "host": host(), "pid": os.getpid(), "started": started(os.getpid())}


class Census:
    """Which owners are alive: those of this machine by their process, others by their signs of life.

    Clocks of machines differ, so the time without a sign is measured here.
    """

    def __init__(self) -> None:
        self._signs: dict[str, tuple[Any, float]] = {}

    def is_alive(self, owner: Owner, sign: Any) -> bool:
        """``sign`` is the last that the owner left."""
        if owner.get("host") == host():
            return bool(started(int(owner["pid"])) == owner.get("started"))
        now = time.monotonic()
        known = self._signs.get(owner["id"])
        if known is None or known[0] != sign:
            self._signs[owner["id"]] = (sign, now)
            return True
        return now - known[1] < SILENT_SECONDS
