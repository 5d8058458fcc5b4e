"""Hill climbing with restarts, compiled."""

from __future__ import annotations

import numpy as np

from procura.compiled.engine import run_slices
from procura.compiled.local import Climb
from procura.compiled.templates import counts as c, hill as template, local
from procura.control import Control, Found
from procura.problem import ArrayProblem


def hill(
    problem: ArrayProblem,
    control: Control,
    seed: int,
    *,
    patience: int,
    sideways: bool,
    restarts: int | None,
) -> Found:
    """As ``search.hill``."""
    climb = Climb(problem, control, seed, local.OWN)
    settings = np.array([0, patience, sideways], dtype=np.int64)
    arguments = (climb.s, climb.best, climb.rng, climb.counts, settings, climb.reals, climb.data, climb.work)
    run = climb.bound.compile(template.run, *arguments)
    control.start()
    attempt = 0

    def one_slice() -> int:
        status = int(run(*arguments))
        climb.tell()
        return status

    def attend(status: int) -> bool:
        """A new start for one that is stuck."""
        nonlocal attempt
        if status != template.STUCK or (restarts is not None and attempt >= restarts):
            return False
        attempt += 1
        settings[template.WAITED] = 0
        climb.begin(attempt)
        return True

    climb.begin(0)
    run_slices(control, climb.counts, run, one_slice, attend, c.GENERATED)
    return climb.found()
