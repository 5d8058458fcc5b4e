"""What happens in the child process of a run: load, say that it is ready, search, send the result."""

from __future__ import annotations

import faulthandler
import json
import math
import os
import pickle
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from procura.errors import InputError, ProcuraError
from procura.problem import Problem
from procura.result import Limits, Result
from procura.solving import solve
from procura.study import linux
from procura.study.code import no_bytecode, own_code
from procura.study.endings import Ending
from procura.study.records import is_number

Request = Mapping[str, Any]
ADDRESS_SPACE_ROOM = 8 << 30


class EndedError(ProcuraError):
    """The run ends here, under a name of its own."""

    def __init__(self, ending: Ending, sentence: str) -> None:
        super().__init__(sentence)
        self.ending = ending


def main(parent: int, channel: int, output: int) -> int:
    """Be the child of ``parent``: read a request from the channel and do it; the exit status."""
    os.setpgid(0, 0)
    die_with(parent)
    linux.adopt_orphans()
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
        work = _warm if "warm" in request else _read if "read" in request else _run
        work(request, line)
        return 0
    except MemoryError:
        _send(line, {"ending": Ending.KILLED_MEMORY})
        return 70
    except EndedError as error:
        print(error, file=sys.stderr)
        _send(line, {"ending": error.ending})
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
    """Die when ``parent`` dies, where the system sees to that; at once if it is dead already."""
    linux.die_with_parent()
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


def _read(request: Request, line: socket.socket) -> None:
    """Read a study file, the code of whose puzzles may do anything, and leave what it says in another file."""
    from procura.study.plan import read_study

    limits = Limits(**request["limits"])
    _limit_address_space(limits)
    _send(line, {"ready": True})
    try:
        study = read_study(request["read"], allow_code=True)
    except InputError as error:
        _send(line, {"result": {"wrong": str(error)}})
        return
    with open(request["into"], "wb") as file:
        pickle.dump(study, file)
    _send(line, {"result": {}})


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
    problem: Problem = _load(request["puzzle"], request["code"]).from_text(request["board"], **request["options"])
    return problem


def _load(puzzle: str, code: str | None) -> type[Problem]:
    """The class of a puzzle; one of a user's file only if its code is that which the study was read with."""
    from procura.reading.puzzles import choose_puzzle

    if code is None:
        return choose_puzzle(puzzle).cls
    path = Path(puzzle.rpartition(":")[0])
    _check_code(path, code)
    with no_bytecode():
        loaded = choose_puzzle(puzzle).cls
    _check_code(path, code)
    return loaded


def _check_code(path: Path, code: str) -> None:
    if own_code(path) != code:
        sentence = f"{path}, or a module that it imports from its folder, changed after the study was read"
        raise EndedError(Ending.CODE_CHANGED, sentence)


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
        "cost": _number("cost", result.cost),
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
    after = [_number("points", result.problem.points(state)) for state in result.states()][1:]
    return {"points": _number("points", result.problem.points(result.final)), "points_after": after}


def _number(name: str, value: Any) -> Any:
    """A figure that reports reckon with; what JSON has no number for is refused."""
    plain = value.item() if hasattr(value, "item") else value
    if plain is None or is_number(plain):
        return plain
    sentence = f"{name} is {value!r} ({type(value).__name__}): expected a whole number or a finite float"
    raise EndedError(Ending.UNRECORDABLE, sentence)


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
