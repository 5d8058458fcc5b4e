"""What needs no Linux works without it: no ``/proc``, no fork, none of the modules that only POSIX has."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from procura import Limits, Sliding, control, solve
from procura.cli import terminal
from procura.runners import linux

ROOT = Path(__file__).parents[1]
ELSEWHERE = """
import builtins, os, signal, sys
for name in ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "getpgrp", "setsid", "sysconf", "getloadavg", "waitid", "geteuid", "getuid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGCONT", "SIGBUS", "SIGTRAP", "SIGSYS", "SIGTSTP", "SIGWINCH"):
    if hasattr(signal, name):
        delattr(signal, name)
os.supports_dir_fd = set()
def without_proc(call):
    def made(path, *arguments, **keywords):
        if isinstance(path, (str, bytes, os.PathLike)) and os.fsdecode(path).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return call(path, *arguments, **keywords)
    return made
builtins.open, os.open, os.listdir, os.readlink = map(without_proc, (builtins.open, os.open, os.listdir, os.readlink))
sys.argv = ["procura", *sys.argv[1:]]
from procura.__main__ import main
main()
"""
"""Hides from the program what Windows does not have, then runs it."""


def elsewhere(*arguments, **keywords):
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *map(str, arguments)], capture_output=True, text=True, timeout=200, cwd=ROOT,
        **keywords,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["solve", "sliding", "1 2 3 4 5 6 7 0 8", "--engine", "python"], "solved in 1 move, proved optimal"),
        (["solve", "sudoku", "--sample", "small", "--engine", "python", "--limit", "memory=2GB"], "solved"),
        (["compare", "dots", "--sample", "easy", "--engine", "python", "--with", "bfs"], "proved"),
        (["generate", "sliding", "--seed", "1"], " "),
        (["list"], "astar"),
        (["explain", "sudoku", "--sample", "easy"], "easy"),
        (["report", "studies/dots.toml"], "IDA*, polyomino"),
        (["study", "studies/dots.toml", "--dry-run"], "84 runs, 0 missing"),
        (["cache", "where"], ""),
    ],
)
def test_a_command_needs_no_linux(arguments, printed):
    done = elsewhere(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert printed in done.stdout


def test_a_puzzle_is_played_line_by_line(tmp_path):
    done = elsewhere("play", "sliding", "1 2 3 4 5 6 7 0 8", input="R\nquit\n")
    assert done.returncode == 0 and "solved" in done.stdout.lower(), done.stderr


def test_a_study_says_that_it_needs_fork(tmp_path):
    study = tmp_path / "one.toml"
    study.write_text(
        'title = "One"\n[[problems]]\npuzzle = "sudoku"\nsamples = ["small"]\n[[configurations]]\nwith = "dfs"\n'
    )
    done = elsewhere("study", study)
    assert done.returncode == 2 and "fork" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_compiled_searches_need_no_linux():
    done = elsewhere("solve", "sliding", "8 6 7 2 5 4 3 0 1", "--engine", "compiled", "--with", "astar:manhattan")
    assert done.returncode == 0 and "solved in 31 moves, proved optimal" in done.stdout, done.stderr


class FakePsutil(types.ModuleType):
    """As much of psutil as is used, with figures of our own."""

    def __init__(self, resident, available=10**9):
        super().__init__("psutil")
        self.resident, self.available = resident, available

    def Process(self):
        return types.SimpleNamespace(memory_info=lambda: types.SimpleNamespace(rss=self.resident()))

    def virtual_memory(self):
        return types.SimpleNamespace(available=self.available)

    def process_iter(self, fields):
        for pid, parent, bytes_held in ((10, 1, 100), (11, 10, 200), (12, 11, 400), (13, 1, 800)):
            memory = types.SimpleNamespace(rss=bytes_held)
            yield types.SimpleNamespace(info={"pid": pid, "ppid": parent, "memory_info": memory})


@pytest.fixture
def no_proc(monkeypatch, tmp_path):
    monkeypatch.setattr(control, "STATM", str(tmp_path / "statm"))
    monkeypatch.setattr(control, "MEMINFO", str(tmp_path / "meminfo"))
    monkeypatch.setattr(control, "_seen_ceiling", (-1.0, 0))
    monkeypatch.setattr(linux, "PROC", tmp_path / "proc")


def test_a_memory_limit_holds_by_psutil(monkeypatch, no_proc):
    held = iter(range(100_000_000, 10**12, 50_000_000))
    monkeypatch.setitem(sys.modules, "psutil", FakePsutil(lambda: next(held)))
    monkeypatch.setattr(control, "MEMORY_CHECK_SECONDS", 0.0)
    hard = Sliding("8 6 7 2 5 4 3 0 1")
    result = solve(hard, "bfs", engine="python", limits=Limits(memory=1_000_000_000, seconds=60))
    assert (result.stopped_by, result.stats.expanded < 1000) == ("memory", True)


def test_what_the_machine_has_left_is_told_by_psutil(monkeypatch, no_proc):
    monkeypatch.setitem(sys.modules, "psutil", FakePsutil(lambda: 1000, available=10_000))
    assert control.memory_ceiling(Limits()) <= 1000 + 9000


def test_without_proc_and_psutil_memory_is_the_most_it_ever_was(monkeypatch, no_proc):
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert control.resident_bytes() > 1_000_000
    monkeypatch.setitem(sys.modules, "resource", None)
    assert control.resident_bytes() == 0


def test_the_memory_of_runs_is_told_by_psutil(monkeypatch, no_proc):
    monkeypatch.setitem(sys.modules, "psutil", FakePsutil(lambda: 0))
    assert linux.resident(11) == 200
    assert linux.resident_by_tree([10, 13]) == {10: 700, 13: 800}
    assert linux.children_of(1) == {10, 13}


class FakeConsole(types.ModuleType):
    """The console of Windows: characters that were pressed."""

    def __init__(self, pressed):
        super().__init__("msvcrt")
        self.pressed = list(pressed)
        self.__spec__ = types.SimpleNamespace(name="msvcrt")

    def kbhit(self):
        return bool(self.pressed)

    def getwch(self):
        return self.pressed.pop(0)


@pytest.mark.parametrize(
    ("pressed", "keys"),
    [
        ("a5é", ["a", "5", "é"]),
        ("\xe0H\xe0P\xe0K\x00M", ["up", "down", "left", "right"]),
        ("\r\x08\t\x1b", ["enter", "backspace", "tab", "escape"]),
        ("\xe0G\xe0O\xe0S\xe0I\xe0Q\x00\x0f", ["home", "end", "delete", "page_up", "page_down", "back_tab"]),
        ("\xe0\x85q", ["unknown", "q"]),
        ("\x1a\x04", ["end_of_file", "end_of_file"]),
    ],
)
def test_keys_of_a_windows_console(monkeypatch, pressed, keys):
    monkeypatch.setitem(sys.modules, "msvcrt", FakeConsole(pressed))
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(fileno=lambda: 0))
    assert terminal.has_console()
    with terminal.new_keyboard() as keyboard:
        assert [keyboard.key(1.0) for _ in keys] == keys
        assert keyboard.key(0.0) is None


def test_ctrl_c_on_a_windows_console_interrupts(monkeypatch):
    monkeypatch.setitem(sys.modules, "msvcrt", FakeConsole("\x03"))
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(fileno=lambda: 0))
    with terminal.new_keyboard() as keyboard, pytest.raises(KeyboardInterrupt):
        keyboard.key()
