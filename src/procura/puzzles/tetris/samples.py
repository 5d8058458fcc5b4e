"""Boards of the course's public tests and of the second report; ``Tetris(**samples["test-25"])``."""

from __future__ import annotations

from typing import Any


def _rows(count: int, row: str) -> str:
    return "\n".join([row] * count)


TEST_25 = _rows(3, "###...####") + "\n####..####"
_LIST = "tljili"  # the second report's list of pieces

samples: dict[str, dict[str, Any]] = {
    "test-13": {"board": "empty", "pieces": "jltozsi"},
    "test-14": {"board": _rows(3, ".#########"), "pieces": "ooooollttjjii"},
    "test-15": {"board": _rows(17, "..########"), "pieces": "oltsz"},
    "test-17": {"board": _rows(17, "#########."), "pieces": "ts"},
    "test-18-quality": {"board": "empty", "pieces": "ts"},
    "test-18-opportunity": {"board": "empty", "pieces": "li", "cost": "opportunity"},
    "test-19": {"board": _rows(10, "########.."), "pieces": "lj"},
    "test-20": {"board": _rows(10, "########.."), "pieces": "jl", "cost": "opportunity"},
    "test-21": {"board": _rows(16, "########.."), "pieces": "olj"},
    "test-22": {"board": _rows(16, "#######..."), "pieces": "lj", "cost": "opportunity"},
    "test-24": {"board": _rows(2, "###...####") + "\n####.#####", "pieces": "t"},
    "test-25": {"board": TEST_25, "pieces": "till"},
    "test-25-tlli": {"board": TEST_25, "pieces": "tlli"},
    **{f"report2-{n}": {"board": "empty", "pieces": _LIST[:n]} for n in range(1, 7)},
    **{f"report2-{n + 6}": {"board": TEST_25, "pieces": _LIST[:n]} for n in range(1, 7)},
}

_BOARDS = ("the empty board", "the board of test 25")
ALIASES = {"easy": "test-24", "hard": "report2-12"}
GROUPS = {
    "to begin with": {"easy": "one piece that fills three lines", "hard": "six pieces, 900 points"},
    "the course's public tests": {
        "test-13": "seven pieces on the empty board",
        "test-14": "thirteen pieces",
        "test-15": "five pieces just below the top",
        "test-17": "no solution",
        "test-18-quality": "two pieces on the empty board",
        "test-18-opportunity": "two pieces, opportunity cost",
        "test-19": "two pieces beside a wall",
        "test-20": "the same, opportunity cost",
        "test-21": "three pieces just below the top",
        "test-22": "two pieces just below the top, opportunity cost",
        "test-24": "one piece that fills three lines",
        "test-25": "four pieces, 600 points",
        "test-25-tlli": "four pieces, 800 points",
    },
    "the second report's": {
        f"report2-{number}": f"{(number - 1) % 6 + 1} of t l j i l i on {_BOARDS[number > 6]}, {points} points"
        for number, points in enumerate((0, 0, 0, 100, 100, 200, 100, 300, 400, 600, 600, 900), 1)
    },
}
