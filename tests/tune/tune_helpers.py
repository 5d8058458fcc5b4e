"""What the tests of tuning share: a small objective, the command in a process, and the trials of a journal."""

from __future__ import annotations

import json
from functools import partial

import processes

from procura import Limits, Sliding
from procura.configuration import Configuration
from procura.tune.boards import Board, BoardObjective
from procura.tune.journal import read_journal
from procura.tune.spaces import Space

NAMES = ("misplaced", "sequence", "manhattan")
SMALL = (
    "--size",
    "2x3",
    "--moves",
    "8",
    "--goal",
    "blank-last",
    "--engine",
    "python",
    "--train",
    "4",
    "--validate",
    "3",
)
"""Boards and searches of a few milliseconds, interpreted."""


def boards(first, count):
    return tuple(Board(Sliding.generate(first + i, size="2x3", moves=8).board_text()) for i in range(count))


def small_objective(**changes):
    """Expansions of A* on boards of 2x3, interpreted."""
    given = {
        "puzzle": "sliding", "configuration": Configuration.parse("astar"), "space": Space("shares", NAMES),
        "train": boards(0, 5), "validate": boards(100, 4), "scoring_name": "expansions", "limits": Limits(nodes=300),
        "engine": "python",
    }  # fmt: skip
    return BoardObjective(**{**given, **changes})


start, run = partial(processes.start, "tune"), partial(processes.run, "tune")


def result(process):
    """The JSON object that a run printed."""
    assert process.returncode == 0, process.err
    return json.loads(process.out)


def trials(path):
    """What the finished trials of a journal were, in the order of their slots, but for how long they took."""
    _, found = read_journal(str(path))
    return [(t.slot, tuple(t.weights.items()), t.value, t.scores, t.stopped) for t in found]


def log(path):
    """The lines of a journal."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]
