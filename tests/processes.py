"""The command in processes of its own, and whether any process is left behind, by a mark in their environment."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path


def command(*arguments, first=""):
    """The command, in a process that does something to itself ``first``: a preexec_fn can hang where threads are."""
    procura = [sys.executable, "-m", "procura", *map(str, arguments)]
    become = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-I", "-S", "-c", f"{first}\n{become}", *procura] if first else procura


def start(*arguments, first="", **keywords):
    """Start the command as a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **keywords}
    return subprocess.Popen(command(*arguments, first=first), **pipes)


def run(*arguments, **keywords):
    """Run the command in a process of its own to its end."""
    process = start(*arguments, **keywords)
    process.out, process.err = process.communicate(timeout=300)
    return process


def marked(mark):
    """The environment with ``mark``, name=value, in it."""
    name, _, value = mark.partition("=")
    return {**os.environ, name: value}


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
