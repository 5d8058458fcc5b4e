"""What the child processes of a study do: make a run, compile what runs need, read a study file."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import Any

from procura.catalog import PUZZLES
from procura.errors import InputError
from procura.kept import only_kept
from procura.problem import Problem
from procura.record import record
from procura.result import Limits, Result
from procura.runners.child import EndedError, Line, Request, alone, limit_address_space, load_puzzle
from procura.runners.endings import Ending
from procura.solving import solve
from procura.study.records import is_number


def warm(request: Request, line: Line) -> None:
    """Compile what runs need, so that it lies in the cache; what fails here fails again in its run."""
    line.send({"ready": True})
    for one in request["warm"]:
        with suppress(Exception):
            load_kernels(build(one), one)
        line.send({"step": True})


def read(request: Request, line: Line) -> None:
    """Read a study file, the code of whose puzzles may do anything, and leave what it says in another file."""
    from procura.study.plan import read_study

    limits = Limits(**request["limits"])
    limit_address_space(limits)
    line.send({"ready": True})
    try:
        study = read_study(request["read"], allow_code=True)
    except InputError as error:
        line.send({"result": {"wrong": str(error)}})
        return
    with open(request["into"], "wb") as file:
        pickle.dump(study, file)
    line.send({"result": {}})


def run(request: Request, line: Line) -> None:
    """Make a run; its clock starts when everything is loaded."""
    problem = build(request)
    if request["engine"] == "compiled":
        with alone(request):
            load_kernels(problem, request)
    limits = Limits(**request["limits"])
    limit_address_space(limits)
    line.send({"ready": True})
    result = solve(
        problem, request["configuration"], limits=limits, engine=request["engine"], seed=request["seed"]
    )  # fmt: skip
    line.send({"result": figures(result)})


def load_ahead(request: Request) -> None:
    """Load what runs like this one need, in the process that forks them: only what ships with the package and is kept
    on disk, so that it cannot take long."""
    if request["code"] is not None or request["puzzle"] not in PUZZLES:
        raise ValueError(f"{request['puzzle']} is a user's own: only runs load it")
    with only_kept():
        problem = build(request)
        if request["engine"] == "compiled":
            load_kernels(problem, request)


def build(request: Request) -> Problem:
    """The problem of a request."""
    problem: Problem = load_puzzle(request["puzzle"], request["code"]).from_text(request["board"], **request["options"])
    return problem


def load_kernels(problem: Problem, request: Request) -> None:
    """Compile or load all that the search needs, by a search that may expand nothing."""
    solve(problem, request["configuration"], limits=Limits(nodes=0), engine=request["engine"], seed=request["seed"])


def figures(result: Result) -> dict[str, Any]:
    """The record of a result, with the points after each action; what reports reckon with must be a number."""
    _number("cost", result.cost)
    _number("points", result.points)
    return record(result, points_after=_points_after(result))


def _points_after(result: Result) -> list[Any] | None:
    """The points after each action of the solution."""
    if result.points is None or result.path is None:
        return None
    return [_number("points", result.problem.points(state)) for state in result.states()][1:]


def _number(name: str, value: Any) -> Any:
    """A figure that reports reckon with; what JSON has no number for is refused."""
    plain = value.item() if hasattr(value, "item") else value
    if plain is None or is_number(plain):
        return plain
    sentence = f"{name} is {value!r} ({type(value).__name__}): expected a whole number or a finite float"
    raise EndedError(Ending.UNRECORDABLE, sentence)
