"""What a child process of tuning does: it makes the objective, and answers one task after the other with scores."""

from __future__ import annotations

import traceback
from typing import Any

from procura.errors import ProcuraError, one_line
from procura.result import Limits
from procura.runners.child import Line, Request, alone, limit_address_space, load_puzzle
from procura.tune.jobs import Objective, make_objective


def serve(request: Request, line: Line) -> None:
    """Evaluate weights until the line is closed."""
    spec = request["objective"]
    if request["code"] is not None:
        load_puzzle(spec["puzzle"], request["code"])
    objective = make_objective(spec)
    with alone(request):
        objective.compile()
    limit_address_space(Limits(**request["limits"]))
    line.send({"ready": True})
    for task in line.requests():
        line.send({"result": _answer(objective, task)})


def _answer(objective: Objective, task: Request) -> dict[str, Any]:
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
