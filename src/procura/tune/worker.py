"""A process that evaluates weights: it reads the objective, then a task a line, and answers each with scores.

It ends when nobody is at the other end of its channel any more, whatever it is doing then, with all that it started.
"""

from __future__ import annotations

import faulthandler
import json
import os
import queue
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from typing import Any

from procura.errors import ProcuraError, one_line
from procura.study.child import die_with
from procura.tune.jobs import make_objective


def main(descriptor: int, parent: int) -> None:
    """Work until the channel is closed."""
    die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    channel = socket.socket(fileno=descriptor)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(channel, tasks), daemon=True).start()
    try:
        objective = make_objective(tasks.get())
    except ProcuraError as error:
        _say(channel, {"error": str(error)})
        return
    _say(channel, {"ready": True})
    while True:
        task = tasks.get()
        _say(channel, _answer(objective, task))


def _answer(objective: Any, task: Mapping[str, Any]) -> dict[str, Any]:
    try:
        scores = objective.evaluate(tuple(task["weights"]), task["task"])
    except ProcuraError as error:
        return {"error": one_line(str(error))}
    except MemoryError:
        return {"failed": "out of memory"}
    except BaseException as error:
        traceback.print_exc()
        return {"failed": one_line(f"{type(error).__name__}: {error}")}
    return {"scores": scores}


def _listen(channel: socket.socket, tasks: queue.SimpleQueue[Any]) -> None:
    with channel.makefile("rb") as lines:
        for line in lines:
            tasks.put(json.loads(line))
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _say(channel: socket.socket, message: Mapping[str, Any]) -> None:
    channel.sendall(json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
