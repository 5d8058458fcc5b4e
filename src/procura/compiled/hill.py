"""Hill climbing with restarts, compiled."""

from __future__ import annotations

from procura.compiled.engine import run_slices
from procura.compiled.local import Climb
from procura.compiled.templates import hill as template
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
    climb = Climb(problem, control, seed)
    counts = climb.counts
    counts.patience, counts.sideways = patience, sideways
    arguments = (climb.s, climb.best, climb.rng, counts.words, climb.data, climb.work)
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
        counts.waited = 0
        climb.begin(attempt)
        return True

    climb.begin(0)
    run_slices(control, counts, run, one_slice, attend, "generated")
    return climb.found()
