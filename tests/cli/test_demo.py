"""``make demo`` shows the answers that are known."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from helpers import ROOT

from procura import Sliding, solve


@pytest.mark.slow
def test_the_demo_proves_what_is_known():
    done = subprocess.run([sys.executable, ROOT / "examples" / "demo.py"], capture_output=True, text=True, check=True)
    for told in ("600 points, proved optimal", "solved in 58 digits", "solved in 42 moves, proved optimal",
                 "solved in 27 lines, proved optimal", "solved in 28 moves, proved optimal"):  # fmt: skip
        assert told in done.stdout
    assert done.stdout.count("solved in 58 digits") == 2
    assert done.stdout.startswith("== 15-puzzle") and "procura play sudoku" in done.stdout.rpartition("Try next")[2]


def test_the_demo_shows_a_board_before_it_solves_it(capsys, monkeypatch):
    import demo

    from procura.cli.render import new_console

    seen = []
    monkeypatch.setattr(demo, "solved", lambda *_: seen.append(capsys.readouterr().out) or solve(problem, "bfs"))
    problem = Sliding("1 2 3 4 5 6 7 0 8")
    demo.run(new_console(), "a board", problem, "bfs")
    assert seen == [f"== a board, by bfs ==\n{problem.draw(problem.initial)}\n\n"]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_the_demo_installs_no_development_tools():
    new = ["make", "--dry-run", "--assume-new=pyproject.toml"]
    demo, test = (
        subprocess.run([*new, target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for target in ("demo", "test")
    )
    assert "-e .\n" in demo and "[dev]" not in demo
    assert "-e .\n" in test and "[dev]" in test
