"""The command as a process: what it imports, pipes that break, Ctrl-C, and kernels kept between runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from helpers import EASY, ONE_MOVE, start

from procura import catalog

HEAVY = ("numpy", "numba", "rich")
LONG = ["solve", "sliding", "--sample", "moodle-6", "--with", "idastar:misplaced", "--engine", "python"]
"""A run that takes hours, in little memory."""


def imported(code):
    """Which heavy modules a process holds after ``code``."""
    code += f"\nimport sys; print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1]


def calling(*arguments):
    """Code that calls the command and goes on."""
    lines = ["from procura.cli import cli", "try:", f"    cli({list(arguments)!r})", "except SystemExit:", "    pass"]
    return "\n".join(lines)


def test_the_command_line_imports_nothing_heavy():
    assert imported("import procura.cli") == "[]"
    assert imported(calling("--help")) == "[]"
    assert imported(calling("solve", "--help")) == "[]"
    assert imported(calling("compare", "--help")) == "[]"
    assert imported(calling("generate", "--help")) == "[]"
    assert imported(calling("list")) == "[]"


def test_json_and_interpreted_runs_import_only_what_they_need():
    assert imported(calling("solve", "sliding", ONE_MOVE, "--json", "--engine", "python")) == "[]"
    assert imported(calling("solve", "sliding", ONE_MOVE, "--engine", "python")) == "['rich']"


def test_commands_are_imported_when_called():
    code = calling("list", "puzzles") + "\nimport sys; assert 'procura.cli.commands.solve' not in sys.modules"
    assert imported(code) == "[]"


def test_the_module_is_the_command():
    process = start("solve", "sliding", "-", "--json", "--engine", "python", stdin=subprocess.PIPE)
    out, err = process.communicate(ONE_MOVE)
    assert (process.returncode, json.loads(out)["actions"], err) == (0, ["R"], "")


def reads_one_line(*arguments, text):
    """Start a batch, read one line of its output and close the pipe."""
    process = start(*arguments, stdin=subprocess.PIPE)
    process.stdin.write(text)
    process.stdin.close()
    line = process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    return line, err, process.wait()


def test_a_broken_pipe_ends_quietly():
    text = f"{EASY}\n" * 200
    for mode in (["--json"], []):
        line, err, status = reads_one_line("solve", "sudoku", "-", "--engine", "python", *mode, text=text)
        assert line
        assert (err, status) == ("", 0)


def test_generating_into_a_broken_pipe_ends_quietly():
    process = start("generate", "sliding", "--count", "100000")
    assert process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == ("", 0)
    process.stderr.close()


def test_comparing_into_a_broken_pipe_ends_quietly():
    boards = f"{EASY}\n" * 200
    options = ["--engine", "python", "--with", "dfs", "--with", "bfs"]
    for mode in (["--json"], []):
        line, err, status = reads_one_line("compare", "sudoku", "-", *options, *mode, text=boards)
        assert line
        assert (err, status) == ("", 0)


def test_help_into_a_broken_pipe_ends_quietly():
    reader, writer = os.pipe()
    os.close(reader)
    process = start("--help", stdout=writer)
    os.close(writer)
    assert process.stderr.read() == ""
    assert process.wait() == 0
    process.stderr.close()


def wait_until_it_searches(process):
    """Wait until the process has used a second of processor time, when it is long past its imports."""
    if not os.path.exists("/proc/self/stat"):
        time.sleep(5)
        return
    with open(f"/proc/{process.pid}/stat") as file:
        used = 0
        while used < os.sysconf("SC_CLK_TCK"):
            time.sleep(0.05)
            file.seek(0)
            used = sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def test_ctrl_c_prints_the_best_so_far_and_ends_with_130():
    process = start(*LONG, "--json")
    wait_until_it_searches(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    told = json.loads(out)
    assert (told["outcome"], told["stopped_by"], told["error"]) == ("not_found", "cancelled", None)
    assert told["bound"] >= 15
    assert (process.returncode, err) == (130, "")


def test_ctrl_c_leaves_the_rest_of_a_batch():
    boards = ["1 2 3 4 12 13 14 5 11 15 0 6 10 9 8 7", *["12 9 7 2 10 14 0 3 13 4 1 8 6 11 5 15"] * 3]
    process = start(*LONG[:2], "-", *LONG[4:], "--goal", "spiral", "--json", stdin=subprocess.PIPE)
    process.stdin.write("\n".join(boards))
    process.stdin.close()
    assert json.loads(process.stdout.readline())["outcome"] == "solved"
    process.send_signal(signal.SIGINT)
    assert [json.loads(line)["stopped_by"] for line in process.stdout] in (["cancelled"], [])
    assert process.wait() == 130
    process.stdout.close()
    process.stderr.close()


def test_ctrl_c_shows_the_runs_that_were_compared():
    process = start(*["compare", "sliding", "--sample", "moodle-1"], *LONG[2:], "--with", "bfs")
    wait_until_it_searches(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    first, second = (out.split(f"== {name} ==\n")[1].split("\n\n")[0].splitlines() for name in ("moodle-1", "moodle-6"))
    assert [line.split()[:2] for line in first[1:]] == [["idastar:misplaced", "solved"], ["bfs", "solved"]]
    assert [line.split("  ")[0] for line in second[1:]] == ["idastar:misplaced", "bfs"]
    assert "not found (interrupted)" in second[1] and "not run" in second[2]
    assert (process.returncode, err) == (130, "")


def test_ctrl_c_leaves_a_whole_trace(tmp_path):
    process = start(*LONG, "--json", "--trace", tmp_path / "trace", "--log", tmp_path / "log")
    wait_until_it_searches(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    lines = [json.loads(line) for line in (tmp_path / "trace").read_text().splitlines()]
    assert lines[-1]["event"] == "end"
    expansions = sum(line["event"] == "expand" for line in lines)
    assert expansions == lines[-1]["expanded"] == json.loads(out)["expanded"]
    assert "interrupted" in (tmp_path / "log").read_text()


SLOW_IMPORT = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            print("importing", flush=True)
            time.sleep(60)
sys.meta_path.insert(0, Slow())
from procura.__main__ import main
main()
"""


