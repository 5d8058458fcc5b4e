"""Long files of boards, one a line: solved in bulk, in order, in little memory; bad lines are told and passed over."""

import io
import json
import os
import subprocess
import sys

import pytest
from helpers import EASY, run

from procura import Sudoku, solve
from procura.cli.lines import BoardLines, Rate, _write
from procura.reading.puzzles import choose_puzzle

SOLVED = "157946832284573196396128745672351984549287613831469257415692378763815429928734561"
UNSOLVABLE = "63.79.2.8......3...4.6......5...28.78......3.....7..4.4...2.6.9..1..5..........7."


@pytest.fixture
def mixed(tmp_path):
    """A comment, good boards, a line that is too short, one without a solution, one of letters, and a good one."""
    place = tmp_path / "boards.txt"
    place.write_text("\n".join(["# boards", EASY, "", "xx", f" {EASY} ", UNSOLVABLE, "x" * 81, EASY]), encoding="utf-8")
    return place


def complaints(place):
    return [
        f"procura: {place}, line 4: board has 2 cells: expected 16, 81 or 256",
        f"procura: {place}, line 7: row 1, column 1: 'x' is not one of 1 to 9, nor '.' or '0' for empty",
    ]


@pytest.mark.parametrize("engine", ["auto", "python"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_board_has_a_line_and_bad_ones_are_reported(mixed, engine, jobs):
    result = run("solve", "sudoku", mixed, "--output", "line", "--engine", engine, "--jobs", jobs)
    assert result.stdout.splitlines() == [SOLVED, "", SOLVED, "", "", SOLVED]
    assert (result.stderr.splitlines(), result.exit_code) == (complaints(mixed), 2)


def test_standard_input_is_read_the_same_way(mixed):
    result = run("solve", "sudoku", "-", "--output", "line", "--engine", "auto", text=mixed.read_text())
    assert result.stdout.splitlines() == [SOLVED, "", SOLVED, "", "", SOLVED]
    assert result.stderr.splitlines() == complaints("standard input")


def test_grids_stand_apart(tmp_path):
    place = tmp_path / "boards.txt"
    place.write_text(f"{EASY}\n{EASY}\n")
    result = run("solve", "sudoku", place, "--output", "grid", "--engine", "auto")
    assert result.stdout == (Sudoku(SOLVED).to_text(Sudoku(SOLVED).initial) + "\n\n") * 2
    assert result.exit_code == 0


def test_json_is_what_single_runs_print(mixed):
    """But for what differs from run to run."""
    result = run("solve", "sudoku", mixed, "--json", "--engine", "compiled")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["outcome"] for one in told] == ["solved", None, "solved", "no_solution", None, "solved"]
    alone = json.loads(run("solve", "sudoku", EASY, "--json", "--engine", "compiled").stdout)
    changing = dict.fromkeys(("seconds", "compile_seconds", "peak_memory_mb"))
    assert list(told[0]) == list(alone)
    assert told[0] | changing == alone | changing
    assert told[1]["error"] == complaints(mixed)[0].removeprefix("procura: ")
    assert (result.stderr.splitlines(), result.exit_code) == (complaints(mixed), 2)


def test_only_a_board_without_a_solution_makes_status_4(tmp_path):
    place = tmp_path / "boards.txt"
    place.write_text(f"{EASY}\n{UNSOLVABLE}\n")
    result = run("solve", "sudoku", place, "--output", "line", "--engine", "auto")
    assert (result.stdout, result.exit_code) == (f"{SOLVED}\n\n", 4)


@pytest.mark.parametrize("form", ["line", "grid"])
def test_other_boards_are_printed_too(form):
    one = run("solve", "sliding", "1 2 3 4 5 6 7 0 8", "--output", form)
    assert one.stdout == {"line": "1 2 3 4 5 6 7 8 .\n", "grid": "1 2 3\n4 5 6\n7 8 .\n\n"}[form]
    assert run("solve", "sudoku", "--sample", "easy", "--output", "line").stdout == f"{SOLVED}\n"
    assert run("solve", "sudoku", "-", "--output", "line", text=EASY).stdout == f"{SOLVED}\n"


def test_output_goes_with_neither_json_nor_steps():
    for other in ("--json", "--steps"):
        result = run("solve", "sudoku", EASY, "--output", "line", other)
        assert (result.exit_code, result.stderr) == (2, f"procura: --output line: expected without {other}\n")


def test_lines_keep_their_numbers_across_chunks(monkeypatch):
    monkeypatch.setattr("procura.cli.lines.CHUNK", 7)
    monkeypatch.setattr("procura.cli.lines.PORTION", 2)
    lines = BoardLines(io.BytesIO(b"\xef\xbb\xbfone\n\n# no\ntwo\r\nthree\nfour\nfive\n\nsix"), "here")
    found = [(list(lines.numbers()), portion) for portion in lines.portions()]
    assert [one for numbers, portion in found for one in zip(numbers, portion, strict=True)] == [
        (1, "one"), (4, "two"), (5, "three"), (6, "four"), (7, "five"), (9, "six"),
    ]  # fmt: skip
    assert all(len(portion) <= 2 for _, portion in found)


class OneLineAtATime(io.BytesIO):
    """A pipe whose writer is slow."""

    def read1(self, size=-1):
        return self.readline()


def test_a_pipe_that_begins_with_one_line_is_read_as_it_comes():
    pipe = OneLineAtATime(f"# boards\n{EASY}\n{UNSOLVABLE}\n{EASY}\n".encode())
    lines = BoardLines(pipe, "here")
    assert lines.hold_boards(Sudoku) and pipe.tell() < len(pipe.getvalue())
    assert [task.place for task in lines.tasks(choose_puzzle("sudoku"), {})] == [f"here, line {n}" for n in (2, 3, 4)]


@pytest.mark.parametrize("options", [[], ["--engine", "python"], ["--solutions", "2"], ["--jobs", "2"], ["--json"]])
def test_however_it_is_shown_a_file_is_not_read_whole(mixed, options, monkeypatch):
    monkeypatch.setattr(BoardLines, "source", None)
    result = run("solve", "sudoku", mixed, "--engine", "auto", *options)
    assert (result.stderr.splitlines(), result.exit_code) == (complaints(mixed), 2)
    if options != ["--json"]:
        assert f"== {mixed}, line 5 ==" in result.stdout
        assert "6 problems: 3 solved, 1 without a solution, 2 in error; " in result.stdout.splitlines()[-1]


def test_a_bad_line_may_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(BoardLines, "source", None)
    place = tmp_path / "boards.txt"
    place.write_text(f"xx\n{EASY}\n{UNSOLVABLE}\nxx\n{EASY}\n")
    for form, gap in (("line", ""), ("grid", "\n")):
        result = run("solve", "sudoku", place, "--output", form, "--engine", "compiled")
        full = SOLVED if form == "line" else Sudoku(SOLVED).to_text(Sudoku(SOLVED).initial)
        assert result.stdout == "".join(f"{text}\n{gap}" for text in ("", full, "", "", full))
        assert len(result.stderr.splitlines()) == 2 and result.exit_code == 2


def test_problems_are_made_when_their_turn_comes(monkeypatch):
    monkeypatch.setattr("procura.cli.lines.CHUNK", 82)
    file = io.BytesIO(f"{EASY}\n".encode() * 100)
    tasks = BoardLines(file, "here").tasks(choose_puzzle("sudoku"), {})
    assert next(tasks).problem().board_text() == EASY
    assert file.tell() < 5 * 82


def test_further_solutions_are_shown_and_in_json(tmp_path):
    board = "1234 3412 2... ...."
    shown = run("solve", "sudoku", board, "--with", "bands,solutions=9", "--engine", "auto", "--ascii").stdout
    assert "solution 2:\n12 34\n34 12\n\n23 41\n41 23\n" in shown and "solutions       2\n" in shown
    told = json.loads(run("solve", "sudoku", board, "--with", "bands,solutions=9", "--engine", "auto", "--json").stdout)
    assert (told["solutions"], len(set(told["finals"])), told["finals"][0]) == (2, 2, told["final"])
    place = tmp_path / "boards.txt"
    place.write_text(f"{EASY}\n{'.' * 81}\n")
    streamed = run("solve", "sudoku", place, "--with", "bands,solutions=2", "--engine", "compiled", "--json").stdout
    alone = run("solve", "sudoku", "." * 81, "--with", "bands,solutions=2", "--engine", "compiled", "--json").stdout
    finals = [json.loads(line)["finals"] for line in streamed.splitlines()]
    assert list(map(len, finals)) == [1, 2] and finals[1] == json.loads(alone)["finals"]


def test_progress_tells_rate_and_time_left():
    lines = BoardLines(io.BytesIO(b"1\n2\n"), "here", size=16)
    assert Rate(lines).words(1000, 2.0) == "1,000 boards, 500/s, 6 s left"
    lines.size = None
    assert Rate(lines).words(1000, 2.0) == "1,000 boards, 500/s"


@pytest.mark.slow
def test_a_long_file_takes_no_more_memory_than_a_short_one(tmp_path):
    code = "import sys; from procura.__main__ import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    code += "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr)"
    peaks = []
    for boards in (20_000, 20_000, 300_000):  # the first may have kernels to compile
        place = tmp_path / f"{boards}.txt"
        place.write_text(f"{EASY}\n" * boards)
        command = [
            sys.executable,
            "-c",
            code,
            "solve",
            "sudoku",
            str(place),
            "--output",
            "line",
            "--engine",
            "compiled",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ))
        assert done.stdout.count(SOLVED) == boards
        peaks.append(int(done.stderr.split()[-1]))
    assert peaks[2] < peaks[1] + 40_000  # the whole file and its answers would be over 70 MB


def test_what_is_solved_in_bulk_is_what_solve_gives():
    assert solve(Sudoku(EASY)).final_line == SOLVED


def test_answers_are_written_whole_where_stdout_takes_them_in_parts(monkeypatch):
    """As a pipe does without a buffer (PYTHONUNBUFFERED) if a signal comes while it is full."""

    class Slow(io.BytesIO):
        def write(self, data):
            return super().write(data[:10])

    out = io.TextIOWrapper(Slow())
    monkeypatch.setattr(sys, "stdout", out)
    _write("0123456789" * 3 + "\n")
    assert out.buffer.getvalue() == b"0123456789" * 3 + b"\n"
