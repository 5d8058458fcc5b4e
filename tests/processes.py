"""Processes found by a mark in their environment: whether any is left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path


def descendants(mark):
    """The processes, alive, that hold ``mark`` in their environment, by number."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def gone(mark, seconds=5.0):
    """Whether all such processes are gone within some seconds."""
    end = time.monotonic() + seconds
    while descendants(mark):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
