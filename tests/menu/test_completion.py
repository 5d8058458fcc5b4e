"""Shell completion: the scripts are whole, and names are offered where they belong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from procura import catalog


def offered(*words, shell="bash"):
    """What is offered for the last word; for ``fish`` it is given by itself."""
    env = {**os.environ, "_PROCURA_COMPLETE": f"{shell}_complete", "COMP_WORDS": " ".join(("procura", *words))}
    env["COMP_CWORD"] = str(len(words)) if shell == "bash" else words[-1]
    command = [sys.executable, "-c", "from procura.cli import main; main()"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_procura(shell):
    command = [sys.executable, "-m", "procura", "completion", shell]
    script = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert f"_PROCURA_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, text=True, timeout=60).returncode == 0


def test_commands_and_options_are_offered():
    assert offered("wa") == ["watch"]
    assert "--heuristic" in offered("solve", "sliding", "--h")


def test_puzzles_algorithms_heuristics_samples_and_limits_are_offered():
    assert offered("solve", "") == list(catalog.PUZZLES)
    assert offered("watch", "sliding", "--with", "ast") == ["astar"]
    assert offered("watch", "sliding", "--with", "astar,t") == ["astar,tree=", "astar,ties="]
    assert offered("solve", "dots", "--with", "astar:po") == ["astar:polyomino"]
    assert offered("solve", "dots", "--heuristic", "half") == ["half", "half_sharing"]
    assert offered("compare", "sudoku", "--sample", "s") == ["small"]
    assert offered("solve", "sliding", "--limit", "s") == ["seconds="]
    assert offered("solve", "sliding", "--with", "astar", "-o", "we") == ["weight="]
    assert offered("solve", "dots", "--order", "") == ["canonical", "any", "report"]


def test_specialists_are_offered_for_their_puzzle():
    assert offered("solve", "sudoku", "--with", "ba") == ["bands"]
    assert offered("solve", "sudoku", "--with", "bands,s") == ["bands,solutions="]
    assert offered("solve", "dots", "--with", "ba") == []


def test_commands_of_a_command_and_controllers_are_offered():
    assert sorted(offered("endless", "")) == ["compare", "play", "tune"]
    assert offered("endless", "compare", "tu") == ["tuned"]
    assert offered("endless", "play", "--controller", "d") == ["dellacherie", "dt10"]


def test_boards_are_files():
    assert offered("solve", "sliding", "boards/") == ["boards/"]


def test_an_unknown_puzzle_offers_nothing_of_its_own():
    assert offered("solve", "chess", "--sample", "") == []
