"""Problems of the sizes, drawn arcs and targets of the report's A to F; ``Dots(**samples["small-3x3"])``.

Only the empty board is the course's own (D); the others are ours. The fewest arcs, proved by ``idastar:polyomino``:
small-3x3 6, easy-4x4 3, hard-4x4 10, empty-4x5 27, hard-6x6 19, sparse-7x7 79.
"""

from __future__ import annotations

from typing import Any

from procura.puzzles.dots.formats import read_problems

_PROBLEMS = """
small-3x3 3
.---.   .   .
    |
.   .   .---.
        |
.   .   .   .
|           |
.---.---.   .

easy-4x4 7
.   .---.---.---.
|   |   |   |   |
.   .---.   .---.
|           |   |
.---.   .   .---.
    |   |
.   .---.   .---.
|   |   |   |
.   .---.   .---.

hard-4x4 10
.   .---.   .   .
|           |   |
.---.---.   .---.
|               |
.   .---.---.   .
    |       |   |
.---.   .---.---.
|   |   |
.---.   .---.   .

empty-4x5 10
.   .   .   .   .   .

.   .   .   .   .   .

.   .   .   .   .   .

.   .   .   .   .   .

.   .   .   .   .   .

hard-6x6 20
.   .---.   .   .---.---.
        |   |       |
.---.   .---.---.   .   .
|       |   |   |
.---.   .   .---.---.   .
|       |       |   |
.   .   .   .---.---.   .
|               |   |   |
.---.   .   .---.---.   .
|   |   |           |   |
.   .---.   .---.   .   .
    |               |
.---.---.---.   .---.---.

sparse-7x7 35
.   .   .   .   .   .   .   .
            |
.   .   .   .   .   .   .   .

.   .   .   .   .   .   .   .

.   .   .   .   .   .   .   .
                            |
.   .   .   .   .   .   .   .

.   .   .   .   .   .   .   .

.   .   .   .   .   .   .---.

.   .   .   .   .   .   .   .
"""

samples: dict[str, dict[str, Any]] = {
    str(problem.name): {"board": [problem.horizontals, problem.verticals], "boxes": problem.target}
    for problem in read_problems(_PROBLEMS)
}

ALIASES = {"easy": "easy-4x4", "hard": "hard-6x6"}
GROUPS = {
    "to begin with": {"easy": "3 lines", "hard": "19 lines"},
    "ours, of the sizes and targets of the report's A to F": {
        "small-3x3": "6 lines",
        "easy-4x4": "3 lines",
        "hard-4x4": "10 lines",
        "empty-4x5": "27 lines; the course's D",
        "hard-6x6": "19 lines",
        "sparse-7x7": "79 lines",
    },
}
