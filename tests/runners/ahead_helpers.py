"""What the fork servers of ``test_loading_ahead`` load, and what their children do."""

from __future__ import annotations

import os
import sys
import threading
import time

LOADED = []
"""What was loaded in this process or in the one that it was forked from: (its number, what)."""
THREADS = []
"""How many threads there were when kernels had been loaded."""

server = sys.modules["__main__"]
if "AHEAD_STUCK_SECONDS" in os.environ and hasattr(server, "STUCK_SECONDS"):
    server.STUCK_SECONDS = float(os.environ["AHEAD_STUCK_SECONDS"])


def note(request):
    LOADED.append((os.getpid(), request["what"]))


def fail(request):
    raise RuntimeError("it cannot be loaded")


def leave(request):
    sys.exit(3)


def stick(request):
    time.sleep(1000)


def grow(request):
    LOADED.append((os.getpid(), b"x" * 100_000_000))


def kernels(request):
    """As a study does."""
    from procura.study.work import load_ahead

    load_ahead(request)
    THREADS.append(threading.active_count())


def tell(request, line):
    """Say what is there, and which process this one was forked from."""
    line.send({"ready": True})
    engine = sys.modules.get("procura.compiled.engine")
    found = [(pid, what if isinstance(what, str) else len(what)) for pid, what in LOADED]
    told = {"loaded": found, "threads": THREADS, "kernels": 0 if engine is None else len(engine._compiled)}
    line.send({"result": {**told, "server": os.getppid()}})


def crash(request, line):
    line.send({"ready": True})
    os.abort()
