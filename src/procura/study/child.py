"""What happens in the child process of a run: load, say that it is ready, search, send the result."""

from __future__ import annotations

import faulthandler
import json
import math
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from procura.errors import ProcuraError
from procura.problem import Problem
from procura.result import Limits, Result
from procura.solving import solve

Request = Mapping[str, Any]
_DEATH_SIGNAL = 1  # Linux's PR_SET_PDEATHSIG
ADDRESS_SPACE_ROOM = 8 << 30


def main(parent: int, channel: int, output: int) -> int:
    """Be the child of ``parent``: read a request from the channel and do it; the exit status."""
    os.setpgid(0, 0)
    die_with(parent)
    null = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((null, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, number)
    os.close(null)
    os.close(output)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    line = socket.socket(fileno=channel)
    try:
        request = json.loads(_first_line(line))
        threading.Thread(target=_watch, args=(line,), daemon=True).start()
        work = _warm if "warm" in request else _run
        work(request, line)
        return 0
    except MemoryError:
        _send(line, {"memory": True})
        return 70
    except ProcuraError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 70
    except BaseException:
        traceback.print_exc()
        return 70
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()


def die_with(parent: int) -> None:
    """Ask the system to kill this process when ``parent`` dies, where it does such things."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(70)


def _first_line(line: socket.socket) -> bytes:
    text = b""
    while not text.endswith(b"\n"):
        more = line.recv(1 << 16)
        if not more:
            raise EOFError("the channel was closed before a request came")
        text += more
    return text


def _watch(line: socket.socket) -> None:
    """End the whole group when nobody is at the other end of the channel any more."""
    with suppress(OSError):
        line.recv(1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _send(line: socket.socket, message: Mapping[str, Any]) -> None:
    line.sendall(json.dumps(message, allow_nan=False).encode() + b"\n")


def _warm(request: Request, line: socket.socket) -> None:
    """Compile what runs need, so that it lies in the cache; what fails here fails again in its run."""
    _send(line, {"ready": True})
    for one in request["warm"]:
        with suppress(Exception):
            load_kernels(build(one), one)
        _send(line, {"warmed": True})


def _run(request: Request, line: socket.socket) -> None:
    """Make a run; its clock starts when everything is loaded."""
    problem = build(request)
    if request["engine"] == "compiled":
        load_kernels(problem, request)
    limits = Limits(**request["limits"])
    _limit_address_space(limits)
    _send(line, {"ready": True})
    result = solve(
        problem, request["configuration"], limits=limits, engine=request["engine"], seed=request["seed"]
    )  # fmt: skip
    _send(line, {"result": figures(result)})


def build(request: Request) -> Problem:
    """The problem of a request."""
    from procura.reading.puzzles import choose_puzzle

    problem: Problem = choose_puzzle(request["puzzle"]).cls.from_text(request["board"], **request["options"])
    return problem


def load_kernels(problem: Problem, request: Request) -> None:
    """Compile or load all that the search needs, by a search that may expand nothing."""
    solve(problem, request["configuration"], limits=Limits(nodes=0), engine=request["engine"], seed=request["seed"])


def _limit_address_space(limits: Limits) -> None:
    """A last resort against allocation without end. Compiled searches reserve room far beyond what they use, and
    take an eighth of the address space for it, so the limit lies well above."""
    if limits.memory is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = 8 * limits.memory + ADDRESS_SPACE_ROOM
    if hard == resource.RLIM_INFINITY or wanted < hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def figures(result: Result) -> dict[str, Any]:
    """All that a result says, as JSON has it."""
    from procura import catalog

    stats = result.stats
    local = catalog.algorithm(result.algorithm).local
    told = {
        "outcome": result.outcome.value,
        "stopped_by": result.stopped_by,
        "algorithm": result.algorithm,
        "heuristic": result.heuristic,
        "local": local,
        "optimal": result.optimal,
        "cost": result.cost,
        "bound": result.bound,
        "gap": result.gap,
        "length": result.length,
        "actions": result.actions,
        "final": result.final_text,
        **_points(result),
        "generated": stats.generated,
        "expanded": stats.expanded,
        "max_frontier": None if local else stats.max_frontier,
        "depth": None if local else stats.depth,
        "stored": stats.stored,
        "seconds": stats.seconds,
        "compile_seconds": stats.compile_seconds,
        "peak_memory": stats.peak_memory,
        "penetrance": stats.penetrance,
        "branching_factor": stats.branching_factor,
        "notes": result.notes,
    }
    plain: dict[str, Any] = _plain(told)
    return plain


def _points(result: Result) -> dict[str, Any]:
    """The points of the solution, and those after each action."""
    if not result.solved or result.final is None or result.problem.points(result.problem.initial) is None:
        return {"points": None, "points_after": None}
    after = [result.problem.points(state) for state in result.states()][1:]
    return {"points": result.problem.points(result.final), "points_after": after}


def _plain(value: Any) -> Any:
    """The value in what JSON has."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return _plain(value.item()) if hasattr(value, "item") else str(value)
