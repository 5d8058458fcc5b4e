"""docs/heuristics.md says of every heuristic what the puzzles declare, and docs/formats.md of every feature."""

import re
from pathlib import Path

import pytest

from procura import Dots, Sliding, Sudoku, Tetris, catalog
from procura.configuration import Configuration
from procura.heuristics import BoundHeuristic, heuristic
from procura.puzzles.tetris.endless.features import FEATURES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "heuristics.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
COSTS = ("quality", "opportunity", "report1")
BOARDS = {
    "sliding": [Sliding([*range(1, 15), 0, 15])],
    "sudoku": [Sudoku("." * 81)],
    "tetris": [Tetris("empty", "t", cost=cost) for cost in COSTS],
    "dots": [Dots([[[1], [0]], [[1], [0]]], 1)],
}


def rows(puzzle):
    """The table of a puzzle: what is said of each heuristic."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in SECTIONS[puzzle].splitlines()]
    return {row[0].strip("`"): row for row in cells if len(row) == 5 and row[0].startswith("`")}


def in_words(holds):
    """For which costs a fact holds, as the page says it."""
    if all(holds) or not any(holds):
        return "yes" if all(holds) else "no"
    return "with " + " or ".join(f"`--cost {cost}`" for cost, true in zip(COSTS, holds, strict=True) if true)


@pytest.mark.parametrize("puzzle", catalog.PUZZLES)
def test_every_heuristic_is_described(puzzle):
    assert list(rows(puzzle)) == list(catalog.PUZZLES[puzzle].load().heuristics)


@pytest.mark.parametrize("puzzle", catalog.PUZZLES)
def test_what_is_proved_is_what_is_declared(puzzle):
    for name, (_, about, admissible, consistent, whose) in rows(puzzle).items():
        bound = [BoundHeuristic(heuristic(name), board) for board in BOARDS[puzzle]]
        assert admissible == in_words([one.admissible for one in bound]), name
        assert consistent == in_words([one.consistent for one in bound]), name
        assert about and whose


@pytest.mark.parametrize("puzzle", catalog.PUZZLES)
def test_what_auto_stands_for_is_told(puzzle):
    told = re.search(r"`auto` is (.*?)\n\n", SECTIONS[puzzle], re.DOTALL)
    for board in BOARDS[puzzle]:
        best = Configuration("auto").resolve(board)
        assert re.search(rf"`{best.algorithm}\b", told[1])
        assert best.heuristic is None or best.heuristic.text in SECTIONS[puzzle]


def test_every_feature_of_a_controller_is_described():
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    table = page.partition("## Controllers")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE)) == FEATURES