def test_ctrl_c_while_it_is_imported_ends_quietly_with_130():
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_IMPORT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "importing\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "")
    assert process.returncode == 130


JUGS = """
from procura import ArrayProblem, Data, kernel

class Jugs(ArrayProblem):
    def __init__(self, target):
        super().__init__(size=2, max_moves=6, data=Data(full=[4, 3], target=[target]))
    @classmethod
    def from_text(cls, text):
        return cls(int(text))
    def start(self):
        return [0, 0]
    @kernel
    def moves(s, data, work, out):
        for move in range(6):
            out[move] = move
        return 6
    @kernel
    def apply(s, data, work, move):
        i = move % 2
        if move < 2:
            s[i] = data.full[i]
        elif move < 4:
            s[i] = 0
        else:
            poured = min(s[i], data.full[1 - i] - s[1 - i])
            s[i] -= poured
            s[1 - i] += poured
        return 1
    @kernel
    def solved(s, data, work):
        return SOLVED
"""


def test_kernels_of_a_users_file_are_kept_for_the_next_process(tmp_path):
    (tmp_path / "jugs.py").write_text(JUGS.replace("SOLVED", "s[0] == data.target[0]"))
    env = {**os.environ, "PROCURA_CACHE": str(tmp_path / "cache")}
    kept = []
    for _ in range(2):
        process = start(
            "solve", f"{tmp_path}/jugs.py:Jugs", "2", "--with", "bfs", "--engine", "compiled", "--json", env=env
        )
        out, _ = process.communicate()
        assert (process.returncode, json.loads(out)["engine"], json.loads(out)["length"]) == (0, "compiled", 6)
        kept.append({path: path.stat().st_ino for path in (tmp_path / "cache" / "kernels").iterdir()})
    assert kept[0]
    assert kept[0] == kept[1]


def test_a_kernel_that_does_not_compile_is_bad_input(tmp_path):
    (tmp_path / "jugs.py").write_text(JUGS.replace("SOLVED", "s[0].litres"))
    process = start("solve", f"{tmp_path}/jugs.py:Jugs", "2", "--with", "bfs", "--engine", "compiled")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert err.splitlines()[-1].startswith("procura: kernel Jugs.solved does not compile")


def test_the_cache_is_shown_and_emptied(tmp_path):
    env = {**os.environ, "PROCURA_CACHE": str(tmp_path)}
    out, _ = start("cache", "where", env=env).communicate()
    assert out == f"{tmp_path}\n"
    name = "0" * 64 + ".kernel"
    (tmp_path / "kernels" / name).write_bytes(b"procura kernel 2")
    (tmp_path / "kernels" / f"{name}.0123456789abcdef.part").write_bytes(b"pro")
    theirs = {"1" * 64 + ".kernel": b"x", "some.kernel": b"procura kernel 2", "half.part": b"", "other": b"x"}
    for other, content in theirs.items():
        (tmp_path / "kernels" / other).write_bytes(content)
    out, _ = start("cache", "clear", env=env).communicate()
    assert out == "1 kernels deleted, 0.0 MB\n0 tables deleted, 0.0 MB\n"
    assert {path.name for path in (tmp_path / "kernels").iterdir()} == set(theirs)


def test_tables_are_listed_and_deleted_apart(tmp_path):
    env = {**os.environ, "PROCURA_CACHE": str(tmp_path)}
    board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"
    start("solve", "sliding", board, "--with", "astar:walking_distance", "--engine", "python", env=env).communicate()
    out, _ = start("cache", env=env).communicate()
    kernels, tables, table = out.splitlines()
    assert kernels.startswith("kernels: 0, 0.0 MB in ")
    assert tables.startswith("tables: 1, 0.7 MB in ")
    assert table.endswith("walking distances of the 4x4 board, the blank's goal in row 4, column 4")
    out, _ = start("cache", "clear", "--only", "tables", env=env).communicate()
    assert out == "1 tables deleted, 0.7 MB\n"
    assert start("cache", "--only", "tables", env=env).communicate()[0].startswith("tables: 0, 0.0 MB")


@pytest.mark.slow
def test_the_cache_is_filled_once(tmp_path):
    env = {**os.environ, "PROCURA_CACHE": str(tmp_path)}
    kept = []
    for _ in range(2):
        out, _ = start("cache", "warm", env=env).communicate()
        assert all(name in out for name in catalog.PUZZLES)
        kept.append({path: path.stat().st_ino for path in (tmp_path / "kernels").iterdir()})
    assert kept[0]
    assert kept[0] == kept[1]


def test_without_a_cache_there_is_nothing_to_show():
    process = start("cache", "where", env={**os.environ, "PROCURA_CACHE": "off"})
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert err.startswith("procura: there is no cache")
