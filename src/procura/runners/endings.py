"""Every way in which a run can end, by name."""

from __future__ import annotations

import enum


class Ending(enum.StrEnum):
    """How a run ended; ``ABOUT`` says what each name means."""

    SOLVED = "solved"
    NO_SOLUTION = "no_solution"
    NOT_FOUND = "not_found"
    STOPPED_TIME = "stopped_time"
    STOPPED_NODES = "stopped_nodes"
    STOPPED_MEMORY = "stopped_memory"
    STOPPED_DEPTH = "stopped_depth"
    KILLED_TIME = "killed_time"
    KILLED_MEMORY = "killed_memory"
    KILLED_LOADING = "killed_loading"
    CRASHED = "crashed"
    KILLED_OUTSIDE = "killed_outside"
    CODE_CHANGED = "code_changed"
    UNRECORDABLE = "unrecordable"
    INTERRUPTED = "interrupted"

    @property
    def about(self) -> str:
        """What it means, in words."""
        return ABOUT[self]

    @property
    def ours(self) -> bool:
        """Whether the run was ended for going over a limit."""
        return self.name.startswith("KILLED_") and self is not Ending.KILLED_OUTSIDE

    @property
    def failed(self) -> bool:
        """Whether the run went wrong in a way that nobody asked for."""
        return self in FAILED


ABOUT = {
    Ending.SOLVED: "an answer was found",
    Ending.NO_SOLUTION: "proved to have no solution",
    Ending.NOT_FOUND: "the method gave up without an answer",
    Ending.STOPPED_TIME: "the search ended itself at its time limit, without an answer",
    Ending.STOPPED_NODES: "the search ended itself at its limit on nodes, without an answer",
    Ending.STOPPED_MEMORY: "the search ended itself at its memory limit, without an answer",
    Ending.STOPPED_DEPTH: "the search found nothing within its depth limit",
    Ending.KILLED_TIME: "killed by us: it went on after its time limit",
    Ending.KILLED_MEMORY: "ended by force: it took more than its memory limit",
    Ending.KILLED_LOADING: "killed by us: it took too long to get ready, before its clock started",
    Ending.CRASHED: "its process ended with an error",
    Ending.KILLED_OUTSIDE: "its process was killed by somebody else",
    Ending.CODE_CHANGED: "not begun: the code of its puzzle changed after the study was read",
    Ending.UNRECORDABLE: "its cost or points are no number that JSON has",
    Ending.INTERRUPTED: "cut short by Ctrl-C; nothing is recorded, so it runs again",
}
FAILED = frozenset(
    {Ending.CRASHED, Ending.KILLED_OUTSIDE, Ending.KILLED_LOADING, Ending.CODE_CHANGED, Ending.UNRECORDABLE}
)


def ending_of(outcome: str, stopped_by: str | None) -> Ending:
    """The ending of a run that returned a result; nobody cancels the search of a run.

    >>> ending_of("not_found", "time"), ending_of("solved", "time")
    (<Ending.STOPPED_TIME: 'stopped_time'>, <Ending.SOLVED: 'solved'>)
    """
    if outcome == "not_found" and stopped_by is not None:
        return Ending(f"stopped_{stopped_by}")
    return Ending(outcome)
