"""What the tests of the command line share: boards, a runner in this process, and true processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from procura.cli import cli

ROOT = Path(__file__).parents[2]
RUSH_HOUR = ROOT / "examples" / "rush_hour.py"

EASY = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."
ONE_MOVE = "1 2 3 4 5 6 7 0 8"
ODD = "1 2 3 4 5 6 8 7 0"
NO_FILL = "123. .... ...4 ...."
"""Sudoku 4x4 without a contradiction among its givens and without a solution."""


def run(*arguments, text=None, env=None):
    """Run the command in this process, interpreted unless told otherwise."""
    arguments = [str(argument) for argument in arguments]
    if arguments[:1] in (["solve"], ["compare"]) and "--engine" not in arguments:
        arguments += ["--engine", "python"]
    return CliRunner().invoke(cli, arguments, input=text, env=env, prog_name="procura")


def objects(result):
    """The JSON objects that a run printed; every line is one."""
    return [json.loads(line, parse_constant=lambda word: 1 / 0) for line in result.stdout.splitlines()]


def is_one_sentence(stderr):
    """Whether stderr is what bad input gets."""
    return stderr.startswith("procura: ") and stderr.count("\n") == 1 and "Traceback" not in stderr


def start(*arguments, **keywords):
    """Start the command as a process of its own."""
    command = [sys.executable, "-m", "procura", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **keywords}
    return subprocess.Popen(command, **pipes)
