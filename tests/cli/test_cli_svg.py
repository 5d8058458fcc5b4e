"""``--svg``: the solution as one picture, bounded, written whole, refused where there is nothing to draw."""

from __future__ import annotations

from xml.etree import ElementTree

from helpers import ONE_MOVE, run

WALK = "8 1 3 4 0 2 7 6 5"


def test_the_boards_of_a_solution_are_written(tmp_path):
    result = run("solve", "sliding", ONE_MOVE, "--engine", "python", "--svg", f"{tmp_path}/one.svg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(ElementTree.parse(tmp_path / "one.svg").findall("{*}g")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["one.svg"]


def test_a_bound_on_boards_is_said(tmp_path):
    file = f"{tmp_path}/walk.svg"
    result = run("solve", "sliding", WALK, "--engine", "python", "--svg", file, "--svg-boards", "4")
    assert result.stderr == f"procura: --svg {file} shows 4 boards: 11 steps before the last left out\n"
    assert len(ElementTree.parse(file).findall("{*}g")) == 4


def test_what_cannot_be_drawn_is_refused(tmp_path):
    file = f"{tmp_path}/all.svg"
    several = run("solve", "sliding", "-", "--svg", file, text=f"{WALK}\n{ONE_MOVE}\n")
    assert (several.exit_code, several.stderr) == (2, "procura: --svg: expected one problem, not 2\n")
    nowhere = run("solve", "sliding", WALK, "--svg", f"{tmp_path}/no/all.svg")
    assert nowhere.exit_code == 2 and "there is no such folder" in nowhere.stderr
    other = run("solve", "sliding", WALK, "--svg", f"{tmp_path}/all.png")
    assert other.exit_code == 2 and "all.png': expected a name that ends in .svg\n" in other.stderr
    (tmp_path / "own.py").write_text("""
from procura import Problem
class Steps(Problem):
    initial = 3
    def actions(self, state): return [1]
    def result(self, state, action): return state - 1
    def is_goal(self, state): return state == 0
""")
    plain = run("solve", f"{tmp_path}/own.py:Steps", "--svg", file)
    assert (plain.exit_code, plain.stderr) == (2, "procura: --svg: Steps draws no pictures: it defines no to_svg\n")
    assert not (tmp_path / "all.svg").exists()
