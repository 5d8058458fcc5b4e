"""``make demo`` shows the answers that are known."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import ROOT


@pytest.mark.slow
def test_the_demo_proves_what_is_known():
    done = subprocess.run([sys.executable, ROOT / "examples" / "demo.py"], capture_output=True, text=True, check=True)
    for told in ("600 points, proved optimal", "solved in 58 fills", "solved in 42 moves, proved optimal",
                 "solved in 27 arcs, proved optimal", "solved in 28 moves, proved optimal"):  # fmt: skip
        assert told in done.stdout
    assert done.stdout.count("solved in 58 fills") == 2
