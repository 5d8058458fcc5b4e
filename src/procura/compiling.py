"""The child process that compiles kernels into the cache for the one that started it: ``python -m procura.compiling``.

What to compile is named by one line of JSON on standard input: see ``handover.Job.request``.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from procura.compiled import process
from procura.configuration import Configuration
from procura.debug import checked
from procura.handover import Job
from procura.solving import plan, prepare


def main() -> None:
    """Do what is asked for on standard input."""
    request = json.loads(sys.stdin.buffer.readline())
    process.serve(1, 0, request["parent"], lambda report: _compile(request, report))


def _compile(request: Mapping[str, Any], report: process.Report) -> None:
    try:
        job = _job(request)
    except Exception as error:  # somebody's own code, which need not be meant for this
        report({"unknown": str(error)})
        return
    with checked(request["debug"]):
        job.compile(report)


def _job(request: Mapping[str, Any]) -> Job:
    module = importlib.import_module(request["module"])
    if module.__file__ != request["file"]:
        raise ImportError(f"{module.__file__}: expected {request['file']}")
    kind: Any = module
    for name in request["class"].split("."):
        kind = getattr(kind, name)
    problem = kind.from_text(request["board"], **request["options"])
    configuration = Configuration.parse(request["configuration"])
    what = plan(problem, configuration, "compiled")
    return Job(problem, configuration, partial(prepare, what))


if __name__ == "__main__":
    main()
